//! The steps between states, written down by the workers of a search while they make them.
//!
//! # When
//!
//! If questions will be asked about the graph of all states, and neither who makes a step nor what becomes of names along it matters to them, then everything that the graph is made of comes up
//! during the search. To visit the states once more took longer than the search itself: German's protocol with 6 caches, 1.25 s for the search and
//! 1.6 s for the graph. So each worker keeps a log of the states that it expands, and the graph is put together from all logs.
//!
//! The logs are given up, and the states visited once more if that is still of use, if there is a violation, if half of the memory that is allowed is in use,
//! or if it cannot be told whether a proposition holds. A search that writes checkpoints keeps none, and neither does one that leaves steps out, in which a
//! claim runs along, whose store is not exact or that expands states as they were met.
//!
//! # The same graph
//!
//! Nodes are numbered breadth first from the start, and the successors of a state are in the order in which the stepper tells them. That depends neither on the order of
//! the search nor on which worker has expanded what, so the graph is that which a second visit gives, edge for edge.
//!
//! # Memory
//!
//! A step that was made takes ten bytes, a state eighteen and eight for each 64 propositions; while the graph is made, in addition to what that takes.

use super::propositions::{Look, Watch};
use super::{Graph, STRANGER, Turns, Unfinished, go_on};
use crate::expander::Expander;
use crate::handles::{Handles, NUMBERED_BYTES, Numbers, push};
use crate::monitor::Monitor;
use crate::options::Options;
use crate::replay::Selection;
use crate::shared::Shared;
use mandala_encoding::Stepper;
use mandala_kripke::{KripkeError, Label, StructureBuilder};
use mandala_reduce::Reducer;
use mandala_store::StateRef;
use std::hash::BuildHasherDefault;
use std::ops::Range;

/// How many bits are in a word.
const WORD: usize = u64::BITS as usize;

/// Between so many states of a graph that is made of logs, the limits are checked.
const PATROL: usize = 1 << 14;

/// What one worker has written down.
#[derive(Clone, Debug)]
pub(crate) struct StepLog<'a> {
    watch: Watch<'a>,
    /// The states that runs start in, in the log of the worker that found them.
    starts: Handles,
    /// The states that were expanded.
    states: Handles,
    /// Where the successors of each end.
    ends: Vec<u64>,
    successors: Handles,
    /// The propositions that hold in each, a bit each.
    rows: Vec<u64>,
    /// Whether moves that twins have in common were made once, a bit for each state.
    once: Vec<u64>,
}

impl<'a> StepLog<'a> {
    pub(crate) fn new(options: &'a Options) -> Self {
        StepLog {
            watch: Watch::new(&options.propositions),
            starts: Handles::default(),
            states: Handles::default(),
            ends: Vec::new(),
            successors: Handles::default(),
            rows: Vec::new(),
            once: Vec::new(),
        }
    }

    /// A run starts in a state.
    pub(crate) fn start(&mut self, state: StateRef) {
        self.starts.push(state);
    }

    /// A state is about to be expanded.
    #[inline]
    pub(crate) fn begin(&mut self, stepper: &Stepper<'_>) {
        self.watch.begin(stepper);
    }

    /// A state was expanded and has so many successors, which will be met. False if it cannot be told what holds in it; then the log is of no use.
    pub(crate) fn expanded<R: Reducer>(
        &mut self,
        state: StateRef,
        successors: usize,
        expander: &mut Expander<'_, R>,
    ) -> bool {
        let look = Look {
            accepting: false,
            // Without a claim, what stutters goes on for ever.
            goes_on: true,
            moves: successors > 0,
        };
        self.note_firing(expander.stepper().fires_once());
        let first = self.rows.len();
        let words = self.watch.propositions().div_ceil(WORD);
        (0..words).for_each(|_| push(&mut self.rows, 0));
        let Ok(holding) = self.watch.holding(expander, look) else {
            return false;
        };
        for proposition in holding {
            let place = *proposition as usize;
            self.rows[first + place / WORD] |= 1 << (place % WORD);
        }
        let end = self.ends.last().copied().unwrap_or(0) + successors as u64;
        push(&mut self.ends, end);
        self.states.push(state);
        true
    }

    /// Notes whether the moves of the next state were made once.
    fn note_firing(&mut self, once: bool) {
        let place = self.states.len();
        if place.is_multiple_of(WORD) {
            push(&mut self.once, 0);
        }
        self.once[place / WORD] |= u64::from(once) << (place % WORD);
    }

    /// A successor was met, in the order in which they were told.
    #[inline]
    pub(crate) fn met(&mut self, state: StateRef) {
        self.successors.push(state);
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let handles = [&self.starts, &self.states, &self.successors];
        let words = self.ends.capacity() + self.rows.capacity() + self.once.capacity();
        handles.iter().map(|list| list.bytes()).sum::<usize>() + words * size_of::<u64>()
    }

