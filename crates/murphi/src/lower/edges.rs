//! The edges of the template, the monitors, and the model as a whole.

use super::Lowering;
use super::calls::Frame;
use super::choices::Choices;
use super::flow::{Flow, Label};
use super::pools::Pool;
use super::properties::{Claim, CodeName};
use crate::limits;
use mandala_model::expr::Root;
use mandala_model::findings::{Fallible, error_help};
use mandala_model::ids::{CodeId, EdgeId, GlobalId, LocalId, LocationId, MonitorId, TemplateId};
use mandala_model::model::{Arithmetic, Deadlock, Language, StartProcess, UncheckedModel};
use mandala_model::monitor::Monitor;
use mandala_model::property::Property;
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Location, Role, Routine, Step, Template};
use mandala_model::types::{ArrayIndex, Initial, Storage, Type, Variable};
use std::collections::BTreeMap;

const START: LocationId = LocationId(0);
const RUN: LocationId = LocationId(1);
const RULES: TemplateId = TemplateId(0);

/// What a piece of code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Section {
    Start,
    Rule,
    /// A monitor, while it is made as edges are.
    Monitor,
}

/// An edge or a monitor, by its place among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EdgeName {
    section: Section,
    index: usize,
}

/// All that the model is made of, but for types and temporaries.
#[derive(Debug, Default)]
pub(super) struct Edges {
    globals: Vec<Variable>,
    sections: [Vec<Edge>; 3],
    pub(super) claims: Vec<Claim>,
    /// How many temporaries there were when the last monitor was made: monitors have no use for those made later.
    monitor_scratch: usize,
    /// Statements are numbered for coverage: copies of one have one number.
    numbers: BTreeMap<Span, u32>,
}

impl Edges {
    fn section(&mut self, section: Section) -> &mut Vec<Edge> {
        &mut self.sections[section as usize]
    }

    /// Whether monitors have that temporary, too.
    pub(super) fn is_of_monitors(&self, local: LocalId) -> bool {
        local.index() < self.monitor_scratch
    }

    /// How many there are.
    fn count(&self) -> usize {
        self.sections.iter().map(Vec::len).sum()
    }

    /// How many choices of parameters they have together.
    fn choices(&self) -> u64 {
        let edges = self.sections.iter().flatten();
        edges.map(|edge| u64::from(edge.choices())).sum()
    }

    /// The number of the statement at a place.
    fn number(&mut self, span: Span) -> u32 {
        // 0 and 1 are the locations.
        let next = self.numbers.len() as u32 + 2;
        *self.numbers.entry(span).or_insert(next)
    }

    /// A routine with the numbers of its statements.
    pub(super) fn numbered(&mut self, mut routine: Routine) -> Routine {
        for node in &mut routine.nodes {
            node.number = self.number(node.span);
        }
        routine
    }

    /// Where an edge or a monitor is in the tables of the model.
    fn id(&self, name: EdgeName) -> CodeId {
        let index = name.index as u32;
        let rules = |index| EdgeId {
            template: RULES,
            index,
        };
        match name.section {
            Section::Start => rules(index).into(),
            Section::Rule => {
                let starts = self.sections[Section::Start as usize].len() as u32;
                rules(starts + index).into()
            }
            Section::Monitor => MonitorId(index).into(),
        }
    }
}

impl<'p> Lowering<'p> {
    /// The variables of the state, and those that are in it only because they have multisets.
    pub(super) fn globals(&mut self) -> Fallible<()> {
        let program = self.program;
        for id in program.globals.iter().chain(&program.local_multisets) {
            let variable = self.program.variable(*id);
            let (ty, span) = (variable.ty, variable.span);
            let global = GlobalId::from(self.edges.globals.len());
            let spot = Self::global_spot(Root::Global(global), ty, span);
            self.variables.insert(*id, spot);
            if !self.is_bare(ty) {
                let shape = self.shapes.of(&self.program.types, ty, span)?;
                let indices = self.shapes.indices(&self.program.types, ty, span)?;
                self.global(variable.name.to_string(), shape, indices, span);
            }
            for pool in self.pools_in(&variable.name, ty, global, span) {
                self.pool(pool)?;
            }
        }
        self.check_cells()
    }

    fn global(&mut self, name: String, ty: Type, indices: Vec<ArrayIndex>, span: Span) -> GlobalId {
        self.edges.globals.push(Variable {
            name,
            ty,
            indices,
            initial: Initial::Default,
            storage: Storage::State,
            span,
        });
        GlobalId::from(self.edges.globals.len() - 1)
    }

    /// The variable that a pool is.
    fn pool(&mut self, mut pool: Pool) -> Fallible<()> {
        self.check_pool(&pool)?;
        let element = self.shapes.position(&self.program.types, &pool)?;
        let ty = Type::Array {
            element: Box::new(element),
            length: pool.positions as u32 + 1,
        };
        pool.global = self.global(pool.name.clone(), ty, Vec::new(), pool.span);
        self.pools.push(pool);
        Ok(())
    }

    fn check_cells(&self) -> Fallible<()> {
        let program = self.program;
        let globals = program.globals.iter().chain(&program.local_multisets);
        let sizes = globals.map(|id| self.shapes.size(self.program.variable(*id).ty));
        let sizes = sizes.chain(self.pools.iter().map(|pool| self.pool_cells(pool)));
        let cells = sizes.fold(0, u64::saturating_add);
        if cells <= limits::CELLS {
            return Ok(());
        }
        let limit = limits::CELLS;
        let message = format!("the state has {cells} parts, but {limit} is the limit");
        let help = "use smaller index types for arrays";
        Err(error_help(self.whole_span(), message, help))
    }

