//! Formulas of temporal logic that are stated beside a model, in the syntax of properties: what chance decides counts as a choice.

use crate::ast::{BinaryOp, Expr as Tree, ExprKind as TreeKind, Operator, Temporal, Within};
use crate::properties::{put_labels, written};
use crate::terms::Names;
use mandala_formulas::{Indices, Written, add_branching, add_linear};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::model::UncheckedModel;
use mandala_model::property::{BinaryTemporal, Condition, UnaryTemporal};
use mandala_model::source::{Sources, Span};
use mandala_model::stated::StatedForm;
use std::collections::HashMap;
use std::sync::Arc;

/// Makes formulas of properties.
pub(crate) struct Stating<'a> {
    pub(crate) names: &'a Names,
    /// Labels, formulas put in.
    pub(crate) labels: &'a HashMap<Arc<str>, Tree>,
    pub(crate) sources: &'a Sources,
}

impl Stating<'_> {
    /// Adds a formula of that form to a model.
    pub(crate) fn add(
        &self,
        model: &mut UncheckedModel,
        name: String,
        form: StatedForm,
        tree: &Tree,
    ) -> Fallible<()> {
        let formula = self.formula(tree)?;
        match form {
            StatedForm::Ltl => add_linear(model, name, &formula, Indices::default(), tree.span),
            _ => add_branching(model, name, form, &formula, Indices::default()),
        }
    }

    fn formula(&self, tree: &Tree) -> Fallible<Written> {
        let span = tree.span;
        if !tree.any(&mut |part| matches!(part.kind, TreeKind::Operator(_) | TreeKind::Temporal(_)))
        {
            return self.condition(tree);
        }
        match &tree.kind {
            TreeKind::Not(inner) => self.unary(UnaryTemporal::Not, inner, span),
            TreeKind::All(parts) => self.joined(BinaryTemporal::And, parts),
            TreeKind::Any(parts) => self.joined(BinaryTemporal::Or, parts),
            TreeKind::Binary(BinaryOp::Implies, left, right) => {
                self.binary(BinaryTemporal::Implies, left, right, span)
            }
            TreeKind::Binary(BinaryOp::Iff, left, right) => {
                self.binary(BinaryTemporal::Equivalent, left, right, span)
            }
            TreeKind::Temporal(temporal) => self.temporal(temporal, span),
            TreeKind::Operator(operator) => match &**operator {
                Operator::Branching(runs, inner) => {
                    Ok(Written::quantified(*runs, self.formula(inner)?, span))
                }
                _ => {
                    let message = "a value is asked for in a formula that holds or not";
                    Err(error_help(span, message, "ask for values by `--pctl`"))
                }
            },
            _ => Err(error(span, "this is no formula of temporal logic")),
        }
    }

    fn condition(&self, tree: &Tree) -> Fallible<Written> {
        let mut whole = tree.clone();
        put_labels(&mut whole, self.labels)?;
        let condition = Condition {
            condition: self.names.condition(&whole)?,
            text: written(self.sources, tree.span),
        };
        Ok(Written::condition(condition, tree.span))
    }

    fn joined(&self, op: BinaryTemporal, parts: &[Tree]) -> Fallible<Written> {
        let (last, before) = parts.split_last().expect("a chain has operands");
        let mut joined = self.formula(last)?;
        for part in before.iter().rev() {
            let span = part.span.to(joined.span);
            joined = Written::binary(op, self.formula(part)?, joined, span);
        }
        Ok(joined)
    }

    fn unary(&self, op: UnaryTemporal, inner: &Tree, span: Span) -> Fallible<Written> {
        Ok(Written::unary(op, self.formula(inner)?, span))
    }

    fn binary(
        &self,
        op: BinaryTemporal,
        left: &Tree,
        right: &Tree,
        span: Span,
    ) -> Fallible<Written> {
        Ok(Written::binary(
            op,
            self.formula(left)?,
            self.formula(right)?,
            span,
        ))
    }

    fn temporal(&self, temporal: &Temporal, span: Span) -> Fallible<Written> {
        match temporal {
            Temporal::Next(inner) => self.unary(UnaryTemporal::Next, inner, span),
            Temporal::Eventually(within, inner) => {
                require_unbounded(within, span)?;
                self.unary(UnaryTemporal::Eventually, inner, span)
            }
            Temporal::Always(within, inner) => {
                require_unbounded(within, span)?;
                self.unary(UnaryTemporal::Always, inner, span)
            }
            Temporal::Until(within, left, right) => {
                require_unbounded(within, span)?;
                self.binary(BinaryTemporal::Until, left, right, span)
            }
            Temporal::WeakUntil(within, left, right) => {
                require_unbounded(within, span)?;
                self.binary(BinaryTemporal::WeakUntil, left, right, span)
            }
            Temporal::Release(within, left, right) => {
                require_unbounded(within, span)?;
                self.binary(BinaryTemporal::Release, left, right, span)
            }
        }
    }
}

fn require_unbounded(within: &Within, span: Span) -> Fallible<()> {
    match within.from.is_some() || within.to.is_some() {
        true => {
            let message = "an operator with a time is not supported in `--ltl` and `--ctl`";
            Err(error_help(span, message, "`--pctl` has them"))
        }
        false => Ok(()),
    }
}
