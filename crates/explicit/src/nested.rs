//! Runs that go round through accepting states for ever, found on the way: nested depth-first search.
//!
//! # The algorithm
//!
//! That of Schwoon and Esparza (2005), which needs two bits a state. A depth-first search colours states: *white* when they are
//! found, *cyan* while they are on its path, and *blue* when everything that follows them has been looked at. When
//! it leaves an accepting state, a second search starts there and colours *red* what it passes. It looks for a state that is cyan: from
//! there the path leads back to where the second search has started, so the circle is closed. A state that is red does not lead to an
//! accepting cycle, so it is passed once, and the second searches together expand each state once more at most. Many cycles are found
//! without a second search: a step to a cyan state closes a circle, and it is an accepting one if either end is
//! accepting. A state all of whose successors are red becomes red at once.
//!
//! The colour of a state, and whether it is accepting, are kept in the byte beside it that holds depths in other
//! searches.
//!
//! # Why it is right with symmetry
//!
//! States are representatives, and a step leads to what represents the state that was met. Each circle of representatives is a circle of the
//! model that comes back with other names: going round again and again, the names come back too, since
//! there are finitely many ways to rename. So a circle here is a real one. And a run that goes through accepting states for ever is represented,
//! state by state, by one that does the same here, where there are finitely many states. It does not matter whether an orbit has one
//! representative or several. That accepting states are represented by accepting states is part of the certificate:
//! a renaming leaves the claim where it is.
//!
//! # Where runs end
//!
//! A run that stops is taken to stand still for ever: the stepper tells such a state again, with the claim one step further. A state without
//! successors is one where the claim cannot go on, and there is nothing to be followed.
//!
//! # Rejected
//!
//! - The algorithm of Courcoubetis, Vardi, Wolper and Yannakakis as Spin has it: it finds cycles later and goes through more states twice.
//! - To look for components instead: that needs a number for every state on the way, and is what is done where runs have to be
//!   fair.

use crate::batch::{Gatherer, limit_of};
use crate::footprint::Footprint;
use crate::names::Names;
use crate::options::{OnViolation, Options};
use crate::outcome::{Claim, Evidence, Extent, Limit, Outcome, Progress};
use crate::reducer::Reducer;
use crate::replay::Replay;
use crate::search::{Count, statistics};
use crate::shared::Shared;
use crate::states::{Access, States};
use crate::watch::{Lead, Overseer};
use crate::worker::Tally;
use mandala_encoding::{Incomplete, Program, Stepper};
use mandala_model::step::Violation;
use mandala_store::StateRef;
use std::sync::atomic::Ordering;

/// How many states are expanded between looks at the clock and calls of the observer.
const PATROL: u32 = 256;

/// How far the search is with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// It was found, and not expanded yet.
    White,
    /// It is on the path of the first search.
    Cyan,
    /// All that follows it was looked at by the first search.
    Blue,
    /// All that follows it was looked at by both, or needs only one.
    Red,
}

/// What is kept beside a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    colour: Colour,
    accepting: bool,
}

/// The bit of a tag that says that a state is accepting.
const ACCEPTING: u8 = 8;

impl Mark {
    fn tag(self) -> u8 {
        let colour = match self.colour {
            Colour::White => 1,
            Colour::Cyan => 2,
            Colour::Blue => 3,
            Colour::Red => 4,
        };
        colour | if self.accepting { ACCEPTING } else { 0 }
    }

    fn from_tag(tag: u8) -> Self {
        Mark {
            colour: match tag & !ACCEPTING {
                1 => Colour::White,
                2 => Colour::Cyan,
                3 => Colour::Blue,
                _ => Colour::Red,
            },
            accepting: tag & ACCEPTING != 0,
        }
    }
}

/// A path, and what remains to be looked at from each of its states.
#[derive(Debug, Default)]
struct Trail {
    frames: Vec<Frame>,
    /// The successors that remain, those of the last frame last.
    waiting: Names,
}

/// A state of a path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    state: StateRef,
    accepting: bool,
    /// Whether all successors looked at so far are red.
    all_red: bool,
    /// Where its successors begin among those that wait.
    begin: usize,
}

impl Trail {
    /// The next successor of the last state of the path.
    fn next(&mut self) -> Option<StateRef> {
        let begin = self.frames.last().map_or(0, |frame| frame.begin);
        match self.waiting.len() > begin {
            true => self.waiting.pop(),
            false => None,
        }
    }

