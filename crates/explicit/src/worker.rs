//! The loop, as one worker runs it: states from the frontier, successors to the store, new ones to the frontier.

use crate::expander::{Context, Counted, Expander, Expansion, Visitor};
use crate::findings::{Cause, first_of_each};
use crate::frontier::{Frontier, Wait};
use crate::graph::StepLog;
use crate::monitor::Monitor;
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use crate::states::Access;
use crate::successors::Generator;
use crate::tally::{Finding, START};
use mandala_model::step::Turn;
use mandala_reduce::Reducer;
use mandala_store::{Arrived, StateRef};
use std::cmp::Ordering as Order;

/// From this depth on, the store takes different depths for the same.
const DISTINCT_DEPTHS: u32 = 255;

/// One thread of a search.
pub(crate) struct Worker<'p, F, R> {
    pub number: usize,
    pub expander: Expander<'p, R>,
    pub frontier: F,
    /// The violations to be shown, one for each cause.
    pub findings: Vec<Finding>,
    /// The steps that were made, if the graph of all states will be asked for.
    pub log: Option<StepLog<'p>>,
    /// The depth of the successors in the batch.
    batch_depth: u32,
}

/// Hands new states to the frontier.
struct Discovery<'a, 'o, F: Frontier> {
    frontier: &'a mut F,
    pool: &'a F::Pool,
    depth: u32,
    log: Option<&'a mut StepLog<'o>>,
}

impl<F: Frontier> Visitor for Discovery<'_, '_, F> {
    #[inline]
    fn depth(&self) -> u32 {
        self.depth
    }

    // Always: most successors are not new, and a call to find that out costs more than what it does.
    #[inline(always)]
    fn met(&mut self, arrived: Arrived) {
        if let Some(log) = &mut self.log {
            log.met(arrived.state());
        }
        if let Arrived::New(state) = arrived {
            self.frontier.found(state, self.pool);
        }
    }

    fn is_one_level_down(&self, state: StateRef, access: &mut Access<'_>) -> bool {
        let exact = !F::KNOWS_PATH && self.depth < DISTINCT_DEPTHS;
        exact && access.visited.may_be_at(state, self.depth)
    }
}

/// The same for the states that runs start in, the first of which is kept.
struct Starts<'a, 'o, F: Frontier> {
    discovery: Discovery<'a, 'o, F>,
    first: Option<StateRef>,
    log: Option<&'a mut StepLog<'o>>,
}

impl<F: Frontier> Visitor for Starts<'_, '_, F> {
    fn depth(&self) -> u32 {
        self.discovery.depth
    }

    fn met(&mut self, arrived: Arrived) {
        self.first.get_or_insert(arrived.state());
        if let Some(log) = &mut self.log {
            log.start(arrived.state());
        }
        self.discovery.met(arrived);
    }
}

impl<'p, F: Frontier, R: Reducer> Worker<'p, F, R> {
    pub(crate) fn new(shared: &Shared<'p>, number: usize, reducer: R) -> Self {
        let source = Counted::once(Generator::new(shared.stepper()));
        Worker {
            number,
            expander: Expander::new(number, shared, source, reducer),
            frontier: F::default(),
            findings: Vec::new(),
            log: shared.keeps_logs().then(|| StepLog::new(shared.options)),
            batch_depth: 0,
        }
    }

    /// Goes on where a search had got to.
    pub(crate) fn resume(&mut self, snapshot: &Snapshot, shared: &Shared<'p>) {
        self.expander.source.tally = snapshot.tally.clone();
        self.findings = snapshot.findings.clone();
        if !self.findings.is_empty() && shared.stops_at_violation() {
            shared.signals.note_violation();
        }
        self.publish(shared);
    }

