//! Values of a component by iteration from both sides.
//!
//! The lower bounds start with 0 and grow: *interval iteration*, Haddad and Monmege, *Interval iteration algorithm for MDPs and IMDPs*, 2018; Brazdil and others, *Verification of Markov decision
//! processes using learning algorithms*, ATVA 2014; Baier, Klein, Leuschner, Parker and Wunderlich, *Ensuring the reliability of your model checker: interval iteration for Markov decision
//! processes*, CAV 2017. The upper bounds start with a guess a little above the lower ones. If a sweep makes none of them greater, all of them are upper bounds: *optimistic value
//! iteration*, Hartmanns and Kaminski, CAV 2020. If no guess is one, they start with the certified bound of Baier and others: the sum of all that can be earned, each divided by the
//! probability not to come back. Then both go on until they are close.
//!
//! A sweep goes over the unknowns one after the other and uses the newest values, forwards and backwards in turn. Every operation is rounded outwards, so the bounds are right whenever the
//! iteration stops. Whether it *converges* decides only how good they are. That an upper bound shows in one sweep holds for the newest values, too: each new value is computed from values that later only fall.

use crate::bounds::Bounds;
use crate::part::{Part, PartRow};
use crate::rounding::{
    add_down, add_up, divide_down, divide_up, multiply_down, multiply_up, subtract_up,
};
use mandala_temporal::pctl::Optimum;

/// How often an upper bound is guessed.
const GUESSES: u32 = 6;

/// A side from which values are approached.
trait Side {
    fn of(bounds: Bounds) -> f64;
    fn add(a: f64, b: f64) -> f64;
    fn multiply(a: f64, b: f64) -> f64;
    fn divide(a: f64, b: Bounds) -> f64;
}

/// From below.
struct Below;

impl Side for Below {
    fn of(bounds: Bounds) -> f64 {
        bounds.lower
    }

    fn add(a: f64, b: f64) -> f64 {
        add_down(a, b)
    }

    fn multiply(a: f64, b: f64) -> f64 {
        multiply_down(a, b)
    }

    fn divide(a: f64, b: Bounds) -> f64 {
        divide_down(a, b.upper)
    }
}

/// From above.
struct Above;

impl Side for Above {
    fn of(bounds: Bounds) -> f64 {
        bounds.upper
    }

    fn add(a: f64, b: f64) -> f64 {
        add_up(a, b)
    }

    fn multiply(a: f64, b: f64) -> f64 {
        multiply_up(a, b)
    }

    fn divide(a: f64, b: Bounds) -> f64 {
        divide_up(a, b.lower)
    }
}

/// What a sweep takes over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// What is greater.
    Greater,
    /// What is less.
    Less,
    /// Everything.
    All,
}

/// What a sweep has changed.
#[derive(Clone, Copy, Default)]
struct Change {
    /// The greatest change, as a part of the value.
    most: f64,
    /// Whether a value became greater.
    grew: bool,
}

/// Bounds of all unknowns of a part of a proper system, as close as wanted if it takes no more work than is left: a lower and an upper bound differ by that part of the lower one, and by what the constants are not
/// known better.
pub(crate) fn iterate(part: &Part<'_, Bounds>, precision: f64, work: &mut u64) -> Vec<Bounds> {
    let mut iteration = Iteration {
        part,
        lower: vec![0.0; part.len()],
        sweeps: 0,
        work,
    };
    let upper = iteration.upper_start(precision);
    iteration.close_in(upper, precision + 2.0 * width_of_constants(part))
}

/// How far apart the bounds of a constant are at most, as a part of it.
fn width_of_constants(part: &Part<'_, Bounds>) -> f64 {
    let rows = (0..part.len() as u32).flat_map(|unknown| part.rows(unknown));
    let constants = rows.map(|row| part.row(row).constant);
    let widths = constants
        .filter(|it| it.upper > it.lower)
        .map(|it| subtract_up(it.upper, it.lower) / it.lower);
    widths.fold(0.0, f64::max)
}

