//! However many workers there are, the answer is the same.

use crate::common::{assert_real, bundled, compiled, defined, run_model, searched};
use mandala_encoding::{Coverage, Program};
use mandala_engine::{Choice, ViolationCounts};
use mandala_explicit::{
    AfterViolation, Claim, Evidence, ExplicitOutcome, Extent, Limits, Options, SearchOrder,
};
use mandala_model::Model;

/// Bundled models of some thousand states, some of them wrong.
const MODELS: [(&str, &[&str]); 16] = [
    ("peterson", &["N=3"]),
    ("peterson", &["N=3", "BUG=1"]),
    ("peterson-run", &["N=3", "BUG=1"]),
    ("database", &["N=6"]),
    ("email", &["N=2"]),
    ("email", &["N=3", "BUG=1"]),
    ("broken-lock", &["N=4", "BUG=1"]),
    ("lost-wakeup", &["N=4", "BUG=1"]),
    ("mcs-lock", &["N=3"]),
    ("philosophers", &["N=6"]),
    ("leader-ring", &["N=4"]),
    ("leader-ring", &["N=4", "BUG=1"]),
    ("load-balancer", &["S=2", "C=3", "BUG=1"]),
    ("allocator", &["BUG=1"]),
    ("three-tier", &["C1=2", "C2=1"]),
    ("token-lock", &["N=4", "BUG=1"]),
];

/// Processes that come and go, so that shapes come up in an order that depends on who is faster.
const COMING_AND_GOING: &str = "
    byte made, n;
    proctype a() { n++; n-- }
    proctype b() { byte x; x = n; n = x; assert(!BUG || made < MOST) }
    init { do :: made < MOST -> made++; run a() :: made < MOST -> made++; run b() :: made == MOST -> break od }";

fn options(workers: usize) -> Options {
    Options {
        workers,
        share_from: 1,
        ..Options::default()
    }
}

/// What must not depend on the number of workers.
#[derive(Debug, PartialEq)]
struct Answer {
    claim: Claim,
    extent: Extent,
    evidence: Option<Evidence>,
    violations: ViolationCounts,
    states: u64,
    transitions: u64,
    expanded: u64,
    depth: u64,
    reached: Coverage,
}

fn answer(outcome: ExplicitOutcome) -> Answer {
    Answer {
        claim: outcome.claim,
        extent: outcome.extent,
        evidence: outcome.evidence,
        violations: outcome.violations,
        states: outcome.statistics.states,
        transitions: outcome.statistics.transitions,
        expanded: outcome.statistics.expanded,
        depth: outcome.statistics.depth,
        reached: outcome.reached,
    }
}

#[track_caller]
fn assert_same(name: &str, model: &Model, options: impl Fn(usize) -> Options) -> Answer {
    let alone = answer(run_model(model, &options(1)));
    for workers in [2, 3, 8] {
        let several = answer(run_model(model, &options(workers)));
        assert_eq!(several, alone, "{name} with {workers} workers");
    }
    alone
}

#[test]
fn breadth_first_answers_are_the_same() {
    for (name, defines) in MODELS {
        let model = bundled(name, defines);
        let first = assert_same(name, &model, options);
        let wrong = defines.contains(&"BUG=1");
        assert!(!wrong || first.claim == Claim::Violated, "{name}");
        if let Some(evidence) = first.evidence {
            assert_real(&model, &evidence);
        }
        assert_same(name, &model, |workers| Options {
            on_violation: AfterViolation::GoOn,
            ..options(workers)
        });
    }
}

#[test]
fn shapes_that_come_up_in_any_order_make_no_difference() {
    for bug in ["BUG=0", "BUG=1"] {
        let model = defined(COMING_AND_GOING, &["MOST=4", bug]);
        for _ in 0..5 {
            let found = assert_same(bug, &model, options);
            assert_eq!(found.claim == Claim::Violated, bug == "BUG=1");
        }
    }
}

#[test]
fn a_limit_on_depth_cuts_the_same() {
    let model = bundled("peterson", &["N=3"]);
    for depth in [0, 1, 7, 30] {
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        assert_same("peterson", &model, |workers| Options {
            limits,
            ..options(workers)
        });
    }
}

#[test]
fn depth_first_sees_the_same_with_several_workers() {
    for (name, defines) in MODELS {
        let model = bundled(name, defines);
        let deep = |workers| Options {
            order: SearchOrder::DepthFirst,
            on_violation: AfterViolation::GoOn,
            ..options(workers)
        };
        let alone = run_model(&model, &deep(1));
        for workers in [2, 3, 8] {
            let several = run_model(&model, &deep(workers));
            let counts = |o: &ExplicitOutcome| {
                (
                    o.statistics.states,
                    o.statistics.transitions,
                    o.violations.clone(),
                )
            };
            assert_eq!(
                counts(&several),
                counts(&alone),
                "{name} with {workers} workers"
            );
            assert_eq!(
                several.reached, alone.reached,
                "{name} with {workers} workers"
            );
            assert_eq!(several.extent, Extent::Complete);
        }
    }
}

#[test]
fn depth_first_violations_are_real_with_several_workers() {
    let model = bundled("peterson", &["N=3", "BUG=1"]);
    for workers in [2, 3, 8] {
        let found = run_model(
            &model,
            &Options {
                order: SearchOrder::DepthFirst,
                ..options(workers)
            },
        );
        assert_eq!(found.extent, Extent::FirstViolation);
        assert_real(&model, &found.evidence.expect("it is violated"));
    }
}

#[test]
fn all_workers_take_part() {
    let model = bundled("peterson", &["N=3"]);
    for &order in SearchOrder::ALL {
        let outcome = run_model(
            &model,
            &Options {
                order,
                ..options(3)
            },
        );
        assert_eq!(outcome.statistics.workers, 3);
        assert_eq!(outcome.statistics.states, 11_318);
    }
}

#[test]
fn limits_hold_for_all_workers_together() {
    let program: Program = compiled(&bundled("peterson", &["N=3"]));
    for &order in SearchOrder::ALL {
        let limits = Limits {
            states: Some(5_000),
            ..Limits::default()
        };
        let options = Options {
            order,
            limits,
            ..options(4)
        };
        let outcome = searched(&program, &options, &mut |_| {});
        assert_eq!(outcome.statistics.states, 5_000);
    }
}
