//! Formulas of branching time on decision diagrams: the same verdicts as those of the reference engine, and runs that replay.

use mandala_checker::document::retrace::{Resemblance, retrace};
use mandala_checker::frontend::{LoadedModel, ModelInput, PropertyInput, load_with};
use mandala_checker::options::{
    CheckOptions, CycleSearch, EngineChoice, Fairness, Limits, SearchOrder, Selection,
    StaticReductions, SymmetryChoice,
};
use mandala_checker::plan::PlanError;
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_model::stated::StatedForm;
use mandala_report::Document;
use mandala_report::document::Verdict;
use mandala_symbolic::Manner;
use std::path::Path;

const NAME: &str = "asked";

fn loaded(text: &str, form: StatedForm, formula: &str) -> LoadedModel {
    let input = ModelInput {
        path: "model.pml".into(),
        text: text.to_string(),
        defines: Vec::new(),
        dialect: None,
        read: |_: &Path| Err(std::io::ErrorKind::NotFound.into()),
    };
    let stated = PropertyInput {
        form,
        name: Some(NAME.into()),
        origin: NAME.into(),
        text: formula.into(),
    };
    load_with(input, vec![stated]).unwrap_or_else(|error| panic!("{formula}: {error:?}"))
}

fn options(engine: EngineChoice, symmetry: SymmetryChoice, order: SearchOrder) -> CheckOptions {
    CheckOptions {
        engine,
        symmetry,
        order,
        static_reductions: StaticReductions::NONE,
        properties: Selection::Named(vec![NAME.into()]),
        ..CheckOptions::default()
    }
}

fn on_diagrams() -> CheckOptions {
    options(
        EngineChoice::SYMBOLIC,
        SymmetryChoice::Off,
        SearchOrder::BreadthFirst,
    )
}

fn checked(loaded: &LoadedModel, options: &CheckOptions) -> Document {
    let document = check(loaded, options, &mut Nobody);
    let document = document.unwrap_or_else(|refusal| panic!("{refusal:?}"));
    if let (Some(trace), Some(violation)) = (&document.trace, &document.violation) {
        let replayed = retrace(loaded, trace, violation, Resemblance::Same);
        replayed.unwrap_or_else(|error| panic!("{error}"));
    }
    document
}

/// The symbolic engine, without symmetry and with all its ways to use it, says what the reference engine says.
#[track_caller]
fn agree(text: &str, formulas: &[(&str, Verdict)]) {
    for (formula, expected) in formulas {
        let loaded = loaded(text, StatedForm::Ctl, formula);
        let plain = |engine| options(engine, SymmetryChoice::Off, SearchOrder::BreadthFirst);
        let reference = checked(&loaded, &plain(EngineChoice::REFERENCE)).verdict;
        assert_eq!(reference, *expected, "{formula}");
        let explicit = checked(&loaded, &plain(EngineChoice::EXPLICIT));
        let ways = Manner::ALL.map(SymmetryChoice::OnSets);
        for symmetry in std::iter::once(SymmetryChoice::Off).chain(ways) {
            for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
                let found = checked(&loaded, &options(EngineChoice::SYMBOLIC, symmetry, order));
                let what = format!("{formula} {symmetry:?} {order:?}");
                assert_eq!(found.verdict, *expected, "{what}");
                assert_eq!(found.trace.is_some(), explicit.trace.is_some(), "{what}");
                let witness = |document: &Document| document.properties[0].witness.is_some();
                assert_eq!(witness(&found), witness(&explicit), "{what}");
                let goes_on = |document: &Document| {
                    let trace = document.trace.as_ref();
                    trace.map(|trace| trace.before_cycle.is_some())
                };
                assert_eq!(goes_on(&found), goes_on(&explicit), "{what}");
            }
        }
    }
}

use Verdict::{Holds, Unknown, Violated};