    /// Lets states wait, the first one to come next: that is the order in which Spin goes, and which modellers write for.
    fn wait(&mut self, states: &Names) {
        states
            .iter()
            .rev()
            .for_each(|state| self.waiting.push(state));
    }

    fn states(&self) -> impl Iterator<Item = StateRef> {
        self.frames.iter().map(|frame| frame.state)
    }

    fn clear(&mut self) {
        self.frames.clear();
        self.waiting.truncate(0);
    }

    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>() + self.waiting.bytes()
    }
}

/// Which of the two searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    First,
    Second,
}

/// What is wrong, and where.
#[derive(Clone, Debug)]
struct Found {
    path: Vec<StateRef>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Before there is a state: the violation of that number.
    AtStart(usize),
    /// In the last state of the path or a step from it: the violation of that number.
    Here(usize),
    /// These states come after the path, the last of which is that of the path.
    Cycle(Vec<StateRef>),
}

/// Explores a program and looks for accepting cycles.
pub(crate) fn run<R: Reducer>(
    program: &Program,
    options: &Options,
    reducer: R,
    observer: &mut dyn FnMut(&Progress),
) -> (Outcome, Vec<R>) {
    let footprint = Footprint::new(options.gauge);
    let states = States::new(options, program.open_turn());
    let shared = Shared::new(program, options, states, 1);
    let lead = Lead::alone(&shared, footprint, observer);
    let search = Nested {
        stepper: shared.stepper(),
        again: shared.stepper(),
        access: shared.states.access(),
        shared: &shared,
        lead,
        gatherer: Gatherer::new(reducer),
        blue: Trail::default(),
        red: Trail::default(),
        tally: Tally::default(),
        since_look: 0,
        found: None,
    };
    search.run()
}

/// A search that is going on.
struct Nested<'s, 'p, R> {
    shared: &'s Shared<'p>,
    lead: Lead<'s, 'p>,
    stepper: Stepper<'p>,
    /// Makes the steps of the second search, which are not counted.
    again: Stepper<'p>,
    gatherer: Gatherer<R>,
    access: Access<'s>,
    /// The path of the first search.
    blue: Trail,
    /// That of the second.
    red: Trail,
    tally: Tally,
    /// How many states were expanded since the last look at limits.
    since_look: u32,
    found: Option<Found>,
}

impl<R: Reducer> Nested<'_, '_, R> {
    fn run(mut self) -> (Outcome, Vec<R>) {
        self.begin();
        while self.is_running() {
            match self.blue.next() {
                Some(state) => self.meet(state),
                None if self.blue.frames.is_empty() => break,
                None => self.leave(),
            }
        }
        self.finish()
    }

    fn is_running(&self) -> bool {
        !self.shared.signals.is_stopped()
    }

    /// Finds the states that runs start in.
    fn begin(&mut self) {
        let mut wrong = Vec::new();
        let (mut arrivals, _) = self.gatherer.arrivals(
            self.shared,
            &mut self.access,
            &mut self.lead,
            &mut wrong,
            None,
        );
        let oversize = self.stepper.start(&mut arrivals).is_err();
        let limit = oversize.then_some(Limit::StateSize).or(arrivals.limit);
        self.stop_at(limit);
        self.blue.waiting = self.settle();
        self.tally.transitions = 1;
        let held = self.shared.program.start_is_held();
        let start = self.blue.waiting.iter().next().filter(|_| !held);
        self.record(&wrong, Kind::AtStart, start.into_iter().collect());
    }

    /// The first search comes to a state.
    fn meet(&mut self, state: StateRef) {
        let mark = self.mark(state);
        match mark.colour {
            Colour::White => return self.enter(state, mark),
            Colour::Cyan => {
                let closes = |frame: &Frame| frame.accepting || mark.accepting;
                if self.blue.frames.last().is_some_and(closes) {
                    self.close(state);
                }
            }
            Colour::Blue => {}
            Colour::Red => return,
        }
        self.note_other_than_red();
    }

    /// The last state of the path has a successor that is not red.
    fn note_other_than_red(&mut self) {
        if let Some(frame) = self.blue.frames.last_mut() {
            frame.all_red = false;
        }
    }

