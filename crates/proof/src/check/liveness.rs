//! Temporaries that hold nothing which is read later: what a proof says of that is compared with the statements, node by node.

use super::{Checked, Reject};
use crate::proof::{Dead, Notes, Temporary};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Pattern, Place, Projection, Root};
use mandala_model::ids::{GlobalId, LocalId, NodeId};
use mandala_model::template::{Effect, Print, Routine, Step};
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
    let says = |dead: &&Dead| {
        dead.variable == variable && path.starts_with(&dead.path) && dead.nodes.contains(&node)
    };
    notes.dead.iter().find(says).is_some()
}

/// Whether a part of a variable is written before it is read in a step that is no routine.
pub(super) fn is_dead_before(step: &Step, variable: Temporary) -> bool {
    let part = Watched {
        variable,
        path: &[],
    };
    part.step(step) != First::Read
}

/// That what is said of a routine follows node by node. The result of a function is read at its end.
pub(super) fn check(notes: &Notes, routine: &Routine, result: Option<LocalId>) -> Checked<()> {
    for dead in &notes.dead {
        let part = Watched {
            variable: dead.variable,
            path: &dead.path,
        };
        let at_end = result.is_none_or(|local| dead.variable != Temporary::Local(local.0));
        for node in &dead.nodes {
            let node = routine.nodes.get(node.index());
            let node =
                node.ok_or_else(|| Reject::whole("a proof speaks of a node that is not there"))?;
            for choice in &node.choices {
                let after = choice
                    .next
                    .map_or(at_end, |next| dead.nodes.contains(&next));
                let fine = match part.step(&choice.step) {
                    First::Read => false,
                    First::Written => true,
                    First::Untouched => after,
                };
                fine.then_some(()).ok_or_else(|| {
                    Reject::always(choice.span, "it reads what is said to be written before")
                })?;
            }
        }
    }
    Ok(())
}

/// A part of a variable that is watched.
struct Watched<'n> {
    variable: Temporary,
    path: &'n [u32],
}

impl Watched<'_> {
    fn step(&self, step: &Step) -> First {
        match step {
            Step::Guarded { guard, effects } => {
                let mut parts = effects.iter().map(|effect| self.effect(effect));
                let first = parts.find(|first| *first != First::Untouched);
                self.after([guard], first.unwrap_or(First::Untouched))
            }
            Step::Call(call) => {
                // What is passed may be read before it is written.
                let passed = call.references.iter().any(|place| self.overlaps(place));
                let read = passed || call.references.iter().any(|place| self.in_indices(place));
                match (read, &call.result) {
                    (true, _) => First::Read,
                    (false, Some(place)) => self.after(&call.arguments, self.written(place)),
                    (false, None) => self.after(&call.arguments, First::Untouched),
                }
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                // A message that does not match writes nothing.
                let reads = |pattern: &Pattern| match pattern {
                    Pattern::Bind(place) => self.in_indices(place),
                    Pattern::Match(value) => self.reads(value),
                    Pattern::Ignore => false,
                };
                match patterns.iter().any(reads) {
                    true => First::Read,
                    false => self.after([channel], First::Untouched),
                }
            }
            Step::Else | Step::Exit => First::Untouched,
            Step::Send {
                channel, message, ..
            } => self.after(message.iter().chain([channel]), First::Untouched),
            Step::Routine(_) => First::Read,
        }
    }

    fn effect(&self, effect: &Effect) -> First {
        match effect {
            Effect::Assign { place, value } => self.after([value], self.written(place)),
            Effect::Insert(insertion) => {
                let first = self.after(
                    [&insertion.has_room, &insertion.first_free],
                    self.written(&insertion.position),
                );
                let cells = insertion
                    .cells
                    .iter()
                    .map(|(place, value)| self.after([value], self.written(place)));
                let mut all = std::iter::once(first).chain(cells);
                all.find(|first| *first != First::Untouched)
                    .unwrap_or(First::Untouched)
            }
            Effect::Assert { condition } => self.after([condition], First::Untouched),
            Effect::Print {
                text: Print::Format { arguments, .. },
            } => self.after(arguments, First::Untouched),
            Effect::Print {
                text: Print::Name(value),
            } => self.after([value], First::Untouched),
            Effect::Spawn {
                arguments, result, ..
            } => {
                let written = result
                    .as_ref()
                    .map_or(First::Untouched, |place| self.written(place));
                self.after(arguments, written)
            }
            Effect::SetPriority { process, priority } => {
                self.after([process, priority], First::Untouched)
            }
            Effect::Fail { .. } | Effect::Abandon => First::Untouched,
        }
    }

    /// What comes first if these are read before.
    fn after<'e>(&self, read: impl IntoIterator<Item = &'e Expr>, then: First) -> First {
        match read.into_iter().any(|expr| self.reads(expr)) {
            true => First::Read,
            false => then,
        }
    }

    /// A place is written.
    fn written(&self, place: &Place) -> First {
        let (path, whole) = fields(place);
        if self.in_indices(place) {
            return First::Read;
        }
        match self.is_variable(place) && whole && self.path.starts_with(&path) {
            true => First::Written,
            false => First::Untouched,
        }
    }

    fn reads(&self, expr: &Expr) -> bool {
        expr.any(|part| matches!(&part.kind, ExprKind::Read(place) if self.overlaps(place)))
    }

    fn in_indices(&self, place: &Place) -> bool {
        let mut found = false;
        place.each_part(&mut |part| found |= self.reads(part));
        found
    }

    fn overlaps(&self, place: &Place) -> bool {
        let (path, _) = fields(place);
        self.is_variable(place) && path.iter().zip(self.path).all(|(a, b)| a == b)
    }

    fn is_variable(&self, place: &Place) -> bool {
        match place.root {
            Root::Local(id) => self.variable == Temporary::Local(id.0),
            Root::Global(id) => self.variable == Temporary::Global(id.0),
            _ => false,
        }
    }
}

