//! Models that are almost symmetric: known numbers of abstract states and of orbits, kinds, refusals, counterexamples.

use mandala_checker::frontend::{self, LoadedModel, ModelInput};
use mandala_checker::options::{
    AfterViolation, CheckOptions, PartialSymmetry, Selection, StaticReductions, SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::Document;
use mandala_report::document::Verdict;
use std::num::NonZeroU32;

const ADAPTIVE: SymmetryChoice = SymmetryChoice::Partial(PartialSymmetry::Adaptive);
const VIRTUAL: SymmetryChoice = SymmetryChoice::Partial(PartialSymmetry::Virtual);

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

fn checked(text: &str, symmetry: SymmetryChoice) -> Result<Document, Refusal> {
    check(&loaded(text), &options(symmetry), &mut Nobody)
}

/// The number of states that are kept of a model that holds.
fn states(text: &str, symmetry: SymmetryChoice) -> u64 {
    let document = checked(text, symmetry).expect("a document");
    assert_eq!(document.properties[0].verdict, Verdict::Holds, "{text}");
    document.stats.states
}

fn refusal(text: &str, symmetry: SymmetryChoice) -> String {
    match checked(text, symmetry) {
        Err(Refusal::Check(error)) => error.to_string(),
        Err(Refusal::Plan(error)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Processes that are idle, trying or in, with statements besides those by which they try and leave.
fn processes(count: usize, entries: &[String]) -> String {
    let entries: Vec<String> = entries
        .iter()
        .map(|e| format!(":: d_step {{ {e} -> st[_pid] = 2 }}"))
        .collect();
    format!(
        "byte st[{count}];
        active [{count}] proctype P() {{
        end: do
            :: d_step {{ st[_pid] == 0 -> st[_pid] = 1 }}
            :: d_step {{ st[_pid] == 2 -> st[_pid] = 0 }}
            {}
            od
        }}",
        entries.join("\n            ")
    )
}

fn all(from: usize, to: usize, what: impl Fn(usize) -> String) -> String {
    let parts: Vec<String> = (from..to).map(what).collect();
    parts.join(" && ")
}

fn is_out(i: usize) -> String {
    format!("st[{i}] != 2")
}

/// Readers, which may be in together, and writers, which may not; nobody has to wait for those who wait.
fn readers_writers(readers: usize, writers: usize) -> String {
    let n = readers + writers;
    let alone = format!("st[_pid] == 1 && {}", all(0, n, is_out));
    let no_writer = format!(
        "_pid < {readers} && st[_pid] == 1 && {}",
        all(readers, n, is_out)
    );
    processes(n, &[alone, no_writer])
}

/// Who has the smallest number of those that try comes in first.
fn strict_priority(n: usize) -> String {
    let first = all(0, n, |i| format!("(st[{i}] != 1 || _pid >= {i})"));
    let entry = format!("st[_pid] == 1 && {} && {first}", all(0, n, is_out));
    processes(n, &[entry])
}

/// Writers come in before readers.
fn writers_first(readers: usize, writers: usize) -> String {
    let n = readers + writers;
    let no_writer = all(readers, n, |i| format!("st[{i}] != 1"));
    let entry = format!(
        "st[_pid] == 1 && {} && (_pid >= {readers} || ({no_writer}))",
        all(0, n, is_out)
    );
    processes(n, &[entry])
}

/// Contention is resolved in favour of the lowest number, by a loop; everything else is symmetric.
const ARBITRATION: &str = "
    #define N 6
    byte st[N]; bool busy; hidden byte j;
    active [N] proctype P() {
        bool ok;
        do
        :: st[_pid] == 0 -> st[_pid] = 1
        :: atomic {
            st[_pid] == 1 && !busy;
            d_step { ok = true; j = 0; do :: j < _pid -> ok = ok && (st[j] != 1); j++ :: else -> break od; j = 0 }
            if :: ok -> busy = true; st[_pid] = 2; ok = false :: else -> ok = false fi
           }
        :: atomic { st[_pid] == 2 -> st[_pid] = 0; busy = false }
        od
    }";

#[test]
fn abstract_states_are_as_many_as_published() {
    let known = [
        (readers_writers(2, 1), 22, 9),
        (readers_writers(3, 2), 140, 20),
        (readers_writers(6, 2), 3_172, 62),
        (strict_priority(3), 20, 16),
        (strict_priority(4), 48, 37),
        (writers_first(2, 1), 20, 11),
        (writers_first(2, 2), 48, 17),
    ];
    let found = known.iter().map(|(text, ..)| {
        let all = states(text, SymmetryChoice::Off);
        (all, states(text, ADAPTIVE))
    });
    let found: Vec<(u64, u64)> = found.collect();
    let known: Vec<(u64, u64)> = known.iter().map(|(_, all, few)| (*all, *few)).collect();
    assert_eq!(found, known);
}

#[test]
fn contention_that_is_resolved_by_a_loop_costs_little() {
    let plain = CheckOptions {
        static_reductions: StaticReductions::NONE,
        ..options(SymmetryChoice::Off)
    };
    let all = check(&loaded(ARBITRATION), &plain, &mut Nobody).expect("a document");
    assert_eq!(all.stats.states, 2_187);
    let few = states(ARBITRATION, ADAPTIVE);
    assert!(few < 200, "{few}");
}

#[test]
fn orbits_of_virtually_symmetric_models() {
    assert_eq!(states(&strict_priority(3), VIRTUAL), 7);
    assert_eq!(states(&strict_priority(4), VIRTUAL), 9);
    assert_eq!(states(&writers_first(2, 1), VIRTUAL), 7);
    assert_eq!(states(&writers_first(2, 2), VIRTUAL), 9);
    for (readers, writers) in [(2, 1), (3, 2), (6, 2)] {
        let why = refusal(&readers_writers(readers, writers), VIRTUAL);
        assert!(
            why.contains("images of each other") && why.contains("st["),
            "{why}"
        );
    }
}

/// What the report calls a model.
fn kind(text: &str) -> String {
    let document = checked(text, VIRTUAL).expect("a document");
    let asymmetry = document.symmetry.asymmetry.expect("it was looked at");
    asymmetry.kind.expect("everything was seen")
}

#[test]
fn special_cases_of_virtual_symmetry_have_names() {
    let one = |entry: &str| processes(2, &[format!("st[_pid] == 1 && {entry}")]);
    assert_eq!(kind(&one("st[0] != 2 && st[1] != 2")), "symmetric");
    // Only where both try, and both states are the same, has one of them to wait.
    assert_eq!(
        kind(&one(
            "st[0] != 2 && st[1] != 2 && (_pid == 0 || st[0] != 1)"
        )),
        "nearly symmetric"
    );
    // With a third one that is somewhere else, the two that try can still be exchanged.
    assert_eq!(kind(&strict_priority(3)), "roughly symmetric");
}

#[test]
fn counterexamples_are_lifted_and_replayed() {
    let bug = readers_writers(2, 1).replace(
        "st[_pid] == 2 ->",
        "st[_pid] == 2 -> assert(st[2] != 2 || st[0] != 2);",
    );
    // In the right model no assertion fails.
    assert_eq!(
        states(&bug, ADAPTIVE),
        states(&readers_writers(2, 1), ADAPTIVE)
    );
    // A writer comes in with the statement of the readers.
    let bug = bug.replace("_pid < 2 &&", "");
    let shown = |symmetry| {
        let document = checked(&bug, symmetry).expect("a document");
        assert_eq!(document.properties[0].verdict, Verdict::Violated);
        document.trace.map(|trace| trace.steps.len())
    };
    assert_eq!(shown(ADAPTIVE), shown(SymmetryChoice::Off));
    let all = CheckOptions {
        after_violation: AfterViolation::GoOn,
        ..options(ADAPTIVE)
    };
    let document = check(&loaded(&bug), &all, &mut Nobody).expect("a document");
    assert_eq!(document.properties[0].verdict, Verdict::Violated);
}

#[test]
fn processes_that_are_made_one_by_one_and_end_are_no_obstacle() {
    let text = "byte at[5]; byte who = 99;
        proctype P(byte me) { at[me] = 1; if :: who == 99 -> who = me :: who == 2 -> at[me] = 2 :: else fi; at[me] = 0 }
        init { atomic { run P(1); run P(2); run P(3); run P(4) } }";
    let all = states(text, SymmetryChoice::Off);
    let few = states(text, ADAPTIVE);
    assert!(few < all, "{few} of {all}");
}

#[test]
fn what_is_not_decided_is_refused() {
    let text = format!("{} ltl f {{ [] (st[0] != 3) }}", readers_writers(2, 1));
    for symmetry in [ADAPTIVE, VIRTUAL] {
        let why = refusal(&text, symmetry);
        assert!(why.contains("`f` is something else"), "{why}");
    }
    let workers = CheckOptions {
        workers: NonZeroU32::new(2).expect("not zero"),
        ..options(ADAPTIVE)
    };
    let Err(Refusal::Plan(error)) = check(
        &loaded("active proctype P() { skip }"),
        &workers,
        &mut Nobody,
    ) else {
        panic!("there is one worker");
    };
    assert!(
        error.to_string().contains("`--symmetry adaptive`"),
        "{error}"
    );
    let enabled =
        "byte x; active [2] proctype P() { do :: enabled(1 - _pid) -> x = 1 :: x = 0 od }";
    let why = refusal(enabled, ADAPTIVE);
    assert!(why.contains("nothing can be proven"), "{why}");
}

#[test]
fn a_report_says_where_few_statements_break_a_symmetry() {
    let text = "byte x[3]; byte y;
        active [3] proctype P() {
            do
            :: x[_pid] == 0 -> x[_pid] = 1
            :: x[_pid] == 1 -> x[_pid] = 2; y = 1
            :: x[_pid] == 2 && _pid < 2 -> x[_pid] = 0
            :: y > 0 -> y = 0
            od
        }";
    let document = checked(text, SymmetryChoice::default()).expect("a document");
    let found = document.symmetry.asymmetry.expect("few statements");
    assert!(
        found.breaking > 0 && found.breaking * 3 <= found.statements,
        "{found:?}"
    );
    let named = CheckOptions {
        properties: Selection::Named(vec!["safety".into()]),
        ..options(ADAPTIVE)
    };
    let document = check(&loaded(text), &named, &mut Nobody).expect("a document");
    assert!(
        document
            .symmetry
            .refused
            .iter()
            .any(|r| r.what.contains("_pid<2") || r.what.contains("_pid < 2"))
    );
}
