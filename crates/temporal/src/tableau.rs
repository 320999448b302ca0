//! The tableau of Gerth, Peled, Vardi and Wolper (*Simple on-the-fly automatic verification of linear temporal
//! logic*, 1995).
//!
//! A node of the tableau stands for one moment of a run: it knows what has to hold now and what has to hold from the
//! next moment on. Work starts with a node to which the whole formula is still *owed*. Paying a debt either settles it
//! (a literal), splits it (a conjunction), puts it off (next), or forks the node, because there are two ways to pay:
//!
//! | debt    | one way, now | and next  | the other way, now |
//! |---------|--------------|-----------|--------------------|
//! | `p or q`| `p`          |           | `q`                |
//! | `p U q` | `p`          | `p U q`   | `q`                |
//! | `p V q` | `q`          | `p V q`   | `p`, `q`           |
//!
//! A node without debts is finished. If there is a finished node with the same present and the same future, the two
//! become one; otherwise a successor is started that owes this node's future. Contradictions (`p` and `!p`) are not
//! sorted out here but when the automaton is made.

use std::collections::VecDeque;
use std::fmt;

use crate::hashing::{NumberMap, NumberSet};
use crate::rewrite::Rewriter;
use crate::terms::{ClassId, Term, TermId, Terms};
use crate::too_complex::TooComplex;

/// So much effort may be made, the effort of a step being the length of what is owed, paid and put off. This is a few
/// seconds' work; Spin needs minutes for it.
const MOST_EFFORT: u64 = 1_000_000_000;

/// What a node is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum NodeName {
    Initial,
    Numbered(usize),
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initial => f.write_str("init"),
            Self::Numbered(number) => write!(f, "S{number}"),
        }
    }
}

/// The place of a node in its [`Tableau`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(usize);

/// A finished node.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: NodeName,
    /// Everything that holds now, as one term; nothing if anything will do.
    pub(crate) present: Option<TermId>,
    /// Everything that holds now, debt by debt.
    pub(crate) paid: Vec<TermId>,
    /// The nodes that may follow, the oldest first.
    pub(crate) successors: Vec<NodeId>,
    predecessors: Vec<NodeName>,
}

/// All finished nodes, in the order in which they were finished; the initial node, which owes nothing, is the last.
#[derive(Debug)]
pub(crate) struct Tableau {
    nodes: Vec<Node>,
}

impl Tableau {
    /// Builds the tableau of a term.
    pub(crate) fn new(rewriter: &mut Rewriter, term: TermId) -> Result<Self, TooComplex> {
        let mut expansion = Expansion::new(rewriter);
        expansion.start(vec![NodeName::Initial], &[term], Paid::default(), &[]);
        let mut effort = 0;
        while let Some(node) = expansion.unfinished.pop() {
            effort = expansion.effort(&node).saturating_add(effort);
            if effort > MOST_EFFORT {
                return Err(TooComplex);
            }
            expansion.step(node);
        }
        let mut nodes = expansion.finished;
        nodes.push(initial_node(term));
        connect(&mut nodes);
        Ok(Self { nodes })
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The nodes that have a future, the initial node first, then from the newest to the oldest.
    pub(crate) fn lasting(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let numbered = self.nodes.iter().enumerate().rev();
        numbered
            .map(|(number, node)| (NodeId(number), node))
            .filter(|(_, node)| !node.successors.is_empty())
    }
}

fn initial_node(term: TermId) -> Node {
    Node {
        name: NodeName::Initial,
        present: None,
        paid: vec![term],
        successors: Vec::new(),
        predecessors: Vec::new(),
    }
}

/// Turns the nodes' lists of predecessors into lists of successors.
fn connect(nodes: &mut [Node]) {
    let numbered = nodes.iter().enumerate();
    let numbers: NumberMap<NodeName, usize> = numbered.map(|(n, node)| (node.name, n)).collect();
    for to in 0..nodes.len() {
        for from in std::mem::take(&mut nodes[to].predecessors) {
            if let Some(&from) = numbers.get(&from) {
                nodes[from].successors.push(NodeId(to));
            }
        }
    }
}

/// A node with debts.
#[derive(Debug)]
struct Unfinished {
    name: NodeName,
    predecessors: Vec<NodeName>,
    owed: VecDeque<TermId>,
    paid: Paid,
    next: Vec<TermId>,
}

/// The debts that a node has paid, and what is asked of them at every step: it is kept, as a node may have paid a hundred debts and there are
/// millions of steps.
#[derive(Clone, Debug, Default)]
struct Paid {
    debts: Vec<TermId>,
    /// The class of each debt: debts of different classes are not equal.
    classes: Vec<ClassId>,
    /// All debts, the last one first, as one term.
    conjunction: Option<TermId>,
    weight: u64,
}

impl Paid {
    /// Adds a debt to the list unless it is there; as in Spin, the last one of the list is not looked at.
    fn note(&mut self, terms: &mut Terms, debt: TermId) {
        let class = terms.class(debt);
        let looked_at = self.debts.len().saturating_sub(1);
        let mut others = self.classes[..looked_at].iter().zip(&self.debts);
        if others.any(|(other, paid)| *other == class && terms.equal(debt, *paid)) {
            return;
        }
        self.debts.push(debt);
        self.classes.push(class);
        self.weight = self.weight.saturating_add(terms.weight(debt));
        let rest = self.conjunction;
        self.conjunction = Some(rest.map_or(debt, |rest| terms.make(Term::And(debt, rest))));
    }
}

struct Expansion<'a> {
    rewriter: &'a mut Rewriter,
    /// A stack: the newest node is worked on first.
    unfinished: Vec<Unfinished>,
    finished: Vec<Node>,
    /// Finished nodes by their present and future.
    known: NumberMap<(Option<TermId>, Option<TermId>), usize>,
    /// Which debts are known to be among those that a finished node pays, or equal to one of them. Most nodes are met again thousands of times.
    settled: NumberSet<(usize, TermId)>,
    /// What is known to lead to a finished node.
    followed: NumberSet<(usize, NodeName)>,
    names_given: usize,
}

