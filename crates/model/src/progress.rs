//! The claim that looks for runs without progress.
//!
//! A run makes no progress if from some moment on no process is ever at a location with a `progress` label. The claim
//! guesses that moment, and accepts as long as it was right. A run that has come to its end is no such run.

use crate::claim::{ClaimBuilder, WrittenCondition};
use crate::expr::{Expr, ExprKind};
use crate::ids::TemplateId;
use crate::model::{Model, UncheckedModel};
use crate::property::{Property, PropertyKind};
use crate::source::Span;
use crate::template::{Role, Template};
use crate::verify::{VerifyError, verify};

/// The name of the property.
pub const PROGRESS: &str = "progress";

/// The model with the property that every run that goes on for ever makes progress.
///
/// # Errors
///
/// If the model cannot have claims.
pub fn with_progress(model: Model, span: Span) -> Result<Model, Vec<VerifyError>> {
    let mut model = model.into_unchecked();
    add_progress(&mut model, span);
    verify(model)
}

/// Adds the property that every run that goes on for ever makes progress.
pub fn add_progress(model: &mut UncheckedModel, span: Span) {
    let claim = TemplateId::from(model.templates.len());
    let mut template = Template::empty(PROGRESS, Role::Claim, span);
    body(span).install(&mut template);
    model.templates.push(template);
    model.properties.push(Property {
        name: PROGRESS.into(),
        kind: PropertyKind::Progress { claim },
        span,
    });
}

fn body(span: Span) -> ClaimBuilder {
    let written = |kind, text: &str| WrittenCondition {
        condition: Expr::new(kind, span),
        text: text.into(),
    };
    let mut claim = ClaimBuilder::new(span);
    let waiting = claim.location(vec!["T0_init".into()], false);
    let stuck = claim.location(vec!["accept_S1".into()], true);
    claim.edge(waiting, waiting, written(ExprKind::Const(1), "1"));
    claim.edge(waiting, stuck, written(ExprKind::NonProgress, "np_"));
    claim.edge(stuck, stuck, written(ExprKind::NonProgress, "np_"));
    claim
}
