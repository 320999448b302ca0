//! Formulas of branching time, decided part by part on sets of states as plainly as possible.
//!
//! The states of the formula are the places that are remembered; what lies between two of them is passed through. What is said of the
//! places between means nothing.

use super::cycles::{Part, fair_parts, members, predecessors};
use super::runs::Runs;
use mandala_engine::Fairness;
use mandala_interpreter::Interpreter;
use mandala_model::expr::Expr;
use mandala_model::ids::ConditionId;
use mandala_model::property::{Ctl, Runs as Which};
use std::collections::BTreeMap;

/// A formula, the conditions that it speaks of and the runs that count.
pub(super) struct Formula<'a> {
    pub formula: &'a Ctl,
    pub propositions: Vec<(ConditionId, Expr)>,
    pub fairness: Fairness,
}

/// What is known of a formula.
pub(super) enum Answer {
    /// It holds in all states that runs start in.
    Holds,
    /// It does not hold in the state of this place, which is one of them.
    Fails(usize),
    /// A condition has no value in some state.
    NoValue,
}

/// Whether a formula holds in all states that runs start in.
pub(super) fn decide(runs: &Runs, interpreter: &Interpreter<'_>, asked: &Formula<'_>) -> Answer {
    let propositions = asked.propositions.iter();
    let propositions =
        propositions.map(|(id, condition)| Some((*id, met(runs, interpreter, condition)?)));
    let Some(propositions) = propositions.collect() else {
        return Answer::NoValue;
    };
    let mut deciding = Deciding {
        runs,
        propositions,
        before: predecessors(runs),
        fairness: asked.fairness,
        fair: Vec::new(),
    };
    deciding.fair = deciding.for_ever(&deciding.constant(true));
    let holds = deciding.part(asked.formula);
    match deciding.starts().into_iter().find(|&start| !holds[start]) {
        Some(start) => Answer::Fails(start),
        None => Answer::Holds,
    }
}

/// Where a condition is true; nothing if it has no value somewhere.
fn met(runs: &Runs, interpreter: &Interpreter<'_>, condition: &Expr) -> Option<Part> {
    let value = |place: usize| match runs.places[place].remembered {
        true => interpreter.evaluate(&runs.state(place), None, condition),
        false => Ok(0),
    };
    let values = (0..runs.places.len()).map(|place| value(place).map(|value| value != 0));
    values.collect::<Result<Part, _>>().ok()
}

struct Deciding<'a> {
    runs: &'a Runs,
    propositions: BTreeMap<ConditionId, Part>,
    before: Vec<Vec<usize>>,
    fairness: Fairness,
    /// Where some run that counts begins.
    fair: Part,
}

impl Deciding<'_> {
    fn part(&self, formula: &Ctl) -> Part {
        match formula {
            Ctl::Constant(value) => self.constant(*value),
            Ctl::Proposition(number) => self.propositions[&ConditionId::from(number.0)].clone(),
            Ctl::Not(f) => not(&self.part(f)),
            Ctl::And(f, g) => and(&self.part(f), &self.part(g)),
            Ctl::Or(f, g) => or(&self.part(f), &self.part(g)),
            Ctl::Implies(f, g) => or(&not(&self.part(f)), &self.part(g)),
            Ctl::Next(Which::Some, f) => self.next(&self.part(f)),
            Ctl::Next(Which::All, f) => not(&self.next(&not(&self.part(f)))),
            Ctl::Eventually(which, f) => self.until(*which, &self.constant(true), &self.part(f)),
            Ctl::Always(which, f) => self.weak_until(*which, &self.part(f), &self.constant(false)),
            Ctl::Until(which, f, g) => self.until(*which, &self.part(f), &self.part(g)),
            Ctl::WeakUntil(which, f, g) => self.weak_until(*which, &self.part(f), &self.part(g)),
        }
    }

    fn constant(&self, value: bool) -> Part {
        vec![value; self.runs.places.len()]
    }

    /// In all runs `f` lasts until `g` if in none `g` stays away while `f` ends or for ever.
    fn until(&self, which: Which, f: &Part, g: &Part) -> Part {
        let (no_f, no_g) = (not(f), not(g));
        match which {
            Which::Some => self.through(f, g),
            Which::All => not(&or(
                &self.through(&no_g, &and(&no_f, &no_g)),
                &self.for_ever(&no_g),
            )),
        }
    }

    fn weak_until(&self, which: Which, f: &Part, g: &Part) -> Part {
        let (no_f, no_g) = (not(f), not(g));
        match which {
            Which::Some => or(&self.through(f, g), &self.for_ever(f)),
            Which::All => not(&self.through(&no_g, &and(&no_f, &no_g))),
        }
    }

    /// Where the next state of some run is one of those.
    fn next(&self, goal: &Part) -> Part {
        let goals = self.goals(goal);
        self.leading(&goals, &self.constant(false))
    }

    /// Where some run is at the goal, or comes there through those.
    fn through(&self, way: &Part, goal: &Part) -> Part {
        let goals = self.goals(goal);
        and(&or(&goals, &self.leading(&goals, way)), &or(way, &goals))
    }

    /// Where some run stays for ever in those.
    fn for_ever(&self, within: &Part) -> Part {
        let allowed = self.passed(within);
        let parts = fair_parts(self.runs, allowed.clone(), self.fairness);
        let nowhere = self.constant(false);
        let rounds = parts.iter().fold(nowhere, |all, part| or(&all, part));
        and(&or(&rounds, &self.leading(&rounds, within)), &allowed)
    }

    /// The states among those in which a run begins that counts.
    fn goals(&self, goal: &Part) -> Part {
        let states = self.runs.places.iter().map(|place| place.remembered);
        and(&and(goal, &self.fair), &states.collect())
    }

    /// Those states, and what is passed through.
    fn passed(&self, states: &Part) -> Part {
        let places = self.runs.places.iter().zip(states);
        let is_passed = places.map(|(place, is_in)| *is_in || !place.remembered);
        is_passed.collect()
    }

    /// What leads to the goals by at least one step, through those states alone.
    fn leading(&self, goals: &Part, through: &Part) -> Part {
        let through = self.passed(through);
        let mut leading = self.constant(false);
        let mut waiting: Vec<usize> = members(goals).collect();
        while let Some(current) = waiting.pop() {
            for &before in &self.before[current] {
                if !leading[before] {
                    leading[before] = true;
                    waiting.extend(Some(before).filter(|&place| through[place]));
                }
            }
        }
        leading
    }

    /// The states that runs start in.
    fn starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut seen = self.constant(false);
        let mut waiting = vec![0];
        while let Some(place) = waiting.pop() {
            if seen[place] {
                continue;
            }
            seen[place] = true;
            match self.runs.places[place].remembered {
                true => starts.push(place),
                false => waiting.extend(self.runs.places[place].steps.iter().map(|step| step.to)),
            }
        }
        starts
    }
}

fn not(a: &Part) -> Part {
    a.iter().map(|a| !a).collect()
}

fn and(a: &Part, b: &Part) -> Part {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

fn or(a: &Part, b: &Part) -> Part {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}
