//! The product with a state-based automaton: which runs are found, and what is left to others.

use crate::common::model;
use mandala_encoding::Program;
use mandala_explicit::{
    Acceptor, Answer, ExplicitOutcome, Extent, Fairness, GraphQuestion, Identity, Length, Options,
    Proposition, Query, Whom, search_product,
};
use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::property::PropertyKind;
use mandala_model::step::Observers;
use mandala_model::template::Step;
use mandala_temporal::Guard;

/// What the first statement of the model's claim looks at.
fn condition(model: &Model) -> Expr {
    let claim = model.properties.iter().find_map(|p| match p.kind {
        PropertyKind::Never { claim } => Some(claim),
        _ => None,
    });
    match &model.template(claim.expect("a claim")).edges[0].step {
        Step::Guarded { guard, .. } => guard.clone(),
        other => panic!("{other:?} is no condition"),
    }
}

/// Looks for a run on which the condition of the claim holds again and again.
fn read(text: &str, fairness: Fairness) -> Option<ExplicitOutcome> {
    let model = model(text);
    let conditions = [condition(&model)];
    let program = Program::compile_with(&model, Observers::default(), &conditions).expect("small");
    let again = Acceptor::always(Guard::True).where_marked(mandala_temporal::Proposition(0));
    let options = Options {
        questions: vec![GraphQuestion {
            instances: None,
            what: Query::NoRun(again, Length::Short),
            fairness,
            whom: Whom::Processes,
        }],
        propositions: vec![Proposition::Condition(0)],
        ..Options::default()
    };
    search_product(&program, &options, Identity, &mut |_| {}).map(|(outcome, _)| outcome)
}

/// Whether there is such a run.
fn has_run(text: &str, fairness: Fairness) -> bool {
    let outcome = read(text, fairness).expect("an answer");
    match &outcome.answers[..] {
        [Answer::Holds(None)] => {
            assert_eq!(outcome.extent, Extent::Complete);
            false
        }
        [Answer::Fails(shown)] => {
            assert_eq!(outcome.extent, Extent::FirstViolation);
            assert!(!shown.path.is_empty() && shown.cycle.is_some());
            true
        }
        other => panic!("{other:?} is no answer"),
    }
}

const TURNS: &str = "byte x; active [2] proctype p() { do :: x = _pid od } ";

#[test]
fn a_run_through_a_state_again_and_again_is_found() {
    let met = "never { accept: if :: x == 1 -> goto accept fi }";
    assert!(has_run(&format!("{TURNS}{met}"), Fairness::None));
    let unmet = "never { accept: if :: x == 2 -> goto accept fi }";
    assert!(!has_run(&format!("{TURNS}{unmet}"), Fairness::None));
}

#[test]
fn a_run_that_stops_stands_still() {
    let model =
        "byte x; active proctype p() { x = 1 } never { accept: if :: x == 1 -> goto accept fi }";
    assert!(has_run(model, Fairness::None) && has_run(model, Fairness::Weak));
}

#[test]
fn a_process_that_can_always_move_is_not_passed_over() {
    let waits = "bool done; active proctype p() { end: do :: !done od } active proctype q() { done = true } \
                 never { accept: if :: !done -> goto accept fi }";
    assert!(has_run(waits, Fairness::None));
    assert!(!has_run(waits, Fairness::Weak));
}

#[test]
fn both_partners_of_a_rendezvous_take_part() {
    // Both repeat forever, and it is fair to the receiver as well.
    let meet = "chan c = [0] of { bit }; byte x; active proctype p() { do :: c!0; :: c!1 od } \
                active proctype q() { do :: c?0 -> x = 0 :: c?1 -> x = 1 od } \
                never { accept: if :: x == 1 -> goto accept fi }";
    assert!(has_run(meet, Fairness::Weak));
}

#[test]
fn what_goes_wrong_is_left_to_others() {
    let wrong = "byte x; active proctype p() { do :: x == 0 -> x = 1 :: x == 1 -> assert(false) od } \
                 never { accept: if :: x == 2 -> goto accept fi }";
    assert!(read(wrong, Fairness::None).is_none());
}

#[test]
fn a_condition_that_fails_is_left_to_others() {
    let fails = "byte x; active proctype p() { do :: x = 1 - x od } \
                 never { accept: if :: 1 / x == 2 -> goto accept fi }";
    assert!(read(fails, Fairness::None).is_none());
}

#[test]
fn strong_fairness_is_left_to_others() {
    let met = "never { accept: if :: x == 1 -> goto accept fi }";
    assert!(read(&format!("{TURNS}{met}"), Fairness::Strong).is_none());
}

#[test]
fn more_processes_than_bits_are_left_to_others() {
    let many = "byte x; active [70] proctype p() { do :: x = 1 od } \
                never { accept: if :: x == 2 -> goto accept fi }";
    assert!(read(many, Fairness::Weak).is_none());
}

#[test]
fn the_depth_is_that_of_the_deepest_state() {
    let chain = "byte x; active proctype p() { end: do :: d_step { x < 40 -> x = x + 1 } od } \
                 never { accept: if :: x == 50 -> goto accept fi }";
    let outcome = read(chain, Fairness::None).expect("an answer");
    assert_eq!(outcome.statistics.states, 41);
    assert_eq!(outcome.statistics.depth, 40);
}
