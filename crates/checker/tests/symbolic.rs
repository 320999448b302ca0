//! The symbolic engine from the options to the document: the same verdicts and counts as the explicit one, and runs that replay.

use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_checker::options::{
    CheckOptions, EngineChoice, Limits, SearchOrder, Selection, StaticReductions, SymmetryChoice,
};
use mandala_checker::plan::PlanError;
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::Document;
use mandala_report::document::{Guarantee, Verdict};
use mandala_symbolic::Manner;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

fn loaded(path: &str, text: &str) -> LoadedModel {
    let input = ModelInput {
        path: path.into(),
        text: text.to_string(),
        defines: Vec::new(),
        dialect: None,
        read: |_: &Path| Err(std::io::ErrorKind::NotFound.into()),
    };
    load(input).unwrap_or_else(|error| panic!("{error:?}"))
}

fn bundled(path: &str) -> LoadedModel {
    let file = format!("{}/../../models/{path}", env!("CARGO_MANIFEST_DIR"));
    loaded(
        path,
        &std::fs::read_to_string(file).expect("a bundled model"),
    )
}

fn symbolic() -> CheckOptions {
    CheckOptions {
        engine: EngineChoice::SYMBOLIC,
        symmetry: SymmetryChoice::Off,
        // Steps that are joined are counted one by one.
        static_reductions: StaticReductions::NONE,
        ..CheckOptions::default()
    }
}

fn checked(loaded: &LoadedModel, options: &CheckOptions) -> Document {
    check(loaded, options, &mut Nobody).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

/// What both engines say of each property, and how many states and steps there are.
fn told(document: &Document) -> (Vec<(String, Verdict)>, u64, u64) {
    let properties = document.properties.iter();
    let properties = properties.map(|p| (p.name.clone(), p.verdict)).collect();
    let stats = &document.stats;
    (properties, stats.states, stats.transitions)
}

#[test]
fn both_engines_say_the_same_of_what_holds() {
    for path in ["german/german.m", "peterson/peterson.m", "mutex/mutex.pml"] {
        let loaded = bundled(path);
        let explicit = CheckOptions {
            engine: EngineChoice::EXPLICIT,
            ..symbolic()
        };
        let expected = told(&checked(&loaded, &explicit));
        for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
            let options = CheckOptions {
                order,
                ..symbolic()
            };
            assert_eq!(told(&checked(&loaded, &options)), expected, "{path}");
        }
    }
}

#[test]
fn pointers_are_followed() {
    let text = "#define N 3
        process count = N;
        global pointer tail;
        local pointer next, prev;
        local discrete locked: 0..1;
        mode idle true { when true may next = NULL; goto swap; }
        mode swap true { when true may prev = tail; tail = P; goto link; }
        mode link true {
          when prev == NULL may goto critical;
          when prev != NULL may locked = 1; prev->next = P; goto wait;
        }
        mode wait true { when locked == 0 may goto critical; }
        mode critical true {
          when next != NULL may next->locked = 0; goto idle;
          when next == NULL and tail == P may tail = NULL; goto idle;
        }
        initially forall i: idle[i] and tail == NULL;
        risk exists i, j: i < j and critical[i] and critical[j];";
    for text in [text.to_string(), text.replace("locked = 1;", "")] {
        let loaded = loaded("lock.red", &text);
        let by = |engine| {
            let options = CheckOptions {
                engine,
                ..symbolic()
            };
            checked(&loaded, &options)
        };
        let (explicit, symbolic) = (by(EngineChoice::EXPLICIT), by(EngineChoice::SYMBOLIC));
        assert_eq!(symbolic.verdict, explicit.verdict);
        if explicit.verdict == Verdict::Holds {
            assert_eq!(told(&symbolic), told(&explicit));
        }
    }
}

#[test]
fn symmetry_on_sets_leaves_as_many_states_as_on_single_ones() {
    let loaded = bundled("mutex/mutex.pml");
    let states = |engine, symmetry| {
        let options = CheckOptions {
            engine,
            symmetry,
            ..symbolic()
        };
        let document = checked(&loaded, &options);
        assert_eq!(document.verdict, Verdict::Holds);
        document.stats.states
    };
    let orbits = states(EngineChoice::EXPLICIT, SymmetryChoice::default());
    let dynamic = SymmetryChoice::OnSets(Manner::Dynamic);
    assert_eq!(states(EngineChoice::SYMBOLIC, dynamic), orbits);
    // Processes without pointers to each other are left as they are by what goes by pointers.
    for manner in Manner::ALL.into_iter().filter(|m| *m != Manner::Ibsinc) {
        let found = states(EngineChoice::SYMBOLIC, SymmetryChoice::OnSets(manner));
        assert!((orbits..112).contains(&found), "{manner:?}: {found}");
    }
}

fn on_sets(manner: Manner) -> CheckOptions {
    CheckOptions {
        symmetry: SymmetryChoice::OnSets(manner),
        ..symbolic()
    }
}

/// Of the orbits of names that are far from 0, too, no state is taken for another.
#[test]
fn great_names_do_not_hide_violations() {
    let text = "short a = 5000, c = 5000; bit x[2]; bit done;
        active proctype p() { end: do
        :: c = a :: a = c
        :: d_step { done == 0 -> done = 1; x[a - 5000] = 1 }
        :: x[a - 5000] == 1 -> assert(false) od }";
    let loaded = loaded("names.pml", text);
    assert_eq!(checked(&loaded, &symbolic()).verdict, Verdict::Violated);
    for manner in Manner::ALL {
        let document = checked(&loaded, &on_sets(manner));
        assert_ne!(document.symmetry.order, "1", "{manner:?}");
        assert_eq!(document.verdict, Verdict::Violated, "{manner:?}");
    }
}

