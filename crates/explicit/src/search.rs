//! The search loop.
//!
//! # The algorithm
//!
//! Take some states from the frontier, expand them, find the representative of each successor and its place in the
//! store; then look all of them up, remember those that are new and hand these to the frontier. What is not the loop's business:
//! which successors there are (the stepper's), which state stands for others (the reducer's), whether a state is new (the
//! store's), which one comes next (the frontier's). The loop itself is [`Worker::work`]; this file is about who runs
//! it and what happens before, between and after.
//!
//! # Batches
//!
//! To look a state up is to read a line of a table that is larger than all caches. So a successor is not looked up when it
//! is told: the store is asked to fetch the line, and the question is put when some dozens of others have been told meanwhile.
//! Breadth first that is after 64 successors, of as many states as it takes; depth first after those of one
//! state, since the next state to expand is one of them. Nothing is inserted while a state is being expanded, so an expansion
//! that is interrupted leaves no trace.
//!
//! # Workers and phases
//!
//! Every worker has a stepper, a reducer and a part of the frontier of its own; the store is shared and takes no locks but to
//! grow. A search goes on in *phases*, which end when nothing is left to be expanded or somebody says so. Between phases all workers
//! are at rest and in one hand (`crew`), so whatever needs everything to stand still (the end of a level, a checkpoint)
//! happens there and needs no lock. Threads are started when the first phase comes that is worth it: most models
//! are small. The worker of the calling thread looks after limits and calls the observer, also while it waits for others.
//!
//! # The same answer every time
//!
//! Breadth first, a level is finished before the next one is begun. What is new in a level does not depend on who
//! finds it, so neither do the counts. A violation does not end the search before its level is done: then the least of
//! all that were found is taken, by the bytes of the state ([`Program::compare`]), and the way to it is found
//! backwards in the same manner (`path`). So counts, verdict and counterexample are the same for any number of workers, and the
//! counterexample is a shortest one. Where the order in which states are met decides what comes of them, there is one worker
//! ([`threads`]).
//!
//! Depth first, workers give each other work (`frontier::stack`), and only the counts of a complete search are the
//! same every time. With one worker everything is.
//!
//! # No queue, no parents
//!
//! A state that waits is a name of eight bytes, since the store can decode it; breadth first there are the names of two levels.
//! Nobody remembers from where a state was found: that would cost four bytes a state, a quarter of what a state takes, in every search
//! that finds nothing wrong. Depth first the way is on the stack.
//!
//! # Representatives
//!
//! What is inserted is the state that a [`Reducer`] chooses for a successor; without symmetry, the successor itself.
//! The loop knows no more than that. The reducer sees a successor before it is packed, so a state that is renamed is
//! packed once. Without symmetry the reducer is a type without content and compiles to nothing; with symmetry the call goes
//! through a table, which is a hundredth of what finding a representative costs.
//!
//! Representatives are expanded, or the states as they were met ([`Expand`]). Both visit the same orbits. Expanding
//! originals was rejected as the default: it keeps two states for each orbit instead of one, and what it buys, a path
//! that needs no lifting, costs nothing until there is a violation: each step of the path is found again with its witness.
//!
//! # The turn
//!
//! Whose turn it is in a remembered state is the same for all, unless a claim runs along: where the
//! system has stopped for ever, the claim goes on alone. Such states are told apart by a set of their
//! names on the side, which is small; it is the first visit that counts.
//!
//! # Limits inside a step
//!
//! Between two remembered states there can be any number of moves, so limits, cancellation and the observer
//! are looked after in two places: after every few hundred states, and by [`crate::batch::Arrivals`], which the stepper
//! asks from time to time while it is busy with one state, and which asks itself for every successor once a representative
//! has taken long to find: a strategy that tries all permutations can take seconds for each.
//!
//! # Steps that are left out
//!
//! If the program knows which steps are independent, a stepper tells only some successors of a state ([`Stepper::expand_some`]). By
//! itself that preserves deadlocks, but a process could be put off for ever while others go round in a circle. Sometimes the stepper can
//! say that this cannot be. If not, a state of which steps are left out must have a successor that *leads on*; if it has none, it is expanded fully at once. To lead on is to be new. A
//! chain of states, each of which leads on to the next, cannot come back to where it was, as each state was met later than the one before it; so it
//! ends, and it ends in a state that is expanded fully. There, or earlier, every step that was left out on the way is made, since those
//! made meanwhile are independent of it. That argument asks nothing of the order of the search or of the number of workers.
//!
//! Breadth first, more leads on: a successor one level down, whoever has found it. The depth grows along such a chain, and the
//! counts are the same for any number of workers again. The store keeps depths modulo 255, so from that depth on to lead on is to be new.
//! Depth first, counts depend on the order, which is the same every time with one worker.
//!
//! Where runs are to be kept (`Program::keeps_runs`), every circle of states needs a state that is expanded fully. So *all* successors of
//! a state of which steps are left out must lead on, and there must be one. To lead on is then to have a later mark. The store marks a
//! state with its depth, modulo 255, when the state is first met, in whichever order, and never again. Along states of which steps are left out the
//! marks grow, so these states do not come back to where they began, and at the latest the one with the last mark is expanded fully. The marks of the successors are
//! settled when that is decided and stay as they are, so it is decided in the same way when the graph is written down (`graph`), and the counts are
//! the same for any number of workers breadth first, at any depth.
//!
//! A state with a violation is expanded fully, too, so that the violations of a state have the same numbers when it is
//! expanded once more, and since a step that breaks off is no step to go on with. All else that is done again (`path`, `replay`) makes all steps.
//!
//! [`Stepper::expand_some`]: mandala_encoding::Stepper::expand_some
//!
//! # Cost
//!
//! Peterson's algorithm for four processes, 542,921 states and 2,171,682 transitions, takes 0.31 s of processor time where the same
//! search with interpreted steps takes 0.78 s. 70 per cent of that goes into the store, 20 into finding successors, and less than
//! 9 into the loop, most of it into telling a successor. With two workers the processor time of both together is 1 to 9 per cent more
//! than that of one. Frontier and all, a state takes 14.4 bytes. `examples/throughput.rs` measures it.
//!
//! # Rejected
//!
//! - A loop for each order: they would drift apart.
//! - Looking successors up as they are told: each waits for memory.
//! - A queue for each worker and a hash that says whose a state is: every state crosses a queue, and the store can be shared
//!   at less cost than that.
//! - Ending at the first violation that anybody finds: what is shown would depend on who was faster.

