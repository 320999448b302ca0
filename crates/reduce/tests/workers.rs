//! However many workers there are, a reduced search gives the same answer.

use crate::common::{Case, bundled};
use mandala_encoding::Program;
use mandala_explicit::{
    AfterViolation, Evidence, ExplicitOutcome, Extent, Options, search_reduced,
};
use mandala_model::step::Observers;
use mandala_reduce::{Reducers, Settings, Strategy};

fn cases() -> Vec<(&'static str, Case)> {
    let of_families = |name, defines: &[&str], families: &[_]| {
        Case::of_families(bundled(name, defines), families)
    };
    let processes = [("Process", 1..4)];
    vec![
        ("peterson", of_families("peterson", &["N=3"], &processes)),
        (
            "wrong peterson",
            of_families("peterson", &["N=3", "BUG=1"], &processes),
        ),
        ("email", of_families("email", &["N=3"], &[("Client", 1..4)])),
        (
            "wrong mcs-lock",
            of_families("mcs-lock", &["N=3", "BUG=1"], &[("Process", 0..3)]),
        ),
        (
            "three-tier",
            Case::detected(bundled("three-tier", &["C1=2", "C2=1"])),
        ),
    ]
}

/// A search with a program of its own, in which no shapes have been numbered yet.
fn search(
    case: &Case,
    strategy: Strategy,
    workers: usize,
    on_violation: AfterViolation,
) -> ExplicitOutcome {
    let program = Program::compile(&case.model, Observers::default()).expect("compiles");
    let settings = Settings::default();
    let reducers = Reducers::new(&case.model, &case.certificate, strategy, &settings);
    let reducers = reducers.expect("supported");
    let options = Options {
        workers,
        share_from: 1,
        on_violation,
        ..Options::default()
    };
    let found = search_reduced(&program, &options, &mut || reducers.make(), &mut |_| {});
    found.expect("the options go together").0
}

/// What must not depend on the number of workers.
#[derive(Debug, PartialEq)]
struct Answer {
    extent: Extent,
    violations: u64,
    states: u64,
    transitions: u64,
    depth: u64,
    not_canonical: u64,
    evidence: Option<Evidence>,
}

fn answer(outcome: ExplicitOutcome) -> Answer {
    Answer {
        extent: outcome.extent,
        violations: outcome.violations.total(),
        states: outcome.statistics.states,
        transitions: outcome.statistics.transitions,
        depth: outcome.statistics.depth,
        not_canonical: outcome.reduction.not_canonical,
        evidence: outcome.evidence,
    }
}

#[test]
fn answers_are_the_same_with_any_number_of_workers() {
    let strategies = [Strategy::Auto, Strategy::Sorted, Strategy::LocalSearch];
    for (name, case) in &cases() {
        for strategy in strategies {
            for on_violation in [AfterViolation::Stop, AfterViolation::GoOn] {
                let alone = answer(search(case, strategy, 1, on_violation));
                for workers in [2, 3, 8] {
                    let several = answer(search(case, strategy, workers, on_violation));
                    assert_eq!(several, alone, "{name}, {strategy}, {workers} workers");
                }
            }
        }
    }
}

#[test]
fn strategies_that_keep_states_have_one_worker() {
    let case = Case::detected(bundled("peterson", &["N=3"]));
    for strategy in Strategy::ALL {
        let keeps = matches!(
            strategy,
            Strategy::Flood | Strategy::Markers | Strategy::FirstMet
        );
        let found = search(&case, strategy, 3, AfterViolation::GoOn);
        assert_eq!(
            found.statistics.workers,
            if keeps { 1 } else { 3 },
            "{strategy}"
        );
    }
}
