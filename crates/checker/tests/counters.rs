//! Counts of members: what they are used for, what is refused and where, limits, and numbers that are known.

use mandala_checker::document::counters::counters;
use mandala_checker::frontend::{self, LoadedModel, ModelInput};
use mandala_checker::options::{CheckOptions, EngineChoice, Limits, SearchOrder, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::Document;
use mandala_report::document::Verdict;

const COUNTERS: SymmetryChoice = SymmetryChoice::Counters;

fn loaded(text: &str) -> LoadedModel {
    let input = ModelInput {
        path: "m.pml".into(),
        text: text.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    frontend::load(input).expect("a right model")
}

fn options(symmetry: SymmetryChoice) -> CheckOptions {
    CheckOptions {
        symmetry,
        ..CheckOptions::default()
    }
}

fn checked(text: &str, options: &CheckOptions) -> Document {
    check(&loaded(text), options, &mut Nobody).expect("a document")
}

fn refusal(text: &str, options: &CheckOptions) -> String {
    match check(&loaded(text), options, &mut Nobody) {
        Err(Refusal::Check(error)) => error.to_string(),
        Err(Refusal::Plan(error)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Processes that take turns with a lock, and may stay anywhere.
fn turns(processes: u32) -> String {
    format!(
        "bool taken;
        active [{processes}] proctype P() {{
        end: do
            :: d_step {{ !taken -> taken = true }}
               end2: d_step {{ taken -> taken = false }}
            od
        }}"
    )
}

#[test]
fn members_are_counted_where_that_is_wished_for() {
    for processes in [3, 100] {
        for (symmetry, name) in [(SymmetryChoice::default(), "auto"), (COUNTERS, "counters")] {
            let document = checked(&turns(processes), &options(symmetry));
            assert_eq!(document.stats.states, 2);
            assert_eq!(document.symmetry.strategy, name);
        }
    }
}

#[test]
fn what_is_refused_is_refused_with_its_place() {
    let cases = [
        (
            "active proctype P() { skip }",
            "nothing in the model is interchangeable",
        ),
        (
            "byte who;\nactive [3] proctype P() { who = _pid }",
            "`who` holds a member; `--symmetry auto` is (m.pml:1:6)",
        ),
        (
            "chan q = [2] of { byte };\nactive [2] proctype P() { q!_pid }",
            "messages hold members; `--symmetry auto` is (m.pml:1:",
        ),
        (
            "proctype P() { skip }\ninit { run P(); run P() }",
            "not every `P` is there from the start on",
        ),
        (
            "bool b[3];\nactive [3] proctype P() { bool seen[3]; seen[_pid] = b[_pid] }",
            "`seen` has a value for each pair of members",
        ),
    ];
    for (text, expected) in cases {
        let found = refusal(text, &options(COUNTERS));
        assert!(
            found.contains("`--symmetry counters` is not possible: "),
            "{found}"
        );
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn relations_and_programs_are_of_steps_of_one_member() {
    let meeting = "chan r = [0] of { bit };
        active [2] proctype P() { end: do :: r!1 :: r?1 od }";
    let options = CheckOptions {
        engine: EngineChoice::SYMBOLIC,
        ..options(COUNTERS)
    };
    let found = refusal(meeting, &options);
    assert!(found.contains("`r!1` meets another process"), "{found}");
    let found = counters(&loaded(meeting), &options);
    let found = format!("{:?}", found.expect_err("they meet"));
    assert!(
        found.contains("there is no counter program: `r!1` meets another process"),
        "{found}"
    );
    // A state that is written out has all steps.
    let explicit = checked(meeting, &self::options(COUNTERS));
    assert_eq!((explicit.stats.states, explicit.stats.transitions), (1, 3));
}

#[test]
fn formulas_are_refused() {
    let text = format!("{}\nltl p {{ []<> !taken }}", turns(2));
    let found = refusal(&text, &options(COUNTERS));
    assert!(
        found.contains("`--symmetry counters` decides assertions"),
        "{found}"
    );
}

#[test]
fn a_limit_ends_the_search() {
    let text = "active [9] proctype P() { byte s; do :: s = 0 :: s = 1 :: s = 2 :: d_step { s > 0 -> s-- } od }";
    for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
        for limits in [
            Limits {
                states: Some(10),
                ..Limits::default()
            },
            Limits {
                depth: Some(3),
                ..Limits::default()
            },
        ] {
            let limited = CheckOptions {
                engine,
                limits,
                ..options(COUNTERS)
            };
            let document = checked(text, &limited);
            assert_eq!(document.properties[0].verdict, Verdict::Unknown);
            assert!(document.stats.states < 55, "{}", document.stats.states);
        }
        let unlimited = CheckOptions {
            engine,
            ..options(COUNTERS)
        };
        assert_eq!(checked(text, &unlimited).stats.states, 55);
    }
}

#[test]
fn violations_are_shown_by_shortest_runs() {
    let text = "byte in;
        active [4] proctype P() {
        end: do :: in++; assert(in < 3); in-- od
        }";
    let plain = checked(text, &options(SymmetryChoice::Off));
    let steps = |document: &Document| document.trace.as_ref().map(|trace| trace.steps.len());
    assert_eq!(plain.properties[0].verdict, Verdict::Violated);
    for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
        for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
            let document = checked(
                text,
                &CheckOptions {
                    engine,
                    order,
                    ..options(COUNTERS)
                },
            );
            assert_eq!(document.properties[0].verdict, Verdict::Violated);
            match order {
                SearchOrder::BreadthFirst => assert_eq!(steps(&document), steps(&plain)),
                SearchOrder::DepthFirst => assert!(steps(&document) >= steps(&plain)),
            }
        }
    }
}

#[test]
fn a_deadlock_in_which_all_are_done_is_none() {
    let text = |place: &str| {
        format!(
            "byte left = 2; active [2] proctype P() {{ d_step {{ left > 0 -> left-- }} {place} left == 9 }}"
        )
    };
    for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
        let options = CheckOptions {
            engine,
            ..options(COUNTERS)
        };
        let verdict = |text: &str| checked(text, &options).properties[0].verdict;
        assert_eq!(verdict(&text("")), Verdict::Violated);
        assert_eq!(verdict(&text("end:")), Verdict::Holds);
    }
}
