//! The automaton while it is being made and simplified.
//!
//! A state is a node of the tableau together with a [`Level`] of the count of acceptance conditions; a transition into
//! a node is guarded by the literals that the node pays. From a node that has nothing to fulfil any more, every
//! continuation is accepted: transitions into such a node lead to the *sink*, which is no state of its own here.
//!
//! The steps of simplification, in Spin's order: transitions with contradictory guards go; states with the same
//! transitions become one, in turns with parallel transitions becoming one; finally, two states that only exchange
//! places become one (see [`Draft::merge_twins`]).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use crate::acceptance::{Acceptance, Level};
use crate::formula::Literal;
use crate::hashing::NumberMap;
use crate::rewrite::Rewriter;
use crate::tableau::{NodeId, NodeName, Tableau};
use crate::terms::{Term, TermId};
use crate::too_complex::TooComplex;

/// There must not be too many states. Spin needs minutes for half of them.
const MOST_STATES: usize = 30_000;

/// Merging is repeated at most so often in a row.
const MOST_ROUNDS: usize = 10;

/// The place of a state in its [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DraftId(usize);

/// Where a transition leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// Whatever happens from here on is accepted.
    Sink,
    State(DraftId),
}

impl Target {
    /// Bits that look random, for each target others.
    fn print(self) -> u64 {
        let number = match self {
            Target::Sink => 0,
            Target::State(id) => id.0 as u64 + 1,
        };
        let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct DraftTransition {
    /// When it can be taken; always, if there is no condition.
    pub(crate) condition: Option<TermId>,
    pub(crate) target: Target,
}

#[derive(Debug)]
pub(crate) struct DraftState {
    pub(crate) node: NodeName,
    pub(crate) level: Level,
    pub(crate) accepting: bool,
    /// The transitions, the newest successor first.
    pub(crate) transitions: Vec<DraftTransition>,
    replaced: bool,
    /// A fingerprint of the set of its targets, while states are compared: most are told apart by it.
    print: u64,
}

impl DraftState {
    fn take_print(&mut self) {
        let targets: HashSet<Target> = self.transitions.iter().map(|t| t.target).collect();
        let prints = targets.into_iter().map(Target::print);
        self.print = prints.fold(0, |all, print| all ^ print);
    }

    /// Leads to another state where it has led to one. Says whether it has not led there before.
    fn redirect(&mut self, old: Target, new: Target) -> bool {
        let mut is_new = true;
        for transition in &mut self.transitions {
            is_new &= transition.target != new;
            if transition.target == old {
                transition.target = new;
            }
        }
        is_new
    }
}

/// States by what they have to have in common to be merged: most pairs are never looked at.
#[derive(Debug, Default)]
struct Alike(NumberMap<(bool, u64), BTreeSet<DraftId>>);

impl Alike {
    fn key(state: &DraftState) -> (bool, u64) {
        (state.accepting, state.print)
    }

    fn insert(&mut self, state: &DraftState, id: DraftId) {
        self.0.entry(Self::key(state)).or_default().insert(id);
    }

    /// Says whether it was there.
    fn remove(&mut self, state: &DraftState, id: DraftId) -> bool {
        let states = self.0.get_mut(&Self::key(state));
        states.is_some_and(|states| states.remove(&id))
    }

    /// The states behind one that may be the same.
    fn after(&self, state: &DraftState, id: DraftId) -> impl Iterator<Item = DraftId> {
        let states = self.0.get(&Self::key(state));
        let later = states.map(|states| states.range((Bound::Excluded(id), Bound::Unbounded)));
        later.into_iter().flatten().copied()
    }
}

/// The states of the automaton, the newest first; so the initial state is the last.
#[derive(Debug)]
pub(crate) struct Draft {
    states: Vec<DraftState>,
    /// Whether there are conditions to count; without, every state accepts.
    pub(crate) counts: bool,
}

impl Draft {
    /// The states and transitions as the tableau gives them.
    ///
    /// They are made from the oldest to the newest, and put the other way round afterwards: what is rewritten first is
    /// remembered (see [`Rewriter`]), so the order in which conditions are made is not free.
    pub(crate) fn new(
        rewriter: &mut Rewriter,
        tableau: &Tableau,
        acceptance: &Acceptance,
    ) -> Result<Self, TooComplex> {
        let places = places(tableau, acceptance);
        if places.len() > MOST_STATES {
            return Err(TooComplex);
        }
        let newest_first = places.iter().rev().enumerate();
        let numbers = newest_first.map(|(number, &place)| (place, DraftId(number)));
        let mut construction = Construction {
            rewriter,
            tableau,
            acceptance,
            numbers: numbers.collect(),
        };
        let states = places
            .iter()
            .map(|&(id, level)| construction.state(id, level));
        let mut states: Vec<DraftState> = states.collect();
        states.reverse();
        Ok(Self {
            states,
            counts: acceptance.conditions() > 0,
        })
    }

    pub(crate) fn state(&self, id: DraftId) -> &DraftState {
        &self.states[id.0]
    }

    pub(crate) fn initial(&self) -> DraftId {
        DraftId(self.states.len() - 1)
    }

    /// Simplifies the automaton; returns the states that remain, in order, the initial state being the last.
    pub(crate) fn simplify(&mut self, rewriter: &mut Rewriter) -> Vec<DraftId> {
        self.drop_contradictions(rewriter);
        let everything: Vec<DraftId> = self.ids().collect();
        self.merge_equal_states(rewriter, &everything);
        loop {
            let reachable = self.reachable();
            self.merge_parallel_transitions(rewriter, &reachable);
            if self.merge_equal_states(rewriter, &reachable) == 0 {
                self.merge_twins(rewriter, &reachable);
                break;
            }
        }
        self.reachable()
    }

    fn ids(&self) -> impl Iterator<Item = DraftId> + use<> {
        (0..self.states.len()).map(DraftId)
    }

    /// Removes transitions that can never be taken, except where a state has no other.
    fn drop_contradictions(&mut self, rewriter: &mut Rewriter) {
        for state in &mut self.states {
            for transition in &mut state.transitions {
                if transition
                    .condition
                    .is_some_and(|term| contradicts_itself(rewriter, term))
                {
                    transition.condition = Some(rewriter.terms.make(Term::False));
                }
            }
            if state.transitions.len() > 1 {
                state.transitions.retain(|transition| {
                    transition.condition.map(|term| rewriter.terms.get(term)) != Some(Term::False)
                });
            }
        }
    }

    /// The states that can be reached, in order.
    fn reachable(&self) -> Vec<DraftId> {
        let mut reached = vec![false; self.states.len()];
        let mut unvisited = vec![self.initial()];
        while let Some(id) = unvisited.pop() {
            if std::mem::replace(&mut reached[id.0], true) {
                continue;
            }
            for transition in &self.state(id).transitions {
                if let Target::State(next) = transition.target {
                    unvisited.push(next);
                }
            }
        }
        self.ids().filter(|id| reached[id.0]).collect()
    }

    /// Makes one transition of those from one state to one target, in the place of the oldest.
    fn merge_parallel_transitions(&mut self, rewriter: &mut Rewriter, among: &[DraftId]) {
        for &id in among {
            let transitions = &mut self.states[id.0].transitions;
            let mut place = 0;
            while place < transitions.len() {
                let DraftTransition { condition, target } = transitions[place];
                let mut older = transitions[place + 1..].iter_mut();
                match older.find(|transition| transition.target == target) {
                    Some(twin) => {
                        twin.condition = Some(either(rewriter, condition, twin.condition));
                        transitions.remove(place);
                    }
                    None => place += 1,
                }
            }
        }
    }

    /// Replaces every state by a later one with the same transitions; returns in how many rounds any was found.
    fn merge_equal_states(&mut self, rewriter: &mut Rewriter, among: &[DraftId]) -> usize {
        self.states.iter_mut().for_each(DraftState::take_print);
        let mut alike = Alike::default();
        among
            .iter()
            .for_each(|&id| alike.insert(self.state(id), id));
        self.merge_in_rounds(among, &mut alike, |draft, alike, a| {
            let mut later = alike.after(draft.state(a), a);
            let same = later.find(|&b| draft.same_transitions(rewriter, a, b));
            same.map(|b| (a, b))
        })
    }

    /// Merges pairs of states that lead nowhere but to each other or to the sink, under the same conditions.
    ///
    /// Such a pair differs in acceptance alone. Going to and fro between the two, a run accepts if either state does,
    /// so the accepting one is kept, or the initial state, which then becomes accepting.
    fn merge_twins(&mut self, rewriter: &mut Rewriter, among: &[DraftId]) {
        let inside: HashSet<DraftId> = among.iter().copied().collect();
        self.merge_in_rounds(among, &mut Alike::default(), |draft, _, a| {
            let mut later = draft.possible_twins(a, among).into_iter();
            let b = later.find(|&b| {
                b > a
                    && inside.contains(&b)
                    && !draft.state(b).replaced
                    && draft.are_twins(rewriter, a, b)
            })?;
            if !draft.state(a).accepting || draft.state(b).accepting {
                return Some((a, b));
            }
            if b != draft.initial() {
                return Some((b, a));
            }
            draft.states[b.0].accepting = true;
            Some((a, b))
        });
    }

    /// The states that a state may exchange places with: the only one that it leads to, or any if it leads to none.
    fn possible_twins(&self, a: DraftId, among: &[DraftId]) -> Vec<DraftId> {
        let mut targets = self.state(a).transitions.iter().map(|t| t.target);
        let other = targets.find_map(|target| match target {
            Target::State(id) => Some(id),
            Target::Sink => None,
        });
        match other {
            Some(id) => vec![id],
            None => among.to_vec(),
        }
    }

    /// Looks at every state; `replacement` says whether it or a later one, and which, is replaced by the other of the two.
    fn merge_in_rounds(
        &mut self,
        among: &[DraftId],
        alike: &mut Alike,
        mut replacement: impl FnMut(&mut Self, &Alike, DraftId) -> Option<(DraftId, DraftId)>,
    ) -> usize {
        let mut sources = self.sources();
        for round in 0..MOST_ROUNDS {
            let mut merged = false;
            for &a in among {
                if self.state(a).replaced {
                    continue;
                }
                if let Some((old, new)) = replacement(self, alike, a) {
                    self.replace(old, new, &mut sources, alike);
                    merged = true;
                }
            }
            if !merged {
                return round;
            }
        }
        MOST_ROUNDS - 1
    }

    /// The states that lead to each state.
    fn sources(&self) -> Vec<Vec<DraftId>> {
        let mut sources = vec![Vec::new(); self.states.len()];
        for id in self.ids() {
            let targets = self.state(id).transitions.iter().map(|t| t.target);
            let targets: HashSet<Target> = targets.collect();
            for target in targets {
                if let Target::State(target) = target {
                    sources[target.0].push(id);
                }
            }
        }
        sources
    }

    fn replace(
        &mut self,
        old: DraftId,
        new: DraftId,
        sources: &mut [Vec<DraftId>],
        alike: &mut Alike,
    ) {
        self.states[old.0].replaced = true;
        alike.remove(self.state(old), old);
        let (from, to) = (Target::State(old), Target::State(new));
        for id in std::mem::take(&mut sources[old.0]) {
            let source = &mut self.states[id.0];
            if source.replaced {
                continue;
            }
            let was_known = alike.remove(source, id);
            source.print ^= from.print();
            if source.redirect(from, to) {
                source.print ^= to.print();
                sources[new.0].push(id);
            }
            if was_known {
                alike.insert(source, id);
            }
        }
    }

    fn same_transitions(&self, rewriter: &mut Rewriter, a: DraftId, b: DraftId) -> bool {
        let (a, b) = (self.state(a), self.state(b));
        a.accepting == b.accepting
            && a.print == b.print
            && matches_all(rewriter, a, b, |s, t| s == t)
            && matches_all(rewriter, b, a, |s, t| s == t)
    }

    fn are_twins(&self, rewriter: &mut Rewriter, a: DraftId, b: DraftId) -> bool {
        let fits = |of_a: Target, of_b: Target| {
            (of_a, of_b) == (Target::State(b), Target::State(a))
                || (of_a, of_b) == (Target::Sink, Target::Sink)
        };
        let (first, second) = (self.state(a), self.state(b));
        matches_all(rewriter, first, second, fits)
            && matches_all(rewriter, second, first, |of_b, of_a| fits(of_a, of_b))
    }
}

/// Whether every transition of `a` has a match in `b`: an equal condition and a target that fits.
fn matches_all(
    rewriter: &mut Rewriter,
    a: &DraftState,
    b: &DraftState,
    fits: impl Fn(Target, Target) -> bool,
) -> bool {
    a.transitions.iter().all(|s| {
        b.transitions.iter().any(|t| {
            fits(s.target, t.target) && rewriter.terms.equal_conditions(s.condition, t.condition)
        })
    })
}

/// All pairs of a node that lasts and a level that get a state, the oldest state first.
fn places(tableau: &Tableau, acceptance: &Acceptance) -> Vec<(NodeId, Level)> {
    let mut places = Vec::new();
    for count in 0..=acceptance.conditions() {
        for (id, node) in tableau.lasting() {
            let level = match node.name {
                NodeName::Initial if count == 0 => Level::Met(0),
                NodeName::Initial => continue,
                _ if count == acceptance.conditions() => Level::Accepting,
                _ => Level::Met(count),
            };
            places.push((id, level));
        }
    }
    places
}

/// What is at hand while the states are made.
struct Construction<'a> {
    rewriter: &'a mut Rewriter,
    tableau: &'a Tableau,
    acceptance: &'a Acceptance,
    numbers: HashMap<(NodeId, Level), DraftId>,
}

impl Construction<'_> {
    fn state(&mut self, id: NodeId, level: Level) -> DraftState {
        let node = self.tableau.node(id);
        let successors = node.successors.iter();
        let mut transitions: Vec<DraftTransition> =
            successors.map(|&to| self.transition(level, to)).collect();
        transitions.reverse();
        DraftState {
            node: node.name,
            level,
            accepting: level == Level::Accepting || self.acceptance.conditions() == 0,
            transitions,
            replaced: false,
            print: 0,
        }
    }

