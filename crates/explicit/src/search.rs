//! The search loop.
//!
//! # The algorithm
//!
//! Take a state from the frontier, expand it, insert each successor into the visited set, hand those that
//! are new to the frontier. What is not the loop's business: which successors there are (the
//! stepper's), whether a state is new (the visited set's), which one comes next (the frontier's).
//!
//! # No queue
//!
//! Breadth first, the visited set is its own queue. States are numbered as they are
//! inserted, so those found while a level is expanded are a range of numbers, and that range is the next
//! level. A queue would copy what is there already. Depth first, a stack of numbers is kept.
//!
//! # No parents
//!
//! A number for the predecessor of each state would let a counterexample be read off, and cost four bytes
//! a state, a fifth of a small one, in every search that finds nothing wrong. Instead the path is found backwards when
//! it is wanted: the predecessor of a state lies in the level before its own, and whoever there leads to it
//! is one. That expands each level up to the violation at most once more, so a counterexample costs
//! at most as much as it took to find it. Depth first, the path is on the stack.
//!
//! # Representatives
//!
//! What is inserted is the state that a [`Reducer`] chooses for a successor; without symmetry, the successor itself.
//! The loop knows no more than that. The reducer sees a successor before it is packed, so a state that is renamed is
//! packed once. Without symmetry the reducer is a type without content and compiles to nothing; with symmetry the call goes
//! through a table, which is a hundredth of what finding a representative costs, and there is one more copy of the
//! loop, not one for each strategy.
//!
//! Representatives are expanded, or the states as they were met ([`Expand`]). Both visit the same orbits. Expanding
//! originals was rejected as the default: it keeps two states for each orbit instead of one, and what it buys, a path
//! that needs no lifting, costs nothing until there is a violation: each step of the path is found again with its witness.
//!
//! # The turn
//!
//! Whose turn it is in a remembered state is the same for all, unless a claim runs along: where the
//! system has stopped for ever, the claim goes on alone. Such states are told apart by a set of their
//! numbers on the side, which is small; it is the first visit that counts.
//!
//! # Limits inside a step
//!
//! Between two remembered states there can be any number of moves, so limits, cancellation and the observer
//! are looked after in two places: here after every [`BATCH`] of states, and by [`Arrivals`], which the stepper
//! asks from time to time while it is busy with one state, and which asks itself for every successor once a representative
//! has taken long to find: a strategy that tries all permutations can take seconds for each.
//!
//! # Cost
//!
//! Peterson's algorithm for four processes, 542,921 states of 18 bytes and 2,171,682 transitions, takes 0.44 s
//! of one core's time in either order: 1.2 million states and 4.9 million transitions a second, as much
//! as Spin's verifier compiled with `-O2` needs on the same machine. 38 per cent of that goes into the
//! visited set, mostly cache misses, 18 into running code, the rest into finding and undoing moves and packing states.
//! 25.3 bytes are held for each state, 1.41 times its packed size. `examples/throughput.rs` measures it.
//!
//! # Rejected
//!
//! - A loop for each order: they would drift apart.
//! - Collecting all successors of a state before inserting them: a copy of each, and nothing
//!   gained as long as nobody prefetches.

use crate::frontier::{Frontier, Levels, Stack};
use crate::meter::Meter;
use crate::options::{Expand, OnViolation, Options, Order};
use crate::outcome::{Claim, Evidence, Extent, Limit, Outcome, Progress, Statistics};
use crate::reducer::{Identity, Reducer};
use crate::replay::Replay;
use crate::states::States;
use mandala_encoding::{Arrival, Incomplete, Program, Sink, Stepper};
use mandala_model::step::{Turn, Violation};
use mandala_store::{Insertion, StateId, StoreFull, VisitedSet};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How many states are expanded between looks at the clock and calls of the observer.
const BATCH: u32 = 512;

