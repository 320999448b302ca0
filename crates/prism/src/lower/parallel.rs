//! Assignments that happen at once, as assignments one after the other.

use super::Lowering;
use super::start::first_fitting;
use crate::contradictions::cell_of;
use crate::layout::scalar;
use crate::system::Assignment;
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::ids::{GlobalId, LocalId};
use mandala_model::template::Effect;
use mandala_model::types::{Storage, Type, Variable};
use std::collections::BTreeSet;

/// A cell: a global variable, and which element of it.
type CellKey = (GlobalId, i64);

impl Lowering<'_> {
    /// Each cell changes when nothing that is still to be calculated reads it. Where they read each other in a circle, a value is noted before.
    pub(super) fn at_once(&mut self, assignments: Vec<Assignment>) -> Vec<Effect> {
        let mut waiting: Vec<Waiting> = assignments
            .into_iter()
            .filter(|assignment| !is_same(assignment))
            .map(Waiting::of)
            .collect();
        let (mut effects, mut last) = (Vec::new(), Vec::new());
        while !waiting.is_empty() {
            let free = (0..waiting.len()).find(|number| {
                let others = waiting
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| other != number);
                let mut others = others.map(|(_, other)| other);
                others.all(|other| !other.reads.contains(&waiting[*number].cell))
            });
            let next = waiting.remove(free.unwrap_or(0));
            match free {
                Some(_) => effects.push(next.effect()),
                None => {
                    let (note, change) = self.noted(next);
                    effects.push(note);
                    last.push(change);
                }
            }
        }
        effects.extend(last);
        effects
    }

    /// Notes a value in a scratch variable, and takes it from there.
    fn noted(&mut self, waiting: Waiting) -> (Effect, Effect) {
        let Assignment { slot, value, span } = waiting.assignment;
        let local = LocalId::from(self.template.locals.len());
        self.template.locals.push(Variable {
            name: "next".into(),
            ty: Type::Scalar(scalar(slot.kind)),
            indices: Vec::new(),
            initial: first_fitting(slot.kind, span),
            storage: Storage::Scratch,
            span,
        });
        let scratch = || Place::variable(Root::Local(local), span);
        let note = Effect::Assign {
            place: scratch(),
            value,
        };
        let change = Effect::Assign {
            place: slot.place(span),
            value: Expr::new(ExprKind::Read(scratch()), span),
        };
        (note, change)
    }
}

struct Waiting {
    assignment: Assignment,
    cell: CellKey,
    reads: BTreeSet<CellKey>,
}

impl Waiting {
    fn of(assignment: Assignment) -> Self {
        let mut reads = BTreeSet::new();
        assignment.value.walk(&mut |part| {
            if let ExprKind::Read(place) = &part.kind {
                reads.extend(cell_of(place));
            }
        });
        let slot = assignment.slot;
        let element = slot.element.map_or(0, i64::from);
        Waiting {
            cell: (slot.global, element),
            reads,
            assignment,
        }
    }

    fn effect(self) -> Effect {
        let Assignment { slot, value, span } = self.assignment;
        Effect::Assign {
            place: slot.place(span),
            value,
        }
    }
}

/// Whether a cell keeps its value.
fn is_same(assignment: &Assignment) -> bool {
    match &assignment.value.kind {
        ExprKind::Read(place) => cell_of(place) == cell_of(&assignment.slot.place(assignment.span)),
        _ => false,
    }
}
