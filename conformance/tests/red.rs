//! Pointer automata: the headers of our models, the numbers that are known of the MCS lock, goals that name processes, and random models.
//!
//! [`Dose`] says how many random models and which.
#![allow(clippy::print_stdout)]

use mandala_checker::check;
use mandala_checker::options::{AfterViolation, CheckOptions, StaticReductions};
use mandala_checker::watch::Nobody;
use mandala_conformance::dose::Dose;
use mandala_conformance::ours::{
    self, Answer, EngineChoice, Question, Search, SearchOrder, SymmetryChoice, ViolationKind,
};
use mandala_conformance::promises::{self, Counting, Promise, Violated};
use mandala_conformance::reduced::{Case, Manner};
use mandala_conformance::spin::Claim;
use mandala_conformance::strategies::{self, Agreement, Effort};
use mandala_conformance::{red, statics};
use mandala_reduce::Strategy;
use std::path::Path;

/// How many random models a usual dose has.
const USUAL: u64 = 60;

fn ask(path: &Path, text: &str, defines: &[String], symmetry: SymmetryChoice) -> Search {
    let question = Question {
        path,
        text,
        defines,
        dialect: None,
        claim: Claim::None,
        engine: EngineChoice::EXPLICIT,
        order: SearchOrder::BreadthFirst,
        limit: None,
    };
    match ours::ask_with(&question, symmetry) {
        Answer::Complete(found) => found,
        other => panic!("{path:?} {defines:?}: {other:?}"),
    }
}

#[test]
fn our_models_keep_what_their_headers_promise() {
    let largest = Dose::largest("promises of pointer automata", 100_000, u64::MAX);
    let mut kept = 0;
    for path in promises::red_models().expect("the folder is there") {
        let text = std::fs::read_to_string(&path).expect("the model is there");
        for promise in promises::promises(&text).expect("every line can be read") {
            if promise.states.is_none_or(|states| states <= largest) {
                keeps(&path, &text, &promise);
                kept += 1;
            }
        }
        for group in promises::groups(&text).expect("every line can be read") {
            let case = Case::load(&path, &text, &group.settings, Claim::None).expect("it is right");
            let found = case.symmetry().expect("nothing is declared");
            assert_eq!(
                found.account.group.order, group.order,
                "{path:?} {:?}",
                group.settings
            );
        }
    }
    assert!(kept >= 25, "only {kept} promises were checked");
}

fn keeps(path: &Path, text: &str, promise: &Promise) {
    let what = format!("{path:?} {:?} {:?}", promise.settings, promise.counting);
    let symmetry = match promise.counting {
        Counting::Reachable => SymmetryChoice::Off,
        Counting::Orbits => SymmetryChoice::default(),
    };
    let found = ask(path, text, &promise.settings, symmetry);
    assert_eq!(found.violated, promise.violated.is_some(), "{what}");
    if promise.violated == Some(Violated::Error) {
        let kind = found.shown.map(|shown| shown.kind);
        assert_eq!(kind, Some(ViolationKind::RuntimeError), "{what}");
    }
    let states = promise.states.unwrap_or(found.states);
    assert_eq!(found.states, states, "{what}");
}

/// What the paper calls inactive variables: states and orbits of the MCS lock without them.
#[test]
fn inactive_variables_of_the_lock_are_eliminated() {
    let path = promises::folder().join("mcs-lock/mcs-lock.red");
    let text = std::fs::read_to_string(&path).expect("the model is there");
    let numbers = [
        (2, 62, 32),
        (3, 812, 142),
        (4, 13_248, 588),
        (5, 265_792, 2_378),
    ];
    for (processes, states, orbits) in numbers {
        let settings = [format!("N={processes}")];
        let loaded = statics::load(&path, &text, &settings).expect("it is right");
        for (symmetry, expected) in [
            (SymmetryChoice::Off, states),
            (SymmetryChoice::default(), orbits),
        ] {
            let options = CheckOptions {
                symmetry,
                static_reductions: StaticReductions::ALL,
                ..CheckOptions::default()
            };
            let found = check(&loaded, &options, &mut Nobody).expect("it is searched");
            assert_eq!(
                found.stats.states, expected,
                "{processes} processes, {symmetry:?}"
            );
        }
    }
}

const CYCLE: &str = "process count = 3;
local pointer next;
local discrete seen;
mode waiting true { when seen == 0 may next->seen = 1; goto done; }
mode done true { }
initially next[1] == 2 and next[2] == 3 and next[3] == 1;
risk GOAL;
";