/// Local steps are merged, so the assertion is passed while the process holds control.
#[test]
fn a_violation_inside_of_a_sequence_leaves_the_rest_open() {
    let text = "byte x; active proctype p() { byte l; x = 1; l = 1; assert(l == 0); x = 2; x = 3 }";
    let loaded = loaded("sequence.pml", text);
    for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        let options = CheckOptions {
            order,
            static_reductions: StaticReductions::ALL,
            ..symbolic()
        };
        let document = checked(&loaded, &options);
        assert_eq!(document.verdict, Verdict::Violated);
        assert!(!document.coverage.complete);
        assert!(document.unreached.is_empty());
    }
}

/// Representatives take one branch of those that there are for each name.
#[test]
fn what_symmetry_may_hide_is_not_called_unreached() {
    let text = "byte turn = 255; bit lock;
        active [2] proctype p() {
          end0: d_step { lock == 0 -> lock = 1 };
          atomic { if
            :: _pid == 0 -> turn = 0; turn = 255
            :: _pid == 1 -> turn = 1; turn = 255
            fi };
          end: do :: lock > 1 -> skip od
        }";
    let loaded = loaded("branches.pml", text);
    let unreached = |document: Document| {
        let unreached = document.unreached.into_iter();
        let told = unreached.map(|u| (u.line, u.statement));
        told.collect::<BTreeSet<_>>()
    };
    let all = unreached(checked(&loaded, &symbolic()));
    // Nobody gets over the last condition, and whether that is seen does not depend on symmetry.
    assert!(!all.is_empty());
    for manner in Manner::ALL {
        let document = checked(&loaded, &on_sets(manner));
        assert_ne!(document.symmetry.order, "1", "{manner:?}");
        assert_eq!(unreached(document), all, "{manner:?}");
    }
}

#[test]
fn one_for_each_orbit_is_claimed_only_if_everything_is_exchanged() {
    let late = "byte n; proctype p() { byte l; do :: l = 1 - l :: n == 0 -> n = 1 od }
        init { run p(); run p(); run p() }";
    let early = "byte n; active [3] proctype p() { byte l; do :: l = 1 - l :: n == 0 -> n = 1 od }";
    for (text, is_exact) in [(late, false), (early, true)] {
        let loaded = loaded("made.pml", text);
        let document = checked(&loaded, &on_sets(Manner::OrbitRelation));
        let explicit = CheckOptions {
            engine: EngineChoice::EXPLICIT,
            symmetry: SymmetryChoice::default(),
            ..symbolic()
        };
        let orbits = checked(&loaded, &explicit).stats.states;
        assert_eq!(document.stats.states == orbits, is_exact, "{text}");
        assert_eq!(document.symmetry.exact, is_exact, "{text}");
        let is_canonical = document.symmetry.guarantee == Guarantee::Canonical;
        assert_eq!(is_canonical, is_exact, "{text}");
    }
}

#[test]
fn a_violation_comes_with_a_shortest_run() {
    let loaded = bundled("lost-wakeup/lost-wakeup.pml");
    let lengths = [EngineChoice::SYMBOLIC, EngineChoice::EXPLICIT].map(|engine| {
        let options = CheckOptions {
            engine,
            ..symbolic()
        };
        let document = checked(&loaded, &options);
        assert_eq!(document.verdict, Verdict::Violated);
        document.trace.map(|trace| trace.steps.len())
    });
    assert!(lengths[0].is_some());
    assert_eq!(lengths[0], lengths[1]);
}

#[test]
fn limits_end_in_unknown() {
    let loaded = bundled("german/german.m");
    let limits = [
        Limits {
            states: Some(100),
            ..Limits::default()
        },
        Limits {
            depth: Some(3),
            ..Limits::default()
        },
        Limits {
            time: Some(Duration::from_millis(1)),
            ..Limits::default()
        },
        Limits {
            memory: Some(1 << 20),
            ..Limits::default()
        },
    ];
    for limits in limits {
        let options = CheckOptions {
            limits,
            ..symbolic()
        };
        assert_eq!(
            checked(&loaded, &options).verdict,
            Verdict::Unknown,
            "{limits:?}"
        );
    }
}

#[test]
fn what_it_does_not_do_is_refused() {
    let claim = loaded(
        "claim.pml",
        "byte x; active proctype p() { x = 1 } ltl f { <> (x == 1) }",
    );
    match check(&claim, &symbolic(), &mut Nobody) {
        Err(Refusal::Plan(PlanError::Cycles(name, _))) => assert_eq!(name, "f"),
        other => panic!("{other:?}"),
    }
    let safety = CheckOptions {
        properties: Selection::Named(vec!["safety".into()]),
        ..symbolic()
    };
    assert_eq!(checked(&claim, &safety).verdict, Verdict::Holds);
    let chained = CheckOptions {
        order: SearchOrder::DepthFirst,
        limits: Limits {
            depth: Some(3),
            ..Limits::default()
        },
        ..safety
    };
    let refused = check(&claim, &chained, &mut Nobody);
    assert!(matches!(
        refused,
        Err(Refusal::Plan(PlanError::NotOfEngine(..)))
    ));
    let events = loaded(
        "events.pml",
        "chan c = [1] of { byte };\nactive proctype p() { c!1 }\ntrace { c!1 }",
    );
    match check(&events, &symbolic(), &mut Nobody) {
        Err(Refusal::Check(error)) => {
            assert!(error.to_string().contains("events.pml:3"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}
