//! The small models of the collection beside the project, if that is there: the groups that should come out.
#![allow(clippy::print_stdout)]

use mandala_conformance::reduced::Case;
use mandala_conformance::spin::Claim;
use std::path::Path;

/// Models, settings, and the order of the group.
const EXPECTED: &[(&str, &[&str], &str)] = &[
    ("broadcast-b8.pml", &[], "6"),
    ("broadcast-c1.pml", &[], "6"),
    ("broadcast-d1.pml", &[], "6"),
    ("broadcast-d12.pml", &[], "6"),
    ("broadcast-d2.pml", &[], "6"),
    ("broadcast-d7.pml", &[], "6"),
    ("inactive-by-predicate.red", &[], "6"),
    ("raft.pml", &[], "6"),
    ("raft.m", &[], "6"),
    ("range-forall.m", &[], "6"),
    ("survey-figure-8-range.m", &[], "12"),
];

#[test]
fn models_of_the_collection_have_their_groups() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models/trials");
    let mut wrong = Vec::new();
    for (name, settings, expected) in EXPECTED {
        let path = folder.join(name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("skipped: {name} is not there");
            continue;
        };
        let settings: Vec<String> = settings.iter().map(|s| (*s).to_string()).collect();
        let found = Case::load(&path, &text, &settings, Claim::None).and_then(|case| {
            let found = case.symmetry()?;
            Ok(found.account.group.order.clone())
        });
        if found.as_deref() != Ok(*expected) {
            wrong.push(format!("{name}: {found:?} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
