//! A rewrite that makes something that is no model is reported, never passed over.

use crate::common::model;
use mandala_model::ids::LocationId;
use mandala_simplify::reverify;

#[test]
fn a_wrong_rewrite_is_reported_by_its_name() {
    let mut wrong = model("byte x; active proctype P() { x = 1 }").into_unchecked();
    wrong.templates[0].edges[0].target = LocationId(99);
    let defect = reverify("the test", wrong).expect_err("there is no such location");
    assert_eq!(defect.rewrite, "the test");
    let told = defect.to_string();
    assert!(
        told.starts_with("the test made a model that the verifier refuses: "),
        "{told}"
    );
    assert!(
        defect.refusals.contains("the target s99 does not exist"),
        "{told}"
    );
}

#[test]
fn a_right_rewrite_is_a_model() {
    let right = model("byte x; active proctype P() { x = 1 }");
    let again = reverify("the test", right.clone().into_unchecked());
    assert_eq!(again, Ok(right));
}
