//! Models written out: an edge for each choice of the parameters of an edge, and a condition for each value of a quantifier.
//!
//! Whoever reasons about single steps (the certifier of symmetries, partial-order reduction, decision diagrams) wants the index of an array to be a
//! number. An instance of an edge is the edge with the values of a choice put in, and what is known then is decided: `i != j` is true
//! or false, and an edge that can never be taken is left out.
//!
//! The instances of a model have the same states and steps as the model, in the same order.

use crate::expr::{Expr, ExprKind};
use crate::ids::{EdgeId, NodeId, TemplateId};
use crate::model::{Model, UncheckedModel};
use crate::origins::{Origin, Origins};
use crate::property::{Property, PropertyKind};
use crate::quantified::members;
use crate::source::Span;
use crate::specialise::{Constants, put_in_one, specialise};
use crate::template::{Choice, Edge, Node, Routine, Step, Template};
use crate::tidy::tidy;
use crate::verify::{VerifyError, verify};
use std::collections::BTreeSet;
use std::fmt;

/// A model without parameters of edges and without quantifiers, made of one with these.
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
                "with `{instance}`, the rules have more than {MOST_STATEMENTS} statements when parameters, quantifiers and loops are written out; \
                 use smaller types for them"
            ),
            InstantiateError::Defect(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                f.write_str(&errors.join("; "))
            }
        }
    }
}

impl std::error::Error for InstantiateError {}

impl UncheckedModel {
    /// Where the first edge with parameters or the first quantifier stands. Whoever reasons about single steps and values wants the
    /// [instances](instantiate) of the model, which has none.
    pub fn not_written_out(&self) -> Option<Span> {
        let mut edges = self.templates.iter().flat_map(|t| &t.edges);
        let edge = edges.find(|edge| !edge.parameters.is_empty() || has_loops(&edge.step));
        edge.map(|edge| edge.span).or_else(|| self.quantifier())
    }

    /// Where the first quantifier stands.
    fn quantifier(&self) -> Option<Span> {
        let mut found = None;
        self.each_whole(&mut |whole| {
            if found.is_none() {
                found = first_quantifier(whole);
            }
        });
        found
    }
}

fn first_quantifier(whole: &Expr) -> Option<Span> {
    let mut found = None;
    whole.walk(&mut |part| {
        if found.is_none() && matches!(part.kind, ExprKind::Quantified(_)) {
            found = Some(part.span);
        }
    });
    found
}

/// The model with its edges and quantifiers written out; nothing if there is nothing to write out.
///
/// # Errors
///
/// If the instances become too large.
pub fn instantiate(model: &Model) -> Result<Option<Instances>, InstantiateError> {
    if model.not_written_out().is_none() {
        return Ok(None);
    }
    let watched = watched_nodes(model);
    let mut written = UncheckedModel::clone(model);
    let mut tables = Vec::new();
    let mut room = MOST_STATEMENTS;
    let mut templates = std::mem::take(&mut written.templates);
    check_conditions(&written)?;
    written.each_expr_mut(&mut write_out_one);
    for (id, template) in (0..).map(TemplateId).zip(&mut templates) {
        tables.push(write_out(id, template, model, &watched, &mut room)?);
    }
    written.templates = templates;
    for property in &mut written.properties {
        rename(property, &tables);
    }
    let origins = Origins::made_of(tables.iter().map(Table::origins).collect(), model);
    Ok(Some(Instances {
        model: verify(written).map_err(InstantiateError::Defect)?,
        origins,
    }))
}

/// The instances of a model, or the model itself if nothing has to be written out.
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
    template.each_expr_mut(&mut write_out_one);
    for location in &mut template.locations {
        let first = template.edges.len() as u32;
        for number in location.edges.clone() {
            let edge = &edges[number as usize];
            let edge_id = EdgeId {
                template: id,
                index: number,
            };
            let is_watched = |node| watched.contains(&(edge_id, node));
            let members = members_of(&|visit| edge.step.each_whole(visit));
            for choice in 0..edge.choices() {
                take_room(room, members, (model, edge_id, choice))?;
                let Some((instance, nodes)) = instance(model, id, edge, choice, &is_watched) else {
                    continue;
                };
                take_room(room, size(&instance.step), (model, edge_id, choice))?;
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

/// Complains about a condition that is too large by itself.
fn check_conditions(model: &UncheckedModel) -> Result<(), InstantiateError> {
    let large = model.conditions.iter().find(|asked| {
        let members = members(&asked.condition);
        members > MOST_STATEMENTS as u64
    });
    match large {
        Some(asked) => Err(InstantiateError::TooLarge {
            instance: asked.text.clone(),
            span: asked.condition.span,
        }),
        None => Ok(()),
    }
}

/// Takes as much of the room that is left as statements and conditions of an instance need.
fn take_room(
    room: &mut usize,
    needed: usize,
    instance: InstanceName<'_>,
) -> Result<(), InstantiateError> {
    match room.checked_sub(needed) {
        Some(left) => *room = left,
        None => return Err(too_large(instance)),
    }
    Ok(())
}

/// An instance of an edge.
type InstanceName<'m> = (&'m Model, EdgeId, u32);

fn too_large((model, id, choice): InstanceName<'_>) -> InstantiateError {
    let edge = &model.template(id.template).edges[id.index as usize];
    InstantiateError::TooLarge {
        instance: model.instance_text(id.template, edge, choice),
        span: edge.span,
    }
}

/// How many conditions the quantifiers of some expressions are when they are written out.
fn members_of(each: &dyn Fn(&mut dyn FnMut(&Expr))) -> usize {
    let mut all: u64 = 0;
    each(&mut |whole| all = all.saturating_add(members(whole)));
    usize::try_from(all).unwrap_or(usize::MAX)
}

/// Writes an expression out whose parts are.
fn write_out_one(expr: &mut Expr) {
    put_in_one(expr, &Constants::new());
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
    if edge.parameters.is_empty() && !has_loops(&edge.step) {
        return Some((without_quantifiers(edge), Copies::same(&edge.step)));
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

/// Whether a step has loops over known values.
fn has_loops(step: &Step) -> bool {
    matches!(step, Step::Routine(routine) if !routine.loops.is_empty())
}

/// An edge without parameters with its quantifiers written out.
fn without_quantifiers(edge: &Edge) -> Edge {
    let mut written = edge.clone();
    if members_of(&|visit| edge.step.each_whole(visit)) > 0 {
        written.step.each_expr_mut(&mut write_out_one);
    }
    written
}

/// The step of an edge as a routine.
fn as_routine(edge: &Edge) -> Routine {
    match &edge.step {
        Step::Routine(routine) => routine.clone(),
        step => Routine::new(vec![Node {
            choices: vec![Choice {
                step: step.clone(),
                next: None,
                text: edge.text.clone(),
                span: edge.span,
            }],
            quiet: false,
            number: edge.statement,
            span: edge.span,
        }]),
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
