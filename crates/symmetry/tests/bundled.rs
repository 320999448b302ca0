//! The models that come with the project: which families are certified, and brute force agrees.

use crate::common::{Judgement, bundled, judge};

/// Certifies, and lets brute force look at all states if they are few.
fn certified(name: &str, defines: &[&str], families: &[(&str, &[u32])]) {
    let loaded = bundled(name, defines);
    let certificate = match loaded.certify(families) {
        Ok(certificate) => certificate,
        Err(breaches) => panic!("{name}: {}", loaded.reasons(&breaches)),
    };
    let candidate = loaded.candidate(families);
    match judge(&loaded, certificate.sorts(), &candidate, 3_000) {
        Judgement::Symmetric { checks, .. } => assert!(checks > 0, "{name}: nothing was checked"),
        Judgement::Asymmetric(state) => panic!("{name}: {state}"),
    }
}

/// Is refused, with a reason that contains these words.
fn refused(name: &str, defines: &[&str], families: &[(&str, &[u32])], words: &str) {
    let loaded = bundled(name, defines);
    let breaches = loaded.certify(families).expect_err("must be refused");
    let reasons = loaded.reasons(&breaches);
    assert!(reasons.contains(words), "{name}: {reasons}");
}

#[test]
fn mutual_exclusion() {
    certified("mutex", &["N=4"], &[("Process", &[0, 1, 2, 3])]);
    certified("broken-lock", &["N=3"], &[("Process", &[0, 1, 2])]);
    certified("broken-lock", &["N=3", "BUG=0"], &[("Process", &[0, 1, 2])]);
    certified("peterson", &["N=2"], &[("Process", &[1, 2])]);
    certified("peterson", &["N=3"], &[("Process", &[1, 2, 3])]);
    certified("peterson", &["N=3", "BUG=1"], &[("Process", &[1, 2, 3])]);
    certified("mcs-lock", &["N=2"], &[("Process", &[0, 1])]);
    certified("mcs-lock", &["N=3"], &[("Process", &[0, 1, 2])]);
    certified("mcs-lock", &["N=3", "BUG=1"], &[("Process", &[0, 1, 2])]);
}

#[test]
fn names_in_variables_and_messages() {
    certified("partial-maps", &["N=3"], &[("Process", &[0, 1, 2])]);
    certified("database", &["N=3"], &[("Manager", &[1, 2, 3])]);
    certified("email", &["N=2"], &[("Client", &[1, 2])]);
    certified("email", &["N=3"], &[("Client", &[1, 2, 3])]);
    certified("email", &["N=3", "BUG=1"], &[("Client", &[1, 2, 3])]);
}

#[test]
fn several_families() {
    certified(
        "readers-writers",
        &["R=3", "W=2"],
        &[("Reader", &[0, 1, 2]), ("Writer", &[3, 4])],
    );
    certified("lost-wakeup", &["N=3"], &[("Worker", &[1, 2, 3])]);
    certified(
        "load-balancer",
        &["S=2", "C=3"],
        &[("Server", &[0, 1]), ("Client", &[2, 3, 4])],
    );
}

#[test]
fn what_is_no_full_symmetry_is_refused() {
    refused("milner", &["N=3"], &[("Cycler", &[0, 1, 2])], "");
    refused("philosophers", &["N=3"], &[("Philosopher", &[0, 1, 2])], "");
    refused("leader-ring", &["N=3"], &[("Node", &[0, 1, 2])], "");
    refused("hypercube", &["D=2"], &[("Node", &[0, 1, 2, 3])], "");
}

/// Where processes are known by an argument and never by their number, exchanging two of them (with the
/// argument) is a symmetry that exchanges nothing but places in the state.
#[test]
fn processes_without_names_may_change_places() {
    certified(
        "initialisation",
        &["N=2"],
        &[("Component", &[1, 3]), ("Partner", &[2, 4])],
    );
    certified("three-tier", &["C1=1", "C2=1"], &[("Client", &[3, 5])]);
    certified("three-tier", &["C1=1", "C2=1"], &[("Server", &[2, 4])]);
}
