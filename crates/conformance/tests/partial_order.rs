//! Leaving out steps changes nothing about what can go wrong: not in the bundled models, not in random ones. And it saves what
//! the literature says that it saves. The seeds are fixed, so a run is repeatable.
#![allow(clippy::print_stdout)]

use mandala_checker::options::{CheckOptions, SearchOrder, StaticReductions, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_conformance::partial_order::{Agreement, compare, options};
use mandala_conformance::program::Program;
use mandala_conformance::statics::load;
use mandala_conformance::symmetric::{self, arranged};
use mandala_conformance::{generate, promises};
use std::collections::BTreeSet;
use std::path::Path;

/// Models with more states are left out.
const LARGEST: u64 = 12_000;

/// Random programs with more states are left out.
const LARGEST_RANDOM: u64 = 4_000;

#[test]
fn bundled_models_go_wrong_in_the_same_ways() {
    let mut mistakes = Vec::new();
    let mut compared = 0;
    for path in promises::models().expect("the folder is there") {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let promises = promises::promises(&text).expect("a right header");
        let small = promises.iter();
        let small = small.filter(|p| p.states.is_none_or(|n| n <= LARGEST));
        let settings: BTreeSet<&Vec<String>> = small.map(|p| &p.settings).collect();
        for settings in settings {
            let loaded = load(&path, &text, settings).expect("a right model");
            match compare(&loaded, LARGEST) {
                Ok(Agreement::Same { full, reduced, .. }) => {
                    compared += 1;
                    println!(
                        "{name} {}: {full} states become {reduced}",
                        settings.join(" ")
                    );
                }
                Ok(_) => {}
                Err(what) => mistakes.push(format!("{name} {}: {what}", settings.join(" "))),
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(compared >= 60, "only {compared} were compared");
}

/// What has come of programs.
#[derive(Debug, Default)]
struct Tally {
    compared: u64,
    smaller: u64,
    violated: u64,
    mistakes: Vec<String>,
}

fn examine(programs: impl Iterator<Item = (String, Program)>) -> Tally {
    let mut tally = Tally::default();
    for (name, program) in programs {
        let text = program.to_string();
        let Some(loaded) = load(Path::new("random.pml"), &text, &[]) else {
            continue;
        };
        match compare(&loaded, LARGEST_RANDOM) {
            Ok(Agreement::Same {
                full,
                reduced,
                violated,
            }) => {
                tally.compared += 1;
                tally.smaller += u64::from(reduced < full);
                tally.violated += u64::from(violated);
            }
            Ok(Agreement::Refused | Agreement::TooLarge) => {}
            Err(what) => tally.mistakes.push(format!("{name}: {what}\n{text}")),
        }
    }
    println!(
        "{} compared, {} with fewer states, {} violated, {} wrong",
        tally.compared,
        tally.smaller,
        tally.violated,
        tally.mistakes.len()
    );
    tally
}

fn require(tally: &Tally, compared: u64) {
    assert!(tally.mistakes.is_empty(), "{}", tally.mistakes.join("\n"));
    assert!(
        tally.compared >= compared,
        "only {} compared",
        tally.compared
    );
    // Otherwise nothing is left out, and nothing is tested.
    assert!(tally.smaller * 4 >= tally.compared, "{tally:?}");
    assert!(tally.violated > 0 && tally.violated < tally.compared);
}

#[test]
fn programs_of_all_kinds() {
    let seeds = 0..200;
    let programs = seeds.map(|seed| (format!("seed {seed}"), generate::program(seed)));
    require(&examine(programs), 80);
}

#[test]
fn symmetric_programs_and_their_mutants() {
    let programs = (0..25).flat_map(|seed| {
        let all = [
            symmetric::specimen(seed),
            symmetric::mutant(seed, seed),
            arranged::specimen(seed),
            arranged::mutant(seed, seed),
        ];
        all.into_iter()
            .enumerate()
            .map(move |(kind, s)| (format!("seed {seed}, kind {kind}"), s.program))
    });
    require(&examine(programs), 40);
}

fn states(model: &str, n: usize, symmetry: SymmetryChoice, order: SearchOrder) -> u64 {
    let path = promises::folder().join(model);
    let text = std::fs::read_to_string(&path).expect("it can be read");
    let loaded = load(&path, &text, &[format!("N={n}")]).expect("a right model");
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
            if !cfg!(debug_assertions) {
                assert!(with(4, SymmetryChoice::Off) <= 202_673);
                assert!(with(5, SymmetryChoice::default()) <= 86_112);
            }
        }
    }
}
