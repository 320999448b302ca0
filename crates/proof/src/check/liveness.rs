//! Temporaries that hold nothing which is read later: what a proof says of that is compared with the statements, node by node.

use super::uses::{Use, indices, uses};
use super::{Checked, Reject};
use crate::proof::{Dead, Notes, Temporary};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Place, Projection, Root};
use mandala_model::ids::{LocalId, NodeId};
use mandala_model::template::{Routine, Step};
use std::collections::BTreeSet;

/// What becomes of a part of a variable first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    /// It may be read.
    Read,
    /// It is written as a whole.
    Written,
    /// Nothing.
    Untouched,
}

/// Whether a part of a variable is said to hold nothing that is read later, at a node.
pub(super) fn is_dead(notes: &Notes, variable: Temporary, path: &[u32], node: NodeId) -> bool {
    let says = |dead: &Dead| {
        dead.variable == variable && path.starts_with(&dead.path) && dead.nodes.contains(&node)
    };
    notes.dead.iter().any(says)
}

/// Whether a variable is written before it is read in a step that is no routine.
pub(super) fn is_dead_before(step: &Step, variable: Temporary) -> bool {
    first(step, variable, &[]) != First::Read
}

/// That what is said of a routine follows node by node. The result of a function is read at its end.
pub(super) fn check(notes: &Notes, routine: &Routine, result: Option<LocalId>) -> Checked<()> {
    for dead in &notes.dead {
        let at_end = Some(dead.variable) != result.map(|local| Temporary::Local(local.0));
        for node in &dead.nodes {
            let node = routine.nodes.get(node.index());
            let node = node.ok_or(Reject::whole("a proof speaks of a node that is not there"))?;
            for choice in &node.choices {
                let fine = match first(&choice.step, dead.variable, &dead.path) {
                    First::Read => false,
                    First::Written => true,
                    First::Untouched => choice
                        .next
                        .map_or(at_end, |next| dead.nodes.contains(&next)),
                };
                let message = "it reads what is said to be written before";
                fine.then_some(()).ok_or(Reject::at(choice.span, message))?;
            }
        }
    }
    Ok(())
}

/// What a step does first to a part of a variable.
fn first(step: &Step, variable: Temporary, path: &[u32]) -> First {
    if let Step::Routine(_) = step {
        return First::Read;
    }
    let overlaps = |place: &Place| {
        let own = Temporary::of(&place.root) == Some(variable);
        own && fields(place).iter().zip(path).all(|(a, b)| a == b)
    };
    let reads = |expr: &Expr| {
        expr.any(|part| matches!(&part.kind, ExprKind::Read(place) if overlaps(place)))
    };
    let of = |part: Use<'_>| match (part, part.target()) {
        (Use::Evaluates(expr), _) if reads(expr) => First::Read,
        (Use::Passes(place), _) if overlaps(place) => First::Read,
        (_, Some(place)) if indices(place).into_iter().any(reads) => First::Read,
        (Use::Assigns(place, _), _) => {
            let fields = fields(place);
            let whole = fields.len() == place.path.len() && path.starts_with(&fields);
            match whole && Temporary::of(&place.root) == Some(variable) {
                true => First::Written,
                false => First::Untouched,
            }
        }
        _ => First::Untouched,
    };
    let mut parts = uses(step).into_iter().map(of);
    parts
        .find(|first| *first != First::Untouched)
        .unwrap_or(First::Untouched)
}

/// The fields that lead to a cell, up to the first index.
fn fields(place: &Place) -> Vec<u32> {
    let fields = place.path.iter().map_while(|part| match part {
        Projection::Field(field) => Some(*field),
        Projection::Index(_) => None,
    });
    fields.collect()
}

/// Whether a step may write to a variable or pass it on.
pub(super) fn writes(step: &Step, root: &Root) -> bool {
    let mut targets = uses(step).into_iter().filter_map(Use::target);
    targets.any(|place| place.root == *root)
}

/// Whether some code does so.
pub(super) fn is_assigned(routine: &Routine, root: &Root) -> bool {
    let mut choices = routine.nodes.iter().flat_map(|node| &node.choices);
    choices.any(|choice| writes(&choice.step, root))
}

/// Whether anything does so.
pub(super) fn is_written(model: &Model, root: &Root) -> bool {
    let mut edges = model.runnables().flat_map(|(_, template)| &template.edges);
    let mut functions = model.functions.iter();
    edges.any(|edge| writes(&edge.step, root))
        || functions.any(|function| is_assigned(&function.body, root))
}

/// The nodes that have to be said to be dead if one is; none if it is not.
pub(crate) fn dead_nodes(
    routine: &Routine,
    result: Option<u32>,
    variable: Temporary,
    path: &[u32],
    start: NodeId,
) -> BTreeSet<NodeId> {
    let at_end = result.is_none_or(|local| variable != Temporary::Local(local));
    let mut nodes = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for choice in &routine.nodes[node.index()].choices {
            match (first(&choice.step, variable, path), choice.next) {
                (First::Written, _) => {}
                (First::Untouched, Some(next)) => open.extend(nodes.insert(next).then_some(next)),
                (First::Untouched, None) if at_end => {}
                _ => return BTreeSet::new(),
            }
        }
    }
    nodes
}
