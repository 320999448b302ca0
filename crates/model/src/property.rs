//! What is claimed of a model.

use crate::expr::Expr;
use crate::ids::{EdgeId, NodeId, TemplateId};
use crate::source::Span;

/// A named claim about the model's runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name in the source, or one made up (`never_0`).
    pub name: String,
    /// What is claimed.
    pub kind: PropertyKind,
    /// Where it stands.
    pub span: Span,
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// No run is followed by this claim to its end, or through its accepting locations for ever.
    Never {
        /// The observer.
        claim: TemplateId,
    },
    /// Every run satisfies the formula.
    Ltl {
        /// The formula.
        formula: Formula,
        /// An observer that follows exactly the runs that violate it.
        claim: TemplateId,
    },
    /// The formula holds in every state that runs start in.
    Ctl {
        /// The formula, whose propositions are the edges of the watch.
        formula: Ctl,
        /// An observer that never runs: at its entry it has an edge for each proposition, guarded by it and to a
        /// location of its own. What proves that a renaming keeps claims proves that it keeps all propositions.
        watch: TemplateId,
    },
    /// No run goes on for ever while no process is at a location with a progress label.
    Progress {
        /// An observer that follows exactly the runs that do.
        claim: TemplateId,
    },
    /// No run is at locations of processes that are marked as accepting again and again.
    Accept {
        /// An observer that follows exactly the runs that are.
        claim: TemplateId,
    },
    /// Every run's messages fit the observer.
    Events {
        /// The observer.
        observer: TemplateId,
    },
    /// None of the observing edges ever fails.
    Invariant {
        /// The edges that check it.
        edges: Vec<EdgeId>,
    },
    /// Some reachable state lets one of the observing edges be taken, or some step passes one of the nodes.
    Cover {
        /// Observing edges.
        edges: Vec<EdgeId>,
        /// Nodes of routines, each with the edge that has the routine.
        nodes: Vec<(EdgeId, NodeId)>,
    },
    /// From every reachable state a state can be reached in which one of the observing edges can be taken.
    Reachable {
        /// Observing edges.
        edges: Vec<EdgeId>,
    },
}

impl PropertyKind {
    /// The observing edges that the property is about.
    pub fn edges(&self) -> &[EdgeId] {
        match self {
            PropertyKind::Invariant { edges }
            | PropertyKind::Cover { edges, .. }
            | PropertyKind::Reachable { edges } => edges,
            PropertyKind::Never { .. }
            | PropertyKind::Ltl { .. }
            | PropertyKind::Ctl { .. }
            | PropertyKind::Progress { .. }
            | PropertyKind::Accept { .. }
            | PropertyKind::Events { .. } => &[],
        }
    }

    /// The template that observes, if the property has one of its own.
    pub fn observer(&self) -> Option<TemplateId> {
        match self {
            PropertyKind::Never { claim }
            | PropertyKind::Ltl { claim, .. }
            | PropertyKind::Progress { claim }
            | PropertyKind::Accept { claim }
            | PropertyKind::Ctl { watch: claim, .. } => Some(*claim),
            PropertyKind::Events { observer } => Some(*observer),
            PropertyKind::Invariant { .. }
            | PropertyKind::Cover { .. }
            | PropertyKind::Reachable { .. } => None,
        }
    }
}

/// A formula of linear temporal logic over conditions on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A condition on a state.
    Condition(Expr),
    /// A formula with one operand.
    Unary(UnaryTemporal, Box<Formula>),
    /// A formula with two operands.
    Binary(BinaryTemporal, Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Whether it says something of the next state, so that it matters how many steps something takes.
    pub fn says_next(&self) -> bool {
        match self {
            Formula::Condition(_) => false,
            Formula::Unary(UnaryTemporal::Next, _) => true,
            Formula::Unary(_, f) => f.says_next(),
            Formula::Binary(_, f, g) => f.says_next() || g.says_next(),
        }
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryTemporal {
    /// Not.
    Not,
    /// From now on.
    Always,
    /// Now or later.
    Eventually,
    /// In the next state.
    Next,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryTemporal {
    /// Both.
    And,
    /// Either.
    Or,
    /// The left implies the right.
    Implies,
    /// Both or neither.
    Equivalent,
    /// The left holds until the right does, and the right does at some time.
    Until,
    /// The left holds until the right does, or for ever.
    WeakUntil,
    /// The right holds until and including when the left does, or for ever.
    Release,
}

/// A formula of computation tree logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ctl {
    /// Holds in all states, or in none.
    Constant(bool),
    /// The guard of the edge with this number of the watch.
    Proposition(u32),
    /// Not.
    Not(Box<Ctl>),
    /// Both.
    And(Box<Ctl>, Box<Ctl>),
    /// Either.
    Or(Box<Ctl>, Box<Ctl>),
    /// The left implies the right.
    Implies(Box<Ctl>, Box<Ctl>),
    /// In the next state of those runs.
    Next(Runs, Box<Ctl>),
    /// Now or later in those runs.
    Eventually(Runs, Box<Ctl>),
    /// From now on in those runs.
    Always(Runs, Box<Ctl>),
    /// In those runs the left holds until the right does, and the right does at some time.
    Until(Runs, Box<Ctl>, Box<Ctl>),
    /// In those runs the left holds until the right does, or for ever.
    WeakUntil(Runs, Box<Ctl>, Box<Ctl>),
}

/// Which runs from a state are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Runs {
    /// All of them.
    All,
    /// At least one.
    Some,
}

impl Ctl {
    /// The operands, left before right.
    pub fn operands(&self) -> impl Iterator<Item = &Ctl> {
        let (left, right) = match self {
            Ctl::Constant(_) | Ctl::Proposition(_) => (None, None),
            Ctl::Not(f) | Ctl::Next(_, f) | Ctl::Eventually(_, f) | Ctl::Always(_, f) => {
                (Some(f), None)
            }
            Ctl::And(f, g)
            | Ctl::Or(f, g)
            | Ctl::Implies(f, g)
            | Ctl::Until(_, f, g)
            | Ctl::WeakUntil(_, f, g) => (Some(f), Some(g)),
        };
        left.into_iter().chain(right).map(Box::as_ref)
    }

    /// How many operators, constants and propositions it is written with.
    pub fn size(&self) -> usize {
        1 + self.operands().map(Ctl::size).sum::<usize>()
    }

    /// One more than the largest number of a proposition in it.
    pub fn propositions(&self) -> u32 {
        match self {
            Ctl::Proposition(number) => number.saturating_add(1),
            other => other.operands().map(Ctl::propositions).max().unwrap_or(0),
        }
    }
}
