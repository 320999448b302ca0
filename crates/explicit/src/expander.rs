//! The one place where states are expanded, whatever the search order.
//!
//! An [`Expander`] loads a state, lets its successor generator tell what follows, finds the representative of each successor and its place in the
//! store, and gathers them in a batch; later it looks the batch up and stores what is new. It counts, times samples, keeps violations
//! and asks the limit monitor, also inside a step that takes long. A search order adds a [`Visitor`], which says what becomes of the states that are met:
//! the frontier of a worker takes new ones (`worker`), nested depth-first search marks them with colours (`nested`), the product and the graph of all states number
//! them (`product`, `graph`).

use crate::batch::{Batch, Entry};
use crate::meter::Meter;
use crate::monitor::Monitor;
use crate::outcome::Limit;
use crate::profile::{Activity, Doing};
use crate::shared::Shared;
use crate::states::Access;
use crate::successors::{Generator, Proviso, ProvisoSink, Successors};
use crate::tally::Tally;
use mandala_encoding::{Arrival, Incomplete, Sink, Stepper};
use mandala_model::ids::MonitorId;
use mandala_model::step::{Fault, Turn, Violation};
use mandala_reduce::Reducer;
use mandala_store::{Arrived, StateRef, StoreFull, Tree};
use std::sync::atomic::Ordering;

/// How many states are taken between two checks of the limits.
const CHECK_INTERVAL: u32 = 512;

/// An expansion that has asked more often than this whether to go on is given up once there is a violation elsewhere.
const PATIENCE: u32 = 64;

/// The store and the limit monitor, as long as a worker has them in its hands.
pub(crate) struct Context<'a, 's, 'p> {
    pub shared: &'a Shared<'p>,
    pub access: &'a mut Access<'s>,
    pub monitor: &'a mut dyn Monitor,
}

/// What a search order does with the states that its expansions meet.
pub(crate) trait Visitor {
    /// Whether [`Visitor::note`] wants to see successors.
    fn takes_notes(&self) -> bool {
        false
    }

    /// A successor was told; its state is still in the stepper.
    fn note(&mut self, arrival: &mut Arrival<'_, '_>, reducer: &mut dyn Reducer) {
        let _ = (arrival, reducer);
    }

    /// All successors of the state that were noted or met will be told again.
    fn retract(&mut self) {}

    /// The depth that the store keeps beside the next successor if it is new.
    fn depth(&self) -> u32;

    /// A successor was looked up, in the order in which they were told. A new one has the handle by which it is expanded.
    fn met(&mut self, arrived: Arrived);

    /// Whether a state that was met before is certainly one level below the one that is expanded, on a shortest path.
    fn is_one_level_down(&self, state: StateRef, access: &mut Access<'_>) -> bool {
        let _ = (state, access);
        false
    }
}

/// What came of an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    /// All successors are in the batch, or all that are needed; nothing is wrong.
    Done,
    /// There are violations ([`Expander::take_violations`]), or a limit has ended the search.
    Irregular,
    /// The search is over, and it is as if the state had not been expanded.
    Interrupted,
}

/// A successor generator and what was counted of it.
pub(crate) struct Counted<'p> {
    pub successors: Generator<'p>,
    pub tally: Tally,
    /// Whether the progress of the search is what is counted here; otherwise states are expanded once more.
    is_progress: bool,
    /// Whether moves that twins have in common are made once.
    fires_once: bool,
}

impl<'p> Counted<'p> {
    /// A generator whose expansions are the progress of a search.
    pub(crate) fn new(successors: Generator<'p>) -> Self {
        Counted {
            successors,
            tally: Tally::default(),
            is_progress: true,
            fires_once: false,
        }
    }

    /// The same, and moves that twins have in common are made once, if the program knows which names have a part in moves.
    pub(crate) fn once(successors: Generator<'p>) -> Self {
        Counted {
            fires_once: successors.stepper().program().has_roles(),
            ..Counted::new(successors)
        }
    }

