//! What is asked for becomes a plan or an error.

use mandala_checker::frontend::{self, ModelInput};
use mandala_checker::options::{
    BitField, CheckOptions, Checkpoints, Choice, Deadlock, EngineChoice, Expansion, Firing, Limits,
    SearchOrder, Selection, Store, Switch, SymmetryChoice,
};
use mandala_checker::plan::{Decision, PartialOrder, PlanError, Scope, plan};
use mandala_checker::symmetry::SymmetryUse;
use mandala_model::Model;
use mandala_model::model::{Arithmetic, Language, UncheckedModel};
use mandala_model::verify::verify;
use mandala_reduce::{Guarantee, Strategy};
use mandala_store::StoreKind;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

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
    assert_eq!(plan.checks[0].scope, Scope::System(Deadlock::Report));
    assert_eq!(plan.checks[0].decision, Decision::Full);
}

/// That way of using symmetry, with the engine that has it.
fn with_symmetry(symmetry: SymmetryChoice) -> CheckOptions {
    let engine = match symmetry {
        SymmetryChoice::OnSets(_) => EngineChoice::SYMBOLIC,
        SymmetryChoice::Off
        | SymmetryChoice::Use(_)
        | SymmetryChoice::Partial(_)
        | SymmetryChoice::Counters => EngineChoice::EXPLICIT,
    };
    CheckOptions {
        symmetry,
        engine,
        ..CheckOptions::default()
    }
}

/// A model with a global array, a global number, and a process with a variable.
fn with_variables() -> Arc<Model> {
    loaded("byte level[3], turn; active proctype P() { byte k; k = turn }")
}

