//! The footprints of all edges of a model, and of what they write alone.

use super::{Analysis, Footprint, Parts};
use crate::ids::{EdgeId, TemplateId};
use crate::model::Model;

/// The footprints of all edges of a model.
#[derive(Clone, Debug)]
pub struct Footprints {
    templates: Vec<TemplateFootprints>,
}

#[derive(Clone, Debug)]
struct TemplateFootprints {
    enabling: Vec<Footprint>,
    taking: Vec<Footprint>,
    provided: Footprint,
}

impl Footprints {
    /// Derives them.
    pub fn of(model: &Model) -> Self {
        let analysis = Analysis::new(model);
        let ids = model.runnables().map(|(id, _)| id);
        Footprints {
            templates: ids.map(|id| of_template(&analysis, model, id)).collect(),
        }
    }

    /// What decides whether the edge can be taken; no writes.
    pub fn enabling(&self, edge: EdgeId) -> &Footprint {
        &self.templates[edge.template.index()].enabling[edge.index as usize]
    }

    /// What decides whether the edge can be taken, and what taking it reads and writes.
    pub fn taking(&self, edge: EdgeId) -> &Footprint {
        &self.templates[edge.template.index()].taking[edge.index as usize]
    }

    /// What the template's condition on all moves reads; nothing if there is none.
    pub fn provided(&self, template: TemplateId) -> &Footprint {
        &self.templates[template.index()].provided
    }
}

/// What the edges of a model write, for who does not ask what they read: that is most of the work.
#[derive(Clone, Debug)]
pub struct Writes {
    templates: Vec<Vec<Parts>>,
}

impl Writes {
    /// Derives them.
    pub fn of(model: &Model) -> Self {
        let analysis = Analysis::new(model);
        let templates = model.runnables().map(|(template, of)| {
            let edges = (0..of.edges.len() as u32).map(|index| EdgeId { template, index });
            edges.map(|edge| analysis.written(edge)).collect()
        });
        Writes {
            templates: templates.collect(),
        }
    }

    /// The variables that taking the edge writes, and channels.
    pub fn of_edge(&self, edge: EdgeId) -> &Parts {
        &self.templates[edge.template.index()][edge.index as usize]
    }
}

fn of_template(analysis: &Analysis<'_>, model: &Model, id: TemplateId) -> TemplateFootprints {
    let template = model.template(id);
    let edges = 0..template.edges.len() as u32;
    let edges = edges.map(|index| EdgeId {
        template: id,
        index,
    });
    TemplateFootprints {
        enabling: edges.clone().map(|e| analysis.enabling(e)).collect(),
        taking: edges.map(|e| analysis.taking(e)).collect(),
        provided: template
            .provided
            .as_ref()
            .map_or_else(Footprint::default, |e| analysis.expression(e, Some(id))),
    }
}
