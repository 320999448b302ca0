//! Global variables that belong to processes or names one by one.

use super::moves::Mover;
use super::{Checked, Reject};
use mandala_model::UncheckedModel;
use mandala_model::ids::GlobalId;
use mandala_model::state::Value;
use mandala_model::types::Initial;
use mandala_symmetry::sorts::{Row, Sort};

/// Whether a global variable becomes another one by every renaming of a case.
pub(super) fn maps(rows: &[Row], mover: &Mover, a: GlobalId, b: GlobalId) -> bool {
    let Some(row) = rows.iter().find(|row| row.variables.contains(&a)) else {
        return a == b;
    };
    let value = |of: GlobalId| {
        row.variables
            .iter()
            .position(|v| *v == of)
            .map(|place| row.first + place as Value)
    };
    let pair = value(a).zip(value(b));
    pair.is_some_and(|(a, b)| mover.maps(mover.sort(row.index), a, b))
}

/// That the variables of a row are alike, each is in one row, and there is one for all that a renaming exchanges, or for none.
pub(super) fn check(model: &UncheckedModel, rows: &[Row], mover: &Mover) -> Checked<()> {
    let mut seen = Vec::new();
    for row in rows {
        let Some(first) = row
            .variables
            .first()
            .and_then(|v| model.globals.get(v.index()))
        else {
            return Err(Reject::whole("a row has no variables"));
        };
        for variable in &row.variables {
            let other = model
                .globals
                .get(variable.index())
                .filter(|_| !seen.contains(variable));
            seen.push(*variable);
            let alike = other.is_some_and(|other| {
                let made = match (&first.initial, &other.initial) {
                    (Initial::NewChannel(a), Initial::NewChannel(b)) => {
                        let (a, b) = (model.channel_kind(*a), model.channel_kind(*b));
                        a.capacity == b.capacity && a.fields == b.fields
                    }
                    (Initial::NewChannel(_), _) | (_, Initial::NewChannel(_)) => false,
                    _ => true,
                };
                made && first.ty == other.ty && first.storage == other.storage
            });
            alike
                .then_some(())
                .ok_or_else(|| Reject::whole("the variables of a row differ"))?;
        }
        if let Sort::Channel(_) = row.index {
            return Err(Reject::whole("a row belongs to channels"));
        }
        let range = row.first..row.first + row.variables.len() as Value;
        let mut pairs = mover.pairs(mover.sort(row.index));
        let closed = pairs.all(|(a, b)| range.contains(&a) == range.contains(&b));
        closed
            .then_some(())
            .ok_or_else(|| Reject::whole("a row has variables for some of what is moved only"))?;
    }
    Ok(())
}
