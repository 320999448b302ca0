//! The first values of the cells of new processes, where they are always the same, and the channels that processes make.

use mandala_model::ids::ChannelKindId;
use mandala_model::state::Value;
use mandala_resolved::{FirstValue, ResolvedCell, ResolvedTemplate};

/// The first values of the cells of every instance, where they are always the same.
pub(crate) fn constants(template: &ResolvedTemplate) -> Vec<Option<Value>> {
    let constant = |cell: &ResolvedCell| match &cell.first {
        Some(FirstValue::Zero) => Some(0),
        Some(FirstValue::Value(expr)) => cell.store.kept(expr.as_constant()?),
        Some(FirstValue::NewChannel(_)) | None => None,
    };
    template.cells.iter().map(constant).collect()
}

/// The channels that an instance makes, in order.
pub(crate) fn channels(template: &ResolvedTemplate) -> Vec<ChannelKindId> {
    let kind = |cell: &ResolvedCell| match cell.first {
        Some(FirstValue::NewChannel(kind)) => Some(kind),
        _ => None,
    };
    template.cells.iter().filter_map(kind).collect()
}
