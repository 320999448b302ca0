//! `segmented` and `pc-segmented`: the least image over all permutations that sort the main array (Bosnacki, Dams,
//! Holenderski 2002).
//!
//! They differ in what the main array is: one that is chosen, or the control locations.

use crate::plan::Plan;
use crate::settings::Settings;
use mandala_canon::Labeller;
use mandala_canon::strategies::Segmented;

pub(super) fn labeller(plan: &Plan, settings: &Settings) -> Box<dyn Labeller> {
    let segmented = Segmented::by(plan.shape(), settings.permutations, plan.main_columns());
    Box::new(segmented.expect("the columns are those of the shape"))
}
