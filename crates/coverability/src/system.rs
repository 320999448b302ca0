//! Thread transition systems.

use std::collections::BTreeSet;

/// The number of a shared state.
pub type Shared = u32;

/// The number of a local state.
pub type Local = u32;

/// A shared state with a local state that some thread is in.
pub type Pair = (Shared, Local);

/// A system of any number of identical threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadSystem {
    /// How many shared states there are.
    pub shared: Shared,
    /// How many local states there are.
    pub locals: Local,
    /// What threads can do.
    pub transitions: Vec<Transition>,
    /// Where runs start.
    pub starts: Vec<Start>,
    /// What must not be covered.
    pub targets: Vec<Target>,
}

/// A step of the system: of one thread, perhaps with all others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transition {
    /// The shared state before it.
    pub from: Shared,
    /// The shared state after it.
    pub to: Shared,
    /// The local states of the thread that moves, before and after; nothing if the system moves by itself.
    pub active: Option<(Local, Local)>,
    /// The local state of a thread that is made.
    pub spawned: Option<Local>,
    /// A broadcast: each other thread that is in a local state of this list goes to one of those beside it. The list is in the order of its
    /// local states, and none of its parts is empty.
    pub others: Vec<(Local, Vec<Local>)>,
}

/// A way to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The shared state.
    pub shared: Shared,
    /// The local states of single threads, in order.
    pub ones: Vec<Local>,
    /// The local state of any number of further threads.
    pub any: Option<Local>,
}

/// Something that must not be covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The shared state; nothing if it does not matter.
    pub shared: Option<Shared>,
    /// The local states of threads, each as often as it is wanted.
    pub locals: Vec<Local>,
}

impl Transition {
    /// A thread moves.
    pub fn step(from: Pair, to: Pair) -> Self {
        Transition {
            from: from.0,
            to: to.0,
            active: Some((from.1, to.1)),
            spawned: None,
            others: Vec::new(),
        }
    }

    /// The local states that another thread goes to; nothing if it stays.
    pub(crate) fn images(&self, local: Local) -> Option<&[Local]> {
        let found = self.others.binary_search_by_key(&local, |(from, _)| *from);
        found.ok().map(|index| self.others[index].1.as_slice())
    }

    /// The local states that another thread may have been in before. It was in the same one unless threads leave that.
    pub(crate) fn origins(&self, local: Local) -> Vec<Local> {
        let leaving = self.others.iter().filter(|(_, to)| to.contains(&local));
        let mut found: Vec<Local> = leaving.map(|(from, _)| *from).collect();
        if self.images(local).is_none() {
            found.push(local);
        }
        found
    }
}

impl ThreadSystem {
    /// Whether some transition moves other threads, too.
    pub fn has_broadcasts(&self) -> bool {
        self.transitions.iter().any(|t| !t.others.is_empty())
    }

    /// The greatest number of threads that there can ever be, if there is one.
    pub fn most_threads(&self) -> Option<u32> {
        let spawns = self.transitions.iter().any(|t| t.spawned.is_some());
        let grows = spawns || self.starts.iter().any(|start| start.any.is_some());
        let ones = self.starts.iter().map(|start| start.ones.len() as u32);
        (!grows).then(|| ones.max().unwrap_or(0))
    }

    /// What the system needs to make sense: all states are among those that there are, and broadcasts are in order.
    pub fn is_well_formed(&self) -> bool {
        let shared = |s: Shared| s < self.shared;
        let local = |l: Local| l < self.locals;
        let transition = |t: &Transition| {
            let active = t.active.is_none_or(|(l, m)| local(l) && local(m));
            let spawned = t.spawned.is_none_or(local);
            let ordered = t.others.windows(2).all(|pair| pair[0].0 < pair[1].0);
            let part = |(l, to): &(Local, Vec<Local>)| {
                local(*l) && !to.is_empty() && to.iter().all(|m| local(*m))
            };
            let others = ordered && t.others.iter().all(part);
            shared(t.from) && shared(t.to) && active && spawned && others
        };
        let start = |s: &Start| {
            shared(s.shared) && s.ones.iter().copied().chain(s.any).all(local) && s.ones.is_sorted()
        };
        let target = |t: &Target| t.shared.is_none_or(shared) && t.locals.iter().all(|l| local(*l));
        let targets = self.targets.iter().all(target);
        self.transitions.iter().all(transition) && self.starts.iter().all(start) && targets
    }

    /// Whether all pairs that a target needs are among these.
    pub(crate) fn may_cover(&self, pairs: &BTreeSet<Pair>) -> bool {
        let possible = |target: &Target, shared: Shared| {
            let mut wanted = target.locals.iter();
            wanted.all(|local| pairs.contains(&(shared, *local)))
        };
        let mut shared: Vec<Shared> = pairs.iter().map(|(shared, _)| *shared).collect();
        shared.dedup();
        let mut targets = self.targets.iter();
        targets.any(|target| match target.shared {
            Some(wanted) => shared.binary_search(&wanted).is_ok() && possible(target, wanted),
            None => shared.iter().any(|shared| possible(target, *shared)),
        })
    }
}

impl Target {
    /// Whether a configuration, whose threads are in order, covers it. The local states of the target are in order, too.
    pub(crate) fn is_covered(&self, shared: Shared, threads: &[Local]) -> bool {
        self.shared.is_none_or(|wanted| wanted == shared) && is_within(&self.locals, threads)
    }
}

/// Whether a multiset is part of another. Both are in order.
pub(crate) fn is_within(small: &[Local], large: &[Local]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|wanted| rest.any(|local| local == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multisets_are_compared_with_how_often_they_have_something() {
        assert!(is_within(&[], &[]));
        assert!(is_within(&[1, 1, 3], &[0, 1, 1, 2, 3]));
        assert!(!is_within(&[1, 1], &[0, 1, 2]));
        assert!(!is_within(&[4], &[0, 1]));
    }

    #[test]
    fn a_thread_was_where_it_is_unless_others_leave_that() {
        let step = Transition {
            others: vec![(0, vec![1, 2]), (2, vec![2])],
            ..Transition::step((0, 5), (0, 5))
        };
        assert_eq!(step.origins(0), []);
        assert_eq!(step.origins(1), [0, 1]);
        assert_eq!(step.origins(2), [0, 2]);
        assert_eq!(step.origins(3), [3]);
    }
}
