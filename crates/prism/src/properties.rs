//! Properties: questions about probabilities, rewards and shares of time.

mod runs;

use crate::ast::{
    Accumulated, Asked, BinaryOp, Bound, Expr as Tree, ExprKind as TreeKind, Ident, Operator,
    Structure,
};
use crate::terms::Names;
use dashu_ratio::RBig;
use mandala_model::chance::Stochastic;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::ConditionId;
use mandala_model::model::UncheckedModel;
use mandala_model::property::{Condition, Property, PropertyKind};
use mandala_model::source::{Sources, Span};
use mandala_temporal::Proposition;
use mandala_temporal::pctl::{
    Accumulation, Comparison, FilterOperation, FilterSubject, Measure, Optimum, Query, StateFormula,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Makes properties of a model.
pub(crate) struct Asking<'a> {
    pub(crate) model: &'a mut UncheckedModel,
    pub(crate) names: &'a Names,
    /// Labels, formulas put in.
    pub(crate) labels: &'a HashMap<Arc<str>, Tree>,
    pub(crate) kind: Stochastic,
    pub(crate) sources: &'a Sources,
}

impl Asking<'_> {
    /// Adds a query.
    pub(crate) fn add(&mut self, name: String, tree: &Tree, span: Span) -> Fallible<()> {
        let before = self.model.conditions.len();
        let query = self.query(tree);
        let query = query.inspect_err(|_| self.model.conditions.truncate(before))?;
        self.model.properties.push(Property {
            name,
            kind: PropertyKind::Query { query },
            span,
        });
        Ok(())
    }

    fn query(&mut self, tree: &Tree) -> Fallible<Query> {
        if let TreeKind::Operator(operator) = &tree.kind {
            if let Operator::Filter {
                operation,
                subject,
                states,
            } = &**operator
            {
                return self.filter(operation, subject, states.as_ref());
            }
            if is_value(operator) {
                return Ok(Query::Value(self.measure(operator, tree.span)?));
            }
        }
        Ok(Query::Holds(self.state(tree)?))
    }

    fn filter(
        &mut self,
        operation: &Ident,
        subject: &Tree,
        states: Option<&Tree>,
    ) -> Fallible<Query> {
        let kind = filter_operation(operation)?;
        let subject = match &subject.kind {
            TreeKind::Operator(operator) if is_value(operator) => {
                FilterSubject::Measure(self.measure(operator, subject.span)?)
            }
            _ => FilterSubject::Formula(self.state(subject)?),
        };
        require_fitting(operation, kind, &subject)?;
        let states = match states {
            Some(states) => self.state(states)?,
            None => StateFormula::Constant(true),
        };
        Ok(Query::Filter {
            operation: kind,
            subject,
            states,
        })
    }

    /// A formula of states. Parts without operators are conditions of the model, each as large as it can be.
    fn state(&mut self, tree: &Tree) -> Fallible<StateFormula> {
        if !tree.any(&mut |part| is_special(part, self.labels)) {
            return self.condition(tree);
        }
        match &tree.kind {
            TreeKind::Label(name) => match &**name {
                "init" => Ok(StateFormula::Initial),
                _ => Ok(StateFormula::Deadlock),
            },
            TreeKind::Not(inner) => Ok(StateFormula::Not(Box::new(self.state(inner)?))),
            TreeKind::All(parts) => self.joined(parts, StateFormula::And),
            TreeKind::Any(parts) => self.joined(parts, StateFormula::Or),
            TreeKind::Binary(op @ (BinaryOp::Implies | BinaryOp::Iff), left, right) => {
                let (left, right) = (Box::new(self.state(left)?), Box::new(self.state(right)?));
                Ok(match op {
                    BinaryOp::Implies => StateFormula::Implies(left, right),
                    _ => StateFormula::Iff(left, right),
                })
            }
            TreeKind::Operator(operator) => self.compared(operator, tree.span),
            TreeKind::Temporal(_) => {
                let message =
                    "this is about runs, and it stands where a formula of states is needed";
                Err(error_help(
                    tree.span,
                    message,
                    "ask for its probability: `P=? [ ... ]`",
                ))
            }
            _ => {
                let message = "values of operators are not supported inside of other expressions";
                Err(error_help(
                    tree.span,
                    message,
                    "ask for each value by a property of its own",
                ))
            }
        }
    }

    /// A formula of states that is a condition of the model.
    fn condition(&mut self, tree: &Tree) -> Fallible<StateFormula> {
        let mut whole = tree.clone();
        put_labels(&mut whole, self.labels)?;
        let condition = self.names.condition(&whole)?;
        if let Some(value) = condition.as_constant() {
            return Ok(StateFormula::Constant(value != 0));
        }
        let mut known = self.model.conditions.iter();
        if let Some(number) = known.position(|known| known.condition == condition) {
            return Ok(StateFormula::Proposition(Proposition(number)));
        }
        self.model.conditions.push(Condition {
            condition,
            text: written(self.sources, tree.span),
        });
        let id = ConditionId::from(self.model.conditions.len() - 1);
        Ok(StateFormula::Proposition(Proposition(id.index())))
    }

    fn joined(
        &mut self,
        parts: &[Tree],
        join: fn(Box<StateFormula>, Box<StateFormula>) -> StateFormula,
    ) -> Fallible<StateFormula> {
        // What needs no operators is one condition.
        let (special, plain): (Vec<&Tree>, Vec<&Tree>) = {
            let is_special_part =
                |part: &&Tree| part.any(&mut |inner| is_special(inner, self.labels));
            parts.iter().partition(|part| is_special_part(part))
        };
        let mut formulas = Vec::new();
        for part in plain.into_iter().chain(special) {
            formulas.push(self.state(part)?);
        }
        let joined = formulas
            .into_iter()
            .reduce(|left, right| join(Box::new(left), Box::new(right)));
        Ok(joined.unwrap_or(StateFormula::Constant(true)))
    }

    /// A value that is compared with a number.
    fn compared(&mut self, operator: &Operator, span: Span) -> Fallible<StateFormula> {
        let asked = match operator {
            Operator::Probability(asked, _)
            | Operator::Reward(_, asked, _)
            | Operator::LongRun(asked, _) => asked,
            Operator::Filter { .. } => {
                return Err(error(span, "a filter inside of a formula is not supported"));
            }
            Operator::Branching(..) => return Err(branching(span)),
        };
        let Some((comparison, limit)) = &asked.limit else {
            let message = "a value is asked for where a formula must hold or not";
            return Err(error_help(
                span,
                message,
                "compare it with a number: `P>=0.5 [ ... ]`",
            ));
        };
        let threshold = self.number(limit)?;
        let is_probability = !matches!(operator, Operator::Reward(..));
        if is_probability && (threshold < RBig::ZERO || threshold > RBig::ONE) {
            let message = format!("{threshold} is no probability");
            return Err(error_help(limit.span, message, "it is from 0 to 1"));
        }
        let comparison = match comparison {
            BinaryOp::Less => Comparison::Less,
            BinaryOp::LessEqual => Comparison::AtMost,
            BinaryOp::GreaterEqual => Comparison::AtLeast,
            _ => Comparison::More,
        };
        Ok(StateFormula::Compare {
            measure: Box::new(self.measure(operator, span)?),
            comparison,
            threshold,
        })
    }

    fn measure(&mut self, operator: &Operator, span: Span) -> Fallible<Measure> {
        match operator {
            Operator::Probability(asked, path) => Ok(Measure::Probability {
                optimum: self.optimum(asked, "P", span)?,
                path: self.path(path)?,
            }),
            Operator::Reward(structure, asked, what) => Ok(Measure::Reward {
                structure: self.structure(structure.as_ref(), span)?,
                optimum: self.optimum(asked, "R", span)?,
                what: self.accumulation(what, span)?,
            }),
            Operator::LongRun(asked, inner) => {
                if self.kind == Stochastic::Mdp {
                    return Err(error(
                        span,
                        "`S` is not supported for a model with choices (`mdp`)",
                    ));
                }
                if asked.optimum.is_some() {
                    return Err(error(span, "`S` has neither a least nor a greatest value"));
                }
                Ok(Measure::LongRun(self.state(inner)?))
            }
            Operator::Branching(..) => Err(branching(span)),
            Operator::Filter { .. } => {
                Err(error(span, "a filter inside of another is not supported"))
            }
        }
    }

    /// Which of the possible values is meant. Where there are no choices, all are one.
    fn optimum(&self, asked: &Asked, operator: &str, span: Span) -> Fallible<Option<Optimum>> {
        if self.kind != Stochastic::Mdp {
            return Ok(None);
        }
        match (asked.optimum, &asked.limit) {
            (Some(Bound::Least), _) => Ok(Some(Optimum::Least)),
            (Some(Bound::Greatest), _) => Ok(Some(Optimum::Greatest)),
            (None, Some(_)) => Ok(None),
            (None, None) => {
                let message =
                    format!("`{operator}=?` is not one value, as the model has choices (`mdp`)");
                let help = format!("ask for `{operator}min=?` or `{operator}max=?`");
                Err(error_help(span, message, help))
            }
        }
    }

    fn structure(&self, structure: Option<&Structure>, span: Span) -> Fallible<usize> {
        let rewards = &self.model.rewards;
        let missing = |message: String, span: Span| {
            let named: Vec<&str> = rewards.iter().filter_map(|r| r.name.as_deref()).collect();
            let help = match (rewards.is_empty(), named.is_empty()) {
                (true, _) => "the model has no rewards".into(),
                (false, true) => "the model has rewards without a name: `R=? [ ... ]`".into(),
                (false, false) => format!("there are \"{}\"", named.join("\", \"")),
            };
            error_help(span, message, help)
        };
        match structure {
            None if rewards.is_empty() => Err(missing("there are no rewards".into(), span)),
            None => Ok(0),
            Some(Structure::Named(name)) => {
                let mut all = rewards.iter();
                let number = all.position(|rewards| rewards.name.as_deref() == Some(&name.name));
                number.ok_or_else(|| {
                    missing(format!("there are no rewards \"{}\"", name.name), name.span)
                })
            }
            Some(Structure::Number(tree)) => {
                let number = self.natural(tree)?;
                let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
                let index = index.filter(|index| *index < rewards.len());
                index.ok_or_else(|| {
                    missing(format!("there are no rewards number {number}"), tree.span)
                })
            }
        }
    }

    fn accumulation(&mut self, what: &Accumulated, span: Span) -> Fallible<Accumulation> {
        Ok(match what {
            Accumulated::Until(tree) => Accumulation::Until(self.state(tree)?),
            Accumulated::UpTo(time) => Accumulation::UpTo(self.time(time)?),
            Accumulated::At(time) => Accumulation::At(self.time(time)?),
            Accumulated::Total => Accumulation::Total,
            Accumulated::LongRun if self.kind == Stochastic::Mdp => {
                return Err(error(
                    span,
                    "`R [ S ]` is not supported for a model with choices (`mdp`)",
                ));
            }
            Accumulated::LongRun => Accumulation::LongRun,
        })
    }

    fn number(&self, tree: &Tree) -> Fallible<RBig> {
        self.names.number(tree)
    }

    fn natural(&self, tree: &Tree) -> Fallible<u64> {
        let number = self.number(tree)?;
        let whole = number.floor();
        match RBig::from(whole.clone()) == number {
            true => {
                u64::try_from(whole).map_err(|_| error(tree.span, "this is negative or too large"))
            }
            false => Err(error(tree.span, "expected an integer")),
        }
    }

    /// A time: steps, or where time is continuous any number; not negative.
    fn time(&self, tree: &Tree) -> Fallible<RBig> {
        if self.kind != Stochastic::Ctmc {
            return self.natural(tree).map(RBig::from);
        }
        let time = self.number(tree)?;
        match time < RBig::ZERO {
            true => Err(error(tree.span, format!("the time {time} is negative"))),
            false => Ok(time),
        }
    }
}

