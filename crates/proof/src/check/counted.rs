//! Counted loops: `k = a; do :: k <= b -> ..; k++ :: else -> break od` inside of code that is not interrupted.
//!
//! A proof names the *head* of such a loop. It has two choices: the first one asks whether a variable `k` is at most a constant, or less than one, does nothing
//! else and leads into the body; the second one does nothing and leads out. The *body* is what can be reached from the first choice without passing the head; nothing
//! else leads into it. Who comes to the head from the body has just added 1 to `k` and does nothing else in that choice; who comes from outside has just assigned
//! one and the same constant to `k`. Nothing else in the body writes `k`, the model has no functions, and `k` has room for all its values and the one behind them.
//! So the body is carried out once for each value, and behind the loop `k` is greater than the last one by 1.

use super::judge::Judge;
use super::liveness::writes;
use super::places::bounds;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Root};
use mandala_model::ids::NodeId;
use mandala_model::state::Value;
use mandala_model::template::{Choice, Effect, Routine, Step};
use std::collections::BTreeSet;

/// A loop that counts.
#[derive(Clone, Debug)]
pub(super) struct Counted<'m> {
    pub(super) head: NodeId,
    pub(super) variable: &'m Place,
    pub(super) first: Value,
    pub(super) last: Value,
    pub(super) body: BTreeSet<NodeId>,
    /// Where it leads out.
    pub(super) behind: Option<NodeId>,
}

/// More iterations than this are not looked at.
const MOST: Value = 1 << 16;

impl Counted<'_> {
    /// Whether an effect of a choice begins the loop or takes the next value: it is the last one, and leads to the head.
    pub(super) fn counts(&self, choice: &Choice, effect: usize) -> bool {
        let last =
            matches!(&choice.step, Step::Guarded { effects, .. } if effect + 1 == effects.len());
        choice.next == Some(self.head) && last
    }
}

impl Judge<'_> {
    /// The loop that a node of a routine is the head of, if it is one.
    pub(super) fn counted<'m>(&self, routine: &'m Routine, head: NodeId) -> Option<Counted<'m>> {
        let [on, out] = &routine.nodes.get(head.index())?.choices[..] else {
            return None;
        };
        let (variable, last) = tested(on)?;
        let leaves =
            out.step == Step::Else || unguarded(&out.step).is_some_and(<[Effect]>::is_empty);
        let inside = on.next.filter(|inside| *inside != head)?;
        let body = routine.reached_from(Some(inside), head);
        let known = routine.loops.iter().any(|each| each.head == head);
        let open =
            routine.nodes[head.index()].quiet || head == NodeId(0) || body.contains(&NodeId(0));
        (leaves && !known && !open && self.model.functions.is_empty()).then_some(())?;
        let mut first = None;
        for (number, node) in (0..).map(NodeId).zip(&routine.nodes) {
            for choice in &node.choices {
                let enters = choice.next.is_some_and(|next| body.contains(&next));
                let fits = match (choice.next == Some(head), body.contains(&number)) {
                    (true, true) => adds_one(&choice.step, variable),
                    (true, false) => {
                        let value = assigned(&choice.step, variable)?;
                        *first.get_or_insert(value) == value
                    }
                    (false, true) => !writes(&choice.step, &variable.root),
                    (false, false) => number == head || !enters,
                };
                fits.then_some(())?;
            }
        }
        let first = first?;
        let room = bounds(self.root(&variable.root)?.cell()?.scalar)?;
        let fits = first <= last && last - first < MOST && room.0 <= first && last < room.1;
        let behind = out.next;
        fits.then_some(Counted {
            head,
            variable,
            first,
            last,
            body,
            behind,
        })
    }
}

/// The variable that a choice compares with a constant, and the greatest value that passes.
fn tested(choice: &Choice) -> Option<(&Place, Value)> {
    let Step::Guarded { guard, effects } = &choice.step else {
        return None;
    };
    let (op, variable, bound) = match &guard.kind {
        ExprKind::Binary(op, left, right) => (op, read(left)?, constant(right)?),
        _ => return None,
    };
    let last = match op {
        BinaryOp::Less => bound - 1,
        BinaryOp::LessEqual => bound,
        _ => return None,
    };
    effects.is_empty().then_some((variable, last))
}

/// The whole variable that an expression reads.
fn read(expr: &Expr) -> Option<&Place> {
    match &expr.kind {
        ExprKind::Read(place) => Some(place).filter(|place| is_whole(place)),
        _ => None,
    }
}

fn is_whole(place: &Place) -> bool {
    place.path.is_empty() && matches!(place.root, Root::Local(_) | Root::Global(_))
}

/// The number that an expression of small constants is.
fn constant(expr: &Expr) -> Option<Value> {
    let value = match &expr.kind {
        ExprKind::Const(value) => *value,
        ExprKind::Binary(op, left, right) => match (op, constant(left)?, constant(right)?) {
            (BinaryOp::Add, a, b) => a + b,
            (BinaryOp::Subtract, a, b) => a - b,
            (BinaryOp::Multiply, a, b) => a * b,
            _ => return None,
        },
        _ => return None,
    };
    (value.unsigned_abs() < MOST as u64).then_some(value)
}

/// What a step does that can always be taken.
fn unguarded(step: &Step) -> Option<&[Effect]> {
    match step {
        Step::Guarded { guard, effects } => guard
            .as_constant()
            .is_some_and(|value| value != 0)
            .then_some(effects),
        _ => None,
    }
}

/// Whether a step can always be taken, adds 1 to the variable and does nothing else.
fn adds_one(step: &Step, variable: &Place) -> bool {
    let Some([Effect::Assign { place, value }]) = unguarded(step) else {
        return false;
    };
    let own = |place: &Place| is_whole(place) && place.root == variable.root;
    match &value.kind {
        ExprKind::Binary(BinaryOp::Add, left, right) => {
            own(place) && read(left).is_some_and(own) && right.as_constant() == Some(1)
        }
        _ => false,
    }
}

/// The constant that a step assigns to the variable at last.
fn assigned(step: &Step, variable: &Place) -> Option<Value> {
    match step {
        Step::Guarded { effects, .. } => match effects.last()? {
            Effect::Assign { place, value } if is_whole(place) && place.root == variable.root => {
                constant(value)
            }
            _ => None,
        },
        _ => None,
    }
}
