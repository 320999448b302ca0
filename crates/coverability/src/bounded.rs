//! All configurations with 1, 2, 3 .. threads, and the cut-off.
//!
//! A round visits every configuration that at most so many threads can reach. As more threads can do all that fewer can, the first round that covers
//! a target has the smallest number of threads. A round that covers none may be the last: if the pairs that it has reached are
//! [closed](crate::closure), more threads reach no further ones.

use crate::closure;
use crate::index::Index;
use crate::system::{Local, Pair, Shared, Start, ThreadSystem, Transition};
use std::collections::{BTreeSet, HashSet};

/// A configuration: the shared state and the local states of the threads, in order.
type Configuration = (Shared, Vec<Local>);

/// What was reached with at most a number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of threads.
    pub threads: u32,
    /// How many configurations: shared states with a number of threads for each local state.
    pub configurations: u64,
    /// How many pairs of a shared and a local state.
    pub pairs: u64,
}

/// How a round has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A target is covered with so many threads.
    Covered(u32),
    /// More threads reach no further pairs, and those of a target are not among them.
    CutOff(u32),
    /// There are never more threads.
    Exhausted,
}

pub(crate) struct Bounded<'s> {
    system: &'s ThreadSystem,
    index: &'s Index,
    threads: u32,
    visited: HashSet<Configuration>,
    open: Vec<Configuration>,
    pairs: BTreeSet<Pair>,
    /// The rounds that are done.
    pub(crate) rounds: Vec<Round>,
}

impl<'s> Bounded<'s> {
    pub(crate) fn new(system: &'s ThreadSystem, index: &'s Index) -> Self {
        let mut search = Bounded {
            system,
            index,
            threads: 0,
            visited: HashSet::new(),
            open: Vec::new(),
            pairs: BTreeSet::new(),
            rounds: Vec::new(),
        };
        search.begin();
        search
    }

    /// How many configurations are held.
    pub(crate) fn size(&self) -> usize {
        self.visited.len()
    }

    /// Begins the next round.
    fn begin(&mut self) {
        self.threads += 1;
        self.visited.clear();
        self.pairs.clear();
        let system = self.system;
        let starts = system.starts.iter();
        let first = starts.flat_map(|start| configurations(start, self.threads));
        for configuration in first.collect::<Vec<_>>() {
            self.visit(configuration);
        }
    }

    fn visit(&mut self, configuration: Configuration) {
        if !self.visited.contains(&configuration) {
            let (shared, threads) = &configuration;
            self.pairs.extend(threads.iter().map(|l| (*shared, *l)));
            self.visited.insert(configuration.clone());
            self.open.push(configuration);
        }
    }

    /// Works for a while. The work that is done is added up.
    pub(crate) fn advance(&mut self, work: u64, done: &mut u64) -> Option<Ending> {
        let end = *done + work;
        while *done < end {
            let Some((shared, threads)) = self.open.pop() else {
                *done += self.pairs.len() as u64;
                match self.finish() {
                    Some(ending) => return Some(ending),
                    None => self.begin(),
                }
                continue;
            };
            let mut targets = self.system.targets.iter();
            if targets.any(|target| target.is_covered(shared, &threads)) {
                return Some(Ending::Covered(self.threads));
            }
            *done += 1 + self.expand(shared, &threads);
        }
        None
    }

    fn finish(&mut self) -> Option<Ending> {
        self.rounds.push(Round {
            threads: self.threads,
            configurations: self.visited.len() as u64,
            pairs: self.pairs.len() as u64,
        });
        if self
            .system
            .most_threads()
            .is_some_and(|most| most <= self.threads)
        {
            return Some(Ending::Exhausted);
        }
        let closed = !self.system.may_cover(&self.pairs)
            && closure::is_closed(self.system, self.index, &self.pairs);
        closed.then_some(Ending::CutOff(self.threads))
    }

    fn expand(&mut self, shared: Shared, threads: &[Local]) -> u64 {
        let mut work = 0;
        let room = threads.len() < self.threads as usize;
        let index = self.index;
        for (position, local) in threads.iter().enumerate() {
            if position > 0 && threads[position - 1] == *local {
                continue;
            }
            let mut others = threads.to_vec();
            others.remove(position);
            for number in index.of_thread(shared, *local) {
                work += self.fire(&self.system.transitions[*number], &others, room);
            }
        }
        for number in index.of_system(shared) {
            work += self.fire(&self.system.transitions[*number], threads, room);
        }
        work
    }

    /// Makes a transition, with those other threads beside it.
    fn fire(&mut self, step: &Transition, others: &[Local], room: bool) -> u64 {
        if step.spawned.is_some() && !room {
            return 1;
        }
        let moved = step.active.map(|(_, after)| after);
        let mut first: Vec<Local> = moved.into_iter().chain(step.spawned).collect();
        first.sort_unstable();
        let mut after = vec![first];
        for local in others {
            after = beside(step, *local, &after);
        }
        let work = after.len() as u64;
        for mut threads in after {
            threads.sort_unstable();
            self.visit((step.to, threads));
        }
        work
    }
}

/// What becomes of multisets of threads if a thread is beside them.
fn beside(step: &Transition, local: Local, before: &[Vec<Local>]) -> Vec<Vec<Local>> {
    let own = [local];
    let images = step.images(local).unwrap_or(&own);
    let with = |threads: &Vec<Local>, image: Local| {
        let mut threads = threads.clone();
        let place = threads.partition_point(|l| *l < image);
        threads.insert(place, image);
        threads
    };
    let mut after: Vec<Vec<Local>> = Vec::with_capacity(before.len() * images.len());
    for threads in before {
        after.extend(images.iter().map(|image| with(threads, *image)));
    }
    after.sort_unstable();
    after.dedup();
    after
}

/// The configurations with at most so many threads, and at least one, that a start allows.
fn configurations(start: &Start, most: u32) -> impl Iterator<Item = Configuration> + '_ {
    let room = most.checked_sub(start.ones.len() as u32);
    let counts = room.map(|room| match start.any {
        Some(_) => 0..=room,
        None => 0..=0,
    });
    counts.into_iter().flatten().filter_map(|count| {
        let any = start.any.into_iter().cycle().take(count as usize);
        let mut threads: Vec<Local> = start.ones.iter().copied().chain(any).collect();
        threads.sort_unstable();
        (!threads.is_empty()).then_some((start.shared, threads))
    })
}

/// What is reached with at most so many threads.
pub(crate) fn round(system: &ThreadSystem, index: &Index, threads: u32) -> Round {
    let mut search = Bounded::new(system, index);
    search.threads = threads - 1;
    search.open.clear();
    search.begin();
    while let Some((shared, threads)) = search.open.pop() {
        search.expand(shared, &threads);
    }
    Round {
        threads,
        configurations: search.visited.len() as u64,
        pairs: search.pairs.len() as u64,
    }
}
