//! Chains of steps through wide atomic sequences.
//!
//! The reference interpreter finds a chain between two states by looking at all chains, the shorter first. Through twenty choices in a row there are a
//! million, and it would take minutes. So where there are too many, those are followed first that lead where the target is (`nearest`). If that does not
//! help, or nothing is known of the target, the compiled model is asked for the moves: it finds them again in the time that the search
//! took for that state. What it says is not believed: the interpreter makes these moves, one by one, and looks where they lead.

mod marked;
mod nearest;

use crate::searched::Searched;
use mandala_encoding::{Arrival, ChainMove, Goal, Program, Sink};
use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::step::{Actor, StepLabel, Turn, Violation};
use std::cell::OnceCell;

/// How many steps the interpreter looks at itself for the chains from one configuration.
pub(crate) const PATIENCE: usize = 1 << 16;

/// How many bytes the compiled model may hold while it looks for a chain.
const MOST_HELD: usize = 1 << 32;

/// Finds chains of steps of a model.
pub(crate) struct Pathfinder<'i, 'm> {
    pub interpreter: &'i Interpreter<'m>,
    searched: &'i Searched<'m>,
    /// The compiled model, once it is needed; nothing if it cannot be compiled.
    program: OnceCell<Option<Program>>,
}

/// A chain that the interpreter has made.
pub(crate) struct Way {
    pub labels: Vec<StepLabel>,
    /// The last step.
    pub last: Move,
}

impl Way {
    /// The chain of those steps.
    fn of(mut steps: Vec<Move>) -> Option<Self> {
        let labels = steps.iter().map(|step| step.label).collect();
        let last = steps.pop()?;
        Some(Way { labels, last })
    }
}

/// A step that was made, and the number of the configuration that it was made from.
type Made = (usize, StepLabel);

/// There are too many chains to look at all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl<'i, 'm> Pathfinder<'i, 'm> {
    /// For runs of a model.
    pub(crate) fn new(searched: &'i Searched<'m>) -> Self {
        Pathfinder {
            interpreter: &searched.interpreter,
            searched,
            program: OnceCell::new(),
        }
    }

    /// A chain from a configuration to that state, which a search remembers.
    pub(crate) fn to_state(
        &self,
        from: &Configuration,
        target: &State,
    ) -> Result<Option<Way>, TooMany> {
        let model = self.interpreter.model();
        let arranged = model.arranged(target);
        let leads = |step: &Move| {
            let next = step.remembered_next();
            next.is_some_and(|next| model.arranged(&next.state) == arranged)
        };
        let near = nearest::chain_to(self.interpreter, from, target, &leads, PATIENCE);
        if let Some(way) = near.and_then(Way::of) {
            return Ok(Some(way));
        }
        let has_order = model.bags().is_empty();
        let packed = self.program()?.encode(target).filter(|_| has_order);
        let mut seeker = Seeker::new(|arrival| match &packed {
            Some(packed) => arrival.packed() == packed.as_slice(),
            None => {
                let state = arrival.program().decode(arrival.packed());
                state.is_some_and(|state| model.arranged(&state) == arranged)
            }
        });
        let moves = self.moves(from, &mut seeker)?;
        Ok(moves.and_then(|moves| self.make(from, &moves, &leads)))
    }

    /// The shortest chain from one remembered configuration to another on which some step is wanted. What is passed through is passed through twice at most,
    /// once before and once after such a step, however many ways there are.
    pub(crate) fn through(
        &self,
        from: &Configuration,
        to: &Configuration,
        is_wanted: &dyn Fn(&StepLabel) -> bool,
    ) -> Result<Option<Vec<StepLabel>>, TooMany> {
        for start in starts(self.interpreter, from) {
            let way = marked::chain_to(self.interpreter, &start, to, is_wanted, PATIENCE)?;
            if way.is_some() {
                return Ok(way);
            }
        }
        Ok(None)
    }

    /// A chain from a configuration to a step on which something is wrong that is wanted.
    pub(crate) fn to_violation(
        &self,
        from: &Configuration,
        wanted: &dyn Fn(&Violation) -> bool,
    ) -> Result<Option<Way>, TooMany> {
        let mut seeker = Seeker {
            wanted,
            ..Seeker::new(|_| false)
        };
        let moves = self.moves(from, &mut seeker)?;
        let shows = |step: &Move| step.violations.iter().any(wanted);
        Ok(moves.and_then(|moves| self.make(from, &moves, &shows)))
    }

    fn program(&self) -> Result<&Program, TooMany> {
        let program = self.program.get_or_init(|| self.searched.program());
        program.as_ref().ok_or(TooMany)
    }

    /// The moves to where the compiled model meets a goal.
    fn moves(
        &self,
        from: &Configuration,
        goal: &mut impl Goal,
    ) -> Result<Option<Vec<ChainMove>>, TooMany> {
        let program = self.program()?;
        let packed = program.encode(&from.state).ok_or(TooMany)?;
        let mut stepper = program.interpreting_stepper();
        let chain = stepper.chain_to(&packed, from.turn, goal);
        chain.map_err(|_| TooMany)
    }

    /// Makes those moves, the last of which has to be as it should. A move alone may leave a choice, so there can be several chains.
    fn make(
        &self,
        from: &Configuration,
        moves: &[ChainMove],
        is_wanted: &dyn Fn(&Move) -> bool,
    ) -> Option<Way> {
        let mut history = Vec::with_capacity(moves.len());
        let mut tips = vec![from.clone()];
        for (index, step) in moves.iter().enumerate() {
            if index + 1 == moves.len()
                && let Some(way) = self.last(&tips, &history, |made| {
                    is_same(&made.label, step) && is_wanted(made)
                })
            {
                return Some(way);
            }
            let (next, made) = self.advance(&tips, step);
            tips = next;
            history.push(made);
        }
        // A step that fails before it is made is none of the moves.
        self.last(&tips, &history, is_wanted)
    }

    /// The chain that ends with a step from one of some configurations that is as it should be.
    fn last(
        &self,
        tips: &[Configuration],
        history: &[Vec<Made>],
        is_wanted: impl Fn(&Move) -> bool,
    ) -> Option<Way> {
        let mut ends = tips.iter().enumerate().flat_map(|(tip, at)| {
            let moves = self.interpreter.moves(at).into_iter();
            moves.map(move |end| (tip, end))
        });
        let (tip, last) = ends.find(|(_, end)| is_wanted(end))?;
        let mut labels = labels_to(history, tip);
        labels.push(last.label);
        Some(Way { labels, last })
    }

    /// Where a move leads from some configurations, and each with the number of the one that it comes from.
    fn advance(&self, tips: &[Configuration], step: &ChainMove) -> (Vec<Configuration>, Vec<Made>) {
        let mut next: Vec<Configuration> = Vec::new();
        let mut made = Vec::new();
        for (parent, at) in tips.iter().enumerate() {
            for Move {
                label, next: end, ..
            } in self.matching(at, step)
            {
                if let Some(end) = end
                    && !next.contains(&end)
                {
                    next.push(end);
                    made.push((parent, label));
                }
            }
        }
        (next, made)
    }

    /// The steps from a configuration that are this move.
    fn matching(&self, at: &Configuration, step: &ChainMove) -> impl Iterator<Item = Move> {
        let step = *step;
        let moves = self.interpreter.moves(at).into_iter();
        moves.filter(move |made| is_same(&made.label, &step))
    }
}

