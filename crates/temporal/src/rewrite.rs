//! The ordered form of conjunctions and disjunctions.
//!
//! Rewriting turns every conjunction and disjunction into a right-nested chain of members in the order of their
//! spelling, without repetitions, and drops members that others make redundant. The result decides which nodes of the
//! tableau are the same node, and so how many states the automaton gets. To arrive at the very states that Spin
//! arrives at, three habits of its rewriting are kept, none of which harms the meaning:
//!
//! - A member that belongs between two others of a longer chain is compared with the *whole rest* of the chain. Where
//!   it ranks behind (a conjunction is spelled with `&` first, which ranks before letters), it is put behind the rest,
//!   and the rest becomes one nested member.
//! - The searches for redundant members walk along the chain and end at the first member that has been struck out, so
//!   that one rewriting may leave redundancies to the next.
//! - A result is remembered, and found again for every term that is [equal](Terms::equal).

use std::cmp::Ordering;

use crate::formula::Names;
use crate::hashing::NumberMap;
use crate::terms::{ClassId, Junction, Term, TermId, Terms};

/// Rewrites terms and remembers the results.
#[derive(Debug)]
pub(crate) struct Rewriter {
    pub(crate) terms: Terms,
    /// What was rewritten, and into what, by the class of the former; the newest entry counts.
    results: NumberMap<ClassId, Vec<(TermId, TermId)>>,
    /// What has been found for a term among the results of its class, and how many of them there were. Others may be found when there are more.
    recalled: NumberMap<TermId, (usize, TermId)>,
    nested: NumberMap<TermId, TermId>,
}

impl Rewriter {
    pub(crate) fn new(names: &Names) -> Self {
        Self {
            terms: Terms::new(names),
            results: NumberMap::default(),
            recalled: NumberMap::default(),
            nested: NumberMap::default(),
        }
    }

    /// The ordered form of a term.
    pub(crate) fn rewrite(&mut self, term: TermId) -> TermId {
        let nested = self.nest_to_the_right(term);
        self.order(nested)
    }

    /// Rewrites the conjunction of the terms; nothing for no terms.
    pub(crate) fn conjunction(&mut self, terms: &[TermId]) -> Option<TermId> {
        let all = terms
            .iter()
            .copied()
            .reduce(|rest, term| self.terms.make(Term::And(term, rest)))?;
        Some(self.rewrite(all))
    }

    /// The same term with every chain of conjunctions or disjunctions nested to the right.
    pub(crate) fn nest_to_the_right(&mut self, id: TermId) -> TermId {
        if let Some(&nested) = self.nested.get(&id) {
            return nested;
        }
        let term = self.terms.get(id);
        let nested = match Junction::of(term) {
            Some(junction) => self.nest_junction(junction, id),
            None => self.map_operands(term, Self::nest_to_the_right),
        };
        self.nested.insert(id, nested);
        nested
    }

    fn nest_junction(&mut self, junction: Junction, id: TermId) -> TermId {
        let mut members = Vec::new();
        self.collect_members(junction, id, &mut members);
        let members: Vec<TermId> = members
            .into_iter()
            .map(|member| self.nest_to_the_right(member))
            .collect();
        self.chain(junction, &members)
    }

    /// Members of a junction from left to right, however it is nested.
    fn collect_members(&self, junction: Junction, id: TermId, members: &mut Vec<TermId>) {
        match junction.split(self.terms.get(id)) {
            Some((left, right)) => {
                self.collect_members(junction, left, members);
                self.collect_members(junction, right, members);
            }
            None => members.push(id),
        }
    }

    fn order(&mut self, id: TermId) -> TermId {
        if let Some(result) = self.recall(id) {
            return result;
        }
        let term = self.terms.get(id);
        let with_ordered_operands = self.map_operands(term, Self::order);
        if let Some(result) = self.recall(with_ordered_operands) {
            return result;
        }
        let result = self.order_top(with_ordered_operands);
        let class = self.terms.class(with_ordered_operands);
        let entry = (with_ordered_operands, result);
        self.results.entry(class).or_default().push(entry);
        result
    }

    fn recall(&mut self, id: TermId) -> Option<TermId> {
        let terms = &mut self.terms;
        let results = self.results.get(&terms.class(id))?;
        if let Some(&(number, to)) = self.recalled.get(&id)
            && number == results.len()
        {
            return Some(to);
        }
        let mut newest_first = results.iter().rev();
        let &(_, to) = newest_first.find(|&&(from, _)| terms.equal(from, id))?;
        self.recalled.insert(id, (results.len(), to));
        Some(to)
    }

