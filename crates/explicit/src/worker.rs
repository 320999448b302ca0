//! The loop, as one worker runs it.

use crate::batch::{Arrivals, Entry, Gatherer, limit_of};
use crate::frontier::{Frontier, Wait};
use crate::meter::Activity;
use crate::options::OnViolation;
use crate::outcome::Limit;
use crate::past::Past;
use crate::reducer::Reducer;
use crate::shared::{Desk, Shared};
use crate::states::{Access, Share};
use crate::watch::Overseer;
use mandala_encoding::{Expanded, Incomplete, Stepper};
use mandala_model::step::Violation;
use mandala_store::{Arrived, StateRef, StoreFull};
use std::cmp::Ordering as Order;
use std::sync::atomic::Ordering;

/// How many states are expanded between looks at the clock and calls of the observer.
const PATROL: u32 = 512;

/// The store tells so many depths apart.
const DISTINCT_DEPTHS: u32 = 255;

/// To arrive at the start counts as one transition, whatever comes of it.
pub(crate) const START: u64 = 1;

/// Somebody who searches.
pub(crate) struct Worker<'p, F, R> {
    pub number: usize,
    pub stepper: Stepper<'p>,
    pub gatherer: Gatherer<R>,
    pub frontier: F,
    pub tally: Tally,
    pub finding: Option<Finding>,
    /// The depth of the successors in the batch.
    batch_depth: u32,
    /// The state at the end of the batch, if steps of it have been left out.
    partly: Option<Partly>,
    wrong: Vec<Violation>,
    /// How many states were expanded since the last look.
    since_look: u32,
}

/// What a worker has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// States that were taken from the frontier.
    pub taken: u64,
    /// Those of them that were expanded: not too deep.
    pub expanded: u64,
    pub transitions: u64,
    pub violations: u64,
    /// Remembered states that may not be the only representatives of their orbits.
    pub not_canonical: u64,
    /// The depth of the deepest state that was taken.
    pub depth: u32,
    /// Whether some state was too deep to be expanded.
    pub cut: bool,
    /// States that were not expanded fully.
    pub partly: u64,
    /// First moves of steps from those that were left out.
    pub left_out: u64,
}

impl Tally {
    /// Counts what another worker has counted as well.
    pub fn add(&mut self, other: &Tally) {
        self.taken += other.taken;
        self.expanded += other.expanded;
        self.transitions += other.transitions;
        self.violations += other.violations;
        self.not_canonical += other.not_canonical;
        self.depth = self.depth.max(other.depth);
        self.cut |= other.cut;
        self.partly += other.partly;
        self.left_out += other.left_out;
    }
}

/// A state that has not been expanded fully.
#[derive(Clone, Copy, Debug)]
struct Partly {
    state: StateRef,
    depth: u32,
    /// Where its successors begin in the batch.
    first: usize,
    left_out: u32,
    /// How many of its steps have no state after them.
    abandoned: u64,
}

/// Whether steps of a state may stay left out, as so many of its successors lead on. Where runs are kept, all have to.
fn is_enough(shared: &Shared<'_>, leading: usize, successors: usize) -> bool {
    let least = match shared.program.keeps_runs() {
        true => successors,
        false => 1,
    };
    leading >= least.max(1)
}

/// A state in which, or in a step from which, something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub state: StateRef,
    pub packed: Vec<u8>,
    pub depth: u32,
    /// Which of the violations that are told for the state.
    pub nth: usize,
    /// The states from the start to this one, if the frontier knows them.
    pub path: Vec<StateRef>,
}

impl<'p, F: Frontier, R: Reducer> Worker<'p, F, R> {
    pub fn new(shared: &Shared<'p>, number: usize, reducer: R) -> Self {
        Worker {
            number,
            stepper: shared.stepper(),
            gatherer: Gatherer::new(reducer),
            frontier: F::default(),
            tally: Tally::default(),
            finding: None,
            batch_depth: 0,
            partly: None,
            wrong: Vec::new(),
            since_look: 0,
        }
    }

    /// Goes on where a search had got to.
    pub fn resume(&mut self, past: &Past, shared: &Shared<'p>) {
        self.tally = past.tally;
        self.finding = past.finding.clone();
        if self.finding.is_some() && shared.options.on_violation == OnViolation::Stop {
            shared.signals.note_violation();
        }
        self.report(shared);
    }

