//! Known numbers of orbits.

use crate::common::{Case, bundled};
use mandala_reduce::Strategy;

fn peterson(n: u32) -> Case {
    let model = bundled("peterson", &[&format!("N={n}")]);
    Case::of_families(model, &[("Process", 1..n + 1)])
}

fn partial_maps(n: u32) -> Case {
    let model = bundled("partial-maps", &[&format!("N={n}")]);
    Case::of_families(model, &[("Process", 0..n)])
}

fn email(n: u32) -> Case {
    let model = bundled("email", &[&format!("N={n}")]);
    Case::of_families(model, &[("Client", 1..n + 1)])
}

fn database(n: u32) -> Case {
    let model = bundled("database", &[&format!("N={n}")]);
    Case::of_families(model, &[("Manager", 1..n + 1)])
}

fn mutex(n: u32) -> Case {
    let model = bundled("mutex", &[&format!("N={n}")]);
    Case::of_families(model, &[("Process", 0..n)])
}

#[test]
fn partial_maps_up_to_renaming() {
    for (n, orbits) in [(2, 6), (3, 16), (4, 45), (5, 121)] {
        assert_eq!(partial_maps(n).count(Strategy::Auto), orbits, "N={n}");
    }
}

#[test]
fn mutual_exclusion() {
    for n in [2, 3, 5, 9] {
        assert_eq!(
            mutex(n).count(Strategy::Auto),
            u64::from(2 * n + 1),
            "N={n}"
        );
    }
    assert_eq!(peterson(2).count(Strategy::Auto), 134);
    assert_eq!(peterson(3).count(Strategy::Auto), 1976);
    assert_eq!(peterson(4).count(Strategy::Auto), 24383);
}

#[test]
fn mailboxes_and_messages() {
    assert_eq!(email(3).count(Strategy::Auto), 3902);
    assert_eq!(email(4).count(Strategy::Auto), 36255);
}

#[test]
fn data_base_managers() {
    for n in [2, 3, 5, 8] {
        let orbits = u64::from(n * (n + 1) / 2 + 1);
        // Before init has run, and where the last acknowledgement has been seen.
        assert_eq!(database(n).count(Strategy::Auto), orbits + 2, "N={n}");
    }
}

#[test]
fn readers_and_writers() {
    for (r, w, orbits) in [(2, 1, 15), (3, 2, 38)] {
        let model = bundled("readers-writers", &[&format!("R={r}"), &format!("W={w}")]);
        let case = Case::of_families(model, &[("Reader", 0..r), ("Writer", r..r + w)]);
        assert_eq!(case.count(Strategy::Auto), orbits, "{r}+{w}");
    }
}

#[test]
fn queue_lock() {
    for (n, orbits) in [(2, 81), (3, 1285), (4, 23636)] {
        let model = bundled("mcs-lock", &[&format!("N={n}")]);
        let case = Case::of_families(model, &[("Process", 0..n)]);
        assert_eq!(case.count(Strategy::Auto), orbits, "N={n}");
    }
}

#[test]
fn three_tiers() {
    for (defines, orbits) in [(&[][..], 2656), (&["C1=4", "C2=4"], 5021)] {
        let case = Case::detected(bundled("three-tier", defines));
        assert_eq!(case.count(Strategy::Auto), orbits, "{defines:?}");
    }
}
