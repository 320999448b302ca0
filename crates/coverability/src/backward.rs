//! The backward search: minimal configurations from which a target can be covered.
//!
//! An element stands for all configurations with its shared state and at least its threads. The predecessors of an element by a transition are again such
//! sets, of which the minimal elements are finitely many. A target can be covered iff an element is below a configuration to start in.
//!
//! Elements are taken in the order of their cost, the number of threads of a run from there: the threads of the element and those that are made on the way.
//! A step back never makes the cost less, so the first way to a start that costs no more than all that waits has the smallest number of threads. An element
//! need not be kept if another one is below it *and* no more threads are made on the way from that: a run that covers the larger one covers the smaller one, too, with the same threads so
//! far. (To compare costs would be wrong: threads that are made on the way are not there to be used before.) Elements with these numbers are
//! well-quasi-ordered as elements alone are, so the search ends.
//!
//! Elements with a pair that is not in a [closed set](crate::closure) are left out: no configuration that can be reached is above them.

use crate::index::Index;
use crate::system::{Local, Pair, Shared, Start, ThreadSystem, Transition, is_within};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

struct Element {
    shared: Shared,
    threads: Vec<Local>,
    /// How many threads are made on the way to the target.
    spawned: u32,
}

/// How the search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A target is covered with so many threads, and no fewer.
    Covered(u32),
    /// No number of threads covers one.
    NotCovered,
}

pub(crate) struct Backward<'s> {
    system: &'s ThreadSystem,
    index: &'s Index,
    possible: &'s BTreeSet<Pair>,
    elements: Vec<Element>,
    kept: HashMap<Shared, Vec<usize>>,
    open: BinaryHeap<Reverse<(u32, usize)>>,
    best: Option<u32>,
}

impl<'s> Backward<'s> {
    pub(crate) fn new(
        system: &'s ThreadSystem,
        index: &'s Index,
        possible: &'s BTreeSet<Pair>,
    ) -> Self {
        let mut search = Backward {
            system,
            index,
            possible,
            elements: Vec::new(),
            kept: HashMap::new(),
            open: BinaryHeap::new(),
            best: None,
        };
        let mut shared: Vec<Shared> = possible.iter().map(|pair| pair.0).collect();
        shared.dedup();
        for target in &system.targets {
            let wanted = shared
                .iter()
                .filter(|s| target.shared.is_none_or(|w| w == **s));
            for shared in wanted {
                search.keep(*shared, target.locals.clone(), 0, &mut 0);
            }
        }
        search
    }

    /// How many elements there are.
    pub(crate) fn size(&self) -> usize {
        self.elements.len()
    }

    /// Works for a while. The work that is done is added up.
    pub(crate) fn advance(&mut self, work: u64, done: &mut u64) -> Option<Ending> {
        let end = *done + work;
        while *done < end {
            let next = self.open.pop();
            match (next, self.best) {
                (None, None) => return Some(Ending::NotCovered),
                (None, Some(best)) => return Some(Ending::Covered(best)),
                (Some(Reverse((cost, _))), Some(best)) if cost >= best => {
                    return Some(Ending::Covered(best));
                }
                (Some(Reverse((_, number))), _) => self.expand(number, done),
            }
        }
        None
    }

    fn expand(&mut self, number: usize, done: &mut u64) {
        let Element {
            shared,
            ref threads,
            spawned,
        } = self.elements[number];
        let threads = threads.clone();
        let (index, system) = (self.index, self.system);
        *done += 1;
        for transition in index.to(shared) {
            let step = &system.transitions[*transition];
            *done += 1;
            if step
                .active
                .is_some_and(|(l, _)| !self.possible.contains(&(step.from, l)))
            {
                continue;
            }
            let spawned = spawned + u32::from(step.spawned.is_some());
            for before in predecessors(step, &threads) {
                self.keep(step.from, before, spawned, done);
            }
        }
    }

    /// Keeps an element, unless another one makes it superfluous.
    fn keep(&mut self, shared: Shared, mut threads: Vec<Local>, spawned: u32, done: &mut u64) {
        threads.sort_unstable();
        let cost = threads.len() as u32 + spawned;
        let mut locals = threads.iter();
        if locals.any(|local| !self.possible.contains(&(shared, *local))) {
            return;
        }
        let kept = self.kept.entry(shared).or_default();
        *done += 1 + kept.len() as u64 / 8;
        let below = |number: &usize| {
            let other = &self.elements[*number];
            other.spawned <= spawned && is_within(&other.threads, &threads)
        };
        if kept.iter().any(below) {
            return;
        }
        let elements = &self.elements;
        kept.retain(|number| {
            let other = &elements[*number];
            other.spawned < spawned || !is_within(&threads, &other.threads)
        });
        let number = self.elements.len();
        kept.push(number);
        let starts = self.system.starts.iter();
        let needed = starts.filter_map(|start| threads_at(start, shared, &threads));
        if let Some(least) = needed.min() {
            let total = least + spawned;
            self.best = Some(self.best.map_or(total, |best| best.min(total)));
        }
        self.elements.push(Element {
            shared,
            threads,
            spawned,
        });
        self.open.push(Reverse((cost, number)));
    }
}

/// The least number of threads with which a start is above an element, if it is with some number.
fn threads_at(start: &Start, shared: Shared, threads: &[Local]) -> Option<u32> {
    let mut rest = threads.to_vec();
    for one in &start.ones {
        if let Some(place) = rest.iter().position(|local| local == one) {
            rest.remove(place);
        }
    }
    let fits = rest.iter().all(|local| Some(*local) == start.any);
    let all = (start.ones.len() + rest.len()).max(1) as u32;
    (start.shared == shared && fits).then_some(all)
}

/// The minimal multisets of threads from which a transition leads to at least these.
fn predecessors(step: &Transition, threads: &[Local]) -> Vec<Vec<Local>> {
    let mut found = Vec::new();
    let moved = step.active.map(|(_, after)| after);
    for without_moved in without(threads, moved) {
        for others in without(&without_moved, step.spawned) {
            let before = step.active.map(|(before, _)| before);
            let first: Vec<Local> = before.into_iter().collect();
            found.extend(with_origins(step, first, &others));
        }
    }
    found
}

/// The threads without one that is there, and with it. If nothing moves others, it is best to take it away.
fn without(threads: &[Local], local: Option<Local>) -> Vec<Vec<Local>> {
    let mut ways = vec![threads.to_vec()];
    if let Some(place) = local.and_then(|local| threads.iter().position(|l| *l == local)) {
        let mut rest = threads.to_vec();
        rest.remove(place);
        ways.push(rest);
    }
    ways
}

/// All multisets that a broadcast turns into these threads, added to the first.
fn with_origins(step: &Transition, first: Vec<Local>, threads: &[Local]) -> Vec<Vec<Local>> {
    let mut ways = vec![first];
    for local in threads {
        let origins = step.origins(*local);
        let mut longer: Vec<Vec<Local>> = Vec::with_capacity(ways.len() * origins.len());
        for way in &ways {
            longer.extend(origins.iter().map(|origin| {
                let mut way = way.clone();
                let place = way.partition_point(|l| l < origin);
                way.insert(place, *origin);
                way
            }));
        }
        longer.sort_unstable();
        longer.dedup();
        ways = longer;
    }
    ways
}