/// The fields that lead to a cell, up to the first index, and whether there is none.
fn fields(place: &Place) -> (Vec<u32>, bool) {
    let fields = place.path.iter().map_while(|part| match part {
        Projection::Field(field) => Some(*field),
        Projection::Index(_) => None,
    });
    let path: Vec<u32> = fields.collect();
    let whole = path.len() == place.path.len();
    (path, whole)
}

/// Whether some code assigns to a local variable, or passes it on.
pub(super) fn is_assigned(routine: &Routine, local: LocalId) -> bool {
    let choices = routine.nodes.iter().flat_map(|node| &node.choices);
    let mut found = false;
    for choice in choices {
        choice
            .step
            .clone()
            .each_target_mut(&mut |place| found |= place.root == Root::Local(local));
    }
    found
}

/// Whether anything assigns to a global variable.
pub(super) fn is_written(model: &Model, global: GlobalId) -> bool {
    let mut found = false;
    let mut targets = |step: &Step| {
        step.clone()
            .each_target_mut(&mut |place| found |= place.root == Root::Global(global))
    };
    model
        .runnables()
        .flat_map(|(_, template)| &template.edges)
        .for_each(|edge| targets(&edge.step));
    model
        .function_nodes()
        .flat_map(|node| &node.choices)
        .for_each(|choice| targets(&choice.step));
    found
}

/// The nodes that have to be said to be dead if one is; none if it is not.
pub(crate) fn dead_nodes(
    routine: &Routine,
    result: Option<u32>,
    variable: Temporary,
    path: &[u32],
    start: NodeId,
) -> BTreeSet<NodeId> {
    let part = Watched { variable, path };
    let at_end = result.is_none_or(|local| variable != Temporary::Local(local));
    let mut nodes = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for choice in &routine.nodes[node.index()].choices {
            match (part.step(&choice.step), choice.next) {
                (First::Written, _) => {}
                (First::Untouched, Some(next)) => open.extend(nodes.insert(next).then_some(next)),
                (First::Untouched, None) if at_end => {}
                _ => return BTreeSet::new(),
            }
        }
    }
    nodes
}
