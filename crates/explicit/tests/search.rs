//! Searches of small models: both orders agree, counterexamples are real and short, limits hold.

use crate::common::{COUNTERS, assert_real, model, observers, run, searched};
use mandala_encoding::Program;
use mandala_engine::Choice;
use mandala_explicit::{
    AfterViolation, Claim, Concerns, Extent, Limit, Limits, Options, SearchOrder,
};
use mandala_interpreter::Interpreter;
use mandala_model::step::{FaultKind, Observers, Turn, Violation};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An assertion that fails after ten steps at least, and on longer ways too.
const FAILING: &str = "byte a, b;
    active proctype p() { do :: a = (a + 1) % 6 :: a = (a + 2) % 6 od }
    active proctype q() { do :: b < 3 -> b++ :: b == 3 && a == 5 -> assert(false) od }";

fn ordered(order: SearchOrder) -> Options {
    Options {
        order,
        ..Options::default()
    }
}

fn limited(order: SearchOrder, limits: Limits) -> Options {
    Options {
        limits,
        ..ordered(order)
    }
}

fn exhaustive(order: SearchOrder) -> Options {
    Options {
        on_violation: AfterViolation::GoOn,
        ..ordered(order)
    }
}

#[test]
fn both_orders_see_everything() {
    for &order in SearchOrder::ALL {
        let outcome = run(COUNTERS, &ordered(order));
        assert_eq!(
            (outcome.claim, outcome.extent),
            (Claim::NoViolation, Extent::Complete)
        );
        assert_eq!(
            (outcome.statistics.states, outcome.statistics.transitions),
            (2500, 5001)
        );
        assert_eq!(outcome.evidence, None);
    }
}

#[test]
fn breadth_first_depth_is_the_distance() {
    let outcome = run(COUNTERS, &ordered(SearchOrder::BreadthFirst));
    assert_eq!(outcome.statistics.depth, 98);
}

#[test]
fn violations_are_found_in_both_orders() {
    for &order in SearchOrder::ALL {
        let outcome = run(FAILING, &ordered(order));
        assert_eq!(
            (outcome.claim, outcome.extent),
            (Claim::Violated, Extent::FirstViolation)
        );
        assert_eq!(outcome.violations.total(), 1);
        assert_real(
            &model(FAILING),
            &outcome.evidence.expect("a violation comes with evidence"),
        );
    }
}

#[test]
fn breadth_first_counterexamples_are_shortest() {
    // The start, three steps of `p` (to 2, 4 and 5), three times two and then one of `q`.
    let outcome = run(FAILING, &ordered(SearchOrder::BreadthFirst));
    let evidence = outcome.evidence.expect("a violation comes with evidence");
    assert!(matches!(evidence.violation, Violation::Assertion { .. }));
    assert_eq!(evidence.path.len(), 11);
}

#[test]
fn keeping_going_sees_everything_and_keeps_the_first_violation() {
    let first = run(FAILING, &ordered(SearchOrder::BreadthFirst));
    let all = run(FAILING, &exhaustive(SearchOrder::BreadthFirst));
    assert_eq!(all.extent, Extent::Complete);
    assert_eq!(all.evidence, first.evidence);
    let deep = run(FAILING, &exhaustive(SearchOrder::DepthFirst));
    assert_eq!(deep.statistics.states, all.statistics.states);
    assert_eq!(deep.violations, all.violations);
}

#[test]
fn deadlocks_can_be_ignored() {
    let text = "chan c = [0] of { byte }; active proctype p() { skip; c!1 }";
    let reported = run(text, &Options::default());
    let evidence = reported.evidence.expect("there is a deadlock");
    assert_eq!(
        (evidence.violation.clone(), evidence.path.len()),
        (Violation::Deadlock, 2)
    );
    assert_real(&model(text), &evidence);
    let options = Options {
        concerns: Concerns::new(|violation| *violation != Violation::Deadlock),
        ..Options::default()
    };
    let ignored = run(text, &options);
    assert_eq!(
        (ignored.claim, ignored.extent),
        (Claim::NoViolation, Extent::Complete)
    );
}

#[test]
fn claims_are_followed_past_the_end_of_the_system() {
    let text = "byte x; active proctype p() { x = 1; x = 2 }
        never { byte n; do :: x == 2 && n < 3 -> n++ :: x < 2 :: n == 3 -> break od }";
    for &order in SearchOrder::ALL {
        let outcome = run(text, &ordered(order));
        let evidence = outcome.evidence.expect("the claim ends");
        assert_eq!(evidence.violation, Violation::ClaimEnded);
        assert_real(&model(text), &evidence);
    }
    let model = model(text);
    let start = Interpreter::new(&model, observers(&model)).start();
    assert_eq!(start.map(|c| c.turn), Ok(Turn::Claim));
}

