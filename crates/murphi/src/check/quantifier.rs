//! The ranges of rulesets, loops and quantified expressions.

use super::{Checker, fold};
use crate::ast;
use crate::typed::{
    Binding, Dialect, Domain, Expr, ExprKind, Number, TypeId, TypeKind, Types, VariableKind,
};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

impl Checker<'_> {
    /// A quantifier, whose name is known from here on in the current scope.
    pub(super) fn quantifier(&mut self, quantifier: &ast::Quantifier) -> Fallible<Binding> {
        let (domain, ty) = match &quantifier.range {
            ast::QuantifierRange::Type(ty) => {
                let id = self.type_expr(ty)?;
                self.expect_simple(id, ty.span, "what a quantifier goes through")?;
                (Domain::Type(id), id)
            }
            ast::QuantifierRange::Steps(steps) => self.steps(steps, quantifier.span)?,
        };
        let variable = self.new_variable(&quantifier.name, ty, VariableKind::Bound)?;
        Ok(Binding {
            variable,
            domain,
            span: quantifier.span,
        })
    }

    /// A parameter of a ruleset, whose values must be known before the model runs.
    pub(super) fn constant_quantifier(
        &mut self,
        quantifier: &ast::Quantifier,
    ) -> Fallible<Binding> {
        let binding = self.quantifier(quantifier)?;
        match unknown_bound(&binding) {
            Some(bound) => {
                let message = "the bounds of a parameter of a ruleset must be constants";
                let help = "let it go through all values, and say in the guard which ones count";
                Err(error_help(bound, message, help))
            }
            None => Ok(binding),
        }
    }

    fn steps(&mut self, steps: &ast::Steps, span: Span) -> Fallible<(Domain, TypeId)> {
        let from = self.bound(&steps.from, "the first value")?;
        let to = self.bound(&steps.to, "the last value")?;
        let step = steps.step.as_ref();
        let step = step.map(|step| self.bound(step, "the step")).transpose()?;
        let by = match &step {
            Some(step) => constant_of(step),
            None => Some(1),
        };
        if by == Some(0) {
            return Err(error_help(
                span,
                "a step of 0 never ends",
                "leave out `by 0`",
            ));
        }
        let ty = match (constant_of(&from), constant_of(&to)) {
            (Some(first), Some(last)) => {
                self.check_direction(first, last, by, span)?;
                let (lo, hi) = (first.min(last), first.max(last));
                self.program.types.intern(TypeKind::Range { lo, hi })
            }
            _ => Types::INTEGER,
        };
        Ok((Domain::Steps { from, to, step }, ty))
    }

    /// Steps that lead away from the last value: in CMurphi there are no values, in Rumur that is an error.
    fn check_direction(
        &mut self,
        first: Number,
        last: Number,
        by: Option<Number>,
        span: Span,
    ) -> Fallible<()> {
        let Some(by) = by.filter(|by| leads_away(first, last, *by)) else {
            return Ok(());
        };
        if self.program.dialect == Dialect::Rumur {
            return Err(wrong_direction(first, last, by, span));
        }
        let message =
            format!("no values from {first} to {last} in steps of {by}: nothing is done for them");
        let help = "`by -1` counts down; Rumur refuses the range";
        self.findings
            .push(Diagnostic::warning(span, message).with_help(help));
        Ok(())
    }

    /// A number, as a constant if it is one.
    fn bound(&mut self, expr: &ast::Expr, what: &str) -> Fallible<Expr> {
        let checked = self.expr(expr)?;
        self.expect_number(&checked, what)?;
        match fold::fold(&checked)? {
            Some(value) => {
                fold::check_width(value, expr.span)?;
                Ok(Expr {
                    kind: ExprKind::Constant(value),
                    ty: Types::INTEGER,
                    span: expr.span,
                })
            }
            None => Ok(checked),
        }
    }
}

fn constant_of(expr: &Expr) -> Option<Number> {
    match expr.kind {
        ExprKind::Constant(value) => Some(value),
        _ => None,
    }
}

/// Where a bound stands that is known only when the model runs.
pub(super) fn unknown_bound(binding: &Binding) -> Option<Span> {
    let Domain::Steps { from, to, step } = &binding.domain else {
        return None;
    };
    let mut bounds = [Some(from), Some(to), step.as_ref()].into_iter().flatten();
    let unknown = bounds.find(|bound| !matches!(bound.kind, ExprKind::Constant(_)));
    unknown.map(|bound| bound.span)
}

/// True if steps from one number lead away from another.
pub(crate) fn leads_away(first: Number, last: Number, by: Number) -> bool {
    first < last && by < 0 || first > last && by > 0
}

fn wrong_direction(first: Number, last: Number, by: Number, span: Span) -> Box<Diagnostic> {
    let message = format!("from {first}, steps of {by} never lead to {last}");
    match by < 0 {
        true => error(span, message),
        false => error_help(span, message, "count down with `by -1`"),
    }
}
