//! Edges written out: one for each choice of their parameters.
//!
//! Whoever reasons about single steps (the certifier of symmetries, partial-order reduction, decision diagrams) wants the index of an array to be a
//! number. An instance of an edge is the edge with the values of a choice put in, and what is known then is decided: `i != j` is true
//! or false, and an edge that can never be taken is left out.
//!
//! The instances of a model have the same states and steps as the model, in the same order.

use crate::ids::{EdgeId, NodeId, TemplateId};
use crate::model::{Model, UncheckedModel};
use crate::origins::{Origin, Origins};
use crate::property::{Property, PropertyKind};
use crate::source::Span;
use crate::specialise::specialise;
use crate::template::{Choice, Edge, Node, Routine, Step, Template};
use crate::tidy::tidy;
use crate::verify::{VerifyError, verify};
use std::collections::BTreeSet;
use std::fmt;

/// A model whose edges have no parameters, made of one whose edges have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instances {
    /// The model.
    pub model: Model,
    /// The edge and the choice of its parameters that each edge is made of.
    pub origins: Origins,
}

/// How many statements and conditions all instances together may have.
pub const MOST_STATEMENTS: usize = 1_000_000;

/// Why there are no instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstantiateError {
    /// They would have more than [`MOST_STATEMENTS`] statements.
    TooLarge {
        /// The instance with which they have.
        instance: String,
        /// The edge that it is one of.
        span: Span,
    },
    /// The verifier refuses them: a defect of this module.
    Defect(Vec<VerifyError>),
}

impl fmt::Display for InstantiateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstantiateError::TooLarge { instance, .. } => write!(
                f,
                "with `{instance}`, the rules have more than {MOST_STATEMENTS} statements when parameters and loops are written out; \
                 use smaller types for the parameters of rulesets and for loops"
            ),
            InstantiateError::Defect(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                f.write_str(&errors.join("; "))
            }
        }
    }
}

impl std::error::Error for InstantiateError {}

/// The model with its edges written out; nothing if they have no parameters.
///
/// # Errors
///
/// If the instances become too large.
pub fn instantiate(model: &Model) -> Result<Option<Instances>, InstantiateError> {
    if model.parameterised().is_none() {
        return Ok(None);
    }
    let watched = watched_nodes(model);
    let mut written = UncheckedModel::clone(model);
    let mut tables = Vec::new();
    let mut room = MOST_STATEMENTS;
    for (id, template) in (0..).map(TemplateId).zip(&mut written.templates) {
        tables.push(write_out(id, template, model, &watched, &mut room)?);
    }
    for property in &mut written.properties {
        rename(property, &tables);
    }
    let origins = Origins::made_of(tables.iter().map(Table::origins).collect(), model);
    Ok(Some(Instances {
        model: verify(written).map_err(InstantiateError::Defect)?,
        origins,
    }))
}

/// The instances of a model, or the model itself if its edges have no parameters.
///
/// # Errors
///
/// As [`instantiate`].
pub fn written_out(model: Model) -> Result<Model, InstantiateError> {
    Ok(match instantiate(&model)? {
        Some(instances) => instances.model,
        None => model,
    })
}

/// The nodes that properties name.
fn watched_nodes(model: &Model) -> BTreeSet<(EdgeId, NodeId)> {
    let kinds = model.properties.iter().map(|property| &property.kind);
    let nodes = kinds.filter_map(|kind| match kind {
        PropertyKind::Cover { nodes, .. } | PropertyKind::Remark { nodes } => Some(nodes),
        _ => None,
    });
    nodes.flatten().copied().collect()
}

/// The instances of the edges of a template.
#[derive(Default)]
struct Table {
    /// In order: where each comes from, and what has become of the nodes of its routine.
    rows: Vec<(Origin, Copies)>,
}

impl Table {
    fn origins(&self) -> Vec<Origin> {
        self.rows.iter().map(|(origin, _)| *origin).collect()
    }

    /// The instances of an edge, by their indices.
    fn instances(&self, edge: u32) -> impl Iterator<Item = (u32, &Copies)> {
        let rows = (0..).zip(&self.rows);
        let own = rows.filter(move |(_, (origin, _))| origin.edge.index == edge);
        own.map(|(index, (_, copies))| (index, copies))
    }
}