#[test]
fn violations_inside_atomic_sequences_belong_to_the_state_before() {
    let text = "byte x; active proctype p() { x = 1; atomic { x = 2; assert(x == 1); x = 3 } }";
    let evidence = run(text, &Options::default())
        .evidence
        .expect("the assertion fails");
    assert_eq!(
        evidence.path.last().map(|visit| visit.state.globals[0]),
        Some(1)
    );
    assert_real(&model(text), &evidence);
}

#[test]
fn a_start_that_fails_has_no_path() {
    let text = "byte n; byte x = 1 / n; active proctype p() { skip }";
    let outcome = run(text, &Options::default());
    let evidence = outcome.evidence.expect("the start fails");
    assert_eq!(evidence.path, []);
    assert!(
        matches!(evidence.violation, Violation::Fault(fault) if fault.kind == FaultKind::DivisionByZero)
    );
    assert_eq!(outcome.statistics.states, 0);
}

#[test]
fn the_number_of_states_can_be_limited() {
    for &order in SearchOrder::ALL {
        let limits = |states| Limits {
            states: Some(states),
            ..Limits::default()
        };
        let cut = run(COUNTERS, &limited(order, limits(1000)));
        assert_eq!(
            (cut.extent, cut.statistics.states),
            (Extent::Limited(Limit::States), 1000)
        );
        let just_enough = run(COUNTERS, &limited(order, limits(2500)));
        assert_eq!(just_enough.extent, Extent::Complete);
    }
}

#[test]
fn the_depth_can_be_limited() {
    let limits = |depth| Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let cut = run(COUNTERS, &limited(SearchOrder::BreadthFirst, limits(10)));
    assert_eq!(
        (cut.extent, cut.statistics.states),
        (Extent::Limited(Limit::Depth), 66)
    );
    assert_eq!(cut.statistics.depth, 10);
    let deep = run(COUNTERS, &limited(SearchOrder::DepthFirst, limits(10)));
    assert_eq!(
        (deep.extent, deep.statistics.depth),
        (Extent::Limited(Limit::Depth), 10)
    );
    let enough = run(COUNTERS, &limited(SearchOrder::BreadthFirst, limits(99)));
    assert_eq!(enough.extent, Extent::Complete);
}

#[test]
fn the_time_can_be_limited() {
    let limits = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    for &order in SearchOrder::ALL {
        let outcome = run(COUNTERS, &limited(order, limits));
        assert_eq!(outcome.extent, Extent::Limited(Limit::Time));
        assert!(outcome.statistics.states < 2500);
    }
}

#[test]
fn the_memory_can_be_limited() {
    let limits = Limits {
        memory: Some(10_000),
        ..Limits::default()
    };
    for &order in SearchOrder::ALL {
        let outcome = run(COUNTERS, &limited(order, limits));
        assert_eq!(outcome.extent, Extent::Limited(Limit::Memory));
        assert!(outcome.statistics.states > 100 && outcome.statistics.states < 2500);
    }
}

#[test]
fn states_that_are_too_large_are_a_limit() {
    let text = "int big[30000]; active proctype p() { big[7] = 1 }";
    let outcome = run(text, &Options::default());
    assert_eq!(outcome.extent, Extent::Limited(Limit::StateSize));
    let text = "proctype p() { int big[60000]; false }
        init { atomic { do :: _nr_pr < 100 -> run p() :: else -> break od } }";
    let outcome = run(text, &Options::default());
    assert_eq!(outcome.extent, Extent::Limited(Limit::StateSize));
}

#[test]
fn a_search_can_be_cancelled() {
    let cancel = Arc::new(AtomicBool::new(false));
    let options = Options {
        cancel: Some(cancel.clone()),
        ..Options::default()
    };
    let model = model(COUNTERS);
    let program =
        Program::compile(&model, Observers::default()).expect("the model can be compiled");
    let outcome = searched(&program, &options, &mut |_| {
        cancel.store(true, Ordering::Relaxed)
    });
    assert_eq!(outcome.extent, Extent::Limited(Limit::Cancelled));
    assert!(outcome.statistics.states < 2500);
}

#[test]
fn progress_is_told_and_grows() {
    let model = model(COUNTERS);
    let program =
        Program::compile(&model, Observers::default()).expect("the model can be compiled");
    for &order in SearchOrder::ALL {
        let mut told = Vec::new();
        searched(&program, &ordered(order), &mut |progress| {
            told.push(*progress)
        });
        assert!(told.len() > 2, "{told:?}");
        assert!(told.is_sorted_by_key(|p| p.states) && told.is_sorted_by_key(|p| p.transitions));
        assert!(
            told.iter()
                .all(|p| p.bytes > 0 && p.waiting > 0 && p.waiting < p.states)
        );
    }
}

