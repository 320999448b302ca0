//! `full`: the least image over all elements of the group (Bosnacki, Dams, Holenderski 2002).

use crate::plan::Plan;
use crate::settings::Settings;
use mandala_canon::Labeller;
use mandala_canon::strategies::Full;

pub(super) fn labeller(plan: &Plan, settings: &Settings) -> Box<dyn Labeller> {
    let walk = plan.walk();
    Box::new(Full::along(walk, plan.shape(), settings.permutations))
}
