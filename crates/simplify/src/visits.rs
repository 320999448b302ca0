//! The places that a step reads and writes, one by one.

use mandala_model::expr::{Expr, ExprKind, Pattern, Place};
use mandala_model::function::CALL;
use mandala_model::ids::TemplateId;
use mandala_model::model::UncheckedModel;
use mandala_model::template::{Effect, Print, Step, Template};
use mandala_model::types::{Initial, Variable};
use std::collections::BTreeSet;

/// What becomes of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// Calls `visit` on every place that the expression reads.
pub(crate) fn reads(expr: &Expr, visit: &mut impl FnMut(&Place)) {
    expr.walk(&mut |e| match &e.kind {
        ExprKind::Read(place) => visit(place),
        // Nothing is bound; it does no harm to take these for reads.
        ExprKind::Poll { patterns, .. } => bound(patterns).for_each(&mut *visit),
        _ => {}
    });
}

/// Calls `visit` on every place that is read to find out where a place is.
pub(crate) fn reads_inside(place: &Place, visit: &mut impl FnMut(&Place)) {
    place.walk(&mut |e| {
        if let ExprKind::Read(inner) = &e.kind {
            visit(inner);
        }
    });
}

fn bound(patterns: &[Pattern]) -> impl Iterator<Item = &Place> {
    patterns.iter().filter_map(|p| match p {
        Pattern::Bind(place) => Some(place),
        Pattern::Match(_) | Pattern::Ignore => None,
    })
}

/// Calls `visit` on everything that the effect reads or writes.
pub(crate) fn effect_accesses(effect: &Effect, visit: &mut impl FnMut(Access, &Place)) {
    for expr in effect_exprs(effect) {
        reads(expr, &mut |place| visit(Access::Read, place));
    }
    for place in effect_targets(effect) {
        reads_inside(place, &mut |inner| visit(Access::Read, inner));
        visit(Access::Write, place);
    }
}

/// The places that the effect assigns to.
pub(crate) fn effect_targets(effect: &Effect) -> Vec<&Place> {
    match effect {
        Effect::Assign { place, .. } => vec![place],
        Effect::Spawn { result, .. } => result.iter().collect(),
        Effect::Insert(insertion) => {
            let cells = insertion.cells.iter().map(|(place, _)| place);
            std::iter::once(&insertion.position).chain(cells).collect()
        }
        Effect::Assert { .. }
        | Effect::Print { .. }
        | Effect::SetPriority { .. }
        | Effect::Fail { .. }
        | Effect::Abandon => Vec::new(),
    }
}

/// The expressions that the effect evaluates, besides those inside its targets.
pub(crate) fn effect_exprs(effect: &Effect) -> Vec<&Expr> {
    match effect {
        Effect::Assign { value, .. } => vec![value],
        Effect::Assert { condition } => vec![condition],
        Effect::Print {
            text: Print::Format { arguments, .. },
        } => arguments.iter().collect(),
        Effect::Print {
            text: Print::Name(value),
        } => vec![value],
        Effect::Spawn { arguments, .. } => arguments.iter().collect(),
        Effect::SetPriority { process, priority } => vec![process, priority],
        Effect::Fail { .. } | Effect::Abandon => Vec::new(),
        Effect::Insert(insertion) => {
            let values = insertion.cells.iter().map(|(_, value)| value);
            let before = [&insertion.has_room, &insertion.first_free];
            before.into_iter().chain(values).collect()
        }
    }
}

/// Calls `visit` on everything that the step may read or write.
pub(crate) fn step_accesses(step: &Step, visit: &mut impl FnMut(Access, &Place)) {
    match step {
        Step::Guarded { guard, effects } => {
            reads(guard, &mut |place| visit(Access::Read, place));
            effects.iter().for_each(|e| effect_accesses(e, visit));
        }
        Step::Send {
            channel, message, ..
        } => {
            for expr in std::iter::once(channel).chain(message) {
                reads(expr, &mut |place| visit(Access::Read, place));
            }
        }
        Step::Receive {
            channel, patterns, ..
        } => {
            reads(channel, &mut |place| visit(Access::Read, place));
            pattern_accesses(patterns, visit);
        }
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.for_each(|c| step_accesses(&c.step, visit));
        }
        Step::Else | Step::Exit => {}
        Step::Call(_) => unreachable!("{CALL}"),
    }
}

/// Calls `visit` on every place that the step may write to.
pub(crate) fn step_targets(step: &Step, visit: &mut impl FnMut(&Place)) {
    match step {
        Step::Guarded { effects, .. } => {
            for target in effects.iter().flat_map(effect_targets) {
                visit(target);
            }
        }
        Step::Receive { patterns, .. } => bound(patterns).for_each(visit),
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.for_each(|c| step_targets(&c.step, visit));
        }
        Step::Send { .. } | Step::Else | Step::Exit => {}
        Step::Call(_) => unreachable!("{CALL}"),
    }
}

/// Calls `visit` on everything that a receive with these patterns reads or writes.
pub(crate) fn pattern_accesses(patterns: &[Pattern], visit: &mut impl FnMut(Access, &Place)) {
    for pattern in patterns {
        match pattern {
            Pattern::Match(expr) => reads(expr, &mut |place| visit(Access::Read, place)),
            Pattern::Bind(place) => {
                reads_inside(place, &mut |inner| visit(Access::Read, inner));
                visit(Access::Write, place);
            }
            Pattern::Ignore => {}
        }
    }
}

/// Calls `visit` on everything that the processes of a template may read or write once they exist.
pub(crate) fn template_accesses(template: &Template, visit: &mut impl FnMut(Access, &Place)) {
    if let Some(provided) = &template.provided {
        reads(provided, &mut |place| visit(Access::Read, place));
    }
    let edges = template.edges.iter();
    edges.for_each(|edge| step_accesses(&edge.step, visit));
}

/// Calls `visit` on every place that the first values of the variables of a template read.
pub(crate) fn birth_reads(template: &Template, visit: &mut impl FnMut(&Place)) {
    let exprs = template.locals.iter().flat_map(initial_exprs);
    exprs.for_each(|e| reads(e, visit));
}

fn initial_exprs(variable: &Variable) -> &[Expr] {
    match &variable.initial {
        Initial::Fill(expr) => std::slice::from_ref(expr),
        Initial::List(exprs) => exprs,
        Initial::Default | Initial::NewChannel(_) => &[],
    }
}

/// All effects of a step, those of routines included.
pub(crate) fn effects(step: &Step) -> Vec<&Effect> {
    match step {
        Step::Guarded { effects, .. } => effects.iter().collect(),
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.flat_map(|c| effects(&c.step)).collect()
        }
        Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit => Vec::new(),
        Step::Call(_) => unreachable!("{CALL}"),
    }
}

/// The templates of which processes are made after the start.
pub(crate) fn spawned(model: &UncheckedModel) -> BTreeSet<TemplateId> {
    let steps = model.templates.iter().flat_map(|t| &t.edges);
    let all = steps.flat_map(|edge| effects(&edge.step));
    all.filter_map(|effect| match effect {
        Effect::Spawn { template, .. } => Some(*template),
        _ => None,
    })
    .collect()
}

/// A step that can never be taken, because its condition is false as it stands.
pub(crate) fn is_never_taken(step: &Step) -> bool {
    matches!(step, Step::Guarded { guard, .. } if guard.as_constant() == Some(0))
}
