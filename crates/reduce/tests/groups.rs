//! The group that is reported.

use crate::common::{Case, bundled, load};
use mandala_reduce::group;

fn order_and_structure(case: &Case) -> (String, String) {
    let found = group(&case.model, &case.certificate, &case.program);
    (found.order.to_string(), found.structure)
}

#[test]
fn processes_that_know_each_other_by_number_are_all_alike() {
    let model = bundled("peterson", &["N=4"]);
    let case = Case::of_families(model, &[("Process", 1..5)]);
    assert_eq!(order_and_structure(&case), ("24".into(), "S4".into()));
    let model = bundled("readers-writers", &["R=3", "W=2"]);
    let case = Case::of_families(model, &[("Reader", 0..3), ("Writer", 3..5)]);
    assert_eq!(order_and_structure(&case), ("12".into(), "S3 x S2".into()));
}

#[test]
fn sixty_processes_are_no_trouble() {
    let model = bundled("database", &["N=60"]);
    let case = Case::of_families(model, &[("Manager", 1..61)]);
    let (order, structure) = order_and_structure(&case);
    assert_eq!((order.len(), structure.as_str()), (82, "S60"));
}

#[test]
fn clients_stay_with_their_servers() {
    let case = Case::detected(bundled("three-tier", &[]));
    assert_eq!(order_and_structure(&case), ("72".into(), "S3 wr S2".into()));
    let case = Case::detected(bundled("three-tier", &["C1=2", "C2=2", "C3=1"]));
    assert_eq!(order_and_structure(&case), ("8".into(), "S2 wr S2".into()));
}

/// Who becomes whose child is decided by a race, so no link between parents and children is there to be respected.
#[test]
fn links_that_chance_decides_are_no_links() {
    let text = "byte o = 99;
        proctype D(byte parent) { do :: o == 99 -> o = parent :: o == parent -> o = 99 od }
        active [2] proctype C() { run D(_pid); do :: o == _pid -> skip od }";
    let case = Case::detected(load(text, &[]));
    assert_eq!(order_and_structure(&case), ("4".into(), "S2 x S2".into()));
    let ordered = "byte o = 99;
        proctype D(byte parent) { do :: o == 99 -> o = parent :: o == parent -> o = 99 od }
        active [2] proctype C() { do :: o == _pid -> skip od }
        init { run D(0); run D(1) }";
    let case = Case::detected(load(ordered, &[]));
    assert_eq!(order_and_structure(&case), ("2".into(), "S2".into()));
}
