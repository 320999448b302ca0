//! The bundled models: those that are taken are counted as the interpreter counts them, the others are refused for the reason that is
//! listed.

mod common;

use common::{agree, bundled, searched, searched_in};
use mandala_symbolic::{Extent, Limit, OnViolation, Order};

/// What is counted one by one in no time.
const SMALL: [&str; 20] = [
    "alternating-bit/alternating-bit.pml",
    "broken-lock/broken-lock.pml",
    "double-cycle/double-cycle.red",
    "hanoi/hanoi.pml",
    "leader-complete/leader-complete.m",
    "leader-complete/leader-complete.pml",
    "leader-forest/leader-forest.red",
    "leader-ring/leader-ring.m",
    "leader-tree/leader-tree.pml",
    "lost-wakeup/lost-wakeup.pml",
    "mcs-lock/mcs-lock-union.m",
    "mcs-lock/mcs-lock.m",
    "mcs-lock/mcs-lock.red",
    "mutex/mutex.pml",
    "peterson/peterson.m",
    "philosophers/philosophers.pml",
    "readers-writers/readers-writers.m",
    "readers-writers/readers-writers.pml",
    "token-ring/token-ring.pml",
    "two-phase-commit/two-phase-commit.m",
];

/// What is not taken, and why.
const REFUSED: [(&str, &str); 13] = [
    ("allocator/allocator.pml", "run"),
    ("database/database.pml", "run"),
    ("directory-msi/directory-msi.m", "multisets"),
    ("email/email.pml", "run"),
    ("initialisation/initialisation.pml", "run"),
    ("job-pool/job-pool.m", "multisets"),
    ("load-balancer/load-balancer.pml", "rendezvous"),
    ("milner/milner.pml", "rendezvous"),
    ("partial-maps/partial-maps.pml", "rendezvous"),
    ("peterson-run/peterson-run.pml", "run"),
    ("peterson/peterson.pml", "run"),
    ("three-tier/three-tier.pml", "run"),
    ("token-lock/token-lock.pml", "run"),
];

#[test]
fn counts_are_those_of_the_interpreter() {
    for path in SMALL {
        agree(path, &bundled(path, &[]));
    }
}

#[test]
fn what_is_not_taken_is_listed() {
    for (path, what) in REFUSED {
        let error = searched(&bundled(path, &[]), Order::Levels, OnViolation::Stop);
        let error = error.expect_err(path);
        assert!(error.construct.contains(what), "{path}: {error}");
    }
}

#[test]
fn what_has_no_room_ends_as_a_limit() {
    let model = bundled("base-station/senders-receivers.pml", &[]);
    let outcome = searched_in(1 << 20, &model, Order::Levels, OnViolation::Stop, None);
    let outcome = outcome.expect("taken");
    assert_eq!(outcome.extent, Extent::Limited(Limit::Memory));
    assert_eq!(outcome.evidence, None);
}
