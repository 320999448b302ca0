//! The passes of the verifier, in their order.

use super::{
    Findings, VerifyError, actions, chance, expressions, functions, properties, rules, structure,
    symmetry, types,
};
use crate::model::{Model, UncheckedModel};

/// Checks every invariant of the [module's documentation](super).
///
/// # Errors
///
/// All the broken invariants that could be looked at: what would have to index by a broken id is
/// left for the next attempt.
pub fn verify(model: UncheckedModel) -> Result<Model, Vec<VerifyError>> {
    // Each pass may rely on what the passes before it have established, so the first that finds
    // something is the last that runs.
    let passes = [
        types::check,
        structure::check,
        expressions::check,
        actions::check,
        properties::check,
        symmetry::check,
        rules::check,
        functions::check,
        chance::check,
    ];
    for pass in passes {
        let mut findings = Findings::default();
        pass(&model, &mut findings);
        if !findings.errors.is_empty() {
            return Err(findings.errors);
        }
    }
    Ok(Model::verified(model))
}