use crate::checkpoint::{self, OpenCheckpoint};
use crate::crew::Crew;
use crate::estimate::estimate;
use crate::footprint::Footprint;
use crate::frontier::{Frontier, Levels, Pool, Stack};
use crate::graph::Surveyor;
use crate::nested;
use crate::options::{Cycles, Expand, OnViolation, Options, Order, SearchError};
use crate::outcome::{
    Answer, Claim, Estimate, Evidence, Extent, Limit, Outcome, Progress, ReductionStatistics,
    Statistics, TimeSplit,
};
use crate::past::{self, Beginning, Past, Proof};
use crate::path::way_back;
use crate::reducer::{Identity, Reducer};
use crate::replay::Replay;
use crate::shared::Shared;
use crate::watch::{Lead, Watch};
use crate::worker::{Finding, START, Tally, Worker};
use mandala_encoding::{Coverage, Program};
use mandala_kripke::Fairness;
use mandala_store::StateRef;
use std::thread::Scope;

/// Explores a program, every state remembered as it is. The observer is called from time to time.
///
/// # Errors
///
/// If the options do not go together, or a checkpoint cannot be written.
pub fn search(
    program: &Program,
    options: &Options,
    observer: &mut dyn FnMut(&Progress),
) -> Result<Outcome, SearchError> {
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
) -> Result<(Outcome, Vec<R>), SearchError> {
    options.check()?;
    match options.order {
        _ if options.cycles == Cycles::Nested => {
            Ok(nested::run(program, options, reducers(), observer))
        }
        Order::BreadthFirst => run::<Levels, R>(program, options, reducers, observer),
        Order::DepthFirst => run::<Stack, R>(program, options, reducers, observer),
    }
}

