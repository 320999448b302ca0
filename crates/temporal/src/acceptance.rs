//! Acceptance: the condition under which a run through the tableau is a model of the formula.
//!
//! A run could put the goal of an until off for ever. So every until of the formula has an acceptance condition: it is
//! *pending* in the nodes that have taken it on, and *fulfilled* in the nodes that pay its goal. A run is good if for
//! every until it is infinitely often at a node where that until is fulfilled or not pending.
//!
//! Several conditions are made into one as Choueka did: the automaton counts through the conditions in turn, moving on
//! past those that the next node meets, and accepts each time that the count is complete.

use std::collections::{HashMap, HashSet};

use crate::rewrite::Rewriter;
use crate::tableau::{Node, NodeId, Tableau};
use crate::terms::{Junction, Term, TermId};

/// How far a run has counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Level {
    /// So many conditions were met since the count began.
    Met(usize),
    /// All were met.
    Accepting,
}

/// Which nodes meet which conditions.
#[derive(Debug, Default)]
pub(crate) struct Acceptance {
    pending: HashMap<NodeId, HashSet<usize>>,
    fulfilled: HashMap<NodeId, HashSet<usize>>,
    conditions_seen: usize,
    /// The last condition, counted from 1, that is pending anywhere.
    conditions: usize,
}

impl Acceptance {
    /// Finds the conditions of a term and the nodes that meet them.
    pub(crate) fn new(rewriter: &mut Rewriter, tableau: &Tableau, term: TermId) -> Self {
        let mut acceptance = Self::default();
        let term = rewriter.rewrite(term);
        acceptance.visit(rewriter, tableau, term);
        acceptance
    }

    /// How many conditions are to be counted.
    pub(crate) fn conditions(&self) -> usize {
        self.conditions
    }

    /// The level after a step into a node.
    pub(crate) fn advance(&self, level: Level, into: NodeId) -> Level {
        let met = match level {
            _ if self.conditions == 0 => return Level::Accepting,
            Level::Accepting => return Level::Met(0),
            Level::Met(met) => met,
        };
        let more = (met + 1..=self.conditions).take_while(|&condition| self.meets(into, condition));
        match met + more.count() {
            met if met >= self.conditions => Level::Accepting,
            met => Level::Met(met),
        }
    }

    fn meets(&self, node: NodeId, condition: usize) -> bool {
        let marked = |marks: &HashMap<NodeId, HashSet<usize>>| {
            marks
                .get(&node)
                .is_some_and(|marks| marks.contains(&condition))
        };
        marked(&self.fulfilled) || !marked(&self.pending)
    }

    fn visit(&mut self, rewriter: &mut Rewriter, tableau: &Tableau, id: TermId) {
        match rewriter.terms.get(id) {
            Term::Next(operand) => self.visit(rewriter, tableau, operand),
            Term::Until(left, right) => {
                self.add_condition(rewriter, tableau, id, right);
                self.visit(rewriter, tableau, left);
                self.visit(rewriter, tableau, right);
            }
            Term::Release(left, right) | Term::And(left, right) | Term::Or(left, right) => {
                self.visit(rewriter, tableau, left);
                self.visit(rewriter, tableau, right);
            }
            Term::True | Term::False | Term::Literal(_) => {}
        }
    }

    /// Marks where an until is pending and where it is fulfilled. A goal that is an until itself is fulfilled by its
    /// own goal as well.
    fn add_condition(
        &mut self,
        rewriter: &mut Rewriter,
        tableau: &Tableau,
        until: TermId,
        goal: TermId,
    ) {
        self.conditions_seen += 1;
        let condition = self.conditions_seen;
        if mark(&mut self.pending, rewriter, tableau, until, condition) {
            self.conditions = condition;
        }
        let mut goal = goal;
        mark(&mut self.fulfilled, rewriter, tableau, goal, condition);
        while let Term::Until(_, inner) = rewriter.terms.get(goal) {
            goal = inner;
            mark(&mut self.fulfilled, rewriter, tableau, goal, condition);
        }
    }
}

/// Marks every node that pays a term; says whether there was one.
fn mark(
    marks: &mut HashMap<NodeId, HashSet<usize>>,
    rewriter: &mut Rewriter,
    tableau: &Tableau,
    term: TermId,
    condition: usize,
) -> bool {
    let term = rewriter.nest_to_the_right(term);
    let mut any = false;
    for (id, node) in tableau.lasting() {
        if pays(rewriter, node, term) {
            marks.entry(id).or_default().insert(condition);
            any = true;
        }
    }
    any
}

fn pays(rewriter: &mut Rewriter, node: &Node, term: TermId) -> bool {
    match rewriter.terms.get(term) {
        Term::And(left, right) => pays(rewriter, node, left) && pays(rewriter, node, right),
        Term::Or(left, right) => pays(rewriter, node, left) || pays(rewriter, node, right),
        _ => node.paid.iter().any(|&debt| {
            let debt = rewriter.nest_to_the_right(debt);
            rewriter.terms.has_member(Junction::And, debt, term)
        }),
    }
}
