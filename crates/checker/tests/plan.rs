//! What is asked for becomes a plan or an error.

use mandala_checker::options::{
    CheckOptions, Choice, Deadlock, Engine, Limits, Selection, Switch, SymmetryChoice,
};
use mandala_checker::plan::{CheckKind, Decision, PlanError, plan};
use mandala_model::Model;
use mandala_model::model::{Arithmetic, Language, UncheckedModel};
use mandala_model::verify::verify;
use std::num::NonZeroU32;

fn empty() -> Model {
    let model = UncheckedModel::new(Language::Promela, Arithmetic::Wrapping32);
    verify(model).expect("an empty model is well-typed")
}

fn refused(options: CheckOptions) -> PlanError {
    plan(&empty(), &options).expect_err("it is not available")
}

#[test]
fn the_default_plan_checks_safety() {
    let plan = plan(&empty(), &CheckOptions::default()).unwrap();
    assert_eq!(plan.checks.len(), 1);
    assert_eq!(plan.checks[0].name, "safety");
    assert_eq!(plan.checks[0].kind, CheckKind::Safety(Deadlock::Report));
    assert_eq!(plan.checks[0].decision, Decision::Full);
}

#[test]
fn symmetry_is_either_left_to_us_or_off() {
    for &symmetry in SymmetryChoice::ALL {
        let options = CheckOptions {
            symmetry,
            ..CheckOptions::default()
        };
        match symmetry {
            SymmetryChoice::Auto | SymmetryChoice::Off => {
                assert!(plan(&empty(), &options).is_ok());
            }
            other => assert_eq!(refused(options), PlanError::Symmetry(other)),
        }
    }
}

#[test]
fn what_does_not_exist_yet_is_refused() {
    let partial_order = CheckOptions {
        partial_order: Switch::On,
        ..CheckOptions::default()
    };
    assert_eq!(refused(partial_order), PlanError::PartialOrder);
    let simplification = CheckOptions {
        simplification: Switch::On,
        ..CheckOptions::default()
    };
    assert_eq!(refused(simplification), PlanError::Simplification);
    let two = NonZeroU32::new(2).unwrap();
    let workers = CheckOptions {
        workers: two,
        ..CheckOptions::default()
    };
    assert_eq!(refused(workers), PlanError::Workers(two));
    let memory = CheckOptions {
        engine: Engine::Reference,
        limits: Limits {
            memory: Some(1),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    assert_eq!(refused(memory), PlanError::MemoryLimit(Engine::Reference));
}

#[test]
fn a_property_that_is_not_there_is_named_with_those_that_are() {
    let options = CheckOptions {
        properties: Selection::Named(vec!["safety".into(), "nonsense".into()]),
        ..CheckOptions::default()
    };
    let error = refused(options).to_string();
    assert_eq!(
        error,
        "the model has no property `nonsense`; it has `safety`"
    );
}