fn branching(span: Span) -> Box<mandala_model::Diagnostic> {
    let message = "`A [..]` and `E [..]` are not supported in questions about probabilities";
    error_help(span, message, "state them by `--ctl`")
}

/// Puts labels in the place of their names.
pub(crate) fn put_labels(tree: &mut Tree, labels: &HashMap<Arc<str>, Tree>) -> Fallible<()> {
    if let TreeKind::Label(name) = &tree.kind {
        let value = labels.get(name);
        let value = value.ok_or_else(|| no_label(name, labels, tree.span))?;
        tree.kind = value.kind.clone();
        return Ok(());
    }
    let mut result = Ok(());
    tree.each_part_mut(&mut |part| {
        if result.is_ok() {
            result = put_labels(part, labels);
        }
    });
    result
}

fn no_label(
    name: &str,
    labels: &HashMap<Arc<str>, Tree>,
    span: Span,
) -> Box<mandala_model::Diagnostic> {
    let mut known: Vec<&str> = labels.keys().map(|label| &**label).collect();
    known.extend(["init", "deadlock"]);
    known.sort_unstable();
    let message = format!("there is no label \"{name}\"");
    let help = format!("there are \"{}\"", known.join("\", \""));
    error_help(span, message, help)
}

/// A condition as it is written, on one line.
pub(crate) fn written(sources: &Sources, span: Span) -> String {
    let text = sources.file(span.file).text();
    let text = &text[span.start as usize..span.end as usize];
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether an operator asks for a value.
fn is_value(operator: &Operator) -> bool {
    match operator {
        Operator::Probability(asked, _)
        | Operator::Reward(_, asked, _)
        | Operator::LongRun(asked, _) => asked.limit.is_none(),
        Operator::Filter { .. } | Operator::Branching(..) => false,
    }
}

/// Whether a part is no condition of one state.
fn is_special(part: &Tree, labels: &HashMap<Arc<str>, Tree>) -> bool {
    match &part.kind {
        TreeKind::Operator(_) | TreeKind::Temporal(_) => true,
        TreeKind::Label(name) => {
            ["init", "deadlock"].contains(&&**name) && !labels.contains_key(name)
        }
        _ => false,
    }
}

fn filter_operation(operation: &Ident) -> Fallible<FilterOperation> {
    Ok(match &*operation.name {
        "min" => FilterOperation::Min,
        "max" => FilterOperation::Max,
        "avg" => FilterOperation::Average,
        "sum" | "+" => FilterOperation::Sum,
        "count" => FilterOperation::Count,
        "range" => FilterOperation::Range,
        "forall" | "&" => FilterOperation::ForAll,
        "exists" | "|" => FilterOperation::Exists,
        "state" => FilterOperation::State,
        other => {
            let message = format!("the filter `{other}` is not supported");
            let help = "there are `min`, `max`, `avg`, `sum`, `count`, `range`, `forall`, `exists` and `state`";
            return Err(error_help(operation.span, message, help));
        }
    })
}

/// Filters of truth values are for formulas, and those of numbers for values.
fn require_fitting(
    operation: &Ident,
    kind: FilterOperation,
    subject: &FilterSubject,
) -> Fallible<()> {
    let wants_formula = match kind {
        FilterOperation::Count | FilterOperation::ForAll | FilterOperation::Exists => true,
        FilterOperation::State => return Ok(()),
        FilterOperation::Min
        | FilterOperation::Max
        | FilterOperation::Average
        | FilterOperation::Sum
        | FilterOperation::Range => false,
    };
    match (wants_formula, subject) {
        (true, FilterSubject::Formula(_)) | (false, FilterSubject::Measure(_)) => Ok(()),
        (wants_formula, _) => {
            let wanted = match wants_formula {
                true => "a formula that holds or not",
                false => "a value that is asked for, such as `P=? [ ... ]`",
            };
            let message = format!("the filter `{}` is for {wanted}", operation.name);
            Err(error(operation.span, message))
        }
    }
}
