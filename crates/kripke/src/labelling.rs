//! The labelling algorithm: the nodes that satisfy a formula, from its inside outwards.
//!
//! # Three questions
//!
//! With sets of nodes for the inner formulas, every operator asks one of three questions about the runs from a node: whether one
//! step leads into a set, whether a run stays in *a* until it comes to *b*, and the same or stays in *a* for ever. `F b` is `true U b`,
//! `G a` is `a W false`. "All runs" is "not some run that does not": a run is not in `a U b` iff it is in `!b W (!a & !b)`,
//! and not in `a W b` iff it is in `!b U (!a & !b)`. Each question takes time in proportion to the number of edges.
//!
//! # Fairness
//!
//! With fairness, "run" means "fair run". Whether a run is fair does not depend on how it begins, so what matters is where fair runs begin: `fair` is the set
//! of nodes from which some run is fair, and *b* becomes `b & fair`. A run that stays in *a* for ever and is fair ends in a component
//! of the sub-graph of *a* that is fair (module `fairness`).
//!
//! # Symmetry
//!
//! The propositions have the same values in all states of an orbit, and a renaming maps fair runs to fair runs, since fairness
//! speaks of all actors alike. So all states of an orbit satisfy the same formulas, and it does not matter how many of them are nodes.

use crate::acceptor::Acceptor;
use crate::bits::Bits;
use crate::error::KripkeError;
use crate::fairness::Fairness;
use crate::hunt::Hunt;
use crate::pairs::Pairs;
use crate::product::Product;
use crate::structure::Structure;
use mandala_temporal::{Ctl, Guard, Proposition, Runs};
use std::sync::LazyLock;

/// The automaton that lets every run pass.
static ANY_RUN: LazyLock<Acceptor> = LazyLock::new(|| Acceptor::always(Guard::True));

/// Its only state makes no difference: pairs have the numbers of their nodes.
static NODES: Pairs = Pairs::All { states: 1 };

/// Decides formulas about one structure.
pub struct CtlChecker<'a> {
    pub(crate) product: Product<'a>,
    pub(crate) fairness: Fairness,
    origins: Origins,
    /// Where fair runs begin.
    pub(crate) fair: Bits,
}

/// A question about the runs from a node. "Some run does that" is asked; the dual is what a run does that does not.
pub(crate) enum Question {
    /// It comes into the set with its first step.
    Next(Bits),
    /// It stays in the first set until it comes into the second.
    Until(Bits, Bits),
    /// The same, or it stays in the first set for ever.
    WeakUntil(Bits, Bits),
}

impl Question {
    /// What runs do that do not do this.
    pub(crate) fn dual(self) -> Question {
        match self {
            Question::Next(mut set) => {
                set.invert();
                Question::Next(set)
            }
            Question::Until(before, goal) => {
                let (before, goal) = neither(before, goal);
                Question::WeakUntil(before, goal)
            }
            Question::WeakUntil(before, goal) => {
                let (before, goal) = neither(before, goal);
                Question::Until(before, goal)
            }
        }
    }
}

/// Not the second, and neither of both.
fn neither(mut before: Bits, mut goal: Bits) -> (Bits, Bits) {
    goal.invert();
    before.invert();
    before.intersect(&goal);
    (goal, before)
}