    /// The same for a generator that expands states once more: nothing of that counts.
    pub(crate) fn once_again(successors: Generator<'p>) -> Self {
        Counted {
            is_progress: false,
            ..Counted::once(successors)
        }
    }

    /// A generator that expands states once more: nothing of that counts.
    pub(crate) fn again(successors: Generator<'p>) -> Self {
        Counted {
            is_progress: false,
            ..Counted::new(successors)
        }
    }
}

/// Expands states.
pub(crate) struct Expander<'p, R> {
    pub source: Counted<'p>,
    /// The number of the worker.
    number: usize,
    /// The state that is expanded, in the parts that the store knows.
    tree: Tree,
    pub gatherer: Gatherer<R>,
    /// How many states were taken since the limits were checked.
    since_check: u32,
}

/// Gathers successors and looks them up.
pub(crate) struct Gatherer<R> {
    pub reducer: R,
    /// Whether representatives take long.
    meter: Meter,
    /// Where the profile sees what the worker does.
    doing: Doing,
    batch: Batch,
    /// Those of the state that was expanded last.
    violations: Vec<Violation>,
}

impl<'p, R: Reducer> Expander<'p, R> {
    pub(crate) fn new(number: usize, shared: &Shared<'p>, source: Counted<'p>, reducer: R) -> Self {
        Expander {
            source,
            number,
            tree: Tree::default(),
            gatherer: Gatherer {
                meter: Meter::new(!reducer.is_trivial()),
                reducer,
                doing: shared.profile.worker(number),
                batch: Batch::default(),
                violations: Vec::new(),
            },
            since_check: 0,
        }
    }

