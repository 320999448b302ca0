//! A claim follows a run of the system.
//!
//! Where a claim is read as an automaton, what is found is a run of the system that the claim forbids; the claim itself has not moved. Here
//! the interpreter lets it run along, in every way that it can, until it is caught: it comes to its end or fails, or it goes through
//! an accepting location again and again.

use crate::cycle_paths::Rounds;
use crate::lasso::is_accepting;
use crate::pathfinder::{PATIENCE, Pathfinder, TooMany};
use crate::searched::Searched;
use mandala_engine::Evidence;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::State;
use mandala_model::step::{Turn, Violation};
use std::collections::HashMap;

/// A run of the system, and where the claim can be on it.
struct Following<'r, 'm> {
    searched: &'r Searched<'m>,
    interpreter: &'r Interpreter<'m>,
    /// The states of the system: those before it goes round, and then those of one round.
    states: Vec<&'r State>,
    /// Where the first state of a round is, which comes after the last one.
    back: usize,
    nodes: Vec<Node>,
    numbers: HashMap<(usize, Configuration), usize>,
}

/// A place on the run, and the claim there.
struct Node {
    place: usize,
    configuration: Configuration,
    parent: Option<usize>,
    next: Vec<usize>,
}

/// The run that the claim makes along with the system, and what is wrong with it. None if the claim cannot follow.
///
/// # Errors
///
/// If there are too many ways through an atomic sequence to tell.
pub fn follow(
    searched: &Searched<'_>,
    path: &[State],
    cycle: &[State],
    concerns: &dyn Fn(&Violation) -> bool,
) -> Result<Option<Evidence>, TooMany> {
    let Some(back) = path.len().checked_sub(1) else {
        return Ok(None);
    };
    // A round ends where it began, in the last state of the path.
    let (_, inside) = cycle.split_last().unzip();
    let inside: &[State] = inside.unwrap_or_default();
    let interpreter = &searched.interpreter;
    let mut following = Following {
        searched,
        interpreter,
        states: path.iter().chain(inside).collect(),
        back,
        nodes: Vec::new(),
        numbers: HashMap::new(),
    };
    for start in starts(interpreter).unwrap_or_default() {
        if following.is_at(&start.state, 0) {
            following.node(0, start, None);
        }
    }
    let caught = following.explore(concerns)?;
    Ok(caught.or_else(|| following.round()))
}

/// Where runs start.
fn starts(interpreter: &Interpreter<'_>) -> Option<Vec<Configuration>> {
    let start = interpreter.start().ok()?;
    if !interpreter.model().start_held {
        return Some(vec![start]);
    }
    let chains = interpreter.macro_steps(&start);
    Some(
        chains
            .iter()
            .filter_map(|chain| chain.successor().cloned())
            .collect(),
    )
}

impl Following<'_, '_> {
    /// Whether the system is where it is at that place.
    fn is_at(&self, state: &State, place: usize) -> bool {
        let model = self.interpreter.model();
        let system = State {
            claim: None,
            ..state.clone()
        };
        let there = self.states.get(place);
        there.is_some_and(|there| model.arranged(&system) == model.arranged(there))
    }

    /// What comes after a place.
    fn after(&self, place: usize) -> usize {
        match place + 1 < self.states.len() {
            true => place + 1,
            false => self.back,
        }
    }

    fn node(&mut self, place: usize, configuration: Configuration, parent: Option<usize>) -> usize {
        let key = (place, configuration);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let new = self.nodes.len();
        self.nodes.push(Node {
            place,
            configuration: key.1.clone(),
            parent,
            next: Vec::new(),
        });
        self.numbers.insert(key, new);
        new
    }

