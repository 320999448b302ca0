//! Random processes: bounds and exact numbers against all schedulers, tried one by one.

use crate::brute;
use crate::common::{
    Lists, RandomSource, exact, finally_within, probability, proposition, ratio, reward, until,
    value,
};
use dashu_ratio::RBig;
use mandala_markov::{Bounds, Exact, Kind, Numbers};
use mandala_temporal::pctl::{Accumulation, Measure, Optimum, StateFormula};

const OPTIMA: [Optimum; 2] = [Optimum::Least, Optimum::Greatest];

/// Some branches whose weights add up to 1, or to anything if they are rates.
fn branches(dice: &mut RandomSource, states: u64, kind: Kind) -> Vec<(u32, RBig)> {
    let parts: Vec<(u32, u64)> = (0..dice.below(3) + 1)
        .map(|_| (dice.below(states) as u32, dice.below(5) + 1))
        .collect();
    let sum: u64 = match kind {
        Kind::ContinuousChain => 3,
        _ => parts.iter().map(|(_, weight)| weight).sum(),
    };
    let shares = parts.iter().map(|(to, weight)| (*to, ratio(*weight, sum)));
    shares.collect()
}

/// A process with few states. Proposition 0 holds nearly everywhere, and 1 in few states.
fn random(dice: &mut RandomSource, kind: Kind) -> Lists {
    let states = dice.below(5) + 2;
    let mut lists = Lists::new(kind, states as usize);
    for state in 0..states as usize {
        let choices = match kind {
            Kind::Decisions => dice.below(3) + u64::from(dice.below(8) > 0),
            _ => u64::from(dice.below(8) > 0),
        };
        for _ in 0..choices {
            let earned = if dice.below(2) == 0 {
                0
            } else {
                dice.below(4) as u32
            };
            let branches = branches(dice, states, kind);
            lists.choices[state].push((earned, branches));
        }
        lists.earned[state] = if dice.below(3) == 0 {
            dice.below(3) as u32
        } else {
            0
        };
    }
    let all = 0..states as u32;
    let left = all.clone().filter(|_| dice.below(6) > 0).collect();
    let right = all.filter(|_| dice.below(4) == 0).collect();
    lists.labels = vec![left, right];
    lists
}

/// What comes out in a state is what is expected, with exact numbers and in bounds.
fn agrees(lists: &Lists, state: u32, measure: &Measure, expected: &Option<RBig>) {
    let process = lists.process(state);
    let found = value(&process, measure, Numbers::Exact).exact;
    let wanted = expected.clone().map_or(Exact::Infinite, Exact::Finite);
    assert_eq!(found, Some(wanted), "{measure:?} in {state} of {lists:#?}");
    let bounds = value(&process, measure, Numbers::Bounds).bounds;
    let right = match expected {
        Some(expected) => bounds.contain(expected),
        None => bounds == Bounds::INFINITE,
    };
    let close = bounds.is_within(1e-6);
    assert!(
        right && close,
        "{bounds:?} {measure:?} in {state} of {lists:#?}"
    );
}

fn all_agree(lists: &Lists, measure: &Measure, expected: &[Option<RBig>]) {
    for (state, expected) in (0..).zip(expected) {
        agrees(lists, state, measure, expected);
    }
}

#[test]
fn probabilities_are_those_of_the_best_scheduler() {
    let mut dice = RandomSource(11);
    for round in 0..150 {
        let kind = if round % 5 == 0 {
            Kind::DiscreteChain
        } else {
            Kind::Decisions
        };
        let lists = random(&mut dice, kind);
        let (left, right) = (&lists.labels[0], &lists.labels[1]);
        for optimum in OPTIMA {
            let expected = brute::probabilities(&lists, left, right, optimum);
            let path = until(proposition(0), proposition(1));
            all_agree(&lists, &probability(Some(optimum), path), &expected);
        }
    }
}

#[test]
fn rewards_are_those_of_the_best_scheduler() {
    let mut dice = RandomSource(12);
    let mut finite = 0;
    for _ in 0..150 {
        let lists = random(&mut dice, Kind::Decisions);
        for optimum in OPTIMA {
            let expected = brute::rewards(&lists, &lists.labels[1], optimum);
            finite += expected.iter().flatten().filter(|it| !it.is_zero()).count();
            let until = Accumulation::Until(proposition(1));
            all_agree(&lists, &reward(Some(optimum), until), &expected);
        }
    }
    assert!(finite > 100, "few values say something: {finite}");
}