struct Iteration<'a> {
    part: &'a Part<'a, Bounds>,
    lower: Vec<f64>,
    sweeps: u64,
    work: &'a mut u64,
}

impl Iteration<'_> {
    /// Upper bounds to start with. The lower bounds are good afterwards.
    fn upper_start(&mut self, precision: f64) -> Vec<f64> {
        let mut closeness = precision / 4.0;
        for _ in 0..GUESSES {
            self.raise(closeness);
            let guess = self
                .lower
                .iter()
                .map(|value| value * (1.0 + precision / 2.0));
            if let Some(upper) = self.verified(guess.collect()) {
                return upper;
            }
            closeness /= 10.0;
        }
        vec![certified_bound(self.part); self.part.len()]
    }

    /// Raises the lower bounds until they seem to be that close: by what is left if changes go on getting smaller as they do.
    fn raise(&mut self, closeness: f64) {
        let mut before = None;
        while self.is_allowed() {
            let change = self.sweep_round();
            let is_close = |before: f64| {
                let ratio = change / before;
                ratio < 1.0 && change * ratio / (1.0 - ratio) <= closeness
            };
            if change == 0.0 || before.is_some_and(is_close) {
                return;
            }
            before = Some(change);
        }
    }

    /// Sweeps twice in each direction, and says what the greatest change was.
    fn sweep_round(&mut self) -> f64 {
        (0..4).fold(0.0, |most, _| self.sweep_below().most.max(most))
    }

    /// Upper bounds made of a guess, if some sweeps show that they are.
    fn verified(&mut self, mut guess: Vec<f64>) -> Option<Vec<f64>> {
        for _ in 0..self.sweeps + 10 {
            if !self.is_allowed() {
                return None;
            }
            let backwards = self.next_direction();
            let change = sweep::<Above>(self.part, &mut guess, Keep::All, backwards);
            if !change.grew {
                return Some(guess);
            }
            if self.lower.iter().zip(&guess).any(|(lower, it)| it < lower) {
                return None;
            }
        }
        None
    }

    /// Goes on from both sides until the bounds are close, nothing changes any more, or there is no more work allowed.
    fn close_in(&mut self, mut upper: Vec<f64>, precision: f64) -> Vec<Bounds> {
        let is_close =
            |(&lower, &upper): (&f64, &f64)| Bounds { lower, upper }.is_within(precision);
        while !self.lower.iter().zip(&upper).all(is_close) && self.is_allowed() {
            let below = self.sweep_below();
            let backwards = self.next_direction();
            let above = sweep::<Above>(self.part, &mut upper, Keep::Less, backwards);
            if below.most == 0.0 && above.most == 0.0 {
                break;
            }
        }
        let both = self.lower.iter().zip(upper);
        both.map(|(&lower, upper)| Bounds { lower, upper })
            .collect()
    }

    fn sweep_below(&mut self) -> Change {
        let backwards = self.next_direction();
        sweep::<Below>(self.part, &mut self.lower, Keep::Greater, backwards)
    }

    /// Whether the next sweep goes backwards; it is counted.
    fn next_direction(&mut self) -> bool {
        self.sweeps += 1;
        *self.work = self.work.saturating_sub(self.part.size());
        self.sweeps % 4 < 2
    }

    fn is_allowed(&self) -> bool {
        *self.work > 0
    }
}

/// Computes all unknowns once more.
fn sweep<S: Side>(
    part: &Part<'_, Bounds>,
    values: &mut [f64],
    keep: Keep,
    backwards: bool,
) -> Change {
    let mut change = Change::default();
    for place in 0..values.len() {
        let unknown = if backwards {
            values.len() - 1 - place
        } else {
            place
        };
        let (old, new) = (values[unknown], best::<S>(part, unknown as u32, values));
        let taken = match keep {
            Keep::Greater => new.max(old),
            Keep::Less => new.min(old),
            Keep::All => new,
        };
        if taken != old {
            change.grew |= taken > old;
            let part_of = (taken - old).abs() / taken.max(f64::MIN_POSITIVE);
            change.most = change.most.max(part_of);
            values[unknown] = taken;
        }
    }
    change
}

