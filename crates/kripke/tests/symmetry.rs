//! The verdicts on a quotient are those on the concrete graph, and its lassos are real runs.

use crate::common::dice::RandomSource;
use crate::common::oracle::Oracle;
use crate::common::unroll::Unroller;
use crate::common::world::{World, random_acceptor};
use mandala_kripke::{Acceptor, Fairness, Length, find_lasso};

const ALL: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

/// Compares one world with its quotient and says which kinds of fairness have a run.
fn compare(seed: u64) -> [bool; 3] {
    let mut dice = RandomSource::new(seed);
    let world = World::random(&mut dice);
    let automaton = random_acceptor(&mut dice);
    let (concrete, quotient) = (world.concrete(), world.quotient(&mut dice));
    let oracle = Oracle::new(&concrete, &automaton);
    let unroller = Unroller {
        world: &world,
        quotient: &quotient,
        automaton: &automaton,
    };
    ALL.map(|fairness| {
        let expected = oracle.accepts(fairness);
        let plain = find_lasso(&concrete, &automaton, fairness, Length::Short).unwrap();
        assert_eq!(plain.is_some(), expected, "seed {seed}, {fairness:?}");
        let found = find_lasso(&quotient.structure, &automaton, fairness, Length::Short).unwrap();
        assert_eq!(
            found.is_some(),
            expected,
            "seed {seed}, {fairness:?}, quotient"
        );
        if let Some(lasso) = found {
            unroller.check(&lasso, fairness);
        }
        expected
    })
}

#[test]
fn quotients_decide_as_concrete_graphs_do() {
    let mut tally = std::collections::BTreeMap::new();
    for seed in 0..6000 {
        *tally.entry(compare(seed)).or_insert(0) += 1;
    }
    // The cases are worth something only if fairness often decides.
    for verdicts in [
        [false; 3],
        [true, false, false],
        [true, true, false],
        [true; 3],
    ] {
        assert!(tally[&verdicts] > 50, "{tally:?}");
    }
}

fn shortest_of(structure: &mandala_kripke::Structure, automaton: &Acceptor) -> Option<usize> {
    let lasso = find_lasso(structure, automaton, Fairness::None, Length::Shortest).unwrap();
    lasso.map(|lasso| lasso.prefix.len() + lasso.cycle.len())
}

#[test]
fn the_shortest_run_is_shortest() {
    let mut longer = 0;
    for seed in 0..3000 {
        let mut dice = RandomSource::new(seed + 100_000);
        let world = World::random(&mut dice);
        let automaton = random_acceptor(&mut dice);
        let concrete = world.concrete();
        let shortest = shortest_of(&concrete, &automaton);
        assert_eq!(
            shortest,
            Oracle::new(&concrete, &automaton).shortest(),
            "seed {seed}"
        );
        let quotient = world.quotient(&mut dice);
        let lasso = find_lasso(
            &quotient.structure,
            &automaton,
            Fairness::None,
            Length::Shortest,
        );
        if let Some(lasso) = lasso.unwrap() {
            let unroller = Unroller {
                world: &world,
                quotient: &quotient,
                automaton: &automaton,
            };
            unroller.check(&lasso, Fairness::None);
        }
        let short = find_lasso(&concrete, &automaton, Fairness::None, Length::Short).unwrap();
        let short = short.map(|lasso| lasso.prefix.len() + lasso.cycle.len());
        assert!(short >= shortest);
        longer += usize::from(short > shortest);
    }
    assert!(longer > 50, "{longer}");
}
