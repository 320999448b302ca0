//! Evidence is believed only if the interpreter can make the run.

use mandala_checker::engine::search;
use mandala_checker::frontend::{LoadError, LoadedModel, ModelInput, load};
use mandala_checker::options::{CheckOptions, EngineChoice, Limits};
use mandala_checker::plan::{CheckPlan, plan};
use mandala_checker::watch::{Nobody, Phase, Progress, ProgressObserver, Watch, Wish};
use mandala_checker::{Refusal, check};
use mandala_evidence::Searched;
use mandala_evidence::lift::{LiftError, lift};
use mandala_evidence::replay::{Anything, ReplayError, replay};
use mandala_model::State;
use mandala_model::step::{StepLabel, Violation};
use mandala_prepare::Prepared;
use mandala_report::document::Verdict;
use std::io;
use std::time::Duration;

/// The two processes go through one state after the other, some of them not remembered.
const MODEL: &str = "
    byte a;
    active [2] proctype P() {
        atomic { a = a + 1; a = a + 1 };
        a = a + 1;
        assert(a < 6)
    }";

fn input(text: &str) -> ModelInput {
    ModelInput {
        path: "model.pml".into(),
        text: text.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(io::ErrorKind::NotFound.into()),
    }
}

fn loaded(text: &str) -> LoadedModel {
    load(input(text)).expect("a right model")
}

fn planned(loaded: &LoadedModel, engine: EngineChoice) -> CheckPlan {
    let options = CheckOptions {
        engine,
        ..CheckOptions::default()
    };
    plan(&loaded.model, &options).expect("a plan")
}

fn evidence(loaded: &LoadedModel, engine: EngineChoice) -> (Vec<State>, Violation) {
    let plan = planned(loaded, engine);
    let check = &plan.checks[0];
    let prepared = Prepared::plain(&loaded.model);
    let result = search(&plan, check, &prepared, plan.limits, &mut Nobody);
    let found = result.expect("a result").evidence.expect("a violation");
    (found.path, found.violation)
}

fn searched<'m>(loaded: &LoadedModel, prepared: &'m Prepared) -> Searched<'m> {
    let plan = planned(loaded, EngineChoice::REFERENCE);
    Searched::new(&prepared.searched, plan.checks[0].observers)
}

#[test]
fn the_evidence_of_every_engine_is_a_run() {
    let loaded = loaded(MODEL);
    for engine in [EngineChoice::EXPLICIT, EngineChoice::REFERENCE] {
        let (path, violation) = evidence(&loaded, engine);
        let prepared = Prepared::plain(&loaded.model);
        let searched = searched(&loaded, &prepared);
        let interpreter = searched.interpreter;
        let labels = lift(&searched, &path, &|v| *v == violation).expect("a run");
        assert_eq!(
            labels.len(),
            7,
            "{engine:?}: two atomic sequences, two steps, one assertion"
        );
        let run = replay(&interpreter, &labels, &Anything, |v| *v == violation).expect("a run");
        assert_eq!(run.violation(), &violation);
        assert_eq!(run.steps().len(), labels.len());
    }
}

#[test]
fn evidence_with_a_hole_or_a_wrong_state_is_refused() {
    let loaded = loaded(MODEL);
    let prepared = Prepared::plain(&loaded.model);
    let searched = searched(&loaded, &prepared);
    let (path, violation) = evidence(&loaded, EngineChoice::REFERENCE);
    let mut hole = path.clone();
    hole.remove(1);
    assert_eq!(
        lift(&searched, &hole, &|v| *v == violation),
        Err(LiftError::NoStep { after: 0 })
    );
    let mut wrong = path.clone();
    wrong[2].globals[0] += 1;
    assert_eq!(
        lift(&searched, &wrong, &|v| *v == violation),
        Err(LiftError::NoStep { after: 1 })
    );
    let late = &path[1..];
    assert_eq!(
        lift(&searched, late, &|v| *v == violation),
        Err(LiftError::OtherStart)
    );
    assert_eq!(
        lift(&searched, &[], &|v| *v == violation),
        Err(LiftError::OtherStart)
    );
    let other = Violation::Deadlock;
    let error = lift(&searched, &path, &|v| *v == other);
    assert_eq!(error, Err(LiftError::NoViolation));
}

#[test]
fn steps_that_cannot_be_made_are_not_replayed() {
    let loaded = loaded(MODEL);
    let prepared = Prepared::plain(&loaded.model);
    let searched = searched(&loaded, &prepared);
    let (path, violation) = evidence(&loaded, EngineChoice::REFERENCE);
    let labels = lift(&searched, &path, &|v| *v == violation).expect("a run");
    let error = |labels: &[StepLabel]| {
        let run = replay(&searched.interpreter, labels, &Anything, |v| {
            *v == violation
        });
        run.expect_err("no such run")
    };
    let mut twice = labels.clone();
    twice.insert(0, labels[0]);
    assert_eq!(error(&twice), ReplayError::Impossible { step: 2 });
    let short = &labels[..labels.len() - 1];
    assert_eq!(error(short), ReplayError::NoViolation);
}

