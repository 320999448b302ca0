//! What is reduced, in words for a person.

use crate::plan::{Basis, LeftOut, MAX_DOMAINS, Main};
use mandala_explicit::Reducer;
use mandala_model::UncheckedModel;
use mandala_symmetry::DomainKind;

/// A reducer that can say what it reduces.
pub trait Described: Reducer {
    /// What is reduced. Domains that turn out not to be expressible are known once states with them have been met.
    fn description(&self) -> Description;
}

/// What a reducer reduces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The domains whose members are permuted.
    pub domains: Vec<ReducedDomain>,
    /// Domains that are certified but not permuted in some states, and why.
    pub left_out: Vec<(String, String)>,
    /// How many states are kept by the reducer itself, beside those that the search keeps.
    pub kept_states: usize,
}

/// A domain whose members are permuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducedDomain {
    /// The template of its processes, or what the names are called.
    pub name: String,
    /// How many members it has.
    pub size: usize,
    /// The main array of a strategy that sorts by one.
    pub main_array: Option<String>,
}

/// What a person calls a domain.
pub(crate) fn domain_name(model: &UncheckedModel, kind: &DomainKind) -> String {
    match kind {
        DomainKind::Processes { template, .. } => model.template(*template).name.clone(),
        DomainKind::Names { label, .. } => label.clone(),
    }
}

fn main_name(model: &UncheckedModel, kind: &DomainKind, main: Main) -> String {
    match (main, kind) {
        (Main::Global(global), _) => model.globals[global].name.clone(),
        (Main::Local(local), DomainKind::Processes { template, .. }) => {
            let template = model.template(*template);
            format!("{}.{}", template.name, template.locals[local].name)
        }
        (Main::Local(_) | Main::Locations, _) => "control locations".to_string(),
    }
}

/// Describes what is reduced on some basis.
pub(crate) fn describe(basis: &Basis<'_>, left_out: &[LeftOut]) -> Description {
    let name = |domain: usize| domain_name(basis.model, &basis.domains[domain].kind);
    let domains = basis.domains.iter().enumerate().map(|(index, domain)| {
        let main = basis.main.get(index).copied().flatten();
        ReducedDomain {
            name: name(index),
            size: domain.kind.size(),
            main_array: main.map(|main| main_name(basis.model, &domain.kind, main)),
        }
    });
    let beyond = (MAX_DOMAINS..basis.domains.len()).map(|domain| {
        let why = "there are too many domains".to_string();
        (name(domain), why)
    });
    let mut reasons: Vec<_> = left_out
        .iter()
        .map(|l| (name(l.domain), l.why.clone()))
        .collect();
    reasons.extend(beyond);
    reasons.sort();
    reasons.dedup();
    Description {
        domains: domains.collect(),
        left_out: reasons,
        kept_states: 0,
    }
}
