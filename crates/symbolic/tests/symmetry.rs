//! Symmetry on sets: as many representatives as there are orbits where that is promised, never fewer, and the same verdicts.

use crate::common::{self, assert_is_run, bundled, promela, reachable, searched_with};
use mandala_model::ids::TemplateId;
use mandala_model::step::Observers;
use mandala_model::{Model, State};
use mandala_symbolic::{AfterViolation, Extent, Manner, Reduction, SearchOrder, SymbolicOutcome};
use mandala_symmetry::{Action, Certificate, ProofBudget, detect};
use std::collections::HashSet;

fn certificate(name: &str, model: &Model) -> Certificate {
    let census =
        |state: &State| -> Vec<TemplateId> { state.processes.iter().map(|p| p.template).collect() };
    let censuses = reachable(model).into_iter().map(|state| census(&state));
    let census = censuses.max_by_key(Vec::len).expect("a state");
    let found = detect(
        model,
        Observers::default(),
        &census,
        &ProofBudget::unlimited(),
    );
    found
        .certificate
        .unwrap_or_else(|| panic!("{name} has no symmetry"))
}

fn reduced(
    model: &Model,
    certificate: &Certificate,
    manner: Manner,
    order: SearchOrder,
) -> SymbolicOutcome {
    let reduction = Some(Reduction {
        certificate,
        manner,
    });
    searched_with(model, order, AfterViolation::GoOn, reduction).expect("taken")
}

/// How many orbits the states are in. Images of reachable states may be out of reach.
fn orbits(model: &Model, certificate: &Certificate, states: &HashSet<State>) -> u128 {
    let mut rest = states.clone();
    let mut count = 0;
    while let Some(first) = rest.iter().next().cloned() {
        count += 1;
        for image in images(model, certificate, HashSet::from([first])) {
            rest.remove(&image);
        }
    }
    count
}

/// All images of some states.
fn images(model: &Model, certificate: &Certificate, states: HashSet<State>) -> HashSet<State> {
    let action = Action::new(model, certificate.sorts());
    let generators = certificate.generators();
    let mut open: Vec<State> = states.iter().cloned().collect();
    let mut known = states;
    while let Some(state) = open.pop() {
        let images = generators.iter().filter_map(|g| action.apply(g, &state));
        for image in images.map(|image| model.arranged(&image)) {
            if known.insert(image.clone()) {
                open.push(image);
            }
        }
    }
    known
}

#[test]
fn the_free_model_has_the_numbers_of_the_books() {
    let model =
        promela("active [4] proctype p() { byte s; do :: d_step { s < 2; s++ } :: s = 0 od }");
    let certificate = certificate("free", &model);
    let states = |manner, order| reduced(&model, &certificate, manner, order).states;
    for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        assert_eq!(states(Manner::Dynamic, order), 15);
        assert_eq!(states(Manner::MultipleRepresentatives, order), 1 + 8 + 27);
        assert_eq!(states(Manner::OrbitRelation, order), 15);
        assert!((15..=81).contains(&states(Manner::OnTheFly, order)));
    }
}

#[test]
fn without_names_in_processes_there_is_one_for_each_orbit() {
    let messages = "pid who; chan c = [2] of {pid};
        active [3] proctype p() { byte s; do :: s = 1; who = _pid :: c!_pid; s = 2 :: who == _pid -> c?who od }";
    let models = [
        ("mutex", bundled("mutex/mutex.pml", &[])),
        ("readers", bundled("readers-writers/readers-writers.m", &[])),
        (
            "philosophers",
            bundled("philosophers/philosophers.pml", &[]),
        ),
        (
            "commit",
            bundled("two-phase-commit/two-phase-commit.m", &[]),
        ),
        ("messages", promela(messages)),
    ];
    for (name, model) in models {
        let certificate = certificate(name, &model);
        let expected = orbits(&model, &certificate, &reachable(&model));
        for manner in [Manner::Dynamic, Manner::OrbitRelation] {
            let found = reduced(&model, &certificate, manner, SearchOrder::BreadthFirst);
            assert_eq!(found.states, expected, "{name} {manner:?}");
        }
    }
}

