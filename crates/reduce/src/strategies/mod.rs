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

use crate::description::Described;
use crate::plan::{Basis, Plan};
use crate::reducer::{Labelled, MakeLabeller};
use crate::settings::Settings;
use crate::strategy::Strategy;
use enumerate::Enumerate;
use enumerate_swaps::EnumerateSwaps;
use first_met::FirstMet;
use flood::Flood;
use local_search::LocalSearch;
use mandala_canon::{Labeller, Shape};
use markers::Markers;
use minimising_set::MinimisingSet;
use shuffle::Shuffle;
use vector_swaps::VectorSwaps;

/// Makes the reducer of a strategy.
pub(crate) fn reducer<'a>(
    basis: Basis<'a>,
    strategy: Strategy,
    settings: &Settings,
) -> Box<dyn Described + 'a> {
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
        Strategy::MinimisingSet => |plan, settings| tries(plan, settings, MinimisingSet::new),
        Strategy::LocalSearch => |plan, settings| tries(plan, settings, LocalSearch::new),
    };
    Box::new(Labelled::new(basis, labeller, settings))
}

/// A labeller that tries permutations of the views of a plan, up to the number that is allowed.
fn tries<L: Labeller + 'static>(
    plan: &Plan,
    settings: &Settings,
    make: fn(&Shape, u32) -> L,
) -> Box<dyn Labeller> {
    Box::new(make(plan.shape(), settings.permutations))
}
