//! Moves that twins have in common are made once, and nothing that is told of a search changes: verdicts, states, transitions, violations, counterexamples, and how often
//! each statement was executed.
//!
//! Programs are random, of two families with rendezvous, atomic sequences and numbers of processes in shared variables, and some are written so that weights are large. Bundled
//! models are compared as well.
#![allow(clippy::print_stdout)]

use mandala_checker::check;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{AfterViolation, CheckOptions, Firing, SearchOrder, Switch};
use mandala_checker::watch::Nobody;
use mandala_conformance::dice::Dice;
use mandala_conformance::dose::Dose;
use mandala_conformance::engines::{load, load_text};
use mandala_conformance::murphi;
use mandala_report::Document;
use std::path::Path;

/// How many programs a usual dose has.
const USUAL: u64 = 24;

/// Where a process may go on.
const GUARDS: [&str; 8] = [
    "true",
    "s == 0",
    "s == 1",
    "n < 2",
    "who == _pid",
    "who != _pid",
    "nempty(c)",
    "who == 99",
];

/// What it does then.
const ACTIONS: [&str; 11] = [
    "s = 1 - s",
    "n = (n + 1) % 3",
    "who = _pid",
    "who = 99",
    "c!_pid",
    "c?who",
    "r!_pid",
    "r?who",
    "r?_",
    "assert(n < 2 || s == 0)",
    "skip",
];

/// The program of that seed.
fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x0046_4952);
    let family = |dice: &mut Dice, name: &str, most: i32| {
        let size = dice.between(2, most);
        let options: String = (0..dice.between(2, 4)).map(|_| option(dice)).collect();
        format!("active [{size}] proctype {name}() {{\n  byte s;\n  do\n{options}  od\n}}\n")
    };
    let first = family(&mut dice, "P", 3);
    let second = family(&mut dice, "Q", 2);
    format!(
        "byte n; byte who = 99; chan c = [2] of {{ byte }}; chan r = [0] of {{ byte }};\n{first}{second}"
    )
}

fn option(dice: &mut Dice) -> String {
    let guard = dice.pick(&GUARDS);
    let actions: Vec<&str> = (0..dice.between(1, 3))
        .map(|_| dice.pick(&ACTIONS))
        .collect();
    let actions = actions.join("; ");
    match dice.chance(40) {
        true => format!("  :: atomic {{ {guard} -> {actions} }}\n"),
        false => format!("  :: {guard} -> {actions}\n"),
    }
}

/// What is told of a search, without what depends on time.
#[derive(Debug, PartialEq)]
struct Told {
    properties: Vec<String>,
    coverage: String,
    trace: String,
}

fn told(document: &Document) -> (Told, u64, u64) {
    let properties = document.properties.iter().map(|property| {
        let stats = property.stats.as_ref();
        let numbers = stats.map(|s| (s.states, s.transitions, s.depth, s.violations, s.expanded));
        format!("{} {:?} {numbers:?}", property.name, property.verdict)
    });
    let trace = document.trace.as_ref().map(|trace| format!("{trace:?}"));
    let told = Told {
        properties: properties.collect(),
        coverage: format!("{:?} {:?}", document.coverage, document.unreached),
        trace: trace.unwrap_or_default(),
    };
    let stats = &document.stats;
    (told, stats.transitions, stats.fired.unwrap_or(0))
}

/// Compares both ways to make moves. Gives how many steps there are, and how many were made.
fn compare(name: &str, loaded: &LoadedModel, usual: &CheckOptions) -> (u64, u64) {
    let ask = |firing| {
        let options = CheckOptions {
            firing: Some(firing),
            statement_counts: true,
            ..usual.clone()
        };
        check(loaded, &options, &mut Nobody).map(|document| told(&document))
    };
    // What cannot be asked of a model, such as to leave out steps, cannot be asked in either way.
    let ((all, transitions, all_fired), (once, counted, fired)) =
        match (ask(Firing::All), ask(Firing::Once)) {
            (Ok(all), Ok(once)) => (all, once),
            (Err(_), Err(_)) => return (0, 0),
            (all, once) => panic!("{name}: {all:?}, {once:?}"),
        };
    assert_eq!(once, all, "{name}");
    assert_eq!((transitions, transitions), (counted, all_fired), "{name}");
    (counted, fired)
}

/// The ways in which searches are made.
fn manners() -> Vec<CheckOptions> {
    let safety = CheckOptions {
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    };
    let order = SearchOrder::DepthFirst;
    vec![
        safety.clone(),
        CheckOptions {
            interpret: true,
            order,
            ..CheckOptions::default()
        },
        CheckOptions {
            partial_order: Switch::On,
            statement_counts: false,
            ..safety
        },
    ]
}

#[test]
fn random_programs_are_told_alike() {
    let (mut steps, mut made) = (0, 0);
    for seed in Dose::of("programs whose moves are made once", USUAL).seeds() {
        let text = program(seed);
        let loaded = load_text(Path::new("random.pml"), &text, &[]);
        let loaded = loaded.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        for manner in manners() {
            let (counted, fired) = compare(&format!("{seed}:\n{text}"), &loaded, &manner);
            steps += counted;
            made += fired;
        }
    }
    println!("{made} of {steps} steps were made");
    assert!(made < steps, "{made} of {steps}");
}

#[test]
fn random_models_of_rules_are_told_alike() {
    for seed in Dose::of("models whose rules are fired once", USUAL).seeds() {
        let text = murphi::model(seed).to_string();
        // What is wrong with a model is no matter here.
        if let Ok(loaded) = load_text(Path::new("random.m"), &text, &[]) {
            let limited = CheckOptions {
                after_violation: AfterViolation::GoOn,
                ..CheckOptions::default()
            };
            compare(&format!("{seed}:\n{text}"), &loaded, &limited);
        }
    }
}

#[test]
fn bundled_models_are_told_alike_and_take_fewer_moves() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let cases = [
        ("mutex/mutex.pml", "N=60", 240, 5_491),
        ("two-phase-commit/two-phase-commit.m", "N=8", 4_226, 9_378),
        ("database/database.pml", "N=20", 385, 2_684),
        ("german/german.m", "N=3", 18_297, 19_217),
    ];
    for (model, define, most, least) in cases {
        let loaded = load(&models.join(model), &[define.to_string()]).expect("a bundled model");
        let (counted, fired) = compare(model, &loaded, &CheckOptions::default());
        println!("{model} {define}: {fired} of {counted} steps were made");
        assert!(
            fired <= most && counted >= least,
            "{model}: {fired} of {counted}"
        );
    }
}
