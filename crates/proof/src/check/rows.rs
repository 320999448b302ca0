//! Global variables that belong to processes or names one by one.

use super::moves::Mover;
use super::{Checked, Reject};
use mandala_model::UncheckedModel;
use mandala_model::ids::GlobalId;
use mandala_model::state::Value;
use mandala_model::types::{Initial, Variable};
use mandala_symmetry::sorts::{Row, Sort};

/// Whether a global variable becomes another one by every renaming of a case.
pub(super) fn maps(rows: &[Row], mover: &Mover, a: GlobalId, b: GlobalId) -> bool {
    let Some(row) = rows.iter().find(|row| row.variables.contains(&a)) else {
        return a == b;
    };
    let place = |of: GlobalId| row.variables.iter().position(|variable| *variable == of);
    let value = |of| Some(row.first + place(of)? as Value);
    let pair = value(a).zip(value(b));
    pair.is_some_and(|(a, b)| mover.maps(mover.sort(row.index), a, b))
}

/// That the variables of a row are alike, each is in one row, and there is one for all that a renaming exchanges, or for none.
pub(super) fn check(model: &UncheckedModel, rows: &[Row], mover: &Mover) -> Checked<()> {
    let need = |holds: bool, message| holds.then_some(()).ok_or(Reject::whole(message));
    let mut seen = Vec::new();
    for row in rows {
        let variable = |id: &GlobalId| model.globals.get(id.index());
        let first = row.variables.first().and_then(variable);
        let first = first.ok_or(Reject::whole("a row has no variables"))?;
        for id in &row.variables {
            let alike = variable(id).is_some_and(|other| are_alike(model, first, other));
            need(alike && !seen.contains(id), "the variables of a row differ")?;
            seen.push(*id);
        }
        let is_channel = matches!(row.index, Sort::Channel(_));
        need(!is_channel, "a row belongs to channels")?;
        let range = row.first..row.first + row.variables.len() as Value;
        let closed = mover.keeps(mover.sort(row.index), |value| range.contains(&value));
        need(closed, "a row has variables for some of what is moved only")?;
    }
    Ok(())
}

fn are_alike(model: &UncheckedModel, a: &Variable, b: &Variable) -> bool {
    let made = match (&a.initial, &b.initial) {
        (Initial::NewChannel(a), Initial::NewChannel(b)) => {
            let (a, b) = (model.channel_kind(*a), model.channel_kind(*b));
            a.capacity == b.capacity && a.fields == b.fields
        }
        (Initial::NewChannel(_), _) | (_, Initial::NewChannel(_)) => false,
        _ => true,
    };
    made && a.ty == b.ty && a.storage == b.storage
}
