//! What a search knows between two batches beside its states: enough to go on from there.

use crate::checkpoint::blocks::{BlockReader, BlockWriter, damaged};
use crate::checkpoint::codec::{Decoder, Encoder};
use crate::frontier::Frontier;
use crate::options::{Expand, Options};
use crate::outcome::TimeSplit;
use crate::shared::Shared;
use crate::states::States;
use crate::worker::{Finding, Tally};
use mandala_encoding::Program;
use mandala_model::ids::TemplateId;
use mandala_store::{CheckpointError, StateRef, StateStore};
use std::io;
use std::time::Duration;

/// What was found out so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Past {
    pub tally: Tally,
    pub elapsed: Duration,
    pub split: TimeSplit,
    /// How many states native code has expanded.
    pub natively: u64,
    /// The most memory in use, and the most that was not for states.
    pub peak: u64,
    pub frontier_peak: u64,
    /// What was reached, as numbers.
    pub reached: Vec<u64>,
    /// How many states each level has, breadth first.
    pub levels: Vec<u64>,
    /// The least violation of the level at hand.
    pub finding: Option<Finding>,
    pub proof: Option<Proof>,
}

/// Where the violation is that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    /// The states from the start to it.
    pub path: Vec<StateRef>,
    /// Whether it is met before the start is reached.
    pub at_start: bool,
    /// Which of the violations that are told there.
    pub nth: usize,
}

impl Past {
    pub fn save(&self, out: &mut Encoder<'_>) -> io::Result<()> {
        save_tally(&self.tally, out)?;
        out.number(self.elapsed.as_nanos() as u64)?;
        let split = [self.split.expand, self.split.canonicalise, self.split.store];
        split
            .iter()
            .try_for_each(|part| out.number(part.to_bits()))?;
        out.number(self.natively)?;
        out.number(self.peak)?;
        out.number(self.frontier_peak)?;
        out.numbers(&self.reached)?;
        out.numbers(&self.levels)?;
        out.number(u64::from(self.finding.is_some()))?;
        if let Some(finding) = &self.finding {
            save_finding(finding, out)?;
        }
        out.number(u64::from(self.proof.is_some()))?;
        self.proof.as_ref().map_or(Ok(()), |proof| proof.save(out))
    }

    pub fn restore(input: &mut Decoder<'_>) -> io::Result<Self> {
        let seconds = |input: &mut Decoder<'_>| input.number().map(f64::from_bits);
        Ok(Past {
            tally: restore_tally(input)?,
            elapsed: Duration::from_nanos(input.number()?),
            split: TimeSplit {
                expand: seconds(input)?,
                canonicalise: seconds(input)?,
                store: seconds(input)?,
            },
            natively: input.number()?,
            peak: input.number()?,
            frontier_peak: input.number()?,
            reached: input.numbers()?,
            levels: input.numbers()?,
            finding: match input.flag()? {
                true => Some(restore_finding(input)?),
                false => None,
            },
            proof: match input.flag()? {
                true => Some(Proof::restore(input)?),
                false => None,
            },
        })
    }
}

impl Proof {
    fn save(&self, out: &mut Encoder<'_>) -> io::Result<()> {
        out.states(self.path.iter().copied())?;
        out.number(u64::from(self.at_start))?;
        out.number(self.nth as u64)
    }

    fn restore(input: &mut Decoder<'_>) -> io::Result<Self> {
        Ok(Proof {
            path: input.states()?,
            at_start: input.flag()?,
            nth: input.small()?,
        })
    }
}

fn save_finding(finding: &Finding, out: &mut Encoder<'_>) -> io::Result<()> {
    out.state(finding.state)?;
    out.bytes(&finding.packed)?;
    out.number(u64::from(finding.depth))?;
    out.number(finding.nth as u64)?;
    out.states(finding.path.iter().copied())
}

fn restore_finding(input: &mut Decoder<'_>) -> io::Result<Finding> {
    Ok(Finding {
        state: input.state()?,
        packed: input.bytes()?,
        depth: input.small()?,
        nth: input.small()?,
        path: input.states()?,
    })
}

fn save_tally(tally: &Tally, out: &mut Encoder<'_>) -> io::Result<()> {
    let numbers = [
        tally.taken,
        tally.expanded,
        tally.transitions,
        tally.violations,
        tally.not_canonical,
        u64::from(tally.depth),
        u64::from(tally.cut),
        tally.partly,
        tally.left_out,
    ];
    numbers.iter().try_for_each(|number| out.number(*number))
}

