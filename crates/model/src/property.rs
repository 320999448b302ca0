//! What is claimed of a model.

use crate::expr::{BinaryOp, Expr, ExprKind, Root};
use crate::ids::{CodeId, ConditionId, MonitorId, NodeId, TemplateId};
use crate::source::Span;
use crate::types::Variable;
use mandala_temporal::Proposition;
use mandala_temporal::pctl::Query;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use mandala_temporal::{Automaton, Ctl, Runs};

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
    /// No run is followed by this claim, which the user has written, to its end or through its accepting locations forever.
    Never {
        /// The observer.
        claim: TemplateId,
    },
    /// No run is accepted by the automaton.
    NoRun(RunQuestion),
    /// The formula holds in every state that runs start in, for all values of its indices.
    Ctl {
        /// The formula, whose propositions are conditions of the model, by number.
        formula: Ctl,
        /// Variables that its conditions read, and their values: it is one formula for each combination of these.
        indices: Indices,
    },
    /// A question about probabilities or expected rewards, which has a value or holds.
    Query {
        /// The question, whose propositions are conditions of the model, by number, and whose structures of rewards are [those of the model](crate::model::UncheckedModel::rewards).
        query: Query,
    },
    /// Every run's messages fit the observer.
    Events {
        /// The observer.
        observer: TemplateId,
    },
    /// None of the monitors ever fails.
    Invariant {
        /// The monitors that check it.
        monitors: Vec<MonitorId>,
    },
    /// In some reachable state one of the monitors holds, or some step or monitor passes one of the nodes.
    Cover {
        /// The monitors.
        monitors: Vec<MonitorId>,
        /// Nodes of routines, each with the code that has the routine.
        nodes: Vec<(CodeId, NodeId)>,
    },
    /// Nothing is claimed: reports say it, as a warning of that name, if some step or monitor passes one of the nodes.
    Remark {
        /// Nodes of routines, each with the code that has the routine.
        nodes: Vec<(CodeId, NodeId)>,
    },
    /// From every reachable state a state can be reached in which one of the monitors holds, or each of them.
    Reachable {
        /// The monitors.
        monitors: Vec<MonitorId>,
        /// Which of them.
        demand: Demand,
    },
}

/// What must stay possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Demand {
    /// That one of the monitors holds, in some choice of its parameters.
    One,
    /// That each of the monitors holds, in each choice of its parameters: it is one demand for each *instance*.
    Each,
}

/// Variables for the values that a formula has to hold for, and these values: `forall i in 1 .. 3` in front of it.
///
/// A combination of values has a number: they are counted from 0 on, and the last variable changes fastest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indices {
    /// The variables, which conditions read as local ones.
    pub variables: Vec<Variable>,
    /// The values of each.
    pub values: Vec<Vec<i64>>,
}

impl Indices {
    /// Whether there are none: the formula is one alone.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// How many combinations there are.
    pub fn count(&self) -> u32 {
        let counts = self.values.iter().map(|values| values.len() as u64);
        let all = counts.fold(1, u64::saturating_mul);
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    /// The values of the variables in the combination of that number.
    pub fn chosen(&self, number: u32) -> Vec<i64> {
        let mut rest = number as usize;
        let mut chosen = Vec::with_capacity(self.values.len());
        for values in self.values.iter().rev() {
            chosen.push(values[rest % values.len()]);
            rest /= values.len();
        }
        chosen.reverse();
        chosen
    }

    /// The number of the combination of those values, if it is one.
    pub fn number(&self, chosen: &[i64]) -> Option<u32> {
        let mut number = 0;
        for (values, value) in self.values.iter().zip(chosen) {
            let place = values.iter().position(|other| other == value)?;
            number = number * values.len() + place;
        }
        u32::try_from(number).ok()
    }

    /// A condition with the values of a combination in the place of the variables.
    #[must_use]
    pub fn put_in(&self, chosen: &[i64], condition: &Expr) -> Expr {
        let mut condition = condition.clone();
        condition.each_mut(&mut |e| {
            if let ExprKind::Read(place) = &e.kind
                && let Root::Local(id) = place.root
                && let Some(value) = chosen.get(id.index())
            {
                e.kind = ExprKind::Const(*value);
            }
        });
        condition
    }
}

impl PropertyKind {
    /// The monitors that the property names.
    pub fn monitors(&self) -> &[MonitorId] {
        match self {
            PropertyKind::Invariant { monitors }
            | PropertyKind::Cover { monitors, .. }
            | PropertyKind::Reachable { monitors, .. } => monitors,
            PropertyKind::Never { .. }
            | PropertyKind::NoRun(_)
            | PropertyKind::Ctl { .. }
            | PropertyKind::Query { .. }
            | PropertyKind::Remark { .. }
            | PropertyKind::Events { .. } => &[],
        }
    }

