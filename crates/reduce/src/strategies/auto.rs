//! `auto`: sorting, refinement, and search with automorphism pruning, whatever a state needs; under a group that has not all
//! permutations, what suits the group ([`held`]).

use crate::held;
use crate::plan::Plan;
use crate::settings::Settings;
use mandala_canon::{Canonicaliser, Labeller};

pub(super) fn labeller(plan: &Plan, settings: &Settings) -> Box<dyn Labeller> {
    match &plan.points().held {
        None => Box::new(Canonicaliser::new(plan.shape(), settings.budget)),
        Some(held) => held::labeller(plan, held, settings),
    }
}