    /// The stepper that finds successors.
    pub(crate) fn stepper(&self) -> &Stepper<'p> {
        self.source.successors.stepper()
    }

    /// The packed form of the state that was expanded last.
    pub(crate) fn packed(&self) -> &[u8] {
        self.tree.bytes()
    }

    /// Whether each of some monitors holds in the state that was expanded last, in a choice of its parameters.
    pub(crate) fn monitors_hold(&mut self, asked: &[(MonitorId, u32)], holding: &mut Vec<bool>) {
        let stepper = self.source.successors.stepper_mut();
        stepper.monitors_hold(self.tree.bytes(), asked, holding);
    }

    /// The conditions that hold in the state that was expanded last, by their numbers.
    pub(crate) fn conditions(&mut self, holding: &mut Vec<u32>) -> Result<(), Fault> {
        let stepper = self.source.successors.stepper_mut();
        stepper.conditions(self.tree.bytes(), holding)
    }

    /// How many successors wait to be looked up.
    #[inline]
    pub(crate) fn batched(&self) -> usize {
        self.gatherer.batch.entries.len()
    }

    /// A state is taken up at a depth.
    #[inline]
    pub(crate) fn take(&mut self, depth: u32) {
        let tally = &mut self.source.tally;
        tally.taken += 1;
        tally.depth = tally.depth.max(depth);
        self.since_check += 1;
    }

    /// A state is taken up once more, which nothing but the clock notices.
    pub(crate) fn take_again(&mut self) {
        self.since_check += 1;
    }

    /// The state that was taken last is given back.
    pub(crate) fn give_back(&mut self) {
        self.source.tally.taken -= 1;
    }

    /// Finds the states that runs start in, and gathers them.
    pub(crate) fn start<V: Visitor>(&mut self, context: &mut Context<'_, '_, 'p>, visitor: &mut V) {
        let Counted {
            successors, tally, ..
        } = &mut self.source;
        let mut arrivals = self.gatherer.arrivals(&self.tree, tally, context, visitor);
        let oversize = successors.stepper_mut().start(&mut arrivals).is_err();
        let limit = oversize.then_some(Limit::StateSize).or(arrivals.limit);
        if let Some(limit) = limit {
            context.shared.signals.lose_at(limit);
        }
    }

    /// Expands one state, and gathers its successors.
    #[inline]
    pub(crate) fn expand<V: Visitor>(
        &mut self,
        state: StateRef,
        context: &mut Context<'_, '_, 'p>,
        visitor: &mut V,
    ) -> Expansion {
        self.gatherer.doing.now(Activity::Store);
        context.access.load(state, &mut self.tree);
        let turn = context.shared.states.turn(state);
        if self.source.fires_once && turn == Turn::Free {
            self.find_twins();
        }
        let Counted {
            successors, tally, ..
        } = &mut self.source;
        let mut arrivals = self.gatherer.arrivals(&self.tree, tally, context, visitor);
        arrivals.origin = Some(state);
        let told = successors.expand(self.tree.bytes(), turn, &mut arrivals);
        let ending = arrivals.end(told);
        tally.expanded += 1;
        tally.transitions += ending.abandoned.transitions;
        tally.fired += ending.abandoned.fired;
        match ending.is_regular && self.gatherer.violations.is_empty() {
            true => Expansion::Done,
            false => self.end_irregularly(&ending, context.shared),
        }
    }

    /// Asks the reducer which names are twins in the state that is about to be expanded.
    fn find_twins(&mut self) {
        self.gatherer.doing.now(Activity::Canonicalise);
        let stepper = self.source.successors.stepper_mut();
        self.gatherer.reducer.find_twins(self.tree.bytes(), stepper);
    }

    /// There is a violation, or the expansion did not come to its end.
    #[cold]
    fn end_irregularly(&mut self, ending: &Ending, shared: &Shared<'p>) -> Expansion {
        let oversize = ending.incomplete == Some(Incomplete::Oversize);
        if oversize {
            shared.signals.lose_at(Limit::StateSize);
        } else if let Some(limit) = ending.limit {
            shared.signals.stop_at(limit);
        }
        let stopped = ending.incomplete == Some(Incomplete::Stopped) || ending.limit.is_some();
        let interrupted = stopped && shared.signals.is_stopped() && !oversize;
        if !interrupted || shared.is_satisfied_by(&self.gatherer.violations) {
            return Expansion::Irregular;
        }
        self.gatherer.batch.truncate(ending.first);
        self.gatherer.violations.clear();
        if ending.is_looked_up {
            // Successors of the state wait already, so it cannot wait as if it had not been expanded.
            shared.signals.note_loss();
            return Expansion::Irregular;
        }
        // A search that is resumed counts everything once.
        self.source.tally.expanded -= 1;
        self.source.tally.transitions -= ending.abandoned.transitions;
        self.source.tally.fired -= ending.abandoned.fired;
        Expansion::Interrupted
    }

    /// Looks up all successors of the batch, and stores those that are new.
    #[inline]
    pub(crate) fn look_up<V: Visitor>(
        &mut self,
        context: &mut Context<'_, '_, 'p>,
        visitor: &mut V,
    ) {
        let (near, tally) = (&self.tree, &mut self.source.tally);
        self.gatherer
            .look_up(near, tally, context, visitor, |_, _, _, _| {});
    }

    /// The violations of the state that was expanded last, or of the start.
    pub(crate) fn take_violations(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.gatherer.violations)
    }

    /// Whether enough states were taken since the limits were checked.
    #[inline]
    pub(crate) fn is_check_due(&self) -> bool {
        self.since_check >= CHECK_INTERVAL
    }

    /// Checks the limits, and shows progress. `own` is what the search order holds beside the states, in bytes.
    pub(crate) fn check_limits(&mut self, context: &mut Context<'_, '_, 'p>, own: usize) {
        self.publish(context.shared, own);
        self.check_limits_with(context, 0);
    }

    /// Checks the limits with what is held for a while beside states and frontier, in bytes.
    pub(crate) fn check_limits_with(&mut self, context: &mut Context<'_, '_, 'p>, held: usize) {
        self.since_check = 0;
        context.access.release();
        context.monitor.check(held);
    }

    /// Makes known how far this worker is.
    pub(crate) fn publish(&self, shared: &Shared<'p>, own: usize) {
        let status = &shared.statuses[self.number];
        if self.source.is_progress {
            status.note(&self.source.tally);
        }
        let gatherer = &self.gatherer;
        let bytes = own + gatherer.batch.bytes() + gatherer.reducer.bytes();
        let bytes = bytes + self.stepper().bytes();
        status.bytes.store(bytes, Ordering::Relaxed);
    }
}

