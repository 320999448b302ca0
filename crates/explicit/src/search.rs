//! The coordinator of a search, breadth first or depth first.
//!
//! # The algorithm
//!
//! Take some states from the frontier, expand them, find the representative of each successor and its place in the
//! store; then look all of them up, store those that are new and hand these to the frontier. Which successors there are is decided by the
//! successor generator (`successors`), which state represents others by the reducer, whether a state is new by the
//! store, which one comes next by the frontier. The loop itself is [`Worker::work`], and `expander` is the only place where a state is expanded; this file is about who runs
//! the loop and what happens before, between and after.
//!
//! # One expansion, several orders
//!
//! Nested depth-first search (`nested`), the product with a state-based automaton (`product`) and the graph of all states (`graph`) expand states in an order of
//! their own. They use the same expander, with a visitor that says what becomes of the states that are met. So whatever is done for each successor (representative,
//! place in the store, counters, timing, limits inside a step) is written once. The loop of this file differs from them in that it gathers the successors of
//! several states before it looks them up, and in that it may have several workers.
//!
//! # Batches
//!
//! Looking a state up means reading a line of a table that is larger than all caches. So a successor is not looked up when it
//! is told: the store is asked to fetch the line, and the successor is looked up when some dozens of others have been told meanwhile.
//! Breadth first that is after 64 successors, of as many states as it takes; depth first after those of one
//! state, since the next state to expand is one of them. Nothing is inserted while a state is being expanded, so an expansion
//! that is interrupted leaves no trace. The exception is partial-order reduction, whose cycle proviso has to know which successors of a state are
//! new before the next state is expanded.
//!
//! # Workers and phases
//!
//! Every worker has a successor generator, a reducer and a part of the frontier of its own; the store is shared and takes no locks but to
//! grow. A search goes on in *phases*, which end when nothing is left to be expanded or a signal says so. Between phases all workers
//! are at rest and owned by the coordinator (`threads`), so whatever needs everything to stand still (the end of a level, a checkpoint)
//! happens there and needs no lock. Threads are started when the first phase comes that is worth it: most models
//! are small. The worker of the calling thread checks limits for all and calls the observer, also while it waits for others (`monitor`).
//!
//! # The same answer every time
//!
//! Breadth first, a level is finished before the next one is begun. Which states are new in a level does not depend on which worker
//! finds them, so neither do the counts. A violation does not end the search before its level is done: then the least of
//! all that were found is taken, by the bytes of the state ([`Program::compare`]), and the path to it is found
//! backwards in the same manner (`path`). So counts, verdict and counterexample are the same for any number of workers, and the
//! counterexample is a shortest one. Where the order in which states are met decides what comes of them, there is one worker
//! ([`threads`]).
//!
//! Depth first, workers give each other work (`frontier::stack`), and only the counts of a complete search are the
//! same every time. With one worker everything is.
//!
//! # No queue, no parents
//!
//! A state that waits is a handle of eight bytes, since the store can decode it; breadth first there are the handles of two levels.
//! The predecessor of a state is not stored: that would cost four bytes a state, a quarter of what a state takes, in every search
//! that finds no violation. Depth first the path is on the stack.
//!
//! # Representatives
//!
//! What is inserted is the state that a [`Reducer`] chooses for a successor; without symmetry, the successor itself.
//! The loop knows no more than that. The reducer sees a successor before it is packed, so a state that is renamed is
//! packed once. Without symmetry the reducer is a type without content and compiles to nothing; with symmetry the call goes
//! through a table, which is a hundredth of what finding a representative costs.
//!
//! Representatives are expanded, or the states as they were met ([`Expansion`]). Both visit the same orbits. Expanding
//! originals was rejected as the default: it keeps two states for each orbit instead of one, and what it buys, a path
//! that needs no lifting, costs nothing until there is a violation: each step of the path is found again with its witness.
//!
//! # The turn
//!
//! Whose turn it is in a stored state is the same for all, unless a claim runs along: where the
//! system has stopped forever, the claim goes on alone. Such states are distinguished by a set of their
//! handles on the side, which is small; it is the first visit that counts.
//!
//! # Limits inside a step
//!
//! Between two stored states there can be any number of moves, so limits, cancellation and the observer
//! are served in two places, both in `expander`: after every few hundred states, and by the sink of an expansion, which the stepper
//! asks from time to time while it is busy with one state, and which asks itself for every successor once a representative
//! has taken long to find: a strategy that tries all permutations can take seconds for each.
//!
//! # Cost
//!
//! Peterson's algorithm for four processes, 542,921 states and 2,171,682 transitions, takes 0.31 s of processor time where the same
//! search with bytecode takes 0.78 s. 70 per cent of that goes into the store, 20 into finding successors, and less than
//! 9 into the loop, most of it into telling a successor. With two workers the processor time of both together is 1 to 9 per cent more
//! than that of one. Frontier and all, a state takes 14.4 bytes. `bench/examples/throughput.rs` measures it.
//!
//! # Rejected
//!
//! - A loop for each order: they would drift apart.
//! - Looking successors up as they are told: each waits for memory.
//! - A queue for each worker and a hash that says which worker owns a state: every state crosses a queue, and the store can be shared
//!   at less cost than that.
//! - Ending at the first violation that any worker finds: what is shown would depend on which was faster.

