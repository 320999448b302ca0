//! Counted loops: `k = a; do :: k <= b -> ..; k++ :: else -> break od` inside of code that is not interrupted.
//!
//! A node of a routine is the *head* of such a loop if all of this is so:
//!
//! 1. It has two choices: the first one asks whether a variable `k` is at most a constant, or less than one, does nothing else and leads into the body; the
//!    second one can always be taken then, does nothing and leads out.
//! 2. The *body* is what can be reached from the first choice without passing the head. Nothing else leads into it, and the routine does not start in it
//!    or at the head.
//! 3. Who comes to the head from inside of the body has just added 1 to `k`, and has done nothing else in that choice. Who comes from outside has just
//!    assigned one and the same constant to `k`.
//! 4. Nothing else in the body writes `k`, the model has no functions, and `k` has room for all its values and the one behind them.
//!
//! So the body is carried out once for each value from the first to the last one, in this order, and behind the loop `k` is greater than the last one by 1.

use crate::sorts::bounds;
use mandala_model::UncheckedModel;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Root};
use mandala_model::ids::{NodeId, TemplateId};
use mandala_model::state::Value;
use mandala_model::template::{Choice, Effect, Node, Routine, Step};
use mandala_model::types::{Scalar, Type, Variable};
use std::collections::BTreeSet;

/// A loop that counts.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) head: NodeId,
    pub(super) variable: Place,
    pub(super) first: Value,
    pub(super) last: Value,
    /// The nodes of the body, without the head.
    pub(super) body: BTreeSet<NodeId>,
}

/// More iterations than this are no loop over names.
const MOST: Value = 1 << 16;

impl Counted {
    /// Whether an effect of a choice begins the loop or takes the next value: it is the last one, and leads to the head.
    pub(super) fn counts(&self, choice: &Choice, effect: usize) -> bool {
        let Step::Guarded { effects, .. } = &choice.step else {
            return false;
        };
        choice.next == Some(self.head) && effect + 1 == effects.len()
    }
}

/// The loops of a routine that count.
pub(super) fn counted(
    model: &UncheckedModel,
    template: Option<TemplateId>,
    routine: &Routine,
) -> Vec<Counted> {
    let known = |head: &NodeId| routine.loops.iter().any(|each| each.head == *head);
    let heads = (1..routine.nodes.len()).map(NodeId::from);
    let heads = heads.filter(|head| !known(head));
    heads
        .filter_map(|head| headed_by(model, template, routine, head))
        .collect()
}

fn headed_by(
    model: &UncheckedModel,
    template: Option<TemplateId>,
    routine: &Routine,
    head: NodeId,
) -> Option<Counted> {
    let (variable, last, inside) = tested(&routine.nodes[head.index()])?;
    let body = routine.reached_from(Some(inside), head);
    let is_closed = |(number, node): (NodeId, &Node)| {
        let outside = number != head && !body.contains(&number);
        let mut next = node.choices.iter().filter_map(|choice| choice.next);
        !outside || !next.any(|next| body.contains(&next))
    };
    let mut nodes = (0..).map(NodeId).zip(&routine.nodes);
    if inside == head || body.contains(&NodeId(0)) || !nodes.clone().all(is_closed) {
        return None;
    }
    let mut first = None;
    let enters = nodes.all(|(number, node)| {
        let is_inside = body.contains(&number);
        node.choices
            .iter()
            .all(|choice| match (choice.next == Some(head), is_inside) {
                (true, true) => adds_one(choice, &variable),
                (true, false) => match assigned(choice, &variable) {
                    Some(value) => *first.get_or_insert(value) == value,
                    None => false,
                },
                (false, true) => !writes(choice, &variable),
                (false, false) => true,
            })
    });
    let first = first.filter(|_| enters)?;
    // A function that is called might write it.
    let is_ours = model.functions.is_empty();
    let fits = is_ours
        && first <= last
        && last - first < MOST
        && has_room(model, template, &variable, (first, last + 1));
    fits.then_some(Counted {
        head,
        variable,
        first,
        last,
        body,
    })
}

