//! Snapshots: everything that a search knows between two batches, as a checkpoint keeps it.

use crate::checkpoint::blocks::{BlockReader, BlockWriter, damaged};
use crate::checkpoint::codec::{Decoder, Encoder};
use crate::findings::Cause;
use crate::frontier::Frontier;
use crate::monitor::Spent;
use crate::options::{Expansion, Options};
use crate::outcome::TimeSplit;
use crate::states::States;
use crate::tally::{Counterexample, Finding, Tally};
use mandala_encoding::Program;
use mandala_engine::ViolationCounts;
use mandala_model::ids::{PropertyId, TemplateId};
use mandala_model::step::Attribution;
use mandala_store::{CheckpointError, StateRef, StateStore};
use std::io;
use std::time::Duration;

/// What a search has found out so far, beside its states.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Snapshot {
    pub tally: Tally,
    pub spent: Spent,
    /// How many states native code has expanded.
    pub natively: u64,
    /// Which parts of the model were reached, as numbers.
    pub reached: Vec<u64>,
    /// How many states each level has, breadth first.
    pub levels: Vec<u64>,
    /// The least violation of each owner in the level at hand.
    pub findings: Vec<Finding>,
    /// The first violation of each owner in all that came before, in the order in which they were met.
    pub counterexamples: Vec<Counterexample>,
}

impl Snapshot {
    pub(crate) fn save(&self, out: &mut Encoder<'_>) -> io::Result<()> {
        save_tally(&self.tally, out)?;
        out.number(self.spent.elapsed.as_nanos() as u64)?;
        let split = [
            self.spent.split.expand,
            self.spent.split.canonicalise,
            self.spent.split.store,
        ];
        split
            .iter()
            .try_for_each(|part| out.number(part.to_bits()))?;
        out.number(self.natively)?;
        out.number(self.spent.peak)?;
        out.number(self.spent.frontier_peak)?;
        out.numbers(&self.reached)?;
        out.numbers(&self.levels)?;
        out.number(self.findings.len() as u64)?;
        let mut findings = self.findings.iter();
        findings.try_for_each(|finding| save_finding(finding, out))?;
        out.number(self.counterexamples.len() as u64)?;
        let mut shown = self.counterexamples.iter();
        shown.try_for_each(|shown| save_counterexample(shown, out))
    }

    pub(crate) fn restore(input: &mut Decoder<'_>) -> io::Result<Self> {
        let seconds = |input: &mut Decoder<'_>| input.number().map(f64::from_bits);
        let tally = restore_tally(input)?;
        let elapsed = Duration::from_nanos(input.number()?);
        let split = TimeSplit {
            expand: seconds(input)?,
            canonicalise: seconds(input)?,
            store: seconds(input)?,
        };
        Ok(Snapshot {
            tally,
            natively: input.number()?,
            spent: Spent {
                elapsed,
                split,
                peak: input.number()?,
                frontier_peak: input.number()?,
            },
            reached: input.numbers()?,
            levels: input.numbers()?,
            findings: input.list(restore_finding)?,
            counterexamples: input.list(restore_counterexample)?,
        })
    }
}

fn save_owner(owner: Attribution, out: &mut Encoder<'_>) -> io::Result<()> {
    let (kind, property) = match owner {
        Attribution::Search => (0, 0),
        Attribution::Evaluation(property) => (1, property.0),
        Attribution::Property(property) => (2, property.0),
    };
    out.number(kind)?;
    out.number(u64::from(property))
}

fn restore_owner(input: &mut Decoder<'_>) -> io::Result<Attribution> {
    let (kind, property) = (input.number()?, PropertyId(input.small()?));
    match kind {
        0 => Ok(Attribution::Search),
        1 => Ok(Attribution::Evaluation(property)),
        2 => Ok(Attribution::Property(property)),
        _ => Err(damaged()),
    }
}

fn save_cause(cause: Cause, out: &mut Encoder<'_>) -> io::Result<()> {
    save_owner(cause.owner, out)?;
    out.number(cause.origin)
}

fn restore_cause(input: &mut Decoder<'_>) -> io::Result<Cause> {
    Ok(Cause {
        owner: restore_owner(input)?,
        origin: input.number()?,
    })
}