#[test]
fn with_names_in_processes_there_are_few_for_each_orbit() {
    for path in [
        "mcs-lock/mcs-lock.m",
        "mcs-lock/mcs-lock.pml",
        "double-cycle/double-cycle.red",
    ] {
        let model = bundled(path, &[]);
        let certificate = certificate(path, &model);
        let states = reachable(&model);
        let orbits = orbits(&model, &certificate, &states);
        for manner in Manner::ALL {
            let found = reduced(&model, &certificate, manner, SearchOrder::DepthFirst);
            assert_eq!(found.extent, Extent::Complete);
            let range = orbits..states.len() as u128;
            assert!(
                range.contains(&found.states),
                "{path} {manner:?} {}",
                found.states
            );
            if manner.is_canonical() {
                assert_eq!(found.states, orbits, "{path} {manner:?}");
            }
        }
    }
}

#[test]
fn violations_are_found_and_the_runs_are_real() {
    let texts = [
        "byte n; active [3] proctype p() { byte s; do :: s == 0 -> n++; s = 1 :: s == 1 -> assert(n < 3); n--; s = 0 od }",
        "byte n; active [3] proctype p() { byte s; atomic { s = 1; n++ }; (n < 3); n-- ; do :: skip od }",
    ];
    for (text, manner) in texts.iter().flat_map(|t| Manner::ALL.map(|m| (t, m))) {
        let model = promela(text);
        let certificate = certificate(text, &model);
        for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
            let found = reduced(&model, &certificate, manner, order);
            let evidence = found.evidence.expect("a violation");
            assert_is_run(text, &model, &evidence.path);
        }
    }
}

/// A choice of a name counts up to it inside of an atomic sequence: what lies on that way is not symmetric, though the ways are.
#[test]
fn what_somebody_holds_is_not_exchanged() {
    let model = bundled("hypercube/hypercube.pml", &["D=2"]);
    let certificate = certificate("hypercube", &model);
    let states = reachable(&model);
    let orbits = orbits(&model, &certificate, &states);
    for (manner, order) in Manner::ALL.into_iter().flat_map(|manner| {
        [SearchOrder::BreadthFirst, SearchOrder::DepthFirst].map(|order| (manner, order))
    }) {
        let found = reduced(&model, &certificate, manner, order);
        let range = orbits..=states.len() as u128;
        assert!(range.contains(&found.states), "{manner:?} {}", found.states);
        if manner == Manner::Dynamic {
            assert_eq!(found.states, orbits);
        }
    }
    let model = bundled("leader-complete/leader-complete.pml", &["BUG=1", "N=3"]);
    let certificate = self::certificate("leader", &model);
    for manner in Manner::ALL {
        let found = reduced(&model, &certificate, manner, SearchOrder::BreadthFirst);
        let evidence = found.evidence.expect("a violation");
        assert_is_run("leader", &model, &evidence.path);
    }
}

/// Between as many as there are orbits and as many as there are images, and the same verdict.
#[track_caller]
fn check_all_manners(name: &str, model: &Model) {
    let certificate = certificate(name, model);
    let states = reachable(model);
    let orbits = orbits(model, &certificate, &states);
    let images = images(model, &certificate, states).len() as u128;
    assert!(orbits < images, "{name}");
    let is_violated = common::counted(model).is_violated;
    for (manner, order) in Manner::ALL
        .into_iter()
        .flat_map(|m| [(m, SearchOrder::BreadthFirst), (m, SearchOrder::DepthFirst)])
    {
        let found = reduced(model, &certificate, manner, order);
        assert_eq!(found.extent, Extent::Complete, "{name} {manner:?}");
        let range = orbits..=images;
        let count = found.states;
        assert!(
            range.contains(&count),
            "{name} {manner:?}: {count} of {range:?}"
        );
        assert_eq!(
            !found.violations.is_empty(),
            is_violated,
            "{name} {manner:?}"
        );
        if let Some(evidence) = found.evidence {
            assert_is_run(name, model, &evidence.path);
        }
    }
}

#[test]
fn who_meets_may_be_exchanged() {
    for (path, defines) in [
        ("milner/milner.pml", vec!["N=3"]),
        ("partial-maps/partial-maps.pml", vec!["N=3"]),
        ("partial-maps/partial-maps.pml", vec!["N=3", "BUG=1"]),
        ("load-balancer/load-balancer.pml", vec!["S=2", "C=2"]),
    ] {
        check_all_manners(path, &bundled(path, &defines));
    }
    let waiting = "byte n; active [3] proctype p() { do :: n < 2 -> n++ :: timeout -> n = 0 od }";
    check_all_manners("waiting", &promela(waiting));
}