    /// Searches until nothing is left for this worker or everybody is to stop.
    pub fn work(&mut self, shared: &Shared<'p>, pool: &F::Pool, overseer: &mut dyn Overseer) {
        let mut access = shared.states.access();
        while shared.signals.is_running() {
            if self.fill(shared, pool, &mut access, overseer) {
                if let Some(idle) = self.settle(shared, pool, &mut access) {
                    self.make_up(shared, idle, &mut access, overseer);
                    self.settle(shared, pool, &mut access);
                }
                self.frontier.share(pool);
                self.patrol(shared, &mut access, overseer);
                continue;
            }
            access.release();
            if self.frontier.wait(pool, overseer) == Wait::Over {
                break;
            }
        }
        self.frontier.surrender(pool);
        self.report(shared);
    }

    /// Expands states until there are enough successors to be looked up together. False if there was nothing to do.
    #[inline]
    fn fill(
        &mut self,
        shared: &Shared<'p>,
        pool: &F::Pool,
        access: &mut Access<'_>,
        overseer: &mut dyn Overseer,
    ) -> bool {
        let deepest = shared.options.limits.depth.unwrap_or(u32::MAX);
        let mut busy = false;
        while let Some((state, depth)) = self.frontier.next(pool) {
            busy = true;
            if let Some(ahead) = self.frontier.ahead() {
                access.anticipate(ahead);
            }
            self.tally.taken += 1;
            self.tally.depth = self.tally.depth.max(depth);
            self.since_look += 1;
            if depth >= deepest {
                self.tally.cut = true;
            } else {
                self.expand(shared, (state, depth), Share::Part, access, overseer);
            }
            let full = F::is_enough(self.gatherer.batch.entries.len()) || self.since_look >= PATROL;
            let enough = full || self.partly.is_some();
            if enough || !shared.signals.is_running() {
                break;
            }
        }
        busy
    }

    /// Expands one state.
    #[inline]
    fn expand(
        &mut self,
        shared: &Shared<'p>,
        (state, depth): (StateRef, u32),
        share: Share,
        access: &mut Access<'_>,
        overseer: &mut dyn Overseer,
    ) {
        let mut lap = self.gatherer.meter.begin();
        access.load(state, &mut self.gatherer.tree);
        if let Some(lap) = &mut lap {
            lap.mark(Activity::Store);
        }
        let turn = shared.states.turn(state);
        self.batch_depth = depth + 1;
        let first = self.gatherer.batch.entries.len();
        let (mut arrivals, packed) =
            self.gatherer
                .arrivals(shared, access, overseer, &mut self.wrong, lap);
        let done = match share {
            Share::Part => self.stepper.expand_some(packed, turn, &mut arrivals),
            Share::Whole => {
                let done = self.stepper.expand(packed, turn, &mut arrivals);
                done.map(|()| Expanded::Fully)
            }
        };
        let Arrivals {
            lap,
            limit,
            cut_short,
            abandoned,
            ..
        } = arrivals;
        let whole = if cut_short {
            Err(Incomplete::Stopped)
        } else {
            Ok(())
        };
        self.gatherer.meter.end(lap);
        self.tally.expanded += 1;
        self.tally.transitions += abandoned;
        if let Ok(Expanded::Partly { left_out, safe }) = done {
            let partly = Partly {
                state,
                depth,
                first,
                left_out,
                abandoned,
            };
            if !self.wrong.is_empty() {
                // Which violation it was is counted among all of the state.
                self.wrong.clear();
                return self.make_up(shared, partly, access, overseer);
            }
            match safe {
                true => self.count_partly(partly),
                false => self.partly = Some(partly),
            }
        }
        let done = done.and(whole);
        if !self.wrong.is_empty() || limit.is_some() || done.is_err() {
            self.mishap(shared, (state, depth), (first, abandoned), limit, done);
        }
    }

    /// Expands a state fully after all. Its successors are the last ones of the batch, or the batch is empty.
    fn make_up(
        &mut self,
        shared: &Shared<'p>,
        partly: Partly,
        access: &mut Access<'_>,
        overseer: &mut dyn Overseer,
    ) {
        let state = (partly.state, partly.depth);
        self.gatherer.batch.truncate(partly.first);
        self.tally.expanded -= 1;
        self.tally.transitions -= partly.abandoned;
        self.expand(shared, state, Share::Whole, access, overseer);
    }