fn loaded(text: &str) -> Arc<Model> {
    let input = ModelInput {
        path: "m.pml".into(),
        text: text.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    frontend::load(input).expect("a right model").model
}

#[test]
fn every_strategy_is_planned() {
    for &symmetry in SymmetryChoice::ALL {
        let wish = plan(&empty(), &with_symmetry(symmetry)).unwrap().symmetry;
        match symmetry {
            SymmetryChoice::Off => assert_eq!(wish, SymmetryUse::Off),
            SymmetryChoice::OnSets(manner) => assert_eq!(wish, SymmetryUse::OnSets(manner)),
            SymmetryChoice::Partial(kind) => assert_eq!(wish, SymmetryUse::Partial(kind)),
            SymmetryChoice::Counters => assert_eq!(wish, SymmetryUse::Counters),
            SymmetryChoice::Use(wanted) => assert_eq!(
                wish,
                SymmetryUse::Use {
                    strategy: wanted,
                    main_array: None,
                    expand: Expansion::Representatives,
                    firing: match wanted.guarantee() {
                        Guarantee::Canonical if wanted != Strategy::Flood => Firing::Once,
                        _ => Firing::All,
                    },
                }
            ),
        }
    }
}

#[test]
fn the_reference_engine_does_not_reduce() {
    for &symmetry in SymmetryChoice::ALL {
        let options = CheckOptions {
            engine: EngineChoice::REFERENCE,
            ..with_symmetry(symmetry)
        };
        match symmetry {
            SymmetryChoice::Off | SymmetryChoice::Use(Strategy::Auto) => {
                let plan = plan(&empty(), &options).unwrap();
                assert_eq!(plan.symmetry, SymmetryUse::Off);
            }
            SymmetryChoice::Use(strategy) => {
                let error = PlanError::Symmetry(strategy, EngineChoice::REFERENCE);
                assert_eq!(refused(options), error);
            }
            SymmetryChoice::OnSets(_) | SymmetryChoice::Partial(_) | SymmetryChoice::Counters => {
                let error = PlanError::SymmetryOfEngine(symmetry, EngineChoice::REFERENCE);
                assert_eq!(refused(options), error);
            }
        }
    }
}

#[test]
fn each_engine_uses_symmetry_in_its_own_ways() {
    for &symmetry in SymmetryChoice::ALL {
        let other = match symmetry {
            // Both count.
            SymmetryChoice::Off
            | SymmetryChoice::Use(Strategy::Auto)
            | SymmetryChoice::Counters => continue,
            SymmetryChoice::Use(_) | SymmetryChoice::Partial(_) => EngineChoice::SYMBOLIC,
            SymmetryChoice::OnSets(_) => EngineChoice::EXPLICIT,
        };
        let options = CheckOptions {
            engine: other,
            ..with_symmetry(symmetry)
        };
        let error = PlanError::SymmetryOfEngine(symmetry, other);
        assert_eq!(refused(options), error);
    }
}

#[test]
fn only_what_sorts_by_an_array_has_a_main_array() {
    for &symmetry in SymmetryChoice::ALL {
        let options = CheckOptions {
            main_array: Some("level".into()),
            ..with_symmetry(symmetry)
        };
        let planned = plan(&with_variables(), &options);
        match symmetry {
            SymmetryChoice::Use(Strategy::Sorted | Strategy::Segmented) => {
                assert!(planned.is_ok(), "{symmetry:?}");
            }
            other => assert_eq!(planned, Err(PlanError::MainArray(other))),
        }
    }
}

#[test]
fn the_main_array_is_a_global_array_or_a_variable_of_processes() {
    let with = |name: &str| {
        let options = CheckOptions {
            main_array: Some(name.into()),
            ..with_symmetry(SymmetryChoice::Use(Strategy::Sorted))
        };
        plan(&with_variables(), &options).map(|plan| match plan.symmetry {
            SymmetryUse::Use { main_array, .. } => main_array,
            SymmetryUse::Off
            | SymmetryUse::OnSets(_)
            | SymmetryUse::Partial(_)
            | SymmetryUse::Counters => None,
        })
    };
    assert_eq!(with("level"), Ok(Some("level".into())));
    assert_eq!(with("k"), Ok(Some("k".into())));
    let error = with("turn").unwrap_err().to_string();
    assert_eq!(
        error,
        "the model has no array `turn` to sort by; it has `k`, `level`"
    );
}

#[test]
fn how_to_expand_matters_only_with_a_reduction() {
    for &expand in Expansion::ALL {
        for &symmetry in SymmetryChoice::ALL {
            let options = CheckOptions {
                expand: Some(expand),
                ..with_symmetry(symmetry)
            };
            match (symmetry, plan(&empty(), &options).map(|plan| plan.symmetry)) {
                (
                    SymmetryChoice::Off
                    | SymmetryChoice::OnSets(_)
                    | SymmetryChoice::Partial(_)
                    | SymmetryChoice::Counters,
                    planned,
                ) => {
                    let error =
                        PlanError::Detail("--expand", symmetry, with_symmetry(symmetry).engine);
                    assert_eq!(planned, Err(error));
                }
                (_, Ok(SymmetryUse::Use { expand: made, .. })) => assert_eq!(made, expand),
                (_, other) => panic!("{other:?}"),
            }
        }
        let reference = CheckOptions {
            expand: Some(expand),
            engine: EngineChoice::REFERENCE,
            ..CheckOptions::default()
        };
        let error = refused(reference).to_string();
        assert!(error.contains("`--engine reference`"), "{error}");
    }
}

#[test]
fn steps_are_left_out_if_somebody_says_so_and_it_is_possible() {
    let wishes = [
        (Switch::Auto, PartialOrder::Off),
        (Switch::Off, PartialOrder::Off),
        (Switch::On, PartialOrder::StubbornSets),
    ];
    for (switch, expected) in wishes {
        let options = CheckOptions {
            partial_order: switch,
            ..CheckOptions::default()
        };
        let model = loaded("active proctype p() { skip }");
        assert_eq!(plan(&model, &options).unwrap().partial_order, expected);
    }
    let reasons = [
        (
            "never { do :: skip od } active proctype p() { skip }",
            "the claim `never_0`, which may count steps",
        ),
        (
            "active proctype p() { skip } ltl soon { X true }",
            "the formula `soon`, which says what comes next",
        ),
        ("active proctype p() { byte x; x = _last }", "`_last`"),
        (
            "active proctype p() { enabled(1) } active proctype q() { skip }",
            "`enabled`",
        ),
        (
            "active proctype p() priority 2 { skip } active proctype q() { byte x; x = _priority }",
            "priorities",
        ),
    ];
    let shortest = CheckOptions {
        partial_order: Switch::On,
        shortest: true,
        ..CheckOptions::default()
    };
    let error = plan(&empty(), &shortest).unwrap_err().to_string();
    assert!(error.contains("`--shortest`"), "{error}");
    for (text, reason) in reasons {
        let options = CheckOptions {
            partial_order: Switch::On,
            ..CheckOptions::default()
        };
        let error = plan(&loaded(text), &options).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// What makes a search fast, each wish with its option.
fn wishes_for_speed() -> Vec<(CheckOptions, &'static str)> {
    let plain = CheckOptions::default;
    let limits = Limits {
        memory: Some(1),
        ..Limits::default()
    };
    let workers = NonZeroU32::new(2).unwrap();
    let depth_first = CheckOptions {
        order: SearchOrder::DepthFirst,
        store: Store::HashCompact,
        ..plain()
    };
    vec![
        (CheckOptions { limits, ..plain() }, "--memory"),
        (CheckOptions { workers, ..plain() }, "--workers"),
        (depth_first, "--store"),
        (
            CheckOptions {
                interpret: true,
                ..plain()
            },
            "--interpret",
        ),
        (
            CheckOptions {
                statement_counts: true,
                ..plain()
            },
            "--coverage",
        ),
        (with_checkpoint(plain()), "--checkpoint"),
    ]
}

fn with_checkpoint(options: CheckOptions) -> CheckOptions {
    CheckOptions {
        checkpoint: Some(Checkpoints {
            folder: "somewhere".into(),
            interval: Duration::from_secs(1),
            description: Vec::new(),
            resume: false,
        }),
        ..options
    }
}

#[test]
fn what_makes_a_search_fast_is_not_for_the_reference_engine() {
    for (options, option) in wishes_for_speed() {
        assert!(plan(&empty(), &options).is_ok(), "{option}");
        let options = CheckOptions {
            engine: EngineChoice::REFERENCE,
            ..options
        };
        let error = PlanError::NotOfEngine(option, EngineChoice::REFERENCE);
        assert_eq!(refused(options), error);
    }
}

#[test]
fn a_store_that_is_not_exact_is_searched_depth_first() {
    for &store in Store::ALL {
        let with = |order| {
            let options = CheckOptions {
                store,
                order,
                ..CheckOptions::default()
            };
            plan(&empty(), &options).map(|plan| plan.means.store)
        };
        assert!(with(SearchOrder::DepthFirst).is_ok());
        match store {
            Store::Exact => assert_eq!(with(SearchOrder::BreadthFirst), Ok(StoreKind::Exact)),
            _ => assert_eq!(
                with(SearchOrder::BreadthFirst),
                Err(PlanError::BreadthFirst(store))
            ),
        }
    }
}

#[test]
fn only_a_field_of_bits_has_a_size() {
    let with = |store, bytes, hashes| {
        let options = CheckOptions {
            store,
            field: BitField { bytes, hashes },
            order: SearchOrder::DepthFirst,
            limits: Limits {
                memory: Some(100_000_000),
                ..Limits::default()
            },
            ..CheckOptions::default()
        };
        plan(&empty(), &options).map(|plan| plan.means.store)
    };
    let field = |bytes, hashes| Ok(StoreKind::Bitstate { bytes, hashes });
    assert_eq!(with(Store::Bitstate, None, None), field(44_000_000, 3));
    assert_eq!(
        with(Store::Bitstate, Some(1 << 10), Some(5)),
        field(1 << 10, 5)
    );
    for hashes in [0, 11] {
        let error = PlanError::FieldHashes(hashes);
        assert_eq!(with(Store::Bitstate, None, Some(hashes)), Err(error));
    }
    let too_large = PlanError::FieldSize {
        field: 90_000_000,
        memory: 100_000_000,
    };
    assert_eq!(
        with(Store::Bitstate, Some(90_000_000), None),
        Err(too_large)
    );
    for store in [Store::Exact, Store::HashCompact] {
        assert_eq!(with(store, Some(1), None), Err(PlanError::NoField(store)));
        assert_eq!(with(store, None, Some(3)), Err(PlanError::NoField(store)));
    }
}

#[test]
fn checkpoints_are_of_one_search_that_keeps_no_states_on_the_side() {
    for strategy in Strategy::ALL {
        let options = with_checkpoint(with_symmetry(SymmetryChoice::Use(strategy)));
        let planned = plan(&empty(), &options).map(|_| ());
        match strategy {
            Strategy::Flood | Strategy::Markers | Strategy::FirstMet => {
                assert_eq!(planned, Err(PlanError::CheckpointStrategy(strategy)));
            }
            _ => assert_eq!(planned, Ok(())),
        }
    }
    let claims = loaded("byte x; active proctype P() { x = 1 } ltl small { [] (x < 2) }");
    let options = with_checkpoint(CheckOptions::default());
    let names = vec!["safety".into(), "small".into()];
    assert_eq!(
        plan(&claims, &options),
        Err(PlanError::SeveralChecks(names))
    );
    let options = CheckOptions {
        properties: Selection::Named(vec!["small".into()]),
        ..options
    };
    assert!(plan(&claims, &options).is_ok());
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

#[test]
fn a_selection_of_nothing_is_refused() {
    let options = CheckOptions {
        properties: Selection::Named(Vec::new()),
        ..CheckOptions::default()
    };
    let error = refused(options);
    assert_eq!(error, PlanError::NothingSelected);
    assert!(error.to_string().contains("nothing to check"), "{error}");
}
