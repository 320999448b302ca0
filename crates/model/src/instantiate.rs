//! Edges and monitors written out: one for each choice of their parameters.
//!
//! Whoever reasons about single steps (the certifier of symmetries, partial-order reduction, decision diagrams) wants the index of an array to be a
//! number. An instance of an edge or a monitor is the edge with the values of a choice put in, and what is known then is decided: `i != j` is true
//! or false, and an edge that can never be taken is left out.
//!
//! The instances of a model have the same states and steps as the model, in the same order.

use crate::ids::{CodeId, EdgeId, MonitorId, NodeId, TemplateId};
use crate::model::{Model, UncheckedModel};
use crate::monitor::Monitor;
use crate::origins::{Origin, Origins};
use crate::property::{Property, PropertyKind};
use crate::source::Span;
use crate::specialise::specialise;
use crate::template::{Choice, Edge, Node, Routine, Step, Template};
use crate::tidy::tidy;
use crate::verify::{VerifyError, verify};
use std::collections::BTreeSet;
use std::fmt;

/// A model whose edges and monitors have no parameters, made of one in which some have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instances {
    /// The model.
    pub model: Model,
    /// The edge or monitor, and the choice of its parameters, that each edge or monitor is made of.
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

/// The model with its edges and monitors written out; nothing if none has parameters.
///
/// # Errors
///
/// If the instances become too large.
pub fn instantiate(model: &Model) -> Result<Option<Instances>, InstantiateError> {
    if model.parameterised().is_none() {
        return Ok(None);
    }
    let mut writer = Writer {
        model,
        watched: watched_nodes(model),
        room: MOST_STATEMENTS,
    };
    let mut written = UncheckedModel::clone(model);
    let mut tables = Tables::default();
    for (id, template) in (0..).map(TemplateId).zip(&mut written.templates) {
        tables.templates.push(writer.template(id, template)?);
    }
    (written.monitors, tables.monitors) = writer.monitors()?;
    for property in &mut written.properties {
        rename(property, &tables);
    }
    let origins = Origins::made_of(
        tables.templates.iter().map(Table::origins).collect(),
        tables.monitors.origins(),
        model,
    );
    Ok(Some(Instances {
        model: verify(written).map_err(InstantiateError::Defect)?,
        origins,
    }))
}

/// The instances of a model, or the model itself if nothing in it has parameters.
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

/// The nodes that properties name, each with the edge under which its code is shown.
fn watched_nodes(model: &Model) -> BTreeSet<(EdgeId, NodeId)> {
    let kinds = model.properties.iter().map(|property| &property.kind);
    let nodes = kinds.filter_map(|kind| match kind {
        PropertyKind::Cover { nodes, .. } | PropertyKind::Remark { nodes } => Some(nodes),
        _ => None,
    });
    let nodes = nodes.flatten();
    nodes
        .map(|(code, node)| (model.edge_of(*code), *node))
        .collect()
}

/// The instances of all edges, by template, and those of monitors.
#[derive(Default)]
struct Tables {
    templates: Vec<Table>,
    monitors: Table,
}

impl Tables {
    /// The instances of a piece of code, with what has become of the nodes of its routine.
    fn of(&self, code: CodeId) -> Vec<(CodeId, &Copies)> {
        match code {
            CodeId::Edge(edge) => {
                let own = self.templates[edge.template.index()].instances(edge.index);
                own.map(|(index, copies)| (EdgeId { index, ..edge }.into(), copies))
                    .collect()
            }
            CodeId::Monitor(monitor) => {
                let own = self.monitors.instances(monitor.0);
                own.map(|(index, copies)| (MonitorId(index).into(), copies))
                    .collect()
            }
        }
    }
}

/// The instances of the edges of a template, or of the monitors.
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

/// What writes edges and monitors out.
struct Writer<'m> {
    model: &'m Model,
    watched: BTreeSet<(EdgeId, NodeId)>,
    /// How many statements and conditions there may still be.
    room: usize,
}

impl Writer<'_> {
    /// Writes the edges of a template out.
    fn template(
        &mut self,
        id: TemplateId,
        template: &mut Template,
    ) -> Result<Table, InstantiateError> {
        let mut table = Table::default();
        template.edges.clear();
        for location in &mut template.locations {
            let first = template.edges.len() as u32;
            for index in location.edges.clone() {
                let edge = EdgeId {
                    template: id,
                    index,
                };
                self.instances(edge, &mut table, &mut template.edges)?;
            }
            location.edges = first..template.edges.len() as u32;
        }
        Ok(table)
    }

    /// The monitors, written out.
    fn monitors(&mut self) -> Result<(Vec<Monitor>, Table), InstantiateError> {
        let (mut table, mut checks) = (Table::default(), Vec::new());
        for monitor in self.model.monitor_ids() {
            let edge = self.model.edge_of(monitor.into());
            self.instances(edge, &mut table, &mut checks)?;
        }
        Ok((checks.into_iter().map(Monitor::of_edge).collect(), table))
    }

    /// Adds the instances of an edge, or of a monitor by the edge that it is shown as, to others.
    fn instances(
        &mut self,
        id: EdgeId,
        table: &mut Table,
        written: &mut Vec<Edge>,
    ) -> Result<(), InstantiateError> {
        let model = self.model;
        let edge = &model.template(id.template).edges[id.index as usize];
        for choice in 0..edge.choices() {
            let is_watched = |node| self.watched.contains(&(id, node));
            let Some((instance, nodes)) = instance(model, id.template, edge, choice, &is_watched)
            else {
                continue;
            };
            let left = self.room.checked_sub(size(&instance.step));
            self.room = left.ok_or_else(|| InstantiateError::TooLarge {
                instance: instance.text.clone(),
                span: instance.span,
            })?;
            written.push(instance);
            table.rows.push((Origin { edge: id, choice }, nodes));
        }
        Ok(())
    }
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

/// An edge or a monitor with the values of a choice put in, and what has become of the nodes of its routine. Nothing if it can never be taken.
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

/// Names instances in place of what they are made of.
fn rename(property: &mut Property, tables: &Tables) {
    match &mut property.kind {
        PropertyKind::Invariant { monitors } | PropertyKind::Reachable { monitors } => {
            *monitors = instances_of(monitors, tables);
        }
        PropertyKind::Remark { nodes } => *nodes = copies_of(nodes, tables),
        PropertyKind::Cover { monitors, nodes } => {
            *monitors = instances_of(monitors, tables);
            *nodes = copies_of(nodes, tables);
        }
        PropertyKind::Never { .. }
        | PropertyKind::NoRun(_)
        | PropertyKind::Ctl { .. }
        | PropertyKind::Events { .. } => {}
    }
}

/// The instances of monitors.
fn instances_of(monitors: &[MonitorId], tables: &Tables) -> Vec<MonitorId> {
    let instances = monitors.iter().flat_map(|monitor| {
        let own = tables.monitors.instances(monitor.0);
        own.map(|(index, _)| MonitorId(index))
    });
    instances.collect()
}

/// What nodes of routines have become in the instances of the code that has them.
fn copies_of(nodes: &[(CodeId, NodeId)], tables: &Tables) -> Vec<(CodeId, NodeId)> {
    let copies = nodes.iter().flat_map(|(code, node)| {
        let own = tables.of(*code).into_iter();
        own.flat_map(move |(instance, copies)| {
            let copies = copies.of(*node);
            copies.map(move |copy| (instance, copy))
        })
    });
    copies.collect()
}
