//! Formulas decided by their definitions, for structures in which names stay, and runs that are held against them.

use super::dice::Dice;
use super::oracle::Oracle;
use super::world::PROPOSITIONS;
use mandala_kripke::{Accepting, Automaton, Ctl, Fairness, Structure, Temporal};

pub fn random_formula(dice: &mut Dice, depth: usize) -> Ctl {
    if depth == 0 {
        return match dice.below(8) {
            0 => Ctl::True,
            _ => Ctl::Proposition(dice.below(PROPOSITIONS) as u32),
        };
    }
    let inner = random_formula(dice, depth - 1);
    match dice.below(8) {
        0 => inner.not(),
        1 => inner.and(random_formula(dice, depth - 1)),
        2 => inner.or(random_formula(dice, depth - 1)),
        3 => random_formula(dice, 0).implies(inner),
        4 | 5 => Ctl::exists(random_temporal(dice, inner)),
        _ => Ctl::all(random_temporal(dice, inner)),
    }
}

fn random_temporal(dice: &mut Dice, inner: Ctl) -> Temporal {
    let other = random_formula(dice, 1);
    match dice.below(7) {
        0 => Temporal::Next(inner),
        1 => Temporal::Finally(inner),
        2 => Temporal::Globally(inner),
        3 => Temporal::Until(inner, other),
        4 => Temporal::Until(other, inner),
        5 => Temporal::WeakUntil(inner, other),
        _ => Temporal::WeakUntil(other, inner),
    }
}

/// A slow checker.
pub struct SlowCtl<'a> {
    structure: &'a Structure,
    oracle: Oracle,
    fairness: Fairness,
}

impl SlowCtl<'_> {
    pub fn new(structure: &Structure, fairness: Fairness) -> SlowCtl<'_> {
        let oracle = Oracle::new(structure, &Automaton::visiting(Accepting::Always));
        SlowCtl {
            structure,
            oracle,
            fairness,
        }
    }

    pub fn nodes(&self, formula: &Ctl) -> Vec<bool> {
        let all = 0..self.structure.nodes();
        match formula {
            Ctl::True => vec![true; all.len()],
            Ctl::Proposition(p) => all.map(|n| self.structure.holds(*p, n as u32)).collect(),
            Ctl::Not(inner) => not(&self.nodes(inner)),
            Ctl::And(a, b) => both(&self.nodes(a), &self.nodes(b)),
            Ctl::Or(a, b) => not(&both(&not(&self.nodes(a)), &not(&self.nodes(b)))),
            Ctl::Exists(temporal) => self.exists(temporal),
            Ctl::All(temporal) if self.fairness == Fairness::None => self.all(temporal),
            Ctl::All(temporal) => self.all_fair(temporal),
        }
    }

    fn successors(&self, node: usize) -> Vec<usize> {
        let edges = self.structure.edges(node as u32);
        let mut targets: Vec<usize> = edges.map(|e| self.structure.target(e) as usize).collect();
        if targets.is_empty() {
            targets.push(node);
        }
        targets
    }

    /// Repeats a rule from a first guess until nothing changes.
    fn fixpoint(&self, first: bool, rule: impl Fn(usize, &[bool]) -> bool) -> Vec<bool> {
        let mut now = vec![first; self.structure.nodes()];
        loop {
            let next: Vec<bool> = (0..now.len()).map(|node| rule(node, &now)).collect();
            if next == now {
                return now;
            }
            now = next;
        }
    }

    fn some(&self, node: usize, set: &[bool]) -> bool {
        self.successors(node).into_iter().any(|next| set[next])
    }

    fn every(&self, node: usize, set: &[bool]) -> bool {
        self.successors(node).into_iter().all(|next| set[next])
    }

    /// From where a fair run stays in a set.
    fn staying(&self, set: &[bool]) -> Vec<bool> {
        self.oracle.accepted(self.fairness, &|node| set[node])
    }

    fn exists(&self, temporal: &Temporal) -> Vec<bool> {
        let fair = self.staying(&vec![true; self.structure.nodes()]);
        let until = |a: &[bool], b: &[bool]| {
            let goal = both(b, &fair);
            self.fixpoint(false, |n, now| goal[n] || a[n] && self.some(n, now))
        };
        match temporal {
            Temporal::Next(a) => {
                let goal = both(&self.nodes(a), &fair);
                let nodes = 0..goal.len();
                nodes.map(|node| self.some(node, &goal)).collect()
            }
            Temporal::Finally(a) => until(&vec![true; fair.len()], &self.nodes(a)),
            Temporal::Globally(a) => self.staying(&self.nodes(a)),
            Temporal::Until(a, b) => until(&self.nodes(a), &self.nodes(b)),
            Temporal::WeakUntil(a, b) => {
                let (a, b) = (self.nodes(a), self.nodes(b));
                not(&both(&not(&until(&a, &b)), &not(&self.staying(&a))))
            }
        }
    }

    /// By the fixpoints that define it where all runs count.
    fn all(&self, temporal: &Temporal) -> Vec<bool> {
        match temporal {
            Temporal::Next(a) => {
                let goal = self.nodes(a);
                let nodes = 0..goal.len();
                nodes.map(|node| self.every(node, &goal)).collect()
            }
            Temporal::Finally(a) => {
                let a = self.nodes(a);
                self.fixpoint(false, |n, now| a[n] || self.every(n, now))
            }
            Temporal::Globally(a) => {
                let a = self.nodes(a);
                self.fixpoint(true, |n, now| a[n] && self.every(n, now))
            }
            Temporal::Until(a, b) | Temporal::WeakUntil(a, b) => {
                let weak = matches!(temporal, Temporal::WeakUntil(..));
                let (a, b) = (self.nodes(a), self.nodes(b));
                self.fixpoint(weak, |n, now| b[n] || a[n] && self.every(n, now))
            }
        }
    }

    fn all_fair(&self, temporal: &Temporal) -> Vec<bool> {
        let fails = |a: &Ctl, b: &Ctl| (b.clone().not(), a.clone().or(b.clone()).not());
        let failing = match temporal {
            Temporal::Next(a) => Temporal::Next(a.clone().not()),
            Temporal::Finally(a) => Temporal::Globally(a.clone().not()),
            Temporal::Globally(a) => Temporal::Finally(a.clone().not()),
            Temporal::Until(a, b) => {
                let (a, b) = fails(a, b);
                Temporal::WeakUntil(a, b)
            }
            Temporal::WeakUntil(a, b) => {
                let (a, b) = fails(a, b);
                Temporal::Until(a, b)
            }
        };
        not(&self.exists(&failing))
    }

    /// Whether a run, finite or with nodes that come again and again, shows that a formula holds where it begins, or that it does not.
    pub fn is_shown(&self, formula: &Ctl, holds: bool, run: &[usize], endless: bool) -> bool {
        assert_eq!(self.nodes(formula)[run[0]], holds);
        match (formula, holds) {
            (Ctl::Not(inner), _) => self.is_shown(inner, !holds, run, endless),
            (Ctl::And(a, b) | Ctl::Or(a, b), _) => [a, b].into_iter().any(|operand| {
                self.nodes(operand)[run[0]] == holds && self.is_shown(operand, holds, run, endless)
            }),
            (Ctl::Exists(temporal), true) => {
                let (a, b) = self.operands(temporal);
                does(temporal, &a, &b, run, endless)
            }
            (Ctl::All(temporal), false) => {
                let (a, b) = self.operands(temporal);
                fails(temporal, &a, &b, run, endless)
            }
            _ => run.len() == 1,
        }
    }

    fn operands(&self, temporal: &Temporal) -> (Vec<bool>, Vec<bool>) {
        match temporal {
            Temporal::Next(a) | Temporal::Finally(a) | Temporal::Globally(a) => {
                (self.nodes(a), Vec::new())
            }
            Temporal::Until(a, b) | Temporal::WeakUntil(a, b) => (self.nodes(a), self.nodes(b)),
        }
    }
}