impl<R: Reducer> Gatherer<R> {
    /// Where the successors of a state go, or those of nothing: the states that runs start in.
    #[inline]
    fn arrivals<'a, 's, 'p>(
        &'a mut self,
        near: &'a Tree,
        tally: &'a mut Tally,
        context: &'a mut Context<'_, 's, 'p>,
        visitor: &'a mut dyn Visitor,
    ) -> Arrivals<'a, 's, 'p, R> {
        self.doing.now(Activity::Expand);
        Arrivals {
            first: self.batch.entries.len(),
            gatherer: self,
            near,
            tally,
            shared: context.shared,
            access: context.access,
            monitor: context.monitor,
            takes_notes: visitor.takes_notes(),
            visitor,
            origin: None,
            limit: None,
            asked: 0,
            cut_short: false,
            abandoned: Counts::default(),
            looked_up: None,
            is_unsure: false,
        }
    }

    /// Looks up all successors of the batch, and stores those that are new; `each` sees what was found. False if the store is full.
    #[inline]
    fn look_up<V: Visitor + ?Sized>(
        &mut self,
        near: &Tree,
        tally: &mut Tally,
        context: &mut Context<'_, '_, '_>,
        visitor: &mut V,
        mut each: impl FnMut(usize, Arrived, &mut Access<'_>, &V),
    ) -> bool {
        let batch = std::mem::take(&mut self.batch);
        self.doing.now(Activity::Store);
        tally.transitions += batch.transitions(0);
        tally.fired += batch.entries.len() as u64;
        let mut begin = 0;
        let mut full = None;
        for (index, entry) in batch.entries.iter().enumerate() {
            let end = entry.original_end as usize;
            let original = &batch.originals[begin..end];
            begin = end;
            match store(entry, original, near, tally, context, visitor) {
                Ok(arrived) => each(index, arrived, context.access, visitor),
                Err(reason) => {
                    full = Some(reason);
                    break;
                }
            }
        }
        self.doing.now(Activity::Other);
        self.batch = batch;
        self.batch.clear();
        if let Some(reason) = full {
            context.shared.signals.lose_at(limit_of(reason));
        } else if context.shared.states.is_on_reserve() {
            context.shared.signals.stop_at(Limit::Memory);
        }
        full.is_none()
    }
}

/// Looks up one successor, and stores it if it is new.
///
/// It is inlined into its loop in every search order, so that what it finds need not be written to memory and read again for each successor.
#[inline(always)]
fn store<V: Visitor + ?Sized>(
    entry: &Entry,
    original: &[u8],
    near: &Tree,
    tally: &mut Tally,
    context: &mut Context<'_, '_, '_>,
    visitor: &mut V,
) -> Result<Arrived, StoreFull> {
    let (access, depth) = (&mut *context.access, visitor.depth());
    let arrived = access.visited.insert(entry.prepared, depth)?;
    let Arrived::New(mut state) = arrived else {
        visitor.met(arrived);
        return Ok(arrived);
    };
    tally.not_canonical += u64::from(!entry.canonical);
    if let Some(originals) = &mut access.originals {
        let prepared = originals.prepare(original, near)?;
        state = originals.insert(prepared, depth)?.state();
    }
    if entry.stutters {
        context.shared.states.stutter().insert(state);
    }
    visitor.met(Arrived::New(state));
    context.shared.count_state();
    Ok(arrived)
}