/// The variable that a node compares with a constant, the greatest value that passes, and where that leads.
fn tested(node: &Node) -> Option<(Place, Value, NodeId)> {
    let [on, out] = &node.choices[..] else {
        return None;
    };
    let Step::Guarded { guard, effects } = &on.step else {
        return None;
    };
    let ExprKind::Binary(op, left, right) = &guard.kind else {
        return None;
    };
    let ExprKind::Read(variable) = &left.kind else {
        return None;
    };
    let bound = constant(right)?;
    let last = match op {
        BinaryOp::Less => bound - 1,
        BinaryOp::LessEqual => bound,
        _ => return None,
    };
    let plain = variable.path.is_empty() && effects.is_empty() && !node.quiet;
    let is_variable = matches!(variable.root, Root::Local(_) | Root::Global(_));
    let leaves = match &out.step {
        Step::Else => true,
        Step::Guarded { guard, effects } => {
            effects.is_empty() && guard.as_constant().is_some_and(|value| value != 0)
        }
        _ => false,
    };
    (plain && is_variable && leaves && last.abs() < MOST).then_some((
        variable.clone(),
        last,
        on.next?,
    ))
}

/// The number that an expression of small constants is.
fn constant(expr: &Expr) -> Option<Value> {
    let small = |value: Value| (value.abs() < MOST).then_some(value);
    match &expr.kind {
        ExprKind::Const(value) => small(*value),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            match op {
                BinaryOp::Add => small(left + right),
                BinaryOp::Subtract => small(left - right),
                BinaryOp::Multiply => small(left * right),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_variable(place: &Place, variable: &Place) -> bool {
    place.root == variable.root && place.path.is_empty()
}

/// Whether a choice can always be taken, and adds 1 to the variable and does nothing else.
fn adds_one(choice: &Choice, variable: &Place) -> bool {
    let Some([Effect::Assign { place, value }]) = unguarded(choice) else {
        return false;
    };
    let ExprKind::Binary(BinaryOp::Add, left, right) = &value.kind else {
        return false;
    };
    let reads = matches!(&left.kind, ExprKind::Read(read) if is_variable(read, variable));
    is_variable(place, variable) && reads && right.as_constant() == Some(1)
}

/// The constant that a choice assigns to the variable at last.
fn assigned(choice: &Choice, variable: &Place) -> Option<Value> {
    let Step::Guarded { effects, .. } = &choice.step else {
        return None;
    };
    match effects.last()? {
        Effect::Assign { place, value } if is_variable(place, variable) => constant(value),
        _ => None,
    }
}

/// What a choice does that can always be taken.
fn unguarded(choice: &Choice) -> Option<&[Effect]> {
    match &choice.step {
        Step::Guarded { guard, effects } if guard.as_constant().is_some_and(|v| v != 0) => {
            Some(effects)
        }
        _ => None,
    }
}

/// Whether a choice may write the variable.
fn writes(choice: &Choice, variable: &Place) -> bool {
    let mut found = false;
    let mut step = choice.step.clone();
    step.each_target_mut(&mut |place| found |= place.root == variable.root);
    found
}

/// Whether a variable keeps all numbers from one to another.
fn has_room(
    model: &UncheckedModel,
    template: Option<TemplateId>,
    variable: &Place,
    (low, high): (Value, Value),
) -> bool {
    let declared: Option<&Variable> = match &variable.root {
        Root::Global(id) => Some(model.global(*id)),
        Root::Local(id) => template
            .and_then(|template| model.templates.get(template.index()))
            .and_then(|template| template.locals.get(id.index())),
        _ => None,
    };
    let scalar: Option<Scalar> = declared.and_then(|declared| match declared.ty {
        Type::Scalar(scalar) => Some(scalar),
        _ => None,
    });
    let fits = |scalar| bounds(scalar).is_some_and(|(min, max)| min <= low && high <= max);
    scalar.is_some_and(fits)
}