    /// The first search goes on from a state that it has not been to.
    fn enter(&mut self, state: StateRef, mark: Mark) {
        let depth = self.blue.frames.len() as u32;
        self.tally.taken += 1;
        self.tally.depth = self.tally.depth.max(depth);
        self.paint(state, Colour::Cyan);
        let begin = self.blue.waiting.len();
        self.blue.frames.push(Frame {
            state,
            accepting: mark.accepting,
            all_red: true,
            begin,
        });
        let limit = self.shared.options.limits.depth;
        if limit.is_some_and(|deepest| depth >= deepest) {
            self.tally.cut = true;
            return;
        }
        let (successors, wrong) = self.expand(state, Pass::First);
        self.tally.expanded += 1;
        self.tally.transitions += successors.len() as u64;
        self.blue.wait(&successors);
        if !wrong.is_empty() {
            self.record(&wrong, Kind::Here, self.blue.states().collect());
        }
        self.patrol();
    }

    /// The first search goes back from the last state of its path.
    fn leave(&mut self) {
        let Some(&frame) = self.blue.frames.last() else {
            return;
        };
        let colour = match frame {
            Frame { all_red: true, .. } => Colour::Red,
            Frame {
                accepting: true, ..
            } => {
                self.search_back_to(frame.state);
                Colour::Red
            }
            _ => Colour::Blue,
        };
        if !self.is_running() {
            return;
        }
        self.paint(frame.state, colour);
        self.blue.frames.pop();
        if colour != Colour::Red {
            self.note_other_than_red();
        }
    }

    /// The second search: looks for a way from the last state of the path, which is accepting, to any state of the path.
    fn search_back_to(&mut self, seed: StateRef) {
        self.pass(seed);
        while self.is_running() {
            let Some(state) = self.red.next() else {
                self.red.frames.pop();
                if self.red.frames.is_empty() {
                    break;
                }
                continue;
            };
            match self.mark(state).colour {
                Colour::Cyan => self.close(state),
                Colour::Blue => {
                    self.paint(state, Colour::Red);
                    self.pass(state);
                }
                Colour::White | Colour::Red => {}
            }
        }
        self.red.clear();
    }

    /// The second search goes on from a state.
    fn pass(&mut self, state: StateRef) {
        let begin = self.red.waiting.len();
        self.red.frames.push(Frame {
            state,
            accepting: false,
            all_red: false,
            begin,
        });
        let (successors, _) = self.expand(state, Pass::Second);
        self.red.wait(&successors);
        self.patrol();
    }

    /// The successors of a state, and what is wrong there.
    fn expand(&mut self, state: StateRef, pass: Pass) -> (Names, Vec<Violation>) {
        let lap = self.gatherer.meter.begin();
        self.access.load(state, &mut self.gatherer.tree);
        let turn = self.shared.states.turn(state);
        let mut wrong = Vec::new();
        let (mut arrivals, packed) = self.gatherer.arrivals(
            self.shared,
            &mut self.access,
            &mut self.lead,
            &mut wrong,
            lap,
        );
        let stepper = match pass {
            Pass::First => &mut self.stepper,
            Pass::Second => &mut self.again,
        };
        let done = stepper.expand(packed, turn, &mut arrivals);
        let (lap, limit) = (arrivals.lap.take(), arrivals.limit);
        self.gatherer.meter.end(lap);
        let oversize = done == Err(Incomplete::Oversize);
        self.stop_at(oversize.then_some(Limit::StateSize).or(limit));
        (self.settle(), wrong)
    }

    /// Remembers the successors of the batch; their names.
    fn settle(&mut self) -> Names {
        let batch = std::mem::take(&mut self.gatherer.batch);
        let began = self.gatherer.meter.begin_insertions(batch.entries.len());
        let mut names = Names::default();
        for entry in &batch.entries {
            let mark = Mark {
                colour: Colour::White,
                accepting: entry.accepting,
            };
            // A tag is one more than the depth that it is made from.
            let depth = u32::from(mark.tag()) - 1;
            match self.access.visited.insert(entry.prepared, depth) {
                Ok(arrived) => {
                    if arrived.is_new() {
                        self.tally.not_canonical += u64::from(!entry.canonical);
                        self.note_new(arrived.state(), entry.stutters);
                    }
                    names.push(arrived.state());
                }
                Err(full) => {
                    self.stop_at(Some(limit_of(full)));
                    break;
                }
            }
        }
        self.gatherer
            .meter
            .end_insertions(began, batch.entries.len());
        self.gatherer.batch = batch;
        self.gatherer.batch.clear();
        names
    }

    fn note_new(&mut self, state: StateRef, stutters: bool) {
        if stutters {
            self.shared.states.stutter().insert(state);
        }
        self.shared.count_state();
    }

    fn stop_at(&mut self, limit: Option<Limit>) {
        if let Some(limit) = limit {
            self.shared.signals.stop_at(limit);
        }
    }

