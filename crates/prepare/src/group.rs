//! The group of a certificate, in the words of the model.

use crate::points::Points;
use mandala_model::Model;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::symmetry::UseKind;
use mandala_model::template::{Control, Step};
use mandala_reduce::SymmetryGroup;
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{Certificate, Domain, DomainKind};
use std::collections::BTreeSet;

/// A group in the words of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupAccount {
    /// How many elements it has, in decimal.
    pub order: String,
    /// What it is.
    pub structure: String,
    /// Permutations that generate it, in cycle notation.
    pub generators: Vec<String>,
    /// The same as images of [`Points`].
    pub permutations: Vec<Vec<u32>>,
    /// What it permutes.
    pub domains: Vec<DomainAccount>,
}

/// A set of processes or names that a group permutes, in the words of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainAccount {
    /// What it is called.
    pub name: String,
    /// What its members are.
    pub kind: MemberKind,
    /// Whether all its permutations are allowed.
    pub full: bool,
    /// How many members it has.
    pub size: u32,
    /// What they are called.
    pub members: Vec<String>,
    /// Where it is declared, if it is.
    pub declared: Option<Span>,
    /// Who must have come where before anything is exchanged.
    pub settled: Vec<SettledAccount>,
}

/// What the members of a domain are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// Processes.
    Processes,
    /// Values that are nothing but names.
    Names,
}

/// A process that must have come to one of several places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledAccount {
    /// What it is called.
    pub process: String,
    /// The places from which it goes on; none if it must have ended.
    pub places: Vec<Span>,
}

impl GroupAccount {
    /// The group of one element.
    pub fn trivial() -> Self {
        GroupAccount {
            order: "1".into(),
            structure: "trivial".into(),
            generators: Vec::new(),
            permutations: Vec::new(),
            domains: Vec::new(),
        }
    }

    /// The group of a certificate: of all exchanges that it allows, those that keep what is linked for ever together.
    pub fn of(model: &Model, certificate: &Certificate, group: &SymmetryGroup) -> Self {
        let domains = domains_of(model, certificate);
        let points = Points::new(certificate, &domains);
        let generators = group.generators.iter();
        GroupAccount {
            order: group.order.to_string(),
            structure: group.structure.clone(),
            generators: generators.clone().map(|g| points.cycles(g)).collect(),
            permutations: generators.map(|g| points.images(g)).collect(),
            domains,
        }
    }
}

/// What a certificate allows to exchange, in the words of the model.
pub(crate) fn domains_of(model: &Model, certificate: &Certificate) -> Vec<DomainAccount> {
    let telling = Telling { model, certificate };
    let domains = certificate.domains().iter().enumerate();
    domains
        .map(|(number, d)| telling.domain(number, d))
        .collect()
}

/// Says what a domain is.
struct Telling<'a> {
    model: &'a Model,
    certificate: &'a Certificate,
}

impl Telling<'_> {
    fn domain(&self, number: usize, domain: &Domain) -> DomainAccount {
        let (name, kind, members) = match &domain.kind {
            DomainKind::Processes { template, numbers } => {
                let name = self.model.template(*template).display_name().to_string();
                let members = numbers.iter().map(|n| format!("{name} {n}")).collect();
                (name, MemberKind::Processes, members)
            }
            DomainKind::Names {
                label, first, size, ..
            } => {
                let values = *first..first.saturating_add((*size).into());
                let members = values.map(|value| self.name(label, value)).collect();
                let members = self.variables(number).unwrap_or(members);
                (label.clone(), MemberKind::Names, members)
            }
        };
        DomainAccount {
            name,
            kind,
            full: self.certificate.is_full(number),
            size: domain.kind.size() as u32,
            members,
            declared: self.declared(domain),
            settled: domain.settled.iter().map(|s| self.settled(s)).collect(),
        }
    }

    /// The variables that belong to the names of a domain one by one, if there are such.
    fn variables(&self, number: usize) -> Option<Vec<String>> {
        let DomainKind::Names { set, .. } = &self.certificate.domains()[number].kind else {
            return None;
        };
        let own = Sort::Name(*set, 0);
        let row = self
            .certificate
            .sorts()
            .rows
            .iter()
            .find(|row| row.index == own)?;
        let names = row
            .variables
            .iter()
            .map(|v| self.model.global(*v).name.clone());
        Some(names.collect())
    }

    /// A name of a domain: the element of an array, if the domain is called after one.
    fn name(&self, label: &str, value: i64) -> String {
        match self.model.globals.iter().any(|g| g.name == label) {
            true => format!("{label}[{value}]"),
            false => format!("{label} {value}"),
        }
    }

    fn declared(&self, domain: &Domain) -> Option<Span> {
        let mut sets = self.model.scalarsets.iter();
        let set = sets.find(|set| match &domain.kind {
            DomainKind::Processes { template, .. } => {
                let mut uses = set.uses.iter();
                uses.any(|u| u.kind == UseKind::Processes(*template))
            }
            DomainKind::Names { label, .. } => set.name == *label,
        });
        set.map(|set| set.span)
    }

    /// Where a process must have come to, never to go back: places from which it goes on, or its end.
    fn settled(&self, condition: &(TemplateId, BTreeSet<LocationId>)) -> SettledAccount {
        let template = self.model.template(condition.0);
        let entering = template.entering();
        let goes_on = |location: &&LocationId| {
            let mut edges = template.edges_from(**location);
            let silent = template.locations[location.index()].silent;
            // Inside an atomic sequence nobody is ever seen.
            let mut entering = entering.at(**location).iter();
            let seen = entering.any(|edge| edge.control != Control::Hold);
            seen && !silent && edges.any(|(_, edge)| edge.step != Step::Exit)
        };
        let places = condition.1.iter().filter(goes_on);
        SettledAccount {
            process: template.display_name().to_string(),
            places: places.map(|l| template.locations[l.index()].span).collect(),
        }
    }
}
