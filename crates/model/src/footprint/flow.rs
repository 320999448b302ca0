//! Data flow in a routine: the terms that scratch variables may hold at each node, and the terms that are true there.
//!
//! The usual forward analysis. Where ways meet, a variable may hold what it may hold on any of them, if that is known of all and is not too much; nobody asks about variables that are
//! not read any more. A loop over known values gives its variable a term with a variable of its own, which stands for the value of the iteration at hand. When the next iteration begins, what
//! another variable holds of it is of some earlier iteration: that is another variable of terms, one for each that carries such a value. So an index that a loop carries from one value to the next
//! stands for the values that the loop goes through and for what it was before, and not for every element.

use super::derivation::{Derivation, Facts};
use super::terms::Term;
use crate::expr::{Place, Root};
use crate::ids::{LocalId, NodeId, TemplateId};
use crate::read_later::ReadLater;
use crate::template::{Choice, Effect, Routine, Step};
use crate::values::Values;
use std::collections::{BTreeMap, BTreeSet};

/// What is known at the nodes of a routine so far.
struct Flow<'r> {
    routine: &'r Routine,
    /// The loops, by their heads.
    loops: BTreeMap<NodeId, Carrying>,
    facts: Vec<Option<Facts>>,
    read_later: ReadLater,
    /// The nodes in an order in which those that lead to a node come before it, but for loops.
    order: Vec<u32>,
    /// Nodes that have to be looked at, by their places in that order.
    waiting: BTreeSet<(u32, NodeId)>,
}

/// So many terms may be what a variable holds.
const MOST_CANDIDATES: usize = 4;

/// A loop over known values, and what it carries on.
#[derive(Clone)]
struct Carrying {
    variable: Place,
    values: Values,
    /// The value of the iteration at hand.
    value: Term,
    /// For each variable that holds something of an earlier iteration, the value of that.
    earlier: BTreeMap<LocalId, Term>,
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
            let carrying = Carrying {
                variable,
                values: each.values.clone(),
                value: self.terms.variable(&each.values),
                earlier: BTreeMap::new(),
            };
            (each.head, carrying)
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
            match flow.loops.get_mut(&node).filter(|_| number == 0) {
                Some(carrying) => self.next_iteration(choice, carrying),
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
    fn next_iteration(&mut self, choice: &Choice, carrying: &mut Carrying) {
        self.end_iteration(carrying);
        let Step::Guarded { effects, .. } = &choice.step else {
            return self.step(&choice.step);
        };
        for effect in effects {
            self.effect(effect);
            let root = &carrying.variable.root;
            if matches!(effect, Effect::Assign { place, .. } if place.root == *root) {
                self.hold(&carrying.variable, [carrying.value].into());
            }
        }
    }

    /// What depends on the value of an iteration depends on that of an earlier one from here on. What is known of it is forgotten.
    fn end_iteration(&mut self, carrying: &mut Carrying) {
        let holds = std::mem::take(&mut self.facts.holds);
        for (local, terms) in holds {
            let terms = terms.into_iter();
            let terms: Option<BTreeSet<Term>> = terms
                .map(|term| self.of_earlier(term, local, carrying))
                .collect();
            if let Some(terms) = terms {
                self.facts.holds.insert(local, terms);
            }
        }
        let mut when = std::mem::take(&mut self.facts.when);
        when.retain(|(term, _)| self.own_values(*term, carrying).next().is_none());
        self.facts.when = when;
    }

    /// What a variable holds when its iteration is an earlier one; nothing if that is of several iterations at once.
    fn of_earlier(&mut self, term: Term, local: LocalId, carrying: &mut Carrying) -> Option<Term> {
        let mut own = self.own_values(term, carrying);
        let Some(value) = own.next() else {
            return Some(term);
        };
        if own.next().is_some() {
            return None;
        }
        drop(own);
        let new = || self.terms.variable(&carrying.values);
        let earlier = *carrying.earlier.entry(local).or_insert_with(new);
        self.terms.with(term, value, earlier)
    }

    /// The values of iterations of a loop that a term depends on.
    fn own_values(&self, term: Term, carrying: &Carrying) -> impl Iterator<Item = Term> {
        let earlier = carrying.earlier.values().copied();
        let all = std::iter::once(carrying.value).chain(earlier);
        all.filter(move |value| self.terms.mentions(term, *value))
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
    /// Keeps what others know as well, and adds what variables may hold there. Says whether anything has changed.
    fn keep_common(&mut self, others: &Facts) -> bool {
        let before = self.size();
        self.holds
            .retain(|local, terms| match others.holds.get(local) {
                Some(more) => {
                    terms.extend(more);
                    terms.len() <= MOST_CANDIDATES
                }
                None => false,
            });
        self.when
            .retain(|condition| others.when.contains(condition));
        before != self.size()
    }

    /// How many variables and conditions something is known of, and how many terms the variables may hold. The first two never grow, and if they stay the same, neither of
    /// the others shrinks.
    fn size(&self) -> (usize, usize, usize) {
        let terms = self.holds.values().map(BTreeSet::len);
        (self.holds.len(), self.when.len(), terms.sum())
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