/// Explores a program. The observer is called from time to time. Without a reducer every state is remembered
/// as it is.
pub fn search(
    program: &Program,
    options: &Options,
    reducer: Option<&mut dyn Reducer>,
    observer: &mut dyn FnMut(&Progress),
) -> Outcome {
    match reducer {
        Some(reducer) => search_with(program, options, reducer, observer),
        None => search_with(program, options, Identity, observer),
    }
}

fn search_with<R: Reducer>(
    program: &Program,
    options: &Options,
    reducer: R,
    observer: &mut dyn FnMut(&Progress),
) -> Outcome {
    match options.order {
        Order::BreadthFirst => {
            Search::new(program, options, Levels::default(), reducer).run(observer)
        }
        Order::DepthFirst => Search::new(program, options, Stack::default(), reducer).run(observer),
    }
}

/// A search that is going on.
struct Search<'p, F, R> {
    options: &'p Options,
    stepper: Stepper<'p>,
    memory: Memory<F, R>,
    /// The depth of the deepest state that was expanded.
    depth: u32,
    evidence: Option<Evidence>,
    violations: u64,
    watch: Watch<'p>,
}

/// Looks after what may end a search before everything has been looked at.
struct Watch<'p> {
    options: &'p Options,
    began: Instant,
    /// The most memory that was seen in use.
    peak: usize,
}

/// What a search remembers.
struct Memory<F, R> {
    reducer: R,
    meter: Meter,
    states: States,
    frontier: F,
    transitions: u64,
    most_states: usize,
}

/// Why the loop ends.
enum End {
    Exhausted,
    Violation,
    Limit(Limit),
}

impl<'p, F: Frontier, R: Reducer> Search<'p, F, R> {
    fn new(program: &'p Program, options: &'p Options, frontier: F, reducer: R) -> Self {
        let set = || VisitedSet::with_limit(options.limits.memory.unwrap_or(usize::MAX));
        let originals = (options.expand == Expand::Originals).then(set);
        Search {
            options,
            stepper: program.stepper(),
            memory: Memory {
                reducer,
                meter: Meter::default(),
                states: States::new(set(), originals, program.open_turn()),
                frontier,
                transitions: 0,
                most_states: options.limits.states.unwrap_or(usize::MAX),
            },
            depth: 0,
            evidence: None,
            violations: 0,
            watch: Watch {
                options,
                began: Instant::now(),
                peak: 0,
            },
        }
    }

    fn run(mut self, observer: &mut dyn FnMut(&Progress)) -> Outcome {
        let end = match self.begin(observer) {
            Some(end) => end,
            None => self.explore(observer),
        };
        self.outcome(end)
    }

    /// Remembers the start.
    fn begin(&mut self, observer: &mut dyn FnMut(&Progress)) -> Option<End> {
        let mut arrivals = Arrivals::new(&mut self.memory, &mut self.watch, observer, 0);
        let oversize = self.stepper.start(&mut arrivals).is_err();
        let Arrivals { wrong, limit, .. } = arrivals;
        if !wrong.is_empty() {
            let visited = &self.memory.states.visited;
            let path = Vec::from_iter(visited.between(&Default::default(), &visited.mark()));
            self.record(wrong, |_| path);
        }
        self.end_of_step(oversize.then_some(Limit::StateSize).or(limit))
    }

    fn explore(&mut self, observer: &mut dyn FnMut(&Progress)) -> End {
        let mut packed = Vec::new();
        let mut cut = false;
        loop {
            for _ in 0..BATCH {
                let Some((id, depth)) = self.memory.frontier.next(&self.memory.states.visited)
                else {
                    return match cut {
                        true => End::Limit(Limit::Depth),
                        false => End::Exhausted,
                    };
                };
                self.depth = self.depth.max(depth);
                if self
                    .options
                    .limits
                    .depth
                    .is_some_and(|limit| depth >= limit)
                {
                    cut = true;
                    continue;
                }
                packed.clear();
                packed.extend_from_slice(self.memory.states.expanded(id));
                if let Some(end) = self.expand(id, &packed, depth, observer) {
                    return end;
                }
            }
            let held = self.stepper.bytes();
            let now = self.memory.progress(self.depth, held, &self.watch);
            if let Some(limit) = self.watch.look(&now, observer) {
                return End::Limit(limit);
            }
        }
    }

