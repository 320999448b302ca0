//! Nested depth-first search: accepting cycles, found while states are found.
//!
//! # The algorithm
//!
//! That of Schwoon and Esparza (2005), which needs two bits a state. A depth-first search colours states: *white* when they are
//! found, *cyan* while they are on its path, and *blue* when everything that follows them has been visited. When
//! it leaves an accepting state, a second search starts there and colours *red* what it passes. It looks for a state that is cyan: from
//! there the path leads back to where the second search has started, so the cycle is closed. A state that is red does not lead to an
//! accepting cycle, so it is passed once, and the second searches together expand each state once more at most. Many cycles are found
//! without a second search: a step to a cyan state closes a cycle, and it is an accepting one if either end is
//! accepting. A state all of whose successors are red becomes red at once.
//!
//! The colour of a state, and whether it is accepting, are kept in the byte beside it that holds depths in other
//! searches.
//!
//! # Why it is right with symmetry
//!
//! States are representatives, and a step leads to the representative of the state that was met. Each cycle of representatives is a cycle of the
//! model that comes back with other process ids: repeated often enough, the ids come back too, since
//! there are finitely many ways to rename. So a cycle here is a real one. And a run that visits accepting states infinitely often is represented,
//! state by state, by one that does the same here, where there are finitely many states. It does not matter whether an orbit has one
//! representative or several. That accepting states are represented by accepting states is part of the certificate:
//! a renaming leaves the claim where it is.
//!
//! # Where runs end
//!
//! A run that stops is taken to stutter forever: the stepper tells such a state again, with the claim one step further. A state without
//! successors is one where the claim cannot go on, and there is nothing to be followed.
//!
//! # Rejected
//!
//! - The algorithm of Courcoubetis, Vardi, Wolper and Yannakakis as Spin has it: it finds cycles later and goes through more states twice.
//! - To look for components instead: that needs a number for every state on the way, and is what is done where runs have to be
//!   fair.

use crate::expander::{Counted, Expansion, Visitor};
use crate::footprint::Footprint;
use crate::handles::Handles;
use crate::options::Options;
use crate::outcome::{Evidence, ExplicitOutcome, Progress};
use crate::replay::Replay;
use crate::shared::Shared;
use crate::solo::{Conclusion, Solo};
use crate::states::States;
use crate::successors::Generator;
use crate::tally::START;
use mandala_encoding::{Arrival, Program};
use mandala_engine::ViolationCounts;
use mandala_model::step::Violation;
use mandala_reduce::Reducer;
use mandala_store::{Arrived, StateRef};

