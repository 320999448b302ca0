//! Models written out: an edge or a monitor for each choice of its parameters, a condition for each value of a quantifier, statements for each value of a loop,
//! and the bodies of functions in the place of calls.
//!
//! Whoever reasons about single steps (the certifier of symmetries by execution) wants the index of an array to be a
//! number. An instance of an edge is the edge with the values of a choice put in, and what is known then is decided: `i != j` is true
//! or false, and an edge that can never be taken is left out.
//!
//! The instances of a model have the same states and steps as the model, in the same order.

use crate::expr::{Expr, ExprKind};
use crate::homes;
use crate::ids::{CodeId, EdgeId, FunctionId, LocalId, MonitorId, NodeId, TemplateId};
use crate::inline::{Code, Inliner};
use crate::model::{Model, UncheckedModel};
use crate::monitor::Monitor;
use crate::origins::{Origin, Origins};
use crate::parameters::is_written_out;
use crate::property::{Property, PropertyKind};
use crate::quantified::members;
use crate::shared::Shared;
use crate::source::Span;
use crate::specialise::{Constants, Followed, put_in_one};
use crate::template::{Choice, Edge, Node, Routine, Step, Template};
use crate::tidy::tidy;
use crate::verify::{VerifyError, verify};
use std::collections::BTreeSet;
use std::fmt;

/// A model without parameters of edges and monitors, quantifiers, loops over known values and calls, made of one with these.
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
        /// A function that it calls and whose body is among them, if it still calls one.
        function: Option<String>,
        /// The edge that it is one of.
        span: Span,
    },
    /// Functions that call themselves cannot be written out.
    Recursion {
        /// Why, and what to do.
        message: String,
        /// The call.
        span: Span,
    },
    /// The verifier refuses them: a defect of this module.
    Defect(Vec<VerifyError>),
}

impl fmt::Display for InstantiateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstantiateError::TooLarge {
                instance, function, ..
            } => {
                let written = match function {
                    Some(name) => format!("parameters, quantifiers, loops and calls of `{name}`"),
                    None => "parameters, quantifiers and loops".into(),
                };
                write!(
                    f,
                    "with `{instance}`, the rules have more than {MOST_STATEMENTS} statements when {written} are written out; \
                     use smaller types for them"
                )
            }
            InstantiateError::Recursion { message, .. } => f.write_str(message),
            InstantiateError::Defect(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                f.write_str(&errors.join("; "))
            }
        }
    }
}

impl std::error::Error for InstantiateError {}

