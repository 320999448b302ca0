//! What stays possible: from every state some state can be reached in which something is so (AG EF).
//!
//! # The algorithm
//!
//! A *goal* is a set of edges that only look at states. Once a search has seen everything, its states are visited once more,
//! breadth first and by one worker, and now the steps between them are written down, and in which states each goal is met. Then
//! everything that leads to such a state is marked, backwards. If a state is left without a mark, no run from there
//! meets the goal; the first one that was visited is told, with a shortest way to it.
//!
//! A part of the graph proves nothing: a step that is missing may be the one that leads to the goal. So this is done only after a
//! complete search with an exact store in which nothing went wrong, and it is done wholly or not at all.
//!
//! # Why it is right with symmetry
//!
//! The states are representatives and the steps lead between orbits. A certificate says that a renaming *g* maps steps to
//! steps, and that an edge that looks at states for some property can be taken in *s* iff one for the same
//! property can be taken in *g(s)*. So a way from *s* to a goal maps to a way from *g(s)* to the same goal, and each step of it to
//! the step that was written down from the representative: a goal can be reached from a state iff it can be
//! reached from what represents it. It does not matter whether an orbit has one representative or several.
//!
//! Rewritings before the search (constants, variables that nobody will read) put states together that do the same
//! steps and look the same to every edge, also those that only look: a bisimulation, which keeps AG EF. Passing through states
//! would not, and is not done in models with edges that look at states.
//!
//! # Memory
//!
//! A step takes four bytes, and eight while the direction is turned; a state up to 150: its name, its number in a table that is
//! half empty at worst, where it was met from, where its steps are. All of it counts against the limit on memory. German's protocol
//! for four caches, 504,360 states and 2,650,644 steps, takes 1.8 s and 103 MB with a liveness property, 0.5 s and 8 MB without.
//!
//! # Rejected
//!
//! - Writing the steps down during the search: the hot loop would have to know, several workers would have to agree on numbers, and a
//!   search that finds a violation would have paid for nothing. The second visit costs the time of one search with one worker, and
//!   only models with such properties have it. It also works after a search that was taken up from a checkpoint.
//! - Sweeping over the states until nothing changes, without steps: one sweep expands everything.

use crate::outcome::Limit;
use crate::reducer::Reducer;
use crate::replay::Replay;
use crate::watch::Overseer;
use mandala_model::ids::EdgeId;
use mandala_store::StateRef;
use std::collections::HashMap;

/// How many states are visited between two looks at limits.
const PERIOD: usize = 256;

/// What a state in the table of numbers takes, with the room that tables leave empty.
const NUMBERED_BYTES: usize = 2 * (size_of::<StateRef>() + size_of::<u32>() + 1);

/// The number of a state whose way from the start ends here.
const NO_PARENT: u32 = u32::MAX;

/// Why there is no graph.
pub(crate) enum Unfinished {
    /// A limit was reached.
    Limit(Limit),
    /// A state was met that is not remembered.
    Stranger,
}

/// The graph of all states, numbered in the order of the visit.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    names: Vec<StateRef>,
    /// From where each state was met first.
    parents: Vec<u32>,
    steps: Lists,
    /// For each goal, the states in which it is met.
    met: Vec<Vec<u32>>,
}

/// Lists of numbers one behind the other.
#[derive(Debug, Default)]
struct Lists {
    /// Where each list ends.
    ends: Vec<usize>,
    all: Vec<u32>,
}

impl Lists {
    fn close(&mut self) {
        self.ends.push(self.all.len());
    }

    fn list(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[number]]
    }

    /// For each number, the lists that it is in.
    fn turned(&self) -> Lists {
        let mut places = vec![0; self.ends.len() + 1];
        for &target in &self.all {
            places[target as usize + 1] += 1;
        }
        for index in 1..places.len() {
            places[index] += places[index - 1];
        }
        let ends = places[1..].to_vec();
        let mut all = vec![0; self.all.len()];
        for source in 0..self.ends.len() {
            for &target in self.list(source) {
                let place = &mut places[target as usize];
                all[*place] = source as u32;
                *place += 1;
            }
        }
        Lists { ends, all }
    }

    fn bytes(&self) -> usize {
        self.ends.capacity() * size_of::<usize>() + self.all.capacity() * size_of::<u32>()
    }
}

/// Visits all remembered states once more and writes down the steps between them.
pub(crate) fn graph<R: Reducer>(
    replay: &mut Replay<'_, '_, '_, R>,
    goals: &[Vec<EdgeId>],
    overseer: &mut impl Overseer,
) -> Result<Graph, Unfinished> {
    let mut visit = Visiting {
        graph: Graph {
            met: vec![Vec::new(); goals.len()],
            ..Graph::default()
        },
        numbers: HashMap::new(),
    };
    for start in replay.starts().ok_or(Unfinished::Stranger)? {
        visit.number(start, NO_PARENT)?;
    }
    let mut next = 0;
    while let Some(&state) = visit.graph.names.get(next) {
        if next % PERIOD == 0 && !overseer.look(visit.bytes()) {
            let limit = replay.shared.signals.limit();
            return Err(Unfinished::Limit(limit.unwrap_or(Limit::Cancelled)));
        }
        visit.expand(replay, state, next as u32, goals)?;
        next += 1;
    }
    Ok(visit.graph)
}