    /// Expands one state.
    #[inline]
    fn expand(
        &mut self,
        id: StateId,
        packed: &[u8],
        depth: u32,
        observer: &mut dyn FnMut(&Progress),
    ) -> Option<End> {
        let turn = self.memory.states.turn(id);
        let mut arrivals = Arrivals::new(&mut self.memory, &mut self.watch, observer, depth + 1);
        let done = self.stepper.expand(packed, turn, &mut arrivals);
        let Arrivals { wrong, limit, .. } = arrivals;
        if wrong.is_empty() && limit.is_none() && done.is_ok() {
            return None;
        }
        let oversize = done == Err(Incomplete::Oversize);
        self.record(wrong, |search| search.path());
        self.end_of_step(oversize.then_some(Limit::StateSize).or(limit))
    }

    /// The ids of the states from the start to the one that is being expanded.
    fn path(&mut self) -> Vec<StateId> {
        let memory = &mut self.memory;
        memory.frontier.path(&mut Replay {
            stepper: &mut self.stepper,
            reducer: &mut memory.reducer,
            states: &memory.states,
        })
    }

    /// Counts violations and keeps the first of all with the path to it.
    #[cold]
    fn record(&mut self, wrong: Vec<Violation>, path: impl FnOnce(&mut Self) -> Vec<StateId>) {
        let counts = |violation: &Violation| self.options.concerns.include(violation);
        let wrong: Vec<_> = wrong.into_iter().filter(counts).collect();
        self.violations += wrong.len() as u64;
        let first = wrong.into_iter().next();
        if let (Some(violation), None) = (first, &self.evidence) {
            let ids = path(self);
            let mut replay = Replay {
                stepper: &mut self.stepper,
                reducer: &mut self.memory.reducer,
                states: &self.memory.states,
            };
            self.evidence = Some(Evidence {
                path: replay.visits(&ids),
                violation,
            });
        }
    }

    fn end_of_step(&self, limit: Option<Limit>) -> Option<End> {
        if self.violations > 0 && self.options.on_violation == OnViolation::Stop {
            return Some(End::Violation);
        }
        limit.map(End::Limit)
    }

    fn outcome(self, end: End) -> Outcome {
        let statistics = self.statistics(self.watch.began.elapsed());
        Outcome {
            claim: match &self.evidence {
                Some(_) => Claim::Violated,
                None => Claim::NoViolation,
            },
            extent: match end {
                End::Exhausted => Extent::Complete,
                End::Violation => Extent::FirstViolation,
                End::Limit(limit) => Extent::Limited(limit),
            },
            evidence: self.evidence,
            violations: self.violations,
            statistics,
            reached: self.stepper.coverage().clone(),
        }
    }

    fn statistics(&self, elapsed: Duration) -> Statistics {
        let memory = &self.memory;
        let visited = &memory.states.visited;
        // The state that showed that there are more than allowed is not counted.
        let states = visited.len().min(memory.most_states);
        Statistics {
            states: states as u64,
            transitions: memory.transitions,
            depth: self.depth,
            seconds: elapsed.as_secs_f64(),
            peak_bytes: memory.bytes().max(self.watch.peak) as u64,
            packed_bytes: visited.packed_bytes(),
            bytes_per_state: visited.bytes() as f64 / visited.len().max(1) as f64,
            reduction: memory.meter.reading(),
        }
    }
}

impl<F: Frontier, R: Reducer> Memory<F, R> {
    fn bytes(&self) -> usize {
        self.states.bytes() + self.frontier.bytes() + self.reducer.bytes()
    }

    /// How far the search is, if the stepper holds that much memory beside.
    fn progress(&self, depth: u32, held: usize, watch: &Watch<'_>) -> Progress {
        Progress {
            states: self.states.visited.len() as u64,
            transitions: self.transitions,
            depth,
            waiting: self.frontier.waiting(&self.states.visited) as u64,
            bytes: (self.bytes() + held) as u64,
            elapsed: watch.began.elapsed(),
        }
    }
}

