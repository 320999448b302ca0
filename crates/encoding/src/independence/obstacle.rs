//! Obstacles: the constructs with which partial-order reduction is not possible.

use mandala_model::Model;
use mandala_model::expr::ExprKind;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::Span;
use mandala_model::step::Observers;
use std::fmt;

/// Why no step of a model can be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What is in the way, to be followed by a verb.
    pub construct: String,
    /// Where it stands, if that is one place.
    pub span: Option<Span>,
}

impl Obstacle {
    /// The first thing in the model that makes every step depend on every other, if there is one.
    pub fn of(model: &Model, observers: Observers) -> Option<Self> {
        let without_place = |construct: &str| Obstacle {
            construct: construct.into(),
            span: None,
        };
        let at = |construct: &str, span| Obstacle {
            construct: construct.into(),
            span: Some(span),
        };
        if !model.bags().is_empty() {
            // A step that takes an element away changes the positions of others, and with that which steps are possible.
            return Some(without_place("a multiset"));
        }
        if let Some(claim) = observers.claim {
            let claim = model.template(model.runnable(claim));
            return Some(at("a claim", claim.span));
        }
        if let Some(events) = observers.events {
            return Some(at("an observer of messages", model.template(events).span));
        }
        let (construct, span) = expression(model)?;
        Some(Obstacle {
            construct: construct.into(),
            span,
        })
    }
}

/// An expression that any step may change the value of.
fn expression(model: &Model) -> Option<(&'static str, Option<Span>)> {
    let mut found = None;
    let mut scan = (**model).clone();
    // Claims and observers that do not run along do not matter.
    scan.templates
        .retain(|t| t.role == mandala_model::template::Role::Process);
    // A formula of branching time is never asked where steps are left out.
    let is_of_runs = |property: &&Property| matches!(property.kind, PropertyKind::NoRun(_));
    let properties = model.properties.iter().filter(is_of_runs);
    let asked = properties.flat_map(|property| property.kind.conditions());
    scan.conditions = asked.map(|id| model.condition(id).clone()).collect();
    scan.each_expr_mut(&mut |expr| {
        let construct = match expr.kind {
            ExprKind::LastMover => "`_last`",
            ExprKind::Enabled(_) => "`enabled`",
            _ => return,
        };
        found = found.or(Some((construct, Some(expr.span))));
    });
    let whole = [
        (model.prioritised, "priorities of processes"),
        (model.tracks_last_mover, "`_last`"),
    ];
    let whole = whole.into_iter().find(|(present, _)| *present);
    found.or(whole.map(|(_, construct)| (construct, None)))
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.construct)
    }
}
