//! Successors that have been told and not been looked up yet.

use crate::meter::{Activity, Lap, Meter};
use crate::options::Cycles;
use crate::outcome::Limit;
use crate::reducer::Reducer;
use crate::shared::Shared;
use crate::states::Access;
use crate::watch::Overseer;
use mandala_encoding::{Arrival, Sink};
use mandala_model::step::{Turn, Violation};
use mandala_store::{Prepared, StoreFull, Tree};

/// Successors in the order in which they were told.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub entries: Vec<Entry>,
    /// The states as they were met, one after the other, if those are kept.
    pub originals: Vec<u8>,
}

/// A successor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub prepared: Prepared,
    /// Whether all states of its orbit have this representative.
    pub canonical: bool,
    /// Whether the system stands still.
    pub stutters: bool,
    /// Whether it is an accepting state, if that matters.
    pub accepting: bool,
    /// Where the state as it was met ends in [`Batch::originals`].
    pub original_end: u32,
}

impl Batch {
    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.originals.capacity()
    }

    /// Forgets everything. A buffer that has become large is given up.
    #[inline]
    pub fn clear(&mut self) {
        self.entries.clear();
        self.entries.shrink_to(LARGE);
        self.originals.clear();
        self.originals.shrink_to(LARGE);
    }

    /// Forgets all but the first entries.
    pub fn truncate(&mut self, entries: usize) {
        self.entries.truncate(entries);
        let end = self.entries.last().map_or(0, |e| e.original_end);
        self.originals.truncate(end as usize);
    }
}

/// What one worker gathers successors with.
pub(crate) struct Gatherer<R> {
    pub reducer: R,
    /// How long its activities take.
    pub meter: Meter,
    /// The state that is expanded, if the store knows its parts.
    pub tree: Tree,
    pub batch: Batch,
}

impl<R: Reducer> Gatherer<R> {
    pub fn new(reducer: R) -> Self {
        Gatherer {
            meter: Meter::new(!reducer.is_trivial()),
            reducer,
            tree: Tree::default(),
            batch: Batch::default(),
        }
    }

    /// Where the successors of the state that is expanded go, and that state.
    #[inline]
    pub fn arrivals<'a, 's, 'p>(
        &'a mut self,
        shared: &'a Shared<'p>,
        access: &'a mut Access<'s>,
        overseer: &'a mut dyn Overseer,
        wrong: &'a mut Vec<Violation>,
        lap: Option<Lap>,
    ) -> (Arrivals<'a, 's, 'p, R>, &'a [u8]) {
        let arrivals = Arrivals {
            shared,
            access,
            near: &self.tree,
            reducer: &mut self.reducer,
            meter: &mut self.meter,
            lap,
            batch: &mut self.batch,
            overseer,
            wrong,
            limit: None,
            asked: 0,
            cut_short: false,
            abandoned: 0,
        };
        (arrivals, self.tree.bytes())
    }
}

/// A buffer with room for more than this is large.
const LARGE: usize = 1 << 16;

/// An expansion that has asked more often than this whether to go on is given up once there is a violation elsewhere.
const PATIENCE: u32 = 64;

/// Where the successors of one state go.
pub(crate) struct Arrivals<'a, 's, 'p, R> {
    pub shared: &'a Shared<'p>,
    pub access: &'a mut Access<'s>,
    pub near: &'a Tree,
    pub reducer: &'a mut R,
    pub meter: &'a mut Meter,
    pub lap: Option<Lap>,
    pub batch: &'a mut Batch,
    pub overseer: &'a mut dyn Overseer,
    pub wrong: &'a mut Vec<Violation>,
    pub limit: Option<Limit>,
    /// How often it was asked whether to go on.
    pub asked: u32,
    /// Whether a successor was left out, because the search is over.
    pub cut_short: bool,
    /// How many steps had no state after them, and nothing was wrong with that.
    pub abandoned: u64,
}

impl<R: Reducer> Arrivals<'_, '_, '_, R> {
    /// Finds the representative of an arrival and its place in the store.
    #[inline]
    fn accept(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) -> Result<(), StoreFull> {
        let accepting = self.shared.options.cycles != Cycles::Ignore && arrival.is_accepting();
        let representative = self.reducer.representative(arrival)?;
        let canonical = representative.canonical;
        if let Some(lap) = &mut self.lap {
            self.meter.watch(lap);
        }
        let visited = &mut self.access.visited;
        let prepared = visited.prepare(representative.packed, self.near)?;
        if self.shared.states.originals.is_some() {
            self.batch.originals.extend_from_slice(arrival.packed());
        }
        self.batch.entries.push(Entry {
            prepared,
            canonical,
            stutters: turn == Turn::Stutter,
            accepting,
            original_end: self.batch.originals.len() as u32,
        });
        Ok(())
    }

    /// Whether the search must end here. Where finding representatives takes long, that is asked for every one of them.
    #[inline]
    fn is_over(&mut self) -> bool {
        self.limit.is_some() || (self.meter.is_slow() && !self.look(0))
    }

    /// Whether the search goes on. Others may have to wait for the store meanwhile, and this may take long.
    fn look(&mut self, held: usize) -> bool {
        self.asked += 1;
        self.access.release();
        self.overseer.look(held + self.batch.bytes())
    }

    /// Whether there is a violation here or elsewhere that makes it pointless to go on with a step that takes long.
    fn is_pointless(&self) -> bool {
        let elsewhere = self.asked > PATIENCE && self.shared.signals.is_violated();
        elsewhere || self.shared.is_satisfied_by(self.wrong)
    }
}

impl<R: Reducer> Sink for Arrivals<'_, '_, '_, R> {
    #[inline]
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        if let Some(lap) = &mut self.lap {
            lap.mark(Activity::Expand);
        }
        if self.is_over() {
            self.cut_short = true;
            return;
        }
        if let Err(full) = self.accept(arrival, turn) {
            self.limit = Some(limit_of(full));
        }
        if let Some(lap) = &mut self.lap {
            lap.mark(Activity::Store);
        }
    }

    fn violation(&mut self, violation: Violation) {
        self.wrong.push(violation);
    }

    fn abandoned(&mut self) {
        self.abandoned += 1;
    }

    fn keep_going(&mut self, held: usize) -> bool {
        self.look(held) && self.limit.is_none() && !self.is_pointless()
    }
}

/// Why nothing more can be remembered.
pub(crate) fn limit_of(full: StoreFull) -> Limit {
    match full {
        StoreFull::Memory => Limit::Memory,
        StoreFull::Ids => Limit::StateNumbers,
        StoreFull::Length => Limit::StateSize,
    }
}
