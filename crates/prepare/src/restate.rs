//! Models that say the same in another way, so that more of them may be interchangeable.
//!
//! What is restated is tried where something was refused, and used only if the group is larger then.

use crate::compiled::CompiledModel;
use crate::found::Aim;
use crate::statics::greatest;
use mandala_model::Model;
use mandala_model::origins::Origins;
use mandala_simplify::{DeadCell, RewriteDefect, gather_alike, replace_unread};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How a model was restated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restatement {
    /// Variables that are reset to another value than the one that is written, as nobody reads it.
    pub unread: BTreeSet<String>,
    /// How many locations that are alike but for a number became one with others.
    pub gathered: usize,
    /// The edge that each edge stands for.
    pub origins: Origins,
}

/// A model that says what another one says.
pub(crate) struct Restated {
    pub model: Arc<CompiledModel>,
    pub how: Restatement,
}

/// The model in other words, if there are any.
pub(crate) fn restate(
    model: &Arc<CompiledModel>,
    aim: Aim,
) -> Result<Option<Restated>, RewriteDefect> {
    let mut how = Restatement {
        unread: BTreeSet::new(),
        gathered: 0,
        origins: Origins::own(model),
    };
    let mut now: Option<Model> = None;
    let nobody = |cell: &DeadCell| greatest(cell.scalar);
    if let Some(unread) = replace_unread(model, aim.observers, &nobody)? {
        how.unread = unread.variables;
        now = Some(unread.model);
    }
    if let Some(gathered) = gather_alike(now.as_ref().unwrap_or(model), aim.observers)? {
        how.gathered = gathered.locations;
        how.origins = how.origins.followed_by(&gathered.origins);
        now = Some(gathered.model);
    }
    Ok(now.map(|model| Restated {
        model: Arc::new(CompiledModel::new(Arc::new(model))),
        how,
    }))
}
