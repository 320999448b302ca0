//! The part of a model that views can decide.

use mandala_model::UncheckedModel;
use mandala_model::ids::{MonitorId, PropertyId};
use mandala_model::property::PropertyKind;

/// The model with those of its invariants that are wanted, in the same order, and without other properties. Its sets of names are in the order of the text.
pub fn invariants_only(
    mut model: UncheckedModel,
    wanted: impl Fn(PropertyId) -> bool,
) -> UncheckedModel {
    let old = std::mem::take(&mut model.monitors);
    let mut kept = Vec::new();
    let mut ids = (0..).map(PropertyId);
    model.properties.retain_mut(|property| {
        let is_wanted = ids.next().is_some_and(&wanted);
        let PropertyKind::Invariant { monitors } = &mut property.kind else {
            return false;
        };
        if is_wanted {
            for monitor in monitors {
                kept.push(old[monitor.index()].clone());
                *monitor = MonitorId::from(kept.len() - 1);
            }
        }
        is_wanted
    });
    model.monitors = kept;
    model.conditions.clear();
    // Front ends may put larger sets first.
    model.scalarsets.sort_by_key(|set| set.span);
    model
}
