//! The steps from an abstract state, family by family.
//!
//! From a pair (P, s) the steps of a family that keeps Q lead from each orbit of the group of R, the coarsest partition that refines both, among
//! the states of the pair. What a step comes to is told with R. In the middle of an atomic sequence the pair has a process that holds control, and each step refines the
//! partition again; nothing of that is remembered.

use crate::families::Families;
use crate::orbit::Member;
use crate::space::{Space, Stop};
use mandala_engine::Limit;
use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::model::Deadlock;
use mandala_model::step::{Actor, Turn, Violation};
use mandala_symmetry::{Partition, Renaming};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How many pairs and steps are looked at in the middle of the atomic sequences from one state: as many as fit into some gigabytes.
const MOST: usize = 1 << 19;

/// What is told of the steps from an abstract state.
pub(crate) enum Told<'t> {
    /// A step was made.
    Made(&'t Move),
    /// What went wrong on a step from the image of the state under that renaming.
    Violated(&'t Renaming, Violation),
    /// A step from the image under the renaming leads to a state.
    Reached(&'t Renaming, Arrived<'t>, State),
    /// A step has no state after it, and nothing is wrong with that.
    Vanished,
}

/// What is so of a state that a step leads to.
#[derive(Clone, Copy)]
pub(crate) struct Arrived<'t> {
    /// All images under the group of this partition are reached as well.
    pub partition: &'t Partition,
    /// What the first statement of the step leaves of the partition by itself: a coarser one, if it was refined by statements in the middle of an atomic sequence.
    pub first: &'t Partition,
}

/// Makes the steps from abstract states.
pub(crate) struct Steps<'s, 'a> {
    pub interpreter: Interpreter<'a>,
    pub families: &'s mut Families<'a>,
    pub space: &'s mut Space<'a>,
    pub goes_on: &'s dyn Fn() -> Result<(), Stop>,
}

/// A pair, perhaps in the middle of an atomic sequence.
#[derive(Clone)]
struct Pair {
    partition: Partition,
    state: State,
    turn: Turn,
    /// What the first statement leaves of the partition, if there was one.
    first: Option<Partition>,
    /// From the state of the pair that the steps start from to the one that this one comes from.
    before: Renaming,
}

/// What is left to be looked at.
struct Open {
    pairs: Vec<Pair>,
    seen: HashSet<(Partition, Configuration)>,
    /// How much may still be looked at.
    left: usize,
}

impl Open {
    fn spend(&mut self) -> Result<(), Stop> {
        let most = MOST as u64;
        self.left = self
            .left
            .checked_sub(1)
            .ok_or(Stop::Limit(Limit::AtomicSteps { most }))?;
        Ok(())
    }

    fn add(&mut self, pair: Pair) {
        let configuration = Configuration {
            state: pair.state.clone(),
            turn: pair.turn,
        };
        if self.seen.insert((pair.partition.clone(), configuration)) {
            self.pairs.push(pair);
        }
    }
}