fn run<F, R>(
    program: &Program,
    options: &Options,
    reducers: &mut dyn FnMut() -> R,
    observer: &mut dyn FnMut(&Progress),
) -> Result<(Outcome, Vec<R>), SearchError>
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
        let mut lead = Lead {
            shared: &shared,
            frontier_bytes: &frontier_bytes,
            observer,
            watch: Watch::new(options, &beginning.past, footprint),
            levels: (!F::KNOWS_PATH).then(|| beginning.past.levels.clone()),
            help_at: None,
        };
        lead.set_aside();
        let mut worker = Worker::new(&shared, 0, reducer);
        worker.resume(&beginning.past, &shared);
        let search: Search<'_, '_, '_, F, R> = Search {
            scope,
            shared: &shared,
            pool: &pool,
            reducers,
            lead,
            worker,
            crew: Crew::new(),
            past: beginning.past,
            checkpoint_error: None,
        };
        Ok(search.run())
    })
}

/// What a search begins with: nothing, or what was written down.
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
    if !written.is_of(&checkpoints.description, &past::kind(program, options)) {
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
        || options.expand == Expand::Originals;
    if ordered { 1 } else { options.threads() }
}

/// A search that is going on.
struct Search<'scope, 'env, 'p, F: Frontier, R> {
    scope: &'scope Scope<'scope, 'env>,
    shared: &'scope Shared<'p>,
    pool: &'scope F::Pool,
    reducers: &'scope mut dyn FnMut() -> R,
    lead: Lead<'scope, 'p>,
    worker: Worker<'p, F, R>,
    crew: Crew<'scope, 'p, F, R>,
    /// What was found out in the hands of no worker.
    past: Past,
    /// Why a checkpoint could not be written.
    checkpoint_error: Option<SearchError>,
}

