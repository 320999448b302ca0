//! Limits on memory, and stores that do not fit more states into it by being exact.

use crate::common::{COUNTERS, bundled, compiled, model, run, run_model};
use crate::resume::{Folder, checkpoints};
use mandala_engine::Choice;
use mandala_explicit::{
    AfterViolation, Checkpoints, Claim, Extent, Fairness, GraphQuestion, Limit, Limits, Options,
    Proposition, Query, SearchError, SearchOrder, StoreKind, Whom, resident_bytes, search,
};
use mandala_temporal::Ctl;
use std::time::Duration;

/// Some million states, a level of which is a large part of all.
const MANY: &str = "byte a[7];
    active [7] proctype p() { do :: d_step { a[_pid] = (a[_pid] + 1) % 9 } od }";

fn limited(memory: u64, order: SearchOrder, workers: usize) -> Options {
    Options {
        order,
        workers,
        limits: Limits {
            memory: Some(memory),
            ..Limits::default()
        },
        ..Options::default()
    }
}

#[test]
fn the_limit_on_memory_is_kept_and_used() {
    let memory = 4_000_000;
    for &order in SearchOrder::ALL {
        for workers in [1, 3] {
            let outcome = run(MANY, &limited(memory, order, workers));
            assert_eq!(outcome.extent, Extent::Limited(Limit::Memory));
            assert_eq!(outcome.claim, Claim::NoViolation);
            let peak = outcome.statistics.peak_bytes;
            assert!(peak <= memory + memory / 20, "{order:?}: {peak}");
            assert!(peak >= memory / 2, "{order:?}: {peak}");
            assert!(
                outcome.statistics.states > 100_000,
                "{:?}",
                outcome.statistics
            );
        }
    }
}

#[test]
fn with_a_gauge_the_limit_is_one_for_everything() {
    let memory = 4_000_000;
    for &order in SearchOrder::ALL {
        let gauged = |gauge| Options {
            gauge: Some(gauge),
            ..limited(memory, order, 2)
        };
        let outcome = run(MANY, &gauged(|| Some(3_000_000)));
        assert_eq!(outcome.extent, Extent::Limited(Limit::Memory));
        let peak = outcome.statistics.peak_bytes;
        // A million bytes are left, and the limit is kept to within a twentieth of it.
        let most = 1_000_000 + memory / 20;
        assert!((500_000..most).contains(&peak), "{order:?}: {peak}");
        let none_left = run(MANY, &gauged(|| Some(4_000_001)));
        assert_eq!(none_left.extent, Extent::Limited(Limit::Memory));
        assert!(none_left.statistics.states < 10_000, "{order:?}");
        let unknown = run(MANY, &gauged(|| None));
        assert!(unknown.statistics.peak_bytes >= memory / 2);
    }
}

#[test]
fn more_memory_than_needed_changes_nothing() {
    let model = bundled("peterson", &["N=3"]);
    let outcome = run_model(&model, &limited(4_000_000, SearchOrder::BreadthFirst, 1));
    assert_eq!(outcome.extent, Extent::Complete);
    assert_eq!(outcome.statistics.states, 11_318);
}

const APPROXIMATE: [StoreKind; 2] = [
    StoreKind::HashCompact,
    StoreKind::Bitstate {
        bytes: 1 << 20,
        hashes: 3,
    },
];

#[test]
fn approximate_stores_search_depth_first_and_say_what_may_be_missing() {
    let model = bundled("peterson", &["N=3"]);
    for store in APPROXIMATE {
        for workers in [1, 3] {
            let options = Options {
                store,
                workers,
                share_from: 1,
                order: SearchOrder::DepthFirst,
                ..Options::default()
            };
            let outcome = run_model(&model, &options);
            assert_eq!(outcome.extent, Extent::Complete);
            let states = outcome.statistics.states;
            assert!((11_000..=11_318).contains(&states), "{store:?}: {states}");
            assert!(outcome.omissions.is_some());
        }
    }
    let exact = run_model(&model, &Options::default());
    assert!(exact.omissions.is_none());
}

#[test]
fn approximate_stores_find_violations() {
    let model = bundled("peterson", &["N=3", "BUG=1"]);
    for store in APPROXIMATE {
        let options = Options {
            store,
            order: SearchOrder::DepthFirst,
            ..Options::default()
        };
        let outcome = run_model(&model, &options);
        assert_eq!(outcome.extent, Extent::FirstViolation);
        let path = outcome.evidence.expect("it is violated").path;
        assert_eq!(path.len() as u64, outcome.statistics.depth + 1);
    }
}

#[test]
fn approximate_stores_do_not_go_with_breadth_first_search() {
    let model = bundled("peterson", &["N=2"]);
    for store in APPROXIMATE {
        let options = Options {
            store,
            on_violation: AfterViolation::GoOn,
            ..Options::default()
        };
        let refused = search(&compiled(&model), &options, &mut |_| {});
        assert_eq!(refused.err(), Some(SearchError::NoWayBack));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_field_is_taken_from_the_system_as_it_is_written_to() {
    let before = resident_bytes().expect("Linux tells");
    let options = Options {
        order: SearchOrder::DepthFirst,
        store: StoreKind::Bitstate {
            bytes: 4 << 30,
            hashes: 3,
        },
        ..Options::default()
    };
    let mut most = 0;
    let outcome = search(&compiled(&model(COUNTERS)), &options, &mut |_| {
        most = most.max(resident_bytes().unwrap_or(0));
    });
    assert_eq!(outcome.expect("it can be made").statistics.states, 2_500);
    // Other tests run at the same time, but none of them takes this much.
    assert!(most > 0 && most < before + (1 << 30), "{before} {most}");
}

#[test]
fn limits_are_checked_inside_a_step_also_when_the_graph_is_built() {
    let long = "byte x; active proctype p() { int i; atomic { do :: i < 100000 -> i++ :: else -> break od; i = 0; x = 1 } }";
    let question = GraphQuestion {
        instances: None,
        what: Query::Formula(Ctl::proposition(0)),
        fairness: Fairness::None,
        whom: Whom::Processes,
    };
    let asked = |questions: Vec<GraphQuestion>, checkpoints: Option<Checkpoints>| {
        let options = Options {
            questions,
            propositions: vec![Proposition::GoesOn],
            checkpoints,
            ..Options::default()
        };
        let mut calls = 0;
        search(&compiled(&model(long)), &options, &mut |_| calls += 1).expect("it can be searched");
        calls
    };
    let without = asked(Vec::new(), None);
    let folder = Folder::new("graph");
    let checkpoints = checkpoints(&folder.0, false).map(|checkpoints| Checkpoints {
        interval: Duration::from_secs(3600),
        ..checkpoints
    });
    // A search that writes checkpoints does not write down its steps, so the states are visited once more.
    let with = asked(vec![question.clone()], checkpoints);
    assert!(without > 10 && with >= 2 * without, "{without} {with}");
    let logged = asked(vec![question], None);
    assert!(logged < without + without / 2, "{without} {logged}");
}
