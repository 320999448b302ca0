//! Hidden variables that need no place in the state.

use super::Lowering;
use mandala_model::Diagnostic;
use mandala_model::expr::{Expr, ExprKind, Pattern, Place, Root};
use mandala_model::ids::GlobalId;
use mandala_model::model::UncheckedModel;
use mandala_model::template::{Effect, Print, Routine, Step};
use mandala_model::types::Storage;
use std::collections::BTreeSet;

/// The last look at a model before it is handed on.
pub(super) fn finish(lowering: &mut Lowering) {
    forget_hidden(lowering);
}

/// A hidden variable is not part of the state. That is sound only if no step reads what another one
/// wrote; a variable for which this is not plain is kept as an ordinary one, and the user is told.
fn forget_hidden(lowering: &mut Lowering) {
    for id in std::mem::take(&mut lowering.hidden) {
        if is_scratch(&lowering.model, id) {
            lowering.model.globals[id.index()].storage = Storage::Scratch;
            continue;
        }
        let variable = &lowering.model.globals[id.index()];
        let message = format!(
            "the hidden variable `{}` is kept in the state, because a step may read what another step wrote",
            variable.name
        );
        let help = "hide only variables that are written before they are read inside one `d_step`, or never read";
        let warning = Diagnostic::warning(variable.span, message).with_help(help);
        lowering.diagnostics.push(warning);
    }
}

fn is_scratch(model: &UncheckedModel, id: GlobalId) -> bool {
    let provided = model.templates.iter().filter_map(|t| t.provided.as_ref());
    let outside = model
        .globals
        .iter()
        .chain(model.templates.iter().flat_map(|t| &t.locals));
    let initials = outside.flat_map(|v| match &v.initial {
        mandala_model::types::Initial::Fill(e) => std::slice::from_ref(e),
        mandala_model::types::Initial::List(list) => list,
        _ => &[],
    });
    let read_outside = provided.chain(initials).any(|e| reads(e, id));
    !read_outside
        && model
            .templates
            .iter()
            .flat_map(|t| &t.edges)
            .all(|e| step_is_closed(&e.step, id))
}

/// True if the step reads the variable only after writing it.
fn step_is_closed(step: &Step, id: GlobalId) -> bool {
    match step {
        Step::Routine(routine) => routine_is_closed(routine, id),
        other => !step_reads(other, id),
    }
}

/// Follows a routine node by node, with and without the variable written, and looks for a read
/// before any write.
fn routine_is_closed(routine: &Routine, id: GlobalId) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![0];
    while let Some(node) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        for choice in &routine.nodes[node].choices {
            if step_reads(&choice.step, id) {
                return false;
            }
            if !step_writes(&choice.step, id) {
                work.extend(choice.next.map(|n| n.index()));
            }
        }
    }
    true
}

fn step_reads(step: &Step, id: GlobalId) -> bool {
    match step {
        Step::Guarded { guard, effects } => {
            reads(guard, id) || effects.iter().any(|e| effect_reads(e, id))
        }
        Step::Send {
            channel, message, ..
        } => reads(channel, id) || message.iter().any(|e| reads(e, id)),
        Step::Receive {
            channel, patterns, ..
        } => reads(channel, id) || patterns.iter().any(|p| pattern_reads(p, id)),
        Step::Routine(routine) => !routine_is_closed(routine, id),
        Step::Else | Step::Exit | Step::Call(_) => false,
    }
}

fn effect_reads(effect: &Effect, id: GlobalId) -> bool {
    match effect {
        Effect::Assign { place, value } => place_reads(place, id) || reads(value, id),
        Effect::Assert { condition } => reads(condition, id),
        Effect::Print {
            text: Print::Format { arguments, .. },
        } => arguments.iter().any(|e| reads(e, id)),
        Effect::Print {
            text: Print::Name(e),
        } => reads(e, id),
        Effect::Spawn {
            arguments, result, ..
        } => {
            arguments.iter().any(|e| reads(e, id))
                || result.as_ref().is_some_and(|p| place_reads(p, id))
        }
        Effect::SetPriority { process, priority } => reads(process, id) || reads(priority, id),
        // Promela has none of these.
        Effect::Fail { .. } | Effect::Abandon | Effect::Insert(_) => false,
    }
}

fn pattern_reads(pattern: &Pattern, id: GlobalId) -> bool {
    match pattern {
        Pattern::Match(e) => reads(e, id),
        Pattern::Bind(place) => place_reads(place, id),
        Pattern::Ignore => false,
    }
}

/// A place is read through the indices in it.
fn place_reads(place: &Place, id: GlobalId) -> bool {
    let mut found = false;
    place.walk(&mut |e| found |= is_read(e, id));
    found
}

fn reads(expr: &Expr, id: GlobalId) -> bool {
    expr.any(|e| is_read(e, id))
}

fn is_read(expr: &Expr, id: GlobalId) -> bool {
    matches!(&expr.kind, ExprKind::Read(place) if place.root == Root::Global(id))
}

/// True if the step certainly writes the whole variable, which must be a single cell for that.
fn step_writes(step: &Step, id: GlobalId) -> bool {
    let whole = |place: &Place| place.root == Root::Global(id) && place.path.is_empty();
    match step {
        Step::Guarded { effects, .. } => effects.iter().any(|e| match e {
            Effect::Assign { place, .. } => whole(place),
            Effect::Spawn {
                result: Some(place),
                ..
            } => whole(place),
            _ => false,
        }),
        Step::Receive { patterns, .. } => patterns
            .iter()
            .any(|p| matches!(p, Pattern::Bind(place) if whole(place))),
        _ => false,
    }
}
