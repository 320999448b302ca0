//! A lasso of a quotient as a run of its world, and whether that is accepting and fair.

use super::world::{Quotient, Transition, World};
use mandala_kripke::{Acceptor, Fairness, Lasso, Move};
use mandala_temporal::Proposition;

/// A state of the world and the member of the group that leads to the state its node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Present {
    pub state: usize,
    pub member: usize,
}

/// Follows moves in the world, with all the checks that the world allows.
pub(crate) struct Unroller<'a> {
    pub world: &'a World,
    pub quotient: &'a Quotient,
    pub automaton: &'a Acceptor,
}

impl Unroller<'_> {
    /// Checks that a lasso is a run from a start that is accepted and fair.
    pub(crate) fn check(&self, lasso: &Lasso, fairness: Fairness) {
        let first = lasso.prefix.first().unwrap_or(&lasso.cycle[0]);
        assert_eq!(first.state, self.automaton.initial());
        let mut present = self.start(first.node);
        for place in 0..lasso.prefix.len() {
            let next = lasso.prefix.get(place + 1).unwrap_or(&lasso.cycle[0]);
            self.read(&lasso.prefix[place], next);
            present = self.step(present, &lasso.prefix[place]).0;
        }
        self.check_cycle(&lasso.cycle, present, fairness);
    }

    pub(crate) fn start(&self, node: u32) -> Present {
        let nodes = &self.quotient.nodes;
        let starts = self.world.starts.iter();
        let mut starting = starts.filter(|start| nodes[**start].0 == node as usize);
        let state = *starting.next().expect("a run begins in a start");
        Present {
            state,
            member: nodes[state].1,
        }
    }

    /// The states that moves from a start go through, and the last one, which the last node stands for.
    pub(crate) fn states(&self, moves: &[Move], end: u32) -> Vec<usize> {
        let mut present = self.start(moves.first().map_or(end, |step| step.node));
        let mut states = vec![present.state];
        for step in moves {
            present = self.step(present, step).0;
            states.push(present.state);
        }
        let last = self.quotient.states[end as usize];
        assert_eq!(self.world.image(present.member, present.state), last);
        states
    }

    fn check_cycle(&self, cycle: &[Move], home: Present, fairness: Fairness) {
        let mut present = home;
        let mut record = Record::new(self.world.actors);
        loop {
            for (place, step) in cycle.iter().enumerate() {
                self.read(step, cycle.get(place + 1).unwrap_or(&cycle[0]));
                record.accepted |= self.is_accepting(step, present.state);
                let (next, transition) = self.step(present, step);
                record.look(self.world, present.state, transition.as_ref());
                present = next;
            }
            if present.state == home.state {
                break;
            }
        }
        assert!(record.accepted, "no accepting state on the cycle");
        assert!(record.is_fair(fairness), "the cycle is not fair");
    }

    /// The automaton can go from one move to the next.
    fn read(&self, step: &Move, next: &Move) {
        let state = self.quotient.states[step.node as usize];
        let holds = |it: Proposition| self.world.holding[it.0][state];
        let transitions = &self.automaton.state(step.state).transitions;
        let possible = transitions
            .iter()
            .any(|it| it.guard.holds(&holds) && it.target.0 == next.state as usize);
        assert!(possible, "the automaton cannot move");
    }

    fn is_accepting(&self, step: &Move, state: usize) -> bool {
        let holds = |it: Proposition| self.world.holding[it.0][state];
        self.automaton.is_accepting(step.state, holds)
    }

    /// The transition that a move stands for, and where it leads.
    pub(crate) fn step(&self, present: Present, step: &Move) -> (Present, Option<Transition>) {
        let stands_for = self.quotient.states[step.node as usize];
        assert_eq!(self.world.image(present.member, present.state), stands_for);
        let Some(edge) = step.edge else {
            let mut sources = self.world.transitions.iter().map(|t| t.source);
            assert!(sources.all(|source| source != present.state));
            return (present, None);
        };
        assert!(self.quotient.structure.edges(step.node).contains(&edge));
        let (number, renaming) = self.quotient.edges[edge as usize];
        let back = self.world.undo(present.member);
        let transition = self.world.moved(&self.world.transitions[number], back);
        assert!(self.world.transitions.binary_search(&transition).is_ok());
        assert_eq!(transition.source, present.state);
        let next = Present {
            state: transition.target,
            member: self.world.then(present.member, renaming),
        };
        (next, Some(transition))
    }
}

/// What a cycle has done for each actor.
struct Record {
    accepted: bool,
    acted: Vec<bool>,
    enabled: Vec<bool>,
    disabled: Vec<bool>,
}

impl Record {
    fn new(actors: usize) -> Record {
        Record {
            accepted: false,
            acted: vec![false; actors],
            enabled: vec![false; actors],
            disabled: vec![false; actors],
        }
    }

    fn look(&mut self, world: &World, state: usize, taken: Option<&Transition>) {
        for actor in 0..world.actors {
            let name = actor as u16;
            let mut leaving = world.transitions.iter().filter(|t| t.source == state);
            let enabled = leaving.any(|t| t.offers.contains(&name));
            self.enabled[actor] |= enabled;
            self.disabled[actor] |= !enabled;
            self.acted[actor] |= taken.is_some_and(|t| t.acts.contains(&name));
        }
    }

    fn is_fair(&self, fairness: Fairness) -> bool {
        (0..self.acted.len()).all(|actor| match fairness {
            Fairness::None => true,
            Fairness::Weak => self.disabled[actor] || self.acted[actor],
            Fairness::Strong => !self.enabled[actor] || self.acted[actor],
        })
    }
}
