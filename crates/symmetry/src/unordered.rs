//! Sets that the language has no order among: the positions of the elements of a multiset.
//!
//! That positions may be permuted is nothing that a model could break, so nothing is proved about what its edges do: a multiset *is*
//! what is left when positions are forgotten, and the front end translates everything that can be said about one
//! so that it depends on nothing else. It may not even hold step by step. An element that is added goes to the first position that is
//! free. Which one that is depends on the arrangement; but all free positions are alike, so states that differ in the
//! arrangement of their elements alone lead to states that do.
//!
//! So states are remembered up to the arrangement, even if no other symmetry is used ([`unordered`]); and a run through
//! states that are given up to the arrangement is a run through what [`mandala_model::UncheckedModel::arranged`] makes of them.

use crate::budget::ProofBudget;
use crate::case::{AllForms, Case, Places};
use crate::certificate::Certificate;
use crate::domain::{Candidate, Domain, NameSet};
use crate::evidence::Evidence;
use crate::sorts::Sorts;
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_model::symmetry::Scalarset;

/// The names that a declared set proposes.
pub(crate) fn name_set(set: &Scalarset) -> NameSet {
    NameSet {
        label: set.name.clone(),
        first: set.first,
        size: set.size,
        seeds: set.uses.clone(),
        unordered: set.unordered,
        mixed: false,
    }
}

/// The symmetry that every model has by its language alone: of the positions of elements, if it has such.
pub fn unordered(model: &Model) -> Option<Certificate> {
    let sets = model.scalarsets.iter().filter(|set| set.unordered);
    let candidate = Candidate {
        names: sets.map(name_set).collect(),
        ..Candidate::default()
    };
    if candidate.names.is_empty() {
        return None;
    }
    let evidence = Evidence::new(model, Observers::default());
    let case = Case::new(&evidence, &candidate, &ProofBudget::unlimited());
    // No cell holds a position, so what edges do says nothing of the sorts.
    let sorts = case.infer(&AllForms::default(), &Places::new()).ok()?;
    let domains = candidate.domains().into_iter().map(|kind| Domain {
        kind,
        settled: Vec::new(),
        residents: Vec::new(),
    });
    let domains: Vec<Domain> = domains.collect();
    Some(Certificate {
        full: vec![true; domains.len()],
        domains,
        renamings: Vec::new(),
        sorts: Sorts::without_scratch(sorts, model),
        choices: None,
    })
}

/// Whether a certificate has everything that has no order by the language.
pub fn has_unordered(model: &Model, certificate: &Certificate) -> bool {
    let domains = certificate.domains().iter().enumerate();
    let full = domains.filter(|(index, _)| certificate.is_full(*index));
    let full: Vec<_> = full.map(|(_, domain)| &domain.kind).collect();
    let mut sets = model.scalarsets.iter().filter(|set| set.unordered);
    sets.all(|set| full.iter().any(|kind| kind.is_called(&set.name)))
}