#[test]
fn totals_are_those_of_the_best_scheduler() {
    let mut dice = RandomSource(13);
    let mut finite = 0;
    for _ in 0..150 {
        let mut lists = random(&mut dice, Kind::Decisions);
        // Few states earn, so that not all sums are infinite.
        lists.earned.iter_mut().skip(1).for_each(|it| *it = 0);
        for optimum in OPTIMA {
            let expected = brute::totals(&lists, optimum);
            finite += expected.iter().flatten().filter(|it| !it.is_zero()).count();
            all_agree(
                &lists,
                &reward(Some(optimum), Accumulation::Total),
                &expected,
            );
        }
    }
    assert!(finite > 50, "few values say something: {finite}");
}

#[test]
fn steps_are_counted() {
    let mut dice = RandomSource(14);
    for _ in 0..60 {
        let lists = random(&mut dice, Kind::Decisions);
        let steps = dice.below(4) as u32;
        let everywhere: Vec<u32> = (0..lists.choices.len() as u32).collect();
        for optimum in OPTIMA {
            let expected = brute::within(&lists, &everywhere, &lists.labels[1], steps, optimum);
            let path = finally_within(proposition(1), RBig::from(steps));
            for (state, expected) in (0..).zip(&expected) {
                let process = lists.process(state);
                let measure = probability(Some(optimum), path.clone());
                assert_eq!(exact(&process, &measure), *expected, "{lists:#?}");
            }
        }
    }
}

#[test]
fn what_is_spent_where_in_the_long_run_solves_the_equations_of_balance() {
    let mut dice = RandomSource(15);
    for round in 0..60 {
        let kind = match round % 2 {
            0 => Kind::DiscreteChain,
            _ => Kind::ContinuousChain,
        };
        let mut lists = random(&mut dice, kind);
        let states = lists.choices.len() as u32;
        // A way round makes all of it one component.
        for state in 0..states {
            let mut round = vec![((state + 1) % states, ratio(1, 2))];
            let others = lists.choices[state as usize].pop();
            match others {
                Some((_, others)) => {
                    round.extend(others.into_iter().map(|(to, it)| (to, it / ratio(2, 1))));
                }
                None => round.push((state, ratio(1, 2))),
            }
            lists.choice(state as usize, &round);
        }
        let shares = brute::shares(&lists);
        let expected = lists.labels[1]
            .iter()
            .fold(RBig::ZERO, |sum, &state| sum + &shares[state as usize]);
        let process = lists.process(0);
        assert_eq!(exact(&process, &Measure::LongRun(proposition(1))), expected);
    }
}

#[test]
fn several_bottom_components_count_by_how_likely_they_are() {
    // With 1/3 to a state that stays, and with 2/3 to two that take turns.
    let mut lists = Lists::new(Kind::DiscreteChain, 4);
    lists.choice(0, &[(1, ratio(1, 3)), (2, ratio(2, 3))]);
    lists.choice(2, &[(3, RBig::ONE)]);
    lists.choice(3, &[(2, RBig::ONE)]);
    lists.labels = vec![vec![1, 3]];
    let share = exact(&lists.process(0), &Measure::LongRun(proposition(0)));
    assert_eq!(share, ratio(2, 3));
}

#[test]
fn rates_are_taken_in_proportion() {
    let mut dice = RandomSource(16);
    for _ in 0..60 {
        let lists = random(&mut dice, Kind::ContinuousChain);
        // The chain that it goes through, with what is earned in the time that is expected to be spent.
        let mut steps = lists.clone();
        steps.kind = Kind::DiscreteChain;
        for (_, branches) in steps.choices.iter_mut().flatten() {
            let all = branches
                .iter()
                .fold(RBig::ZERO, |sum, (_, rate)| sum + rate);
            branches.iter_mut().for_each(|(_, rate)| *rate /= &all);
        }
        let (left, right) = (&lists.labels[0], &lists.labels[1]);
        let expected = brute::probabilities(&steps, left, right, Optimum::Greatest);
        let path = until(proposition(0), proposition(1));
        all_agree(&lists, &probability(None, path), &expected);
    }
}

#[test]
fn always_is_never_the_opposite() {
    let mut dice = RandomSource(17);
    for _ in 0..40 {
        let lists = random(&mut dice, Kind::Decisions);
        let everywhere: Vec<u32> = (0..lists.choices.len() as u32).collect();
        let expected =
            brute::probabilities(&lists, &everywhere, &lists.labels[1], Optimum::Greatest);
        let ever = until(StateFormula::Constant(true), proposition(1));
        let never = mandala_temporal::pctl::PathFormula::Not(Box::new(ever));
        for (state, expected) in (0..).zip(expected) {
            let expected = expected.map(|it| RBig::ONE - it);
            let measure = probability(Some(Optimum::Least), never.clone());
            let found = value(&lists.process(state), &measure, Numbers::Exact).exact;
            assert_eq!(found, expected.map(Exact::Finite));
        }
    }
}