/// What the search knows of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// Found, and not expanded yet.
    White,
    /// On the path of the first search.
    Cyan,
    /// The first search has visited all that follows it.
    Blue,
    /// No accepting cycle can be reached from it, or only such that are found elsewhere.
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
    waiting: Handles,
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
    fn wait(&mut self, states: &Handles) {
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

/// The successors of a state, in the order in which they are told.
#[derive(Default)]
struct Coloured {
    /// For each that was told, whether it is accepting.
    accepting: Vec<bool>,
    handles: Handles,
}

impl Visitor for Coloured {
    fn takes_notes(&self) -> bool {
        true
    }

    fn note(&mut self, arrival: &mut Arrival<'_, '_>, _: &mut dyn Reducer) {
        self.accepting.push(arrival.is_accepting());
    }

    fn depth(&self) -> u32 {
        let mark = Mark {
            colour: Colour::White,
            accepting: self.accepting[self.handles.len()],
        };
        // A tag is one more than the depth that it is made from.
        u32::from(mark.tag()) - 1
    }

    fn met(&mut self, arrived: Arrived) {
        self.handles.push(arrived.state());
    }
}

/// Explores a program and looks for accepting cycles.
pub(crate) fn run<R: Reducer>(
    program: &Program,
    options: &Options,
    reducer: R,
    observer: &mut dyn FnMut(&Progress),
) -> (ExplicitOutcome, Vec<R>) {
    let footprint = Footprint::new(options.gauge);
    let states = States::new(options, program.open_turn());
    let shared = Shared::new(program, options, states, 1);
    let successors = Generator::Full(shared.stepper());
    let search = Nested {
        solo: Solo::new(&shared, footprint, observer, successors, reducer),
        second: Counted::again(Generator::Full(shared.stepper())),
        blue: Trail::default(),
        red: Trail::default(),
        violations: ViolationCounts::default(),
        found: None,
    };
    search.run()
}

/// A search that is going on.
struct Nested<'s, 'p, R> {
    solo: Solo<'s, 'p, R>,
    /// The successors of the second search, which are not counted.
    second: Counted<'p>,
    /// The path of the first search.
    blue: Trail,
    /// That of the second.
    red: Trail,
    /// What was counted, whichever search makes the steps.
    violations: ViolationCounts,
    found: Option<Found>,
}

impl<R: Reducer> Nested<'_, '_, R> {
    fn run(mut self) -> (ExplicitOutcome, Vec<R>) {
        self.begin();
        while self.solo.is_running() {
            match self.blue.next() {
                Some(state) => self.meet(state),
                None if self.blue.frames.is_empty() => break,
                None => self.leave(),
            }
        }
        self.finish()
    }

    /// Finds the states that runs start in.
    fn begin(&mut self) {
        let mut starts = Coloured::default();
        self.solo.start(&mut starts);
        let tally = self.solo.tally();
        (tally.transitions, tally.fired) = (START, START);
        self.blue.waiting = starts.handles;
        let is_atomic = self.solo.shared.program.start_is_held();
        let start = self.blue.waiting.iter().next().filter(|_| !is_atomic);
        self.record(Kind::AtStart, start.into_iter().collect());
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
        self.solo.expander.take(depth);
        self.paint(state, Colour::Cyan);
        let begin = self.blue.waiting.len();
        self.blue.frames.push(Frame {
            state,
            accepting: mark.accepting,
            all_red: true,
            begin,
        });
        if depth >= self.solo.shared.options.deepest() {
            self.solo.tally().cut = true;
            return;
        }
        let mut successors = Coloured::default();
        let expansion = self.solo.expand(state, &mut successors);
        self.blue.wait(&successors.handles);
        if expansion == Expansion::Irregular {
            self.record(Kind::Here, self.blue.states().collect());
        }
        self.check_limits();
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
        if !self.solo.is_running() {
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
        self.exchange_searches();
        self.pass(seed);
        while self.solo.is_running() {
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
        self.exchange_searches();
    }

    /// Lets the expander make the steps of the other search.
    fn exchange_searches(&mut self) {
        std::mem::swap(&mut self.solo.expander.source, &mut self.second);
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
        self.solo.expander.take_again();
        let mut successors = Coloured::default();
        self.solo.expand(state, &mut successors);
        // The first search has counted them.
        self.solo.expander.take_violations();
        self.red.wait(&successors.handles);
        self.check_limits();
    }

    fn check_limits(&mut self) {
        let (blue, red) = (&self.blue, &self.red);
        self.solo.check_limits(|| blue.bytes() + red.bytes());
    }

    fn mark(&mut self, state: StateRef) -> Mark {
        // A state that was inserted has a tag.
        Mark::from_tag(self.solo.access.visited.tag(state).unwrap_or(0))
    }

    fn paint(&mut self, state: StateRef, colour: Colour) {
        let mark = self.mark(state);
        let painted = Mark { colour, ..mark };
        self.solo.access.visited.retag(state, painted.tag());
    }

    /// Counts the violations at the end of a path, and keeps the first of them.
    fn record(&mut self, kind: impl Fn(usize) -> Kind, path: Vec<StateRef>) {
        let violations = self.solo.expander.take_violations();
        if let Some(nth) = self.solo.shared.first_counted(&violations) {
            let counted = self.solo.shared.counted(&violations);
            self.count(&counted, kind(nth), path);
        }
    }

    /// A cycle is closed by a step to a state of the path of the first search.
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
        let one = ViolationCounts::of(Violation::Cycle.attribution(), 1);
        self.count(&one, Kind::Cycle(cycle), path);
    }

    /// Counts violations, the first of which is at the end of a path.
    fn count(&mut self, met: &ViolationCounts, kind: Kind, path: Vec<StateRef>) {
        self.violations.add(met);
        self.found.get_or_insert(Found { path, kind });
        if self.solo.shared.stops_at_violation() {
            self.solo.shared.signals.stop();
        }
    }

    fn evidence(&mut self) -> Option<Evidence> {
        let found = self.found.take()?;
        self.solo.access.release();
        let reducer = &mut self.solo.expander.gatherer.reducer;
        let mut replay = Replay::new(self.solo.shared, reducer);
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

    fn finish(mut self) -> (ExplicitOutcome, Vec<R>) {
        self.solo.tally().violations = std::mem::take(&mut self.violations);
        let tally = self.solo.tally().clone();
        let conclusion = Conclusion {
            extent: self.solo.shared.extent(&tally),
            numbers: self.solo.numbers(),
            evidence: self.evidence(),
            answers: Vec::new(),
        };
        let (outcome, reducer) = self.solo.finish(conclusion);
        (outcome, vec![reducer])
    }
}