impl Watch<'_> {
    /// Shows the observer how far the search is, and says whether it must end now.
    fn look(&mut self, now: &Progress, observer: &mut dyn FnMut(&Progress)) -> Option<Limit> {
        self.peak = self.peak.max(now.bytes as usize);
        observer(now);
        let limits = &self.options.limits;
        let cancel = self.options.cancel.as_ref();
        if cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        if limits.time.is_some_and(|limit| now.elapsed >= limit) {
            return Some(Limit::Time);
        }
        let over = limits.memory.is_some_and(|limit| now.bytes > limit as u64);
        over.then_some(Limit::Memory)
    }

    /// Whether one of those is what the search was to end at.
    fn is_satisfied(&self, wrong: &[Violation]) -> bool {
        let counts = |violation| self.options.concerns.include(violation);
        self.options.on_violation == OnViolation::Stop && wrong.iter().any(counts)
    }
}

/// Where the successors of one state go.
struct Arrivals<'a, 'p, F, R> {
    memory: &'a mut Memory<F, R>,
    watch: &'a mut Watch<'p>,
    observer: &'a mut dyn FnMut(&Progress),
    /// The depth of the successors.
    depth: u32,
    wrong: Vec<Violation>,
    limit: Option<Limit>,
}

impl<'a, 'p, F: Frontier, R: Reducer> Arrivals<'a, 'p, F, R> {
    #[inline]
    fn new(
        memory: &'a mut Memory<F, R>,
        watch: &'a mut Watch<'p>,
        observer: &'a mut dyn FnMut(&Progress),
        depth: u32,
    ) -> Self {
        Arrivals {
            memory,
            watch,
            observer,
            depth,
            wrong: Vec::new(),
            limit: None,
        }
    }

    /// Remembers the representative of an arrival, if it is new.
    #[inline]
    fn insert(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) -> Result<(), StoreFull> {
        let memory = &mut *self.memory;
        let timer = memory.meter.start(&memory.reducer);
        let representative = memory.reducer.representative(arrival)?;
        let canonical = representative.canonical;
        memory.meter.stop(timer);
        if let Insertion::New(id) = memory.states.visited.insert(representative.packed)? {
            memory.meter.count_new(canonical);
            if memory.states.originals.is_some() {
                memory.states.keep_original(id, arrival.packed())?;
            }
            self.remember(id, turn);
        }
        Ok(())
    }

    /// Whether the search must end here. Where finding representatives takes long, that is asked for every one of them.
    #[inline]
    fn is_over(&mut self) -> bool {
        self.memory.meter.is_slow() && !self.keep_going(0)
    }

    #[inline]
    fn remember(&mut self, id: StateId, turn: Turn) {
        self.memory.states.set_turn(id, turn);
        self.memory.frontier.found(id, self.depth);
        if self.memory.states.visited.len() > self.memory.most_states {
            self.limit = Some(Limit::States);
        }
    }
}

impl<F: Frontier, R: Reducer> Sink for Arrivals<'_, '_, F, R> {
    #[inline]
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        if self.is_over() {
            return;
        }
        self.memory.transitions += 1;
        if let Err(full) = self.insert(arrival, turn) {
            self.limit = Some(limit_of(full));
        }
    }

    fn violation(&mut self, violation: Violation) {
        self.wrong.push(violation);
    }

    fn keep_going(&mut self, held: usize) -> bool {
        // The state that is being expanded is one step above its successors.
        let depth = self.depth.saturating_sub(1);
        let now = self.memory.progress(depth, held, self.watch);
        self.limit = self.limit.or(self.watch.look(&now, self.observer));
        self.limit.is_none() && !self.watch.is_satisfied(&self.wrong)
    }
}

fn limit_of(full: StoreFull) -> Limit {
    match full {
        StoreFull::Memory => Limit::Memory,
        StoreFull::Ids => Limit::StateNumbers,
        StoreFull::Length => Limit::StateSize,
    }
}
