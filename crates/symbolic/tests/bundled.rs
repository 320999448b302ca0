//! The bundled models are counted as the interpreter counts them.

use crate::common::{agree, bundled, searched_in};
use mandala_symbolic::{AfterViolation, Extent, Limit, SearchOrder};

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

/// What is counted one by one in no time with other settings. Allocators and tiers, whose diagrams are large, are left to optimised code.
const SMALLER: [(&str, &[&str]); 11] = [
    ("database/database.pml", &["N=4"]),
    ("directory-msi/directory-msi.m", &["N=2"]),
    ("email/email.pml", &["N=2"]),
    ("initialisation/initialisation.pml", &["N=2"]),
    ("job-pool/job-pool.m", &[]),
    ("load-balancer/load-balancer.pml", &["S=2", "C=2"]),
    ("milner/milner.pml", &[]),
    ("partial-maps/partial-maps.pml", &["N=3"]),
    ("peterson-run/peterson-run.pml", &["N=2"]),
    ("peterson/peterson.pml", &["N=2"]),
    ("token-lock/token-lock.pml", &[]),
];

#[test]
fn counts_are_those_of_the_interpreter() {
    for path in SMALL {
        agree(path, &bundled(path, &[]));
    }
}

#[test]
fn counts_are_those_of_the_interpreter_with_other_settings() {
    for (path, defines) in &SMALLER[..3] {
        agree(path, &bundled(path, defines));
    }
}

#[test]
fn so_are_others() {
    for (path, defines) in &SMALLER[3..] {
        agree(path, &bundled(path, defines));
    }
}

#[test]
fn what_has_no_room_ends_as_a_limit() {
    let model = bundled("base-station/senders-receivers.pml", &[]);
    let outcome = searched_in(
        1 << 20,
        &model,
        SearchOrder::BreadthFirst,
        AfterViolation::Stop,
        None,
    );
    let outcome = outcome.expect("taken");
    assert_eq!(outcome.extent, Extent::Limited(Limit::Memory));
    assert_eq!(outcome.evidence, None);
}
