//! Slow and obvious answers by fixpoints, for structures in which names stay.
//!
//! The steps of a run are made nodes of another graph, so that who acts is a property of a node, like who is enabled. A run is then
//! accepted and fair iff it meets each of some sets again and again, which the greatest set of nodes
//! decides from each of which all the sets can be reached inside it.

use mandala_kripke::{Acceptor, Fairness, Structure};
use mandala_temporal::Proposition;

/// A step that a run can take, with what it shows.
struct Hop {
    source: usize,
    target: usize,
    accepting: bool,
    enabled: Vec<bool>,
    acts: Vec<bool>,
}

/// What has to come again and again.
enum Goal {
    Accepting,
    /// The actor is disabled or acts.
    Served(usize),
    Acts(usize),
}

impl Goal {
    fn is_met(&self, hop: &Hop) -> bool {
        match *self {
            Goal::Accepting => hop.accepting,
            Goal::Served(actor) => !hop.enabled[actor] || hop.acts[actor],
            Goal::Acts(actor) => hop.acts[actor],
        }
    }
}

/// Goals, and the actors that must not be enabled.
struct Demand {
    goals: Vec<Goal>,
    idle: Vec<usize>,
}

/// All steps of the product of a structure and an automaton, places are numbered node * states + state.
pub(crate) struct Oracle {
    places: usize,
    actors: usize,
    starts: Vec<usize>,
    hops: Vec<Hop>,
}

impl Oracle {
    pub(crate) fn new(structure: &Structure, automaton: &Acceptor) -> Oracle {
        let width = automaton.width();
        let begin = |start: &u32| *start as usize * width + automaton.initial() as usize;
        let mut oracle = Oracle {
            places: structure.nodes() * width,
            actors: structure.actors(),
            starts: structure.starts().iter().map(begin).collect(),
            hops: Vec::new(),
        };
        for node in 0..structure.nodes() {
            for state in 0..width {
                oracle.add(structure, automaton, node, state);
            }
        }
        oracle
    }

    fn add(&mut self, structure: &Structure, automaton: &Acceptor, node: usize, state: usize) {
        let width = automaton.width();
        let here = automaton.state(state as u32);
        let holds = |it: Proposition| structure.holds(it.0 as u32, node as u32);
        let actors = 0..structure.actors() as u16;
        let enabled = actors.clone().map(|a| structure.is_enabled(a, node as u32));
        let enabled: Vec<bool> = enabled.collect();
        let accepting = automaton.is_accepting(state as u32, holds);
        let mut moves: Vec<(usize, Vec<bool>)> = Vec::new();
        for edge in structure.edges(node as u32) {
            let acts = actors
                .clone()
                .map(|a| structure.label(edge).acts().contains(&a));
            moves.push((structure.target(edge) as usize, acts.collect()));
        }
        if moves.is_empty() {
            moves.push((node, vec![false; structure.actors()]));
        }
        let open = here.transitions.iter().filter(|it| it.guard.holds(&holds));
        for transition in open {
            for (target, acts) in &moves {
                self.hops.push(Hop {
                    source: node * width + state,
                    target: target * width + transition.target.0,
                    accepting,
                    enabled: enabled.clone(),
                    acts: acts.clone(),
                });
            }
        }
    }

    /// The places from which a run is accepted and fair and stays in open places.
    pub(crate) fn accepted(&self, fairness: Fairness, open: &dyn Fn(usize) -> bool) -> Vec<bool> {
        let open = |hop: &Hop| open(hop.source) && open(hop.target);
        let mut good = vec![false; self.places];
        for demand in self.demands(fairness) {
            let allowed = |hop: &Hop| open(hop) && demand.idle.iter().all(|a| !hop.enabled[*a]);
            let allowed = self.hops.iter().map(allowed).collect();
            let core = self.recurrent(allowed, &demand.goals);
            let places = self.leading(&core, &open);
            good.iter_mut()
                .zip(places)
                .for_each(|(good, more)| *good |= more);
        }
        good
    }