    /// Something was wrong, or the expansion did not come to its end.
    #[cold]
    fn mishap(
        &mut self,
        shared: &Shared<'p>,
        (state, depth): (StateRef, u32),
        (first, abandoned): (usize, u64),
        limit: Option<Limit>,
        done: Result<(), Incomplete>,
    ) {
        let oversize = done == Err(Incomplete::Oversize);
        let limit = oversize.then_some(Limit::StateSize).or(limit);
        if let Some(limit) = limit {
            shared.signals.stop_at(limit);
        }
        let interrupted = done == Err(Incomplete::Stopped) && shared.signals.is_stopped();
        if interrupted && limit.is_none() && !shared.is_satisfied_by(&self.wrong) {
            // As if it had not been taken, so that a search that is taken up again counts everything once.
            self.gatherer.batch.truncate(first);
            self.wrong.clear();
            (self.tally.taken, self.tally.expanded) =
                (self.tally.taken - 1, self.tally.expanded - 1);
            self.tally.transitions -= abandoned;
            return self.frontier.put_back(state);
        }
        self.record(shared, state, depth);
    }

    /// Counts violations and keeps the least.
    fn record(&mut self, shared: &Shared<'p>, state: StateRef, depth: u32) {
        let wrong = std::mem::take(&mut self.wrong);
        let counts = |violation: &Violation| shared.options.concerns.include(violation);
        self.tally.violations += wrong.iter().filter(|v| counts(v)).count() as u64;
        let Some(nth) = wrong.iter().position(counts) else {
            return;
        };
        let stop = shared.options.on_violation == OnViolation::Stop;
        if stop {
            shared.signals.note_violation();
        }
        if stop && F::KNOWS_PATH {
            shared.signals.stop();
        }
        let packed = self.gatherer.tree.bytes();
        // Where the path is known, states come in an order that means something, and the first one counts.
        let less = |known: &Finding| {
            !F::KNOWS_PATH && shared.program.compare(packed, &known.packed) == Order::Less
        };
        if self.finding.as_ref().is_none_or(less) {
            self.finding = Some(Finding {
                state,
                packed: packed.to_vec(),
                depth,
                nth,
                path: self.frontier.path(),
            });
        }
    }

    /// Looks up all successors of the batch, and remembers those that are new. Gives back the last state of the batch if steps
    /// of it were left out and must not be; then it is as if it had not been expanded yet.
    #[inline]
    fn settle(
        &mut self,
        shared: &Shared<'p>,
        pool: &F::Pool,
        access: &mut Access<'_>,
    ) -> Option<Partly> {
        let mut batch = std::mem::take(&mut self.gatherer.batch);
        let partly = self.partly.take();
        let mut leading = 0;
        let began = self.gatherer.meter.begin_insertions(batch.entries.len());
        self.tally.transitions += batch.entries.len() as u64;
        let mut begin = 0;
        for (index, entry) in batch.entries.iter().enumerate() {
            let end = entry.original_end as usize;
            let original = &batch.originals[begin..end];
            begin = end;
            let watched = partly.filter(|partly| index >= partly.first);
            match self.remember(shared, pool, access, entry, original) {
                Ok(arrived) => {
                    let leads = |partly| self.leads_on(shared, arrived, partly, access);
                    leading += usize::from(watched.is_some_and(leads));
                }
                Err(full) => {
                    shared.signals.stop_at(limit_of(full));
                    // Nothing is made up for any more.
                    leading = batch.entries.len();
                    break;
                }
            }
        }
        let successors = batch.entries.len();
        self.gatherer.meter.end_insertions(began, successors);
        batch.clear();
        self.gatherer.batch = batch;
        let partly = partly?;
        let own = successors - partly.first;
        if is_enough(shared, leading, own) {
            self.count_partly(partly);
            return None;
        }
        self.tally.transitions -= own as u64;
        Some(Partly { first: 0, ..partly })
    }

    fn count_partly(&mut self, partly: Partly) {
        self.tally.partly += 1;
        self.tally.left_out += u64::from(partly.left_out);
    }

