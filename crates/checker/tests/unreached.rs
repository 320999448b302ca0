//! Statements that no run executes: the same for every engine.

use mandala_checker::check;
use mandala_checker::frontend::{ModelInput, load};
use mandala_checker::options::{CheckOptions, EngineChoice, StaticReductions, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_report::document::Verdict;
use std::io;

/// The lines and texts of the statements that are listed.
fn unreached(
    text: &str,
    engine: EngineChoice,
    static_reductions: StaticReductions,
) -> Vec<(u32, String)> {
    let input = ModelInput {
        path: "model.pml".into(),
        text: text.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(io::ErrorKind::NotFound.into()),
    };
    let loaded = load(input).expect("a right model");
    let options = CheckOptions {
        engine,
        static_reductions,
        symmetry: SymmetryChoice::Off,
        ..CheckOptions::default()
    };
    let document = check(&loaded, &options, &mut Nobody).expect("an answer");
    assert_eq!(document.verdict, Verdict::Holds, "{engine:?}");
    let statements = document.unreached.into_iter();
    statements.map(|u| (u.line, u.statement)).collect()
}

#[track_caller]
fn all_list(text: &str, expected: &[(u32, &str)]) {
    for engine in [
        EngineChoice::EXPLICIT,
        EngineChoice::REFERENCE,
        EngineChoice::SYMBOLIC,
    ] {
        for statics in [StaticReductions::NONE, StaticReductions::ALL] {
            let found = unreached(text, engine, statics);
            let found: Vec<(u32, &str)> = found.iter().map(|(l, s)| (*l, s.as_str())).collect();
            assert_eq!(found, expected, "{engine:?} {statics:?}");
        }
    }
}

#[test]
fn statements_inside_of_an_unreached_routine_are_listed() {
    all_list(
        "byte x;
init {
    x = 1;
    if
    :: x == 2 ->
        d_step {
            x = 3;
            x = 4;
            x = 5
        }
    :: else
    fi
}",
        &[
            (6, "d_step { x = 3; x = 4; x = 5 }"),
            (8, "x = 4"),
            (9, "x = 5"),
        ],
    );
}

#[test]
fn statements_inside_of_a_routine_are_listed_where_it_does_not_get() {
    all_list(
        "byte x;
init {
    x = 1;
    d_step {
        if
        :: x == 2 ->
            x = 3
        :: else ->
            x = 4
        fi;
        do
        :: x < 9 ->
            x++
        :: x == 0 ->
            x = 7;
        :: else -> break
        od;
        x = 0
    }
}",
        &[(7, "x = 3"), (15, "x = 7")],
    );
}
