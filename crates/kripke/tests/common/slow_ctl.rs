//! Formulas decided by their definitions, for structures in which names stay, and runs that are held against them.

use super::dice::RandomSource;
use super::oracle::Oracle;
use super::world::PROPOSITIONS;
use mandala_kripke::{Acceptor, Fairness, Structure};
use mandala_temporal::{Ctl, Guard, Runs};

pub(crate) fn random_formula(dice: &mut RandomSource, depth: usize) -> Ctl {
    if depth == 0 {
        return match dice.below(8) {
            0 => Ctl::Constant(dice.chance(50)),
            _ => Ctl::proposition(dice.below(PROPOSITIONS)),
        };
    }
    let inner = random_formula(dice, depth - 1);
    match dice.below(8) {
        0 => inner.negate(),
        1 => inner.and(random_formula(dice, depth - 1)),
        2 => inner.or(random_formula(dice, depth - 1)),
        3 => random_formula(dice, 0).implies(inner),
        4 | 5 => random_temporal(dice, Runs::Some, inner),
        _ => random_temporal(dice, Runs::All, inner),
    }
}

fn random_temporal(dice: &mut RandomSource, runs: Runs, inner: Ctl) -> Ctl {
    let other = random_formula(dice, 1);
    match dice.below(7) {
        0 => inner.next(runs),
        1 => inner.eventually(runs),
        2 => inner.always(runs),
        3 => inner.until(runs, other),
        4 => other.until(runs, inner),
        5 => inner.weak_until(runs, other),
        _ => other.weak_until(runs, inner),
    }
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

/// A slow checker.
pub(crate) struct SlowCtl<'a> {
    structure: &'a Structure,
    oracle: Oracle,
    fairness: Fairness,
}

