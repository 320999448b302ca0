//! Leaving out steps changes nothing about what can go wrong: not in the bundled models, not in random ones. And it saves what
//! the literature says that it saves. [`Dose`] says how many random ones, and from which seed on.
#![allow(clippy::print_stdout)]

use mandala_checker::options::{CheckOptions, SearchOrder, StaticReductions, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_conformance::dose::Dose;
use mandala_conformance::partial_order::{compare, options};
use mandala_conformance::promises;
use mandala_conformance::statics::load;
use mandala_conformance::with_and_without::{
    Agreement, bundled, of_all_kinds, random, random_rules, random_rulesets, symmetric,
};
use std::path::Path;

/// Models with more states are left out of a usual dose.
const SMALL: u64 = 2_000;

/// Models with more states are left out of a large one.
const LARGEST: u64 = 12_000;

/// Random programs with more states are left out.
const LARGEST_RANDOM: u64 = 4_000;

#[test]
fn bundled_models_go_wrong_in_the_same_ways() {
    let suite = "bundled models with fewer steps";
    let largest = Dose::largest(suite, SMALL, LARGEST);
    let (compared, one_of) = Dose::one_of((15, 20), (60, 4));
    bundled(suite, compare, largest, |line| println!("{line}")).require(compared, one_of);
}

#[test]
fn programs_of_all_kinds() {
    let dose = Dose::of("random programs with fewer steps", 40);
    random(of_all_kinds(dose), compare, LARGEST_RANDOM).require_of(dose, 4);
}

/// The rules of a random model mostly have a variable in common, or are seen by an invariant.
#[test]
fn rules_of_all_kinds() {
    let dose = Dose::of("random rules with fewer steps", 12);
    random_rules(dose, compare, LARGEST_RANDOM).require_of(dose, 60);
}

/// Rules that are mostly about members of their own, of which others can be left out.
#[test]
fn rules_with_parameters() {
    let dose = Dose::of("random rulesets with fewer steps", 40);
    random_rulesets(dose, compare, LARGEST_RANDOM).require_of(dose, 6);
}

/// Three counters, with what is checked of them.
fn counters(checked: &str) -> Agreement {
    let rule = |x: &str| format!("rule {x} < 3 ==> {x} := {x} + 1; end;");
    let rules: String = ["a", "b", "c"].map(rule).concat();
    let start = "startstate a := 0; b := 0; c := 0; end;";
    let text = format!("var a, b, c: 0..3; {start} {rules} {checked}");
    let loaded = load(Path::new("counters.m"), &text, &[]).expect("a right model");
    compare(&loaded, LARGEST).unwrap_or_else(|what| panic!("{what}"))
}

#[test]
fn rules_with_nothing_in_common_are_used_one_after_the_other() {
    let violated = true;
    let same = |full, reduced| Agreement::Same {
        full,
        reduced,
        violated,
    };
    // They end where nothing can happen. Who looks at two of them sees all orders of those two.
    assert_eq!(counters(""), same(64, 10));
    assert_eq!(counters("invariant a + b < 5;"), same(64, 4 * 4 + 3));
}

#[test]
fn symmetric_programs_and_their_mutants() {
    let dose = Dose::of("symmetric programs with fewer steps", 24);
    random(symmetric(dose), compare, LARGEST_RANDOM).require_of(dose, 4);
}

fn states(model: &str, n: usize, symmetry: SymmetryChoice, order: SearchOrder) -> u64 {
    states_with(model, &[format!("N={n}")], symmetry, order)
}

fn states_with(
    model: &str,
    defines: &[String],
    symmetry: SymmetryChoice,
    order: SearchOrder,
) -> u64 {
    let path = promises::folder().join(model);
    let text = std::fs::read_to_string(&path).expect("it can be read");
    let loaded = load(&path, &text, defines).expect("a right model");
    let options = CheckOptions {
        symmetry,
        order,
        static_reductions: StaticReductions::NONE,
        ..options()
    };
    let document = mandala_checker::check(&loaded, &options, &mut Nobody);
    document.expect("it can be checked").stats.states
}

const ORDERS: [SearchOrder; 2] = [SearchOrder::BreadthFirst, SearchOrder::DepthFirst];

/// Bosnacki, Dams and Holenderski, table 1: Peterson's algorithm with Spin's partial-order reduction, without symmetry and with it.
#[test]
fn petersons_algorithm_has_at_most_as_many_states_as_with_spin() {
    for model in ["peterson/peterson.pml", "peterson-run/peterson-run.pml"] {
        for order in ORDERS {
            let with = |n, symmetry| {
                let states = states(model, n, symmetry, order);
                println!("{model} {n} {symmetry:?} {order:?}: {states}");
                states
            };
            for (n, most, orbits) in [(2, 154, 89), (3, 4_992, 980)] {
                assert!(with(n, SymmetryChoice::Off) <= most);
                assert!(with(n, SymmetryChoice::default()) <= orbits);
            }
            assert!(with(4, SymmetryChoice::default()) <= 9_634);
            assert!(with(4, SymmetryChoice::Off) <= 202_673);
            assert!(with(5, SymmetryChoice::default()) <= 86_112);
        }
    }
}

/// Table 2 there: data base managers. Valmari's net has 2n^2 - n + 1 states, and 2n orbits; a program has a step more before it releases the data base,
/// and a start.
#[test]
fn data_base_managers_acknowledge_one_after_the_other() {
    for order in ORDERS {
        for n in [2, 3, 5, 8] {
            let with = |symmetry| states("database/database-flags.pml", n, symmetry, order);
            let (all, orbits) = (with(SymmetryChoice::Off), with(SymmetryChoice::default()));
            let start_up = n as u64 + 1;
            let net = 2 * (n * n) as u64 - n as u64 + 1;
            assert_eq!((all, orbits), (net + start_up, 2 * n as u64 + 2), "{n}");
        }
    }
}

/// What Spin 6.5.2 stores with its own reduction (`-o1 -o2 -o3`, `-DSAFETY`).
#[test]
fn models_with_channels_have_fewer_states_than_with_spin() {
    let models = [
        ("alternating-bit/alternating-bit.pml", "K=6", 14_200),
        ("base-station/senders-receivers.pml", "S=2", 132_128),
        ("three-tier/three-tier.pml", "C1=3", 103_105),
    ];
    for (model, define, most) in models {
        for order in ORDERS {
            let left = states_with(model, &[define.into()], SymmetryChoice::Off, order);
            println!("{model} {order:?}: {left}");
            assert!(left <= most, "{model} {order:?}: {left}");
        }
    }
}
