//! Values in continuous time, against closed forms and against series that are summed in rational numbers.

use crate::common::{
    Lists, finally_within, probability, proposition, ratio, reward, until_within, value,
};
use dashu_ratio::RBig;
use mandala_markov::{Bounds, Kind, Numbers, Process};
use mandala_temporal::pctl::{Accumulation, Measure, PathFormula, StateFormula};

/// Up with one rate and down with another.
fn switch(up: u64, down: u64) -> Process {
    let mut lists = Lists::new(Kind::ContinuousChain, 2);
    lists.choice(0, &[(1, ratio(up, 1))]);
    lists.choice(1, &[(0, ratio(down, 1))]);
    lists.earned = vec![0, 5];
    lists.labels = vec![vec![1], vec![0]];
    lists.process(0)
}

fn bounds(process: &Process, measure: &Measure) -> Bounds {
    value(process, measure, Numbers::Bounds).bounds
}

/// Bounds of e to the power of minus a number, summed exactly: the series of a positive exponent, cut off where the rest is less than a part of it, and turned round.
fn exponential(number: &RBig) -> (RBig, RBig) {
    let (mut sum, mut term, mut place) = (RBig::ZERO, RBig::ONE, 0_u64);
    while place < 40 || term > ratio(1, 1 << 60) * &sum {
        sum += &term;
        place += 1;
        term = term * number / RBig::from(place);
    }
    let rest = ratio(2, 1) * &term;
    (RBig::ONE / (&sum + rest), RBig::ONE / sum)
}

/// Whether bounds and an exact interval meet, and the bounds are close.
fn meets(found: Bounds, least: &RBig, most: &RBig) {
    let lower = RBig::try_from(found.lower).unwrap();
    let upper = RBig::try_from(found.upper).unwrap();
    assert!(
        lower <= *most && *least <= upper,
        "{found:?} {least} {most}"
    );
    assert!(found.is_within(1e-6), "{found:?}");
}

#[test]
fn a_switch_has_a_closed_form_at_each_time() {
    let process = switch(3, 1);
    for time in [ratio(1, 1000), ratio(1, 4), ratio(2, 1), ratio(50, 1)] {
        // up/(up + down) (1 - exp(-(up + down) t)), and five times as much is earned.
        let (least, most) = exponential(&(ratio(4, 1) * &time));
        let part = |power: &RBig| ratio(15, 4) * (RBig::ONE - power);
        let at = bounds(&process, &reward(None, Accumulation::At(time.clone())));
        meets(at, &part(&most), &part(&least));
        // Its integral.
        let integral = |power: &RBig| ratio(15, 4) * (&time - (RBig::ONE - power) / ratio(4, 1));
        let earned = bounds(&process, &reward(None, Accumulation::UpTo(time.clone())));
        meets(earned, &integral(&least), &integral(&most));
    }
}

#[test]
fn what_comes_first_comes_by_an_exponential_distribution() {
    let process = switch(3, 1);
    let (least, most) = exponential(&ratio(6, 1));
    let path = finally_within(proposition(0), ratio(2, 1));
    let found = bounds(&process, &probability(None, path.clone()));
    meets(found, &(RBig::ONE - &most), &(RBig::ONE - &least));
    // The opposite is what is left.
    let never = bounds(
        &process,
        &probability(None, PathFormula::Not(Box::new(path))),
    );
    meets(never, &least, &most);
}

#[test]
fn a_time_that_begins_later_is_waited_for() {
    let process = switch(3, 1);
    // It stays down until 1, and comes up until 2.
    let path = until_within(
        proposition(1),
        proposition(0),
        ratio(1, 1),
        Some(ratio(2, 1)),
    );
    let found = bounds(&process, &probability(None, path));
    let ((a, b), (c, d)) = (exponential(&ratio(3, 1)), exponential(&ratio(6, 1)));
    meets(found, &(&a - &d), &(&b - &c));
    // At any time from 1 on.
    let path = until_within(proposition(1), proposition(0), ratio(1, 1), None);
    let found = bounds(&process, &probability(None, path));
    meets(found, &a, &b);
    // Whatever happens before.
    let anything = StateFormula::Constant(true);
    let path = until_within(anything, proposition(0), ratio(1, 1), Some(ratio(1, 1)));
    let found = bounds(&process, &probability(None, path));
    let (least, most) = exponential(&ratio(4, 1));
    let part = |power: &RBig| ratio(3, 4) * (RBig::ONE - power);
    meets(found, &part(&most), &part(&least));
}

#[test]
fn what_is_rare_has_close_bounds_too() {
    let mut lists = Lists::new(Kind::ContinuousChain, 3);
    lists.choice(0, &[(0, ratio(50, 1)), (1, ratio(1, 1_000_000))]);
    lists.choice(1, &[(2, ratio(1, 1_000_000))]);
    lists.labels = vec![vec![2]];
    let found = bounds(
        &lists.process(0),
        &probability(None, finally_within(proposition(0), ratio(1, 1))),
    );
    // 1 - exp(-x) (1 + x), between x^2/2 - x^3/3 and x^2/2.
    let x = ratio(1, 1_000_000);
    let half = x.pow(2) / ratio(2, 1);
    meets(found, &(&half - x.pow(3) / ratio(3, 1)), &half);
}

#[test]
fn nothing_happens_in_no_time() {
    let process = switch(3, 1);
    let zero = RBig::ZERO;
    let earned = bounds(&process, &reward(None, Accumulation::UpTo(zero.clone())));
    assert_eq!(
        earned,
        Bounds {
            lower: 0.0,
            upper: earned.upper
        }
    );
    assert!(earned.upper < 1e-20);
    let path = finally_within(proposition(0), zero);
    assert_eq!(bounds(&process, &probability(None, path)).lower, 0.0);
}

#[test]
fn what_cannot_happen_is_known_not_to() {
    let mut lists = Lists::new(Kind::ContinuousChain, 3);
    lists.choice(0, &[(1, RBig::ONE)]);
    lists.earned = vec![0, 0, 7];
    lists.labels = vec![vec![2]];
    let process = lists.process(0);
    let time = || ratio(3, 1);
    let path = finally_within(proposition(0), time());
    assert_eq!(bounds(&process, &probability(None, path)), Bounds::ZERO);
    for what in [Accumulation::UpTo(time()), Accumulation::At(time())] {
        assert_eq!(bounds(&process, &reward(None, what)), Bounds::ZERO);
    }
}