impl UncheckedModel {
    /// Where the first edge or monitor with parameters, loops or calls, or the first quantifier stands. Whoever reasons about single steps and values
    /// wants the [instances](instantiate) of the model, which has none.
    pub fn not_written_out(&self) -> Option<Span> {
        let edges = self.templates.iter().flat_map(|t| &t.edges);
        let edges = edges.map(|edge| (&edge.parameters, &edge.step, edge.span));
        let monitors = self.monitors.iter();
        let monitors = monitors.map(|monitor| (&monitor.parameters, &monitor.step, monitor.span));
        let mut all = edges.chain(monitors);
        let code = all.find(|(parameters, step, _)| !is_written_out(parameters, step));
        code.map(|(_, _, span)| span).or_else(|| self.quantifier())
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

/// How much of a model is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Calls alone.
    Calls,
    /// Parameters, quantifiers and loops as well.
    All,
}

/// The model with its edges, monitors, quantifiers, loops and calls written out; nothing if there is nothing to write out.
///
/// # Errors
///
/// If the instances become too large.
pub fn instantiate(model: &Model) -> Result<Option<Instances>, InstantiateError> {
    match model.not_written_out() {
        Some(_) => write_out(model, Extent::All).map(Some),
        None => Ok(None),
    }
}

/// The model with the bodies of functions in the place of calls; nothing if there are no functions. Edges and monitors keep their parameters,
/// expressions their quantifiers and routines their loops, so the size of the result does not depend on how many values these have.
///
/// # Errors
///
/// If it becomes too large.
pub fn without_calls(model: &Model) -> Result<Option<Instances>, InstantiateError> {
    match model.functions.is_empty() {
        true => Ok(None),
        false => write_out(model, Extent::Calls).map(Some),
    }
}

fn write_out(model: &Model, extent: Extent) -> Result<Instances, InstantiateError> {
    let watched = watched_nodes(model);
    let mut written = UncheckedModel::clone(model);
    let mut templates = std::mem::take(&mut written.templates);
    written.monitors.clear();
    if extent == Extent::All {
        check_conditions(&written)?;
        written.each_expr_mut(&mut write_out_one);
    }
    let mut tables = Tables::default();
    let mut room = MOST_STATEMENTS;
    let mut write = |id, template: &mut Template| {
        let shared = match extent {
            Extent::Calls => Shared::of(model),
            // What is chosen differs from call to call, and makes most copies short.
            Extent::All => Shared::default(),
        };
        let mut writer = Writer {
            model,
            id,
            extent,
            watched: &watched,
            inliner: Inliner::new(model, shared),
            room: &mut room,
        };
        writer.template(template)
    };
    for (id, template) in (0..).map(TemplateId).zip(&mut templates) {
        tables.templates.push(write(id, template)?);
    }
    if let Some(id) = model.monitor_template() {
        let mut view = model.template(id).clone();
        tables.monitors = write(id, &mut view)?;
        written.monitors = view.edges.into_iter().map(Monitor::of_edge).collect();
        written.monitor_scratch = view.locals;
    }
    written.templates = templates;
    homes::declare(&mut written, model);
    for property in &mut written.properties {
        tables.rename(property, model);
    }
    written.functions.clear();
    let origins = Origins::made_of(
        tables.templates.iter().map(Table::origins).collect(),
        tables.monitors.origins(),
        model,
    );
    Ok(Instances {
        model: verify(written).map_err(InstantiateError::Defect)?,
        origins,
    })
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

/// The model with bodies in the place of calls, or the model itself if there are no functions.
///
/// # Errors
///
/// As [`without_calls`].
pub fn rules(model: Model) -> Result<Model, InstantiateError> {
    Ok(match without_calls(&model)? {
        Some(instances) => instances.model,
        None => model,
    })
}

/// The step of one instance of an edge, or of a monitor by the edge that it is shown as; nothing if it can never be taken, or is too large.
pub fn step_of(model: &Model, id: EdgeId, choice: u32) -> Option<Step> {
    let mut template = model.template(id.template).clone();
    let edge = template.edges.get(id.index as usize)?.clone();
    let mut writer = Writer {
        model,
        id: id.template,
        extent: Extent::All,
        watched: &BTreeSet::new(),
        inliner: Inliner::new(model, Shared::default()),
        room: &mut MOST_STATEMENTS.clone(),
    };
    let instance = writer.instance(id, &edge, choice, &mut template);
    instance.ok()?.map(|(instance, _)| instance.step)
}

/// The nodes that properties name.
fn watched_nodes(model: &Model) -> BTreeSet<(CodeId, NodeId)> {
    let kinds = model.properties.iter().map(|property| &property.kind);
    let nodes = kinds.filter_map(|kind| match kind {
        PropertyKind::Cover { nodes, .. } | PropertyKind::Remark { nodes } => Some(nodes),
        _ => None,
    });
    nodes.flatten().copied().collect()
}

/// The instances of all edges, by template, and those of monitors.
#[derive(Default)]
struct Tables {
    templates: Vec<Table>,
    monitors: Table,
}

impl Tables {
    /// Names instances in place of what they are made of.
    fn rename(&self, property: &mut Property, model: &Model) {
        match &mut property.kind {
            PropertyKind::Invariant { monitors } | PropertyKind::Reachable { monitors, .. } => {
                *monitors = self.instances_of(monitors);
            }
            PropertyKind::Remark { nodes } => *nodes = self.copies_of(nodes, model),
            PropertyKind::Cover { monitors, nodes } => {
                *monitors = self.instances_of(monitors);
                *nodes = self.copies_of(nodes, model);
            }
            PropertyKind::Never { .. }
            | PropertyKind::NoRun(_)
            | PropertyKind::Ctl { .. }
            | PropertyKind::Query { .. }
            | PropertyKind::Events { .. } => {}
        }
    }

    /// The instances of monitors.
    fn instances_of(&self, monitors: &[MonitorId]) -> Vec<MonitorId> {
        let rows = (0..).map(MonitorId).zip(&self.monitors.rows);
        let instances = monitors.iter().flat_map(|monitor| {
            let rows = rows.clone();
            let own = rows.filter(|(_, (origin, _))| origin.edge.index == monitor.0);
            own.map(|(instance, _)| instance)
        });
        instances.collect()
    }

    /// What nodes have become in the instances of edges and monitors.
    fn copies_of(&self, nodes: &[(CodeId, NodeId)], model: &Model) -> Vec<(CodeId, NodeId)> {
        let mut copies = Vec::new();
        for table in self.templates.iter().chain([&self.monitors]) {
            for (index, (origin, of_instance)) in (0..).zip(&table.rows) {
                let template = origin.edge.template;
                let code = model.code_of(EdgeId { template, index });
                let own = nodes.iter().flat_map(|node| of_instance.of(*node));
                copies.extend(own.map(|copy| (code, copy)));
            }
        }
        copies
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
}

/// Writes the edges of a template out, or the monitors as the edges of the template that shows them.
struct Writer<'a> {
    model: &'a Model,
    id: TemplateId,
    extent: Extent,
    watched: &'a BTreeSet<(CodeId, NodeId)>,
    inliner: Inliner<'a>,
    /// How many statements there may still be.
    room: &'a mut usize,
}

impl Writer<'_> {
    fn template(&mut self, template: &mut Template) -> Result<Table, InstantiateError> {
        let mut table = Table::default();
        let edges = std::mem::take(&mut template.edges);
        if self.extent == Extent::All {
            template.each_expr_mut(&mut write_out_one);
        }
        let mut locations = std::mem::take(&mut template.locations);
        for location in &mut locations {
            let first = template.edges.len() as u32;
            for number in location.edges.clone() {
                let edge = EdgeId {
                    template: self.id,
                    index: number,
                };
                self.edge(edge, &edges[number as usize], template, &mut table)?;
            }
            location.edges = first..template.edges.len() as u32;
        }
        template.locations = locations;
        Ok(table)
    }

    /// All instances of an edge.
    fn edge(
        &mut self,
        id: EdgeId,
        edge: &Edge,
        template: &mut Template,
        table: &mut Table,
    ) -> Result<(), InstantiateError> {
        let choices = match self.extent {
            Extent::Calls => 1,
            Extent::All => edge.choices(),
        };
        for choice in 0..choices {
            let instance = match self.extent {
                Extent::Calls => self.with_bodies(id, edge, template)?,
                Extent::All => self.instance(id, edge, choice, template)?,
            };
            let Some((instance, nodes)) = instance else {
                continue;
            };
            self.take_room(instance.step.size(), edge, choice)?;
            template.edges.push(instance);
            table.rows.push((Origin { edge: id, choice }, nodes));
        }
        Ok(())
    }

    /// Takes as much of the room that is left as statements and conditions of an instance need.
    fn take_room(
        &mut self,
        needed: usize,
        edge: &Edge,
        choice: u32,
    ) -> Result<(), InstantiateError> {
        let left = self.room.checked_sub(needed);
        *self.room = left.ok_or_else(|| self.too_large(edge, choice, None))?;
        Ok(())
    }

    fn too_large(&self, edge: &Edge, choice: u32, called: Option<FunctionId>) -> InstantiateError {
        InstantiateError::TooLarge {
            instance: self.model.instance_text(self.id, edge, choice),
            function: called.map(|function| self.model.function(function).name.clone()),
            span: edge.span,
        }
    }

    /// An edge with the values of a choice put in, and what has become of the nodes of its routine. Nothing if it can never be taken.
    fn instance(
        &mut self,
        id: EdgeId,
        edge: &Edge,
        choice: u32,
        template: &mut Template,
    ) -> Result<Option<(Edge, Copies)>, InstantiateError> {
        let own = self.model.code_of(id);
        if is_written_out(&edge.parameters, &edge.step) {
            self.take_room(members_in(&edge.step), edge, choice)?;
            return Ok(Some((
                without_quantifiers(edge),
                Copies::same(own, &edge.step),
            )));
        }
        let code = Code::new(as_routine(edge), own);
        let code = self.without_calls(code, edge, choice, template)?;
        let Some((step, copies)) = self.tidied(code, edge) else {
            return Ok(None);
        };
        let instance = Edge {
            step: without_loops(step),
            text: self.model.instance_text(self.id, edge, choice),
            twin: edge.twin || edge.repeats(choice),
            parameters: Vec::new(),
            outcome: edge.outcome.clone(),
            ..*edge
        };
        Ok(Some((instance, copies)))
    }

    /// An edge with the bodies of functions in the place of its calls, and what has become of the nodes of its routine. Nothing if it can never be
    /// taken.
    fn with_bodies(
        &mut self,
        id: EdgeId,
        edge: &Edge,
        template: &mut Template,
    ) -> Result<Option<(Edge, Copies)>, InstantiateError> {
        let own = self.model.code_of(id);
        let calls = edge.step.routine().and_then(|r| r.calls().next());
        if calls.is_none() {
            return Ok(Some((edge.clone(), Copies::same(own, &edge.step))));
        }
        let mut code = Code::new(as_routine(edge), own);
        while let Some(called) = code.called() {
            code = self.with_next_bodies(code, called, &Constants::new(), (edge, 0), template)?;
        }
        self.inliner.lead_back(&mut code, &mut template.locals);
        let tidied = self.tidied(code, edge);
        Ok(tidied.map(|(mut step, copies)| {
            if let Step::Routine(routine) = &mut step {
                let nodes = &routine.nodes;
                routine
                    .loops
                    .retain(|each| each.is_headed_by(&nodes[each.head.index()]));
            }
            (with_step(edge, step), copies)
        }))
    }

    /// The step of some code without detours, and what has become of its nodes; nothing if it can never be taken.
    fn tidied(&self, code: Code, edge: &Edge) -> Option<(Step, Copies)> {
        let origins = code.origins;
        let watched = |node: NodeId| self.watched.contains(&origins[node.index()]);
        let tidied = tidy(code.routine, edge.span, &watched)?;
        let copies = origins.into_iter().zip(tidied.nodes);
        let copies = copies.filter_map(|(original, node)| Some((original, node?)));
        Some((tidied.step, Copies(copies.collect())))
    }

    /// Some code with bodies in the place of the calls that are there, among them one of that function.
    fn with_next_bodies(
        &mut self,
        code: Code,
        called: FunctionId,
        chosen: &Constants,
        (edge, choice): (&Edge, u32),
        template: &mut Template,
    ) -> Result<Code, InstantiateError> {
        let code = match self.extent {
            // Nothing is chosen, so few arguments are constants.
            Extent::Calls => code,
            Extent::All => {
                let given = Followed::Only(self.inliner.given());
                code.specialised(template, chosen, given)
            }
        };
        let expanded = self.inliner.expand(code, &mut template.locals);
        let code = expanded.map_err(|refusal| InstantiateError::Recursion {
            message: refusal.message,
            span: refusal.span,
        })?;
        if code.routine.size() > *self.room {
            return Err(self.too_large(edge, choice, Some(called)));
        }
        Ok(code)
    }

    /// The code of an instance. What is chosen and what is passed is put in before bodies are put in the place of calls, so that what it rules out is
    /// not put in. Other constants are carried on when all bodies are there: nodes are copied for them, and so would be the calls.
    fn without_calls(
        &mut self,
        mut code: Code,
        edge: &Edge,
        choice: u32,
        template: &mut Template,
    ) -> Result<Code, InstantiateError> {
        let chosen = edge.constants(choice);
        while let Some(called) = code.called() {
            self.take_conditions(&code, edge, choice)?;
            code = self.with_next_bodies(code, called, &chosen, (edge, choice), template)?;
        }
        self.take_conditions(&code, edge, choice)?;
        // Without parameters it is enough to put in what is passed, and what loops over known values go through.
        let loops = code.routine.loops.iter();
        let loops = loops.flat_map(|each| [each.variable, each.position]);
        let given: BTreeSet<LocalId> = loops.chain(self.inliner.given().iter().copied()).collect();
        let followed = match edge.parameters.is_empty() {
            true => Followed::Only(&given),
            false => Followed::All,
        };
        Ok(code.specialised(template, &chosen, followed))
    }

    /// Takes the room that the quantifiers of some code need when they are written out.
    fn take_conditions(
        &mut self,
        code: &Code,
        edge: &Edge,
        choice: u32,
    ) -> Result<(), InstantiateError> {
        let choices = code.routine.nodes.iter().flat_map(|node| &node.choices);
        let conditions = choices.map(|choice| members_in(&choice.step));
        let conditions = conditions.fold(0, usize::saturating_add);
        self.take_room(conditions, edge, choice)
    }
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
            function: None,
            span: asked.condition.span,
        }),
        None => Ok(()),
    }
}

