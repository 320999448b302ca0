//! The place in the model at which a run-time error happens.
//!
//! An error says what was wrong in numbers of cells, and where in the source. The same place in the source has one type,
//! wherever it was put in, so the first part of the model that comes from there tells which values the user knows.

use crate::frontend::LoadedModel;
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Place, Projection, UnaryOp};
use mandala_model::ids::FunctionId;
use mandala_model::naming::Site;
use mandala_model::source::Span;
use mandala_model::specialise::{Constants, put_in};
use mandala_model::step::Actor;
use mandala_model::template::{Effect, Step};
use mandala_model::types::{ArrayIndex, Scalar};

/// The type of what is assigned or passed at that place in the source, if the value does not fit it.
pub fn refusing(model: &Model, span: Span, value: i64) -> Option<Scalar> {
    let mut found = None;
    each_step(model, &mut |site, step| {
        let assigned = assigned(step).filter(|(place, _)| place.span == span);
        let types = assigned.filter_map(|(place, _)| model.place_types(site, place));
        let scalars = types.map(|(scalar, _)| scalar);
        let passed = passed(model, step).filter(|(_, at)| *at == span);
        let mut scalars = scalars.chain(passed.map(|(scalar, _)| scalar));
        let refuses = |scalar: &Scalar| scalar.store(value).is_none();
        found = found.or_else(|| scalars.next().filter(refuses));
    });
    found
}

/// The cells of parameters that a call gives values to, with the places of the arguments.
fn passed<'m>(model: &'m Model, step: &'m Step) -> impl Iterator<Item = (Scalar, Span)> + 'm {
    let call = match step {
        Step::Call(call) => Some(call),
        _ => None,
    };
    call.into_iter().flat_map(|call| {
        let function = model.function(call.function);
        let parameters = function.locals.iter().take(function.parameters as usize);
        let scalars = parameters.flat_map(|parameter| model.scalars(&parameter.ty));
        scalars.zip(call.arguments.iter().map(|argument| argument.span))
    })
}

/// What stands for the index at that place in the source.
pub fn index(model: &Model, span: Span) -> Option<ArrayIndex> {
    let mut found = None;
    let mut look = |site: Site, place: &Place| {
        if found.is_none() {
            found = index_at(model, site, place, span);
        }
    };
    each_step(model, &mut |site, step| {
        assigned(step).for_each(|(place, _)| look(site, place));
    });
    let mut read = |site: Site, expr: &Expr| {
        if let ExprKind::Read(place) = &expr.kind {
            look(site, place);
        }
    };
    each_step(model, &mut |site, step| {
        each_expr(step, &mut |expr| read(site, expr));
    });
    for asked in &model.conditions {
        asked.condition.walk(&mut |expr| read(Site::Outside, expr));
    }
    found
}

fn index_at(model: &Model, site: Site, place: &Place, span: Span) -> Option<ArrayIndex> {
    let indices = place.path.iter().filter_map(|part| match part {
        Projection::Index(index) => Some(index),
        Projection::Field(_) => None,
    });
    let number = indices.into_iter().position(|index| index.span == span)?;
    let (_, stated) = model.place_types(site, place)?;
    stated.get(number).copied().flatten()
}

/// The uses of variables at that place in the source, which must have a value.
///
/// Those inside of quantifiers are there for every value.
pub fn uses(step: &Step, span: Span) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    step.each_whole(&mut |whole| {
        let has_some = whole.any(|part| is_use(part, span));
        let mut whole = if has_some { whole.clone() } else { return };
        put_in(&mut whole, &Constants::new());
        whole.walk(&mut |part| match &part.kind {
            ExprKind::Unary(_, used) if is_use(part, span) => found.push((**used).clone()),
            _ => {}
        });
    });
    found
}

fn is_use(expr: &Expr, span: Span) -> bool {
    expr.span == span && matches!(expr.kind, ExprKind::Unary(UnaryOp::Defined, _))
}

/// Whether a function has that place in the source.
pub fn is_in_function(model: &Model, span: Span) -> bool {
    let mut found = false;
    for node in model.function_nodes() {
        for choice in &node.choices {
            found |= !uses(&choice.step, span).is_empty();
        }
    }
    found
}

/// Calls `visit` on the steps of all edges and of the routines among them, and on those of functions.
fn each_step<'m>(model: &'m Model, visit: &mut dyn FnMut(Site, &'m Step)) {
    for (id, template) in model.runnables() {
        for edge in &template.edges {
            steps(&edge.step).for_each(|step| visit(Site::Template(id), step));
        }
    }
    for (id, function) in (0..).map(FunctionId).zip(&model.functions) {
        for choice in function.body.nodes.iter().flat_map(|n| &n.choices) {
            visit(Site::Function(id), &choice.step);
        }
    }
}

/// The steps that the step of an edge consists of.
fn steps(step: &Step) -> impl Iterator<Item = &Step> {
    let nodes = match step {
        Step::Routine(routine) => routine.nodes.as_slice(),
        _ => &[],
    };
    let choices = nodes.iter().flat_map(|node| &node.choices);
    std::iter::once(step).chain(choices.map(|choice| &choice.step))
}

fn assigned(step: &Step) -> impl Iterator<Item = (&Place, &Expr)> {
    let effects = match step {
        Step::Guarded { effects, .. } => effects.as_slice(),
        _ => &[],
    };
    effects.iter().filter_map(|effect| match effect {
        Effect::Assign { place, value } => Some((place, value)),
        _ => None,
    })
}

/// All expressions in a guard, in assignments and in a call.
fn each_expr(step: &Step, visit: &mut impl FnMut(&Expr)) {
    match step {
        Step::Guarded { guard, .. } => guard.walk(visit),
        Step::Call(call) => {
            call.arguments.iter().for_each(|value| value.walk(visit));
            let places = call.references.iter().chain(&call.result);
            places.for_each(|place| place.walk(visit));
        }
        _ => {}
    }
    for (place, value) in assigned(step) {
        place.walk(visit);
        value.walk(visit);
    }
}

/// The first line of the text at that place.
pub(super) fn quoted(loaded: &LoadedModel, span: Span) -> Option<String> {
    let text = loaded.sources.snippet(span).lines().next()?.trim();
    (!text.is_empty()).then(|| text.to_string())
}

/// The number of the process that an actor is; none for the claim.
pub fn process_number(actor: Actor) -> Option<u32> {
    match actor {
        Actor::Process(pid) => Some(pid),
        Actor::Claim => None,
    }
}