impl SlowCtl<'_> {
    pub(crate) fn new(structure: &Structure, fairness: Fairness) -> SlowCtl<'_> {
        let oracle = Oracle::new(structure, &Acceptor::always(Guard::True));
        SlowCtl {
            structure,
            oracle,
            fairness,
        }
    }

    pub(crate) fn nodes(&self, formula: &Ctl) -> Vec<bool> {
        let all = 0..self.structure.nodes();
        match formula {
            Ctl::Constant(value) => vec![*value; all.len()],
            Ctl::Proposition(p) => all
                .map(|n| self.structure.holds(p.0 as u32, n as u32))
                .collect(),
            Ctl::Not(inner) => not(&self.nodes(inner)),
            Ctl::And(a, b) => both(&self.nodes(a), &self.nodes(b)),
            Ctl::Or(a, b) => not(&both(&not(&self.nodes(a)), &not(&self.nodes(b)))),
            Ctl::Implies(a, b) => not(&both(&self.nodes(a), &not(&self.nodes(b)))),
            quantified => match quantifier(quantified) {
                Some(Runs::Some) => self.exists(quantified),
                _ if self.fairness == Fairness::None => self.all(quantified),
                _ => self.all_fair(quantified),
            },
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

    fn exists(&self, temporal: &Ctl) -> Vec<bool> {
        let fair = self.staying(&vec![true; self.structure.nodes()]);
        let until = |a: &[bool], b: &[bool]| {
            let goal = both(b, &fair);
            self.fixpoint(false, |n, now| goal[n] || a[n] && self.some(n, now))
        };
        match temporal {
            Ctl::Next(_, a) => {
                let goal = both(&self.nodes(a), &fair);
                let nodes = 0..goal.len();
                nodes.map(|node| self.some(node, &goal)).collect()
            }
            Ctl::Eventually(_, a) => until(&vec![true; fair.len()], &self.nodes(a)),
            Ctl::Always(_, a) => self.staying(&self.nodes(a)),
            Ctl::Until(_, a, b) => until(&self.nodes(a), &self.nodes(b)),
            Ctl::WeakUntil(_, a, b) => {
                let (a, b) = (self.nodes(a), self.nodes(b));
                not(&both(&not(&until(&a, &b)), &not(&self.staying(&a))))
            }
            other => unreachable!("{other:?} has no quantifier"),
        }
    }

    /// By the fixpoints that define it where all runs count.
    fn all(&self, temporal: &Ctl) -> Vec<bool> {
        match temporal {
            Ctl::Next(_, a) => {
                let goal = self.nodes(a);
                let nodes = 0..goal.len();
                nodes.map(|node| self.every(node, &goal)).collect()
            }
            Ctl::Eventually(_, a) => {
                let a = self.nodes(a);
                self.fixpoint(false, |n, now| a[n] || self.every(n, now))
            }
            Ctl::Always(_, a) => {
                let a = self.nodes(a);
                self.fixpoint(true, |n, now| a[n] && self.every(n, now))
            }
            Ctl::Until(_, a, b) | Ctl::WeakUntil(_, a, b) => {
                let weak = matches!(temporal, Ctl::WeakUntil(..));
                let (a, b) = (self.nodes(a), self.nodes(b));
                self.fixpoint(weak, |n, now| b[n] || a[n] && self.every(n, now))
            }
            other => unreachable!("{other:?} has no quantifier"),
        }
    }

    fn all_fair(&self, temporal: &Ctl) -> Vec<bool> {
        let some = Runs::Some;
        let fails = |a: &Ctl, b: &Ctl| (b.clone().negate(), a.clone().or(b.clone()).negate());
        let negated = |a: &Ctl| a.clone().negate();
        let failing = match temporal {
            Ctl::Next(_, a) => negated(a).next(some),
            Ctl::Eventually(_, a) => negated(a).always(some),
            Ctl::Always(_, a) => negated(a).eventually(some),
            Ctl::Until(_, a, b) => {
                let (a, b) = fails(a, b);
                a.weak_until(some, b)
            }
            Ctl::WeakUntil(_, a, b) => {
                let (a, b) = fails(a, b);
                a.until(some, b)
            }
            other => unreachable!("{other:?} has no quantifier"),
        };
        not(&self.exists(&failing))
    }

    /// Whether a run, finite or with nodes that come again and again, shows that a formula holds where it begins, or that it does not.
    pub(crate) fn is_shown(
        &self,
        formula: &Ctl,
        holds: bool,
        run: &[usize],
        endless: bool,
    ) -> bool {
        assert_eq!(self.nodes(formula)[run[0]], holds);
        let operand = |operand: &Ctl, holds: bool| {
            self.nodes(operand)[run[0]] == holds && self.is_shown(operand, holds, run, endless)
        };
        match (formula, quantifier(formula), holds) {
            (Ctl::Not(inner), ..) => self.is_shown(inner, !holds, run, endless),
            (Ctl::And(a, b) | Ctl::Or(a, b), ..) => operand(a, holds) || operand(b, holds),
            (Ctl::Implies(a, b), ..) => operand(a, !holds) || operand(b, holds),
            (temporal, Some(Runs::Some), true) => {
                let (a, b) = self.operands(temporal);
                does(temporal, &a, &b, run, endless)
            }
            (temporal, Some(Runs::All), false) => {
                let (a, b) = self.operands(temporal);
                fails(temporal, &a, &b, run, endless)
            }
            _ => run.len() == 1,
        }
    }

    fn operands(&self, temporal: &Ctl) -> (Vec<bool>, Vec<bool>) {
        let mut operands = temporal.operands().map(|operand| self.nodes(operand));
        let first = operands.next().expect("it has an operand");
        (first, operands.next().unwrap_or_default())
    }
}

fn until(run: &[usize], before: impl Fn(usize) -> bool, goal: impl Fn(usize) -> bool) -> bool {
    let first = run.iter().position(|&node| goal(node));
    first.is_some_and(|first| run[..first].iter().all(|&node| before(node)))
}

fn does(temporal: &Ctl, a: &[bool], b: &[bool], run: &[usize], endless: bool) -> bool {
    let for_ever = || endless && run.iter().all(|&node| a[node]);
    match temporal {
        Ctl::Next(..) => a[run[1]],
        Ctl::Eventually(..) => run.iter().any(|&node| a[node]),
        Ctl::Always(..) => for_ever(),
        Ctl::Until(..) => until(run, |n| a[n], |n| b[n]),
        Ctl::WeakUntil(..) => until(run, |n| a[n], |n| b[n]) || for_ever(),
        other => unreachable!("{other:?} has no quantifier"),
    }
}

fn fails(temporal: &Ctl, a: &[bool], b: &[bool], run: &[usize], endless: bool) -> bool {
    let never_b = || endless && run.iter().all(|&node| !b[node]);
    let broken = || until(run, |n| !b[n], |n| !a[n] && !b[n]);
    match temporal {
        Ctl::Next(..) => !a[run[1]],
        Ctl::Eventually(..) => endless && run.iter().all(|&node| !a[node]),
        Ctl::Always(..) => run.iter().any(|&node| !a[node]),
        Ctl::Until(..) => broken() || never_b(),
        Ctl::WeakUntil(..) => broken(),
        other => unreachable!("{other:?} has no quantifier"),
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
