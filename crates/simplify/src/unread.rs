//! Replacement of constants that are assigned to variables which are not read again.
//!
//! `from = 0` behind the last use of `from` is a habit: the author does not want to tell states apart that differ in what `from` was. But if 0 is somebody's name, the
//! assignment singles that one out, and so does what the variable holds before it is first written to. Any other constant would do, and the caller says which one is
//! nobody's name.
//!
//! # Why verdicts carry over
//!
//! For the reason that is given at the head of `dead`: a state of the model and the one that the rewritten model is in at the same time differ in dead slots alone, so the same
//! steps are possible in both, with the same failures, messages and printed texts, and they lead to states that differ in dead slots alone. No step is added or taken away,
//! and a constant that the cell can hold is put into the cell that was written before, so it cannot fail. What a variable holds at first is replaced in the same way: it is
//! dead where a process starts, it is no parameter, and no other variable gets its first value from it.
//!
//! There may be more states than before: a slot that holds 0 because somebody is called so, and one that was reset to 0, are told apart now.

use crate::dead::is_apart;
use crate::liveness::{Liveness, Set, live};
use crate::reverify::{RewriteDefect, reverify};
use crate::slots::{DeadCell, Slots, Uses};
use crate::visits::birth_reads;
use mandala_model::expr::{Expr, Root};
use mandala_model::ids::{LocalId, TemplateId};
use mandala_model::model::Deadlock;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::template::{Edge, Effect, Role, Routine, Step, Template};
use mandala_model::types::{Initial, Type};
use mandala_model::{Model, UncheckedModel};
use std::collections::BTreeSet;

/// A model in which other constants are put into what nobody will read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The model.
    pub model: Model,
    /// The variables of which this is so, as a person names them.
    pub variables: BTreeSet<String>,
}

/// The model in which variables that nobody will read again get the constant that `value` says, wherever they get one; nothing if that is the same model.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn replace_unread(
    model: &Model,
    observers: Observers,
    value: &dyn Fn(&DeadCell) -> Option<Value>,
) -> Result<Option<Unread>, RewriteDefect> {
    // Whether a step changes the state must stay as it is.
    if model.deadlock == Deadlock::NoChange {
        return Ok(None);
    }
    let uses = Uses::of(model, observers);
    let mut rewritten = UncheckedModel::clone(model);
    let mut variables = BTreeSet::new();
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        if template.role != Role::Process || is_apart(model, id) {
            continue;
        }
        let slots = Slots::of(model, &uses, id);
        let mut replacer = Replacer::new(model, template, &slots, value);
        replacer.template(&mut rewritten.templates[id.index()]);
        let changed = replacer.changed.into_iter();
        variables.extend(changed.map(|slot| slots.cells[slot].name(model)));
    }
    if variables.is_empty() {
        return Ok(None);
    }
    let model = reverify("the reset of variables that nobody reads", rewritten)?;
    Ok(Some(Unread { model, variables }))
}

/// Replaces constants in one template.
struct Replacer<'a> {
    liveness: Liveness<'a>,
    /// What each slot gets.
    values: Vec<Option<Value>>,
    /// What is live at each location.
    live: Vec<Set>,
    /// The slots of which something was replaced.
    changed: Set,
}

impl<'a> Replacer<'a> {
    fn new(
        model: &'a Model,
        template: &'a Template,
        slots: &'a Slots,
        value: &dyn Fn(&DeadCell) -> Option<Value>,
    ) -> Self {
        let fits = |cell: &DeadCell, value: Value| cell.scalar.store(value) == Some(value);
        // The elements of an array must stay alike.
        let is_whole = |cell: &DeadCell| cell.place.path.is_empty();
        let values = slots.cells.iter().map(|cell| {
            let value = value(cell).filter(|value| fits(cell, *value));
            value.filter(|_| is_whole(cell))
        });
        let nothing = vec![Set::new(); template.locations.len()];
        Replacer {
            liveness: Liveness {
                model,
                template,
                slots,
            },
            values: values.collect(),
            live: live(model, template, slots, &nothing),
            changed: Set::new(),
        }
    }

    fn template(&mut self, template: &mut Template) {
        template.edges.iter_mut().for_each(|edge| self.edge(edge));
        self.changed
            .iter()
            .for_each(|slot| self.first(template, *slot));
    }

    fn edge(&mut self, edge: &mut Edge) {
        let live = self.live[edge.target.index()].clone();
        match &mut edge.step {
            Step::Routine(routine) => self.routine(&live, routine),
            step => self.step(live, step),
        }
    }

    fn routine(&mut self, after: &Set, routine: &mut Routine) {
        let live = self.liveness.at_nodes(routine, after);
        for choice in routine.nodes.iter_mut().flat_map(|node| &mut node.choices) {
            let behind = choice.next.map_or(after, |next| &live[next.index()]);
            self.step(behind.clone(), &mut choice.step);
        }
    }

    /// A step behind which something is live.
    fn step(&mut self, mut live: Set, step: &mut Step) {
        if let Step::Guarded { effects, .. } = step {
            for effect in effects.iter_mut().rev() {
                self.effect(&live, effect);
                self.liveness.before_effect(&mut live, effect);
            }
        }
    }

    /// An effect behind which something is live.
    fn effect(&mut self, live: &Set, effect: &mut Effect) {
        let Effect::Assign { place, value } = effect else {
            return;
        };
        let touched = self.liveness.touched(place).filter(|t| t.definite);
        let slot = touched.map(|touched| touched.slots.start);
        let slot = slot.filter(|slot| !live.contains(slot));
        let Some((slot, nobody)) = slot.and_then(|slot| Some((slot, self.values[slot]?))) else {
            return;
        };
        if value.as_constant().is_some_and(|old| old != nobody) {
            *value = Expr::constant(nobody, value.span);
            self.changed.insert(slot);
        }
    }

    /// What a variable of one cell holds at first.
    fn first(&self, template: &mut Template, slot: usize) {
        let entry = template.entry.index();
        let cell = &self.liveness.slots.cells[slot];
        let (Root::Local(local), Some(nobody)) = (&cell.place.root, self.values[slot]) else {
            return;
        };
        let is_given = local.0 < template.parameters || is_read_at_birth(template, *local);
        let variable = &mut template.locals[local.index()];
        let is_one = matches!(variable.ty, Type::Scalar(_));
        if is_one && !is_given && !self.live[entry].contains(&slot) {
            variable.initial = Initial::Fill(Expr::constant(nobody, variable.span));
        }
    }
}

/// Whether some variable of the template gets its first value from a local one.
fn is_read_at_birth(template: &Template, local: LocalId) -> bool {
    let mut found = false;
    birth_reads(template, &mut |place| {
        found |= place.root == Root::Local(local)
    });
    found
}