    /// Searches until nothing is left for this worker or the search is to stop.
    pub(crate) fn work(&mut self, shared: &Shared<'p>, pool: &F::Pool, monitor: &mut dyn Monitor) {
        let mut access = shared.states.access();
        let mut context = Context {
            shared,
            access: &mut access,
            monitor,
        };
        while shared.signals.is_running() {
            if self.fill(pool, &mut context) {
                self.look_up(pool, &mut context);
                self.frontier.share(pool);
                if self.expander.is_check_due() {
                    self.keep_log(shared);
                    let own = self.frontier.bytes();
                    self.expander.check_limits(&mut context, own);
                }
                continue;
            }
            context.access.release();
            if self.frontier.wait(pool, context.monitor) == Wait::Over {
                break;
            }
        }
        self.frontier.surrender(pool);
        self.publish(shared);
    }

    /// Expands states until there are enough successors to be looked up together. False if there was nothing to do.
    #[inline]
    fn fill(&mut self, pool: &F::Pool, context: &mut Context<'_, '_, 'p>) -> bool {
        let deepest = context.shared.options.deepest();
        let mut busy = false;
        while let Some((state, depth)) = self.frontier.next(pool) {
            busy = true;
            if let Some(ahead) = self.frontier.ahead() {
                context.access.anticipate(ahead);
            }
            self.expander.take(depth);
            if depth >= deepest {
                self.expander.source.tally.cut = true;
                if context.shared.options.checkpoints.is_some() {
                    self.frontier.leave(state, pool);
                }
            } else {
                self.expand(state, depth, pool, context);
            }
            let enough = F::is_enough(self.expander.batched()) || self.expander.is_check_due();
            if enough || !context.shared.signals.is_running() {
                break;
            }
        }
        busy
    }

    /// Expands one state.
    #[inline]
    fn expand(
        &mut self,
        state: StateRef,
        depth: u32,
        pool: &F::Pool,
        context: &mut Context<'_, '_, 'p>,
    ) {
        self.batch_depth = depth + 1;
        let batched = self.expander.batched();
        if let Some(log) = &mut self.log {
            log.begin(self.expander.stepper());
        }
        let mut discovery = Discovery {
            frontier: &mut self.frontier,
            pool,
            depth: self.batch_depth,
            log: None,
        };
        match self.expander.expand(state, context, &mut discovery) {
            Expansion::Done => self.write_down(state, batched, context.shared),
            Expansion::Irregular => {
                self.write_down(state, batched, context.shared);
                self.record(context.shared, state, depth);
            }
            Expansion::Interrupted => {
                self.expander.give_back();
                self.frontier.put_back(state);
            }
        }
    }

    /// Writes down that a state was expanded, whose successors are those of the batch from that number on.
    #[inline]
    fn write_down(&mut self, state: StateRef, first: usize, shared: &Shared<'p>) {
        let Some(log) = &mut self.log else { return };
        let successors = self.expander.batched() - first;
        if !log.expanded(state, successors, &mut self.expander) {
            shared.give_up_logs();
        }
    }

    /// Counts violations and keeps the least of each owner.
    #[cold]
    fn record(&mut self, shared: &Shared<'p>, state: StateRef, depth: u32) {
        let violations = self.expander.take_violations();
        let counted = shared.counted(&violations);
        if counted.is_empty() {
            return;
        }
        self.expander.source.tally.violations.add(&counted);
        shared.give_up_logs();
        let stop = shared.stops_at_violation();
        if stop {
            shared.signals.note_violation();
        }
        if stop && F::KNOWS_PATH {
            shared.signals.stop();
        }
        let here = || {
            let stutters = shared.states.stutter().contains(&state);
            let turn = match stutters {
                true => Turn::Stutter,
                false => shared.program.open_turn(),
            };
            Some((shared.program.decode(self.expander.packed())?, turn))
        };
        for (cause, nth) in first_of_each(shared.options, &violations, here) {
            self.keep(shared, cause, (state, depth, nth));
        }
    }