    /// Adds an edge or a monitor that does what `code` adds, unless that can never be done.
    pub(super) fn edge(
        &mut self,
        section: Section,
        label: Label,
        code: &mut dyn FnMut(&mut Self) -> Fallible<()>,
    ) -> Fallible<Option<EdgeName>> {
        self.flow = Flow::new();
        self.parameters.clear();
        self.bound.clear();
        self.choices = Choices::default();
        self.frames = vec![Frame::of_rule()];
        self.used_multisets.clear();
        self.rule = label.clone();
        self.label = label.clone();
        let mark = self.scratch.mark();
        code(self)?;
        self.scratch.release(mark);
        let flow = std::mem::replace(&mut self.flow, Flow::new());
        self.size += flow.size();
        let Some(finished) = flow.finish(&label) else {
            return Ok(None);
        };
        if self.parameters.iter().any(|p| p.values.count() == 0) {
            return Ok(None);
        }
        self.check_edges(&label)?;
        let index = self.edges.section(section).len();
        let name = EdgeName { section, index };
        for (cover, node) in finished.watched {
            self.watched_node(cover, CodeName::Edge(name), node);
        }
        if section == Section::Monitor {
            self.edges.monitor_scratch = self.scratch.count();
        }
        let edge = self.new_edge(section, label, finished.step);
        self.edges.section(section).push(edge);
        Ok(Some(name))
    }

    fn new_edge(&mut self, section: Section, label: Label, step: Step) -> Edge {
        let step = match step {
            Step::Routine(routine) => Step::Routine(self.edges.numbered(routine)),
            step => step,
        };
        let source = match section {
            Section::Start => START,
            Section::Rule | Section::Monitor => RUN,
        };
        Edge {
            source,
            target: RUN,
            step,
            control: Control::Release,
            escape: 0,
            statement: self.edges.number(label.span),
            text: label.text,
            span: label.span,
            twin: false,
            parameters: std::mem::take(&mut self.parameters),
            outcome: None,
        }
    }

    fn check_edges(&self, label: &Label) -> Fallible<()> {
        let limit = match (self.edges.count(), self.edges.choices()) {
            (count, _) if count >= limits::INSTANCES => limits::INSTANCES,
            (_, choices) if choices >= limits::CHOICES as u64 => limits::CHOICES,
            _ => return Ok(()),
        };
        let message = format!(
            "with all its parameters put in, the model has more than {limit} rules and properties"
        );
        let help = format!("`{}` is one of them", label.text);
        Err(error_help(label.span, message, help))
    }

    /// A place for what is about the model as a whole.
    fn whole_span(&self) -> Span {
        let program = self.program;
        let starts = program.start_states.iter().map(|start| start.span);
        let rules = program.rules.iter().map(|rule| rule.span);
        let variables = program.variables.iter().map(|variable| variable.span);
        starts
            .chain(rules)
            .chain(variables)
            .next()
            .unwrap_or(self.label.span)
    }

    pub(super) fn into_model(mut self) -> UncheckedModel {
        let span = self.whole_span();
        let mut model = UncheckedModel::new(Language::Murphi, Arithmetic::Checked64);
        model.scalarsets = self.scalarsets();
        model.properties = self.claimed();
        model.globals = std::mem::take(&mut self.edges.globals);
        model.functions = self.functions.table;
        model.codings = self.shapes.codings;
        model.records = self.shapes.records;
        // One pool of temporaries serves rules and monitors. What is in it at first belongs to both.
        let locals = self.scratch.into_locals();
        let shared = &locals[..self.edges.monitor_scratch];
        model.monitor_scratch = shared.to_vec();
        let [starts, rules, monitors] = self.edges.sections;
        model.monitors = monitors.into_iter().map(monitor).collect();
        let (starts, edges) = (starts.len() as u32, [starts, rules].concat());
        let all = edges.len() as u32;
        model.templates.push(Template {
            name: "rules".into(),
            role: Role::Process,
            parameters: 0,
            locals,
            locations: vec![
                location("start", 0, 0..starts, span),
                location("run", 1, starts..all, span),
            ],
            edges,
            entry: START,
            provided: None,
            deterministic: false,
            span,
        });
        model.start.push(StartProcess {
            template: RULES,
            arguments: Vec::new(),
            priority: 1,
        });
        model.start_held = true;
        model.deadlock = Deadlock::NoChange;
        model
    }

    /// The properties, with what they name by the places in the tables.
    fn claimed(&self) -> Vec<Property> {
        let edges = &self.edges;
        let claims = edges.claims.iter();
        claims
            .map(|claim| claim.property(|name| edges.id(name)))
            .collect()
    }
}

/// The monitor that was made as an edge.
fn monitor(edge: Edge) -> Monitor {
    Monitor {
        parameters: edge.parameters,
        step: edge.step,
        text: edge.text,
        statement: edge.statement,
        span: edge.span,
        twin: edge.twin,
    }
}

fn location(label: &str, number: u32, edges: std::ops::Range<u32>, span: Span) -> Location {
    Location {
        number,
        labels: vec![label.to_string()],
        end: false,
        progress: false,
        accept: false,
        silent: true,
        edges,
        span,
    }
}