#[test]
fn a_model_that_fails_at_the_start_is_a_violation_without_steps() {
    let loaded = loaded("byte zero; byte x = 1 / zero; active proctype P() { skip }");
    for engine in [EngineChoice::EXPLICIT, EngineChoice::REFERENCE] {
        let options = CheckOptions {
            engine,
            ..CheckOptions::default()
        };
        let document = check(&loaded, &options, &mut Nobody).expect("a document");
        assert_eq!(document.verdict, Verdict::Violated, "{engine:?}");
        assert!(document.trace.expect("a trace").steps.is_empty());
    }
}

#[test]
fn a_claim_is_not_violated_by_an_assertion_of_the_system() {
    let text = "
        byte x;
        active proctype P() { assert(x == 1); d_step { x = 1; assert(x == 0) } }
        ltl small { [] (x < 2) }";
    let loaded = loaded(text);
    for engine in [EngineChoice::EXPLICIT, EngineChoice::REFERENCE] {
        let options = CheckOptions {
            engine,
            after_violation: mandala_checker::options::AfterViolation::GoOn,
            ..CheckOptions::default()
        };
        let document = check(&loaded, &options, &mut Nobody).expect("a document");
        let verdicts: Vec<Verdict> = document.properties.iter().map(|p| p.verdict).collect();
        assert_eq!(verdicts, [Verdict::Violated, Verdict::Holds], "{engine:?}");
    }
}

/// Wants to stop at once.
struct Impatient;

impl Watch for Impatient {}

impl ProgressObserver for Impatient {
    fn update(&mut self, _: &Progress) -> Wish {
        Wish::Stop
    }
}

#[test]
fn a_check_without_time_says_which_phase_it_ended_in() {
    let loaded = loaded("byte n; active [3] proctype P() { n++ } ltl small { [] (n < 9) }");
    let options = CheckOptions {
        limits: Limits {
            time: Some(Duration::ZERO),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    let document = check(&loaded, &options, &mut Nobody).expect("a document");
    assert_eq!(document.verdict, Verdict::Unknown);
    let reason = "the limit of 0 ms was reached while the check was being planned";
    assert_eq!(document.coverage.reason.as_deref(), Some(reason));
    assert_eq!(document.properties.len(), 2);
    for property in &document.properties {
        assert_eq!(property.reason.as_deref(), Some(reason));
    }
}

/// Wants to stop when a phase begins.
struct StopsBefore(Phase);

impl ProgressObserver for StopsBefore {
    fn update(&mut self, _: &Progress) -> Wish {
        Wish::GoOn
    }
}

impl Watch for StopsBefore {
    fn enter(&mut self, phase: Phase) -> Wish {
        match phase == self.0 {
            true => Wish::Stop,
            false => Wish::GoOn,
        }
    }
}

#[test]
fn an_interrupt_between_two_phases_decides_nothing() {
    let loaded = loaded("byte n; active [3] proctype P() { n++ }");
    for (before, while_) in [
        (Phase::Preparing, "the check was being planned"),
        (Phase::Searching, "the model was being prepared"),
    ] {
        let mut watch = StopsBefore(before);
        let document = check(&loaded, &CheckOptions::default(), &mut watch).expect("a document");
        assert_eq!(document.verdict, Verdict::Unknown);
        let reason = document.coverage.reason.unwrap_or_default();
        let wanted = format!("interrupted while {while_}");
        assert!(reason.starts_with(&wanted), "{reason}");
    }
}

#[test]
fn an_interrupted_search_decides_nothing() {
    let loaded = loaded(
        "int n; active proctype P() { do :: n++ od }
         ltl small { [] (n < 1000000) }",
    );
    for engine in [EngineChoice::EXPLICIT, EngineChoice::REFERENCE] {
        let options = CheckOptions {
            engine,
            ..CheckOptions::default()
        };
        let document = check(&loaded, &options, &mut Impatient).expect("a document");
        assert_eq!(document.verdict, Verdict::Unknown, "{engine:?}");
        assert!(
            document
                .properties
                .iter()
                .all(|p| p.verdict == Verdict::Unknown)
        );
        assert!(
            document.properties[1].stats.is_none(),
            "the second is not even begun"
        );
    }
}

#[test]
fn a_wrong_model_is_not_loaded() {
    let error = load(input("active proctype P() { x = 1 }")).expect_err("no such variable");
    let LoadError::Wrong { diagnostics, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn a_refusal_is_made_before_any_search() {
    let loaded = loaded(MODEL);
    let options = CheckOptions {
        engine: EngineChoice::REFERENCE,
        interpret: true,
        ..CheckOptions::default()
    };
    let refusal = check(&loaded, &options, &mut Impatient).expect_err("not available");
    assert!(matches!(refusal, Refusal::Plan(_)));
}