#[test]
fn every_operator_is_decided() {
    // 0 and 1 take turns, 2 leads to 3 and nowhere else.
    let text = "byte x; active proctype p() { do :: x < 2 -> x = 1 - x :: x == 0 -> x = 2 :: x == 2 -> x = 3 :: x == 3 -> x = 3 od }";
    agree(
        text,
        &[
            ("x == 0", Holds),
            ("EX EX (x == 2)", Holds),
            ("AX AX (x == 1)", Violated),
            ("EF (x == 3)", Holds),
            ("AF (x == 3)", Violated),
            ("AG (x != 3)", Violated),
            ("AG EF (x == 1)", Violated),
            ("AG (x == 3 -> AG (x == 3))", Holds),
            ("EG (x < 2)", Holds),
            ("EG (x == 0)", Violated),
            ("AG (x == 1 -> AF (x == 0))", Holds),
            ("AG (x == 0 -> AF (x == 2))", Violated),
            ("E[(x < 2) U (x == 2)]", Holds),
            ("A[(x < 2) U (x == 2)]", Violated),
            ("A[(x < 2) W (x == 2)]", Holds),
            ("E[(x == 0) W (x == 1)]", Holds),
            ("A[(x == 2) V (x < 3)]", Holds),
            ("EF AG (x == 3) && !AF (x == 3)", Holds),
            ("AF (x == 3) || EG (x < 2)", Holds),
            ("EF (x == 4)", Violated),
        ],
    );
}

#[test]
fn a_run_that_ends_stands_still() {
    let text = "byte x; active proctype p() { x = 1; x == 5; do :: x = 2 od }";
    agree(
        text,
        &[
            ("AF (x == 1)", Holds),
            ("AF (x == 2)", Violated),
            ("AF AG (x == 1)", Holds),
            ("EX EX EX EX (x == 1)", Holds),
            ("AX AX AX AX (x != 1)", Violated),
            ("EG (x == 1)", Violated),
            ("EF EG (x == 1)", Holds),
        ],
    );
}

#[test]
fn what_somebody_holds_is_no_state() {
    let text = "byte x, y; active [2] proctype p() { do :: atomic { x == 0; x = 1; x = 2; x = 0; y = 1 - y } od }";
    agree(
        text,
        &[
            ("AG (x == 0)", Holds),
            ("EF (x == 1)", Violated),
            ("AX (y == 1)", Holds),
            ("AG AF (y == 1)", Holds),
            ("AF AG (y == 0)", Violated),
        ],
    );
    // Who blocks inside loses control, and that is a state.
    let text = "byte x; active [2] proctype p() { do :: atomic { x++; x == 2; x = 0 } od }";
    agree(text, &[("EF (x == 2)", Violated), ("AX (x == 1)", Holds)]);
}

#[test]
fn names_are_exchanged_and_runs_are_real() {
    let text = "byte inside; byte last = 9; active [3] proctype p() {
        do :: atomic { inside == 0; inside = 1; last = _pid }; critical: atomic { inside = 0; last = 9 } od }";
    agree(
        text,
        &[
            ("AG EF (inside == 0)", Holds),
            ("AF (inside == 1)", Holds),
            ("AG (inside == 1 -> AX (inside == 0))", Holds),
            ("EG (inside == 0)", Violated),
            ("AG (inside == 0 -> EX EX (inside == 1))", Violated),
            ("AG AF (last == 1)", Violated),
            ("EF EG (last != 0)", Holds),
        ],
    );
    let text = "byte n; active [3] proctype p() { byte s; do :: s < 2 -> s++; n++ :: s == 2 -> s = 0; n = n - 2 od }";
    agree(
        text,
        &[
            ("AG EF (n == 0)", Holds),
            ("AF (n == 6)", Violated),
            ("EF (n == 6)", Holds),
            ("AG (n == 6 -> AX (n < 6))", Violated),
        ],
    );
}

#[test]
fn what_must_be_possible_is_such_a_formula() {
    let text = "byte x; active proctype p() { do :: x < 3 -> x++ :: x == 2 -> x = 0 od }";
    let verdict = |form, condition| {
        let loaded = loaded(text, form, condition);
        checked(&loaded, &on_diagrams()).verdict
    };
    assert_eq!(verdict(StatedForm::Possible, "x == 3"), Holds);
    assert_eq!(verdict(StatedForm::Possible, "x == 4"), Violated);
    assert_eq!(verdict(StatedForm::AlwaysPossible, "x == 3"), Holds);
    assert_eq!(verdict(StatedForm::AlwaysPossible, "x == 0"), Violated);
}

