//! Runs that show why a formula holds or does not.
//!
//! "Some run" is shown by a run, and so is "not all runs". A run that comes to a node where an inner formula matters goes on
//! from there if that formula can be shown by a run in turn: `AG (p -> AF q)` is refuted by a way to a node with *p* and a cycle
//! without *q*. Where it cannot, as in `AG EF p`, the run ends, and the evidence says what is true of its last node.

use crate::bits::Bits;
use crate::error::KripkeError;
use crate::fairness::Fairness;
use crate::hunt::Hunt;
use crate::labelling::{CtlChecker, Question};
use crate::lasso::{Lasso, Move, lasso, moves};
use crate::shortest_paths::{walk, way};
use crate::structure::Structure;
use mandala_temporal::{Ctl, Runs};

/// Whether a formula holds in all starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtlVerdict {
    /// Whether it does.
    pub holds: bool,
    /// A run that shows it, if one can. It shows that the formula holds in the start where it begins, if it holds in all;
    /// otherwise that it does not hold there. What does not hold always has evidence, be it a run without moves.
    pub evidence: Option<Evidence>,
}

/// A run from a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A finite run. With fairness, a fair run goes on from its end.
    Path {
        /// How it gets to its end.
        moves: Vec<Move>,
        /// Its last node.
        end: u32,
        /// What is to be known of the last node. If the formula is about propositions alone, a look at the node shows it. Otherwise
        /// no single run could show it.
        fact: Fact,
    },
    /// An infinite run, which is fair.
    Lasso(Lasso),
}

/// Whether a node satisfies a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The formula.
    pub formula: Ctl,
    /// Whether the node does.
    pub holds: bool,
}

/// Decides whether a formula holds in all starts of a structure. For several formulas a [`CtlChecker`] does the common work once.
///
/// # Errors
/// When the structure lacks a proposition or is too large.
pub fn check_ctl(
    structure: &Structure,
    formula: &Ctl,
    fairness: Fairness,
) -> Result<CtlVerdict, KripkeError> {
    CtlChecker::new(structure, fairness)?.check(formula)
}