fn restore_tally(input: &mut Decoder<'_>) -> io::Result<Tally> {
    Ok(Tally {
        taken: input.number()?,
        expanded: input.number()?,
        transitions: input.number()?,
        violations: input.number()?,
        not_canonical: input.number()?,
        depth: input.small()?,
        cut: input.flag()?,
        partly: input.number()?,
        left_out: input.number()?,
    })
}

/// Writes down the numbers of shapes, which packed states begin with.
fn save_shapes(program: &Program, out: &mut Encoder<'_>) -> io::Result<()> {
    let shapes = program.shapes();
    out.number(shapes.len() as u64)?;
    shapes.iter().try_for_each(|(parent, template)| {
        out.number(u64::from(*parent))?;
        out.number(u64::from(template.0))
    })
}

/// Numbers the shapes of a program as they were numbered.
fn restore_shapes(program: &Program, input: &mut Decoder<'_>) -> io::Result<()> {
    let shapes: Vec<(u32, TemplateId)> =
        input.list(|input| Ok((input.small()?, TemplateId(input.small()?))))?;
    match program.recall_shapes(&shapes) {
        true => Ok(()),
        false => Err(damaged()),
    }
}

/// Writes down the states.
pub(crate) fn save_states(states: &States, out: &mut Encoder<'_>) -> io::Result<()> {
    let stutter: Vec<StateRef> = states.stutter().iter().copied().collect();
    out.states(stutter.into_iter())?;
    save_store(&states.visited, out)?;
    match &states.originals {
        Some(originals) => save_store(originals, out),
        None => Ok(()),
    }
}

/// Writes a store as a stream of its own, since whoever reads it may read ahead.
fn save_store(store: &StateStore, out: &mut Encoder<'_>) -> io::Result<()> {
    let mut blocks = BlockWriter::new(&mut *out.0);
    store.write_to(&mut blocks)?;
    blocks.finish().map(|_| ())
}

fn restore_store(input: &mut Decoder<'_>, options: &Options) -> io::Result<StateStore> {
    let limit = options.limits.memory.unwrap_or(usize::MAX);
    let mut blocks = BlockReader::new(&mut *input.0);
    let store = StateStore::read_from(&mut blocks, limit).map_err(|error| match error {
        CheckpointError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    })?;
    match blocks.is_complete()? && store.kind() == options.store {
        true => Ok(store),
        false => Err(damaged()),
    }
}

/// Reads the states of a search with these options.
fn restore_states(
    program: &Program,
    options: &Options,
    input: &mut Decoder<'_>,
) -> io::Result<States> {
    let stutter = input.states()?.into_iter().collect();
    let visited = restore_store(input, options)?;
    let originals = match options.expand {
        Expand::Originals => Some(restore_store(input, options)?),
        Expand::Representatives => None,
    };
    Ok(States::from_stores(
        visited,
        originals,
        program.open_turn(),
        stutter,
    ))
}

/// Writes down everything but what waits and the states.
pub(crate) fn save(
    shared: &Shared<'_>,
    past: &Past,
    notes: &[u8],
    out: &mut Encoder<'_>,
) -> io::Result<()> {
    past.save(out)?;
    save_shapes(shared.program, out)?;
    out.bytes(notes)
}

/// What must be the same when a search is taken up again, whatever the caller says.
pub(crate) fn kind(program: &Program, options: &Options) -> Vec<u8> {
    let steps = match program.leaves_out_steps() {
        true => "some steps",
        false => "all steps",
    };
    let kind = format!(
        "{:?} {:?} {:?} {steps}",
        options.order, options.expand, options.store
    );
    kind.into_bytes()
}

/// What a search begins with.
pub(crate) struct Beginning<F: Frontier> {
    pub past: Past,
    pub states: States,
    pub pool: F::Pool,
    /// What the reducer has to know.
    pub notes: Vec<u8>,
}

impl<F: Frontier> Beginning<F> {
    /// Nothing.
    pub fn new(program: &Program, options: &Options) -> Self {
        Beginning {
            past: Past::default(),
            states: States::new(options, program.open_turn()),
            pool: F::Pool::default(),
            notes: Vec::new(),
        }
    }

    /// What was written down; nothing if that was of another program.
    pub fn restore(
        program: &Program,
        options: &Options,
        input: &mut Decoder<'_>,
    ) -> io::Result<Option<Self>> {
        let past = Past::restore(input)?;
        let fits = program
            .interpreting_stepper()
            .coverage()
            .clone()
            .merge_words(&past.reached);
        restore_shapes(program, input)?;
        let notes = input.bytes()?;
        let pool = F::restore(input)?;
        let states = restore_states(program, options, input)?;
        Ok(fits.then_some(Beginning {
            past,
            states,
            pool,
            notes,
        }))
    }
}
