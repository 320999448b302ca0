//! Static reductions change nothing about the bundled models but the number of states.
#![allow(clippy::print_stdout)]

use mandala_checker::options::{CheckOptions, StaticReductions, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_conformance::dose::Dose;
use mandala_conformance::promises;
use mandala_conformance::statics::{compare, load};
use mandala_conformance::with_and_without::bundled;
use std::path::Path;

/// Settings with more states are left out of a usual dose.
const SMALL: u64 = 1_500;

/// Settings with more states are left out of a large one.
const LARGEST: u64 = 12_000;

#[test]
fn nothing_changes_but_the_number_of_states() {
    let suite = "bundled models with static reductions";
    let largest = Dose::largest(suite, SMALL, LARGEST);
    // Small models have less that could be left out.
    let (compared, one_of) = Dose::one_of((15, 20), (60, 4));
    bundled(suite, compare, largest, |line| println!("{line}")).require(compared, one_of);
}

fn states(model: &str, settings: &[&str], symmetry: SymmetryChoice) -> u64 {
    let path = promises::folder().join(model);
    let text = std::fs::read_to_string(&path).expect("it can be read");
    let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
    let loaded = load(Path::new(&path), &text, &settings).expect("a right model");
    let options = CheckOptions {
        symmetry,
        static_reductions: StaticReductions {
            dead: true,
            ..StaticReductions::NONE
        },
        ..CheckOptions::default()
    };
    let document = mandala_checker::check(&loaded, &options, &mut Nobody);
    document.expect("it can be checked").stats.states
}

/// Wang and Schmidt, table in section 7: the queue lock with inactive variables eliminated.
#[test]
fn the_queue_lock_has_as_many_states_as_the_literature_says() {
    let model = "mcs-lock/mcs-lock.pml";
    for (n, all, orbits) in [("N=2", 62, 32), ("N=3", 812, 142), ("N=4", 13_248, 588)] {
        assert_eq!(states(model, &[n], SymmetryChoice::Off), all, "{n}");
        assert_eq!(
            states(model, &[n], SymmetryChoice::default()),
            orbits,
            "{n}"
        );
    }
}

/// Processes that read their `load` only if they have chosen one of two ways. Section 5 of the same paper calls such a variable inactive under a condition.
const CONDITIONAL: &str = "process count = 2;
global discrete g: 0..1;
local discrete way: 0..1;
local discrete load: 0..2;
mode idle true {
  when load == 0 may load = 1;
  when load == 1 may load = 2;
  when true may way = 0; goto choose;
  when true may way = 1; goto choose;
}
mode choose true { when way == 0 may goto use; when way == 1 may goto drop; }
mode use true {
  when load == 0 may way = 0; goto idle;
  when load > 0 may load = 0; way = 0; goto idle;
}
mode drop true { when true may load = 0; way = 0; goto idle; }
initially idle[1] and idle[2] and g == 0;
risk g > 0;";

/// A process has 15 states; 4 of them are needless: `load` is read neither in `drop` nor in `choose` where `way` is 1.
#[test]
fn what_is_inactive_under_a_condition_is_forgotten_there() {
    let loaded = load(Path::new("conditional.red"), CONDITIONAL, &[]).expect("a right model");
    let states = |static_reductions| {
        let options = CheckOptions {
            symmetry: SymmetryChoice::Off,
            static_reductions,
            ..CheckOptions::default()
        };
        let document = mandala_checker::check(&loaded, &options, &mut Nobody);
        document.expect("it can be checked").stats.states
    };
    assert_eq!(states(StaticReductions::NONE), 15 * 15);
    assert_eq!(states(StaticReductions::ALL), 11 * 11);
}
