//! The three searches, each on the same amount of work in turn.

use crate::backward::{self, Backward};
use crate::bounded::{self, Bounded, Round};
use crate::closure;
use crate::index::Index;
use crate::karp_miller::{self, KarpMiller};
use crate::system::{Pair, Target, ThreadSystem};
use std::collections::BTreeSet;

/// What each search does before the next one goes on, in units of its own work.
const TURN: u64 = 4096;

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No number of threads covers a target.
    Never(Proof),
    /// This number of threads covers one, and no smaller number does.
    Covered(u32),
}

/// What has shown that no number of threads covers a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A target needs a pair of a shared and a local state that cannot arise, whatever number of threads is where.
    Pairs,
    /// The backward search has ended before a start.
    Backward,
    /// The tree of Karp and Miller covers none.
    KarpMiller,
    /// From this number of threads on, no new pair of a shared and a local state arises.
    CutOff(u32),
    /// There are never more threads than at the start, and they cover none.
    NoMoreThreads,
}

/// How far the searches are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// How many pairs of a shared and a local state are possible if numbers of threads are forgotten.
    pub possible_pairs: u64,
    /// How many elements the backward search has.
    pub elements: u64,
    /// How many nodes the tree has, if there is one.
    pub nodes: Option<u64>,
    /// What was explored completely, for each number of threads from 1 on, without covering a target.
    pub rounds: Vec<Round>,
    /// How much work was done.
    pub work: u64,
    /// Whether a target is known to be covered by some number of threads, though not by which.
    pub is_coverable: bool,
}

/// Decides whether some number of threads covers a target.
pub struct Decider<'s> {
    world: &'s World<'s>,
    backward: Backward<'s>,
    bounded: Bounded<'s>,
    karp_miller: Option<KarpMiller<'s>>,
    nodes: Option<u64>,
    work: u64,
    is_coverable: bool,
}

/// A system, and what all searches know of it.
pub struct World<'s> {
    system: &'s ThreadSystem,
    index: Index,
    possible: BTreeSet<Pair>,
}

impl<'s> World<'s> {
    /// Finds out which pairs of states are possible at all.
    ///
    /// # Panics
    ///
    /// If the system is not [well-formed](ThreadSystem::is_well_formed).
    pub fn new(system: &'s ThreadSystem) -> Self {
        assert!(system.is_well_formed(), "the system is not well-formed");
        let sorted = |target: &Target| target.locals.is_sorted();
        assert!(
            system.targets.iter().all(sorted),
            "a target is not in order"
        );
        let index = Index::new(system);
        let possible = closure::least(system, &index);
        World {
            system,
            index,
            possible,
        }
    }
}

impl<'s> Decider<'s> {
    /// Begins.
    pub fn new(world: &'s World<'s>) -> Self {
        let World {
            system,
            index,
            possible,
        } = world;
        let karp_miller = KarpMiller::new(system, index);
        Decider {
            world,
            backward: Backward::new(system, index, possible),
            bounded: Bounded::new(system, index),
            nodes: karp_miller.as_ref().map(|tree| tree.size() as u64),
            karp_miller,
            work: 0,
            is_coverable: false,
        }
    }

    /// Lets every search work for a while. Which of them has the answer depends on the system alone.
    pub fn advance(&mut self) -> Option<Answer> {
        if !self.world.system.may_cover(&self.world.possible) {
            return Some(Answer::Never(Proof::Pairs));
        }
        let backward = self.backward.advance(TURN, &mut self.work);
        if let Some(ending) = backward {
            return Some(match ending {
                backward::Ending::Covered(threads) => Answer::Covered(threads),
                backward::Ending::NotCovered => Answer::Never(Proof::Backward),
            });
        }
        if let Some(ending) = self.bounded.advance(TURN, &mut self.work) {
            return Some(match ending {
                bounded::Ending::Covered(threads) => Answer::Covered(threads),
                bounded::Ending::CutOff(threads) => Answer::Never(Proof::CutOff(threads)),
                bounded::Ending::Exhausted => Answer::Never(Proof::NoMoreThreads),
            });
        }
        let tree = self.karp_miller.as_mut()?;
        let ending = tree.advance(TURN, &mut self.work);
        self.nodes = Some(tree.size() as u64);
        match ending? {
            karp_miller::Ending::NotCovered => Some(Answer::Never(Proof::KarpMiller)),
            karp_miller::Ending::Covered => {
                // The others find out with how many threads.
                self.is_coverable = true;
                self.karp_miller = None;
                None
            }
        }
    }

    /// How many elements, nodes and configurations are held.
    pub fn size(&self) -> u64 {
        let tree = self.karp_miller.as_ref().map_or(0, KarpMiller::size);
        (self.backward.size() + self.bounded.size() + tree) as u64
    }

    /// How far it is.
    pub fn reached(&self) -> Reached {
        Reached {
            possible_pairs: self.world.possible.len() as u64,
            elements: self.backward.size() as u64,
            nodes: self.nodes,
            rounds: self.bounded.rounds.clone(),
            work: self.work,
            is_coverable: self.is_coverable,
        }
    }
}

/// All pairs of a shared and a local state that some number of threads reaches, by the tree of Karp and Miller; nothing if the system has broadcasts.
pub fn coverable_pairs(system: &ThreadSystem) -> Option<BTreeSet<Pair>> {
    let system = without_targets(system);
    let index = Index::new(&system);
    let mut tree = KarpMiller::new(&system, &index)?;
    while tree.advance(TURN, &mut 0).is_none() {}
    Some(tree.pairs())
}

/// What is reached with 1, 2, 3 .. threads, up to that number. The targets do not matter.
pub fn rounds(system: &ThreadSystem, most: u32) -> Vec<Round> {
    let system = without_targets(system);
    let index = Index::new(&system);
    (1..=most)
        .map(|threads| bounded::round(&system, &index, threads))
        .collect()
}

fn without_targets(system: &ThreadSystem) -> ThreadSystem {
    ThreadSystem {
        targets: Vec::new(),
        ..system.clone()
    }
}
