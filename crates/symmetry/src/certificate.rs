//! Certificates: proven domains, the group that acts on them, and the sorts of the cells of states.
//!
//! Only [`mod@crate::certify`] makes certificates, and its documentation says what one is worth. A domain that *is full* may be
//! permuted in all ways, whatever happens to the others. Of all other domains, what the *renamings* generate is meant: one of them
//! may move processes and names of several domains together, as the rotation of a ring does.

use crate::domain::{Domain, DomainKind};
use crate::renaming::Renaming;
use crate::sorts::{Shape, Sort, Sorts};
use mandala_groups::{BigUint, Group, Permutation as Points};
use mandala_model::Model;
use mandala_model::ids::EdgeId;
use mandala_model::types::Storage;
use std::collections::BTreeMap;

/// A symmetry that is proven; see [`mod@crate::certify`] for what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    pub(crate) domains: Vec<Domain>,
    /// For each domain, whether all its permutations are certified, whatever happens to the others.
    pub(crate) full: Vec<bool>,
    /// What is certified besides.
    pub(crate) renamings: Vec<Renaming>,
    pub(crate) sorts: Sorts,
    pub(crate) choices: Option<Choices>,
}

/// For each edge or monitor with parameters, what their values mean. It is one of the model that the certificate was derived from.
pub type Choices = BTreeMap<EdgeId, Vec<Sort>>;

impl Certificate {
    /// What may be permuted: families of processes first, then names, as in the candidate. All permutations
    /// of a domain that [is full](Self::is_full) are meant; of the others, what [`Self::renamings`] generate.
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// Whether a domain has its full symmetric group, independently of all others.
    pub fn is_full(&self, domain: usize) -> bool {
        self.full[domain]
    }

    /// Whether something of a domain may be moved at all.
    pub fn moves(&self, domain: usize) -> bool {
        let mut renamings = self.renamings.iter();
        self.full[domain] || renamings.any(|r| self.touches(r, domain))
    }

    /// Whether each member of a domain may become each other one.
    pub(crate) fn is_transitive(&self, domain: usize) -> bool {
        let before = self.domains[..domain].iter().map(|d| d.kind.size());
        let first: usize = before.sum();
        let size = self.domains[domain].kind.size();
        let all = |group: &Group| {
            let orbit = group.orbit(first as u32);
            orbit.is_ok_and(|orbit| orbit.points().len() == size)
        };
        self.full[domain] || size < 2 || self.group().as_ref().is_some_and(all)
    }

    /// Whether a renaming moves anything of a domain.
    pub fn touches(&self, renaming: &Renaming, domain: usize) -> bool {
        let kind = &self.domains[domain].kind;
        kind.is_touched(renaming)
    }

    /// Renamings that are certified besides those of full domains. One may be applied where all domains
    /// that it touches are settled and all processes that it moves are there.
    pub fn renamings(&self) -> &[Renaming] {
        &self.renamings
    }

    /// The same for a model that differs from the one it was made for in that there are more temporaries, or no monitors, for a check that does
    /// without them; nothing if it differs in more than that.
    pub fn with_temporaries_of(mut self, model: &Model) -> Option<Certificate> {
        let shapes = &mut self.sorts.classes.locals;
        let count = model.runnables().count();
        // Monitors are shown last.
        if model.monitor_template().is_none() && shapes.len() == count + 1 {
            shapes.pop();
        }
        if shapes.len() != count {
            return None;
        }
        for ((_, template), shapes) in model.runnables().zip(shapes) {
            let more = template.locals.get(shapes.len()..)?;
            for variable in more {
                (variable.storage == Storage::Scratch).then_some(())?;
                shapes.push(Shape::of(model, &variable.ty, &mut || Sort::Plain));
            }
        }
        Some(self)
    }

    /// What the values of parameters mean, if it is proven edge by edge: a renaming makes of a step one along the same edge, by the process that it makes of the
    /// one that moves, with the renamed values of the parameters. Otherwise nothing is known but that it is one of that process.
    pub fn choices(&self) -> Option<&Choices> {
        self.choices.as_ref()
    }

    /// What the cells of states mean.
    pub fn sorts(&self) -> &Sorts {
        &self.sorts
    }

    /// Generators of all that is certified: the exchanges of neighbours of full domains, and the other renamings.
    pub fn generators(&self) -> Vec<Renaming> {
        let domains = 0..self.domains.len();
        let exchanges = domains.flat_map(|d| self.generators_of(d));
        exchanges.chain(self.renamings.iter().cloned()).collect()
    }

    /// The exchanges of neighbours in one domain, if it is full.
    pub fn generators_of(&self, domain: usize) -> Vec<Renaming> {
        match self.full[domain] {
            true => self.domains[domain].kind.exchanges(),
            false => Vec::new(),
        }
    }

