//! The transitions of a system, by where they begin and where they end.

use crate::system::{Local, Shared, ThreadSystem};
use std::collections::HashMap;

/// Which transitions to look at.
pub(crate) struct Index {
    by_pair: HashMap<(Shared, Local), Vec<usize>>,
    alone: HashMap<Shared, Vec<usize>>,
    to: HashMap<Shared, Vec<usize>>,
    from: HashMap<Shared, Vec<usize>>,
}

impl Index {
    pub(crate) fn new(system: &ThreadSystem) -> Self {
        let mut index = Index {
            by_pair: HashMap::new(),
            alone: HashMap::new(),
            to: HashMap::new(),
            from: HashMap::new(),
        };
        for (number, transition) in system.transitions.iter().enumerate() {
            let from = transition.from;
            match transition.active {
                Some((local, _)) => index.by_pair.entry((from, local)).or_default(),
                None => index.alone.entry(from).or_default(),
            }
            .push(number);
            index.to.entry(transition.to).or_default().push(number);
            index.from.entry(from).or_default().push(number);
        }
        index
    }

    /// Those of a thread in a local state.
    pub(crate) fn of_thread(&self, shared: Shared, local: Local) -> &[usize] {
        found(self.by_pair.get(&(shared, local)))
    }

    /// Those that no thread makes.
    pub(crate) fn of_system(&self, shared: Shared) -> &[usize] {
        found(self.alone.get(&shared))
    }

    /// All that begin in a shared state.
    pub(crate) fn from(&self, shared: Shared) -> &[usize] {
        found(self.from.get(&shared))
    }

    /// All that end in a shared state.
    pub(crate) fn to(&self, shared: Shared) -> &[usize] {
        found(self.to.get(&shared))
    }
}

fn found(list: Option<&Vec<usize>>) -> &[usize] {
    list.map_or(&[], Vec::as_slice)
}