fn save_counterexample(shown: &Counterexample, out: &mut Encoder<'_>) -> io::Result<()> {
    save_cause(shown.cause, out)?;
    out.states(shown.path.iter().copied())?;
    out.number(u64::from(shown.at_start))?;
    out.number(shown.nth as u64)
}

fn restore_counterexample(input: &mut Decoder<'_>) -> io::Result<Counterexample> {
    Ok(Counterexample {
        cause: restore_cause(input)?,
        path: input.states()?,
        at_start: input.flag()?,
        nth: input.small()?,
    })
}

fn save_finding(finding: &Finding, out: &mut Encoder<'_>) -> io::Result<()> {
    save_cause(finding.cause, out)?;
    out.state(finding.state)?;
    out.bytes(&finding.packed)?;
    out.number(u64::from(finding.depth))?;
    out.number(finding.nth as u64)?;
    out.states(finding.path.iter().copied())
}

fn restore_finding(input: &mut Decoder<'_>) -> io::Result<Finding> {
    Ok(Finding {
        cause: restore_cause(input)?,
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
        tally.fired,
        tally.not_canonical,
        u64::from(tally.depth),
        u64::from(tally.cut),
        tally.reduced,
        tally.omitted,
    ];
    numbers.iter().try_for_each(|number| out.number(*number))?;
    save_violations(&tally.violations, out)
}

fn save_violations(counts: &ViolationCounts, out: &mut Encoder<'_>) -> io::Result<()> {
    out.number(counts.owners() as u64)?;
    counts.iter().try_for_each(|(owner, number)| {
        save_owner(owner, out)?;
        out.number(number)
    })
}

fn restore_violations(input: &mut Decoder<'_>) -> io::Result<ViolationCounts> {
    let listed = input.list(|input| Ok((restore_owner(input)?, input.number()?)))?;
    let mut counts = ViolationCounts::default();
    for (owner, number) in listed {
        counts.note(owner, number);
    }
    Ok(counts)
}

fn restore_tally(input: &mut Decoder<'_>) -> io::Result<Tally> {
    Ok(Tally {
        taken: input.number()?,
        expanded: input.number()?,
        transitions: input.number()?,
        fired: input.number()?,
        not_canonical: input.number()?,
        depth: input.small()?,
        cut: input.flag()?,
        reduced: input.number()?,
        omitted: input.number()?,
        violations: restore_violations(input)?,
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

/// Writes a store as a stream of its own, since its reader may read ahead.
fn save_store(store: &StateStore, out: &mut Encoder<'_>) -> io::Result<()> {
    let mut blocks = BlockWriter::new(&mut *out.0);
    store.write_to(&mut blocks)?;
    blocks.finish().map(|_| ())
}

fn restore_store(input: &mut Decoder<'_>, options: &Options) -> io::Result<StateStore> {
    let limit = options.memory();
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
        Expansion::Originals => Some(restore_store(input, options)?),
        Expansion::Representatives => None,
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
    program: &Program,
    snapshot: &Snapshot,
    notes: &[u8],
    out: &mut Encoder<'_>,
) -> io::Result<()> {
    snapshot.save(out)?;
    save_shapes(program, out)?;
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
    pub snapshot: Snapshot,
    pub states: States,
    pub pool: F::Pool,
    /// What the reducer has to know.
    pub notes: Vec<u8>,
}

impl<F: Frontier> Beginning<F> {
    /// Nothing.
    pub(crate) fn new(program: &Program, options: &Options) -> Self {
        Beginning {
            snapshot: Snapshot::default(),
            states: States::new(options, program.open_turn()),
            pool: F::Pool::default(),
            notes: Vec::new(),
        }
    }

    /// What was written down; nothing if that was of another program.
    pub(crate) fn restore(
        program: &Program,
        options: &Options,
        input: &mut Decoder<'_>,
    ) -> io::Result<Option<Self>> {
        let snapshot = Snapshot::restore(input)?;
        let fits = program
            .interpreting_stepper()
            .coverage()
            .clone()
            .merge_words(&snapshot.reached);
        restore_shapes(program, input)?;
        let notes = input.bytes()?;
        let pool = F::restore(input)?;
        let states = restore_states(program, options, input)?;
        Ok(fits.then_some(Beginning {
            snapshot,
            states,
            pool,
            notes,
        }))
    }
}