/// Where chains from a configuration start. Where the system has stopped for ever, some searches remember each step of the
/// claim and others the second one first.
pub(crate) fn starts(interpreter: &Interpreter<'_>, from: &Configuration) -> Vec<Configuration> {
    let mut starts = vec![from.clone()];
    if from.turn == Turn::Claim && interpreter.has_stopped(&from.state) {
        starts.push(Configuration {
            state: from.state.clone(),
            turn: Turn::Stutter,
        });
    }
    starts
}

/// The labels of the steps that lead to a tip.
fn labels_to(history: &[Vec<Made>], mut tip: usize) -> Vec<StepLabel> {
    let mut labels = Vec::with_capacity(history.len() + 1);
    for made in history.iter().rev() {
        let (parent, label) = made[tip];
        labels.push(label);
        tip = parent;
    }
    labels.reverse();
    labels
}

fn is_same(label: &StepLabel, step: &ChainMove) -> bool {
    let process = match label.actor {
        Actor::Process(process) => Some(process),
        Actor::Claim => None,
    };
    let partner = label.partner.map(|(process, edge)| (process, edge.index));
    let (edge, choice) = (label.edge.index, label.choice);
    (process, edge, choice, partner) == (step.process, step.edge, step.choice, step.partner)
}

/// Looks for a state or a violation.
struct Seeker<'w, F> {
    is_target: F,
    wanted: &'w dyn Fn(&Violation) -> bool,
    met: bool,
}

impl<F: FnMut(&mut Arrival<'_, '_>) -> bool> Seeker<'_, F> {
    /// Looks for a state.
    fn new(is_target: F) -> Self {
        Seeker {
            is_target,
            wanted: &|_| false,
            met: false,
        }
    }
}

impl<F: FnMut(&mut Arrival<'_, '_>) -> bool> Sink for Seeker<'_, F> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        self.met = self.met || (self.is_target)(arrival);
    }

    fn violation(&mut self, violation: Violation) {
        self.met = self.met || (self.wanted)(&violation);
    }

    fn keep_going(&mut self, held: usize) -> bool {
        held <= MOST_HELD
    }
}

impl<F: FnMut(&mut Arrival<'_, '_>) -> bool> Goal for Seeker<'_, F> {
    fn is_met(&self) -> bool {
        self.met
    }
}
