//! Operations on resolved expressions: what is known before the run is computed, and of several forms with one meaning one is made.
//!
//! Nothing that may fail is left out, and what fails is reported where it was before: an expression that takes the place of another one either
//! cannot fail itself or keeps its own place in the source.

use crate::expr::{Junction, ResolvedExpr, ResolvedKind};
use mandala_model::arithmetic::{Calculation, Relation};
use mandala_model::ids::BinderId;
use mandala_model::model::Arithmetic;
use mandala_model::source::Span;

/// A number made of two numbers. A constant stands on the right side if the sides can be exchanged.
pub(crate) fn calculate(
    arithmetic: Arithmetic,
    op: Calculation,
    mut operands: [ResolvedExpr; 2],
    span: Span,
) -> ResolvedExpr {
    let known = operands.each_ref().map(ResolvedExpr::as_constant);
    if let [Some(left), Some(right)] = known
        && let Ok(value) = arithmetic.calculate(op, left, right)
    {
        return ResolvedExpr::constant(value, span);
    }
    if known[0].is_some() && op.commutes() {
        operands.reverse();
    }
    ResolvedExpr::new(ResolvedKind::Calculate(op, Box::new(operands)), span)
}

/// The truth of a relation between two numbers. A constant stands on the right side.
pub(crate) fn compare(relation: Relation, operands: [ResolvedExpr; 2], span: Span) -> ResolvedExpr {
    let known = operands.each_ref().map(ResolvedExpr::as_constant);
    let [left, right] = operands;
    match known {
        [Some(a), Some(b)] => ResolvedExpr::constant(relation.holds(a, b).into(), span),
        [Some(_), None] => compare(relation.mirrored(), [right, left], span),
        [None, Some(value)] if left.is_truth() => match as_truth(relation, value) {
            Some(truth) => truth_of(left, truth, span),
            None => compared(relation, [left, right], span),
        },
        [None, _] => compared(relation, [left, right], span),
    }
}

fn compared(relation: Relation, operands: [ResolvedExpr; 2], span: Span) -> ResolvedExpr {
    ResolvedExpr::new(ResolvedKind::Compare(relation, Box::new(operands)), span)
}

/// Which truth value of a condition stands in the relation to the number, if it is exactly one.
fn as_truth(relation: Relation, value: i64) -> Option<bool> {
    match [0, 1].map(|truth| relation.holds(truth, value)) {
        [false, true] => Some(true),
        [true, false] => Some(false),
        _ => None,
    }
}

/// Whether a condition, whose value is 0 or 1, has that truth value. It stands where the question does: it cannot fail itself.
fn truth_of(condition: ResolvedExpr, truth: bool, span: Span) -> ResolvedExpr {
    let kind = match (condition.kind, truth) {
        (kind, true) => kind,
        (ResolvedKind::Compare(relation, operands), false) => {
            ResolvedKind::Compare(relation.negated(), operands)
        }
        (kind, false) => {
            let condition = ResolvedExpr::new(kind, condition.span);
            let zero = ResolvedExpr::constant(0, span);
            ResolvedKind::Compare(Relation::EQUAL, Box::new([condition, zero]))
        }
    };
    ResolvedExpr::new(kind, span)
}

/// Of a conjunction that is asked for each value of a variable, the conditions at its beginning that do not depend on the variable, and the rest.
///
/// There is one value at least, and the conditions cannot change from one value to the next. So to ask them once, before all values, has the same outcome and meets the same fault
/// first; and where two quantifiers are around a condition on each of the two variables, it takes one look at each value instead of one at each pair.
pub(crate) fn split_off_constant(
    body: ResolvedExpr,
    variable: BinderId,
) -> (Vec<ResolvedExpr>, ResolvedExpr) {
    let body = without_double_negation(body);
    let span = body.span;
    let mut parts = match body.kind {
        ResolvedKind::Junction(junction) if !junction.decisive => junction.parts,
        kind => return (Vec::new(), ResolvedExpr::new(kind, span)),
    };
    let depends = |part: &ResolvedExpr| {
        part.any(|inner| match &inner.kind {
            ResolvedKind::Bound(bound) => *bound == variable,
            // Its variable is numbered by the quantifiers around it.
            ResolvedKind::Quantified(_) => true,
            _ => false,
        })
    };
    let first = parts.iter().position(depends).unwrap_or(parts.len());
    let rest = parts.split_off(first.min(parts.len() - 1));
    let rest = match <[ResolvedExpr; 1]>::try_from(rest) {
        Ok([single]) => single,
        Err(parts) => {
            let decisive = false;
            ResolvedExpr::new(ResolvedKind::Junction(Junction { decisive, parts }), span)
        }
    };
    (parts, rest)
}

/// A condition instead of the question whether it differs from 0.
fn without_double_negation(expr: ResolvedExpr) -> ResolvedExpr {
    match expr.kind {
        ResolvedKind::Compare(relation, operands)
            if operands[0].is_truth()
                && operands[1]
                    .as_constant()
                    .and_then(|n| as_truth(relation, n))
                    == Some(true) =>
        {
            let [condition, _] = *operands;
            condition
        }
        kind => ResolvedExpr::new(kind, expr.span),
    }
}

/// The conjunction or disjunction of two conditions.
pub(crate) fn join(decisive: bool, operands: [ResolvedExpr; 2], span: Span) -> ResolvedExpr {
    let [left, right] = operands;
    let mut parts = match left.kind {
        // A chain of conditions grows to the left, and may be long.
        ResolvedKind::Junction(inner) if inner.decisive == decisive => inner.parts,
        _ => added(Vec::new(), decisive, left),
    };
    parts = match right.kind {
        ResolvedKind::Junction(inner) if inner.decisive == decisive => {
            let inner = inner.parts.into_iter();
            inner.fold(parts, |parts, part| added(parts, decisive, part))
        }
        _ => added(parts, decisive, right),
    };
    let constant = |truth: bool| ResolvedExpr::constant(truth.into(), span);
    match (parts.pop(), parts.is_empty()) {
        (None, _) => constant(!decisive),
        (Some(only), true) => compare(Relation::NOT_EQUAL, [only, constant(false)], span),
        (Some(last), false) => {
            parts.push(last);
            let junction = Junction { decisive, parts };
            ResolvedExpr::new(ResolvedKind::Junction(junction), span)
        }
    }
}

/// The parts and one more. A constant that does not decide is left out, and so is what comes after one that does.
fn added(mut parts: Vec<ResolvedExpr>, decisive: bool, part: ResolvedExpr) -> Vec<ResolvedExpr> {
    let truth = |part: &ResolvedExpr| part.as_constant().map(|value| value != 0);
    let is_decided = parts.last().and_then(truth).is_some();
    if !is_decided && truth(&part) != Some(!decisive) {
        parts.push(part);
    }
    parts
}

/// A conditional; a constant if its condition is one and the branch that it takes, too. (Another branch cannot stand in its place: what
/// fails is told by where it stands.)
pub(crate) fn choose(parts: [ResolvedExpr; 3], span: Span) -> ResolvedExpr {
    let [condition, yes, no] = parts.each_ref().map(ResolvedExpr::as_constant);
    let chosen = match condition {
        Some(0) => no,
        Some(_) => yes,
        None => None,
    };
    match chosen {
        Some(value) => ResolvedExpr::constant(value, span),
        None => ResolvedExpr::new(ResolvedKind::Conditional(Box::new(parts)), span),
    }
}
