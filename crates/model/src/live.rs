//! The variables of a function that are read later.

use crate::expr::{Expr, ExprKind, Place, Root};
use crate::function::Function;
use crate::ids::LocalId;
use crate::template::{Choice, Effect, Step};
use std::collections::BTreeSet;

/// The local variables of a function that may be read behind a choice before they are assigned to as a whole. The result is read at the end.
pub(crate) fn live_behind(
    function: &Function,
    (node, choice): (usize, usize),
) -> BTreeSet<LocalId> {
    let live = live_at(function);
    let behind = behind(function, &function.body.nodes[node].choices[choice], &live);
    let call = &function.body.nodes[node].choices[choice].step;
    let target = match call {
        Step::Call(call) => call.result.as_ref(),
        _ => None,
    };
    let mut needed = behind;
    // What the call itself assigns need not be kept, unless it is a part of something.
    if let Some(local) = target.and_then(assigned_whole) {
        needed.remove(&local);
    }
    // The indices of the result are evaluated after the call.
    target.into_iter().for_each(|place| {
        place.walk(&mut |expr| reads(expr, &mut needed));
    });
    needed
}

/// For each node, what may be read there or later.
fn live_at(function: &Function) -> Vec<BTreeSet<LocalId>> {
    let nodes = &function.body.nodes;
    let mut live = vec![BTreeSet::new(); nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for number in (0..nodes.len()).rev() {
            let choices = nodes[number].choices.iter();
            let before = choices.flat_map(|choice| before(function, choice, &live));
            let here: BTreeSet<LocalId> = before.collect();
            if here.len() > live[number].len() {
                live[number] = here;
                changed = true;
            }
        }
    }
    live
}

fn behind(function: &Function, choice: &Choice, live: &[BTreeSet<LocalId>]) -> BTreeSet<LocalId> {
    match choice.next {
        Some(next) => live[next.index()].clone(),
        None => function.result.into_iter().collect(),
    }
}

fn before(function: &Function, choice: &Choice, live: &[BTreeSet<LocalId>]) -> BTreeSet<LocalId> {
    let mut needed = behind(function, choice, live);
    match &choice.step {
        Step::Guarded { guard, effects } => {
            for effect in effects.iter().rev() {
                if let Effect::Assign { place, .. } = effect
                    && let Some(local) = assigned_whole(place)
                {
                    needed.remove(&local);
                }
                effect
                    .clone()
                    .each_expr_mut(&mut |expr| reads(expr, &mut needed));
            }
            guard.walk(&mut |expr| reads(expr, &mut needed));
        }
        step => {
            step.clone()
                .each_expr_mut(&mut |expr| reads(expr, &mut needed));
            if let Step::Call(call) = step {
                needed.extend(call.references.iter().filter_map(local_of));
            }
        }
    }
    needed
}

fn reads(expr: &Expr, found: &mut BTreeSet<LocalId>) {
    if let ExprKind::Read(place) = &expr.kind {
        found.extend(local_of(place));
    }
}

fn local_of(place: &Place) -> Option<LocalId> {
    match place.root {
        Root::Local(local) => Some(local),
        _ => None,
    }
}

fn assigned_whole(place: &Place) -> Option<LocalId> {
    local_of(place).filter(|_| place.path.is_empty())
}