use crate::checkpoint::{self, OpenCheckpoint};
use crate::estimate::estimate;
use crate::findings::{Cause, one_of_each};
use crate::footprint::Footprint;
use crate::frontier::{Frontier, Levels, Pool, Stack};
use crate::graph::{self, StepLog, Survey};
use crate::monitor::{LimitMonitor, Usage};
use crate::nested;
use crate::options::{Cycles, Expansion, Options, SearchError, SearchOrder};
use crate::outcome::{Answer, Claim, Estimate, Evidence, ExplicitOutcome, Extent, Progress};
use crate::path::way_back;
use crate::replay::Replay;
use crate::shared::Shared;
use crate::snapshot::{self, Beginning, Snapshot};
use crate::statistics::{Count, Numbers, numbers};
use crate::tally::{Counterexample, Finding, Tally};
use crate::threads::Threads;
use crate::worker::Worker;
use mandala_encoding::{Coverage, Program};
use mandala_kripke::Fairness;
use mandala_reduce::{Identity, Reducer};
use mandala_store::StateRef;
use std::thread::Scope;

/// Explores a program, every state stored as it is. The observer is called from time to time.
///
/// # Errors
///
/// If the options do not go together, or a checkpoint cannot be written.
pub fn search(
    program: &Program,
    options: &Options,
    observer: &mut dyn FnMut(&Progress),
) -> Result<ExplicitOutcome, SearchError> {
    search_reduced(program, options, &mut || Identity, observer).map(|(outcome, _)| outcome)
}

/// Explores a program. Every worker gets a reducer, which is made when the worker starts; in the end they are given back.
///
/// # Errors
///
/// If the options do not go together, or a checkpoint cannot be written.
pub fn search_reduced<R: Reducer + Send>(
    program: &Program,
    options: &Options,
    reducers: &mut dyn FnMut() -> R,
    observer: &mut dyn FnMut(&Progress),
) -> Result<(ExplicitOutcome, Vec<R>), SearchError> {
    options.check()?;
    match options.order {
        _ if options.cycles == Cycles::Nested => {
            Ok(nested::run(program, options, reducers(), observer))
        }
        SearchOrder::BreadthFirst => run::<Levels, R>(program, options, reducers, observer),
        SearchOrder::DepthFirst => run::<Stack, R>(program, options, reducers, observer),
    }
}

