//! Quantifiers over members: how many members make a condition true or false, and how many make its evaluation go wrong (condition 3).
//!
//! A state `s` has all members, and `c` is what is left of it when only some are kept. Both questions are answered by the structure of an expression, for `s` where nothing is known of
//! the members that are left out.
//!
//! - [`witnesses`] counts the members that have to be kept so that an expression which has some truth value in `s` has the same one in `c`. One value of a quantifier is shown by one
//!   member, which is kept, and what the body needs for that member; the other is shown by all members together, and then by all that are kept, if the body needs no further member.
//! - [`faults`] counts the members that have to be kept so that an evaluation which goes wrong in `s` goes wrong in `c`: those for which it does, and the witnesses of what decides that it
//!   comes to be evaluated at all, the left side of `and` and `or`, and the condition of `if`.
//!
//! In both cases, `c` may go wrong where `s` does not; the checker rejects that.

use crate::family::{Family, NotConfirmed};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Projection, Root, UnaryOp};
use mandala_model::quantified::{Evaluation, Quantified, Quantifier};
use mandala_model::source::Span;

/// How many members have to be kept so that the expression keeps that truth value.
pub(crate) fn witnesses(e: &Expr, value: bool, family: &Family) -> Result<usize, NotConfirmed> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => witnesses(inner, !value, family),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let left = witnesses(left, value, family)?;
            let right = witnesses(right, value, family)?;
            let takes_both = (*op == BinaryOp::And) == value;
            Ok(if takes_both {
                left.saturating_add(right)
            } else {
                left.max(right)
            })
        }
        ExprKind::Conditional(condition, yes, no) => {
            let (yes, no) = (
                witnesses(yes, value, family)?,
                witnesses(no, value, family)?,
            );
            Ok(exactly(condition, family)?.saturating_add(yes.max(no)))
        }
        ExprKind::Quantified(quantified) => of_quantifier(quantified, value, e.span, family),
        _ => {
            let mut sum = Ok(0_usize);
            e.each_part(&mut |part| {
                if let Ok(so_far) = sum {
                    sum = exactly(part, family).map(|more| so_far.saturating_add(more));
                }
            });
            sum
        }
    }
}

/// How many members have to be kept so that the expression keeps its value, whatever that is.
pub(crate) fn exactly(e: &Expr, family: &Family) -> Result<usize, NotConfirmed> {
    Ok(witnesses(e, true, family)?.max(witnesses(e, false, family)?))
}

fn of_quantifier(
    quantified: &Quantified,
    value: bool,
    span: Span,
    family: &Family,
) -> Result<usize, NotConfirmed> {
    let is_shown_by_all = match quantified.quantifier {
        Quantifier::ForAll => value,
        Quantifier::Exists => !value,
        Quantifier::Count | Quantifier::Sum | Quantifier::FirstOf => {
            return Err(NotConfirmed::at(
                span,
                "something is counted or put in an order",
            ));
        }
    };
    let body = witnesses(&quantified.body, value, family)?;
    match (family.holds(quantified.variable.scalar), is_shown_by_all) {
        (true, true) if body > 0 => Err(NotConfirmed::at(
            span,
            "for each of all members, another one matters",
        )),
        (true, true) => Ok(0),
        (true, false) => Ok(body.saturating_add(1)),
        (false, true) => Ok(values(quantified).saturating_mul(body)),
        (false, false) => Ok(body),
    }
}

fn values(quantified: &Quantified) -> usize {
    usize::try_from(quantified.values.count()).unwrap_or(usize::MAX)
}

/// How many members have to be kept so that the evaluation goes wrong as it did with all of them; nothing if it cannot go wrong.
pub(crate) fn faults(e: &Expr, family: &Family) -> Result<Option<usize>, NotConfirmed> {
    // What is evaluated only if a condition has some value.
    let behind = |condition: &Expr, value: bool, then: &Expr| match faults(then, family)? {
        None => Ok(None),
        Some(then) => Ok(Some(
            witnesses(condition, value, family)?.saturating_add(then),
        )),
    };
    match &e.kind {
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let is_and = *op == BinaryOp::And;
            Ok(faults(left, family)?.max(behind(left, is_and, right)?))
        }
        ExprKind::Conditional(condition, yes, no) => {
            let parts = behind(condition, true, yes)?.max(behind(condition, false, no)?);
            Ok(faults(condition, family)?.max(parts))
        }
        ExprKind::Quantified(quantified) => {
            let Some(body) = faults(&quantified.body, family)? else {
                return Ok(None);
            };
            if family.holds(quantified.variable.scalar) {
                return Ok(Some(body.saturating_add(1)));
            }
            // The values before are those that have not decided.
            Ok(Some(match quantified.evaluation {
                Evaluation::Strict => body,
                Evaluation::Ordered => {
                    let before = exactly(&quantified.body, family)?;
                    body.saturating_add(values(quantified).saturating_mul(before))
                }
            }))
        }
        _ => {
            let mut most = Ok(can_go_wrong(e).then_some(0));
            e.each_part(&mut |part| {
                if let Ok(so_far) = most {
                    most = faults(part, family).map(|more| so_far.max(more));
                }
            });
            most
        }
    }
}

/// Whether the outermost operation can go wrong.
fn can_go_wrong(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Bound(_) | ExprKind::Unary(UnaryOp::Not, _) => false,
        ExprKind::Binary(op, ..) => !op.is_comparison(),
        ExprKind::Read(place) => {
            let index = |part: &Projection| matches!(part, Projection::Index(_));
            !matches!(place.root, Root::Global(_) | Root::Local(_)) || place.path.iter().any(index)
        }
        _ => true,
    }
}
