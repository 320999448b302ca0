//! Live temporaries at a node of a routine: those whose value is read later.

use mandala_model::expr::{Expr, ExprKind, Pattern, Place, Projection, Root};
use mandala_model::ids::{GlobalId, LocalId};
use mandala_model::template::{Choice, Effect, Print, Routine, Step};
use std::collections::BTreeSet;

/// A variable that may be a temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holder {
    Local(LocalId),
    Global(GlobalId),
}

impl Holder {
    fn of(root: &Root) -> Option<Self> {
        match root {
            Root::Local(id) => Some(Holder::Local(*id)),
            Root::Global(id) => Some(Holder::Global(*id)),
            Root::Reference(_) | Root::Remote { .. } | Root::OwnPriority => None,
        }
    }

    /// Whether it is that local variable.
    pub(super) fn is_local(self, local: LocalId) -> bool {
        self == Holder::Local(local)
    }
}

/// A variable, or a part of a record in one. Elements of arrays stand for the whole array.
type Temporary = (Holder, Vec<u32>);

/// What is read later, at some point of a routine, before it is written.
pub(super) type Live = BTreeSet<Temporary>;

/// What is read later from each node of a routine on. The result of a function is read at its end.
pub(super) fn live_at(routine: &Routine, result: Option<LocalId>) -> Vec<Live> {
    let mut live = vec![Live::new(); routine.nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for number in (0..routine.nodes.len()).rev() {
            let mut here = Live::new();
            for choice in &routine.nodes[number].choices {
                here.extend(before(choice, &live, result));
            }
            if here.len() > live[number].len() {
                live[number] = here;
                changed = true;
            }
        }
    }
    live
}

/// What a step reads before it is written.
pub(super) fn live_before(step: &Step) -> Live {
    if let Step::Routine(routine) = step {
        let live = live_at(routine, None);
        return live.first().cloned().unwrap_or_default();
    }
    let mut live = Live::new();
    before_step(step, &mut live);
    live
}

/// Whether a part of a variable is among what is read later.
pub(super) fn is_live(live: &Live, place: &Place) -> bool {
    let Some(holder) = Holder::of(&place.root) else {
        return true;
    };
    let path = fields(place);
    let overlap = |(other, part): &Temporary| {
        *other == holder && part.iter().zip(&path.0).all(|(a, b)| a == b)
    };
    live.iter().any(overlap)
}

fn before(choice: &Choice, live: &[Live], result: Option<LocalId>) -> Live {
    let at_end = || {
        result
            .map(|local| (Holder::Local(local), Vec::new()))
            .into_iter()
            .collect()
    };
    let next = choice.next.map(|next| live[next.index()].clone());
    let mut live = next.unwrap_or_else(at_end);
    before_step(&choice.step, &mut live);
    live
}

fn before_step(step: &Step, live: &mut Live) {
    match step {
        Step::Guarded { guard, effects } => {
            for effect in effects.iter().rev() {
                before_effect(effect, live);
            }
            reads(guard, live);
        }
        Step::Call(call) => {
            call.result.iter().for_each(|place| writes(place, live));
            // What is passed may be read before it is written.
            call.references
                .iter()
                .for_each(|place| reads_place(place, live));
            call.arguments.iter().for_each(|e| reads(e, live));
        }
        Step::Else | Step::Exit => {}
        Step::Receive {
            channel, patterns, ..
        } => {
            // A message that does not match writes nothing.
            for pattern in patterns {
                match pattern {
                    Pattern::Bind(place) => indices(place, live),
                    Pattern::Match(value) => reads(value, live),
                    Pattern::Ignore => {}
                }
            }
            reads(channel, live);
        }
        step @ (Step::Send { .. } | Step::Routine(_)) => {
            step.each_whole(&mut |whole| reads(whole, live));
        }
    }
}

fn before_effect(effect: &Effect, live: &mut Live) {
    match effect {
        Effect::Assign { place, value } => {
            writes(place, live);
            reads(value, live);
        }
        Effect::Insert(insertion) => {
            for (place, value) in insertion.cells.iter().rev() {
                writes(place, live);
                reads(value, live);
            }
            writes(&insertion.position, live);
            reads(&insertion.first_free, live);
            reads(&insertion.has_room, live);
        }
        Effect::Assert { condition } => reads(condition, live),
        Effect::Print {
            text: Print::Format { arguments, .. },
        } => arguments.iter().for_each(|e| reads(e, live)),
        Effect::Print {
            text: Print::Name(e),
        } => reads(e, live),
        Effect::Spawn {
            arguments, result, ..
        } => {
            result.iter().for_each(|place| writes(place, live));
            arguments.iter().for_each(|e| reads(e, live));
        }
        Effect::SetPriority { process, priority } => {
            reads(process, live);
            reads(priority, live);
        }
        Effect::Fail { .. } | Effect::Abandon => {}
    }
}

/// A cell that is written need not hold anything before.
fn writes(place: &Place, live: &mut Live) {
    let (path, whole) = fields(place);
    if let Some(holder) = Holder::of(&place.root)
        && whole
    {
        live.remove(&(holder, path));
    }
    indices(place, live);
}

fn reads(expr: &Expr, live: &mut Live) {
    expr.walk(&mut |part| {
        if let ExprKind::Read(place) = &part.kind {
            reads_cell(place, live);
        }
    });
}

fn reads_place(place: &Place, live: &mut Live) {
    reads_cell(place, live);
    indices(place, live);
}

fn reads_cell(place: &Place, live: &mut Live) {
    if let Some(holder) = Holder::of(&place.root) {
        live.insert((holder, fields(place).0));
    }
}

fn indices(place: &Place, live: &mut Live) {
    for part in &place.path {
        if let Projection::Index(index) = part {
            reads(index, live);
        }
    }
}

/// The fields that lead to a cell, up to the first index, and whether there is none.
fn fields(place: &Place) -> (Vec<u32>, bool) {
    let mut path = Vec::new();
    for part in &place.path {
        match part {
            Projection::Field(field) => path.push(*field),
            Projection::Index(_) => return (path, false),
        }
    }
    (path, true)
}