impl CtlChecker<'_> {
    /// Decides whether a formula holds in all starts.
    ///
    /// # Errors
    /// When the structure lacks a proposition.
    pub fn check(&self, formula: &Ctl) -> Result<CtlVerdict, KripkeError> {
        let nodes = self.satisfying(formula)?;
        let starts = self.product.structure.starts();
        let failing = of_kind(starts, &nodes, false);
        let holds = failing.is_empty();
        let evidence = if holds {
            self.show(formula, true, starts)
        } else {
            let shown = self.show(formula, false, &failing);
            let plain = || ended(Vec::new(), failing[0], fact(formula, false));
            Some(shown.unwrap_or_else(plain))
        };
        Ok(CtlVerdict { holds, evidence })
    }

    /// A run from one of some nodes that shows why the formula holds in all of them, or in none.
    fn show(&self, formula: &Ctl, holds: bool, sources: &[u32]) -> Option<Evidence> {
        match formula {
            Ctl::Not(inner) => self.show(inner, !holds, sources),
            Ctl::And(one, other) | Ctl::Or(one, other) => [one, other]
                .into_iter()
                .find_map(|operand| self.show_operand(operand, holds, sources)),
            Ctl::Implies(one, other) => self
                .show_operand(one, !holds, sources)
                .or_else(|| self.show_operand(other, holds, sources)),
            _ => self.show_quantified(formula, holds, sources),
        }
    }

    /// The same of a formula with a quantifier at its head.
    fn show_quantified(&self, formula: &Ctl, holds: bool, sources: &[u32]) -> Option<Evidence> {
        match (quantifier(formula)?, holds) {
            (Runs::Some, true) => {
                let end = fact(last(formula)?, true);
                self.show_run(self.question(formula), end, sources)
            }
            (Runs::All, false) => {
                let end = fact(&last_failing(formula)?, false);
                self.show_run(self.question(formula).dual(), end, sources)
            }
            _ => None,
        }
    }

    /// Shows it of an operand, from where that decides.
    fn show_operand(&self, operand: &Ctl, holds: bool, sources: &[u32]) -> Option<Evidence> {
        let deciding = of_kind(sources, &self.nodes(operand), holds);
        let any = !deciding.is_empty();
        any.then(|| self.show(operand, holds, &deciding)).flatten()
    }

    /// A run that does what is asked, from one of some nodes; when it has come to its goal, the fact is so.
    fn show_run(&self, question: Question, fact: Fact, sources: &[u32]) -> Option<Evidence> {
        let (product, all) = (self.product, |_| true);
        let found = match &question {
            Question::Next(set) => {
                let goal = self.fairly(set);
                walk(product, sources.get(..1)?, all, |node| {
                    goal.has(node as usize)
                })
            }
            Question::Until(before, goal) | Question::WeakUntil(before, goal) => {
                let goal = self.fairly(goal);
                let open = |node: u32| before.has(node as usize) || goal.has(node as usize);
                way(product, sources, open, |node| goal.has(node as usize))
            }
        };
        match (found, &question) {
            (Some(way), _) => {
                let moves = moves(product, &way.steps);
                Some(self.continued(moves, way.end(), fact))
            }
            (None, Question::WeakUntil(before, _)) => self.show_for_ever(before, sources),
            (None, _) => None,
        }
    }

    /// A fair run from one of some nodes that stays in a set.
    fn show_for_ever(&self, set: &Bits, sources: &[u32]) -> Option<Evidence> {
        let sources = of_kind(sources, set, true);
        let mut hunt = Hunt::new(self.product, self.fairness, sources.clone(), Some(set));
        let open = |node: u32| set.has(node as usize);
        let found = hunt.advance();
        found.then(|| Evidence::Lasso(lasso(&hunt, &sources, open)))
    }

    /// Goes on from the end of a way, if a run can show the fact.
    fn continued(&self, mut moves: Vec<Move>, end: u32, fact: Fact) -> Evidence {
        match self.show(&fact.formula, fact.holds, &[end]) {
            None => ended(moves, end, fact),
            Some(Evidence::Path {
                moves: more,
                end,
                fact,
            }) => {
                moves.extend(more);
                ended(moves, end, fact)
            }
            Some(Evidence::Lasso(mut lasso)) => {
                moves.append(&mut lasso.prefix);
                lasso.prefix = moves;
                Evidence::Lasso(lasso)
            }
        }
    }
}

fn ended(moves: Vec<Move>, end: u32, fact: Fact) -> Evidence {
    Evidence::Path { moves, end, fact }
}

fn fact(formula: &Ctl, holds: bool) -> Fact {
    let formula = formula.clone();
    Fact { formula, holds }
}

/// Those nodes that are in a set, or those that are not.
fn of_kind(nodes: &[u32], set: &Bits, inside: bool) -> Vec<u32> {
    let kind = |node: &u32| set.has(*node as usize) == inside;
    nodes.iter().copied().filter(kind).collect()
}

/// The quantifier at the head of a formula.
fn quantifier(formula: &Ctl) -> Option<Runs> {
    match formula {
        Ctl::Next(runs, _)
        | Ctl::Eventually(runs, _)
        | Ctl::Always(runs, _)
        | Ctl::Until(runs, ..)
        | Ctl::WeakUntil(runs, ..) => Some(*runs),
        _ => None,
    }
}

/// What holds where a run has done what was asked.
fn last(formula: &Ctl) -> Option<&Ctl> {
    formula.operands().last()
}

/// What does not hold where a run has failed to do what was asked.
fn last_failing(formula: &Ctl) -> Option<Ctl> {
    match formula {
        Ctl::Until(_, before, goal) | Ctl::WeakUntil(_, before, goal) => {
            Some((**before).clone().or((**goal).clone()))
        }
        other => last(other).cloned(),
    }
}
