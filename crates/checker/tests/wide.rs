//! Runs through wide atomic sequences: there are more ways through them than can be looked at one by one.

use mandala_checker::check;
use mandala_checker::document::retrace::{Resemblance, retrace};
use mandala_checker::frontend::{ModelInput, PropertyInput, load_with};
use mandala_checker::options::{CheckOptions, EngineChoice, Fairness, Selection, StaticReductions};
use mandala_checker::watch::Nobody;
use mandala_model::stated::StatedForm;
use mandala_report::Document;
use mandala_report::document::{Trace, Verdict};
use std::io;

/// The number of those that were chosen is wrong, which is found out while control is held.
const INSIDE: &str = "
    init {
        atomic { for (i : 0 .. K - 1) { if :: b[i] = true; n++ :: b[i] = false fi }; i = 0 };
        assert(n != 3)
    }";

/// The same, but it cannot be found out whether the process can go on.
const FAILING: &str = "
    init { atomic { for (i : 0 .. K - 1) { if :: b[i] = true; n++ :: b[i] = false fi }; 7 / (n - 3) < 9 } }";

/// One choice among all is wrong, which another process finds out afterwards.
const AFTERWARDS: &str = "
    init { atomic { for (i : 0 .. K - 1) { if :: b[i] = true :: b[i] = false fi }; i = 0; done = true } }
    active proctype other() { end: done && b[2] && !b[3] && b[K - 2] -> assert(false) }";

/// The choices are mixed into one number, so the number does not say at sight how it came about.
const MIXED: &str = "
    int h;
    init { atomic { for (i : 0 .. K - 1) { if :: h = 2 * h + 1 :: h = 2 * h fi }; i = 0; done = true } }
    active proctype other() { end: done && h == 43690 -> assert(false) }";

/// The choices are made again and again, and each time only the last ones are kept.
const REPEATED: &str = "
    byte k;
    active proctype chooser() {
        do
        :: atomic {
                for (i : 0 .. K - 1) { if :: b[i] = true :: b[i] = false fi };
                for (i : 0 .. K - 3) { b[i] = false };
                i = 0; done = true
           }
        od
    }
    active proctype other() { do :: k = 1 - k od }";

const NAME: &str = "asked";

/// Checks a model with so many choices in a row, and makes the run again that is shown.
fn checked(
    choices: u32,
    body: &str,
    asked: Option<(StatedForm, &str)>,
    options: &CheckOptions,
) -> Document {
    let text = format!("bool b[K]; byte n, i; bool done;{body}").replace('K', &choices.to_string());
    let input = ModelInput {
        path: "model.pml".into(),
        text,
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(io::ErrorKind::NotFound.into()),
    };
    let stated = asked.map(|(form, formula)| PropertyInput {
        form,
        name: Some(NAME.into()),
        origin: NAME.into(),
        text: formula.into(),
    });
    let loaded = load_with(input, stated.into_iter().collect()).expect("a right model");
    let document = check(&loaded, options, &mut Nobody);
    let document = document.unwrap_or_else(|refusal| panic!("{refusal:?}"));
    if let (Some(violation), Some(trace)) = (&document.violation, &document.trace) {
        let again = retrace(&loaded, trace, violation, Resemblance::Same);
        again.unwrap_or_else(|error| panic!("{error}"));
    }
    document
}

fn options(engine: EngineChoice) -> CheckOptions {
    CheckOptions {
        engine,
        ..CheckOptions::default()
    }
}

fn asked(engine: EngineChoice, fairness: Fairness) -> CheckOptions {
    CheckOptions {
        fairness,
        properties: Selection::Named(vec![NAME.into()]),
        ..options(engine)
    }
}

fn trace(document: &Document) -> &Trace {
    assert_eq!(
        document.verdict,
        Verdict::Violated,
        "{:?}",
        document.properties
    );
    document.trace.as_ref().expect("a run")
}

/// How often a statement was executed.
fn count(trace: &Trace, statement: &str) -> usize {
    let steps = trace.steps.iter();
    steps.filter(|step| step.statement == statement).count()
}

#[test]
fn a_violation_inside_of_a_wide_sequence_is_shown() {
    for (choices, body) in [(12, INSIDE), (18, INSIDE), (18, FAILING)] {
        for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
            let document = checked(choices, body, None, &options(engine));
            let trace = trace(&document);
            assert_eq!(count(trace, "b[i] = true"), 3, "{engine:?}");
            assert_eq!(
                count(trace, "b[i] = false"),
                choices as usize - 3,
                "{engine:?}"
            );
        }
    }
}