    fn fired_once(&self, place: usize) -> bool {
        self.once[place / WORD] >> (place % WORD) & 1 == 1
    }

    /// Where the successors of a state are.
    fn successors_of(&self, place: usize) -> Range<usize> {
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        begin as usize..self.ends[place] as usize
    }

    /// The propositions that hold in a state.
    fn holding(&self, place: usize) -> impl Iterator<Item = u32> {
        let count = self.watch.propositions();
        let first = place * count.div_ceil(WORD);
        let holds =
            move |number: &usize| self.rows[first + number / WORD] >> (number % WORD) & 1 == 1;
        (0..count).filter(holds).map(|number| number as u32)
    }
}

/// Makes the graph that all logs together tell of.
pub(crate) fn graph(
    logs: &[StepLog<'_>],
    shared: &Shared<'_>,
    monitor: &mut dyn Monitor,
) -> Result<Graph, Unfinished> {
    let mut assembly = Assembly::new(logs, shared)?;
    for start in logs.iter().flat_map(|log| log.starts.iter()) {
        let number = assembly.number(start)?;
        assembly.builder.start(number);
    }
    let mut next = 0;
    while let Some(&place) = assembly.order.get(next) {
        if next.is_multiple_of(PATROL) {
            monitor.check(assembly.bytes());
            go_on(shared)?;
        }
        assembly.describe(place)?;
        next += 1;
    }
    assembly.finish()
}

/// The number of a state that has none yet.
const UNKNOWN: u32 = u32::MAX;

/// A graph that is put together from logs.
struct Assembly<'l, 'a> {
    logs: &'l [StepLog<'a>],
    /// The first place of each log, the places of all being numbered one after the other.
    firsts: Vec<u32>,
    places: Numbers,
    /// By place, the number of the state.
    numbers: Vec<u32>,
    /// By number, the place of the state.
    order: Vec<u32>,
    builder: StructureBuilder,
    /// The number of the label without actors.
    plain: u32,
    holding: Vec<u32>,
}

impl<'l, 'a> Assembly<'l, 'a> {
    fn new(logs: &'l [StepLog<'a>], shared: &Shared<'_>) -> Result<Self, Unfinished> {
        let count: usize = logs.iter().map(|log| log.states.len()).sum();
        u32::try_from(count).map_err(|_| KripkeError::TooLarge)?;
        let mut builder = StructureBuilder::new(shared.options.propositions.len(), 0)?;
        let mut assembly = Assembly {
            logs,
            firsts: Vec::new(),
            places: Numbers::with_capacity_and_hasher(count, BuildHasherDefault::default()),
            numbers: vec![UNKNOWN; count],
            order: Vec::with_capacity(count),
            plain: builder.label(Label::default())?,
            builder,
            holding: Vec::new(),
        };
        for log in logs {
            let first = assembly.places.len() as u32;
            assembly.firsts.push(first);
            assembly.places.extend(log.states.iter().zip(first..));
        }
        Ok(assembly)
    }

    /// The number of a state, the next one if it is new.
    #[inline]
    fn number(&mut self, state: StateRef) -> Result<u32, Unfinished> {
        let place = *self.places.get(&state).ok_or(STRANGER)?;
        let number = &mut self.numbers[place as usize];
        if *number == UNKNOWN {
            *number = self.order.len() as u32;
            self.order.push(place);
        }
        Ok(*number)
    }

    /// The log that a place is in, and which it is there.
    fn find(&self, place: u32) -> (&'l StepLog<'a>, usize) {
        let log = self.firsts.partition_point(|first| *first <= place) - 1;
        (&self.logs[log], (place - self.firsts[log]) as usize)
    }

    /// Adds the node that is next.
    fn describe(&mut self, place: u32) -> Result<(), Unfinished> {
        let (log, place) = self.find(place);
        for successor in log.successors_of(place) {
            let number = self.number(log.successors.get(successor))?;
            self.builder.edge(number, self.plain)?;
        }
        self.holding.clear();
        self.holding.extend(log.holding(place));
        self.builder.close(&self.holding)?;
        Ok(())
    }

    fn finish(self) -> Result<Graph, Unfinished> {
        let places = self.order.iter().map(|place| self.find(*place));
        let places: Vec<_> = places.collect();
        let selection = |(log, place): &(&StepLog<'_>, usize)| Selection {
            ample: false,
            once: log.fired_once(*place),
        };
        Ok(Graph {
            states: places.iter().map(|(log, at)| log.states.get(*at)).collect(),
            selections: places.iter().map(selection).collect(),
            structure: self.builder.finish()?,
            turns: Turns::default(),
        })
    }

    fn bytes(&self) -> usize {
        let numbers = self.numbers.capacity() + self.order.capacity();
        self.places.capacity() * NUMBERED_BYTES + numbers * size_of::<u32>() + self.builder.bytes()
    }
}
