//! Models that say the same in another way, so that more of them may be interchangeable.
//!
//! What is restated is tried where something was refused, and used only if the group is larger then.

use crate::compiled::CompiledModel;
use crate::found::Aim;
use crate::prepared::Prepared;
use mandala_interpreter::Interpreter;
use mandala_model::Model;
use mandala_model::model::Language;
use mandala_model::origins::Origins;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::types::Scalar;
use mandala_simplify::{
    CellClass, DeadCell, RewriteDefect, cell_classes, drop_needless_questions, gather_alike,
    replace_unread,
};
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

/// How many start states are looked at.
const MOST_STARTS: usize = 1_000;

/// A model of rules that is written out, without questions whether what is always defined is.
pub(crate) fn without_needless_questions(written: Prepared) -> Result<Prepared, RewriteDefect> {
    let model = &written.certified;
    if model.language != Language::Murphi {
        return Ok(written);
    }
    let dropped = drop_needless_questions(model, defined_at_first(model))?;
    Ok(match dropped {
        Some(dropped) => written.on(Arc::new(CompiledModel::new(Arc::new(dropped)))),
        None => written,
    })
}

/// The classes of cells that are defined in all states that runs start in.
fn defined_at_first(model: &Model) -> BTreeSet<CellClass> {
    let classes = cell_classes(model);
    let mut defined: BTreeSet<CellClass> = classes.iter().cloned().collect();
    let interpreter = Interpreter::new(model, Observers::default());
    let Ok(start) = interpreter.start() else {
        return BTreeSet::new();
    };
    let mut chains = interpreter.chains(&start).within(MOST_STARTS);
    while let Some(end) = chains.next_end() {
        let Some(next) = chains.last_step(end).remembered_next() else {
            continue;
        };
        for (class, value) in classes.iter().zip(&next.state.globals) {
            if *value == 0 {
                defined.remove(class);
            }
        }
    }
    match chains.is_cut() {
        true => BTreeSet::new(),
        false => defined,
    }
}

/// The greatest value that cells of a type hold.
pub(crate) fn greatest(scalar: Scalar) -> Option<Value> {
    match scalar {
        Scalar::Int { bits, signed } => Some((1 << (bits - u8::from(signed))) - 1),
        Scalar::Bool => Some(1),
        Scalar::Range { max, .. } => Some(max),
        Scalar::Coded { max, .. } => Some(max),
        Scalar::Enum(_) | Scalar::Process | Scalar::Channel => Some(255),
        Scalar::Id(_) => None,
    }
}
