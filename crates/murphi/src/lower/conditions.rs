//! `&`, `|`, `->` and quantifiers: conditions whose later parts are evaluated only if they matter.
//!
//! Without calls they are expressions ([`quantifiers`](super::quantifiers)). With calls, or if a
//! quantifier has bounds that are known only when the model runs, they are code. Code for a quantifier over a scalarset evaluates everything too,
//! and so has the same meaning.
//!
//! To evaluate everything changes no verdict. If a state has an error for some member, then there is a state with other names that has it for the first
//! member; it can be reached as well, and there the error is found in any case.

use super::build::{Chain, chain, constant, not, strict_chain, truth};
use super::flow::{End, Label};
use super::value::local_place;
use super::{Lowering, build};
use crate::typed::{BinaryOp, Binding, Expr, ExprKind, QuantifierKind};
use mandala_model::expr::Expr as Lowered;
use mandala_model::findings::Fallible;
use mandala_model::source::Span;

impl Lowering<'_> {
    /// An operator that may not need its right side, or a quantifier.
    pub(super) fn logical(&mut self, expr: &Expr) -> Fallible<Lowered> {
        match &expr.kind {
            ExprKind::Binary(..) if !self.needs_flow(expr) => self.plain_chain(expr),
            ExprKind::Binary(op, left, right) => self.flow_operator(*op, left, right, expr.span),
            ExprKind::Quantified(kind, binding, body) => {
                self.quantified(chain_of(*kind), binding, body, expr)
            }
            _ => self.condition(expr),
        }
    }

    /// Operators without calls. Chains lean to the left, so that side is followed by a loop, and equal
    /// operators in a row become one balanced chain.
    #[inline(never)]
    fn plain_chain(&mut self, expr: &Expr) -> Fallible<Lowered> {
        let mut pending = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) = &at.kind {
            pending.push((operator(*op), &**right));
            at = left;
        }
        let mut operands = vec![match &at.kind {
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                self.plain_implication(left, right)?
            }
            _ => self.condition(at)?,
        }];
        let mut kind = pending.last().map_or(Chain::All, |(kind, _)| *kind);
        for (next, right) in pending.into_iter().rev() {
            if next != kind {
                operands = vec![chain(kind, operands, expr.span)];
                kind = next;
            }
            operands.push(self.condition(right)?);
        }
        Ok(chain(kind, operands, expr.span))
    }

    fn plain_implication(&mut self, left: &Expr, right: &Expr) -> Fallible<Lowered> {
        let span = left.span.to(right.span);
        let without = not(self.condition(left)?);
        let conclusion = self.condition(right)?;
        Ok(chain(Chain::Some, [without, conclusion], span))
    }

    fn flow_operator(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Fallible<Lowered> {
        let kind = operator(op);
        let mut decision = Decision::new(self, kind, span);
        let mut first = self.condition(left)?;
        if op == BinaryOp::Implies {
            first = not(first);
        }
        decision.operand(self, first, left.span);
        if self.flow.is_open() {
            let second = self.condition(right)?;
            decision.operand(self, second, right.span);
        }
        Ok(decision.finish(self))
    }

    fn quantified(
        &mut self,
        kind: Chain,
        binding: &Binding,
        body: &Expr,
        expr: &Expr,
    ) -> Fallible<Lowered> {
        if !self.needs_flow(expr) {
            return self.plain_quantifier(kind, binding, body, expr.span);
        }
        let ty = self.program.variable(binding.variable).ty;
        match self.has_scalarset(ty) {
            true => self.strict_flow_quantifier(kind, binding, body, expr.span),
            false => self.flow_quantifier(kind, binding, body, expr.span),
        }
    }

    /// The body for every member of a type without order, whatever it is for the others.
    fn strict_flow_quantifier(
        &mut self,
        kind: Chain,
        binding: &Binding,
        body: &Expr,
        span: Span,
    ) -> Fallible<Lowered> {
        let result = local_place(self.scratch.take_number((0, 1), span), span);
        self.store(result.clone(), truth(kind.neutral(), span));
        let weight = self.weights.expr(body);
        self.each(binding, weight, &mut |lowering| {
            let operand = lowering.condition(body)?;
            let so_far = build::read(result.clone());
            lowering.store(
                result.clone(),
                strict_chain(kind, vec![so_far, operand], span),
            );
            Ok(())
        })?;
        Ok(build::read(result))
    }

    fn flow_quantifier(
        &mut self,
        kind: Chain,
        binding: &Binding,
        body: &Expr,
        span: Span,
    ) -> Fallible<Lowered> {
        let mut decision = Decision::new(self, kind, span);
        let weight = self.weights.expr(body);
        self.each(binding, weight, &mut |lowering| {
            let operand = lowering.condition(body)?;
            decision.operand(lowering, operand, body.span);
            Ok(())
        })?;
        Ok(decision.finish(self))
    }

    /// Goes on only if the condition is true; else the edge as a whole cannot be taken. What the left side
    /// of `&` rules out needs no code for the right side.
    pub(super) fn require(&mut self, expr: &Expr) -> Fallible<()> {
        if let ExprKind::Binary(BinaryOp::And, left, right) = &expr.kind
            && self.needs_flow(expr)
        {
            self.require(left)?;
            return self.require(right);
        }
        let condition = self.condition(expr)?;
        if condition.as_constant() != Some(1) {
            let label = self.label_of(expr);
            self.flow.require(condition, label);
        }
        Ok(())
    }

    /// Divides control in two: where the condition is true, and where it is not.
    pub(super) fn fork(&mut self, condition: Lowered, span: Span) -> (Vec<End>, Vec<End>) {
        match condition.as_constant() {
            Some(0) => return (Vec::new(), self.flow.take_ends()),
            Some(_) => return (self.flow.take_ends(), Vec::new()),
            None => {}
        }
        let label = Label {
            text: self.label.text.clone(),
            span,
        };
        let choices = vec![(condition, label.clone()), (truth(true, span), label)];
        let mut ends = self.flow.split(choices, span).into_iter();
        (ends.next().into_iter().collect(), ends.collect())
    }

    /// The label of a condition.
    pub(super) fn label_of(&self, expr: &Expr) -> Label {
        Label {
            text: self.program.show_expr(expr),
            span: expr.span,
        }
    }
}