    fn transition(&mut self, level: Level, to: NodeId) -> DraftTransition {
        let node = self.tableau.node(to);
        let target = if node.successors.is_empty() {
            Target::Sink
        } else {
            Target::State(self.numbers[&(to, self.acceptance.advance(level, to))])
        };
        let present = node.present;
        let condition = present.and_then(|term| present_part(self.rewriter, term));
        DraftTransition {
            condition: condition.map(|term| self.rewriter.rewrite(term)),
            target,
        }
    }
}

/// The term without what speaks of the future; nothing if all of it does.
fn present_part(rewriter: &mut Rewriter, id: TermId) -> Option<TermId> {
    match rewriter.terms.get(id) {
        Term::True | Term::False | Term::Literal(_) | Term::Next(_) => Some(id),
        Term::Until(..) | Term::Release(..) => None,
        Term::Or(left, right) => {
            let (left, right) = (
                present_part(rewriter, left)?,
                present_part(rewriter, right)?,
            );
            Some(rewriter.terms.make(Term::Or(left, right)))
        }
        Term::And(left, right) => {
            match (present_part(rewriter, left), present_part(rewriter, right)) {
                (Some(left), Some(right)) => Some(rewriter.terms.make(Term::And(left, right))),
                (part, None) | (None, part) => part,
            }
        }
    }
}

