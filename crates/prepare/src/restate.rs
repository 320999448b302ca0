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

#[cfg(test)]
mod scratch {
    use super::*;
    use crate::found::Aim;
    use mandala_model::step::Observers;
    use mandala_model::verify::verify;
    use mandala_model::{SourceText, Sources};
    use mandala_promela::{ParseOptions, load};

    #[test]
    fn dump() {
        let Ok(path) = std::env::var("DUMP") else {
            return;
        };
        for path in path.split(':') {
            let mut sources = Sources::default();
            let text = std::fs::read_to_string(path).unwrap();
            let file = sources.add(SourceText::new("m.pml", text));
            let (model, d) = load(&mut sources, file, &ParseOptions::default());
            let model = verify(model.unwrap_or_else(|| panic!("{d:?}"))).unwrap();
            let model = Arc::new(CompiledModel::new(Arc::new(model)));
            let aim = Aim::plain(Observers::default());
            let r = restate(&model, aim).unwrap();
            if let Some(r) = r {
                println!("{:?} {}", r.how.unread, r.how.gathered);
                std::fs::write(
                    format!("{path}.ir"),
                    format!("{}", mandala_ir::Text::new(&r.model)),
                )
                .unwrap();
            }
        }
    }
}