impl<'a> Expansion<'a> {
    fn new(rewriter: &'a mut Rewriter) -> Self {
        Self {
            rewriter,
            unfinished: Vec::new(),
            finished: Vec::new(),
            known: NumberMap::default(),
            settled: NumberSet::default(),
            followed: NumberSet::default(),
            names_given: 0,
        }
    }

    fn start(&mut self, predecessors: Vec<NodeName>, owed: &[TermId], paid: Paid, next: &[TermId]) {
        let name = NodeName::Numbered(self.names_given);
        self.names_given += 1;
        let owed = self.rewriter.conjunction(owed).into_iter().collect();
        let next = self.rewriter.conjunction(next).into_iter().collect();
        self.unfinished.push(Unfinished {
            name,
            predecessors,
            owed,
            paid,
            next,
        });
    }

    fn effort(&self, node: &Unfinished) -> u64 {
        let terms = node.owed.iter().chain(&node.next);
        let weights = terms.map(|&term| self.rewriter.terms.weight(term));
        weights.fold(node.paid.weight, u64::saturating_add)
    }

    fn step(&mut self, mut node: Unfinished) {
        let Some(debt) = node.owed.pop_front() else {
            return self.finish(node);
        };
        let term = self.rewriter.terms.get(debt);
        if let Term::And(left, right) = term {
            node.owed.push_front(right);
            node.owed.push_front(left);
            return self.unfinished.push(node);
        }
        if term != Term::True {
            node.paid.note(&mut self.rewriter.terms, debt);
        }
        match term {
            Term::Or(left, right) => self.fork_either(node, left, right, None),
            Term::Until(left, right) => self.fork_either(node, left, right, Some(debt)),
            Term::Release(left, right) => self.fork_release(node, debt, left, right),
            Term::Next(operand) => {
                node.next.insert(0, operand);
                self.unfinished.push(node);
            }
            _ => self.unfinished.push(node),
        }
    }

    /// One node pays `left` and puts `again` off, the other pays `right`; the other is worked on first.
    fn fork_either(
        &mut self,
        mut node: Unfinished,
        left: TermId,
        right: TermId,
        again: Option<TermId>,
    ) {
        let owed = with_rest(&[left], &node.owed);
        let next: Vec<TermId> = again.into_iter().chain(node.next.iter().copied()).collect();
        self.start(node.predecessors.clone(), &owed, node.paid.clone(), &next);
        let owed = with_rest(&[right], &node.owed);
        node.owed = self.rewriter.conjunction(&owed).into_iter().collect();
        self.unfinished.push(node);
    }

    /// One node pays both, the other pays `right` and puts the release off; the other is worked on first.
    fn fork_release(&mut self, mut node: Unfinished, debt: TermId, left: TermId, right: TermId) {
        let owed_later = with_rest(&[right], &node.owed);
        let next = with_rest(&[debt], node.next.iter());
        let (predecessors, paid) = (node.predecessors.clone(), node.paid.clone());
        let owed = with_rest(&[left, right], &node.owed);
        node.owed = self.rewriter.conjunction(&owed).into_iter().collect();
        self.unfinished.push(node);
        self.start(predecessors, &owed_later, paid, &next);
    }

    fn finish(&mut self, node: Unfinished) {
        let present = node.paid.conjunction;
        let present = present.map(|term| self.rewriter.rewrite(term));
        let future = self.rewriter.conjunction(&node.next);
        if let Some(&place) = self.known.get(&(present, future)) {
            return self.merge(place, &node);
        }
        let place = self.finished.len();
        self.known.insert((present, future), place);
        let predecessors = node.predecessors.iter();
        self.followed
            .extend(predecessors.map(|&predecessor| (place, predecessor)));
        self.finished.push(Node {
            name: node.name,
            present,
            paid: node.paid.debts,
            successors: Vec::new(),
            predecessors: node.predecessors,
        });
        if future.is_some() {
            self.start(vec![node.name], &node.next, Paid::default(), &[]);
        }
    }

    /// Adds what leads to a node, and what it pays, to a finished node that is the same.
    fn merge(&mut self, place: usize, node: &Unfinished) {
        for &predecessor in &node.predecessors {
            if self.followed.insert((place, predecessor)) {
                self.finished[place].predecessors.push(predecessor);
            }
        }
        for &debt in &node.paid.debts {
            if self.settled.insert((place, debt)) {
                self.add_paid(place, debt);
            }
        }
    }

    fn add_paid(&mut self, place: usize, debt: TermId) {
        let terms = &mut self.rewriter.terms;
        let paid = &mut self.finished[place].paid;
        if !paid.iter().any(|&other| terms.equal(other, debt)) {
            paid.push(debt);
        }
    }
}

fn with_rest<'a>(first: &'a [TermId], rest: impl IntoIterator<Item = &'a TermId>) -> Vec<TermId> {
    first.iter().chain(rest).copied().collect()
}