#[test]
fn states_take_less_memory_than_they_have_bytes() {
    let text = "int a[8];
        active [8] proctype p() { do :: d_step { a[_pid] = (a[_pid] + 1) % 4 } od }";
    let outcome = run(text, &Options::default());
    let statistics = outcome.statistics;
    assert_eq!(statistics.states, 1 << 16);
    let packed = outcome.packed_bytes as f64 / statistics.states as f64;
    assert!(
        packed > 32.0 && statistics.bytes_per_state < packed,
        "{statistics:?}"
    );
}

#[test]
fn reached_locations_are_told() {
    let text = "byte x; active proctype p() { if :: x == 0 -> x = 1 :: x == 1 -> x = 2 fi; d_step { if :: x == 1 -> x = 3 :: x == 7 -> x = 4; x = 5 fi } }";
    let model = model(text);
    let program =
        Program::compile(&model, Observers::default()).expect("the model can be compiled");
    let reached = searched(&program, &Options::default(), &mut |_| {}).reached;
    let template = mandala_model::ids::TemplateId(0);
    let reached_locations = reached.locations(&program, template);
    let unreached: Vec<_> = reached_locations.iter().filter(|at| !**at).collect();
    assert_eq!(
        unreached.len(),
        1,
        "the statement `x = 2` alone is never reached: {unreached:?}"
    );
}

/// Chains of moves that never come to a state that is remembered.
const NEVER_ENDING: [&str; 2] = [
    "int x; active proctype p() { atomic { do :: x++ od } }",
    "int x; active proctype p() { d_step { do :: x++ od } }",
];

#[test]
fn a_chain_without_end_ends_in_time() {
    let limits = Limits {
        time: Some(Duration::from_millis(50)),
        ..Limits::default()
    };
    for text in NEVER_ENDING {
        let outcome = run(text, &limited(SearchOrder::BreadthFirst, limits));
        assert_eq!(outcome.extent, Extent::Limited(Limit::Time));
        assert_eq!(outcome.claim, Claim::NoViolation);
        assert!(
            outcome.statistics.time.as_secs() < 5,
            "{:?}",
            outcome.statistics
        );
    }
}

#[test]
fn what_a_chain_holds_counts_as_memory() {
    let memory = 4 << 20;
    let limits = Limits {
        memory: Some(memory),
        ..Limits::default()
    };
    for &order in SearchOrder::ALL {
        let outcome = run(NEVER_ENDING[0], &limited(order, limits));
        assert_eq!(outcome.extent, Extent::Limited(Limit::Memory));
        let peak = outcome.statistics.peak_bytes;
        assert!((memory..3 * memory).contains(&peak), "{peak}");
    }
}

#[test]
fn a_chain_without_end_can_be_cancelled() {
    for text in NEVER_ENDING {
        let model = model(text);
        let program =
            Program::compile(&model, Observers::default()).expect("the model can be compiled");
        let cancel = Arc::new(AtomicBool::new(false));
        let options = Options {
            cancel: Some(Arc::clone(&cancel)),
            ..Options::default()
        };
        let mut calls = 0;
        let outcome = searched(&program, &options, &mut |_| {
            calls += 1;
            cancel.store(calls == 5, Ordering::Relaxed);
        });
        assert_eq!(outcome.extent, Extent::Limited(Limit::Cancelled));
        assert_eq!(calls, 5);
    }
}

#[test]
fn a_violation_is_told_though_the_chain_does_not_end() {
    let text = "int x; active proctype p() { atomic { assert(x != 0); do :: x++ od } }";
    let outcome = run(text, &Options::default());
    assert_eq!(outcome.extent, Extent::FirstViolation);
    let evidence = outcome.evidence.expect("there is a counterexample");
    assert_eq!(evidence.path.len(), 1);
}

#[test]
fn a_long_routine_is_one_step() {
    let text = "byte x; active proctype p() { int i; d_step { i = 0; do :: i < 20000000 -> i++ :: else -> break od; x = 1 } }";
    let limits = Limits {
        memory: Some(1 << 20),
        ..Limits::default()
    };
    let outcome = run(text, &limited(SearchOrder::BreadthFirst, limits));
    assert_eq!(
        (outcome.claim, outcome.extent, outcome.statistics.states),
        (Claim::NoViolation, Extent::Complete, 3)
    );
}