#[test]
fn who_is_made_later_may_be_exchanged() {
    for (path, defines) in [
        ("database/database.pml", vec!["N=3"]),
        ("database/database.pml", vec!["N=3", "BUG=1"]),
    ] {
        check_all_manners(path, &bundled(path, &defines));
    }
}

#[test]
fn elements_without_an_order_are_sorted_with_symmetry_too() {
    let path = "job-pool/job-pool.m";
    check_all_manners(path, &bundled(path, &["K=1"]));
}

#[test]
fn renamings_that_are_not_the_same_everywhere_are_refused() {
    let refused = |text: &str, what: &str| {
        let model = promela(text);
        let certificate = certificate(text, &model);
        for manner in Manner::ALL {
            let reduction = Some(Reduction {
                certificate: &certificate,
                manner,
            });
            let error = searched_with(
                &model,
                SearchOrder::BreadthFirst,
                AfterViolation::Stop,
                reduction,
            );
            let error = error.expect_err("not taken");
            assert!(error.construct.contains(what), "{}", error.construct);
        }
    };
    refused(
        "byte a; active [2] proctype p() { do :: a = 1 - a od } active proctype q() { a = 0 }",
        "end",
    );
    refused(
        "byte a; active [2] proctype p() { do :: a = 1 - a od } proctype x() { do :: a = 0 od } proctype y() { do :: a = 1 od } active proctype q() { if :: run x() :: run y() fi; do :: a = 1 od }",
        "different processes",
    );
}

/// Names may be far from 0, be it that a model counts from there, or that it adds a constant to the numbers of processes.
#[test]
fn great_names_are_renamed_too() {
    let constants = "short a = 5000, b = 5001; bit x[2]; bit done;
        active proctype p() { end: do
        :: a = a; b = b
        :: d_step { done == 0 -> done = 1; x[b - 5000] = 1 }
        :: d_step { done == 0 -> done = 1; x[a - 5000] = 1 }
        :: x[a - 5000] == 1 -> assert(false) od }";
    let copies = "short a = 5000, c = 5000; bit x[2]; bit done;
        active proctype p() { end: do
        :: c = a :: a = c
        :: d_step { done == 0 -> done = 1; x[a - 5000] = 1 }
        :: x[a - 5000] == 1 -> assert(false) od }";
    let processes = "short turn = 5000; bit lock;
        active [2] proctype p() {
        d_step { lock == 0 && turn == _pid + 5000 -> lock = 1 };
        assert(turn != _pid + 5000); turn = _pid + 5000; end: do :: lock > 1 -> skip od }";
    for text in [constants, copies, processes] {
        let model = promela(text);
        assert!(common::counted(&model).is_violated, "{text}");
        check_all_manners(text, &model);
    }
}

#[test]
fn a_great_constant_is_no_obstacle() {
    let text = "int big = 10000; byte s;
        active [3] proctype p() { do :: s == 0 -> s = 1; s = 0 :: big == 10000 -> skip od }";
    check_all_manners(text, &promela(text));
}

/// Whether the orbit relation exchanged everything, and how many states it left for how many orbits.
fn by_orbit_relation(text: &str) -> (bool, u128, u128) {
    let model = promela(text);
    let certificate = certificate(text, &model);
    let orbits = orbits(&model, &certificate, &reachable(&model));
    let found = reduced(
        &model,
        &certificate,
        Manner::OrbitRelation,
        SearchOrder::BreadthFirst,
    );
    (found.all_exchanged, found.states, orbits)
}

#[test]
fn one_is_left_of_each_orbit_only_if_everything_is_exchanged() {
    let late = "byte n; proctype p() { byte l; do :: l = 1 - l :: n == 0 -> n = 1 od }
        init { run p(); run p(); run p() }";
    let (all_exchanged, left, orbits) = by_orbit_relation(late);
    assert!(!all_exchanged && left > orbits, "{left} for {orbits}");
    let at_once = late.replace(
        "{ run p(); run p(); run p() }",
        "{ atomic { run p(); run p(); run p() } }",
    );
    let early = "byte n; active [3] proctype p() { byte l; do :: l = 1 - l :: n == 0 -> n = 1 od }";
    for text in [at_once.as_str(), early] {
        let (all_exchanged, left, orbits) = by_orbit_relation(text);
        assert!(all_exchanged, "{text}");
        assert_eq!(left, orbits, "{text}");
    }
}
