//! Closed walks that can be repeated and are fair to all actors.

use crate::fairness::{Fairness, Judge};
use crate::hunt::Hunt;
use crate::label::Actor;
use crate::product::{Product, Step};
use crate::shortest_paths::walk;
use std::collections::{HashMap, VecDeque};

/// A cycle from an accepting member of a fair component back to it.
///
/// Each time round, every actor gets what fairness promises, by whatever name it begins the round. So the run is fair
/// however often the walk is repeated before it closes.
pub(crate) fn round(hunt: &Hunt<'_>, home: u32) -> Vec<Step> {
    let shortest = shortest(hunt, home, home);
    let mut round = Round::new(hunt.product, home);
    shortest.iter().for_each(|step| round.take(*step));
    if round.is_fair(hunt.judge.fairness()) {
        return shortest;
    }
    fair_round(hunt, home)
}

/// Serves the actors one after the other.
fn fair_round(hunt: &Hunt<'_>, home: u32) -> Vec<Step> {
    let mut round = Round::new(hunt.product, home);
    for actor in 0..hunt.product.structure.actors() {
        if round.is_waiting(&hunt.judge, member(hunt, home), actor) {
            let way = way_to_witness(hunt, round.present, round.names[actor]);
            way.iter().for_each(|step| round.take(*step));
        }
    }
    if round.present != home || round.steps.is_empty() {
        let back = shortest(hunt, round.present, home);
        back.iter().for_each(|step| round.take(*step));
    }
    round.steps
}

fn member(hunt: &Hunt<'_>, node: u32) -> usize {
    let place = hunt.components.place(node);
    place.expect("a round stays in its component")
}

/// A shortest way of at least one step between two members.
fn shortest(hunt: &Hunt<'_>, source: u32, target: u32) -> Vec<Step> {
    let open = |node| hunt.components.place(node).is_some();
    let way = walk(hunt.product, &[source], open, |node| node == target);
    way.expect("members of a component reach each other").steps
}

/// A pair of a product node and the name of an actor.
type Pair = (u32, Actor);

/// A shortest way on which the actor with some name gets what fairness promises, with the step on which it acts, if it does.
fn way_to_witness(hunt: &Hunt<'_>, node: u32, name: Actor) -> Vec<Step> {
    let (product, source) = (hunt.product, (node, name));
    let mut before: HashMap<Pair, Option<(Pair, Step)>> = HashMap::from([(source, None)]);
    let mut waiting = VecDeque::from([source]);
    while let Some(pair) = waiting.pop_front() {
        if hunt.judge.fairness() == Fairness::Weak && is_disabled(product, pair) {
            return way_back(&before, pair);
        }
        for step in product.steps(pair.0) {
            if hunt.components.place(step.target).is_none() {
                continue;
            }
            let label = product.label(&step);
            if label.has_acting(pair.1) {
                let mut way = way_back(&before, pair);
                way.push(step);
                return way;
            }
            let next = (step.target, label.rename(pair.1));
            before.entry(next).or_insert_with(|| {
                waiting.push_back(next);
                Some((pair, step))
            });
        }
    }
    unreachable!("every class of a fair component has a witness")
}

fn way_back(before: &HashMap<Pair, Option<(Pair, Step)>>, pair: Pair) -> Vec<Step> {
    let steps = std::iter::successors(before[&pair], |(pair, _)| before[pair]);
    let mut way: Vec<Step> = steps.map(|(_, step)| step).collect();
    way.reverse();
    way
}

fn is_disabled(product: Product<'_>, (node, name): Pair) -> bool {
    !product.structure.is_enabled(name, product.node(node))
}

/// A walk so far, and what it has done for each actor. Actors are known by the names that they had when it began.
struct Round<'a> {
    product: Product<'a>,
    steps: Vec<Step>,
    present: u32,
    /// How each actor is called now.
    names: Vec<Actor>,
    acted: Vec<bool>,
    enabled: Vec<bool>,
    disabled: Vec<bool>,
}

impl<'a> Round<'a> {
    fn new(product: Product<'a>, home: u32) -> Round<'a> {
        let actors = product.structure.actors();
        let mut round = Round {
            product,
            steps: Vec::new(),
            present: home,
            names: (0..actors as Actor).collect(),
            acted: vec![false; actors],
            enabled: vec![false; actors],
            disabled: vec![false; actors],
        };
        round.look();
        round
    }

    fn take(&mut self, step: Step) {
        let label = self.product.label(&step);
        for (name, acted) in self.names.iter_mut().zip(&mut self.acted) {
            *acted |= label.has_acting(*name);
            *name = label.rename(*name);
        }
        self.present = step.target;
        self.steps.push(step);
        self.look();
    }

    /// Notes who is enabled now.
    fn look(&mut self) {
        for (actor, name) in self.names.iter().enumerate() {
            let disabled = is_disabled(self.product, (self.present, *name));
            self.disabled[actor] |= disabled;
            self.enabled[actor] |= !disabled;
        }
    }

    /// Whether every actor got what fairness promises.
    fn is_fair(&self, fairness: Fairness) -> bool {
        (0..self.names.len()).all(|actor| match fairness {
            Fairness::None => true,
            Fairness::Weak => self.disabled[actor] || self.acted[actor],
            Fairness::Strong => !self.enabled[actor] || self.acted[actor],
        })
    }

    /// Whether an actor has yet to get what fairness promises in this component.
    fn is_waiting(&self, judge: &Judge<'_>, home: usize, actor: usize) -> bool {
        let idle = !self.acted[actor];
        match judge.fairness() {
            Fairness::None => false,
            Fairness::Weak => idle && !self.disabled[actor],
            Fairness::Strong => idle && judge.is_ever_enabled(home, actor as Actor),
        }
    }
}
