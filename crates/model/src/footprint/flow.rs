//! What is known at each node of a routine: which scratch variables hold terms, and which terms are true there.
//!
//! The usual forward analysis. Where ways meet, what all of them know is kept, but for variables that nobody reads any more. A loop over known values gives its variable a term with a variable of its own, which
//! stands for the value of the iteration at hand; what the iteration before has left behind of it is forgotten when the next one begins.

use super::derivation::{Derivation, Facts};
use super::terms::Term;
use crate::expr::{Place, Root};
use crate::ids::{NodeId, TemplateId};
use crate::read_later::ReadLater;
use crate::template::{Choice, Effect, Routine, Step};
use std::collections::{BTreeMap, BTreeSet};

/// What is known at the nodes of a routine so far.
struct Flow<'r> {
    routine: &'r Routine,
    /// The term of the variable of each loop, by its head, and the variable.
    loops: BTreeMap<NodeId, (Term, Place)>,
    facts: Vec<Option<Facts>>,
    read_later: ReadLater,
    /// The nodes in an order in which those that lead to a node come before it, but for loops.
    order: Vec<u32>,
    /// Nodes that have to be looked at, by their places in that order.
    waiting: BTreeSet<(u32, NodeId)>,
}

impl Derivation<'_> {
    /// What a routine reads and writes. Who asks about any process and any choice has no use for more than what each choice of it does by itself.
    pub fn routine(&mut self, routine: &Routine) {
        match self.birth.and(self.template) {
            Some(template) => self.flow(routine, template),
            None => {
                for choice in routine.nodes.iter().flat_map(|node| &node.choices) {
                    let before = std::mem::take(&mut self.facts);
                    self.enabling(&choice.step);
                    self.step(&choice.step);
                    self.facts = before;
                }
            }
        }
    }

    fn flow(&mut self, routine: &Routine, template: TemplateId) {
        let begin = self.facts.clone();
        let loops = routine.loops.iter().map(|each| {
            let variable = Place::variable(Root::Local(each.variable), each.span);
            (each.head, (self.terms.variable(&each.values), variable))
        });
        let mut flow = Flow {
            loops: loops.collect(),
            facts: vec![None; routine.nodes.len()],
            read_later: ReadLater::new(self.model().template(template), routine),
            order: order(routine),
            waiting: BTreeSet::new(),
            routine,
        };
        flow.reach(NodeId(0), &begin);
        while let Some((_, node)) = flow.waiting.pop_first() {
            self.at_node(node, &mut flow);
        }
        self.facts = begin;
    }

    /// Looks at the choices of a node, of which each is tried if those before it cannot be taken.
    fn at_node(&mut self, node: NodeId, flow: &mut Flow<'_>) {
        let Some(Some(here)) = flow.facts.get(node.index()).cloned() else {
            return;
        };
        self.facts = here;
        let routine = flow.routine;
        let choices = &routine.nodes[node.index()].choices;
        for (number, choice) in choices.iter().enumerate() {
            let is_last = number + 1 == choices.len();
            let before = (!is_last).then(|| self.facts.clone());
            self.enabling(&choice.step);
            match flow.loops.get(&node).filter(|_| number == 0) {
                Some((value, variable)) => self.next_iteration(choice, *value, &variable.clone()),
                None => self.step(&choice.step),
            }
            if let Some(next) = choice.next
                && !self.facts.unreachable
            {
                flow.reach(next, &self.facts);
            }
            if let Some(before) = before {
                self.facts = before;
                self.otherwise(&choice.step);
            }
        }
    }

    /// Carries out the first choice of the head of a loop, which begins with taking the next value.
    fn next_iteration(&mut self, choice: &Choice, value: Term, variable: &Place) {
        self.forget_iteration(value);
        let Step::Guarded { effects, .. } = &choice.step else {
            return self.step(&choice.step);
        };
        for effect in effects {
            self.effect(effect);
            if matches!(effect, Effect::Assign { place, .. } if place.root == variable.root) {
                self.hold(variable, Some(value));
            }
        }
    }

    /// Forgets what depends on the value of an iteration.
    fn forget_iteration(&mut self, value: Term) {
        let Facts { holds, when, .. } = &mut self.facts;
        holds.retain(|_, held| !self.terms.mentions(*held, value));
        when.retain(|(term, _)| !self.terms.mentions(*term, value));
    }
}

impl Flow<'_> {
    /// A node is reached when that is known.
    fn reach(&mut self, node: NodeId, facts: &Facts) {
        let known = &mut self.facts[node.index()];
        let changed = match known {
            Some(known) => known.keep_common(facts),
            None => {
                let mut facts = facts.clone();
                let live = &self.read_later;
                facts.holds.retain(|local, _| live.contains(node, *local));
                *known = Some(facts);
                true
            }
        };
        if changed {
            self.waiting.insert((self.order[node.index()], node));
        }
    }
}

impl Facts {
    /// Keeps what others know as well. Says whether anything was forgotten.
    fn keep_common(&mut self, others: &Facts) -> bool {
        let before = (self.holds.len(), self.when.len());
        self.holds
            .retain(|local, term| others.holds.get(local) == Some(term));
        self.when
            .retain(|condition| others.when.contains(condition));
        before != (self.holds.len(), self.when.len())
    }
}

/// For each node, its place in reverse postorder.
fn order(routine: &Routine) -> Vec<u32> {
    let count = routine.nodes.len();
    let mut places = vec![0; count];
    let mut met = vec![false; count];
    let mut last = count as u32;
    // Nodes on the way, with the next choice to look at.
    let mut way: Vec<(usize, usize)> = vec![(0, 0)];
    if let Some(first) = met.first_mut() {
        *first = true;
    }
    while let Some((node, choice)) = way.last_mut() {
        let choices = routine.nodes.get(*node).map_or(&[][..], |n| &n.choices);
        match choices.get(*choice) {
            Some(next) => {
                *choice += 1;
                if let Some(next) = next.next.map(NodeId::index)
                    && !std::mem::replace(&mut met[next], true)
                {
                    way.push((next, 0));
                }
            }
            None => {
                last = last.saturating_sub(1);
                if let Some(place) = places.get_mut(*node) {
                    *place = last;
                }
                way.pop();
            }
        }
    }
    places
}