/// How an expansion has ended.
struct Ending {
    /// Nothing is wrong but perhaps in the model.
    is_regular: bool,
    limit: Option<Limit>,
    incomplete: Option<Incomplete>,
    /// The steps that had no state after them, without a violation.
    abandoned: Counts,
    /// Where the successors begin in the batch.
    first: usize,
    /// Whether successors have been looked up already.
    is_looked_up: bool,
}

/// The sink for the successors of one state.
struct Arrivals<'a, 's, 'p, R> {
    gatherer: &'a mut Gatherer<R>,
    near: &'a Tree,
    tally: &'a mut Tally,
    shared: &'a Shared<'p>,
    access: &'a mut Access<'s>,
    monitor: &'a mut dyn Monitor,
    visitor: &'a mut dyn Visitor,
    takes_notes: bool,
    /// The state that is expanded.
    origin: Option<StateRef>,
    limit: Option<Limit>,
    /// How often the monitor was asked.
    asked: u32,
    /// Whether a successor was left out, because the search is over.
    cut_short: bool,
    /// The steps that had no state after them, without a violation.
    abandoned: Counts,
    /// Where the successors of this state begin in the batch.
    first: usize,
    /// The successors that have been looked up, if any were.
    looked_up: Option<Counts>,
    /// Whether a successor has a representative that others of its orbit may not have.
    is_unsure: bool,
}

/// Steps: how many were made, and how many those stand for.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    fired: u64,
    transitions: u64,
}

impl<R: Reducer> Arrivals<'_, '_, '_, R> {
    /// Finds the representative of an arrival and its place in the store.
    #[inline]
    fn accept(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) -> Result<(), StoreFull> {
        let Gatherer {
            reducer,
            meter,
            doing,
            batch,
            ..
        } = &mut *self.gatherer;
        // Without symmetry that is nothing but packing.
        if meter.reduces() {
            doing.now(Activity::Canonicalise);
        }
        let began = meter.begin();
        let weight = arrival.weight();
        let representative = reducer.representative(arrival)?;
        let canonical = representative.canonical;
        self.is_unsure |= !canonical;
        meter.end(began);
        doing.now(Activity::Store);
        let visited = &mut self.access.visited;
        let prepared = visited.prepare(representative.packed, self.near)?;
        if self.shared.states.originals.is_some() {
            batch.originals.extend_from_slice(arrival.packed());
        }
        batch.entries.push(Entry {
            prepared,
            canonical,
            weight,
            stutters: turn == Turn::Stutter,
            original_end: batch.originals.len() as u32,
        });
        Ok(())
    }

    /// What has been looked up and counted, once.
    fn looked_up_before_retreat(&mut self) -> Counts {
        let looked_up = self.looked_up.as_mut();
        looked_up.map(std::mem::take).unwrap_or_default()
    }

    /// Whether the search must end here. Where finding representatives takes long, that is asked for every one of them.
    #[inline]
    fn is_over(&mut self) -> bool {
        self.limit.is_some() || (self.gatherer.meter.is_slow() && !self.check(0))
    }

    /// Whether the search goes on. Others may have to wait for the store meanwhile, and this may take long.
    fn check(&mut self, held: usize) -> bool {
        self.asked += 1;
        self.access.release();
        let batch = self.gatherer.batch.bytes();
        self.monitor.check(held + batch)
    }

    /// Whether there is a violation here or elsewhere that makes it pointless to go on with a step that takes long.
    fn is_pointless(&self) -> bool {
        let elsewhere = self.asked > PATIENCE && self.shared.signals.is_violated();
        elsewhere || self.shared.is_satisfied_by(&self.gatherer.violations)
    }

    /// The expansion is over.
    #[inline]
    fn end(self, told: Result<u32, Incomplete>) -> Ending {
        self.gatherer.doing.now(Activity::Other);
        let incomplete = told.err().or(self.cut_short.then_some(Incomplete::Stopped));
        let is_regular = incomplete.is_none() && self.limit.is_none();
        if let (Ok(omitted @ 1..), true) = (told, is_regular) {
            self.tally.reduced += 1;
            self.tally.omitted += u64::from(omitted);
        }
        Ending {
            is_regular,
            limit: self.limit,
            incomplete,
            abandoned: self.abandoned,
            first: self.first,
            is_looked_up: self.looked_up.is_some(),
        }
    }
}