fn until(run: &[usize], before: impl Fn(usize) -> bool, goal: impl Fn(usize) -> bool) -> bool {
    let first = run.iter().position(|&node| goal(node));
    first.is_some_and(|first| run[..first].iter().all(|&node| before(node)))
}

fn does(temporal: &Temporal, a: &[bool], b: &[bool], run: &[usize], endless: bool) -> bool {
    let for_ever = || endless && run.iter().all(|&node| a[node]);
    match temporal {
        Temporal::Next(_) => a[run[1]],
        Temporal::Finally(_) => run.iter().any(|&node| a[node]),
        Temporal::Globally(_) => for_ever(),
        Temporal::Until(..) => until(run, |n| a[n], |n| b[n]),
        Temporal::WeakUntil(..) => until(run, |n| a[n], |n| b[n]) || for_ever(),
    }
}

fn fails(temporal: &Temporal, a: &[bool], b: &[bool], run: &[usize], endless: bool) -> bool {
    let never_b = || endless && run.iter().all(|&node| !b[node]);
    let broken = || until(run, |n| !b[n], |n| !a[n] && !b[n]);
    match temporal {
        Temporal::Next(_) => !a[run[1]],
        Temporal::Finally(_) => endless && run.iter().all(|&node| !a[node]),
        Temporal::Globally(_) => run.iter().any(|&node| !a[node]),
        Temporal::Until(..) => broken() || never_b(),
        Temporal::WeakUntil(..) => broken(),
    }
}

fn not(set: &[bool]) -> Vec<bool> {
    set.iter().map(|inside| !inside).collect()
}

fn both(one: &[bool], other: &[bool]) -> Vec<bool> {
    one.iter()
        .zip(other)
        .map(|(one, other)| *one && *other)
        .collect()
}
