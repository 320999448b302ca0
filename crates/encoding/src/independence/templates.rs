//! Facts about a template that hold for all its processes.

use super::bits::Bits;
use super::conditions::Condition;
use mandala_model::Model;
use mandala_model::footprint::Analysis;
use mandala_model::ids::{LocalId, LocationId, TemplateId};
use mandala_model::template::{Control, Template};

/// What is known of a template.
#[derive(Clone, Debug)]
pub(crate) struct TemplateFacts {
    /// For each location, the edges that can be reached from it.
    pub reach: Vec<Bits>,
    /// For each location, whether a process may come there and hold control.
    pub held: Vec<bool>,
    /// Cells of local variables that keep what they hold at first.
    pub fixed: Vec<(LocalId, u32)>,
    /// For each edge, conditions without each of which it cannot be taken.
    pub conditions: Vec<Vec<Condition>>,
}

/// What is known of the templates of a model, whose conditions are given.
pub(crate) fn facts(model: &Model, conditions: Vec<Vec<Vec<Condition>>>) -> Vec<TemplateFacts> {
    let analysis = Analysis::new(model);
    let templates = (0..).map(TemplateId).zip(conditions);
    let facts = templates.map(|(id, conditions)| TemplateFacts {
        reach: reach(model.template(id)),
        held: held(model.template(id)),
        fixed: fixed(model, &analysis, id),
        conditions,
    });
    facts.collect()
}

fn reach(template: &Template) -> Vec<Bits> {
    let locations = (0..template.locations.len()).map(LocationId::from);
    locations.map(|from| reach_from(template, from)).collect()
}

fn reach_from(template: &Template, from: LocationId) -> Bits {
    let mut edges = Bits::new(template.edges.len());
    let mut seen = Bits::new(template.locations.len());
    let mut waiting = vec![from];
    seen.insert(from.index());
    while let Some(location) = waiting.pop() {
        for (index, edge) in template.edges_from(location) {
            edges.insert(index as usize);
            if !seen.contains(edge.target.index()) {
                seen.insert(edge.target.index());
                waiting.push(edge.target);
            }
        }
    }
    edges
}

fn held(template: &Template) -> Vec<bool> {
    let mut held = vec![false; template.locations.len()];
    for edge in &template.edges {
        held[edge.target.index()] |= edge.control == Control::Hold;
    }
    held
}

fn fixed(model: &Model, analysis: &Analysis<'_>, id: TemplateId) -> Vec<(LocalId, u32)> {
    let locals = (0..).map(LocalId).zip(&model.template(id).locals);
    let fixed = locals.filter(|(local, _)| analysis.is_fixed(id, *local));
    let cells = fixed.map(|(local, variable)| (local, model.cells(&variable.ty) as u32));
    cells
        .flat_map(|(local, cells)| (0..cells).map(move |cell| (local, cell)))
        .collect()
}
