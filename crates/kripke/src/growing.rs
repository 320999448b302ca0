//! Graphs that are written down while they are searched.

use crate::bits::Bits;
use crate::error::KripkeError;
use crate::label::{Actor, Label};
use crate::structure::{Structure, StructureBuilder};
use std::collections::HashMap;
use std::ops::Range;

/// So many actors there can be: each has a bit.
pub const MOST_ACTORS: u32 = u64::BITS - 1;

/// The bits of all actors.
pub(crate) const EVERYBODY: u64 = (1 << MOST_ACTORS) - 1;

/// What a step says about actors, a bit each: who takes part, and who is seen by it to be enabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Acts {
    /// Who takes part.
    pub acting: u64,
    /// Who is seen to be enabled.
    pub offered: u64,
}

/// A graph of which some nodes are known by number alone: what follows them will be written down when somebody wants to know it.
///
/// As in a [`Structure`], a node that nothing follows repeats for ever. Names of actors do not change. An edge takes four bytes, or six if
/// it says who acts; a node takes eight, or sixteen, and a bit for each proposition.
#[derive(Debug)]
pub struct Growing {
    starts: Vec<u32>,
    /// Where the edges of each node are; [`UNKNOWN`] if that is not known.
    spans: Vec<Range<u32>>,
    targets: Vec<u32>,
    propositions: usize,
    rows: Bits,
    /// Nothing if nobody cares who acts.
    cast: Option<Cast>,
}

/// Where the edges of a node begin that have not been written down.
const UNKNOWN: u32 = u32::MAX;

/// Who acts.
#[derive(Debug, Default)]
struct Cast {
    /// The number of what each edge says.
    labels: Vec<u16>,
    /// For each node, who is not enabled there.
    disabled: Vec<u64>,
    all: Vec<Acts>,
    numbers: HashMap<Acts, u16>,
    /// What was said last, and its number: it is often said again.
    last: Option<(Acts, u16)>,
}

impl Cast {
    /// The number of what an edge says; the next one if it is new.
    fn number(&mut self, acts: Acts) -> Result<u16, KripkeError> {
        if let Some((last, number)) = self.last
            && last == acts
        {
            return Ok(number);
        }
        let next = self.all.len();
        let number = match self.numbers.get(&acts) {
            Some(&known) => known,
            None => u16::try_from(next).map_err(|_| KripkeError::TooLarge)?,
        };
        if usize::from(number) == next {
            self.all.push(acts);
            self.numbers.insert(acts, number);
        }
        self.last = Some((acts, number));
        Ok(number)
    }

    fn acts(&self, edge: u32) -> Acts {
        self.all[usize::from(self.labels[edge as usize])]
    }
}

impl Growing {
    /// Nothing yet. If nobody cares who acts, what is said about that is forgotten.
    #[must_use]
    pub fn new(propositions: usize, has_actors: bool) -> Growing {
        Growing {
            starts: Vec::new(),
            spans: Vec::new(),
            targets: Vec::new(),
            propositions,
            rows: Bits::default(),
            cast: has_actors.then(Cast::default),
        }
    }

    /// A node that is known by number alone.
    ///
    /// # Errors
    /// When there are too many.
    pub fn node(&mut self) -> Result<u32, KripkeError> {
        let number = u32::try_from(self.spans.len()).map_err(|_| KripkeError::TooLarge)?;
        self.spans.push(UNKNOWN..UNKNOWN);
        if let Some(cast) = &mut self.cast {
            cast.disabled.push(EVERYBODY);
        }
        Ok(number)
    }

    /// Says that runs begin in a node.
    pub fn start(&mut self, node: u32) {
        self.starts.push(node);
    }

    /// Adds an edge to the node that is being described.
    ///
    /// # Errors
    /// When there are too many edges, or they say too many different things.
    pub fn edge(&mut self, target: u32, acts: Acts) -> Result<(), KripkeError> {
        if self.targets.len() >= UNKNOWN as usize - 1 {
            return Err(KripkeError::TooLarge);
        }
        if let Some(cast) = &mut self.cast {
            let number = cast.number(acts)?;
            cast.labels.push(number);
        }
        self.targets.push(target);
        Ok(())
    }

