//! The proof of a symmetry that was found, and whether the checker accepts it.

use crate::detect::SymmetryError;
use crate::found::Aim;
use crate::prepared::{Prepared, ProofKind};
use crate::restate::{restate, without_needless_questions};
use crate::{Form, in_form, seen_by};
use mandala_model::Model;
use mandala_proof::{Accepted, Proof, Reject, check, prove};
use mandala_simplify::{Endings, keep_ended};
use mandala_symmetry::derive;
use std::sync::Arc;

/// A proof that was made and accepted.
#[derive(Clone, Debug)]
pub struct Proven {
    /// What it is about.
    pub model: Arc<Model>,
    /// The proof.
    pub proof: Proof,
    /// What of it the checker has followed, and what it trusts.
    pub accepted: Accepted,
}

/// The proof of the symmetry of a model that is prepared for a check; nothing if it has none.
///
/// # Errors
///
/// If the checker rejects it.
pub fn proof_of(prepared: &Prepared, aim: Aim) -> Result<Option<Proven>, Reject> {
    let by_types = prepared.proof == ProofKind::ByTypes;
    let derived = || derive(&prepared.user, aim.observers).certificate;
    let certificate = prepared.certificate.clone();
    let subject = match by_types {
        true => certificate
            .and_then(|_| derived())
            .map(|c| (Arc::clone(&prepared.user), c)),
        false => certificate.map(|c| (Arc::clone(prepared.certified.model()), c)),
    };
    let Some((model, certificate)) = subject else {
        return Ok(None);
    };
    let proof = prove(&model, aim.observers, &certificate)?;
    let accepted = check(&model, aim.observers, &proof)?;
    Ok(Some(Proven {
        model,
        proof,
        accepted,
    }))
}

/// A form of a model that a proof can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Whether it is the model as it was written; otherwise rules are instances.
    pub as_written: bool,
    /// Whether it says the same in other words, where these have more symmetry.
    pub restated: bool,
    /// Whether processes that have ended stay.
    pub ended_stay: bool,
}

impl Proved {
    /// The form that the proof of a model that is prepared is about.
    pub fn of(prepared: &Prepared) -> Self {
        Proved {
            as_written: prepared.proof == ProofKind::ByTypes,
            restated: !prepared.rewrites.unread.is_empty() || prepared.rewrites.gathered > 0,
            ended_stay: prepared.rewrites.ended_stay,
        }
    }

    /// The model in that form, for a check; nothing if it has none.
    ///
    /// # Errors
    ///
    /// If a rewrite is wrong, or the model becomes too large.
    pub fn form(self, model: &Arc<Model>, aim: Aim) -> Result<Option<Arc<Model>>, SymmetryError> {
        if self.as_written {
            let is_own = !self.ended_stay && !self.restated;
            return Ok(is_own.then(|| Arc::clone(model)));
        }
        let instances = seen_by(in_form(model, Form::Instances)?, aim.observers)?;
        let mut certified = without_needless_questions(instances)?.certified;
        if self.restated {
            match restate(&certified, aim)? {
                Some(restated) => certified = restated.model,
                None => return Ok(None),
            }
        }
        let certified = certified.model();
        match self.ended_stay {
            false => Ok(Some(Arc::clone(certified))),
            true => Ok(match keep_ended(certified, aim.observers, aim.runs)? {
                Endings::Kept(staying) => Some(Arc::new(*staying)),
                Endings::Never | Endings::Observed(_) => None,
            }),
        }
    }
}
