//! The action of the renamings of a case on values.
//!
//! A case is about one renaming, or about all exchanges of two neighbours in some domains. Both are given by what each value that is moved may become. What is proven for the
//! exchanges holds for everything that they generate.

use crate::proof::{Moves, Proof};
use mandala_model::state::Value;
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{DomainKind, Renaming};
use std::collections::{BTreeMap, BTreeSet};

/// Names and what is added to them are smaller, so that sums of them are not cut.
pub(super) const FARTHEST: Value = 1 << 20;

/// Numbers of processes (nothing), or the names of a domain of names.
type SetId = Option<u32>;

/// What the renamings of a case do.
pub(crate) struct Mover {
    /// For each value that is moved, what it may become; of several renamings that is the value itself, too.
    images: BTreeMap<SetId, BTreeMap<Value, Vec<Value>>>,
    /// Whether the case is about one renaming: then the image of a value is known.
    pub(super) is_one: bool,
}

impl Mover {
    /// Nothing if a renaming does not keep to the domains, or a domain has not got all that it needs.
    pub(crate) fn of(proof: &Proof, moves: &Moves) -> Option<Self> {
        match moves {
            Moves::All(domains) => Mover::all(proof, domains),
            Moves::One(renaming) => Mover::one(proof, renaming),
        }
    }

    fn all(proof: &Proof, domains: &[usize]) -> Option<Self> {
        let mut images: BTreeMap<SetId, BTreeMap<Value, Vec<Value>>> = BTreeMap::new();
        for domain in domains {
            let members = members(proof, *domain)?;
            let set = images.entry(set_of(proof, *domain)?).or_default();
            for (place, name) in members.iter().enumerate() {
                let near = place.saturating_sub(1)..members.len().min(place + 2);
                set.insert(*name, members[near].to_vec());
            }
        }
        let is_one = false;
        Some(Mover { images, is_one })
    }

    fn one(proof: &Proof, renaming: &Renaming) -> Option<Self> {
        let mut images: BTreeMap<SetId, BTreeMap<Value, Vec<Value>>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for domain in 0..proof.domains.len() {
            let id = set_of(proof, domain)?;
            let members = members(proof, domain)?;
            for name in &members {
                let image = match id {
                    None => Value::from(renaming.processes().image(*name as u32)),
                    Some(set) => {
                        let first = proof.sorts.names.get(set as usize)?.first;
                        first + Value::from(renaming.names(set).image((name - first) as u32))
                    }
                };
                members.contains(&image).then_some(())?;
                seen.insert((id, *name));
                if image != *name {
                    images.entry(id).or_default().insert(*name, vec![image]);
                }
            }
        }
        let known = |number| seen.contains(&(None, Value::from(number)));
        let near = |(set, first): (u32, Value)| {
            let mut moved = renaming.names(set).moved();
            moved.all(|name| seen.contains(&(Some(set), first + Value::from(name))))
        };
        let mut sets = (0..).zip(proof.sorts.names.iter().map(|names| names.first));
        let fits = renaming.processes().moved().all(known)
            && sets.all(near)
            && renaming.sets() <= proof.sorts.names.len() as u32;
        let is_one = true;
        fits.then_some(Mover { images, is_one })
    }

    /// What the values of a sort become, and by how much these are less than the names.
    fn of_sort(&self, sort: Sort) -> Option<(&BTreeMap<Value, Vec<Value>>, Value)> {
        let (id, offset) = match sort {
            Sort::Process(offset) => (None, offset),
            Sort::Name(set, offset) => (Some(set), offset),
            Sort::Plain | Sort::Channel(_) => return None,
        };
        Some((self.images.get(&id)?, offset))
    }

    /// What a sort means here: names that stay are plain numbers.
    pub(crate) fn sort(&self, sort: Sort) -> Sort {
        match sort {
            Sort::Process(_) | Sort::Name(..) if self.of_sort(sort).is_none() => Sort::Plain,
            _ => sort,
        }
    }

    /// For each value of a sort that is moved, what it becomes.
    pub(crate) fn pairs(&self, sort: Sort) -> impl Iterator<Item = (Value, Value)> {
        let known = self.of_sort(sort).into_iter();
        known.flat_map(|(set, by)| {
            let each = set.iter();
            each.flat_map(move |(a, images)| images.iter().map(move |b| (a - by, b - by)))
        })
    }

    /// What a value of a sort may become, if it is moved.
    fn images(&self, sort: Sort, value: Value) -> Option<(&[Value], Value)> {
        let (set, by) = self.of_sort(sort)?;
        Some((set.get(&value.checked_add(by)?)?, by))
    }

    /// Whether the one value of a sort becomes the other one by every renaming of the case.
    pub(super) fn maps(&self, sort: Sort, from: Value, to: Value) -> bool {
        match self.images(sort, from) {
            Some((images, by)) => to
                .checked_add(by)
                .is_some_and(|to| images.len() == 1 && images[0] == to),
            None => from == to,
        }
    }

    /// Whether a value of a sort is moved by some renaming of the case.
    pub(super) fn is_moved(&self, sort: Sort, value: Value) -> bool {
        self.images(sort, value).is_some()
    }

    /// Whether a set of values is mapped to itself.
    pub(super) fn keeps(&self, sort: Sort, has: impl Fn(Value) -> bool) -> bool {
        self.pairs(sort).all(|(a, b)| has(a) == has(b))
    }

    /// Whether something of a domain is moved.
    pub(super) fn touches(&self, proof: &Proof, domain: usize) -> bool {
        let set = set_of(proof, domain).and_then(|id| self.images.get(&id));
        let members = members(proof, domain).unwrap_or_default();
        set.is_some_and(|set| members.iter().any(|name| set.contains_key(name)))
    }

    /// The domains of which something is moved.
    pub(super) fn touched<'p>(
        &self,
        proof: &'p Proof,
    ) -> impl Iterator<Item = &'p mandala_symmetry::Domain> {
        let touched = |number: &usize| self.touches(proof, *number);
        let numbers = (0..proof.domains.len()).filter(touched);
        numbers
            .map(|number| &proof.domains[number])
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// The set that a domain is a part of.
pub(super) fn set_of(proof: &Proof, domain: usize) -> Option<SetId> {
    Some(match &proof.domains.get(domain)?.kind {
        DomainKind::Processes { .. } => None,
        DomainKind::Names { set, .. } => Some(*set),
    })
}

/// The members of a domain in order.
pub(super) fn members(proof: &Proof, domain: usize) -> Option<Vec<Value>> {
    let mut members: Vec<Value> = match &proof.domains.get(domain)?.kind {
        DomainKind::Processes { numbers, .. } => numbers.iter().map(|n| Value::from(*n)).collect(),
        DomainKind::Names { size, .. } if Value::from(*size) > FARTHEST => return None,
        DomainKind::Names { first, size, .. } => {
            (*first..first.checked_add(Value::from(*size))?).collect()
        }
    };
    members.sort_unstable();
    Some(members)
}
