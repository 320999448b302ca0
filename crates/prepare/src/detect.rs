//! Finding the symmetry of a model under some observers, having it proven, and saying what is in the way of more.

use crate::compiled::CompiledModel;
use crate::effort::{Accused, Broken, Effort};
use crate::found::{Aim, Found};
use crate::group::GroupAccount;
use crate::prepared::{Account, Prepared, ProofKind, Rewrites};
use crate::property_cost;
use crate::restate::without_needless_questions;
use mandala_groups::BigUint;
use mandala_model::Diagnostic;
use mandala_model::instantiate::InstantiateError;
use mandala_model::source::Span;
use mandala_simplify::{Observed, RewriteDefect};
use mandala_symmetry::{Breach, Difference, DomainKind, LookAlikes, ProofBudget, Refused};
use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Instant;

/// A model declares a symmetry that it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedDeclaration {
    /// What is wrong, place by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why no symmetry is told, not even a trivial one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymmetryError {
    /// The model declares a symmetry that it does not have.
    Declaration(RefusedDeclaration),
    /// A rewrite on the way made a wrong model.
    Defect(RewriteDefect),
    /// The model becomes too large when its rules are written out.
    TooLarge {
        /// The rule with which it does, in words.
        message: String,
        /// Where the rule stands.
        span: Span,
    },
}

impl From<InstantiateError> for SymmetryError {
    fn from(error: InstantiateError) -> Self {
        let message = error.to_string();
        match error {
            InstantiateError::TooLarge { span, .. } | InstantiateError::Recursion { span, .. } => {
                SymmetryError::TooLarge { message, span }
            }
            InstantiateError::Defect(_) => SymmetryError::Defect(RewriteDefect {
                rewrite: "the writing out of rules",
                refusals: message,
            }),
        }
    }
}

impl From<RefusedDeclaration> for SymmetryError {
    fn from(refused: RefusedDeclaration) -> Self {
        SymmetryError::Declaration(refused)
    }
}

impl From<RewriteDefect> for SymmetryError {
    fn from(defect: RewriteDefect) -> Self {
        SymmetryError::Defect(defect)
    }
}

/// What of the symmetry that a model declares follows from the types of the user's model.
#[derive(Clone, Debug)]
pub struct ByTypes {
    /// The model with it.
    pub prepared: Prepared,
    /// Whether that is all that the model declares.
    pub is_all: bool,
}

/// The symmetry that follows from the types of the user's model; nothing if none does.
pub fn detect_by_types(subject: &Prepared, aim: Aim, budget: &ProofBudget) -> Option<ByTypes> {
    let start = Instant::now();
    let found = Found::by_types(&subject.user, &subject.certified, aim)?;
    let effort = Effort {
        time: start.elapsed(),
        graph: None,
        steps: budget.spent(),
        factor: budget.effort().get(),
        ended_at: None,
        parts: found.parts,
    };
    let is_all = found.is_complete;
    let told = told(subject, found);
    let prepared = Prepared {
        proof: ProofKind::ByTypes,
        account: Account {
            effort: Some(effort),
            ..told.account
        },
        ..told
    };
    Some(ByTypes { prepared, is_all })
}

/// Finds out what can be exchanged in a model that is written out, without the observers noticing. `system` is what is known of it where nobody watches.
///
/// # Errors
///
/// If the model declares a symmetry that it does not have, or a rewrite is wrong.
pub fn detect(
    subject: &Prepared,
    aim: Aim,
    system: Option<&Prepared>,
    budget: &ProofBudget,
) -> Result<Prepared, SymmetryError> {
    let start = Instant::now();
    let subject = &without_needless_questions(subject.clone())?;
    let found = Found::best(&subject.certified, aim, budget)?;
    // A scalarset of a language of rules is a type in the first place: a model that does not keep its promise is checked without
    // that symmetry, and the report says what breaks it.
    if !found.model.language.is_of_rules() {
        require_declared(&found.symmetry.domains.refused)?;
    }
    let effort = Effort {
        time: start.elapsed(),
        graph: found.symmetry.graph,
        steps: budget.spent(),
        factor: budget.effort().get(),
        ended_at: budget.ended_at(),
        parts: found.parts,
    };
    let broken = all_broken(&found);
    let property_cost = match broken.is_empty() {
        true => None,
        false => property_cost::cost(&subject.certified, aim, &found, system, budget)?,
    };
    let told = told(subject, found);
    Ok(Prepared {
        account: Account {
            refused: broken,
            property_cost,
            effort: Some(effort),
            ..told.account
        },
        ..told
    })
}

