//! All code of a model in resolved form, for engines that read it often.

use crate::expr::ResolvedExpr;
use crate::first::FirstValue;
use crate::place::Store;
use crate::resolver::Resolver;
use crate::step::ResolvedStep;
use mandala_model::Model;
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::template::Template;

/// The code of everything that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedModel {
    templates: Vec<ResolvedTemplate>,
}

/// The code of a template, of the automaton of a property, or of the monitors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedTemplate {
    /// The step of each edge.
    pub steps: Vec<ResolvedStep>,
    /// If present, an instance can move only where this is true.
    pub provided: Option<ResolvedExpr>,
    /// The cells of the local variables.
    pub cells: Vec<ResolvedCell>,
}

/// A cell of a local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedCell {
    /// What it holds at first; nothing if an argument says so.
    pub first: Option<FirstValue>,
    /// What it keeps of a value.
    pub store: Store,
}

impl ResolvedModel {
    /// The code of a model without calls.
    pub fn of(model: &Model) -> Self {
        let templates = model.runnables();
        let templates = templates.map(|(id, template)| resolved(model, id, template));
        ResolvedModel {
            templates: templates.collect(),
        }
    }

    /// The code of a template, an automaton or the monitors.
    pub fn template(&self, id: TemplateId) -> &ResolvedTemplate {
        &self.templates[id.index()]
    }

    /// The step of an edge.
    pub fn step(&self, edge: EdgeId) -> &ResolvedStep {
        &self.template(edge.template).steps[edge.index as usize]
    }
}

fn resolved(model: &Model, id: TemplateId, template: &Template) -> ResolvedTemplate {
    let resolver = Resolver::in_template(model, id);
    let steps = template.edges.iter();
    let provided = template.provided.as_ref();
    ResolvedTemplate {
        steps: steps
            .map(|edge| resolver.step(&edge.step, edge.span))
            .collect(),
        provided: provided.map(|condition| resolver.expr(condition)),
        cells: cells(resolver, template),
    }
}

fn cells(resolver: Resolver<'_>, template: &Template) -> Vec<ResolvedCell> {
    let model = resolver.model();
    let mut cells = Vec::new();
    for (index, variable) in template.locals.iter().enumerate() {
        let is_given = index < template.parameters as usize;
        let firsts: Vec<Option<FirstValue>> = match is_given {
            true => vec![None; model.cells(&variable.ty)],
            false => resolver
                .first_values(variable)
                .into_iter()
                .map(Some)
                .collect(),
        };
        let scalars = model.scalars(&variable.ty).into_iter();
        let stores = scalars.map(|scalar| Store::of(model, scalar));
        let new = firsts.into_iter().zip(stores);
        cells.extend(new.map(|(first, store)| ResolvedCell { first, store }));
    }
    cells
}
