//! `auto`: sorting, refinement, and search with automorphism pruning, whatever a state needs.

use crate::plan::Plan;
use crate::settings::Settings;
use mandala_canon::{Canonicaliser, Labeller};

pub(super) fn labeller(plan: &Plan, settings: &Settings) -> Box<dyn Labeller> {
    Box::new(Canonicaliser::new(plan.shape(), settings.budget))
}
