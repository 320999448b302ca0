//! Outcomes, rewards, and queries about them.

use super::{Scope, Text};
use mandala_model::chance::{Operation, Outcome, Quantity, Rewards, Stochastic};
use mandala_model::ids::ConditionId;
use mandala_temporal::pctl::{
    Accumulation, Comparison, FilterOperation, FilterSubject, Measure, Optimum, PathFormula, Query,
    StateFormula,
};
use std::fmt;

/// The word for how chance and choice are mixed.
pub(crate) fn stochastic(kind: Stochastic) -> &'static str {
    match kind {
        Stochastic::Dtmc => "dtmc",
        Stochastic::Ctmc => "ctmc",
        Stochastic::Mdp => "mdp",
    }
}

/// The word for an operation.
pub(crate) fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Add => "add",
        Operation::Subtract => "subtract",
        Operation::Multiply => "multiply",
        Operation::Divide => "divide",
        Operation::Min => "min",
        Operation::Max => "max",
        Operation::Power => "power",
    }
}

/// The word for what a filter makes of values.
pub(crate) fn filter_operation(operation: FilterOperation) -> &'static str {
    match operation {
        FilterOperation::Min => "min",
        FilterOperation::Max => "max",
        FilterOperation::Average => "average",
        FilterOperation::Sum => "sum",
        FilterOperation::Count => "count",
        FilterOperation::Range => "range",
        FilterOperation::ForAll => "all",
        FilterOperation::Exists => "some",
        FilterOperation::State => "only",
    }
}

impl Scope<'_> {
    /// ` outcome 3 weight "1/2" action "a"`
    pub(super) fn outcome(&self, outcome: &Outcome) -> String {
        let weight = self.quantity(&outcome.weight);
        let alternative = outcome.alternative.0;
        let action = outcome.action.as_ref();
        let action = action.map_or_else(String::new, |action| format!(" action {action:?}"));
        format!(" outcome {alternative} weight {weight}{action}")
    }

    fn quantity(&self, quantity: &Quantity) -> String {
        match quantity {
            Quantity::Constant(value) => format!("\"{value}\""),
            Quantity::Value(value) => format!("value({})", self.expression(value, None)),
            Quantity::If(condition, first, second) => format!(
                "if({}, {}, {})",
                self.expression(condition, None),
                self.quantity(first),
                self.quantity(second)
            ),
            Quantity::Operation(kind, left, right) => format!(
                "{}({}, {})",
                operation(*kind),
                self.quantity(left),
                self.quantity(right)
            ),
            Quantity::Floor(inner) => format!("floor({})", self.quantity(inner)),
            Quantity::Ceiling(inner) => format!("ceiling({})", self.quantity(inner)),
        }
    }
}

impl Text<'_> {
    /// A structure of rewards, with a line for each part.
    pub(super) fn rewards(&self, f: &mut fmt::Formatter<'_>, rewards: &Rewards) -> fmt::Result {
        let name = rewards.name.as_ref();
        let name = name.map_or_else(|| "none".into(), |name| format!("{name:?}"));
        let comment = self.comment(rewards.span);
        writeln!(f, "rewards {name}{}{comment}", self.attribute(rewards.span))?;
        let scope = self.scope(None);
        for item in &rewards.states {
            let guard = scope.expression(&item.guard, None);
            let (amount, span) = (scope.quantity(&item.amount), self.attribute(item.span));
            writeln!(f, "  state{span} when {guard} earns {amount}")?;
        }
        for item in &rewards.steps {
            let guard = scope.expression(&item.guard, None);
            let (amount, span) = (scope.quantity(&item.amount), self.attribute(item.span));
            let action = item.action.as_ref();
            let action = action.map_or_else(|| "none".into(), |action| format!("{action:?}"));
            writeln!(f, "  step {action}{span} when {guard} earns {amount}")?;
        }
        Ok(())
    }
}

/// A query as it is read again.
pub(super) fn query(query: &Query) -> String {
    match query {
        Query::Holds(formula) => format!("holds {}", state(formula)),
        Query::Value(of) => format!("value {}", measure(of)),
        Query::Filter {
            operation,
            subject,
            states,
        } => {
            let subject = match subject {
                FilterSubject::Measure(of) => format!("value {}", measure(of)),
                FilterSubject::Formula(formula) => format!("holds {}", state(formula)),
            };
            let operation = filter_operation(*operation);
            format!("filter {operation} {subject} states {}", state(states))
        }
    }
}

fn measure(measure: &Measure) -> String {
    match measure {
        Measure::Probability { optimum, path: of } => {
            format!("probability{} [{}]", optimal(*optimum), path(of))
        }
        Measure::Reward {
            structure,
            optimum,
            what,
        } => {
            let optimum = optimal(*optimum);
            format!("reward {structure}{optimum} {}", accumulation(what))
        }
        Measure::LongRun(formula) => format!("share [{}]", state(formula)),
    }
}

fn optimal(optimum: Option<Optimum>) -> &'static str {
    match optimum {
        None => "",
        Some(Optimum::Least) => " least",
        Some(Optimum::Greatest) => " greatest",
    }
}

fn accumulation(what: &Accumulation) -> String {
    match what {
        Accumulation::Until(formula) => format!("until [{}]", state(formula)),
        Accumulation::UpTo(time) => format!("upto \"{time}\""),
        Accumulation::Total => "total".into(),
        Accumulation::At(time) => format!("at \"{time}\""),
        Accumulation::LongRun => "average".into(),
    }
}

fn state(formula: &StateFormula) -> String {
    let joined = |left: &StateFormula, symbol: &str, right: &StateFormula| {
        format!("({} {symbol} {})", state(left), state(right))
    };
    match formula {
        StateFormula::Constant(value) => value.to_string(),
        StateFormula::Proposition(number) => ConditionId::from(number.0).to_string(),
        StateFormula::Initial => "initial".into(),
        StateFormula::Deadlock => "deadlock".into(),
        StateFormula::Not(inner) => format!("!{}", state(inner)),
        StateFormula::And(left, right) => joined(left, "&&", right),
        StateFormula::Or(left, right) => joined(left, "||", right),
        StateFormula::Implies(left, right) => joined(left, "->", right),
        StateFormula::Iff(left, right) => joined(left, "==", right),
        StateFormula::Compare {
            measure: of,
            comparison,
            threshold,
        } => {
            let comparison = match comparison {
                Comparison::Less => "<",
                Comparison::AtMost => "<=",
                Comparison::AtLeast => ">=",
                Comparison::More => ">",
            };
            format!("({} {comparison} \"{threshold}\")", measure(of))
        }
    }
}

fn path(formula: &PathFormula) -> String {
    match formula {
        PathFormula::State(of) => format!("state {}", state(of)),
        PathFormula::Not(inner) => format!("not {}", path(inner)),
        PathFormula::And(left, right) => format!("both ({}, {})", path(left), path(right)),
        PathFormula::Or(left, right) => format!("either ({}, {})", path(left), path(right)),
        PathFormula::Next(inner) => format!("next {}", path(inner)),
        PathFormula::Until {
            left,
            right,
            within,
        } => {
            let to = within.to.as_ref();
            let to = to.map_or_else(|| "none".into(), |to| format!("\"{to}\""));
            let (left, right) = (path(left), path(right));
            format!("until ({left}, {right}, \"{}\", {to})", within.from)
        }
    }
}
