//! The tree of Karp and Miller: reachable configurations in which a local state may have any number of threads.
//!
//! A node is a shared state and, for each local state, a number of threads, or that there is no bound. If a node has an ancestor with the same shared
//! state and no more threads anywhere, the steps between them can be made again and again: where it has more, there is no bound. A node that another one
//! covers, be it an ancestor or not, is not expanded: all that it leads to the other one covers. No node is ever taken away again for one that comes later, which is where
//! versions of the algorithm that keep only the greatest nodes have gone wrong; a node that waits is dropped if another one, which stays, has come to cover it.
//! The tree is finite, and a target is covered by a configuration iff it is by a node.
//!
//! For systems without broadcasts: there, what can be done once cannot always be done again.

use crate::index::Index;
use crate::system::{Local, Pair, Shared, Target, ThreadSystem, Transition};
use std::collections::{BTreeSet, HashMap};

/// No bound.
const MANY: u32 = u32::MAX;

/// Numbers of threads, those that are not 0, in the order of their local states.
type Counts = Vec<(Local, u32)>;

struct Node {
    shared: Shared,
    counts: Counts,
    parent: Option<usize>,
}

/// How the search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Some number of threads covers a target.
    Covered,
    /// No number does.
    NotCovered,
}

pub(crate) struct KarpMiller<'s> {
    system: &'s ThreadSystem,
    index: &'s Index,
    nodes: Vec<Node>,
    /// The nodes of each shared state that no other one covered when they were made.
    kept: HashMap<Shared, Vec<usize>>,
    open: Vec<usize>,
    is_covered: bool,
}

impl<'s> KarpMiller<'s> {
    /// Begins; nothing if the system has broadcasts.
    pub(crate) fn new(system: &'s ThreadSystem, index: &'s Index) -> Option<Self> {
        if system.has_broadcasts() {
            return None;
        }
        let mut search = KarpMiller {
            system,
            index,
            nodes: Vec::new(),
            kept: HashMap::new(),
            open: Vec::new(),
            is_covered: false,
        };
        for start in &system.starts {
            let mut counts = Counts::new();
            start
                .ones
                .iter()
                .copied()
                .for_each(|local| add(&mut counts, local, 1));
            start
                .any
                .into_iter()
                .for_each(|local| add(&mut counts, local, MANY));
            search.keep(start.shared, counts, None);
        }
        Some(search)
    }

    /// How many nodes there are.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// All pairs in the tree. If the search is done, these are all that some number of threads reaches.
    pub(crate) fn pairs(&self) -> BTreeSet<Pair> {
        let all = self.nodes.iter().flat_map(|node| {
            let locals = node.counts.iter();
            locals.map(|(local, _)| (node.shared, *local))
        });
        all.collect()
    }

    /// Works for a while. The work that is done is added up.
    pub(crate) fn advance(&mut self, work: u64, done: &mut u64) -> Option<Ending> {
        let end = *done + work;
        while *done < end {
            if self.is_covered {
                return Some(Ending::Covered);
            }
            let Some(node) = self.open.pop() else {
                return Some(Ending::NotCovered);
            };
            *done += 1;
            if !self.is_superseded(node, done) {
                self.expand(node, done);
            }
        }
        None
    }

    /// Whether another node has come to cover a node that waits.
    fn is_superseded(&self, number: usize, done: &mut u64) -> bool {
        let node = &self.nodes[number];
        let beside = &self.kept[&node.shared];
        *done += beside.len() as u64 / 8;
        let mut later = beside.iter().rev().take_while(|other| **other > number);
        later.any(|other| covers(&self.nodes[*other].counts, &node.counts))
    }