/// The same for a model that was rewritten after its symmetry had been found, if it has as much of it.
pub(crate) fn again(
    rewritten: &Arc<CompiledModel>,
    aim: Aim,
    budget: &ProofBudget,
    before: &Prepared,
) -> Option<Prepared> {
    let found = match &before.certificate {
        Some(certified) => Found::as_much_as(certified, Arc::clone(rewritten), aim, budget),
        None => Found::on(Arc::clone(rewritten), aim, budget),
    };
    let order: BigUint = before.account.group.order.parse().ok()?;
    let more = match found.order().cmp(&order) {
        Ordering::Less => return None,
        Ordering::Equal => false,
        Ordering::Greater => true,
    };
    let broken = all_broken(&found);
    let told = told(before, found);
    let account = match more {
        true => Account {
            refused: broken,
            effort: before.account.effort.clone(),
            ..told.account
        },
        // In the words of the user's own model, then.
        false => before.account.clone(),
    };
    Some(Prepared { account, ..told })
}

/// What was found for a model, its group in words.
fn told(before: &Prepared, found: Found) -> Prepared {
    let group = match found.proven() {
        Some((certificate, group)) => GroupAccount::of(&found.model, certificate, group),
        None => GroupAccount::trivial(),
    };
    let note = match found.proven() {
        None if found.symmetry.domains.refused.is_empty() => {
            "there are no two processes or names of a kind"
        }
        None if nothing_is_known(&found) => {
            "a budget ended before anything was proven of what might be interchangeable"
        }
        None => "the model has processes or names of one kind, but treats them differently",
        Some(_) => {
            "some processes or names are interchangeable by themselves, but not together with the others that they refer to"
        }
    };
    let useful = group.order != "1";
    let mut prepared = match useful {
        true => before.on(Arc::clone(&found.model)),
        false => before.clone(),
    };
    if useful {
        note_rewrites(&mut prepared.rewrites, &found);
    }
    Prepared {
        certificate: found.symmetry.certificate.filter(|_| useful),
        statements: found.statements.filter(|_| useful),
        account: Account {
            note: (!useful).then(|| note.to_string()),
            group,
            ..Account::none()
        },
        ..prepared
    }
}

/// Notes how the model that was found to have symmetry differs from the one before.
fn note_rewrites(rewrites: &mut Rewrites, found: &Found) {
    rewrites.ended_stay |= found.ended_stay;
    if let Some(how) = &found.restatement {
        rewrites.unread.extend(how.unread.iter().cloned());
        rewrites.gathered += how.gathered;
        rewrites.origins = rewrites.origins.followed_by(&how.origins);
    }
}

/// Whether nothing of what might be interchangeable was decided.
fn nothing_is_known(found: &Found) -> bool {
    let mut refused = found.symmetry.domains.refused.iter();
    refused.all(|r| r.breaches.iter().any(|b| b.undecided))
}

/// Everything that is not interchangeable though it might have been: what has no symmetry at all, and what is told apart
/// within what has some.
fn all_broken(found: &Found) -> Vec<Broken> {
    let refused = found.symmetry.domains.refused.iter();
    let unmoved = refused.filter(|r| !is_moved(found, &r.label));
    let broken = unmoved.flat_map(broken);
    let differences = found.symmetry.differences.iter();
    let differences = differences.filter(|d| !is_refuted(found, d));
    let differences = differences.filter_map(|d| difference(found, d));
    let leaving = found.leaving.iter().map(must_leave);
    let lost = found.lost.iter().map(not_followed);
    let mut all: Vec<Broken> = differences.collect();
    // The nearest statement that tells two apart is a better reason than one that breaks everything.
    let explained = |b: &Broken| all.iter().any(|d| d.breach.span == b.breach.span);
    let broken: Vec<Broken> = broken.filter(|b| !explained(b)).collect();
    all.extend(broken);
    all.extend(leaving);
    all.extend(lost);
    all
}