/// The value of the best row.
fn best<S: Side>(part: &Part<'_, Bounds>, unknown: u32, values: &[f64]) -> f64 {
    let rows = part.rows(unknown).map(|row| part.row(row));
    let of_rows = rows.map(|row| row_value::<S>(part, unknown, row, values));
    match part.optimum {
        Optimum::Least => of_rows.fold(f64::INFINITY, f64::min),
        Optimum::Greatest => of_rows.fold(0.0, f64::max),
    }
}

/// The value of a row. What leads back to its own unknown is accounted for by a division.
fn row_value<S: Side>(
    part: &Part<'_, Bounds>,
    unknown: u32,
    row: &PartRow<Bounds>,
    values: &[f64],
) -> f64 {
    let mut sum = S::of(row.constant);
    for term in part.terms(row) {
        if row.rest.is_some() && term.unknown == unknown {
            continue;
        }
        let weight = S::of(part.weights.bounds(term.weight));
        sum = S::add(sum, S::multiply(weight, values[term.unknown as usize]));
    }
    match row.rest {
        Some(rest) => S::divide(sum, rest),
        None => sum,
    }
}

/// The value of the only unknown of a part.
pub(crate) fn single(part: &Part<'_, Bounds>) -> Bounds {
    Bounds {
        lower: best::<Below>(part, 0, &[0.0]),
        upper: best::<Above>(part, 0, &[0.0]),
    }
}

/// An upper bound of all unknowns: each is entered at most as often as one divided by the probability not to come back to it, and earns its constant each time. That probability is not less than that of
/// ways out of the part on which the distance to what is outside falls with each step.
fn certified_bound(part: &Part<'_, Bounds>) -> f64 {
    let Some(leaving) = leaving(part) else {
        return f64::INFINITY;
    };
    let all = 0..part.len() as u32;
    let earned = all.map(|unknown| {
        let rows = part.rows(unknown).map(|row| part.row(row).constant.upper);
        divide_up(rows.fold(0.0, f64::max), leaving[unknown as usize])
    });
    earned.fold(0.0, add_up)
}

/// For each unknown a lower bound of the probability to leave the part without coming back to it: whatever is chosen if the greatest value is asked for, by the best choice otherwise.
fn leaving(part: &Part<'_, Bounds>) -> Option<Vec<f64>> {
    let mut found: Vec<Option<f64>> = vec![None; part.len()];
    loop {
        let mut new = Vec::new();
        for unknown in 0..part.len() as u32 {
            if found[unknown as usize].is_none() {
                let rows = part.rows(unknown).map(|row| leaving_by(part, row, &found));
                let least = match part.optimum {
                    Optimum::Greatest => rows.fold(1.0, f64::min),
                    Optimum::Least => rows.fold(0.0, f64::max),
                };
                new.extend((least > 0.0).then_some((unknown, least)));
            }
        }
        if new.is_empty() {
            return found.into_iter().collect();
        }
        for (unknown, least) in new {
            found[unknown as usize] = Some(least);
        }
    }
}