    /// Lets the claim run along in every way. What is wrong at some moment, if anything.
    fn explore(
        &mut self,
        concerns: &dyn Fn(&Violation) -> bool,
    ) -> Result<Option<Evidence>, TooMany> {
        let mut current = 0;
        while current < self.nodes.len() {
            let from = self.nodes[current].configuration.clone();
            let place = self.after(self.nodes[current].place);
            let (wrong, ends) = self.steps(&from, place, concerns)?;
            if let Some(violation) = wrong {
                return Ok(Some(Evidence {
                    path: self.path(current),
                    cycle: Vec::new(),
                    violation,
                }));
            }
            for next in ends {
                let next = self.node(place, next, Some(current));
                self.nodes[current].next.push(next);
            }
            current += 1;
        }
        Ok(None)
    }

    /// What is wrong in a configuration or on the ways from it, if anything is, and the configurations at a place to which ways lead.
    fn steps(
        &self,
        from: &Configuration,
        place: usize,
        concerns: &dyn Fn(&Violation) -> bool,
    ) -> Result<(Option<Violation>, Vec<Configuration>), TooMany> {
        let here = self.interpreter.verdicts_here(from).into_iter();
        let mut wrong = { here }.find(|violation| concerns(violation));
        let mut ends = Vec::new();
        let mut chains = self.interpreter.chains(from).within(PATIENCE);
        while let (Some(end), None) = (chains.next_end(), &wrong) {
            let last = chains.last_step(end);
            wrong = last.violations.iter().find(|v| concerns(v)).cloned();
            let next = last.remembered_next();
            ends.extend(next.filter(|c| self.is_at(&c.state, place)).cloned());
        }
        if chains.is_cut() && ends.is_empty() {
            ends = self.far_ends(from, place)?;
        }
        Ok((wrong, ends))
    }

    /// The same configurations where there are too many ways to look at: the claim makes its step, and the system has one that leads to the place.
    fn far_ends(&self, from: &Configuration, place: usize) -> Result<Vec<Configuration>, TooMany> {
        let finder = Pathfinder::new(self.searched);
        let mut ends = Vec::new();
        let mut waiting = vec![from.clone()];
        while let Some(at) = waiting.pop() {
            if at.turn != Turn::Claim {
                let target = State {
                    claim: at.state.claim.clone(),
                    ..self.states[place].clone()
                };
                let way = finder.to_state(&at, &target)?;
                ends.extend(way.and_then(|way| way.last.next));
                continue;
            }
            let moves = self.interpreter.moves(&at).into_iter();
            waiting.extend(moves.filter_map(|step| step.next));
        }
        Ok(ends)
    }

    /// A shortest way round through an accepting state. Each goes through the place where rounds begin, and the sooner it begins there,
    /// the better.
    fn round(&self) -> Option<Evidence> {
        let is_accepting = |node: &Node| is_accepting(self.interpreter, &node.configuration.state);
        let accepting = self.nodes.iter().map(is_accepting).collect();
        let next = self.nodes.iter().map(|node| node.next.as_slice()).collect();
        let mut rounds = Rounds::new(next, accepting);
        let lengths = self.path_lengths();
        let mut best = None;
        // What comes later must be shorter than this.
        let mut limit = usize::MAX;
        for entry in (0..self.nodes.len()).filter(|&node| self.nodes[node].place == self.back) {
            let rest = limit.saturating_sub(lengths[entry]);
            if let Some(round) = rounds.shortest(entry, rest) {
                limit = lengths[entry] + round.len();
                best = Some((entry, round));
            }
        }
        let (entry, round) = best?;
        Some(Evidence {
            path: self.path(entry),
            cycle: round.into_iter().map(|node| self.state(node)).collect(),
            violation: Violation::Cycle,
        })
    }

    /// How many states there are on the path to each node, the node included. A node comes after its parent.
    fn path_lengths(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            lengths.push(node.parent.map_or(1, |parent| lengths[parent] + 1));
        }
        lengths
    }

    fn state(&self, node: usize) -> State {
        self.nodes[node].configuration.state.clone()
    }

    fn path(&self, node: usize) -> Vec<State> {
        let back = std::iter::successors(Some(node), |&node| self.nodes[node].parent);
        let mut path: Vec<State> = back.map(|node| self.state(node)).collect();
        path.reverse();
        path
    }
}
