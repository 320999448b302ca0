//! The violations that a search keeps to show them.
//!
//! A search that ends at a violation keeps one. A search that goes on keeps one for each [`Attribution`], so it tells of each invariant
//! whether it is violated.

use crate::options::{AfterViolation, Options};
use crate::tally::Finding;
use mandala_model::step::{Attribution, Violation};

/// The number of the first violation for each owner, among those that are told for one state and count.
pub(crate) fn first_of_each(options: &Options, told: &[Violation]) -> Vec<(Attribution, usize)> {
    let mut first: Vec<(Attribution, usize)> = Vec::new();
    for (nth, violation) in told.iter().enumerate() {
        let owner = match options.on_violation {
            AfterViolation::Stop => Attribution::Search,
            AfterViolation::GoOn => violation.attribution(),
        };
        let is_new = first.iter().all(|(known, _)| *known != owner);
        if is_new && options.concerns.include(violation) {
            first.push((owner, nth));
        }
    }
    first
}

/// The first finding of each owner.
pub(crate) fn one_of_each(findings: Vec<Finding>) -> Vec<Finding> {
    let mut first: Vec<Finding> = Vec::new();
    for finding in findings {
        if first.iter().all(|known| known.owner != finding.owner) {
            first.push(finding);
        }
    }
    first
}