impl<'p: 'scope, 'scope, F, R> Search<'scope, '_, 'p, F, R>
where
    F: Frontier + 'scope,
    R: Reducer + Send + 'scope,
{
    fn run(mut self) -> (Outcome, Vec<R>) {
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
        let (start, wrong) = self.worker.begin(self.shared, self.pool, &mut self.lead);
        self.advance();
        self.past.proof = wrong.map(|nth| Proof {
            path: start.into_iter().collect(),
            at_start: true,
            nth,
        });
    }

    /// Expands everything that can be reached.
    fn explore(&mut self) {
        loop {
            self.phase();
            if self.shared.signals.unpause() {
                if self.lead.watch.is_checkpoint_due() {
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
        if let (Some(levels), true) = (&mut self.lead.levels, states > 0) {
            levels.push(states as u64);
        }
        states > 0
    }

    /// Lets the workers work until nothing is left for them, or they are to stop.
    fn phase(&mut self) {
        let several = self.shared.desks.len() > 1;
        // Where nobody knows how many wait, it is as many as have been expanded.
        let expected = self.pool.waiting().unwrap_or(self.tally().taken as usize);
        let share_from = self.shared.options.share_from;
        // Threads that are there already are worth less work than those that would have to be started.
        let enough = match self.crew.is_hired() {
            true => share_from / 4,
            false => share_from,
        };
        let wide = several && expected >= enough;
        if wide && !self.crew.is_hired() {
            self.hire();
        }
        let asks = several && !wide && self.pool.waiting().is_none();
        self.lead.help_at = asks.then_some(share_from as u64);
        self.pool
            .begin(if wide { self.shared.desks.len() } else { 1 });
        if wide {
            self.crew.send_out();
        }
        self.worker.work(self.shared, self.pool, &mut self.lead);
        if wide {
            self.crew.gather(&mut self.lead);
        }
    }

    fn hire(&mut self) {
        for number in 1..self.shared.desks.len() {
            let mut reducer = (self.reducers)();
            // What it cannot use it need not know.
            reducer.recall(&self.worker.gatherer.reducer.notes());
            let worker = Worker::new(self.shared, number, reducer);
            self.crew.hire(self.scope, self.shared, self.pool, worker);
        }
    }

    /// What all workers have counted.
    fn tally(&self) -> Tally {
        let mut sum = self.worker.tally;
        let others = self.crew.resting.iter();
        others.for_each(|worker| sum.add(&worker.tally));
        sum
    }

    /// Whether there is a violation and that is enough.
    fn is_satisfied(&self) -> bool {
        self.shared.options.on_violation == OnViolation::Stop && self.tally().violations > 0
    }

    /// Takes the least of the violations that the workers have found.
    fn least_finding(&mut self) -> Option<Finding> {
        let others = self.crew.resting.iter_mut();
        let others = others.filter_map(|worker| worker.finding.take());
        let found = self.worker.finding.take().into_iter().chain(others);
        let program = self.shared.program;
        found.min_by(|a, b| program.compare(&a.packed, &b.packed))
    }

    /// Keeps the least violation, and the way to it, unless there is one already.
    fn take_findings(&mut self) {
        if let (Some(finding), None) = (self.least_finding(), &self.past.proof) {
            self.past.proof = Some(Proof {
                at_start: false,
                nth: finding.nth,
                path: self.path_to(finding),
            });
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
        Replay::new(self.shared, &mut self.worker.gatherer.reducer)
    }

    /// Writes down how far the search is. If that fails, the search goes on, and the failure is told in the end.
    fn write_checkpoint(&mut self) {
        let Some(checkpoints) = &self.shared.options.checkpoints else {
            return;
        };
        self.worker.finding = self.least_finding();
        let present = self.present();
        let others = self.crew.resting.iter().map(|worker| &worker.frontier);
        let frontiers: Vec<&F> = std::iter::once(&self.worker.frontier)
            .chain(others)
            .collect();
        let shared = self.shared;
        let notes = self.worker.gatherer.reducer.notes();
        let kind = past::kind(shared.program, shared.options);
        let written = checkpoint::write(checkpoints, &kind, &mut |out| {
            past::save(shared, &present, &notes, out)?;
            F::save(self.pool, &frontiers, out)?;
            past::save_states(&shared.states, out)
        });
        self.checkpoint_error = self.checkpoint_error.take().or(written.err());
        self.lead.watch.checkpoint_written();
    }

    /// Everything that was found out so far.
    fn present(&mut self) -> Past {
        self.lead.note();
        Past {
            tally: self.tally(),
            elapsed: self.lead.watch.elapsed(),
            split: self.split(),
            natively: self.natively(),
            peak: self.lead.watch.peak,
            frontier_peak: self.lead.watch.frontier_peak,
            reached: self.reached().to_words(),
            levels: self.levels(),
            finding: self.worker.finding.clone(),
            proof: self.past.proof.clone(),
        }
    }

    fn levels(&self) -> Vec<u64> {
        self.lead.levels.clone().unwrap_or_default()
    }

    /// What all workers have reached.
    fn reached(&self) -> Coverage {
        let mut reached = self.worker.stepper.coverage().clone();
        let others = self.crew.resting.iter();
        others.for_each(|worker| reached.merge(worker.stepper.coverage()));
        // What does not fit was refused when it was read.
        reached.merge_words(&self.past.reached);
        reached
    }

    fn evidence(&mut self) -> Option<Evidence> {
        let proof = self.past.proof.take()?;
        let mut replay = self.replay();
        let path = replay.visits(&proof.path);
        let last = proof.path.last().filter(|_| !proof.at_start);
        let violation = replay.violation(last.copied(), proof.nth)?;
        Some(Evidence {
            path,
            cycle: Vec::new(),
            violation,
        })
    }

    fn extent(&self) -> Extent {
        match self.shared.signals.limit() {
            _ if self.is_satisfied() => Extent::FirstViolation,
            Some(limit) => Extent::Limited(limit),
            None if self.tally().cut => Extent::Limited(Limit::Depth),
            None => Extent::Complete,
        }
    }

    fn finish(mut self) -> (Outcome, Vec<R>) {
        if self.shared.signals.is_clean_stop() {
            self.write_checkpoint();
        }
        self.take_findings();
        let extent = self.extent();
        let answers = self.answers(extent);
        let statistics = self.statistics();
        let reached = self.reached();
        let mut others = self.crew.resting.iter();
        let goes_round =
            self.worker.stepper.goes_round() || others.any(|worker| worker.stepper.goes_round());
        let evidence = self.evidence();
        let outcome = Outcome {
            claim: match &evidence {
                Some(_) => Claim::Violated,
                None => Claim::NoViolation,
            },
            extent,
            evidence,
            violations: self.tally().violations,
            statistics,
            reached,
            goes_round,
            answers,
            estimate: self.estimate(extent),
            levels: self.levels(),
            checkpoint_error: self.checkpoint_error,
        };
        let others = self
            .crew
            .resting
            .drain(..)
            .map(|worker| worker.gatherer.reducer);
        let reducers = std::iter::once(self.worker.gatherer.reducer).chain(others);
        (outcome, reducers.collect())
    }

    /// The answers to all questions, if everything that matters for that is known.
    fn answers(&mut self, extent: Extent) -> Vec<Answer> {
        let Options {
            questions,
            propositions,
            ..
        } = self.shared.options;
        let Some(first) = questions.first().filter(|_| self.is_all_known(extent)) else {
            return Vec::new();
        };
        let mut surveyor = self.surveyor();
        // They are asked about the same runs.
        let whom = (first.fairness != Fairness::None).then_some(first.whom);
        let graph = match surveyor.graph(whom, propositions) {
            Ok(graph) => graph,
            Err(unfinished) => return vec![Answer::from(unfinished); questions.len()],
        };
        let answers = questions.iter().map(|q| surveyor.answer(&graph, q));
        answers.collect()
    }

    fn surveyor(&mut self) -> Surveyor<'_, 'scope, 'p, R> {
        let replay = Replay::new(self.shared, &mut self.worker.gatherer.reducer);
        Surveyor::new(replay, &mut self.lead)
    }

    /// Whether all states are known, and nothing is wrong in any of them.
    fn is_all_known(&self, extent: Extent) -> bool {
        let states = &self.shared.states;
        extent == Extent::Complete
            && self.tally().violations == 0
            && states.originals.is_none()
            && states.visited.omissions().is_none()
    }

    fn estimate(&self, extent: Extent) -> Option<Estimate> {
        let levels = self.lead.levels.as_ref()?;
        let known = self.shared.states.visited.len();
        (extent != Extent::Complete).then(|| estimate(levels, known))
    }

    fn statistics(&mut self) -> Statistics {
        let count = Count {
            tally: self.tally(),
            split: self.split(),
            natively: self.natively(),
            reduces: !self.worker.gatherer.reducer.is_trivial(),
        };
        statistics(&mut self.lead, &count)
    }

    /// How many states native code has expanded.
    fn natively(&self) -> u64 {
        let others = self.crew.resting.iter();
        let others = others.map(|worker| worker.stepper.expanded_natively());
        self.past.natively + self.worker.stepper.expanded_natively() + others.sum::<u64>()
    }

    fn split(&self) -> TimeSplit {
        let mut split = self.past.split;
        split += self.worker.gatherer.meter.reading();
        let others = self.crew.resting.iter();
        others.for_each(|worker| split += worker.gatherer.meter.reading());
        split
    }
}

/// What was counted in a search.
pub(crate) struct Count {
    pub tally: Tally,
    pub split: TimeSplit,
    /// How many states native code has expanded.
    pub natively: u64,
    /// Whether some state stands for others.
    pub reduces: bool,
}

/// The numbers about a search that has ended.
pub(crate) fn statistics(lead: &mut Lead<'_, '_>, count: &Count) -> Statistics {
    let elapsed = lead.watch.elapsed();
    lead.note();
    let Count {
        tally,
        split,
        natively,
        reduces,
    } = *count;
    let shared = lead.shared;
    let states = shared.states.visited.len();
    // The state that showed that there are more than allowed is not counted.
    let most = shared.options.limits.states.unwrap_or(usize::MAX) as u64;
    let held = shared.states.bytes() as u64 + lead.watch.frontier_peak;
    Statistics {
        workers: shared.desks.len(),
        states: states.min(most),
        transitions: transitions(shared, &tally),
        expanded: tally.expanded,
        expanded_natively: natively,
        depth: tally.depth,
        seconds: elapsed.as_secs_f64(),
        peak_bytes: lead.watch.peak,
        packed_bytes: shared.states.visited.packed_bytes(),
        bytes_per_state: held as f64 / states.max(1) as f64,
        split,
        reduction: ReductionStatistics {
            states: if reduces { tally.transitions } else { 0 },
            not_canonical: tally.not_canonical,
            seconds: if reduces { split.canonicalise } else { 0.0 },
        },
        expanded_partly: tally.partly,
        left_out: tally.left_out,
        omissions: shared.states.visited.omissions(),
    }
}

/// How many steps were taken. To arrive at the start is one, unless the start is no state.
fn transitions(shared: &Shared<'_>, tally: &Tally) -> u64 {
    match shared.program.start_is_held() {
        true => tally.transitions.saturating_sub(START),
        false => tally.transitions,
    }
}