    fn expand(&mut self, number: usize, done: &mut u64) {
        let system = self.system;
        let shared = self.nodes[number].shared;
        let locals: Vec<Local> = self.nodes[number].counts.iter().map(|c| c.0).collect();
        for local in locals {
            for transition in self.index.of_thread(shared, local) {
                *done += 1;
                self.make(number, &system.transitions[*transition], done);
            }
        }
        for transition in self.index.of_system(shared) {
            *done += 1;
            self.make(number, &system.transitions[*transition], done);
        }
    }

    fn make(&mut self, number: usize, step: &Transition, done: &mut u64) {
        let mut counts = self.nodes[number].counts.clone();
        if let Some((before, after)) = step.active {
            take(&mut counts, before);
            add(&mut counts, after, 1);
        }
        step.spawned
            .into_iter()
            .for_each(|local| add(&mut counts, local, 1));
        if self.is_known(step.to, &counts, done) {
            return;
        }
        self.accelerate(number, step.to, &mut counts, done);
        self.keep(step.to, counts, Some(number));
    }

    fn is_known(&self, shared: Shared, counts: &Counts, done: &mut u64) -> bool {
        let Some(kept) = self.kept.get(&shared) else {
            return false;
        };
        *done += kept.len() as u64 / 8;
        kept.iter()
            .rev()
            .any(|node| covers(&self.nodes[*node].counts, counts))
    }

    /// Removes the bounds that the way from an ancestor removes, until none does.
    fn accelerate(&self, parent: usize, shared: Shared, counts: &mut Counts, done: &mut u64) {
        loop {
            let mut changed = false;
            let mut next = Some(parent);
            while let Some(number) = next {
                let ancestor = &self.nodes[number];
                *done += u64::from(number % 8 == 0);
                if ancestor.shared == shared && covers(counts, &ancestor.counts) {
                    changed |= pump(counts, &ancestor.counts);
                }
                next = ancestor.parent;
            }
            if !changed {
                return;
            }
        }
    }

    fn keep(&mut self, shared: Shared, counts: Counts, parent: Option<usize>) {
        let mut targets = self.system.targets.iter();
        self.is_covered |= targets.any(|target| is_covered(target, shared, &counts));
        let number = self.nodes.len();
        self.nodes.push(Node {
            shared,
            counts,
            parent,
        });
        self.kept.entry(shared).or_default().push(number);
        self.open.push(number);
    }
}

fn place(counts: &Counts, local: Local) -> Result<usize, usize> {
    counts.binary_search_by_key(&local, |(local, _)| *local)
}

fn add(counts: &mut Counts, local: Local, number: u32) {
    match place(counts, local) {
        Ok(place) => counts[place].1 = counts[place].1.saturating_add(number),
        Err(place) => counts.insert(place, (local, number)),
    }
}

/// Takes a thread away, of which there is one at least.
fn take(counts: &mut Counts, local: Local) {
    if let Ok(place) = place(counts, local) {
        match counts[place].1 {
            MANY => {}
            1 => {
                counts.remove(place);
            }
            ref mut number => *number -= 1,
        }
    }
}

/// Whether there are as many threads everywhere as elsewhere.
fn covers(large: &Counts, small: &Counts) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small.iter().all(|(local, number)| {
        let same = rest.by_ref().find(|(other, _)| other >= local);
        same.is_some_and(|(other, there)| other == local && there >= number)
    })
}

/// Removes the bounds where there are more threads than there were.
fn pump(counts: &mut Counts, before: &Counts) -> bool {
    let mut changed = false;
    for (local, number) in counts.iter_mut().filter(|(_, number)| *number != MANY) {
        let were = place(before, *local).map_or(0, |place| before[place].1);
        if *number > were {
            *number = MANY;
            changed = true;
        }
    }
    changed
}

fn is_covered(target: &Target, shared: Shared, counts: &Counts) -> bool {
    let mut wanted = Counts::new();
    target
        .locals
        .iter()
        .for_each(|local| add(&mut wanted, *local, 1));
    target.shared.is_none_or(|wanted| wanted == shared) && covers(counts, &wanted)
}