    /// How many renamings are certified: the order of the group.
    pub fn order(&self) -> BigUint {
        let full = (0..self.domains.len()).filter(|d| self.full[*d]);
        let factors = full.flat_map(|d| 2..=self.domains[d].kind.size());
        let full: BigUint = factors.map(BigUint::from).product();
        full * self.order_of_the_rest()
    }

    /// The order of what happens to domains that are not full. Whatever a renaming does to those that are can be taken
    /// back, so the group is the product of both.
    fn order_of_the_rest(&self) -> BigUint {
        let mut rest = Vec::new();
        let mut start = 0u32;
        for (domain, full) in self.domains.iter().zip(&self.full) {
            let end = start + domain.kind.size() as u32;
            rest.extend((start..end).filter(|_| !full));
            start = end;
        }
        let place = |point: u32| rest.iter().position(|p| *p == point).map(|p| p as u32);
        let restricted = |renaming: &Renaming| {
            let points = self.points(renaming)?;
            let images: Option<Vec<u32>> = rest.iter().map(|p| place(points.image(*p))).collect();
            Points::from_images(images?).ok()
        };
        let tables: Option<Vec<Points>> = self.renamings.iter().map(restricted).collect();
        let group = tables.and_then(|tables| Group::new(rest.len(), tables).ok());
        group.map_or_else(|| BigUint::from(1u32), |group| group.order())
    }

    /// The group of all that is certified, acting on the members of the domains one after the other.
    pub fn group(&self) -> Option<Group> {
        let degree = self.domains.iter().map(|d| d.kind.size()).sum();
        let generators = self.generators();
        let tables = generators.iter().map(|g| self.points(g));
        let tables: Option<Vec<Points>> = tables.collect();
        Group::new(degree, tables?).ok()
    }

    /// What a renaming does to the members of the domains, numbered one after the other; nothing if it moves one out of
    /// its domain.
    pub fn points(&self, renaming: &Renaming) -> Option<Points> {
        let mut images = Vec::new();
        for domain in &self.domains {
            let start = images.len() as u32;
            match &domain.kind {
                DomainKind::Processes { numbers, .. } => {
                    for number in numbers {
                        let image = renaming.processes().image(*number);
                        let place = numbers.iter().position(|n| *n == image)?;
                        images.push(start + place as u32);
                    }
                }
                DomainKind::Names {
                    size,
                    set,
                    start: place,
                    ..
                } => {
                    for n in 0..*size {
                        let image = renaming.names(*set).image(place + n).checked_sub(*place)?;
                        images.push(start + image);
                    }
                }
            }
        }
        Points::from_images(images).ok()
    }

    /// The same with a smaller group: what these renamings generate, and nothing else. Nothing if one of them is not certified.
    pub fn narrowed(&self, renamings: Vec<Renaming>) -> Option<Certificate> {
        let group = self.group()?;
        let certified = |r: &Renaming| self.points(r).is_some_and(|p| group.contains(&p));
        renamings.iter().all(certified).then(|| Certificate {
            domains: self.domains_to_narrow(),
            full: vec![false; self.domains.len()],
            renamings,
            sorts: self.sorts.clone(),
            choices: self.choices.clone(),
        })
    }

    /// The same with those generators that are wanted, and what they generate; nothing if that is nobody. A domain is full as long as all its
    /// exchanges are wanted.
    pub fn keeping(&self, wanted: impl Fn(&Renaming) -> bool) -> Option<Certificate> {
        let generators = self.generators();
        if generators.iter().all(&wanted) {
            return (!generators.is_empty()).then(|| self.clone());
        }
        let domains = 0..self.domains.len();
        let full = domains.map(|d| self.full[d] && self.generators_of(d).iter().all(&wanted));
        let full: Vec<bool> = full.collect();
        let mut renamings = Vec::new();
        for domain in (0..full.len()).filter(|d| !full[*d]) {
            renamings.extend(self.generators_of(domain));
        }
        renamings.extend(self.renamings.iter().cloned());
        renamings.retain(&wanted);
        let kept = Certificate {
            domains: self.domains_to_narrow(),
            full,
            renamings,
            sorts: self.sorts.clone(),
            choices: self.choices.clone(),
        };
        (!kept.generators().is_empty()).then_some(kept)
    }

    /// The domains, settled when all are that must be for a renaming that touches them. A product of renamings may leave
    /// domains alone that its factors touch, and still it is certified only where these are settled.
    fn domains_to_narrow(&self) -> Vec<Domain> {
        if self.renamings.is_empty() {
            return self.domains.clone();
        }
        let mut settled = Vec::new();
        for condition in self.domains.iter().flat_map(|d| &d.settled) {
            if !settled.contains(condition) {
                settled.push(condition.clone());
            }
        }
        let domain = |d: &Domain| Domain {
            kind: d.kind.clone(),
            settled: settled.clone(),
            // This is the same for all.
            residents: d.residents.clone(),
        };
        self.domains.iter().map(domain).collect()
    }
}