impl<'a> Steps<'_, 'a> {
    /// Tells the steps from an abstract state. Says whether it is clear that from each state of it a step is made that counts.
    pub(crate) fn from(
        &mut self,
        partition: &Partition,
        from: &Configuration,
        tell: &mut dyn FnMut(&mut Space<'a>, Told<'_>) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let mut open = Open {
            pairs: Vec::new(),
            seen: HashSet::new(),
            left: MOST,
        };
        let first = Pair {
            partition: partition.clone(),
            state: from.state.clone(),
            turn: from.turn,
            first: None,
            before: Renaming::identity(),
        };
        let goes_on = self.expand(&first, &mut open, tell)?;
        while let Some(pair) = open.pairs.pop() {
            open.spend()?;
            self.expand(&pair, &mut open, tell)?;
        }
        Ok(goes_on)
    }

    fn expand(
        &mut self,
        pair: &Pair,
        open: &mut Open,
        tell: &mut dyn FnMut(&mut Space<'a>, Told<'_>) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let mut goes_on = false;
        for (refined, kept) in self.refinements(pair) {
            let holder = match pair.turn {
                Turn::Held(process) => Some(process),
                Turn::Free | Turn::Claim | Turn::Stutter => None,
            };
            let both = (&pair.partition, &refined);
            let members = self
                .space
                .members(both, &pair.state, holder, self.goes_on)?;
            let mut all_go_on = true;
            for member in members {
                (self.goes_on)()?;
                let moves = self.moves(&member, &kept);
                all_go_on &= moves.iter().any(|made| self.counts(&member.state, made));
                for made in &moves {
                    let first = || self.families.kept_by_edges(&pair.partition, &made.label);
                    let from = Pair {
                        partition: refined.clone(),
                        first: Some(pair.first.clone().unwrap_or_else(first)),
                        before: pair.before.then(&member.renaming),
                        ..pair.clone()
                    };
                    self.follow(&from, made, open, tell)?;
                }
            }
            goes_on |= all_go_on;
        }
        Ok(goes_on)
    }

    /// The partitions that steps from a pair lead to, each with what the families keep whose steps do.
    fn refinements(&self, pair: &Pair) -> BTreeMap<Partition, BTreeSet<Partition>> {
        let processes = (0..).zip(&pair.state.processes);
        let able = processes.filter(|(number, _)| match pair.turn {
            Turn::Held(holder) => *number == holder,
            Turn::Free | Turn::Claim | Turn::Stutter => true,
        });
        let places: BTreeSet<_> = able.map(|(_, p)| (p.template, p.location)).collect();
        let mut refinements: BTreeMap<_, BTreeSet<Partition>> = BTreeMap::new();
        for kept in places.into_iter().flat_map(|place| self.families.at(place)) {
            let refined = pair.partition.meet(kept);
            refinements.entry(refined).or_default().insert(kept.clone());
        }
        refinements
    }

    /// The moves of those families.
    fn moves(&mut self, member: &Member, kept: &BTreeSet<Partition>) -> Vec<Move> {
        let configuration = Configuration {
            state: member.state.clone(),
            turn: member.holder.map_or(Turn::Free, Turn::Held),
        };
        let moves = self.interpreter.moves(&configuration).into_iter();
        moves
            .filter(|made| kept.contains(&self.families.of_step(&made.label)))
            .collect()
    }

    /// Whether it is clear that a move is one that counts against a deadlock.
    fn counts(&self, from: &State, made: &Move) -> bool {
        match self.interpreter.model().deadlock {
            Deadlock::NoMove => true,
            Deadlock::NoChange => match made.remembered_next() {
                Some(next) => next.state != *from,
                None => made.next.is_none(),
            },
        }
    }

    /// Follows a move through places that are passed by.
    fn follow(
        &mut self,
        from: &Pair,
        made: &Move,
        open: &mut Open,
        tell: &mut dyn FnMut(&mut Space<'a>, Told<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut seen = HashSet::new();
        let mut moves = vec![made.clone()];
        while let Some(made) = moves.pop() {
            open.spend()?;
            tell(self.space, Told::Made(&made))?;
            let vanished = made.next.is_none() && made.violations.is_empty();
            for violation in made.violations {
                tell(self.space, Told::Violated(&from.before, violation))?;
            }
            if vanished {
                tell(self.space, Told::Vanished)?;
            }
            let Some(next) = made.next else {
                continue;
            };
            if made.remembered {
                let arrived = Arrived {
                    partition: &from.partition,
                    first: from.first.as_ref().unwrap_or(&from.partition),
                };
                tell(self.space, Told::Reached(&from.before, arrived, next.state))?;
            } else if self.is_passed(&next) {
                if seen.insert(next.clone()) {
                    moves.extend(self.interpreter.moves(&next));
                }
            } else {
                open.add(Pair {
                    state: next.state,
                    turn: next.turn,
                    ..from.clone()
                });
            }
        }
        Ok(())
    }

    /// Whether the process that holds control is at a place where steps go on.
    fn is_passed(&self, at: &Configuration) -> bool {
        let Turn::Held(holder) = at.turn else {
            return false;
        };
        let process = &at.state.processes[holder as usize];
        self.space
            .symmetry()
            .is_passing(process.template, process.location)
    }
}

/// The process that a move is made by, if it is one.
pub(crate) fn mover(made: &Move) -> Option<u32> {
    match made.label.actor {
        Actor::Process(number) => Some(number),
        Actor::Claim => None,
    }
}