fn run<F, R>(
    program: &Program,
    options: &Options,
    reducers: &mut dyn FnMut() -> R,
    observer: &mut dyn FnMut(&Progress),
) -> Result<(ExplicitOutcome, Vec<R>), SearchError>
where
    F: Frontier,
    R: Reducer + Send,
{
    let footprint = Footprint::new(options.gauge);
    let mut reducer = reducers();
    let beginning = beginning::<F>(program, options, &mut reducer)?;
    let threads = threads(program, options, &reducer);
    let shared = Shared::new(program, options, beginning.states, threads);
    let pool = beginning.pool;
    let frontier_bytes = || pool.bytes();
    std::thread::scope(|scope| {
        let mut monitor = LimitMonitor {
            shared: &shared,
            frontier_bytes: &frontier_bytes,
            observer,
            usage: Usage::new(options, beginning.snapshot.spent, footprint),
            levels: (!F::KNOWS_PATH).then(|| beginning.snapshot.levels.clone()),
            help_at: None,
        };
        monitor.set_aside();
        let mut worker = Worker::new(&shared, 0, reducer);
        worker.resume(&beginning.snapshot, &shared);
        let search: Search<'_, '_, '_, F, R> = Search {
            scope,
            shared: &shared,
            pool: &pool,
            reducers,
            monitor,
            worker,
            threads: Threads::new(),
            past: beginning.snapshot,
            checkpoint_error: None,
        };
        Ok(search.run())
    })
}

/// What a search begins with: nothing, or a checkpoint.
fn beginning<F: Frontier>(
    program: &Program,
    options: &Options,
    reducer: &mut impl Reducer,
) -> Result<Beginning<F>, SearchError> {
    let unknown = options.statements.is_none() && !reducer.is_trivial();
    if unknown && options.asks_for_statements() {
        return Err(SearchError::NoStatements);
    }
    let Some(checkpoints) = &options.checkpoints else {
        return Ok(Beginning::new(program, options));
    };
    if reducer.keeps_states() {
        return Err(SearchError::ReducerKeepsStates);
    }
    if !checkpoints.resume {
        checkpoint::prepare(checkpoints)?;
        return Ok(Beginning::new(program, options));
    }
    let written = OpenCheckpoint::last(&checkpoints.folder)?;
    if !written.is_of(&checkpoints.description, &snapshot::kind(program, options)) {
        return Err(SearchError::OtherSearch);
    }
    let beginning = written.read(|input| Beginning::restore(program, options, input))?;
    match beginning {
        Some(beginning) if reducer.recall(&beginning.notes) => Ok(beginning),
        _ => Err(SearchError::OtherSearch),
    }
}

/// How many workers there can be. Where the order in which states are met decides what comes of them, there is one:
/// with a claim, the first visit says whether the system stands still; of an orbit, the first state met is the original.
fn threads(program: &Program, options: &Options, reducer: &impl Reducer) -> usize {
    let ordered = program.observers().claim.is_some()
        || reducer.keeps_states()
        || options.expand == Expansion::Originals;
    if ordered { 1 } else { options.threads() }
}

/// A search that is going on.
struct Search<'scope, 'env, 'p, F: Frontier, R> {
    scope: &'scope Scope<'scope, 'env>,
    shared: &'scope Shared<'p>,
    pool: &'scope F::Pool,
    reducers: &'scope mut dyn FnMut() -> R,
    monitor: LimitMonitor<'scope, 'p>,
    worker: Worker<'p, F, R>,
    threads: Threads<'scope, 'p, F, R>,
    /// What was found out before the search was resumed, or between phases.
    past: Snapshot,
    /// Why a checkpoint could not be written.
    checkpoint_error: Option<SearchError>,
}

