//! Values for which there is a formula.

use crate::common::{Lists, exact, finally, probability, proposition, ratio, reward, until, value};
use dashu_ratio::RBig;
use mandala_markov::{Kind, Numbers};
use mandala_temporal::pctl::{Accumulation, Measure, Optimum, StateFormula};

/// A walk between 0 and some number, up with a probability. Propositions: the upper end, either end.
fn ruin(end: u32, up: &RBig) -> Lists {
    let mut lists = Lists::new(Kind::DiscreteChain, end as usize + 1);
    for state in 1..end {
        let down = RBig::ONE - up;
        lists.choice(
            state as usize,
            &[(state + 1, up.clone()), (state - 1, down)],
        );
        lists.earned[state as usize] = 1;
    }
    lists.labels = vec![vec![end], vec![0, end]];
    lists
}

#[test]
fn the_gamblers_ruin() {
    for (end, start, up) in [
        (5, 2, ratio(1, 2)),
        (30, 7, ratio(9, 19)),
        (60, 59, ratio(1, 3)),
    ] {
        let process = ruin(end, &up).process(start);
        let wins = exact(&process, &probability(None, finally(proposition(0))));
        let odds = (RBig::ONE - &up) / &up;
        let expected = match odds == RBig::ONE {
            true => ratio(start.into(), end.into()),
            false => {
                let part = |steps: u32| RBig::ONE - odds.pow(steps as isize);
                part(start) / part(end)
            }
        };
        assert_eq!(wins, expected);
    }
}

#[test]
fn a_fair_game_lasts_as_long_as_the_product_of_the_distances() {
    let process = ruin(40, &ratio(1, 2)).process(13);
    let lasts = reward(None, Accumulation::Until(proposition(1)));
    assert_eq!(exact(&process, &lasts), RBig::from(13 * 27));
    let total = reward(None, Accumulation::Total);
    assert_eq!(exact(&process, &total), RBig::from(13 * 27));
}

#[test]
fn collecting_coupons_takes_a_harmonic_sum() {
    let coupons = 25;
    let mut lists = Lists::new(Kind::DiscreteChain, coupons + 1);
    let mut expected = RBig::ZERO;
    for have in 0..coupons {
        let (new, old) = ((coupons - have) as u64, have as u64);
        let all = coupons as u64;
        let branches = [
            (have as u32 + 1, ratio(new, all)),
            (have as u32, ratio(old, all)),
        ];
        lists.choices[have].push((1, branches.to_vec()));
        expected += ratio(all, new);
    }
    lists.labels = vec![vec![coupons as u32]];
    let process = lists.process(0);
    let draws = reward(None, Accumulation::Until(proposition(0)));
    assert_eq!(exact(&process, &draws), expected);
}

/// A queue with room for some, rates of arrival and service.
fn queue(room: u32, arrival: u64, service: u64) -> Lists {
    let mut lists = Lists::new(Kind::ContinuousChain, room as usize + 1);
    for waiting in 0..=room {
        let mut branches = Vec::new();
        if waiting < room {
            branches.push((waiting + 1, ratio(arrival, 1)));
        }
        if waiting > 0 {
            branches.push((waiting - 1, ratio(service, 1)));
        }
        lists.choice(waiting as usize, &branches);
        lists.earned[waiting as usize] = waiting;
    }
    lists.labels = vec![vec![room], vec![0]];
    lists
}

#[test]
fn a_queue_is_full_by_a_geometric_distribution() {
    let process = queue(20, 3, 4).process(0);
    let load = ratio(3, 4);
    let sum = (0..=20).fold(RBig::ZERO, |sum, waiting| sum + load.pow(waiting));
    let full = exact(&process, &Measure::LongRun(proposition(0)));
    assert_eq!(full, load.pow(20) / &sum);
    let length = (1..=20).fold(RBig::ZERO, |sum, waiting| {
        sum + RBig::from(waiting) * load.pow(waiting)
    });
    let average = reward(None, Accumulation::LongRun);
    assert_eq!(exact(&process, &average), length / sum);
}

#[test]
fn a_queue_runs_full_like_a_gamblers_ruin() {
    let process = queue(20, 3, 4).process(5);
    let before_empty = StateFormula::Not(Box::new(proposition(1)));
    let path = until(before_empty, proposition(0));
    let part = |steps: usize| ratio(4, 3).pow(steps as isize) - RBig::ONE;
    let full = exact(&process, &probability(None, path));
    assert_eq!(full, part(5) / part(20));
}

#[test]
fn a_chain_that_goes_round_spends_its_time_evenly() {
    let mut lists = Lists::new(Kind::DiscreteChain, 7);
    for state in 0..6_u32 {
        lists.choice(state as usize, &[((state + 1) % 6, RBig::ONE)]);
    }
    lists.choice(6, &[(0, ratio(1, 3)), (6, ratio(2, 3))]);
    lists.labels = vec![vec![1, 4]];
    let share = exact(&lists.process(6), &Measure::LongRun(proposition(0)));
    assert_eq!(share, ratio(1, 3));
}

/// The chain of Haddad and Monmege: two ladders that fall back to the middle with each step. It converges as slowly as two to the power of its length is large.
fn ladders(length: u32) -> Lists {
    let mut lists = Lists::new(Kind::DiscreteChain, 2 * length as usize + 1);
    lists.choice(0, &[(1, ratio(7, 10)), (length + 1, ratio(3, 10))]);
    for step in 1..length {
        for first in [0, length] {
            let state = first + step;
            lists.choice(
                state as usize,
                &[(state + 1, ratio(1, 2)), (0, ratio(1, 2))],
            );
        }
    }
    lists.labels = vec![vec![length]];
    lists
}

#[test]
fn what_converges_slowly_is_found_all_the_same() {
    let process = ladders(20).process(0);
    let target = probability(None, finally(proposition(0)));
    assert_eq!(exact(&process, &target), ratio(7, 10));
    let bounds = value(&process, &target, Numbers::Bounds).bounds;
    assert!(bounds.lower < 0.7 && 0.7 < bounds.upper.next_up() && bounds.is_within(1e-12));
}

/// The same with each choice twice, so that it is no chain any more and is iterated.
fn doubled(mut lists: Lists) -> Lists {
    lists.kind = Kind::Decisions;
    for choices in &mut lists.choices {
        choices.extend(choices.clone());
    }
    lists
}

#[test]
fn iteration_finds_what_elimination_does() {
    for optimum in [Optimum::Least, Optimum::Greatest] {
        let process = doubled(ruin(40, &ratio(1, 2))).process(13);
        let wins = probability(Some(optimum), finally(proposition(0)));
        assert_eq!(exact(&process, &wins), ratio(13, 40));
        let lasts = reward(Some(optimum), Accumulation::Until(proposition(1)));
        assert_eq!(exact(&process, &lasts), RBig::from(13 * 27));
        // Here the iteration gives up, and the component is solved exactly.
        let process = doubled(ladders(20)).process(0);
        let target = probability(Some(optimum), finally(proposition(0)));
        assert_eq!(exact(&process, &target), ratio(7, 10));
    }
}