/// A chain of conditions as code: the first operand that decides ends it.
struct Decision {
    kind: Chain,
    result: mandala_model::ids::LocalId,
    decided: Vec<End>,
    span: Span,
}

impl Decision {
    fn new(lowering: &mut Lowering<'_>, kind: Chain, span: Span) -> Decision {
        Decision {
            kind,
            result: lowering.scratch.take_number((0, 1), span),
            decided: Vec::new(),
            span,
        }
    }

    /// The next operand: where it does not decide, control goes on.
    fn operand(&mut self, lowering: &mut Lowering<'_>, condition: Lowered, span: Span) {
        let (yes, no) = lowering.fork(condition, span);
        let (on, decided) = match self.kind {
            Chain::All => (yes, no),
            Chain::Some => (no, yes),
        };
        self.decided.extend(decided);
        lowering.flow.join(on);
    }

    fn finish(self, lowering: &mut Lowering<'_>) -> Lowered {
        let place = local_place(self.result, self.span);
        let mut all = Vec::new();
        for (ends, value) in [
            (lowering.flow.take_ends(), self.kind.neutral()),
            (self.decided, !self.kind.neutral()),
        ] {
            lowering.flow.join(ends);
            lowering.store(place.clone(), constant(i64::from(value), self.span));
            all.extend(lowering.flow.take_ends());
        }
        lowering.flow.join(all);
        build::read(place)
    }
}

fn operator(op: BinaryOp) -> Chain {
    match op {
        BinaryOp::And => Chain::All,
        _ => Chain::Some,
    }
}

pub(super) fn chain_of(kind: QuantifierKind) -> Chain {
    match kind {
        QuantifierKind::All => Chain::All,
        QuantifierKind::Some => Chain::Some,
    }
}