/// A visit that is going on.
struct Visiting {
    graph: Graph,
    numbers: HashMap<StateRef, u32>,
}

impl Visiting {
    fn expand<R: Reducer>(
        &mut self,
        replay: &mut Replay<'_, '_, '_, R>,
        state: StateRef,
        number: u32,
        goals: &[Vec<EdgeId>],
    ) -> Result<(), Unfinished> {
        let taken = |replay: &Replay<'_, '_, '_, R>| -> Vec<u64> {
            goals.iter().map(|edges| replay.taken(edges)).collect()
        };
        let before = taken(replay);
        let successors = replay.successors(state).ok_or(Unfinished::Stranger)?;
        let after = taken(replay);
        for (goal, met) in self.graph.met.iter_mut().enumerate() {
            if after[goal] > before[goal] {
                met.push(number);
            }
        }
        for successor in successors {
            let target = self.number(successor, number)?;
            self.graph.steps.all.push(target);
        }
        self.graph.steps.close();
        Ok(())
    }

    /// The number of a state; the next one if it is new.
    fn number(&mut self, state: StateRef, parent: u32) -> Result<u32, Unfinished> {
        if let Some(&known) = self.numbers.get(&state) {
            return Ok(known);
        }
        let new = u32::try_from(self.graph.names.len()).ok();
        let new = new.filter(|new| *new != NO_PARENT);
        let new = new.ok_or(Unfinished::Limit(Limit::StateNumbers))?;
        self.numbers.insert(state, new);
        self.graph.names.push(state);
        self.graph.parents.push(parent);
        Ok(new)
    }

    /// What it takes, and what turning the steps round will.
    fn bytes(&self) -> usize {
        let graph = &self.graph;
        let met: usize = graph.met.iter().map(|met| met.capacity()).sum();
        self.numbers.capacity() * NUMBERED_BYTES
            + graph.names.capacity() * size_of::<StateRef>()
            + (graph.parents.capacity() + met) * size_of::<u32>()
            + 2 * graph.steps.bytes()
            + graph.names.len() * (size_of::<usize>() + 1)
    }
}

impl Graph {
    /// For each goal, a way to the first state from which it cannot be reached, if there is one.
    pub fn losses(&self) -> Vec<Option<Vec<StateRef>>> {
        let origins = self.steps.turned();
        let loss = |met: &Vec<u32>| {
            let reaching = self.leading_to(met, &origins);
            let first = reaching.iter().position(|reaches| !reaches)?;
            Some(self.way_to(first as u32))
        };
        self.met.iter().map(loss).collect()
    }

    /// Which states lead to one of those.
    fn leading_to(&self, goal: &[u32], origins: &Lists) -> Vec<bool> {
        let mut reaching = vec![false; self.names.len()];
        let mut waiting = goal.to_vec();
        goal.iter()
            .for_each(|&state| reaching[state as usize] = true);
        while let Some(state) = waiting.pop() {
            for &origin in origins.list(state as usize) {
                if !std::mem::replace(&mut reaching[origin as usize], true) {
                    waiting.push(origin);
                }
            }
        }
        reaching
    }

    fn way_to(&self, state: u32) -> Vec<StateRef> {
        let parent = |state: &u32| {
            let parent = self.parents[*state as usize];
            (parent != NO_PARENT).then_some(parent)
        };
        let back = std::iter::successors(Some(state), parent);
        let mut way: Vec<StateRef> = back.map(|state| self.names[state as usize]).collect();
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(steps: &[&[u32]], met: Vec<Vec<u32>>, parents: &[u32]) -> Graph {
        let mut lists = Lists::default();
        for list in steps {
            lists.all.extend_from_slice(list);
            lists.close();
        }
        Graph {
            names: (0..steps.len() as u64)
                .map(|n| StateRef::new(0, n))
                .collect(),
            parents: parents.to_vec(),
            steps: lists,
            met,
        }
    }

    fn way(states: &[u32]) -> Option<Vec<StateRef>> {
        Some(
            states
                .iter()
                .map(|n| StateRef::new(0, u64::from(*n)))
                .collect(),
        )
    }

    #[test]
    fn steps_are_turned_round() {
        let lists = graph(&[&[1, 2, 2], &[], &[0, 2]], Vec::new(), &[]).steps;
        let turned = lists.turned();
        assert_eq!(turned.list(0), [2]);
        assert_eq!(turned.list(1), [0]);
        assert_eq!(turned.list(2), [0, 0, 2]);
    }

    #[test]
    fn a_goal_is_lost_where_no_way_leads_back_to_it() {
        // 0 -> 1 -> 0, 0 -> 2 -> 3 -> 2
        let parents = [NO_PARENT, 0, 0, 2];
        let met = vec![vec![1], vec![3], vec![], vec![0, 1, 2, 3]];
        let graph = graph(&[&[1, 2], &[0], &[3], &[2]], met, &parents);
        let expected = [way(&[0, 2]), None, way(&[0]), None];
        assert_eq!(graph.losses(), expected);
    }

    #[test]
    fn a_dead_end_is_fine_if_the_goal_is_met_there() {
        let met = vec![vec![2], vec![0]];
        let graph = graph(&[&[1], &[2], &[]], met, &[NO_PARENT, 0, 1]);
        assert_eq!(graph.losses(), [None, way(&[0, 1])]);
    }
}
