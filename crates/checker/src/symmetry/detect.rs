//! Finding the symmetry of a model under some observers, and having it proven.

use super::group::GroupAccount;
use super::startup::census;
use crate::frontend::LoadedModel;
use mandala_encoding::Program;
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::{Diagnostic, Model};
use mandala_reduce::SymmetryGroup;
use mandala_simplify::{Observed, keep_ended};
use mandala_symmetry::{Breach, Certificate, Detected, Patience, Refused, largest, propose};
use std::borrow::Cow;

/// What can be exchanged in a model without a check noticing.
#[derive(Clone, Debug)]
pub struct DetectedSymmetry {
    /// The proof; none if nothing is gained by it, or nothing was looked for.
    pub certificate: Option<Certificate>,
    /// What is to be searched in place of the model, if that makes more symmetric: nobody can observe the difference.
    pub rewritten: Option<Model>,
    /// The group, for people.
    pub group: GroupAccount,
    /// What might have been interchangeable, and what is in the way.
    pub refused: Vec<Broken>,
    /// Why there is no symmetry, if there is none.
    pub note: Option<String>,
}

/// Something that is not interchangeable, or cannot be proven to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What.
    pub what: String,
    /// Why.
    pub breach: Breach,
}

/// A model declares a symmetry that it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedDeclaration {
    /// What is wrong, place by place.
    pub diagnostics: Vec<Diagnostic>,
}

impl DetectedSymmetry {
    /// Nothing was looked for.
    pub fn none() -> Self {
        DetectedSymmetry {
            certificate: None,
            rewritten: None,
            group: GroupAccount::trivial(),
            refused: Vec::new(),
            note: None,
        }
    }
}

/// Finds out what can be exchanged in a model without the observers noticing.
///
/// # Errors
///
/// If the model declares a symmetry that it does not have.
pub fn detect(
    loaded: &LoadedModel,
    observers: Observers,
    patience: Patience,
) -> Result<DetectedSymmetry, RefusedDeclaration> {
    let mut found = Found::on(Cow::Borrowed(&loaded.model), observers, patience);
    let mut refused = Vec::new();
    if !found.detected.refused.is_empty() {
        match keep_ended(&loaded.model, observers) {
            Ok(Some(model)) => {
                found = found.or(Found::on(Cow::Owned(model), observers, patience));
            }
            Ok(None) => {}
            Err(observed) => refused.push(must_leave(&observed)),
        }
    }
    require_declared(&found.detected.refused)?;
    Ok(found.told(loaded, refused))
}

/// What was found in a model, or in one that differs from it in nothing that can be observed.
struct Found<'m> {
    model: Cow<'m, Model>,
    proposals: usize,
    detected: Detected,
    group: Option<SymmetryGroup>,
}

impl<'m> Found<'m> {
    fn on(model: Cow<'m, Model>, observers: Observers, patience: Patience) -> Self {
        let proposals = propose(&model, observers, &census(&model), patience);
        let detected = largest(&model, observers, &proposals, patience);
        let certificate = detected.certificate.as_ref();
        // If the model cannot be compiled, the search will say why.
        let program = Program::compile(&model, observers).ok();
        let group = certificate.zip(program);
        let group = group.map(|(c, program)| mandala_reduce::group(&model, c, &program));
        Found {
            proposals: proposals.len(),
            detected,
            group,
            model,
        }
    }

    /// The one with the larger group, in doubt this one.
    fn or(self, other: Found<'m>) -> Found<'m> {
        let order = |found: &Found<'_>| found.group.as_ref().map(|g| g.order.clone());
        match order(&other) > order(&self) {
            true => other,
            false => self,
        }
    }

    fn told(self, loaded: &LoadedModel, refused: Vec<Broken>) -> DetectedSymmetry {
        let known = self.detected.certificate.as_ref().zip(self.group.as_ref());
        let group = match known {
            Some((certificate, group)) => GroupAccount::of(loaded, &self.model, certificate, group),
            None => GroupAccount::trivial(),
        };
        let note = match (self.proposals, known) {
            (0, _) => "there are no two processes or names of a kind",
            (_, None) => "what might be interchangeable is told apart",
            (_, Some(_)) => "what is interchangeable is tied to what is not",
        };
        let useful = group.order != "1";
        let broken = self.detected.refused.into_iter().flat_map(broken);
        DetectedSymmetry {
            certificate: self.detected.certificate.filter(|_| useful),
            rewritten: match self.model {
                Cow::Owned(model) if useful => Some(model),
                Cow::Owned(_) | Cow::Borrowed(_) => None,
            },
            note: (!useful).then(|| note.to_string()),
            refused: broken.chain(refused).collect(),
            group,
        }
    }
}

/// Why processes that have ended must leave, which is why they are not interchangeable.
fn must_leave(observed: &Observed) -> Broken {
    Broken {
        what: "processes that end".into(),
        breach: Breach {
            span: observed.span,
            message: observed.how.into(),
            related: Vec::new(),
            undecided: false,
        },
    }
}

/// What is declared must be so.
fn require_declared(refused: &[Refused]) -> Result<(), RefusedDeclaration> {
    let decided = refused
        .iter()
        .filter(|r| !r.breaches.iter().any(|b| b.undecided));
    let declared = decided.filter_map(|r| Some((r.declared?, r)));
    let diagnostics: Vec<Diagnostic> = declared
        .flat_map(|(declaration, refused)| diagnostics(declaration, refused))
        .collect();
    match diagnostics.is_empty() {
        true => Ok(()),
        false => Err(RefusedDeclaration { diagnostics }),
    }
}

fn diagnostics(declaration: Span, refused: &Refused) -> Vec<Diagnostic> {
    let name = &refused.label;
    let breaches = refused.breaches.iter();
    breaches
        .map(|breach| {
            let message = format!("`{name}` is not symmetric: {}", breach.message);
            let refusal = match breach.to_diagnostic() {
                Some(place) => Diagnostic { message, ..place }
                    .with_related(declaration, format!("`{name}` is declared here")),
                None => Diagnostic::error(declaration, message),
            };
            refusal.with_help(HELP)
        })
        .collect()
}

const HELP: &str = "`--symmetry off` checks the model without using its symmetry";

fn broken(refused: Refused) -> impl Iterator<Item = Broken> {
    let what = refused.label;
    let breaches = refused.breaches.into_iter();
    breaches.map(move |breach| Broken {
        what: what.clone(),
        breach,
    })
}
