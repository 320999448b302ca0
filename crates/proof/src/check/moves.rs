//! What the renamings of a case do to values.
//!
//! A case is about one renaming, or about all exchanges of two neighbours in some domains. Both are given by *pairs*: for each value that is moved, the values that
//! it becomes. What is proven for the exchanges holds for everything that they generate.

use super::judge::FARTHEST;
use crate::proof::{Moves, Proof};
use mandala_model::state::Value;
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{DomainKind, Renaming};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of processes (nothing), or the names of a domain of names.
type SetId = Option<u32>;

/// What happens to the values of one set.
#[derive(Default)]
struct Set {
    /// For each value that is moved, what it becomes; of several renamings, each pair once, and each value with itself.
    pairs: Vec<(Value, Value)>,
    /// The values that are moved, each with its image if there is one renaming only.
    images: BTreeMap<Value, Value>,
}

/// What the renamings of a case do.
pub(crate) struct Mover {
    sets: BTreeMap<SetId, Set>,
    is_one: bool,
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
        let mut sets: BTreeMap<SetId, Set> = BTreeMap::new();
        for domain in domains {
            let members = members(proof, *domain)?;
            let set = sets.entry(set_of(proof, *domain)?).or_default();
            for pair in members.windows(2) {
                set.pairs.extend([(pair[0], pair[1]), (pair[1], pair[0])]);
            }
            set.pairs.extend(members.iter().map(|name| (*name, *name)));
            set.images.extend(members.iter().map(|name| (*name, *name)));
        }
        let is_one = false;
        Some(Mover { sets, is_one })
    }

    fn one(proof: &Proof, renaming: &Renaming) -> Option<Self> {
        let mut sets: BTreeMap<SetId, Set> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for domain in 0..proof.domains.len() {
            let id = set_of(proof, domain)?;
            let members = members(proof, domain)?;
            let first = members.first().copied()?;
            let image = |name: Value| match id {
                None => Value::from(renaming.processes().image(name as u32)),
                Some(set) => first + Value::from(renaming.names(set).image((name - first) as u32)),
            };
            for name in &members {
                let image = image(*name);
                members.contains(&image).then_some(())?;
                seen.insert((id, *name));
                if image != *name {
                    let set = sets.entry(id).or_default();
                    set.pairs.push((*name, image));
                    set.images.insert(*name, image);
                }
            }
        }
        let known = |id: SetId, name: Value| seen.contains(&(id, name));
        let mut processes = renaming.processes().moved();
        let fits = processes.all(|number| known(None, Value::from(number)));
        let mut domains = (0..).zip(&proof.sorts.names);
        let fits =
            fits && domains.all(|(set, names)| renaming.names(set).moved().all(|n| n < names.size));
        let near = renaming.sets() <= proof.sorts.names.len() as u32;
        let is_one = true;
        (fits && near).then_some(Mover { sets, is_one })
    }

    /// What a sort means here: names that stay are plain numbers.
    pub(crate) fn sort(&self, sort: Sort) -> Sort {
        match key(sort) {
            Some((id, _)) if !self.sets.contains_key(&id) => Sort::Plain,
            _ => sort,
        }
    }

    /// For each value of a sort that is moved, what it becomes.
    pub(crate) fn pairs(&self, sort: Sort) -> impl Iterator<Item = (Value, Value)> {
        let known = key(sort).and_then(|(id, offset)| Some((self.sets.get(&id)?, offset)));
        known
            .into_iter()
            .flat_map(|(set, by)| set.pairs.iter().map(move |p| (p.0 - by, p.1 - by)))
    }

    /// Whether the one value of a sort becomes the other one by every renaming of the case.
    pub(super) fn maps(&self, sort: Sort, from: Value, to: Value) -> bool {
        let Some((id, offset)) = key(sort) else {
            return from == to;
        };
        let set = self.sets.get(&id);
        let image = from
            .checked_add(offset)
            .and_then(|name| set?.images.get(&name));
        match image {
            Some(image) => self.is_one && to.checked_add(offset) == Some(*image),
            None => from == to,
        }
    }

    /// Whether a value of a sort is moved by some renaming of the case.
    pub(super) fn is_moved(&self, sort: Sort, value: Value) -> bool {
        let set = key(sort)
            .and_then(|(id, offset)| Some((self.sets.get(&id)?, value.checked_add(offset)?)));
        set.is_some_and(|(set, name)| set.images.contains_key(&name))
    }

    /// Whether the case is about one renaming: then the image of a value is known.
    pub(super) fn is_one(&self) -> bool {
        self.is_one
    }

    /// Whether processes are moved.
    pub(super) fn moves_processes(&self) -> bool {
        self.sets.contains_key(&None)
    }

    /// Whether something of a domain is moved.
    pub(super) fn touches(&self, proof: &Proof, domain: usize) -> bool {
        let set = set_of(proof, domain).and_then(|id| self.sets.get(&id));
        let members = members(proof, domain).unwrap_or_default();
        set.is_some_and(|set| members.iter().any(|name| set.images.contains_key(name)))
    }
}

fn key(sort: Sort) -> Option<(SetId, Value)> {
    match sort {
        Sort::Process(offset) => Some((None, offset)),
        Sort::Name(set, offset) => Some((Some(set), offset)),
        Sort::Plain | Sort::Channel(_) => None,
    }
}

/// The set that a domain belongs to: those of names are numbered among themselves.
pub(super) fn set_of(proof: &Proof, domain: usize) -> Option<SetId> {
    let is_names = |kind: &DomainKind| matches!(kind, DomainKind::Names { .. });
    let kind = &proof.domains.get(domain)?.kind;
    let before = proof.domains[..domain].iter().filter(|d| is_names(&d.kind));
    Some(is_names(kind).then_some(before.count() as u32))
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
