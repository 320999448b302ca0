//! What a user sees of static reductions: fewer states, the same answers, and runs of the model as it was written.

use mandala_checker::check;
use mandala_checker::frontend::{self, LoadedModel, ModelInput};
use mandala_checker::options::{
    AfterViolation, CheckOptions, EngineChoice, Selection, StaticReductions, SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_report::Document;
use mandala_report::document::Verdict;

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

fn checked(text: &str, static_reductions: StaticReductions) -> Document {
    let options = CheckOptions {
        static_reductions,
        ..CheckOptions::default()
    };
    check(&loaded(text), &options, &mut Nobody).expect("it can be checked")
}

/// Each process has steps of its own and a variable that it soon forgets; names of processes are in it.
const TURNS: &str = "byte limit = 2; byte turn; byte seen;
    active [3] proctype P() { byte mine = 3; byte steps;
        do
        :: atomic { turn == _pid -> mine = seen };
            steps = 1; steps = steps + 1;
            atomic { seen = _pid; turn = (turn + 1) % 3 };
            mine = 3
        od }
    active proctype Q() { assert(seen <= limit) }";

#[test]
fn the_report_says_what_was_done() {
    let off = checked(TURNS, StaticReductions::NONE);
    assert_eq!(off.reduction.simplification, "off");
    let on = checked(TURNS, StaticReductions::ALL);
    let told = &on.reduction.simplification;
    for part in ["dead variable", "merged location", "1 constant"] {
        assert!(told.contains(part), "{told}");
    }
    assert!(on.stats.states < off.stats.states);
    assert_eq!(on.verdict, off.verdict);
    assert_eq!(on.unreached, off.unreached);
    let idle = checked(
        "byte g; active proctype P() { do :: g = 1 - g od } active proctype Q() { g == 1 }",
        StaticReductions::ALL,
    );
    assert_eq!(idle.reduction.simplification, "nothing");
}

#[test]
fn each_reduction_has_a_switch_of_its_own() {
    let parts = |told: &str| told.split(", ").count();
    for some in ["dead", "merge", "constants"] {
        let some = StaticReductions::named(some).expect("a name");
        assert_eq!(parts(&checked(TURNS, some).reduction.simplification), 1);
    }
}

/// A violation that nothing but a run of the model as it was written shows.
#[test]
fn a_counterexample_has_no_steps_that_nobody_needs() {
    let text = "byte g; chan q = [1] of { byte };
        active proctype P() { byte x; byte y; x = 7; q ! x; y = 1; y = 2; y = 3; g = 2 }
        active proctype Q() { byte z; q ? z; assert(z != 7) }";
    for engine in [EngineChoice::EXPLICIT, EngineChoice::REFERENCE] {
        let options = CheckOptions {
            engine,
            ..CheckOptions::default()
        };
        let on = check(&loaded(text), &options, &mut Nobody).expect("it can be checked");
        assert_eq!(on.verdict, Verdict::Violated);
        let trace = on.trace.expect("a run");
        let statements: Vec<&str> = trace.steps.iter().map(|s| s.statement.as_str()).collect();
        assert_eq!(statements, ["x = 7", "q!x", "q?z", "assert(z != 7)"]);
        assert!(!trace.shortest, "merged steps are not counted one by one");
    }
    let off = checked(text, StaticReductions::NONE);
    assert!(off.trace.is_some_and(|t| t.shortest && t.steps.len() == 4));
}

/// What fails is found again by where it stands, also if its value was known beforehand.
#[test]
fn what_is_known_to_fail_fails_where_it_was_written() {
    for condition in ["z == 0 -> g : g", "z == 0 -> g : 1", "z == 0 -> 5 / g : 1"] {
        let text = format!("byte g, z; active proctype P() {{ assert(({condition})) }}");
        let on = checked(&text, StaticReductions::ALL);
        assert_eq!(on.verdict, Verdict::Violated, "{condition}");
        let off = checked(&text, StaticReductions::NONE);
        assert_eq!(on.violation, off.violation, "{condition}");
    }
}

#[test]
fn values_in_a_counterexample_are_those_of_the_model() {
    // `x` is dead after the send, but a person who reads the run sees that it still is 7.
    let text = "byte g; chan q = [1] of { byte };
        active proctype P() { byte x = 3; x = 7; q ! x; g = 1; q ? g; assert(g != 7) }
        active proctype Q() { end: g == 9 }";
    let on = checked(text, StaticReductions::ALL);
    let trace = on.trace.expect("a run");
    let changes = trace.steps.iter().flat_map(|s| &s.changes);
    let of_x: Vec<_> = changes.filter(|c| c.name.ends_with('x')).collect();
    assert_eq!(of_x.len(), 1, "{of_x:?}");
}

/// A dead variable that holds names is given a value that is nobody's, so that the group stays whole.
#[test]
fn names_stay_interchangeable() {
    let text = "byte last = 255; active [3] proctype P() { byte other;
        end: do :: atomic { last == 255 -> last = _pid } :: atomic { last != 255 -> other = last }; last = 255; assert(other < 3) od }";
    let symmetry = |statics| {
        let document = checked(text, statics);
        (document.symmetry.order.clone(), document.stats.states)
    };
    let (off, more) = symmetry(StaticReductions::NONE);
    let (on, fewer) = symmetry(StaticReductions::ALL);
    assert_eq!((off.as_str(), on.as_str()), ("6", "6"));
    assert!(fewer < more, "{more} states stay {fewer}");
}

#[test]
fn a_deadlock_needs_the_merged_steps() {
    let text = "byte g; active [2] proctype P() { byte x; g++; x = 1; x = 2; g == 9 }";
    for symmetry in [SymmetryChoice::Off, SymmetryChoice::default()] {
        let options = CheckOptions {
            symmetry,
            after_violation: AfterViolation::GoOn,
            ..CheckOptions::default()
        };
        let on = check(&loaded(text), &options, &mut Nobody).expect("it can be checked");
        assert_eq!(on.verdict, Verdict::Violated);
        assert_eq!(on.trace.map(|t| t.steps.len()), Some(6));
    }
}

/// An automaton moves between the steps of a model that is rewritten, and its moves are those that are told.
#[test]
fn a_run_that_an_automaton_follows_through_a_rewritten_model_is_shown() {
    let text = "chan c = [2] of { byte }; byte n;
        active [2] proctype P() { byte x; do :: c!1; n = 1; c?x; n = 0 od }
        ltl finite { [] (n == 0) }
        ltl forever { <> [] (n == 1) }";
    let both = |engine| ["finite", "forever"].map(|name| (engine, name));
    let cases = [EngineChoice::EXPLICIT, EngineChoice::REFERENCE].map(both);
    for (engine, name) in cases.into_iter().flatten() {
        let options = CheckOptions {
            engine,
            properties: Selection::Named(vec![name.into()]),
            ..CheckOptions::default()
        };
        let on = check(&loaded(text), &options, &mut Nobody).expect("it can be checked");
        assert_eq!(on.verdict, Verdict::Violated, "{engine:?} {name}");
        assert!(on.trace.is_some_and(|t| !t.steps.is_empty()));
        assert!(!on.reduction.simplification.is_empty(), "{engine:?}");
    }
}
