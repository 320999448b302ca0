//! `sorted` and `pc-sorted`: one permutation that sorts the main array (Bosnacki, Dams, Holenderski 2002).
//!
//! They differ in what the main array is: one that is chosen, or the control locations.

use crate::plan::Plan;
use crate::settings::Settings;
use mandala_canon::Labeller;
use mandala_canon::strategies::Sorted;

pub(super) fn labeller(plan: &Plan, _: &Settings) -> Box<dyn Labeller> {
    let sorted = Sorted::by(plan.shape(), plan.main_columns());
    Box::new(sorted.expect("the columns are those of the shape"))
}