#[test]
fn a_violation_behind_a_wide_sequence_is_shown() {
    for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
        for static_reductions in [StaticReductions::NONE, StaticReductions::ALL] {
            let options = CheckOptions {
                static_reductions,
                ..options(engine)
            };
            let document = checked(16, AFTERWARDS, None, &options);
            let chosen =
                count(trace(&document), "b[i] = true") + count(trace(&document), "b[i] = false");
            assert_eq!(chosen, 16, "{engine:?}");
        }
    }
}

#[test]
fn a_state_that_does_not_tell_the_way_to_it_is_reached() {
    for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
        let document = checked(16, MIXED, None, &options(engine));
        assert_eq!(count(trace(&document), "h = 2 * h + 1"), 8, "{engine:?}");
    }
}

#[test]
fn the_reference_engine_does_not_take_a_part_for_the_whole() {
    // All have to be chosen, which is the longest way of all.
    let last = INSIDE.replace("n != 3", "n != K");
    let found = |choices| checked(choices, &last, None, &options(EngineChoice::REFERENCE));
    assert_eq!(found(8).verdict, Verdict::Violated);
    let document = found(18);
    assert_eq!(document.verdict, Verdict::Unknown);
    let reason = document.properties[0].reason.as_deref().unwrap_or_default();
    assert!(
        reason.contains("an atomic sequence has more than"),
        "{reason}"
    );
}

#[test]
fn runs_without_end_lead_through_wide_sequences() {
    let formula = Some((StatedForm::Ltl, "[] (done -> b[13])"));
    let document = checked(
        14,
        REPEATED,
        formula,
        &asked(EngineChoice::EXPLICIT, Fairness::Off),
    );
    assert!(trace(&document).before_cycle.is_none());
    let formula = Some((StatedForm::Ltl, "<> [] (b[13] || !done)"));
    for fairness in [Fairness::Off, Fairness::Weak] {
        let document = checked(
            14,
            REPEATED,
            formula,
            &asked(EngineChoice::EXPLICIT, fairness),
        );
        let trace = trace(&document);
        assert!(trace.before_cycle.is_some(), "{fairness:?}");
        assert!(count(trace, "b[i] = true") > 0, "{fairness:?}");
    }
}

#[test]
fn formulas_of_branching_time_are_shown_through_wide_sequences() {
    for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
        let formula = Some((StatedForm::Ctl, "AG (!done || b[13])"));
        let document = checked(14, REPEATED, formula, &asked(engine, Fairness::Off));
        assert_eq!(count(trace(&document), "done = true"), 1, "{engine:?}");
        let formula = Some((StatedForm::Ctl, "EF (done && b[13] && !b[12])"));
        let document = checked(14, REPEATED, formula, &asked(engine, Fairness::Off));
        assert_eq!(document.verdict, Verdict::Holds);
        assert!(document.properties[0].witness.is_some(), "{engine:?}");
    }
}

/// Choices in a row that change nothing: the ways through them differ only in the statements that are executed.
fn idle_choices(number: usize) -> String {
    let choices = "if :: skip :: x = 1 - x; x = 1 - x fi; ".repeat(number);
    format!(
        "bit x; byte k;
        active proctype chooser() {{ do :: atomic {{ x == 0; {choices} }} :: x == 1 od }}
        active proctype other() {{ do :: k = 1 - k :: k = k od }}"
    )
}

#[test]
fn a_run_is_fair_to_parties_that_only_some_ways_have() {
    let formula = Some((StatedForm::Ltl, "<> (k == 7)"));
    // Where statements are parties, the search knows each set of them.
    for (fairness, number) in [
        (Fairness::Weak, 60),
        (Fairness::Strong, 60),
        (Fairness::WeakAction, 6),
    ] {
        let body = idle_choices(number);
        let document = checked(1, &body, formula, &asked(EngineChoice::EXPLICIT, fairness));
        let trace = trace(&document);
        let cycle = trace.before_cycle.expect("a cycle");
        let executed = |statement| {
            trace.steps[cycle..]
                .iter()
                .any(|s| s.statement == statement)
        };
        assert!(executed("x == 0"), "{fairness:?}");
        assert!(executed("k = 1 - k"), "{fairness:?}");
        if fairness == Fairness::WeakAction {
            assert!(executed("k = k"), "each statement is a party");
        }
    }
}
