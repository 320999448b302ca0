//! Claims about the labels of processes: runs without progress, and runs through `accept` labels.
//!
//! A run makes no progress if from some moment on no process is ever at a location with a `progress` label. The claim
//! guesses that moment, and accepts as long as it was right. A run that has come to its end is no such run.

use crate::claim::{ClaimBuilder, WrittenCondition};
use crate::expr::{Expr, ExprKind};
use crate::ids::TemplateId;
use crate::model::UncheckedModel;
use crate::property::{Property, PropertyKind};
use crate::source::Span;
use crate::template::{Role, Template};

/// The name of the property that runs make progress.
pub const PROGRESS: &str = "progress";

/// The name of the property that no run is at an `accept` label of a process again and again.
pub const ACCEPT: &str = "accept";

/// Adds the property that every run that goes on for ever makes progress.
pub fn add_progress(model: &mut UncheckedModel, span: Span) {
    let claim = add_claim(model, PROGRESS, no_progress(span), span);
    model.properties.push(Property {
        name: PROGRESS.into(),
        kind: PropertyKind::Progress { claim },
        span,
    });
}

/// Adds the property that no run is at an `accept` label of a process again and again.
pub fn add_accept(model: &mut UncheckedModel, span: Span) {
    let claim = add_claim(model, ACCEPT, again_and_again(span), span);
    model.properties.push(Property {
        name: ACCEPT.into(),
        kind: PropertyKind::Accept { claim },
        span,
    });
}

fn add_claim(model: &mut UncheckedModel, name: &str, body: ClaimBuilder, span: Span) -> TemplateId {
    let claim = TemplateId::from(model.templates.len());
    let mut template = Template::empty(name, Role::Claim, span);
    body.install(&mut template);
    model.templates.push(template);
    claim
}

fn written(kind: ExprKind, text: &str, span: Span) -> WrittenCondition {
    WrittenCondition {
        condition: Expr::new(kind, span),
        text: text.into(),
    }
}

/// At an accepting place whenever a process is at one.
fn again_and_again(span: Span) -> ClaimBuilder {
    let mut claim = ClaimBuilder::new(span);
    let elsewhere = claim.location(vec!["T0_init".into()], false);
    let there = claim.location(vec!["accept_S1".into()], true);
    for from in [elsewhere, there] {
        claim.edge(from, there, written(ExprKind::Accepting, "accept", span));
        claim.edge(from, elsewhere, written(ExprKind::Const(1), "1", span));
    }
    claim
}

fn no_progress(span: Span) -> ClaimBuilder {
    let written = |kind, text: &str| written(kind, text, span);
    let mut claim = ClaimBuilder::new(span);
    let waiting = claim.location(vec!["T0_init".into()], false);
    let stuck = claim.location(vec!["accept_S1".into()], true);
    claim.edge(waiting, waiting, written(ExprKind::Const(1), "1"));
    claim.edge(waiting, stuck, written(ExprKind::NonProgress, "np_"));
    claim.edge(stuck, stuck, written(ExprKind::NonProgress, "np_"));
    claim
}
