//! Questions about probabilities from the text of a model to the document.

use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_checker::options::{
    AfterViolation, CheckOptions, EngineChoice, Fairness, Limits, Numbers, Precision,
    SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::document::{Document, PropertyResult, Verdict};
use std::path::Path;

/// A model of that kind with those edges, and what is asked.
fn loaded(kind: &str, edges: &[&str], asked: &str) -> LoadedModel {
    let edges: String = edges
        .iter()
        .map(|edge| format!("    s0 -> s0 {edge}\n"))
        .collect();
    // A condition that no property asks is an error.
    let conditions: String = ["c0 = x == 1", "c1 = x == 2"]
        .iter()
        .filter(|condition| asked.contains(&condition[..2]))
        .map(|condition| format!("condition {condition}\n"))
        .collect();
    let text = format!(
        "mandala-ir 2\nmodel prism, checked 64, {kind}\nglobal x: 0..9\nprocess system() {{\n  entry s0\n  location s0 end\n{edges}}}\n\
         start system()\n{conditions}{asked}\n"
    );
    let input = ModelInput {
        path: Path::new("m.ir").into(),
        text,
        defines: Vec::new(),
        dialect: None,
        read: |_: &Path| Err(std::io::ErrorKind::NotFound.into()),
    };
    load(input).unwrap_or_else(|why| panic!("{why:?}"))
}

fn options() -> CheckOptions {
    CheckOptions {
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    }
}

fn checked(loaded: &LoadedModel, options: &CheckOptions) -> Document {
    check(loaded, options, &mut Nobody).unwrap_or_else(|why| panic!("{why:?}"))
}

fn refused(loaded: &LoadedModel, options: &CheckOptions) -> String {
    match check(loaded, options, &mut Nobody) {
        Err(Refusal::Plan(why)) => why.to_string(),
        Err(Refusal::Check(why)) => why.to_string(),
        other => panic!("{other:?}"),
    }
}

fn asked(document: &Document) -> &PropertyResult {
    let mut all = document.properties.iter();
    all.find(|it| it.name == "asked")
        .expect("the property is there")
}

/// The exact value of the property.
fn exact(loaded: &LoadedModel) -> Option<String> {
    let exactly = CheckOptions {
        precision: Precision {
            numbers: Numbers::Exact,
            ..Precision::default()
        },
        ..options()
    };
    let document = checked(loaded, &exactly);
    assert_eq!(asked(&document).verdict, Verdict::Value);
    asked(&document).value.clone()?.exact
}

const REACHES: &str =
    r#"property asked query value probability [until (state true, state c0, "0", none)]"#;

#[test]
fn alternatives_of_a_chain_are_taken_with_the_same_probability() {
    let edges = [
        r#"outcome 0 weight "1/3" when x == 0 do x = 1"#,
        r#"outcome 0 weight "2/3" when x == 0 do x = 2"#,
        r#"outcome 1 weight "1" when x == 0 do x = 2"#,
    ];
    let loaded = loaded("dtmc", &edges, REACHES);
    assert_eq!(exact(&loaded).as_deref(), Some("1/6"));
    let document = checked(&loaded, &options());
    let chain = asked(&document).chain.expect("there is a chain");
    // A state that nothing leads out of stays as it is.
    assert_eq!((chain.choices, chain.branches, chain.starts), (3, 4, 1));
    assert_eq!(document.search.engine, "explicit");
}

#[test]
fn rates_are_taken_in_proportion_and_may_depend_on_the_state() {
    let edges = [
        r#"outcome 0 weight add(value(x), "2") when x == 0 do x = 1"#,
        r#"outcome 1 weight "1/2" when x == 0 do x = 2"#,
    ];
    let loaded = loaded("ctmc", &edges, REACHES);
    assert_eq!(exact(&loaded).as_deref(), Some("4/5"));
}

#[test]
fn a_bound_that_is_asked_for_holds_or_is_violated() {
    let edges = [
        r#"outcome 0 weight "1/3" when x == 0 do x = 1"#,
        r#"outcome 0 weight "2/3" when x == 0 do x = 2"#,
    ];
    let path = r#"probability [until (state true, state c0, "0", none)]"#;
    for (comparison, verdict) in [
        (r#">= "1/3""#, Verdict::Holds),
        (r#"> "1/3""#, Verdict::Violated),
        (r#"< "1/2""#, Verdict::Holds),
    ] {
        let question = format!("property asked query holds ({path} {comparison})");
        let document = checked(&loaded("mdp", &edges, &question), &options());
        assert_eq!(asked(&document).verdict, verdict, "{comparison}");
        assert_eq!(asked(&document).value, None);
    }
}

#[test]
fn what_is_wrong_with_numbers_is_told_with_the_state() {
    let sum = [
        r#"outcome 0 weight "1/3" when x == 0 do x = 1"#,
        r#"outcome 0 weight "1/3" when x == 0 do x = 2"#,
    ];
    let told = refused(&loaded("dtmc", &sum, REACHES), &options());
    assert!(
        told.contains("add up to 2/3, not to 1") && told.contains("x = 0"),
        "{told}"
    );
    let negative = [r#"outcome 0 weight subtract(value(x), "1") when x == 0 do x = 1"#];
    let told = refused(&loaded("ctmc", &negative, REACHES), &options());
    assert!(
        told.contains("negative: -1") && told.contains("x = 0"),
        "{told}"
    );
    let edges = [r#"outcome 0 weight "1" when x == 0 do x = 1"#];
    let reward = "property asked query value reward 0 until [c0]\nrewards none\n  state when x == 0 earns subtract(\"1\", \"2\")";
    let told = refused(&loaded("dtmc", &edges, reward), &options());
    assert!(told.contains("this reward is negative: -1"), "{told}");
    let none = ["when x == 0 do x = 1"];
    let told = refused(&loaded("dtmc", &none, REACHES), &options());
    assert!(told.contains("a step without a probability"), "{told}");
}

#[test]
fn what_means_nothing_says_what_to_write() {
    let edges = [r#"outcome 0 weight "1" when x == 0 do x = 1"#];
    let told = refused(&loaded("mdp", &edges, REACHES), &options());
    assert!(
        told.contains("ask for the least (min) or the greatest (max)"),
        "{told}"
    );
}

#[test]
fn part_of_the_graph_has_no_value() {
    let edges = [r#"outcome 0 weight "1" when x < 9 do x = x + 1"#];
    let limits = Limits {
        states: Some(3),
        ..Limits::default()
    };
    let limited = CheckOptions {
        limits,
        ..options()
    };
    let document = checked(&loaded("dtmc", &edges, REACHES), &limited);
    assert_eq!(asked(&document).verdict, Verdict::Unknown);
    assert_eq!(asked(&document).value, None);
}

#[test]
fn a_run_that_breaks_off_has_no_probability() {
    let edges = [r#"outcome 0 weight "1" when x >= 0 do x = x + 1"#];
    let document = checked(&loaded("dtmc", &edges, REACHES), &options());
    assert_eq!(asked(&document).verdict, Verdict::Unknown);
    assert!(
        asked(&document)
            .reason
            .as_ref()
            .is_some_and(|why| why.contains("break off"))
    );
}

#[test]
fn any_engine_leaves_such_questions_to_the_one_for_them() {
    let edges = [r#"outcome 0 weight "1" when x == 0 do x = 1"#];
    let loaded = loaded("dtmc", &edges, REACHES);
    for engine in [
        EngineChoice::EXPLICIT,
        EngineChoice::REFERENCE,
        EngineChoice::SYMBOLIC,
    ] {
        let options = CheckOptions {
            engine,
            symmetry: SymmetryChoice::Off,
            ..options()
        };
        let document = checked(&loaded, &options);
        assert_eq!(asked(&document).verdict, Verdict::Value);
    }
}

#[test]
fn options_without_a_meaning_are_refused() {
    let edges = [r#"outcome 0 weight "1" when x == 0 do x = 1"#];
    let fair = CheckOptions {
        fairness: Fairness::Weak,
        ..options()
    };
    let told = refused(&loaded("dtmc", &edges, REACHES), &fair);
    assert!(told.contains("`--fair`"), "{told}");
    let precise = CheckOptions {
        precision: Precision {
            relative: 1e-9,
            ..Precision::default()
        },
        ..options()
    };
    let told = refused(&loaded("dtmc", &edges, ""), &precise);
    assert!(told.contains("no property asks for any"), "{told}");
}