/// The links go round in one direction and never change, so a goal that wants the other direction is never reached, whatever image of
/// the cycle stands for its orbit. (Figure 2 of the paper.)
#[test]
fn a_goal_that_names_processes_is_answered_right_by_every_strategy() {
    let goals = [
        ("next[1] == 2 and done[1]", true),
        ("next[1] == 3", false),
        ("next[2] == 1 or next[3] == 2", false),
        ("exists i: next[i]->next == i", false),
        ("next[3] == 1 and seen[1] == 1 and seen[2] == 0", true),
    ];
    let effort = Effort::RANDOM;
    for (goal, expected) in goals {
        let text = CYCLE.replace("GOAL", goal);
        let case =
            Case::load(Path::new("cycle.red"), &text, &[], Claim::None).expect("it is right");
        let symmetry = case.symmetry().expect("nothing is declared");
        for strategy in Strategy::ALL {
            for manner in strategies::manners(strategy) {
                let found = case.search(
                    Manner {
                        limit: None,
                        ..manner
                    },
                    &symmetry,
                );
                let found = found.unwrap_or_else(|why| panic!("{goal} {strategy:?}: {why:?}"));
                assert!(
                    found.violated == expected || found.unsure,
                    "{goal} {strategy:?}"
                );
            }
        }
        strategies::examine_case(&case, effort, 0).unwrap_or_else(|why| panic!("{goal}: {why}"));
    }
}

#[test]
fn random_models_mean_the_same_to_all_engines_and_strategies() {
    let dose = Dose::of("random pointer automata", USUAL);
    let (mut reduced, mut violated, mut smaller, mut said) = (0, 0, 0, 0);
    for seed in dose.seeds() {
        let text = red::model(seed);
        let path = Path::new("random.red");
        let case = match Case::load(path, &text, &[], Claim::None) {
            Ok(case) => case,
            Err(why) => {
                assert!(
                    why.contains("no state satisfies"),
                    "seed {seed}: {why}\n{text}"
                );
                continue;
            }
        };
        let agreement = strategies::examine_case(&case, Effort::RANDOM, seed);
        match agreement.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}")) {
            Agreement::Reduced {
                violated: wrong, ..
            } => {
                reduced += 1;
                violated += u64::from(wrong);
            }
            Agreement::NoSymmetry => {}
            Agreement::TooLarge => continue,
            other => panic!("seed {seed}: {other:?}\n{text}"),
        }
        said += 1;
        let [off, on] =
            forgetful(path, &text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        smaller += u64::from(on < off);
    }
    let all = dose.size;
    println!(
        "{said} of {all} say something, {reduced} have symmetry, {violated} of these are wrong, {smaller} have inactive variables"
    );
    assert!(
        reduced > 0 && violated < reduced,
        "none says anything, or all are wrong"
    );
    if dose.is_large {
        assert!(
            said * 10 >= all * 5 && reduced * 10 >= said * 4,
            "too few say anything"
        );
        assert!(
            violated * 10 <= reduced * 8 && smaller > 0,
            "too many are wrong, or nothing is inactive"
        );
    }
}

/// How many states there are without static reductions and with all; the verdicts have to be the same, with symmetry, too.
fn forgetful(path: &Path, text: &str) -> Result<[u64; 2], String> {
    let loaded = statics::load(path, text, &[]).ok_or("it cannot be read")?;
    let ask = |symmetry, static_reductions| {
        let options = CheckOptions {
            symmetry,
            static_reductions,
            after_violation: AfterViolation::GoOn,
            ..CheckOptions::default()
        };
        let found = check(&loaded, &options, &mut Nobody).map_err(|why| format!("{why:?}"))?;
        Ok::<_, String>((found.verdict, found.stats.states))
    };
    let (verdict, off) = ask(SymmetryChoice::Off, StaticReductions::NONE)?;
    let (same, on) = ask(SymmetryChoice::Off, StaticReductions::ALL)?;
    let (reduced, _) = ask(SymmetryChoice::default(), StaticReductions::ALL)?;
    match [same, reduced] == [verdict, verdict] && on <= off {
        true => Ok([off, on]),
        false => Err(format!(
            "{verdict:?} and {off} states become {same:?} and {on}, {reduced:?} with symmetry"
        )),
    }
}