/// How many conditions the quantifiers of a step are when they are written out.
fn members_in(step: &Step) -> usize {
    let mut all: u64 = 0;
    step.each_whole(&mut |whole| all = all.saturating_add(members(whole)));
    usize::try_from(all).unwrap_or(usize::MAX)
}

/// Writes an expression out whose parts are.
fn write_out_one(expr: &mut Expr) {
    put_in_one(expr, &Constants::new());
}

/// An edge without parameters with its quantifiers written out.
fn without_quantifiers(edge: &Edge) -> Edge {
    let mut written = edge.clone();
    if members_in(&edge.step) > 0 {
        written.step.each_expr_mut(&mut write_out_one);
    }
    written
}

/// A step whose loops are ordinary code: those that are too large to be unrolled go on counting.
fn without_loops(mut step: Step) -> Step {
    if let Step::Routine(routine) = &mut step {
        routine.loops.clear();
    }
    step
}

/// The edge with another step.
fn with_step(edge: &Edge, step: Step) -> Edge {
    Edge {
        step,
        text: edge.text.clone(),
        parameters: edge.parameters.clone(),
        outcome: edge.outcome.clone(),
        ..*edge
    }
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

/// Nodes with those that they have become in an instance.
struct Copies(Vec<((CodeId, NodeId), NodeId)>);

impl Copies {
    /// Each node is itself.
    fn same(routine: CodeId, step: &Step) -> Self {
        let nodes = match step {
            Step::Routine(routine) => routine.nodes.len(),
            _ => 0,
        };
        let nodes = (0..nodes).map(NodeId::from);
        Copies(nodes.map(|node| ((routine, node), node)).collect())
    }

    /// What a node has become.
    fn of(&self, node: (CodeId, NodeId)) -> impl Iterator<Item = NodeId> {
        let own = self.0.iter().filter(move |(original, _)| *original == node);
        own.map(|(_, copy)| *copy)
    }
}