/// That probability for a row, by what is found already.
fn leaving_by(part: &Part<'_, Bounds>, row: u32, found: &[Option<f64>]) -> f64 {
    let row = part.row(row);
    let terms = part.terms(row).iter();
    let sum = terms.fold(row.exit.lower, |sum, term| {
        let next = found[term.unknown as usize].unwrap_or(0.0);
        let weight = part.weights.bounds(term.weight).lower;
        add_down(sum, multiply_down(weight, next))
    });
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Exact;
    use crate::process::{Kind, Process, ProcessBuilder};
    use crate::solve::{Effort, Solve};
    use crate::system::{Recipe, System};
    use dashu_ratio::RBig;

    static NOTHING: RBig = RBig::ZERO;

    /// A process in which every choice arrives at the last state with some probability.
    fn random(seed: &mut u64, states: u32) -> Process {
        let mut below = |bound: u32| {
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            (*seed >> 20) as u32 % bound
        };
        let part = |number: u32| RBig::from(number) / RBig::from(8);
        let mut builder = ProcessBuilder::new(Kind::Decisions, 0, 0);
        builder.start(0);
        for _ in 0..states {
            for _ in 0..1 + below(2) {
                let arriving = 1 + below(3);
                builder.branch(states, &part(arriving)).unwrap();
                builder.branch(below(states), &part(2)).unwrap();
                builder.branch(below(states), &part(6 - arriving)).unwrap();
                builder.close_choice(&[]).unwrap();
            }
            builder.close_state(&[], &[]).unwrap();
        }
        builder.close_state(&[], &[]).unwrap();
        builder.finish().unwrap()
    }

    /// The bounds by iteration, the certified bound to start with, and the exact values.
    fn solved(process: &Process, optimum: Optimum) -> (Vec<Bounds>, f64, Vec<Exact>) {
        let count = process.states() as u32 - 1;
        let unknowns: Vec<Option<u32>> = (0..=count).map(|it| (it < count).then_some(it)).collect();
        let system = System::new(&Recipe {
            process,
            optimum,
            unknowns: &unknowns,
            count,
            known: &|_| Some(&NOTHING),
            counts: &|_| true,
            gain: &|state, choice| RBig::from(state + choice % 3),
        });
        let members: Vec<u32> = (0..count).collect();
        let part = Part::<Bounds>::new(&system, &members, &Some, &[]);
        let effort = Effort {
            precision: 1e-9,
            work: 1 << 40,
        };
        let mut work = effort.work;
        let found = iterate(&part, effort.precision, &mut work);
        let exact = Exact::solve(&system, effort).unwrap();
        (found, certified_bound(&part), exact)
    }

    #[test]
    fn bounds_enclose_the_exact_values_and_the_certified_bound_is_above_them() {
        let mut seed = 5;
        for _ in 0..40 {
            let process = random(&mut seed, 9);
            for optimum in [Optimum::Least, Optimum::Greatest] {
                let (found, above, exact) = solved(&process, optimum);
                for (bounds, exact) in found.iter().zip(&exact) {
                    let exact = exact.finite().unwrap();
                    assert!(
                        bounds.contain(exact) && bounds.is_within(1e-8),
                        "{bounds:?} {exact}"
                    );
                    assert!(Bounds::of(exact).upper <= above);
                }
            }
        }
    }

    #[test]
    fn what_is_not_converged_has_bounds_that_are_right() {
        let mut seed = 6;
        let process = random(&mut seed, 9);
        let (found, ..) = solved(&process, Optimum::Greatest);
        let count = process.states() as u32 - 1;
        let unknowns: Vec<Option<u32>> = (0..=count).map(|it| (it < count).then_some(it)).collect();
        let system = System::new(&Recipe {
            process: &process,
            optimum: Optimum::Greatest,
            unknowns: &unknowns,
            count,
            known: &|_| Some(&NOTHING),
            counts: &|_| true,
            gain: &|state, choice| RBig::from(state + choice % 3),
        });
        let members: Vec<u32> = (0..count).collect();
        let part = Part::<Bounds>::new(&system, &members, &Some, &[]);
        let early = iterate(&part, 1e-9, &mut 60);
        for (early, late) in early.iter().zip(&found) {
            assert!(early.lower <= late.lower && late.upper <= early.upper);
        }
        assert!(early.iter().any(|it| !it.is_within(1e-3)));
    }
}
