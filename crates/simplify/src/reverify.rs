//! Verification of what a rewrite has made.
//!
//! A rewrite starts from a verified model. If the verifier refuses the result, the rewrite is wrong, whatever the model is: that is
//! reported as a defect, and never taken for "there is nothing to rewrite".

use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};
use std::fmt;

/// A rewrite has made a model that the verifier refuses: a defect of Mandala.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteDefect {
    /// The rewrite, as a noun phrase.
    pub rewrite: &'static str,
    /// The refusals of the verifier.
    pub refusals: String,
}

impl fmt::Display for RewriteDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RewriteDefect { rewrite, refusals } = self;
        write!(
            f,
            "{rewrite} made a model that the verifier refuses: {refusals}"
        )
    }
}

/// The model that a rewrite has made, verified.
///
/// # Errors
///
/// If the verifier refuses it.
pub fn reverify(rewrite: &'static str, model: UncheckedModel) -> Result<Model, RewriteDefect> {
    verify(model).map_err(|errors| {
        let refusals: Vec<String> = errors.iter().map(ToString::to_string).collect();
        RewriteDefect {
            rewrite,
            refusals: refusals.join("; "),
        }
    })
}