impl<'p: 'scope, 'scope, F, R> Search<'scope, '_, 'p, F, R>
where
    F: Frontier + 'scope,
    R: Reducer + Send + 'scope,
{
    fn run(mut self) -> (ExplicitOutcome, Vec<R>) {
        // To arrive at the start is the first transition.
        let from_start = self.tally().transitions == 0;
        if from_start {
            self.begin();
        }
        // A level in which something was found, but which was not finished, still has to be.
        let satisfied = from_start && self.is_satisfied();
        if !self.shared.signals.is_stopped() && !satisfied {
            self.explore();
        }
        self.finish()
    }

    /// Remembers the start.
    fn begin(&mut self) {
        let (start, wrong) = self.worker.begin(self.shared, self.pool, &mut self.monitor);
        self.advance();
        let shown = |(cause, nth)| Counterexample {
            cause,
            path: start.into_iter().collect(),
            at_start: true,
            nth,
        };
        self.past.counterexamples = wrong.into_iter().map(shown).collect();
    }

    /// Expands everything that can be reached.
    fn explore(&mut self) {
        loop {
            self.phase();
            if self.shared.signals.unpause() {
                if self.monitor.usage.is_checkpoint_due() {
                    self.write_checkpoint();
                }
                continue;
            }
            if self.shared.signals.is_stopped() {
                return;
            }
            self.take_findings();
            if self.is_satisfied() {
                return;
            }
            if !self.advance() {
                return;
            }
        }
    }

    /// Goes to the next level. False if there is none.
    fn advance(&mut self) -> bool {
        let states = self.pool.advance();
        if let (Some(levels), true) = (&mut self.monitor.levels, states > 0) {
            levels.push(states as u64);
        }
        states > 0
    }

    /// Lets the workers work until nothing is left for them, or they are to stop.
    fn phase(&mut self) {
        let several = self.shared.statuses.len() > 1;
        // Where nobody knows how many wait, it is as many as have been expanded.
        let expected = self.pool.waiting().unwrap_or(self.tally().taken as usize);
        let share_from = self.shared.options.share_from;
        // Threads that are there already are worth less work than those that would have to be started.
        let enough = match self.threads.is_started() {
            true => share_from / 4,
            false => share_from,
        };
        let wide = several && expected >= enough;
        if wide && !self.threads.is_started() {
            self.start_threads();
        }
        let asks = several && !wide && self.pool.waiting().is_none();
        self.monitor.help_at = asks.then_some(share_from as u64);
        self.pool
            .begin(if wide { self.shared.statuses.len() } else { 1 });
        if wide {
            self.threads.send_out();
        }
        self.worker.work(self.shared, self.pool, &mut self.monitor);
        if wide {
            self.threads.gather(&mut self.monitor);
        }
    }

    fn start_threads(&mut self) {
        for number in 1..self.shared.statuses.len() {
            let mut reducer = (self.reducers)();
            // What it cannot use it need not know.
            reducer.recall(&self.worker.expander.gatherer.reducer.notes());
            let worker = Worker::new(self.shared, number, reducer);
            self.threads
                .start(self.scope, self.shared, self.pool, worker);
        }
    }

    /// What all workers have counted.
    fn tally(&self) -> Tally {
        let mut sum = self.worker.expander.source.tally.clone();
        let others = self.threads.resting.iter();
        others.for_each(|worker| sum.add(&worker.expander.source.tally));
        sum
    }

    /// Whether there is a violation and that is enough.
    fn is_satisfied(&self) -> bool {
        self.shared.stops_at_violation() && !self.tally().violations.is_empty()
    }

    /// Takes the least violation of each cause that the workers have found, the least of all first. What one worker alone has met
    /// depth first stays in the order in which it was met.
    fn least_findings(&mut self) -> Vec<Finding> {
        let mut found = std::mem::take(&mut self.worker.findings);
        let others = self.threads.resting.iter_mut();
        let others = others.flat_map(|worker| std::mem::take(&mut worker.findings));
        found.extend(others);
        let program = self.shared.program;
        if !F::KNOWS_PATH || !self.threads.resting.is_empty() {
            let order = |a: &Finding, b: &Finding| program.compare(&a.packed, &b.packed);
            found.sort_by(|a, b| order(a, b).then(a.nth.cmp(&b.nth)));
        }
        one_of_each(found)
    }

    /// Whether a violation with that cause is to be shown: the first of its owner, or one that differs from those before, if there are not enough.
    fn is_wanted(&self, cause: Cause) -> bool {
        let shown = &self.past.counterexamples;
        let differs = shown.iter().all(|known| known.cause != cause);
        let is_first = shown.iter().all(|known| known.cause.owner != cause.owner);
        is_first || (differs && shown.len() < self.shared.options.bugs as usize)
    }

    /// Keeps the least violation of each cause, and the way to it, if it is to be shown.
    fn take_findings(&mut self) {
        for finding in self.least_findings() {
            if self.is_wanted(finding.cause) {
                let counterexample = Counterexample {
                    cause: finding.cause,
                    at_start: false,
                    nth: finding.nth,
                    path: self.path_to(finding),
                };
                self.past.counterexamples.push(counterexample);
            }
        }
    }

    fn path_to(&mut self, finding: Finding) -> Vec<StateRef> {
        if !finding.path.is_empty() {
            return finding.path;
        }
        let levels = self.levels();
        way_back(&mut self.replay(), finding.state, finding.depth, &levels)
    }

    fn replay(&mut self) -> Replay<'_, 'scope, 'p, R> {
        Replay::new(self.shared, &mut self.worker.expander.gatherer.reducer)
    }

    /// Writes down how far the search is. If that fails, the search goes on, and the failure is told in the end.
    fn write_checkpoint(&mut self) {
        let Some(checkpoints) = &self.shared.options.checkpoints else {
            return;
        };
        self.worker.findings = self.least_findings();
        let mut present = self.present();
        let others = self.threads.resting.iter().map(|worker| &worker.frontier);
        let frontiers: Vec<&F> = std::iter::once(&self.worker.frontier)
            .chain(others)
            .collect();
        // What was left waits again in a search that goes on.
        present.tally.taken -= F::left(self.pool, &frontiers);
        present.tally.cut = false;
        let shared = self.shared;
        let notes = self.worker.expander.gatherer.reducer.notes();
        let kind = snapshot::kind(shared.program, shared.options);
        let written = checkpoint::write(checkpoints, &kind, &mut |out| {
            snapshot::save(shared.program, &present, &notes, out)?;
            F::save(self.pool, &frontiers, out)?;
            snapshot::save_states(&shared.states, out)
        });
        self.checkpoint_error = self.checkpoint_error.take().or(written.err());
        self.monitor.usage.checkpoint_written();
    }

    /// Everything that was found out so far.
    fn present(&mut self) -> Snapshot {
        self.monitor.note();
        Snapshot {
            tally: self.tally(),
            spent: self.monitor.spent(),
            natively: self.natively(),
            reached: self.reached().to_words(),
            levels: self.levels(),
            findings: self.worker.findings.clone(),
            counterexamples: self.past.counterexamples.clone(),
        }
    }

    fn levels(&self) -> Vec<u64> {
        self.monitor.levels.clone().unwrap_or_default()
    }

    /// What all workers have reached.
    fn reached(&self) -> Coverage {
        let mut reached = self.worker.expander.stepper().coverage().clone();
        let others = self.threads.resting.iter();
        others.for_each(|worker| reached.merge(worker.expander.stepper().coverage()));
        // What does not fit was refused when it was read.
        reached.merge_words(&self.past.reached);
        reached
    }

    /// The evidence of all violations that are shown.
    fn evidence(&mut self) -> Vec<Evidence> {
        let shown = std::mem::take(&mut self.past.counterexamples).into_iter();
        shown.filter_map(|shown| self.evidence_of(&shown)).collect()
    }

    fn evidence_of(&mut self, shown: &Counterexample) -> Option<Evidence> {
        let mut replay = self.replay();
        let path = replay.visits(&shown.path);
        let last = shown.path.last().filter(|_| !shown.at_start);
        let violation = replay.violation(last.copied(), shown.nth)?;
        Some(Evidence {
            path,
            cycle: Vec::new(),
            violation,
        })
    }

    fn finish(mut self) -> (ExplicitOutcome, Vec<R>) {
        let is_resumable = self.shared.is_clean_stop(&self.tally());
        if is_resumable {
            self.write_checkpoint();
        }
        self.take_findings();
        let extent = self.shared.extent(&self.tally());
        let answers = self.answers(extent);
        let numbers = self.numbers();
        let reached = self.reached();
        let mut others = self.threads.resting.iter();
        let has_atomic_cycle = self.worker.expander.stepper().has_atomic_cycle()
            || others.any(|worker| worker.expander.stepper().has_atomic_cycle());
        let mut evidence = self.evidence().into_iter();
        let first = evidence.next();
        let outcome = ExplicitOutcome {
            claim: Claim::of(first.as_ref()),
            extent,
            evidence: first,
            further: evidence.collect(),
            violations: self.tally().violations,
            statistics: numbers.statistics,
            packed_bytes: numbers.packed_bytes,
            reduction: numbers.reduction,
            omissions: numbers.omissions,
            reached,
            has_atomic_cycle,
            answers,
            estimate: self.estimate(extent),
            levels: self.levels(),
            is_written_down: is_resumable
                && self.shared.options.checkpoints.is_some()
                && self.checkpoint_error.is_none(),
            checkpoint_error: self.checkpoint_error,
        };
        let others = self
            .threads
            .resting
            .drain(..)
            .map(|worker| worker.expander.gatherer.reducer);
        let reducers = std::iter::once(self.worker.expander.gatherer.reducer).chain(others);
        (outcome, reducers.collect())
    }

    /// The answers to all questions, if everything that matters for that is known.
    fn answers(&mut self, extent: Extent) -> Vec<Answer> {
        let questions = &self.shared.options.questions;
        let Some(first) = questions.first().filter(|_| self.is_all_known(extent)) else {
            return Vec::new();
        };
        // They are asked about the same runs.
        let whom = (first.fairness != Fairness::None).then_some(first.whom);
        let logs = self.logs();
        let (shared, expander) = (self.shared, &mut self.worker.expander);
        let graph = match logs {
            Some(logs) => graph::of_logs(&logs, shared, &mut self.monitor),
            None => graph::build(shared, expander, &mut self.monitor, whom),
        };
        let graph = match graph {
            Ok(graph) => graph,
            Err(unfinished) => return vec![Answer::from(unfinished); questions.len()],
        };
        let stepper = graph::stepper(shared, whom);
        let mut survey = Survey::new(&graph, shared, &mut expander.gatherer.reducer, stepper);
        questions.iter().map(|q| survey.answer(q)).collect()
    }

    /// The logs of all workers, if they are kept.
    fn logs(&mut self) -> Option<Vec<StepLog<'p>>> {
        let others = self.threads.resting.iter_mut();
        let others = others.map(|worker| worker.log.take());
        let logs = std::iter::once(self.worker.log.take()).chain(others);
        let logs: Option<Vec<StepLog<'p>>> = logs.collect();
        logs.filter(|_| self.shared.keeps_logs())
    }

    /// Whether all states are known, and nothing is wrong in any of them.
    fn is_all_known(&self, extent: Extent) -> bool {
        let states = &self.shared.states;
        extent == Extent::Complete
            && self.tally().violations.is_empty()
            && states.originals.is_none()
            && states.visited.omissions().is_none()
    }

    fn estimate(&self, extent: Extent) -> Option<Estimate> {
        let levels = self.monitor.levels.as_ref()?;
        let known = self.shared.states.visited.len();
        (extent != Extent::Complete).then(|| estimate(levels, known))
    }

    fn numbers(&mut self) -> Numbers {
        let count = Count {
            tally: &self.tally(),
            natively: self.natively(),
            reduces: !self.worker.expander.gatherer.reducer.is_trivial(),
        };
        numbers(&mut self.monitor, &count)
    }

    /// How many states native code has expanded.
    fn natively(&self) -> u64 {
        let others = self.threads.resting.iter();
        let others = others.map(|worker| worker.expander.stepper().expanded_natively());
        self.past.natively
            + self.worker.expander.stepper().expanded_natively()
            + others.sum::<u64>()
    }
}
