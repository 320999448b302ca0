//! Where in the model a run-time error happens.
//!
//! An error says what was wrong in numbers of cells, and where in the source. The same place in the source has one type,
//! wherever it was put in, so the first part of the model that comes from there tells which values the user knows.

use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Place, Projection, UnaryOp};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::specialise::{Constants, put_in};
use mandala_model::template::{Edge, Effect, Step};
use mandala_model::types::{ArrayIndex, Scalar};

/// The type of what is assigned at that place in the source, if the value does not fit it.
pub fn refusing(model: &Model, span: Span, value: i64) -> Option<Scalar> {
    let mut found = None;
    each_assigned(model, &mut |template, place| {
        if place.span == span && found.is_none() {
            let types = model.place_types(Some(template), place);
            let scalar = types.map(|(scalar, _)| scalar);
            found = scalar.filter(|scalar| scalar.store(value).is_none());
        }
    });
    found
}

/// What stands for the index at that place in the source.
pub fn index(model: &Model, span: Span) -> Option<ArrayIndex> {
    let mut found = None;
    let mut look = |template: Option<TemplateId>, place: &Place| {
        if found.is_none() {
            found = index_at(model, template, place, span);
        }
    };
    each_assigned(model, &mut |template, place| look(Some(template), place));
    let mut read = |template: Option<TemplateId>, expr: &Expr| {
        if let ExprKind::Read(place) = &expr.kind {
            look(template, place);
        }
    };
    for (template, edge) in edges(model) {
        each_expr(edge, &mut |expr| read(Some(template), expr));
    }
    for asked in &model.conditions {
        asked.condition.walk(&mut |expr| read(None, expr));
    }
    found
}

fn index_at(
    model: &Model,
    template: Option<TemplateId>,
    place: &Place,
    span: Span,
) -> Option<ArrayIndex> {
    let indices = place.path.iter().filter_map(|part| match part {
        Projection::Index(index) => Some(index),
        Projection::Field(_) => None,
    });
    let number = indices.into_iter().position(|index| index.span == span)?;
    let (_, stated) = model.place_types(template, place)?;
    stated.get(number).copied().flatten()
}

/// The uses of variables at that place in the source, which must have a value.
///
/// Those inside of quantifiers are there for every value.
pub fn uses(edge: &Edge, span: Span) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    edge.step.each_whole(&mut |whole| {
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

fn edges(model: &Model) -> impl Iterator<Item = (TemplateId, &Edge)> {
    model.runnables().flat_map(|(id, template)| {
        let edges = template.edges.iter();
        edges.map(move |edge| (id, edge))
    })
}

/// The steps that an edge consists of.
fn steps(edge: &Edge) -> impl Iterator<Item = &Step> {
    let nodes = match &edge.step {
        Step::Routine(routine) => routine.nodes.as_slice(),
        _ => &[],
    };
    let choices = nodes.iter().flat_map(|node| &node.choices);
    std::iter::once(&edge.step).chain(choices.map(|choice| &choice.step))
}

fn assigned(edge: &Edge) -> impl Iterator<Item = (&Place, &Expr)> {
    let effects = steps(edge).flat_map(|step| match step {
        Step::Guarded { effects, .. } => effects.as_slice(),
        _ => &[],
    });
    effects.filter_map(|effect| match effect {
        Effect::Assign { place, value } => Some((place, value)),
        _ => None,
    })
}

fn each_assigned(model: &Model, visit: &mut impl FnMut(TemplateId, &Place)) {
    for (template, edge) in edges(model) {
        assigned(edge).for_each(|(place, _)| visit(template, place));
    }
}

/// All expressions in guards and assignments.
fn each_expr(edge: &Edge, visit: &mut impl FnMut(&Expr)) {
    for step in steps(edge) {
        if let Step::Guarded { guard, .. } = step {
            guard.walk(visit);
        }
    }
    for (place, value) in assigned(edge) {
        place.walk(visit);
        value.walk(visit);
    }
}
