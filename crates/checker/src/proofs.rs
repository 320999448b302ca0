//! Proofs of the symmetry that checks use, to be written down, and proofs that were written down, to be checked.
//!
//! A proof is about a form of the model before it is made smaller ([`Proved`]); how a model is brought into that form is not part of it, but done again.

use crate::Refusal;
use crate::frontend::LoadedModel;
use crate::options::{CheckOptions, Selection, StaticReductions};
use crate::plan::plan;
use crate::symmetry::{aims, of_plan};
use mandala_model::Model;
use mandala_model::source::Span;
use mandala_prepare::{Proved, proof_of};
use mandala_proof::document::{
    PROOF_SCHEMA, ProofDocument, ProofForm, PropertyProof, WrittenProof, digest,
};
use mandala_proof::proof::Body;
use mandala_proof::{Accepted, Reject, check};

/// A proof that the checker has looked at.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The property whose check uses the symmetry.
    pub property: String,
    /// What the checker says; nothing if the proof is about another model.
    pub outcome: Option<Result<Accepted, Reject>>,
    /// The parts that it trusts.
    pub trusted: Vec<TrustedPart>,
}

/// A part of a proof that is not checked but trusted.
#[derive(Clone, Debug)]
pub struct TrustedPart {
    /// Where it stands, if it stands in the text.
    pub span: Option<Span>,
    /// What it is.
    pub what: String,
    /// Why it is not checked.
    pub reason: String,
}

fn trusted(model: &Model, accepted: &Accepted) -> Vec<TrustedPart> {
    let part = |(_, body, reason): &(usize, Body, String)| {
        let (span, what) = match body {
            Body::Edge(template, index) => {
                let edge = &model.template(*template).edges[*index as usize];
                (Some(edge.span), format!("`{}`", edge.text))
            }
            Body::Provided(id) | Body::Births(id) => {
                let template = model.template(*id);
                (
                    Some(template.span),
                    format!("`{}`", template.display_name()),
                )
            }
            Body::Function(id) => {
                let function = model.function(*id);
                (Some(function.span), format!("`{}`", function.name))
            }
            Body::Conditions => (None, "the conditions of the property".into()),
            Body::Globals | Body::Start => (None, "the start".into()),
        };
        TrustedPart {
            span,
            what,
            reason: reason.clone(),
        }
    };
    accepted.trusted.iter().map(part).collect()
}

/// The proofs of the symmetry that each check of a model uses, those of checks with equal proofs once.
///
/// # Errors
///
/// As [`crate::symmetry`](fn@crate::symmetry); and if a proof that was made is rejected, which is a defect.
pub fn prove(loaded: &LoadedModel, options: &CheckOptions) -> Result<ProofDocument, Refusal> {
    let mut plan = plan(&loaded.model, options).map_err(Refusal::Plan)?;
    plan.static_reductions = StaticReductions::NONE;
    let prepared = of_plan(loaded, &plan)?;
    let mut proofs: Vec<PropertyProof> = Vec::new();
    let checks = plan
        .checks
        .iter()
        .zip(prepared)
        .zip(aims(&plan))
        .enumerate();
    for (number, ((question, prepared), aim)) in checks {
        let proven = proof_of(&prepared, aim);
        let rejected =
            |reject: Reject| Refusal::Check(crate::run::CheckError::Defect(reject.to_string()));
        let Some(proven) = proven.map_err(rejected)? else {
            continue;
        };
        let form = Proved::of(&prepared);
        proofs.push(PropertyProof {
            property: question.name.clone(),
            check: number,
            form: match form.as_written {
                true => ProofForm::Written,
                false => ProofForm::Instances,
            },
            restated: form.restated,
            ended_stay: form.ended_stay,
            digest: digest(&proven.model),
            proof: WrittenProof::of(&proven.proof),
        });
    }
    Ok(ProofDocument {
        schema: PROOF_SCHEMA.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        selected: match &options.properties {
            Selection::Everything => Vec::new(),
            Selection::Named(names) => names.clone(),
        },
        proofs,
    })
}

/// Checks the proofs of a document against a model.
///
/// # Errors
///
/// If the model cannot be brought into the form that a proof is about.
pub fn verify(
    loaded: &LoadedModel,
    options: &CheckOptions,
    document: &ProofDocument,
) -> Result<Vec<Verified>, Refusal> {
    let plan = plan(&loaded.model, options).map_err(Refusal::Plan)?;
    let aims = aims(&plan);
    let mut all = Vec::new();
    for written in &document.proofs {
        let asked = plan.checks.get(written.check).zip(aims.get(written.check));
        let form = Proved {
            as_written: written.form == ProofForm::Written,
            restated: written.restated,
            ended_stay: written.ended_stay,
        };
        let model = match asked {
            Some((_, aim)) => form.form(&loaded.model, *aim)?,
            None => None,
        };
        let model = model.filter(|model| digest(model) == written.digest);
        let outcome =
            model
                .as_ref()
                .zip(asked)
                .map(|(model, (_, aim))| match written.proof.read(model) {
                    Some(proof) => check(model, aim.observers, &proof),
                    None => Err(Reject::whole("it speaks of what the model does not have")),
                });
        let accepted = outcome.as_ref().and_then(|outcome| outcome.as_ref().ok());
        all.push(Verified {
            property: asked.map_or_else(
                || written.property.clone(),
                |(question, _)| question.name.clone(),
            ),
            trusted: model
                .zip(accepted)
                .map(|(model, a)| trusted(&model, a))
                .unwrap_or_default(),
            outcome,
        });
    }
    Ok(all)
}