    /// Whether a successor of a state of which steps were left out makes up for them: see [`crate::search`].
    fn leads_on(
        &self,
        shared: &Shared<'p>,
        arrived: Arrived,
        from: Partly,
        access: &mut Access<'_>,
    ) -> bool {
        match arrived {
            _ if shared.program.keeps_runs() => access.is_later(arrived.state(), from.state),
            Arrived::New(_) => true,
            Arrived::Seen(state) => {
                // Beyond, different depths look the same.
                let exact = !F::KNOWS_PATH && self.batch_depth < DISTINCT_DEPTHS;
                exact && access.visited.may_be_at(state, self.batch_depth)
            }
        }
    }

    /// Looks up one successor.
    #[inline]
    fn remember(
        &mut self,
        shared: &Shared<'p>,
        pool: &F::Pool,
        access: &mut Access<'_>,
        entry: &Entry,
        original: &[u8],
    ) -> Result<Arrived, StoreFull> {
        let arrived = access.visited.insert(entry.prepared, self.batch_depth)?;
        let Arrived::New(mut state) = arrived else {
            return Ok(arrived);
        };
        self.tally.not_canonical += u64::from(!entry.canonical);
        if let Some(originals) = &mut access.originals {
            let prepared = originals.prepare(original, &self.gatherer.tree)?;
            state = originals.insert(prepared, self.batch_depth)?.state();
        }
        if entry.stutters {
            shared.states.stutter().insert(state);
        }
        self.frontier.found(state, pool);
        shared.count_state();
        Ok(arrived)
    }

    /// Looks after limits from time to time.
    #[inline]
    fn patrol(
        &mut self,
        shared: &Shared<'p>,
        access: &mut Access<'_>,
        overseer: &mut dyn Overseer,
    ) {
        if self.since_look >= PATROL {
            self.since_look = 0;
            self.report(shared);
            access.release();
            overseer.look(0);
        }
    }

    /// Writes down how far the worker is.
    fn report(&self, shared: &Shared<'p>) {
        let desk: &Desk = &shared.desks[self.number];
        desk.taken.store(self.tally.taken, Ordering::Relaxed);
        let transitions = self.tally.transitions;
        desk.transitions.store(transitions, Ordering::Relaxed);
        desk.depth.store(self.tally.depth, Ordering::Relaxed);
        let own = self.frontier.bytes() + self.gatherer.batch.bytes();
        let bytes = own + self.gatherer.reducer.bytes() + self.stepper.bytes();
        desk.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Remembers the start. Gives it, and the number of the first violation there that counts. If the start is held, there may be any
    /// number of states that runs start in, and something that is wrong is wrong on the way there: none of them is given then.
    pub fn begin(
        &mut self,
        shared: &Shared<'p>,
        pool: &F::Pool,
        overseer: &mut dyn Overseer,
    ) -> (Option<StateRef>, Option<usize>) {
        let mut access = shared.states.access();
        let (mut arrivals, _) =
            self.gatherer
                .arrivals(shared, &mut access, overseer, &mut self.wrong, None);
        let oversize = self.stepper.start(&mut arrivals).is_err();
        let limit = oversize.then_some(Limit::StateSize).or(arrivals.limit);
        if let Some(limit) = limit {
            shared.signals.stop_at(limit);
        }
        let held = shared.program.start_is_held();
        let start = match held {
            true => None,
            false => self.start(&mut access),
        };
        self.settle(shared, pool, &mut access);
        if held {
            self.tally.transitions = START;
        }
        self.frontier.surrender(pool);
        self.report(shared);
        let wrong = std::mem::take(&mut self.wrong);
        let counts = |violation: &Violation| shared.options.concerns.include(violation);
        self.tally.violations = wrong.iter().filter(|v| counts(v)).count() as u64;
        (start, wrong.iter().position(counts))
    }

    /// The name under which the start is expanded, if it is in the batch.
    fn start(&self, access: &mut Access<'_>) -> Option<StateRef> {
        let entry = self.gatherer.batch.entries.first()?;
        match &mut access.originals {
            None => Some(entry.prepared.state()),
            Some(originals) => {
                let original = &self.gatherer.batch.originals[..entry.original_end as usize];
                let prepared = originals.prepare(original, &self.gatherer.tree);
                prepared.ok().map(|prepared| prepared.state())
            }
        }
    }
}
