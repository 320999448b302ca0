//! How far a model is from being symmetric that is not symmetric as a whole: which of its statements keep which exchanges.

use crate::prepared::Prepared;
use crate::startup::started;
use mandala_model::Model;
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::template::{Role, Step};
use mandala_symmetry::by_statement::Subject;
use mandala_symmetry::{Breach, ProofBudget, StatementSymmetry, by_statement};
use std::collections::BTreeMap;

/// How far a model is from being symmetric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asymmetry {
    /// How symmetric it turned out to be, in words; nothing if that was not looked at.
    pub kind: Option<&'static str>,
    /// How many statements it has.
    pub statements: usize,
    /// Those that treat members differently which might be interchangeable: their text, why, and where they stand.
    pub breaking: Vec<(String, String, Span)>,
    /// How many members there are.
    pub members: usize,
}

/// How many steps of work it may take to find out whether few statements treat members differently.
const SUGGESTION_STEPS: u64 = 1_000_000;

/// A statement that treats members differently: its text, why, and where it stands.
type Breaking = (String, String, Span);

/// How many statements of a model treat members differently that might be interchangeable.
pub fn asymmetry_of(model: &Model, symmetry: &StatementSymmetry) -> Asymmetry {
    let kinds = symmetry.kinds();
    let mut statements: BTreeMap<(u32, u32), Option<Breaking>> = BTreeMap::new();
    let processes = (0..).zip(&model.templates);
    for (template, of) in processes.filter(|(_, t)| t.role == Role::Process) {
        for (index, edge) in (0..).zip(&of.edges) {
            // What no person has written says nothing to one.
            if matches!(edge.step, Step::Else | Step::Exit) {
                continue;
            }
            let treatment = symmetry.edge(EdgeId {
                template: TemplateId(template),
                index,
            });
            let why = treatment.breach.as_ref().map(|b| b.message.clone());
            let breaks = treatment.partition != *kinds;
            let told = || (edge.text.clone(), why.unwrap_or_default(), edge.span);
            let place = (edge.span.start, edge.span.end);
            let known = statements.entry(place).or_default();
            if breaks && known.is_none() {
                *known = Some(told());
            }
        }
    }
    let cells = kinds.cells().into_iter().filter(|cell| cell.len() > 1);
    Asymmetry {
        statements: statements.len(),
        breaking: statements.into_values().flatten().collect(),
        members: cells.map(|cell| cell.len()).sum(),
        kind: None,
    }
}

/// How many statements of what is searched treat members differently; nothing if nothing can be proven with so much work, or there are no members.
pub fn asymmetry(
    prepared: &Prepared,
    observers: Observers,
    budget: &ProofBudget,
) -> Option<Asymmetry> {
    let symmetry = statements(prepared, observers, budget).ok()?;
    let told = asymmetry_of(&prepared.searched, &symmetry);
    (told.members > 0 && told.statements > 0).then_some(told)
}

/// The same if something is not interchangeable though it might be, and that is a matter of few statements: one in three at most.
pub(crate) fn suggested(prepared: &Prepared, budget: &ProofBudget) -> Option<Asymmetry> {
    let mut refused = prepared.account.refused.iter();
    let is_told_apart = refused.any(|broken| !broken.breach.undecided);
    if !is_told_apart || prepared.searched.not_written_out().is_some() {
        return None;
    }
    let budget = budget.clone().with_at_most(SUGGESTION_STEPS);
    let found = asymmetry(prepared, Observers::default(), &budget)?;
    let breaking = found.breaking.len();
    (breaking > 0 && 3 * breaking <= found.statements).then_some(found)
}

/// What each statement of what is searched keeps.
///
/// # Errors
///
/// Why nothing can be proven of them.
pub fn statements(
    prepared: &Prepared,
    observers: Observers,
    budget: &ProofBudget,
) -> Result<StatementSymmetry, Vec<Breach>> {
    let model: &Model = prepared.searched.model();
    let Some(started) = started(model) else {
        return Err(Vec::new());
    };
    // The steps of one statement of the user's are one family.
    let origin = |edge: EdgeId| match prepared.rewrites.origins.of(edge) {
        Some(origin) => origin.edge,
        None => edge,
    };
    let is_of_rules = model.is_system_of_rules();
    let subject = Subject {
        model,
        observers,
        started: &started,
        origin: match is_of_rules {
            true => &origin,
            false => &|edge| edge,
        },
    };
    by_statement(subject, budget)
}