    /// What a fair run may do in the end. For strong fairness it is guessed who acts for ever; the others are never enabled.
    fn demands(&self, fairness: Fairness) -> Vec<Demand> {
        let actors = 0..self.actors;
        let split = |acting: usize| {
            let (acting, idle): (Vec<_>, Vec<_>) =
                actors.clone().partition(|a| acting >> a & 1 == 1);
            (acting.into_iter().map(Goal::Acts).collect(), idle)
        };
        let cases: Vec<(Vec<Goal>, Vec<usize>)> = match fairness {
            Fairness::None => vec![(Vec::new(), Vec::new())],
            Fairness::Weak => vec![(actors.map(Goal::Served).collect(), Vec::new())],
            Fairness::Strong => (0..1_usize << self.actors).map(split).collect(),
        };
        let demand = |(mut goals, idle): (Vec<Goal>, Vec<usize>)| {
            goals.push(Goal::Accepting);
            Demand { goals, idle }
        };
        cases.into_iter().map(demand).collect()
    }

    /// Whether a run from a start is accepted and fair.
    pub(crate) fn accepts(&self, fairness: Fairness) -> bool {
        let accepted = self.accepted(fairness, &|_| true);
        self.starts.iter().any(|start| accepted[*start])
    }

    /// The greatest set of hops from each of which each set can be reached inside it.
    fn recurrent(&self, mut kept: Vec<bool>, goals: &[Goal]) -> Vec<bool> {
        loop {
            let before = kept.clone();
            for goal in goals {
                let met = self
                    .hops
                    .iter()
                    .zip(&kept)
                    .map(|(hop, kept)| *kept && goal.is_met(hop));
                let met: Vec<bool> = met.collect();
                let places = self.reaching(&met, &kept);
                for (kept, hop) in kept.iter_mut().zip(&self.hops) {
                    *kept &= places[hop.target];
                }
            }
            if kept == before {
                return kept;
            }
        }
    }

    /// The places from which some hop of the goal can be taken, after any number of hops that are kept.
    fn reaching(&self, goal: &[bool], kept: &[bool]) -> Vec<bool> {
        let mut places = vec![false; self.places];
        loop {
            let mut changed = false;
            for (number, hop) in self.hops.iter().enumerate() {
                let good = goal[number] || kept[number] && places[hop.target];
                if good && !places[hop.source] {
                    places[hop.source] = true;
                    changed = true;
                }
            }
            if !changed {
                return places;
            }
        }
    }

    fn leading(&self, core: &[bool], open: &dyn Fn(&Hop) -> bool) -> Vec<bool> {
        let kept: Vec<bool> = self.hops.iter().map(open).collect();
        self.reaching(core, &kept)
    }

    /// The least sum of prefix and cycle.
    pub(crate) fn shortest(&self) -> Option<usize> {
        let from_start = self.distances(&self.starts, false);
        let entries = (0..self.places).filter_map(|entry| {
            let there = from_start[2 * entry].min(from_start[2 * entry + 1]);
            let round = self.distances(&[entry], true)[2 * entry + 1];
            there
                .checked_add(round)
                .filter(|_| there != usize::MAX && round != usize::MAX)
        });
        entries.min()
    }

    /// Distances of places, without (even) and with (odd) a hop from an accepting place on the way.
    fn distances(&self, sources: &[usize], fresh: bool) -> Vec<usize> {
        let mut distances = vec![usize::MAX; 2 * self.places];
        sources.iter().for_each(|source| distances[2 * source] = 0);
        for length in 0.. {
            let mut changed = false;
            for hop in &self.hops {
                for seen in 0..2 {
                    if distances[2 * hop.source + seen] != length {
                        continue;
                    }
                    let target = 2 * hop.target + (seen | usize::from(hop.accepting && fresh));
                    changed |= distances[target] > length + 1;
                    distances[target] = distances[target].min(length + 1);
                }
            }
            if !changed {
                break;
            }
        }
        distances
    }
}