/// Whether a chain of literals holds a literal and its negation. Other terms are not looked into.
fn contradicts_itself(rewriter: &Rewriter, id: TermId) -> bool {
    let mut literals: Vec<Literal> = Vec::new();
    let mut rest = id;
    loop {
        let (member, more) = match rewriter.terms.get(rest) {
            Term::And(member, more) => (rewriter.terms.get(member), Some(more)),
            last => (last, None),
        };
        match member {
            Term::Literal(literal) => literals.push(literal),
            Term::Next(_) => {}
            _ => return false,
        }
        match more {
            Some(more) => rest = more,
            None => break,
        }
    }
    literals
        .iter()
        .any(|literal| literals.contains(&literal.negated()))
}

/// The disjunction of two conditions.
fn either(rewriter: &mut Rewriter, a: Option<TermId>, b: Option<TermId>) -> TermId {
    let a = a.and_then(|term| without_next(rewriter, term));
    let b = b.and_then(|term| without_next(rewriter, term));
    let either = match (a, b) {
        (Some(a), Some(b)) => Term::Or(a, b),
        _ => Term::True,
    };
    let either = rewriter.terms.make(either);
    rewriter.rewrite(either)
}

/// The condition without what is put off to the next moment, which the target state takes care of.
fn without_next(rewriter: &mut Rewriter, id: TermId) -> Option<TermId> {
    match rewriter.terms.get(id) {
        Term::Next(_) | Term::Until(..) | Term::Release(..) => None,
        Term::Or(left, right) => {
            let parts = (without_next(rewriter, left), without_next(rewriter, right));
            let (Some(left), Some(right)) = parts else {
                return Some(rewriter.terms.make(Term::True));
            };
            Some(rewriter.terms.make(Term::Or(left, right)))
        }
        Term::And(left, right) => {
            match (without_next(rewriter, left), without_next(rewriter, right)) {
                (Some(left), Some(right)) => Some(rewriter.terms.make(Term::And(left, right))),
                (part, None) | (None, part) => part,
            }
        }
        Term::True | Term::False | Term::Literal(_) => Some(id),
    }
}