/// Writes the edges of a template out.
fn write_out(
    id: TemplateId,
    template: &mut Template,
    model: &Model,
    watched: &BTreeSet<(EdgeId, NodeId)>,
    room: &mut usize,
) -> Result<Table, InstantiateError> {
    let mut table = Table::default();
    let edges = std::mem::take(&mut template.edges);
    for location in &mut template.locations {
        let first = template.edges.len() as u32;
        for number in location.edges.clone() {
            let edge = &edges[number as usize];
            let edge_id = EdgeId {
                template: id,
                index: number,
            };
            let is_watched = |node| watched.contains(&(edge_id, node));
            for choice in 0..edge.choices() {
                let Some((instance, nodes)) = instance(model, id, edge, choice, &is_watched) else {
                    continue;
                };
                let left = room.checked_sub(size(&instance.step));
                *room = left.ok_or_else(|| InstantiateError::TooLarge {
                    instance: instance.text.clone(),
                    span: instance.span,
                })?;
                template.edges.push(instance);
                let origin = Origin {
                    edge: edge_id,
                    choice,
                };
                table.rows.push((origin, nodes));
            }
        }
        location.edges = first..template.edges.len() as u32;
    }
    Ok(table)
}

/// How many statements and conditions a step has.
fn size(step: &Step) -> usize {
    match step {
        Step::Guarded { effects, .. } => 1 + effects.len(),
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|node| &node.choices);
            choices.map(|choice| size(&choice.step)).sum()
        }
        Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit => 1,
    }
}

/// An edge with the values of a choice put in, and what has become of the nodes of its routine. Nothing if it can never be taken.
fn instance(
    model: &Model,
    template: TemplateId,
    edge: &Edge,
    choice: u32,
    watched: &dyn Fn(NodeId) -> bool,
) -> Option<(Edge, Copies)> {
    if edge.parameters.is_empty() {
        return Some((edge.clone(), Copies::same(&edge.step)));
    }
    let chosen = edge.constants(choice);
    let routine = as_routine(edge);
    let special = specialise(model.template(template), &routine, &chosen);
    let copied = special.copied;
    let tidied = tidy(special.routine, edge.span, &|node| {
        watched(copied[node.index()])
    })?;
    let instance = Edge {
        step: tidied.step,
        text: model.instance_text(template, edge, choice),
        twin: edge.twin || edge.repeats(choice),
        parameters: Vec::new(),
        ..edge.clone()
    };
    let copies = copied.into_iter().zip(tidied.nodes);
    let copies = copies.filter_map(|(original, node)| Some((original, node?)));
    Some((instance, Copies(copies.collect())))
}

/// The step of an edge as a routine.
fn as_routine(edge: &Edge) -> Routine {
    match &edge.step {
        Step::Routine(routine) => routine.clone(),
        step => Routine {
            nodes: vec![Node {
                choices: vec![Choice {
                    step: step.clone(),
                    next: None,
                    text: edge.text.clone(),
                    span: edge.span,
                }],
                quiet: false,
                number: edge.statement,
                span: edge.span,
            }],
        },
    }
}

/// The nodes of a routine with those that they have become.
struct Copies(Vec<(NodeId, NodeId)>);

impl Copies {
    /// Each node is itself.
    fn same(step: &Step) -> Self {
        let nodes = match step {
            Step::Routine(routine) => routine.nodes.len(),
            _ => 0,
        };
        Copies((0..nodes).map(|node| (node.into(), node.into())).collect())
    }

    /// What a node has become.
    fn of(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let own = self.0.iter().filter(move |(original, _)| *original == node);
        own.map(|(_, copy)| *copy)
    }
}

/// Names instances in place of edges.
fn rename(property: &mut Property, tables: &[Table]) {
    match &mut property.kind {
        PropertyKind::Invariant { edges } | PropertyKind::Reachable { edges } => {
            *edges = instances_of(edges, tables);
        }
        PropertyKind::Remark { nodes } => *nodes = copies_of(nodes, tables),
        PropertyKind::Cover { edges, nodes } => {
            *edges = instances_of(edges, tables);
            *nodes = copies_of(nodes, tables);
        }
        PropertyKind::Never { .. }
        | PropertyKind::NoRun(_)
        | PropertyKind::Ctl { .. }
        | PropertyKind::Events { .. } => {}
    }
}

/// The instances of edges.
fn instances_of(edges: &[EdgeId], tables: &[Table]) -> Vec<EdgeId> {
    let instances = edges.iter().flat_map(|edge| {
        let own = tables[edge.template.index()].instances(edge.index);
        own.map(|(index, _)| EdgeId { index, ..*edge })
    });
    instances.collect()
}

/// What nodes of routines of edges have become in the instances of these.
fn copies_of(nodes: &[(EdgeId, NodeId)], tables: &[Table]) -> Vec<(EdgeId, NodeId)> {
    let copies = nodes.iter().flat_map(|(edge, node)| {
        let own = tables[edge.template.index()].instances(edge.index);
        own.flat_map(move |(index, copies)| {
            let copies = copies.of(*node);
            copies.map(move |copy| (EdgeId { index, ..*edge }, copy))
        })
    });
    copies.collect()
}
