//! What is proven: domains, the group that acts on them, and what the cells of states mean.
//!
//! Only [`mod@crate::certify`] makes certificates, and its documentation says what one is worth. A domain that *is full* may be
//! permuted in all ways, whatever happens to the others. Of all other domains, what the *renamings* generate is meant: one of them
//! may move processes and names of several domains together, as the rotation of a ring does.

use crate::domain::{Domain, DomainKind};
use crate::renaming::Renaming;
use crate::sorts::Sorts;
use mandala_groups::{BigUint, Group, Permutation as Points};

/// A symmetry that is proven; see [`mod@crate::certify`] for what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    pub(crate) domains: Vec<Domain>,
    /// For each domain, whether all its permutations are certified, whatever happens to the others.
    pub(crate) full: Vec<bool>,
    /// What is certified besides.
    pub(crate) renamings: Vec<Renaming>,
    pub(crate) sorts: Sorts,
}

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

    /// Whether a renaming moves anything of a domain.
    pub fn touches(&self, renaming: &Renaming, domain: usize) -> bool {
        match &self.domains[domain].kind {
            DomainKind::Processes { numbers, .. } => {
                renaming.processes().moved().any(|n| numbers.contains(&n))
            }
            DomainKind::Names { .. } => !renaming.names(self.set_of(domain)).is_identity(),
        }
    }

    /// Renamings that are certified besides those of full domains. One may be applied where all domains
    /// that it touches are settled and all processes that it moves are there.
    pub fn renamings(&self) -> &[Renaming] {
        &self.renamings
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
            true => self.domains[domain].kind.exchanges(self.set_of(domain)),
            false => Vec::new(),
        }
    }

    /// The number of a domain of names among those; of a family, how many domains of names there are before it.
    fn set_of(&self, domain: usize) -> u32 {
        let names = |d: &&Domain| matches!(d.kind, DomainKind::Names { .. });
        self.domains[..domain].iter().filter(names).count() as u32
    }

    /// How many renamings are certified: the order of the group.
    pub fn order(&self) -> BigUint {
        let group = self.group();
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
        for (index, domain) in self.domains.iter().enumerate() {
            let start = images.len() as u32;
            match &domain.kind {
                DomainKind::Processes { numbers, .. } => {
                    for number in numbers {
                        let image = renaming.processes().image(*number);
                        let place = numbers.iter().position(|n| *n == image)?;
                        images.push(start + place as u32);
                    }
                }
                DomainKind::Names { size, .. } => {
                    let names = renaming.names(self.set_of(index));
                    images.extend((0..*size).map(|n| start + names.image(n)));
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
            full: vec![false; self.domains.len()],
            renamings,
            ..self.clone()
        })
    }
}
