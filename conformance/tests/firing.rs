//! Moves that twins have in common are made once, and nothing that is told of a search changes: verdicts, states, transitions, violations, counterexamples, and how often
//! each statement was executed.
//!
//! Programs are random, of two families with rendezvous, atomic sequences and numbers of processes in shared variables. Some are *crowds*: few processes of a family are busy at a time, and the
//! others are twins, so that many moves need not be made. Bundled models are compared as well.
#![allow(clippy::print_stdout)]

use mandala_checker::check;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{AfterViolation, CheckOptions, Firing, Limits, SearchOrder, Switch};
use mandala_checker::watch::Nobody;
use mandala_conformance::dose::Dose;
use mandala_conformance::engines::{load, load_text};
use mandala_conformance::murphi;
use mandala_conformance::random::RandomSource;
use mandala_report::Document;
use std::path::Path;

/// How many programs a usual dose has.
const USUAL: u64 = 24;

/// How many crowds a usual dose has.
const FEW: u64 = 12;

/// Crowds with more states are left out: what a search says that ends at a limit depends on which moves it makes.
const MOST_STATES: u64 = 4_000;

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
    let mut dice = RandomSource::new(seed ^ 0x0046_4952);
    let family = |dice: &mut RandomSource, name: &str, most: i32| {
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

fn option(dice: &mut RandomSource) -> String {
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

/// Where a process of a crowd becomes busy.
const ENTRIES: [&str; 6] = [
    "true",
    "who == 99",
    "who != _pid",
    "n < 2",
    "nfull(c)",
    "owner == 99",
];

/// What it does while it is busy.
const BUSY: [&str; 16] = [
    "who = _pid",
    "who = 99",
    "owner = who",
    "n = (n + 1) % 3",
    "s = 1",
    "s = 1 - s",
    "got = who",
    "c!_pid",
    "c?got",
    "r!_pid",
    "r?got",
    "r?who",
    "r?_",
    "assert(owner != _pid || s == 0)",
    "d_step { owner = _pid; n = 0 }",
    "skip",
];

/// What it may do while it is idle.
const IDLE: [&str; 5] = [
    "r?_",
    "r!_pid",
    "c?_",
    "inP + inQ > 0 -> r?_",
    "atomic { r?got -> got = 99; n = (n + 1) % 3 }",
];

/// The crowd of that seed: two families, of which one or two processes are busy at a time.
fn crowd(seed: u64) -> String {
    let mut dice = RandomSource::new(seed ^ 0x4352_4f57);
    let first = crowded(&mut dice, "P", (3, 5));
    let second = crowded(&mut dice, "Q", (2, 4));
    format!(
        "byte n, inP, inQ; byte who = 99, owner = 99;\nchan c = [2] of {{ byte }}; chan r = [0] of {{ byte }};\n{first}{second}"
    )
}

fn crowded(dice: &mut RandomSource, name: &str, (least, greatest): (i32, i32)) -> String {
    let (size, most) = (dice.between(least, greatest), dice.between(1, 2));
    let some = |dice: &mut RandomSource, least, most| {
        let actions: Vec<&str> = (0..dice.between(least, most))
            .map(|_| dice.pick(&BUSY))
            .collect();
        actions.join("; ")
    };
    let (entry, first) = (dice.pick(&ENTRIES), dice.pick(&BUSY));
    let middle = match dice.chance(50) {
        true => {
            let (a, guard, b) = (dice.pick(&BUSY), dice.pick(&ENTRIES), dice.pick(&BUSY));
            format!("if :: {a} :: {guard} -> {b} fi")
        }
        false => some(dice, 1, 2),
    };
    let last = match dice.chance(40) {
        true => format!("atomic {{ {} }}; ", some(dice, 2, 3)),
        false => String::new(),
    };
    let idle = match dice.chance(70) {
        true => format!("  :: {}\n", dice.pick(&IDLE)),
        false => String::new(),
    };
    format!(
        "active [{size}] proctype {name}() {{\n  byte s; byte got = 99;\n  do\n  :: atomic {{ in{name} < {most} && {entry} -> in{name}++; {first} }};\n     {middle};\n     {last}atomic {{ in{name}--; s = 0; got = 99 }}\n{idle}  od\n}}\n"
    )
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

/// Whether a program has more states than are compared.
fn is_large(loaded: &LoadedModel) -> bool {
    let options = CheckOptions {
        after_violation: AfterViolation::GoOn,
        limits: Limits {
            states: Some(MOST_STATES),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    let document = check(loaded, &options, &mut Nobody);
    document.is_ok_and(|document| document.stats.states >= MOST_STATES)
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
fn crowds_are_told_alike_and_take_fewer_moves() {
    let dose = Dose::of("crowds whose moves are made once", FEW);
    let (mut steps, mut made, mut fewer) = (0, 0, 0);
    for seed in dose.seeds() {
        let text = crowd(seed);
        let loaded = load_text(Path::new("crowd.pml"), &text, &[]);
        let loaded = loaded.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        if is_large(&loaded) {
            continue;
        }
        let (counted, fired) = manners().iter().fold((0, 0), |(counted, fired), manner| {
            let found = compare(&format!("{seed}:\n{text}"), &loaded, manner);
            (counted + found.0, fired + found.1)
        });
        steps += counted;
        made += fired;
        fewer += u64::from(fired < counted);
    }
    println!("{made} of {steps} steps were made, and fewer in {fewer} programs");
    assert!(3 * fewer > dose.size, "{fewer} of {}", dose.size);
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