    fn mark(&mut self, state: StateRef) -> Mark {
        // A state that was inserted has a tag.
        Mark::from_tag(self.access.visited.tag(state).unwrap_or(0))
    }

    fn paint(&mut self, state: StateRef, colour: Colour) {
        let mark = self.mark(state);
        let painted = Mark { colour, ..mark };
        self.access.visited.retag(state, painted.tag());
    }

    /// Counts what is wrong at the end of a path, and keeps the first of it.
    fn record(&mut self, wrong: &[Violation], kind: impl Fn(usize) -> Kind, path: Vec<StateRef>) {
        let counts = |violation: &&Violation| self.shared.options.concerns.include(violation);
        let number = wrong.iter().filter(counts).count() as u64;
        if let Some(nth) = wrong.iter().position(|violation| counts(&violation)) {
            self.count(number, kind(nth), path);
        }
    }

    /// A circle is closed by a step to a state of the path of the first search.
    fn close(&mut self, state: StateRef) {
        let entry = self.blue.states().position(|on| on == state);
        let Some(entry) = entry else {
            return;
        };
        let round = self.blue.states().skip(entry + 1);
        // The second search starts where the first one is.
        let back = self.red.states().skip(1);
        let cycle = round.chain(back).chain([state]).collect();
        let path = self.blue.states().take(entry + 1).collect();
        self.count(1, Kind::Cycle(cycle), path);
    }

    /// Counts violations, the first of which is at the end of a path.
    fn count(&mut self, number: u64, kind: Kind, path: Vec<StateRef>) {
        self.tally.violations += number;
        self.found.get_or_insert(Found { path, kind });
        if self.shared.options.on_violation == OnViolation::Stop {
            self.shared.signals.stop();
        }
    }

    /// Looks after limits from time to time.
    fn patrol(&mut self) {
        self.since_look += 1;
        if self.since_look >= PATROL {
            self.since_look = 0;
            let desk = &self.shared.desks[0];
            desk.taken.store(self.tally.taken, Ordering::Relaxed);
            let transitions = self.tally.transitions;
            desk.transitions.store(transitions, Ordering::Relaxed);
            desk.depth.store(self.tally.depth, Ordering::Relaxed);
            let own = self.blue.bytes() + self.red.bytes() + self.gatherer.batch.bytes();
            let bytes = own + self.gatherer.reducer.bytes() + self.stepper.bytes();
            desk.bytes.store(bytes, Ordering::Relaxed);
            self.access.release();
            self.lead.look(0);
        }
    }

    fn extent(&self) -> Extent {
        let satisfied =
            self.tally.violations > 0 && self.shared.options.on_violation == OnViolation::Stop;
        match self.shared.signals.limit() {
            _ if satisfied => Extent::FirstViolation,
            Some(limit) => Extent::Limited(limit),
            None if self.tally.cut => Extent::Limited(Limit::Depth),
            None => Extent::Complete,
        }
    }

    fn evidence(&mut self) -> Option<Evidence> {
        let found = self.found.take()?;
        let mut replay = Replay::new(self.shared, &mut self.gatherer.reducer);
        let length = found.path.len();
        let (states, violation) = match found.kind {
            Kind::AtStart(nth) => (found.path, replay.violation(None, nth)?),
            Kind::Here(nth) => {
                let last = found.path.last().copied();
                (found.path, replay.violation(last, nth)?)
            }
            Kind::Cycle(cycle) => ([found.path, cycle].concat(), Violation::Cycle),
        };
        let mut path = replay.visits(&states);
        let cycle = path.split_off(length.min(path.len()));
        Some(Evidence {
            path,
            cycle,
            violation,
        })
    }

    fn finish(mut self) -> (Outcome, Vec<R>) {
        let extent = self.extent();
        let count = Count {
            tally: self.tally,
            split: self.gatherer.meter.reading(),
            natively: self.stepper.expanded_natively(),
            reduces: !self.gatherer.reducer.is_trivial(),
        };
        let statistics = statistics(&mut self.lead, &count);
        let evidence = self.evidence();
        let outcome = Outcome {
            claim: match &evidence {
                Some(_) => Claim::Violated,
                None => Claim::NoViolation,
            },
            extent,
            evidence,
            violations: self.tally.violations,
            statistics,
            reached: self.stepper.coverage().clone(),
            goes_round: self.stepper.goes_round(),
            levels: Vec::new(),
            answers: Vec::new(),
            estimate: None,
            checkpoint_error: None,
        };
        (outcome, vec![self.gatherer.reducer])
    }
}
