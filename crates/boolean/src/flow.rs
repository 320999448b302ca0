//! The control-flow graph of one thread of a program, with calls put in.

use crate::cond::{Cond, Var};
use mandala_model::source::Span;
use std::collections::BTreeSet;

/// Where a thread is.
pub(crate) type NodeId = usize;

/// A program as a graph.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// The global variables.
    pub(crate) globals: Vec<(String, Span)>,
    /// How many places for variables of functions a thread has.
    pub(crate) slots: u32,
    /// What the variables at these places are called.
    pub(crate) slot_names: Vec<String>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// Where the first thread starts, with all variables false.
    pub(crate) entry: NodeId,
    /// Where threads are that have ended.
    pub(crate) ended: NodeId,
    /// The whole program.
    pub(crate) span: Span,
}

/// A place of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// What it is called.
    pub(crate) name: String,
    pub(crate) lock: Lock,
    /// The variables that may be read later. The others are false here.
    pub(crate) live: BTreeSet<u32>,
}

/// How a thread stands to the lock of atomic sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Lock {
    /// It has nothing to do with it.
    Outside,
    /// Its next step is the first one inside. It takes the lock with that.
    Entering,
    /// It has the lock.
    Inside,
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) source: NodeId,
    pub(crate) target: NodeId,
    /// Where it can be made, beside what the lock says.
    pub(crate) guard: Cond,
    /// The values that are chosen.
    pub(crate) choices: Vec<Choice>,
    /// What variables get, all at once.
    pub(crate) assigned: Vec<(Var, Cond)>,
    pub(crate) action: Action,
    pub(crate) span: Span,
}

/// A value that is chosen: true where `yes` holds, false where `no` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) yes: Cond,
    pub(crate) no: Cond,
}

/// What else a step does.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Step,
    /// The condition must hold.
    Assert(Cond),
    /// It must never be made.
    Fail(String),
    /// A thread is made.
    Spawn(Spawn),
}

/// A thread that is made.
#[derive(Clone, Debug)]
pub(crate) struct Spawn {
    /// Where it starts.
    pub(crate) node: NodeId,
    /// What its variables hold.
    pub(crate) given: Vec<(u32, Cond)>,
}

impl Flow {
    /// Whether some thread ever holds the lock.
    pub(crate) fn has_lock(&self) -> bool {
        self.nodes.iter().any(|node| node.lock == Lock::Inside)
    }

    /// Whether a step waits until nobody holds the lock. A label that must not be reached does not wait for others where the thread already is.
    pub(crate) fn waits(&self, edge: &Edge) -> bool {
        match self.nodes[edge.source].lock {
            Lock::Inside => false,
            Lock::Entering => true,
            Lock::Outside => !matches!(edge.action, Action::Fail(_)),
        }
    }

    /// What a step makes of the lock, if it changes it.
    pub(crate) fn locks(&self, edge: &Edge) -> Option<bool> {
        let inside = |node: NodeId| self.nodes[node].lock == Lock::Inside;
        let after = inside(edge.target);
        (inside(edge.source) != after).then_some(after)
    }
}

impl Edge {
    /// Whether it does nothing and can always be made.
    pub(crate) fn is_trivial(&self) -> bool {
        let nothing = self.assigned.is_empty() && self.choices.is_empty();
        nothing && self.guard == Cond::TRUE && matches!(self.action, Action::Step)
    }

    /// Where a choice of values is possible, beside the guard.
    pub(crate) fn possible(&self) -> Cond {
        let choices = self.choices.iter().enumerate();
        choices.fold(Cond::TRUE, |all, (number, choice)| {
            let yes = Cond::Chosen(number).negated().or(choice.yes.clone());
            let no = Cond::Chosen(number).or(choice.no.clone());
            all.and(yes).and(no)
        })
    }

    /// The conditions in it, for the choices to be found.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Cond> {
        let given = match &self.action {
            Action::Spawn(spawn) => spawn.given.as_slice(),
            _ => &[],
        };
        let asserted = match &self.action {
            Action::Assert(condition) => Some(condition),
            _ => None,
        };
        let assigned = self.assigned.iter().map(|(_, value)| value);
        let given = given.iter().map(|(_, value)| value);
        let all = std::iter::once(&self.guard).chain(assigned);
        all.chain(given).chain(asserted)
    }

    /// Calls `change` on each of its conditions but those of choices.
    pub(crate) fn change_conditions(&mut self, change: impl Fn(&Cond) -> Cond) {
        self.guard = change(&self.guard);
        for (_, value) in &mut self.assigned {
            *value = change(value);
        }
        match &mut self.action {
            Action::Assert(condition) => *condition = change(condition),
            Action::Spawn(spawn) => {
                for (_, value) in &mut spawn.given {
                    *value = change(value);
                }
            }
            Action::Step | Action::Fail(_) => {}
        }
    }
}
