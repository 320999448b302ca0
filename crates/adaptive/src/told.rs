//! What is told of a model that is not symmetric as a whole.

use crate::space::statements;
use mandala_engine::Asymmetry;
use mandala_model::Model;
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::template::{Role, Step};
use mandala_prepare::Prepared;
use mandala_symmetry::{ProofBudget, StatementSymmetry};
use std::collections::BTreeMap;

/// A statement that treats members differently: its text, why, and where it stands.
type Breaking = (String, String, Span);

/// How many statements of a model treat members differently that might be interchangeable.
pub(crate) fn asymmetry_of(model: &Model, symmetry: &StatementSymmetry) -> Asymmetry {
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
