//! All spans of a model.

use mandala_model::UncheckedModel;
use mandala_model::expr::{Expr, ExprKind, Pattern};
use mandala_model::property::PropertyKind;
use mandala_model::source::Span;
use mandala_model::template::{Effect, Routine, Step, Template};
use mandala_model::types::Variable;

/// Calls `visit` on every span of the model.
pub fn each_span(model: &mut UncheckedModel, visit: &mut impl FnMut(&mut Span)) {
    for record in &mut model.records {
        visit(&mut record.span);
        record.fields.iter_mut().for_each(|v| variable(v, visit));
    }
    model
        .channel_kinds
        .iter_mut()
        .for_each(|k| visit(&mut k.span));
    model.globals.iter_mut().for_each(|v| variable(v, visit));
    for function in &mut model.functions {
        visit(&mut function.span);
        let variables = function.locals.iter_mut().chain(&mut function.references);
        variables.for_each(|v| variable(v, visit));
        routine(&mut function.body, visit);
    }
    model.templates.iter_mut().for_each(|t| template(t, visit));
    let scratch = model.monitor_scratch.iter_mut();
    scratch.for_each(|v| variable(v, visit));
    for monitor in &mut model.monitors {
        visit(&mut monitor.span);
        let parameters = monitor.parameters.iter_mut();
        parameters.for_each(|parameter| visit(&mut parameter.span));
        step(&mut monitor.step, visit);
    }
    for property in &mut model.properties {
        visit(&mut property.span);
        let indices = match &mut property.kind {
            PropertyKind::NoRun(question) => &mut question.indices,
            PropertyKind::Ctl { indices, .. } => indices,
            _ => continue,
        };
        let variables = indices.variables.iter_mut();
        variables.for_each(|v| variable(v, visit));
    }
    for set in &mut model.scalarsets {
        visit(&mut set.span);
        set.uses.iter_mut().for_each(|used| visit(&mut used.span));
    }
    for rewards in &mut model.rewards {
        visit(&mut rewards.span);
        rewards.states.iter_mut().for_each(|r| visit(&mut r.span));
        rewards.steps.iter_mut().for_each(|r| visit(&mut r.span));
    }
    model.each_expr_mut(&mut |e| expression(e, visit));
}

fn variable(variable: &mut Variable, visit: &mut impl FnMut(&mut Span)) {
    visit(&mut variable.span);
}

fn template(template: &mut Template, visit: &mut impl FnMut(&mut Span)) {
    visit(&mut template.span);
    template.locals.iter_mut().for_each(|v| variable(v, visit));
    template
        .locations
        .iter_mut()
        .for_each(|l| visit(&mut l.span));
    for edge in &mut template.edges {
        visit(&mut edge.span);
        let parameters = edge.parameters.iter_mut();
        parameters.for_each(|parameter| visit(&mut parameter.span));
        step(&mut edge.step, visit);
    }
}

/// The spans of a step that belong to no expression.
fn step(step: &mut Step, visit: &mut impl FnMut(&mut Span)) {
    match step {
        Step::Guarded { effects, .. } => effects.iter_mut().for_each(|e| effect(e, visit)),
        Step::Receive { patterns, .. } => patterns.iter_mut().for_each(|p| pattern(p, visit)),
        Step::Routine(inner) => routine(inner, visit),
        Step::Call(call) => {
            let places = call.references.iter_mut().chain(&mut call.result);
            places.for_each(|place| visit(&mut place.span));
        }
        Step::Else | Step::Send { .. } | Step::Exit => {}
    }
}

fn routine(routine: &mut Routine, visit: &mut impl FnMut(&mut Span)) {
    for node in &mut routine.nodes {
        visit(&mut node.span);
        for choice in &mut node.choices {
            visit(&mut choice.span);
            step(&mut choice.step, visit);
        }
    }
    let loops = routine.loops.iter_mut();
    loops.for_each(|each| visit(&mut each.span));
}

fn effect(effect: &mut Effect, visit: &mut impl FnMut(&mut Span)) {
    match effect {
        Effect::Assign { place, .. } => visit(&mut place.span),
        Effect::Spawn { result, .. } => result.iter_mut().for_each(|p| visit(&mut p.span)),
        Effect::Insert(insertion) => {
            visit(&mut insertion.position.span);
            insertion
                .cells
                .iter_mut()
                .for_each(|(p, _)| visit(&mut p.span));
        }
        Effect::Assert { .. }
        | Effect::Print { .. }
        | Effect::SetPriority { .. }
        | Effect::Fail { .. }
        | Effect::Abandon => {}
    }
}

fn pattern(pattern: &mut Pattern, visit: &mut impl FnMut(&mut Span)) {
    if let Pattern::Bind(place) = pattern {
        visit(&mut place.span);
    }
}

/// The spans of an expression alone, not those of the expressions in it.
fn expression(expression: &mut Expr, visit: &mut impl FnMut(&mut Span)) {
    visit(&mut expression.span);
    match &mut expression.kind {
        ExprKind::Read(place) => visit(&mut place.span),
        ExprKind::Poll { patterns, .. } => patterns.iter_mut().for_each(|p| pattern(p, visit)),
        ExprKind::Quantified(quantified) => visit(&mut quantified.variable.span),
        _ => {}
    }
}