/// Whether something of that name is moved by what is proven.
fn is_moved(found: &Found, label: &str) -> bool {
    let Some(certificate) = &found.symmetry.certificate else {
        return false;
    };
    let named = |kind: &DomainKind| match kind {
        DomainKind::Processes { template, .. } => found.model.template(*template).name == label,
        DomainKind::Names { label: own, .. } => own == label,
    };
    let mut domains = certificate.domains().iter().enumerate();
    domains.any(|(index, domain)| named(&domain.kind) && certificate.moves(index))
}

/// Whether two that look alike are interchangeable after all: what tells them apart was found in another form of the model, or by less than what is proven.
fn is_refuted(found: &Found, difference: &Difference) -> bool {
    let Some(certificate) = &found.symmetry.certificate else {
        return false;
    };
    let has_both = |kind: &DomainKind| match (kind, &difference.who) {
        (DomainKind::Processes { numbers, .. }, LookAlikes::Processes(a, b)) => {
            numbers.contains(a) && numbers.contains(b)
        }
        (
            DomainKind::Names {
                label, first, size, ..
            },
            LookAlikes::Names { label: own, values },
        ) => {
            let is_one = |value: i64| (0..i64::from(*size)).contains(&(value - first));
            label == own && is_one(values.0) && is_one(values.1)
        }
        _ => false,
    };
    let mut domains = certificate.domains().iter().enumerate();
    domains.any(|(index, domain)| certificate.is_full(index) && has_both(&domain.kind))
}

/// Two that look alike, and the statement that tells them apart.
fn difference(found: &Found, difference: &Difference) -> Option<Broken> {
    let (span, text) = difference.statement.as_ref()?;
    Some(Broken {
        what: look_alikes(found, &difference.who)?,
        accused: Accused::LookAlikes(difference.who.clone()),
        breach: Breach {
            span: Some(*span),
            message: format!("`{text}` tells them apart"),
            related: Vec::new(),
            undecided: false,
        },
        pair: None,
    })
}

/// What two that look alike are called.
fn look_alikes(found: &Found, who: &LookAlikes) -> Option<String> {
    match who {
        LookAlikes::Processes(a, b) => {
            let census = &found.symmetry.candidate.families;
            let family = census.iter().find(|f| f.numbers.contains(a))?;
            let name = found.model.template(family.template).display_name();
            Some(format!("{name} {a} and {name} {b}"))
        }
        LookAlikes::Names { label, values } => {
            let (a, b) = values;
            Some(format!("{label} {a} and {label} {b}"))
        }
    }
}

/// Why processes that have ended must leave, which is why they are not interchangeable.
fn must_leave(observed: &Observed) -> Broken {
    Broken {
        what: "processes that end".into(),
        accused: Accused::Nothing,
        breach: Breach {
            span: observed.span,
            message: observed.how.into(),
            related: Vec::new(),
            undecided: false,
        },
        pair: None,
    }
}

/// Something that is interchangeable, but not in a way that tells what becomes of each statement.
fn not_followed(breach: &Breach) -> Broken {
    Broken {
        what: "statements".into(),
        accused: Accused::Nothing,
        breach: breach.clone(),
        pair: None,
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

fn broken(refused: &Refused) -> impl Iterator<Item = Broken> {
    let breaches = refused.breaches.iter();
    breaches.map(|breach| Broken {
        what: refused.label.clone(),
        accused: Accused::Domain(refused.label.clone()),
        breach: breach.clone(),
        pair: None,
    })
}