impl<'a> CtlChecker<'a> {
    /// A checker of formulas about a structure, whose runs are the fair ones.
    ///
    /// # Errors
    /// When the structure is too large.
    pub fn new(
        structure: &'a Structure,
        fairness: Fairness,
    ) -> Result<CtlChecker<'a>, KripkeError> {
        let mut checker = CtlChecker {
            product: Product::new(structure, &ANY_RUN, &NODES)?,
            fairness,
            origins: Origins::of(structure),
            fair: Bits::all(structure.nodes()),
        };
        if fairness != Fairness::None {
            checker.fair = checker.staying(&Bits::all(structure.nodes()));
        }
        Ok(checker)
    }

    /// The nodes that satisfy a formula.
    ///
    /// # Errors
    /// When the structure lacks a proposition.
    pub fn satisfying(&self, formula: &Ctl) -> Result<Bits, KripkeError> {
        require(self.product.structure, formula)?;
        Ok(self.nodes(formula))
    }

    /// The nodes that satisfy a formula about known propositions.
    pub(crate) fn nodes(&self, formula: &Ctl) -> Bits {
        match formula {
            Ctl::Constant(true) => Bits::all(self.product.nodes()),
            Ctl::Constant(false) => Bits::none(self.product.nodes()),
            Ctl::Proposition(proposition) => self.holding(*proposition),
            Ctl::Not(inner) => complement(self.nodes(inner)),
            Ctl::And(one, other) => {
                let mut both = self.nodes(one);
                both.intersect(&self.nodes(other));
                both
            }
            Ctl::Or(one, other) => either(self.nodes(one), &self.nodes(other)),
            Ctl::Implies(one, other) => either(complement(self.nodes(one)), &self.nodes(other)),
            Ctl::Next(runs, _)
            | Ctl::Eventually(runs, _)
            | Ctl::Always(runs, _)
            | Ctl::Until(runs, ..)
            | Ctl::WeakUntil(runs, ..) => self.quantified(*runs, self.question(formula)),
        }
    }

    /// The nodes from which all runs do that, or some.
    fn quantified(&self, runs: Runs, question: Question) -> Bits {
        match runs {
            Runs::Some => self.answer(&question),
            Runs::All => complement(self.answer(&question.dual())),
        }
    }

    /// The question about runs that the operator at the head of a formula asks; of a formula about a state alone, whether it holds now.
    pub(crate) fn question(&self, formula: &Ctl) -> Question {
        let all = || Bits::all(self.product.nodes());
        let none = || Bits::none(self.product.nodes());
        match formula {
            Ctl::Next(_, then) => Question::Next(self.nodes(then)),
            Ctl::Eventually(_, goal) => Question::Until(all(), self.nodes(goal)),
            Ctl::Always(_, always) => Question::WeakUntil(self.nodes(always), none()),
            Ctl::Until(_, before, goal) => Question::Until(self.nodes(before), self.nodes(goal)),
            Ctl::WeakUntil(_, before, goal) => {
                Question::WeakUntil(self.nodes(before), self.nodes(goal))
            }
            now => Question::Until(none(), self.nodes(now)),
        }
    }

    /// The nodes from which some fair run does that.
    fn answer(&self, question: &Question) -> Bits {
        match question {
            Question::Next(set) => self.before(&self.fairly(set)),
            Question::Until(before, goal) => self.leading(before, self.fairly(goal)),
            Question::WeakUntil(before, goal) => {
                let mut goal = self.fairly(goal);
                goal.unite(&self.recurrent(before));
                self.leading(before, goal)
            }
        }
    }

    /// The nodes of a set where fair runs begin.
    pub(crate) fn fairly(&self, set: &Bits) -> Bits {
        let mut set = set.clone();
        set.intersect(&self.fair);
        set
    }

    fn holding(&self, proposition: Proposition) -> Bits {
        let (structure, proposition) = (self.product.structure, proposition.0 as u32);
        let mut holding = Bits::none(structure.nodes());
        for node in 0..structure.nodes() as u32 {
            if structure.holds(proposition, node) {
                holding.insert(node as usize);
            }
        }
        holding
    }

    /// The nodes from which one step leads into a set.
    fn before(&self, set: &Bits) -> Bits {
        let mut before = Bits::none(set.length());
        for node in 0..set.length() {
            let mut steps = self.product.steps(node as u32);
            if steps.any(|step| set.has(step.target as usize)) {
                before.insert(node);
            }
        }
        before
    }

    /// The nodes of the goal, and those of a set from which a way inside it leads to the goal.
    fn leading(&self, set: &Bits, goal: Bits) -> Bits {
        let mut waiting: Vec<u32> = goal.iter().map(|node| node as u32).collect();
        let mut leading = goal;
        while let Some(node) = waiting.pop() {
            for &origin in self.origins.of_node(node) {
                if set.has(origin as usize) && leading.insert(origin as usize) {
                    waiting.push(origin);
                }
            }
        }
        leading
    }

    /// The nodes of a set from which some fair run stays in it for ever.
    fn staying(&self, set: &Bits) -> Bits {
        self.leading(set, self.recurrent(set))
    }

    /// The nodes of a set that some fair run inside it meets again and again.
    fn recurrent(&self, set: &Bits) -> Bits {
        let mut recurrent = Bits::none(set.length());
        let roots = set.iter().map(|node| node as u32).collect();
        let mut hunt = Hunt::new(self.product, self.fairness, roots, Some(set));
        while hunt.advance() {
            for &node in hunt.components.members() {
                recurrent.insert(node as usize);
            }
        }
        recurrent
    }
}

/// Whether the structure has all propositions of the formula.
fn require(structure: &Structure, formula: &Ctl) -> Result<(), KripkeError> {
    let mut known = Ok(());
    formula.each_proposition(&mut |proposition| {
        let number = u32::try_from(proposition.0).unwrap_or(u32::MAX);
        known = known.clone().and_then(|()| structure.knows(number));
    });
    known
}

fn either(mut one: Bits, other: &Bits) -> Bits {
    one.unite(other);
    one
}

fn complement(mut set: Bits) -> Bits {
    set.invert();
    set
}

/// For each node, the sources of the edges that lead there.
struct Origins {
    /// Where the sources for each node end.
    ends: Vec<u32>,
    sources: Vec<u32>,
}

impl Origins {
    fn of(structure: &Structure) -> Origins {
        let mut ends = vec![0; structure.nodes() + 1];
        for (_, target) in structure.pairs() {
            ends[target as usize + 1] += 1;
        }
        for node in 1..ends.len() {
            ends[node] += ends[node - 1];
        }
        // Each entry is where the next source for its node goes, and moves on to where they end.
        let mut sources = vec![0; structure.edge_count()];
        for (source, target) in structure.pairs() {
            let place = &mut ends[target as usize];
            sources[*place as usize] = source;
            *place += 1;
        }
        Origins { ends, sources }
    }

    fn of_node(&self, node: u32) -> &[u32] {
        let node = node as usize;
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sources[start as usize..self.ends[node] as usize]
    }
}
