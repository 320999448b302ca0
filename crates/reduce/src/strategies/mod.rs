//! The strategies, one a file.
//!
//! Those that label a view are made from a plan; those that remember states themselves are reducers of their own.
//! `bytes` and `keeper` are what some of them share.

mod auto;
mod bytes;
mod enumerate;
mod enumerate_swaps;
mod first_met;
mod flood;
mod full;
mod keeper;
mod local_search;
mod markers;
mod minimising_set;
mod segmented;
mod shuffle;
mod sorted;
mod vector_swaps;

pub(crate) use shuffle::Shuffle;

use crate::description::Described;
use crate::plan::{Basis, Plan};
use crate::reducer::{Labelled, MakeLabeller};
use crate::settings::Settings;
use crate::strategy::Strategy;
use enumerate::Enumerate;
use enumerate_swaps::EnumerateSwaps;
use first_met::FirstMet;
use flood::Flood;
use mandala_canon::walk::Walk;
use mandala_canon::{Labeller, Shape};
use markers::Markers;
use vector_swaps::VectorSwaps;

/// Makes the reducer of a strategy.
pub(crate) fn reducer<'a>(
    mut basis: Basis<'a>,
    strategy: Strategy,
    settings: &Settings,
) -> Box<dyn Described + 'a> {
    basis.only_full = strategy.needs_full();
    let labeller: MakeLabeller = match strategy {
        Strategy::Flood => return Box::new(Flood::new(basis, settings)),
        Strategy::Markers => return Box::new(Markers::new(basis, settings)),
        Strategy::FirstMet => return Box::new(FirstMet::new(basis, settings)),
        Strategy::Auto => auto::labeller,
        Strategy::Full => full::labeller,
        Strategy::Sorted | Strategy::PcSorted => sorted::labeller,
        Strategy::Segmented | Strategy::PcSegmented => segmented::labeller,
        Strategy::Enumerate => |plan, settings| tries(plan, settings, Enumerate::new),
        Strategy::EnumerateSwaps => |plan, settings| tries(plan, settings, EnumerateSwaps::new),
        Strategy::VectorSwaps => |plan, settings| tries(plan, settings, VectorSwaps::new),
        Strategy::Shuffle => |plan, settings| tries(plan, settings, Shuffle::new),
        Strategy::MinimisingSet => minimising_set::labeller,
        Strategy::LocalSearch => local_search::labeller,
    };
    Box::new(Labelled::new(basis, labeller, settings))
}

/// A labeller that tries the elements of the group of a plan, up to the number that is allowed.
fn tries<L: Labeller + 'static>(
    plan: &Plan,
    settings: &Settings,
    make: fn(Walk, &Shape, u32) -> L,
) -> Box<dyn Labeller> {
    Box::new(make(plan.walk(), plan.shape(), settings.permutations))
}