impl<R: Reducer> Sink for Arrivals<'_, '_, '_, R> {
    #[inline]
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        if self.is_over() {
            self.cut_short = true;
            return;
        }
        if self.takes_notes {
            self.visitor.note(arrival, &mut self.gatherer.reducer);
        }
        if let Err(full) = self.accept(arrival, turn) {
            self.limit = Some(limit_of(full));
        }
        self.gatherer.doing.now(Activity::Expand);
    }

    fn violation(&mut self, violation: Violation) {
        self.gatherer.violations.push(violation);
    }

    fn abandoned(&mut self, weight: u64) {
        self.abandoned.fired += 1;
        self.abandoned.transitions += weight;
    }

    fn keep_going(&mut self, held: usize) -> bool {
        self.check(held) && self.limit.is_none() && !self.is_pointless()
    }
}

impl<R: Reducer> ProvisoSink for Arrivals<'_, '_, '_, R> {
    fn is_violated(&self) -> bool {
        !self.gatherer.violations.is_empty()
    }

    fn is_unsure(&self) -> bool {
        self.is_unsure
    }

    fn satisfies(&mut self, proviso: Proviso) -> bool {
        let Some(origin) = self.origin else {
            return true;
        };
        let batch = &self.gatherer.batch;
        let own = (batch.entries.len() - self.first) as u64;
        let counts = Counts {
            fired: own,
            transitions: batch.transitions(self.first),
        };
        let (first, mut leading) = (self.first, 0);
        let mut context = Context {
            shared: self.shared,
            access: self.access,
            monitor: self.monitor,
        };
        let all = self.gatherer.look_up(
            self.near,
            self.tally,
            &mut context,
            self.visitor,
            |index, arrived, access, visitor| {
                let leads = index >= first && leads_on(proviso, origin, arrived, access, visitor);
                leading += u64::from(leads);
            },
        );
        self.gatherer.doing.now(Activity::Expand);
        (self.first, self.looked_up) = (0, Some(counts));
        let enough = match proviso {
            Proviso::SomeLeadsOn => leading > 0,
            Proviso::AllHaveLaterMarks => own > 0 && leading == own,
        };
        // If the store is full, the search ends here.
        enough || !all
    }

    fn retract(&mut self) {
        self.gatherer.batch.truncate(self.first);
        self.gatherer.violations.clear();
        let looked_up = self.looked_up_before_retreat();
        self.tally.transitions -= looked_up.transitions;
        self.tally.fired -= looked_up.fired;
        self.abandoned = Counts::default();
        self.is_unsure = false;
        self.visitor.retract();
    }
}

/// Whether a successor makes up for steps that were left out in the state that it was found from.
fn leads_on(
    proviso: Proviso,
    origin: StateRef,
    arrived: Arrived,
    access: &mut Access<'_>,
    visitor: &dyn Visitor,
) -> bool {
    match (proviso, arrived) {
        (Proviso::AllHaveLaterMarks, _) => access.is_later(arrived.state(), origin),
        (Proviso::SomeLeadsOn, Arrived::New(_)) => true,
        (Proviso::SomeLeadsOn, Arrived::Seen(state)) => visitor.is_one_level_down(state, access),
    }
}

/// Why nothing more can be stored.
fn limit_of(full: StoreFull) -> Limit {
    match full {
        StoreFull::Memory => Limit::Memory,
        StoreFull::Ids => Limit::StateNumbers,
        StoreFull::Length => Limit::StateSize,
    }
}