    /// Keeps a violation of the state that was expanded last, unless there is a lesser one of the same cause.
    fn keep(
        &mut self,
        shared: &Shared<'p>,
        cause: Cause,
        (state, depth, nth): (StateRef, u32, usize),
    ) {
        let packed = self.expander.packed();
        let known = self.findings.iter().position(|known| known.cause == cause);
        // Where the path is known, states come in an order that means something, and the first one counts.
        let less = |known: &Finding| {
            !F::KNOWS_PATH && shared.program.compare(packed, &known.packed) == Order::Less
        };
        if known.is_some_and(|known| !less(&self.findings[known])) {
            return;
        }
        let finding = Finding {
            cause,
            state,
            packed: packed.to_vec(),
            depth,
            nth,
            path: self.frontier.path(),
        };
        match known {
            Some(known) => self.findings[known] = finding,
            None => {
                self.findings.push(finding);
                self.forget_what_is_never_shown(shared);
            }
        }
    }

    /// Of violations that come from very many things, those are kept that may be shown: as many as are wanted beside those that are known already, and the
    /// first of each owner.
    fn forget_what_is_never_shown(&mut self, shared: &Shared<'p>) {
        let most = 2 * shared.options.bugs as usize;
        if self.findings.len() <= most.max(1) {
            return;
        }
        let before = |a: &Finding, b: &Finding| {
            !F::KNOWS_PATH && shared.program.compare(&a.packed, &b.packed) == Order::Less
        };
        let is_first = |index: usize| {
            let found = &self.findings[index];
            let others = self.findings.iter().enumerate();
            let mut own = others.filter(|(_, other)| other.cause.owner == found.cause.owner);
            own.all(|(at, other)| match F::KNOWS_PATH {
                true => at >= index,
                false => !before(other, found),
            })
        };
        let spare = (0..self.findings.len()).filter(|index| !is_first(*index));
        let last = spare.reduce(|last, index| {
            match F::KNOWS_PATH || before(&self.findings[last], &self.findings[index]) {
                true => index,
                false => last,
            }
        });
        if let Some(last) = last {
            self.findings.remove(last);
        }
    }

    /// Looks up all successors of the batch.
    #[inline]
    fn look_up(&mut self, pool: &F::Pool, context: &mut Context<'_, '_, 'p>) {
        let mut discovery = Discovery {
            frontier: &mut self.frontier,
            pool,
            depth: self.batch_depth,
            log: self.log.as_mut(),
        };
        self.expander.look_up(context, &mut discovery);
    }

    fn publish(&self, shared: &Shared<'p>) {
        self.expander.publish(shared, self.frontier.bytes());
    }

    /// Makes known how much memory the log takes, or forgets it if all logs are given up.
    fn keep_log(&mut self, shared: &Shared<'p>) {
        if !shared.keeps_logs() {
            self.log = None;
        }
        let bytes = self.log.as_ref().map_or(0, StepLog::bytes);
        shared.statuses[self.number].note_log(bytes);
    }

    /// Stores the start. Returns it, and the number of the first violation there of each cause. Inside an atomic sequence, the start is no state: there may be any
    /// number of states that runs start in, and a violation is one on the way there. None of them is returned then.
    pub(crate) fn begin(
        &mut self,
        shared: &Shared<'p>,
        pool: &F::Pool,
        monitor: &mut dyn Monitor,
    ) -> (Option<StateRef>, Vec<(Cause, usize)>) {
        let mut context = Context {
            shared,
            access: &mut shared.states.access(),
            monitor,
        };
        let mut starts = Starts {
            discovery: Discovery {
                frontier: &mut self.frontier,
                pool,
                depth: 0,
                log: None,
            },
            first: None,
            log: self.log.as_mut(),
        };
        self.expander.start(&mut context, &mut starts);
        self.expander.look_up(&mut context, &mut starts);
        let first = starts.first;
        let is_atomic = shared.program.start_is_held();
        let tally = &mut self.expander.source.tally;
        if is_atomic {
            (tally.transitions, tally.fired) = (START, START);
        }
        self.frontier.surrender(pool);
        self.publish(shared);
        let violations = self.expander.take_violations();
        self.expander.source.tally.violations = shared.counted(&violations);
        let told = first_of_each(shared.options, &violations, || None);
        (first.filter(|_| !is_atomic), told)
    }
}