    /// Ends the description of a node, in which these propositions hold: the edges added since the last one ended are its own.
    ///
    /// # Errors
    /// When a proposition is unknown.
    pub fn close(&mut self, node: u32, begin: u32, holding: &[u32]) -> Result<(), KripkeError> {
        let row = node as usize * self.propositions;
        self.rows.lengthen(self.spans.len() * self.propositions);
        for &proposition in holding {
            if proposition as usize >= self.propositions {
                return Err(KripkeError::UnknownProposition(proposition));
            }
            self.rows.insert(row + proposition as usize);
        }
        let edges = begin..self.targets.len() as u32;
        if let Some(cast) = &mut self.cast {
            let offered = edges
                .clone()
                .fold(0, |all, edge| all | cast.acts(edge).offered);
            cast.disabled[node as usize] = EVERYBODY & !offered;
        }
        self.spans[node as usize] = edges;
        Ok(())
    }

    /// The number of propositions.
    pub(crate) fn propositions(&self) -> usize {
        self.propositions
    }

    /// The number of nodes, known by number alone or not.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.spans.len()
    }

    /// The number of edges so far, which is that of the next one.
    #[must_use]
    pub fn edges(&self) -> u32 {
        self.targets.len() as u32
    }

    /// Whether it is known what follows a node.
    #[must_use]
    pub fn is_unfolded(&self, node: u32) -> bool {
        self.spans[node as usize].start != UNKNOWN
    }

    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }

    pub(crate) fn span(&self, node: u32) -> Range<u32> {
        self.spans[node as usize].clone()
    }

    pub(crate) fn target(&self, edge: u32) -> u32 {
        self.targets[edge as usize]
    }

    pub(crate) fn holds(&self, proposition: u32, node: u32) -> bool {
        self.rows
            .has(node as usize * self.propositions + proposition as usize)
    }

    /// Who gets by a step what weak fairness promises: those who are not enabled before it, and those who take part.
    pub(crate) fn served(&self, node: u32, edge: Option<u32>) -> u64 {
        match (&self.cast, edge) {
            (Some(cast), Some(edge)) => cast.disabled[node as usize] | cast.acts(edge).acting,
            _ => EVERYBODY,
        }
    }

    /// What is known by now as a structure, and the nodes of which more is known than the number. The numbers of nodes stay the same, and so does
    /// the order of the edges of a node.
    ///
    /// # Errors
    /// When a start or a target is not among the nodes.
    pub fn structure(&self) -> Result<(Structure, Bits), KripkeError> {
        let mut builder = StructureBuilder::new(self.propositions, self.actors())?;
        let labels = self.labels(&mut builder)?;
        let mut unfolded = Bits::none(self.nodes());
        self.starts.iter().for_each(|&start| builder.start(start));
        for node in 0..self.nodes() as u32 {
            let all = 0..self.propositions as u32;
            let holding: Vec<u32> = all.filter(|&number| self.holds(number, node)).collect();
            if self.is_unfolded(node) {
                unfolded.insert(node as usize);
                for edge in self.span(node) {
                    let label = match &self.cast {
                        Some(cast) => usize::from(cast.labels[edge as usize]),
                        None => 0,
                    };
                    builder.edge(self.target(edge), labels[label])?;
                }
            }
            builder.close(&holding)?;
        }
        Ok((builder.finish()?, unfolded))
    }

    /// The number of actors of which something was said.
    fn actors(&self) -> usize {
        let all = self.cast.iter().flat_map(|cast| &cast.all);
        let mentioned = all.fold(0, |all, acts| all | acts.acting | acts.offered);
        (u64::BITS - mentioned.leading_zeros()) as usize
    }

    /// The labels of all that edges say.
    fn labels(&self, builder: &mut StructureBuilder) -> Result<Vec<u32>, KripkeError> {
        match &self.cast {
            None => Ok(vec![builder.label(Label::default())?]),
            Some(cast) => {
                let all = cast.all.iter();
                let labels = all.map(|acts| Label::new(&names(acts.acting), &names(acts.offered)));
                labels.map(|label| builder.label(label)).collect()
            }
        }
    }

    /// How much memory it takes so far.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let acting = self.cast.as_ref().map_or(0, |cast| {
            cast.labels.capacity() * size_of::<u16>() + cast.disabled.capacity() * size_of::<u64>()
        });
        self.spans.capacity() * size_of::<Range<u32>>()
            + self.targets.capacity() * size_of::<u32>()
            + self.rows.bytes()
            + acting
    }
}

/// The actors of some bits.
fn names(bits: u64) -> Vec<Actor> {
    let all = 0..u64::BITS as Actor;
    all.filter(|actor| bits >> actor & 1 == 1).collect()
}