    /// Applies a function to the operands, to the right one first.
    pub(crate) fn map_operands(
        &mut self,
        term: Term,
        map: fn(&mut Self, TermId) -> TermId,
    ) -> TermId {
        let (make, left, right): (fn(TermId, TermId) -> Term, _, _) = match term {
            Term::True | Term::False | Term::Literal(_) => return self.terms.make(term),
            Term::Next(operand) => {
                let operand = map(self, operand);
                return self.terms.make(Term::Next(operand));
            }
            Term::And(left, right) => (Term::And, left, right),
            Term::Or(left, right) => (Term::Or, left, right),
            Term::Until(left, right) => (Term::Until, left, right),
            Term::Release(left, right) => (Term::Release, left, right),
        };
        let right = map(self, right);
        let left = map(self, left);
        self.terms.make(make(left, right))
    }

    /// Orders the members of a junction whose members are in order themselves.
    fn order_top(&mut self, id: TermId) -> TermId {
        let Some(junction) = Junction::of(self.terms.get(id)) else {
            return id;
        };
        let mut members = Vec::new();
        self.collect_members(junction, id, &mut members);
        let mut sorted = Vec::new();
        for &member in members.iter().rev() {
            self.insert(junction, &mut sorted, member);
        }
        self.without_redundant(junction, &sorted)
    }

    /// Puts a member into its place; the chain is given by the members along its right spine.
    fn insert(&mut self, junction: Junction, spine: &mut Vec<TermId>, member: TermId) {
        let Some((&last, before_last)) = spine.split_last() else {
            spine.push(member);
            return;
        };
        for (place, &other) in before_last.iter().enumerate() {
            match self.terms.rank(member, other) {
                Ordering::Equal => return,
                Ordering::Less => return self.insert_before(junction, spine, place, member),
                Ordering::Greater => {}
            }
        }
        match self.terms.rank(member, last) {
            Ordering::Equal => {}
            Ordering::Less => spine.insert(spine.len() - 1, member),
            Ordering::Greater => spine.push(member),
        }
    }

    /// Puts a member before a place that is not the last one, or behind the rest from there on (see the module).
    fn insert_before(
        &mut self,
        junction: Junction,
        spine: &mut Vec<TermId>,
        place: usize,
        member: TermId,
    ) {
        if place == 0 {
            return spine.insert(place, member);
        }
        let rest = self.chain(junction, &spine[place..]);
        if self.terms.rank(member, rest) == Ordering::Less {
            spine.insert(place, member);
        } else {
            spine.truncate(place);
            spine.extend([rest, member]);
        }
    }

    /// The chain of the members that are needed.
    fn without_redundant(&mut self, junction: Junction, spine: &[TermId]) -> TermId {
        let mut struck = vec![false; spine.len()];
        for (place, &member) in spine.iter().enumerate() {
            let term = self.terms.get(member);
            if term == junction.absorbing() {
                return member;
            }
            if term == junction.neutral() {
                struck[place] = true;
                break;
            }
        }
        self.strike_implied(junction, spine, &mut struck);
        let kept: Vec<TermId> = (0..spine.len())
            .filter(|&place| !struck[place])
            .map(|place| spine[place])
            .collect();
        self.chain(junction, &kept)
    }

    /// Strikes out members that equal another or that another makes redundant: `p && (p || q)`, `p || (p && q)`.
    fn strike_implied(&mut self, junction: Junction, spine: &[TermId], struck: &mut [bool]) {
        for (place, &member) in spine.iter().enumerate() {
            for (other_place, &other) in spine.iter().enumerate() {
                if struck[place] || struck[other_place] {
                    break;
                }
                if place != other_place && self.makes_redundant(junction, member, other) {
                    struck[other_place] = true;
                    break;
                }
            }
            if struck[place] {
                break;
            }
        }
    }

    fn makes_redundant(&mut self, junction: Junction, member: TermId, other: TermId) -> bool {
        self.terms.equal(member, other)
            || match junction {
                Junction::And => self.terms.has_member(Junction::Or, other, member),
                Junction::Or => self.terms.has_conjuncts(other, member),
            }
    }

    fn chain(&mut self, junction: Junction, members: &[TermId]) -> TermId {
        let Some((&last, before_last)) = members.split_last() else {
            return self.terms.make(junction.neutral());
        };
        before_last.iter().rev().fold(last, |rest, &member| {
            self.terms.make(junction.join(member, rest))
        })
    }
}