    /// Where the automaton comes from, if it is one.
    pub fn origin(&self) -> Option<&RunOrigin> {
        match self {
            PropertyKind::NoRun(question) => Some(&question.origin),
            _ => None,
        }
    }

    /// Whether it is a claim that the user has given, as one or as an automaton.
    pub fn is_given_claim(&self) -> bool {
        let is_template = matches!(self, PropertyKind::Never { .. });
        is_template || self.origin() == Some(&RunOrigin::Automaton)
    }

    /// The conditions that the property asks of states, each once, in the order of their numbers.
    pub fn conditions(&self) -> BTreeSet<ConditionId> {
        let mut asked = BTreeSet::new();
        let mut ask = |proposition: Proposition| {
            asked.insert(ConditionId::from(proposition.0));
        };
        match self {
            PropertyKind::NoRun(question) => {
                for transition in question.automaton.transitions() {
                    let guard = &transition.guard;
                    guard.each_literal(&mut |literal| ask(literal.proposition));
                }
            }
            PropertyKind::Ctl { formula, .. } => formula.each_proposition(&mut ask),
            PropertyKind::Query { query } => query.each_proposition(&mut ask),
            _ => {}
        }
        asked
    }

    /// The variables that its conditions may read: those whose values an automaton chooses, or that a formula holds for.
    pub fn indices(&self) -> &[Variable] {
        match self {
            PropertyKind::NoRun(question) => &question.indices.variables,
            PropertyKind::Ctl { indices, .. } => &indices.variables,
            _ => &[],
        }
    }
}

/// A condition on states, and how it is written. It is evaluated as a claim evaluates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The condition. It may read the [indices](PropertyKind::indices) of the properties that ask it as local variables.
    pub condition: Expr,
    /// How it is written.
    pub text: String,
}

impl Condition {
    /// The condition that holds where this one does not.
    #[must_use]
    pub fn negated(&self) -> Self {
        Condition {
            condition: self.condition.clone().negated(),
            text: format!("!({})", self.text),
        }
    }

    /// Both conditions.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.joined(BinaryOp::And, "&&", other)
    }

    /// Either condition.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.joined(BinaryOp::Or, "||", other)
    }

    fn joined(self, op: BinaryOp, symbol: &str, other: Self) -> Self {
        Condition {
            condition: Expr::binary(op, self.condition, other.condition),
            text: format!("({} {symbol} {})", self.text, other.text),
        }
    }
}

/// The question whether there is a run that an automaton accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunQuestion {
    /// Where the automaton comes from.
    pub origin: RunOrigin,
    /// The automaton of the runs that are forbidden. Its propositions are conditions of the model, by number.
    pub automaton: Arc<Automaton>,
    /// Variables whose values the automaton chooses with its first transition and then keeps, and these values.
    ///
    /// `forall i in 1 .. N: phi(i)` is violated iff some `i` and some run violate `phi(i)`. This is what lets the whole group of the
    /// system be used, although each `phi(i)` by itself names a process: a renaming maps the automaton that has chosen `i`
    /// to the one that has chosen the image of `i`. Of the choices that are images of each other one is explored, and
    /// from there on the stabiliser of the chosen value is used.
    pub indices: Indices,
}

impl RunQuestion {
    /// The question that an automaton is which chooses nothing.
    pub fn new(origin: RunOrigin, automaton: Arc<Automaton>) -> Self {
        RunQuestion {
            origin,
            automaton,
            indices: Indices::default(),
        }
    }
}

/// Where the automaton of a [`RunQuestion`] comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunOrigin {
    /// It accepts the runs that violate a formula of linear temporal logic.
    Formula {
        /// The formula, as it is spelled.
        text: String,
        /// Whether it speaks of the next state, so that it matters how many steps something takes.
        says_next: bool,
    },
    /// The user has given it.
    Automaton,
    /// It accepts the runs that do not end and are at no location with a progress label from some moment on.
    NonProgress,
    /// It accepts the runs that are at locations with an accept label again and again.
    Accept,
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
