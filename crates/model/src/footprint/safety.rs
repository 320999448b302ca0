//! Expressions that have a value in every state.

use super::derivation::Derivation;
use super::parametric::Need;
use super::terms::Term;
use crate::expr::{BinaryOp, Expr, ExprKind, Place, Root, UnaryOp};
use crate::model::Arithmetic;
use crate::quantified::Quantifier;

impl Derivation<'_> {
    /// Notes whether an expression may fail, or which places have to be one cell each if it must not. Where that takes more than a look at it, it may.
    pub fn safety(&mut self, expression: &Expr) {
        if self.facts.unreachable || self.may_fail {
            return;
        }
        if let Some(term) = self.term(expression) {
            return self.need(vec![(term, None)]);
        }
        match &expression.kind {
            ExprKind::SelfId | ExprKind::ProcessCount | ExprKind::Timeout => {}
            // A number that is too large to be a term.
            ExprKind::Const(_) => {}
            ExprKind::Read(place) => self.safety_of_place(place),
            ExprKind::Unary(op, operand) => {
                self.may_fail |= *op == UnaryOp::Defined || !self.fits(*op != UnaryOp::Negate);
                self.safety(operand);
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.safety(left);
                let mark = self.mark();
                self.assume(left, *op == BinaryOp::And);
                self.safety(right);
                self.forget(mark);
            }
            ExprKind::Binary(op, left, right) => {
                self.may_fail |= !self.is_total(*op);
                self.safety(left);
                self.safety(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.safety(condition);
                for (branch, truth) in [(yes, true), (no, false)] {
                    let mark = self.mark();
                    self.assume(condition, truth);
                    self.safety(branch);
                    self.forget(mark);
                }
            }
            ExprKind::Quantified(quantified) => {
                self.may_fail |= quantified.quantifier == Quantifier::Sum && !self.fits(false);
                self.for_any(quantified, &mut |inside| inside.safety(&quantified.body));
            }
            _ => self.may_fail = true,
        }
    }

    /// A place of a global variable, or of a local one of the process itself, has to be the same cell in every state.
    fn safety_of_place(&mut self, place: &Place) {
        let variable = match (&place.root, self.template) {
            (Root::Global(id), _) => &self.model().globals[id.index()],
            (Root::Local(id), Some(template)) => self.local(template, *id),
            _ => return self.may_fail = true,
        };
        let indices = self.pattern(variable, place).indices.into_iter();
        let needed = indices.map(|index| Some((index.term?, Some(index.length))));
        match needed.collect() {
            Some(needed) => self.need(needed),
            None => self.may_fail = true,
        }
    }

    /// Terms have to have values, and those below some bounds.
    fn need(&mut self, terms: Vec<(Term, Option<u32>)>) {
        let open = |(term, _): &(Term, _)| self.terms.as_constant(*term).is_none();
        if terms.iter().any(open) {
            let when = self.facts.when.clone();
            self.needed.push(Need { terms, when });
        }
    }

    /// Whether a result is always in range, given whether it is however large the operands are.
    fn fits(&self, always: bool) -> bool {
        always || self.model().arithmetic == Arithmetic::Wrapping32
    }

    /// Whether an operation has a result whatever its operands are.
    fn is_total(&self, op: BinaryOp) -> bool {
        match op {
            BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                false
            }
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => self.fits(false),
            _ => true,
        }
    }
}
