//! Domains of interchangeable names: what is proposed, and what is certified.
//!
//! There are two kinds. The *processes* of one template are known by their numbers. *Names* are plain
//! values `first`, `first + 1`, .. that sit in variables, parameters and messages and index arrays.
//! Every domain has its full symmetric group, independently of all others. Where a process has a name,
//! in a parameter for instance, that link is part of the state: it is found there, and no permutation
//! needs to know of it.

use crate::renaming::{Permutation, Renaming};
use crate::sorts::{Names, Row};
use mandala_model::State;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::state::ProcessState;
use mandala_model::symmetry::ScalarsetUse;
use std::collections::BTreeSet;

/// Processes of one template that may be interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// What they are instances of.
    pub template: TemplateId,
    /// Their numbers.
    pub numbers: Vec<u32>,
}

/// Values that may be interchangeable names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameSet {
    /// What a person calls them.
    pub label: String,
    /// The least of the values.
    pub first: i64,
    /// How many there are.
    pub size: u32,
    /// Where they are known to occur; all other places follow.
    pub seeds: Vec<ScalarsetUse>,
    /// Whether the language has no order among them ([`mod@crate::unordered`]), so that there is nothing to prove.
    pub unordered: bool,
    /// Whether some cells hold these names and those of the set before it in the candidate, which are less: then both are parts of one set of names. Each
    /// is permuted by itself all the same.
    pub mixed: bool,
}

/// A symmetry that somebody proposes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Processes that may be permuted among each other, in each family.
    pub families: Vec<Family>,
    /// Names that may be permuted among each other, in each set.
    pub names: Vec<NameSet>,
    /// Global variables that belong to processes or names one by one.
    pub rows: Vec<Row>,
    /// Places that are said to hold numbers of processes, or to be indexed by them.
    pub numbers: Vec<ScalarsetUse>,
    /// Whether what is asked is only about states in which nobody but the families' members is an instance of their
    /// templates, and nobody makes more of them ([`Domain::residents`]).
    pub without_strangers: bool,
}

impl Candidate {
    /// What would be permuted: families first, then names.
    pub(crate) fn domains(&self) -> Vec<DomainKind> {
        let families = self.families.iter();
        let families = families.map(|f| DomainKind::Processes {
            template: f.template,
            numbers: f.numbers.clone(),
        });
        let names = self.names.iter().zip(self.places());
        let names = names.map(|(n, (set, start))| DomainKind::Names {
            label: n.label.clone(),
            first: n.first,
            size: n.size,
            set,
            start,
        });
        families.chain(names).collect()
    }

    /// For each domain of names, the number of the set of names that it is a part of, and its first place there.
    pub(crate) fn places(&self) -> Vec<(u32, u32)> {
        let mut places: Vec<(u32, u32)> = Vec::new();
        let mut first = 0;
        for names in &self.names {
            let last = places.last().map(|(set, _)| *set);
            match last.filter(|_| names.mixed) {
                Some(set) => places.push((set, (names.first - first) as u32)),
                None => {
                    first = names.first;
                    places.push((last.map_or(0, |last| last + 1), 0));
                }
            }
        }
        places
    }

    /// The sets of names that the domains of names are parts of.
    pub(crate) fn sets(&self) -> Vec<Names> {
        let mut sets: Vec<Names> = Vec::new();
        for (names, (set, start)) in self.names.iter().zip(self.places()) {
            let size = start + names.size;
            match sets.get_mut(set as usize) {
                Some(known) => known.size = size,
                None => sets.push(Names {
                    first: names.first,
                    size,
                }),
            }
        }
        sets
    }

    /// What the processes of the families are instances of.
    pub(crate) fn templates(&self) -> Vec<TemplateId> {
        self.families.iter().map(|f| f.template).collect()
    }
}

/// A set of names that may all be exchanged for each other, certified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Which names.
    pub kind: DomainKind,
    /// When: in states where every instance of each of these templates is at one of the locations. Once
    /// it is so, it stays so. In all other states nothing of this domain may be permuted.
    pub settled: Vec<(TemplateId, BTreeSet<LocationId>)>,
    /// And where the instances of each of these templates are among the processes with these numbers. That stays so, too:
    /// where the domain is settled, nobody makes more of them.
    pub residents: Vec<(TemplateId, BTreeSet<u32>)>,
}

/// The names of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DomainKind {
    /// Numbers of processes. In a state, those that are instances of the template may be permuted; the
    /// others stay.
    Processes {
        /// What they are instances of.
        template: TemplateId,
        /// Their numbers.
        numbers: Vec<u32>,
    },
    /// The values from `first` to `first + size - 1`.
    Names {
        /// What a person calls them.
        label: String,
        /// The least of the values.
        first: i64,
        /// How many there are.
        size: u32,
        /// The number of the set of names that they are a part of ([`crate::sorts::Sorts::names`]); most sets have one part.
        set: u32,
        /// The place of the least of them in that set.
        start: u32,
    },
}

impl Domain {
    /// Whether the names of the domain may be permuted in a state.
    pub fn is_settled(&self, state: &State) -> bool {
        let late = |process: &ProcessState| {
            let mut conditions = self.settled.iter();
            conditions.all(|(template, locations)| {
                process.template != *template || locations.contains(&process.location)
            })
        };
        let mut processes = (0..).zip(&state.processes);
        processes.all(|(number, p)| late(p) && self.is_resident(number, p.template))
    }

    /// Whether a process may be there while the names of the domain are permuted.
    pub fn is_resident(&self, number: u32, template: TemplateId) -> bool {
        let mut residents = self.residents.iter();
        residents.all(|(t, numbers)| *t != template || numbers.contains(&number))
    }
}

impl DomainKind {
    /// Whether these are names that a person calls that.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        matches!(self, DomainKind::Names { label, .. } if label == name)
    }

    /// Whether these are the names of another domain, whatever set they are a part of.
    pub(crate) fn is_like(&self, other: &DomainKind) -> bool {
        match (self, other) {
            (
                DomainKind::Names {
                    label, first, size, ..
                },
                DomainKind::Names {
                    label: other,
                    first: least,
                    size: count,
                    ..
                },
            ) => (label, first, size) == (other, least, count),
            _ => self == other,
        }
    }

    /// How many names there are.
    pub fn size(&self) -> usize {
        match self {
            DomainKind::Processes { numbers, .. } => numbers.len(),
            DomainKind::Names { size, .. } => *size as usize,
        }
    }

    /// Whether a renaming moves any of the names.
    pub(crate) fn is_touched(&self, renaming: &Renaming) -> bool {
        match self {
            DomainKind::Processes { numbers, .. } => {
                renaming.processes().moved().any(|n| numbers.contains(&n))
            }
            DomainKind::Names {
                size, set, start, ..
            } => {
                let own = *start..start + size;
                renaming.names(*set).moved().any(|n| own.contains(&n))
            }
        }
    }

    /// The exchanges of neighbours, which generate all permutations.
    pub fn exchanges(&self) -> Vec<Renaming> {
        match self {
            DomainKind::Processes { numbers, .. } => {
                let pairs = numbers.windows(2);
                let swap = |w: &[u32]| Renaming::of_processes(Permutation::swap(w[0], w[1]));
                pairs.map(swap).collect()
            }
            DomainKind::Names {
                size, set, start, ..
            } => {
                let swap = |n| Renaming::of_names(*set, Permutation::swap(n - 1, n));
                (start + 1..start + size).map(swap).collect()
            }
        }
    }
}
