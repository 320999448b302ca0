//! What is searched is compiled once in a check, whoever asks for it: the search for symmetry, the search, another one for a shorter run, the one for atomic
//! sequences without an end, the way to a violation.

use mandala_checker::frontend::{ModelInput, PropertyInput, load_with};
use mandala_checker::options::{CheckOptions, Selection, Switch, SymmetryChoice};
use mandala_checker::outcome::{PropertyOutcome, Verdict};
use mandala_checker::plan::plan;
use mandala_checker::run::run;
use mandala_checker::symmetry::of_plan;
use mandala_checker::watch::Nobody;
use mandala_model::stated::StatedForm;

/// What is found out about a model with a formula, if there is one.
fn outcomes(
    (path, text): (&str, &str),
    formula: Option<&str>,
    options: &CheckOptions,
) -> Vec<PropertyOutcome> {
    let input = ModelInput {
        path: path.into(),
        text: text.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    let stated = formula.map(|text| PropertyInput {
        form: StatedForm::Ltl,
        name: Some("f".into()),
        origin: "--ltl".into(),
        text: text.into(),
    });
    let loaded = load_with(input, stated.into_iter().collect()).expect("a right model");
    let plan = plan(&loaded.model, options).expect("a plan");
    let prepared = of_plan(&loaded, &plan).expect("nothing is declared");
    run(&loaded, &plan, &prepared, &mut Nobody).expect("an answer")
}

/// Nobody looks for a group, which is that of the system with its claim.
fn without_symmetry() -> CheckOptions {
    CheckOptions {
        symmetry: SymmetryChoice::Off,
        ..CheckOptions::default()
    }
}

/// Only the formula is checked.
fn of_formula() -> CheckOptions {
    CheckOptions {
        properties: Selection::Named(vec!["f".into()]),
        ..without_symmetry()
    }
}

/// How often what was searched first was asked for, and how often it was compiled.
fn asked_and_compiled(outcomes: &[PropertyOutcome]) -> (usize, usize) {
    let searched = &outcomes[0].prepared.searched;
    (searched.requests(), searched.compilations())
}

#[test]
fn the_group_and_the_search_share_a_program() {
    let text = "type node: scalarset(3); var at: array[node] of boolean;
        startstate begin for n: node do at[n] := false; end; end;
        ruleset n: node do rule \"go\" !at[n] ==> begin at[n] := true; end; end;
        ruleset n: node do rule \"back\" at[n] ==> begin at[n] := false; end; end;
        invariant \"none\" true;";
    let found = outcomes(("m.m", text), None, &CheckOptions::default());
    assert!(found[0].prepared.certificate.is_some());
    assert_eq!(asked_and_compiled(&found), (2, 1));
}

#[test]
fn the_way_through_a_wide_sequence_is_found_by_the_program_of_the_search() {
    let choices = "if :: n = 2 * n :: n = 2 * n + 1 fi; ".repeat(18);
    let text =
        format!("int n; active proctype P() {{ atomic {{ {choices} assert(n < 262143) }} }}");
    let found = outcomes(("m.pml", &text), None, &without_symmetry());
    assert!(matches!(found[0].verdict, Verdict::Violated(_)));
    assert_eq!(asked_and_compiled(&found), (2, 1));
}

#[test]
fn a_search_for_a_shorter_run_has_the_program_of_the_first() {
    let text = "byte x; active proctype P() { do :: x = (x + 1) % 200 od }";
    let found = outcomes(("m.pml", text), Some("<> (x == 201)"), &of_formula());
    assert!(matches!(found[0].verdict, Verdict::Violated(_)));
    assert_eq!(asked_and_compiled(&found), (2, 1));
}

#[test]
fn the_search_for_endless_sequences_has_the_program_of_the_first() {
    let text = "byte x;
        active proctype P() {
            atomic { do :: x < 3 -> x++ :: x == 3 -> break od };
            end: do :: x = 3 od
        }
        active proctype Q() { byte y; do :: y = 1 - y od }";
    let options = CheckOptions {
        partial_order: Switch::On,
        ..of_formula()
    };
    let found = outcomes(("m.pml", text), Some("[] (x <= 3)"), &options);
    assert!(matches!(found[0].verdict, Verdict::Holds));
    assert_eq!(asked_and_compiled(&found), (2, 1));
}