#[test]
fn what_has_no_value_is_not_decided() {
    let text = "byte x = 2; active proctype p() { x--; x--; x++ }";
    agree(text, &[("AF (4 / x > 2)", Unknown)]);
    let text = "byte x = 2; active proctype p() { x--; x = 4 / x; x = 0; x = 1 / x }";
    // The model itself goes wrong.
    agree(text, &[("AG (x < 9)", Violated)]);
}

#[test]
fn formulas_may_ask_about_every_process() {
    let text = "byte x; active proctype p() { do :: x < 3 -> x++ :: else -> break od }
        active proctype q() { x == 2 }";
    agree(
        text,
        &[
            ("EF enabled(0)", Holds),
            ("enabled(0) && !enabled(1)", Holds),
            ("AG (enabled(0) || enabled(1))", Violated),
            ("EF (enabled(0) && enabled(1))", Holds),
            ("EF enabled(2)", Violated),
            ("EF (enabled(x))", Holds),
        ],
    );
    // A guard that asks about others is part of the answer, unless it asks back.
    let text = "byte x; active proctype p() { do :: !enabled(1) -> x = 1 od }
        active proctype q() { x == 1; x = 2 }";
    agree(text, &[("AF (x == 1)", Holds), ("AG enabled(0)", Violated)]);
    let text = "byte x; active proctype p() { x == 0; enabled(1); x = 2 }
        active proctype q() { x == 0; enabled(0); x = 1 }";
    // That question is wrong in the model itself.
    agree(text, &[("enabled(0)", Violated)]);
}

#[test]
fn limits_leave_it_open() {
    let text = "int x; active proctype p() { do :: x < 3000 -> x++ :: x = 0 od }";
    let loaded = loaded(text, StatedForm::Ctl, "AG EF (x == 0)");
    let limited = CheckOptions {
        limits: Limits {
            states: Some(100),
            ..Limits::default()
        },
        ..on_diagrams()
    };
    assert_eq!(checked(&loaded, &limited).verdict, Unknown);
}

#[test]
fn what_is_about_runs_alone_is_refused() {
    let text = "byte x; active proctype p() { do :: x = 1 - x od }";
    let of_branching = loaded(text, StatedForm::Ctl, "AF (x == 1)");
    let fair = CheckOptions {
        fairness: Fairness::Weak,
        ..on_diagrams()
    };
    let shortest = CheckOptions {
        shortest: true,
        ..on_diagrams()
    };
    let graph = CheckOptions {
        cycles: CycleSearch::Graph,
        ..on_diagrams()
    };
    for (options, option) in [
        (fair, "--fair"),
        (shortest, "--shortest"),
        (graph, "--cycles"),
    ] {
        match check(&of_branching, &options, &mut Nobody) {
            Err(Refusal::Plan(PlanError::NotOfEngine(refused, engine))) => {
                assert_eq!((refused, engine), (option, EngineChoice::SYMBOLIC));
            }
            other => panic!("{other:?}"),
        }
    }
    let linear = loaded(text, StatedForm::Ltl, "<> (x == 1)");
    let shortest = CheckOptions {
        shortest: true,
        ..options(
            EngineChoice::REFERENCE,
            SymmetryChoice::Off,
            SearchOrder::BreadthFirst,
        )
    };
    match check(&linear, &shortest, &mut Nobody) {
        Err(Refusal::Plan(PlanError::NotOfEngine(refused, engine))) => {
            assert_eq!((refused, engine), ("--shortest", EngineChoice::REFERENCE));
        }
        other => panic!("{other:?}"),
    }
    match check(&linear, &on_diagrams(), &mut Nobody) {
        Err(Refusal::Plan(error @ PlanError::Cycles(..))) => {
            let error = error.to_string();
            assert!(
                error.contains(NAME) && error.contains("leave it out"),
                "{error}"
            );
        }
        other => panic!("{other:?}"),
    }
}
