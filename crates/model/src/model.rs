//! A whole model.

use crate::chance::{Rewards, Stochastic};
use crate::claim::{Claim, as_template, asking_template};
use crate::expr::Expr;
use crate::function::Function;
use crate::ids::{
    ChannelKindId, CodeId, CodingId, ConditionId, DomainId, EdgeId, EnumId, FunctionId, GlobalId,
    LocalId, MonitorId, PropertyId, RecordId, TemplateId,
};
use crate::monitor::{self, Monitor};
use crate::property::{Condition, Demand, Property, PropertyKind};
use crate::source::Span;
use crate::step::Observers;
use crate::symmetry::{Scalarset, VariableRef};
use crate::template::{Edge, Effect, Node, Step, Template};
use crate::types::{ChannelKind, Coding, Domain, EnumType, RecordType, Scalar, Type, Variable};
use std::fmt;
use std::ops::Deref;

/// The language that a model was written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The language of Spin.
    Promela,
    /// The language of rules.
    Murphi,
    /// The language of pointer automata.
    Red,
    /// The language of Boolean programs.
    Boolean,
    /// Thread transition systems.
    Tts,
    /// The language of Cubicle: processes as parameters.
    Cubicle,
    /// The language of PRISM: modules, probabilities and rates.
    Prism,
}

impl Language {
    /// Whether its models are rules with parameters, and its sets of interchangeable names are types.
    pub fn is_of_rules(self) -> bool {
        match self {
            Language::Murphi | Language::Boolean | Language::Tts | Language::Cubicle => true,
            Language::Promela | Language::Red | Language::Prism => false,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::Promela => "promela",
            Language::Murphi => "murphi",
            Language::Red => "red",
            Language::Boolean => "boolean",
            Language::Tts => "tts",
            Language::Cubicle => "cubicle",
            Language::Prism => "prism",
        })
    }
}

/// What an operation does when its result leaves the range of the language's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Results are cut to 32 bits, two's complement.
    Wrapping32,
    /// A result that does not fit 64 bits is a run-time error.
    Checked64,
}

/// When a state is a deadlock, provided that some process in it is not at a location where it may stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Deadlock {
    /// Where there is no step.
    #[default]
    NoMove,
    /// Where every step leads back to the same state, or there is no step. A step without a state after it leads
    /// away.
    NoChange,
}

/// A process that exists from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartProcess {
    /// What it is an instance of.
    pub template: TemplateId,
    /// The values of its parameters, one a cell.
    pub arguments: Vec<Expr>,
    /// Its priority.
    pub priority: u8,
}

/// A model as a front end makes it. [`crate::verify::verify`] turns it into a [`Model`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncheckedModel {
    /// The language that it was written in.
    pub language: Language,
    /// What its operations do on overflow.
    pub arithmetic: Arithmetic,
    /// Sets of named constants.
    pub enums: Vec<EnumType>,
    /// Record types; a record's fields use earlier records only.
    pub records: Vec<RecordType>,
    /// Kinds of channels.
    pub channel_kinds: Vec<ChannelKind>,
    /// Sets of interchangeable names.
    pub domains: Vec<Domain>,
    /// Ways to show the values of cells.
    pub codings: Vec<Coding>,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Functions that routines call.
    pub functions: Vec<Function>,
    /// Automata.
    pub templates: Vec<Template>,
    /// The processes at the start, in the order in which they are made.
    pub start: Vec<StartProcess>,
    /// Whether the first process holds control at the start. The start itself is no state then: where its steps
    /// lead are the states that runs start in, any number of them, and none if it has no step.
    pub start_held: bool,
    /// What counts as a deadlock.
    pub deadlock: Deadlock,
    /// Whether only processes of the highest priority among those that can move may move.
    pub prioritised: bool,
    /// Whether the last mover is part of the state.
    pub tracks_last_mover: bool,
    /// The conditions that properties ask of states.
    pub conditions: Vec<Condition>,
    /// The monitors that properties name, in the order in which they are evaluated.
    pub monitors: Vec<Monitor>,
    /// The scratch variables that monitors share: their local variables.
    pub monitor_scratch: Vec<Variable>,
    /// What is claimed, besides the absence of failed assertions, deadlocks and run-time errors.
    pub properties: Vec<Property>,
    /// Symmetry that the author declares: to be proved before it is used.
    pub scalarsets: Vec<Scalarset>,
    /// How chance and choice are mixed, if there is [chance](crate::chance).
    pub stochastic: Option<Stochastic>,
    /// What states and steps earn.
    pub rewards: Vec<Rewards>,
}

/// A well-typed model. Only the verifier makes one, so whoever holds one may rely on every
/// invariant that the verifier lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    model: UncheckedModel,
    /// How many cells each record takes.
    records: Vec<usize>,
    /// The first cell of each global variable.
    globals: Vec<usize>,
    /// The first cell of each local variable, template by template, then those of the automata, then those of the monitors.
    locals: Vec<Vec<usize>>,
    /// The first cell of each local variable, function by function.
    frames: Vec<Vec<usize>>,
    /// The functions that call themselves.
    recursive: Vec<bool>,
    /// The automata of properties, in the order of the properties, as they run. Those of formulas of branching time with indices never do.
    automata: Vec<(PropertyId, Template)>,
    /// The monitors, as a template.
    monitors: Option<Template>,
}

impl Model {
    pub(crate) fn verified(model: UncheckedModel) -> Self {
        let automata: Vec<(PropertyId, Template)> = automata(&model).collect();
        let monitors = monitor::as_template(&model.monitors, &model.monitor_scratch);
        let running = automata.iter().map(|(_, automaton)| automaton);
        let templates = model.templates.iter().chain(running).chain(&monitors);
        Model {
            records: (0..model.records.len())
                .map(|number| model.cells(&Type::Record(RecordId::from(number))))
                .collect(),
            globals: model.first_cells(&model.globals),
            locals: templates.map(|t| model.first_cells(&t.locals)).collect(),
            frames: {
                let functions = model.functions.iter();
                functions.map(|f| model.first_cells(&f.locals)).collect()
            },
            recursive: model.recursive_functions(),
            automata,
            monitors,
            model,
        }
    }

    /// How many cells a value of the type takes: [`UncheckedModel::cells`], with the sizes of records looked up.
    pub fn cells(&self, ty: &Type) -> usize {
        match ty {
            Type::Scalar(_) => 1,
            Type::Record(id) => self.records[id.index()],
            Type::Array { element, length } => self.cells(element) * *length as usize,
        }
    }

    /// How many cells the variables before `index` take: [`UncheckedModel::cell_offset`], with the sizes of records looked up.
    pub fn cell_offset(&self, variables: &[Variable], index: usize) -> usize {
        variables[..index].iter().map(|v| self.cells(&v.ty)).sum()
    }

    /// The template, or the automaton that runs under that number, or the monitors.
    ///
    /// # Panics
    ///
    /// If there is nothing under that number.
    pub fn template(&self, id: TemplateId) -> &Template {
        let declared = &self.model.templates;
        let Some(number) = id.index().checked_sub(declared.len()) else {
            return &declared[id.index()];
        };
        match (self.automata.get(number), &self.monitors) {
            (Some((_, automaton)), _) => automaton,
            (None, Some(monitors)) if number == self.automata.len() => monitors,
            _ => panic!("nothing has the number {id}"),
        }
    }

    /// All that has code: the templates, behind them the automata of properties, and then the monitors, if there are some.
    pub fn runnables(&self) -> impl Iterator<Item = (TemplateId, &Template)> + Clone {
        let automata = self.automata.iter().map(|(_, automaton)| automaton);
        let templates = self.model.templates.iter().chain(automata);
        (0..)
            .map(TemplateId)
            .zip(templates.chain(self.monitors.as_ref()))
    }

    /// How many there are of these.
    pub fn runnable_count(&self) -> usize {
        let monitors = usize::from(self.monitors.is_some());
        self.model.templates.len() + self.automata.len() + monitors
    }

    /// The number under which the [monitors](crate::monitor) are shown, if there are some.
    pub fn monitor_template(&self) -> Option<TemplateId> {
        let number = self.model.templates.len() + self.automata.len();
        self.monitors.is_some().then(|| number.into())
    }

    /// The numbers of all monitors.
    pub fn monitor_ids(&self) -> impl Iterator<Item = MonitorId> + use<> {
        (0..self.model.monitors.len()).map(MonitorId::from)
    }

    /// The edge under which a monitor is shown: one of the [view](Model::monitor_template).
    pub fn edge_of_monitor(&self, monitor: MonitorId) -> EdgeId {
        EdgeId {
            template: TemplateId::from(self.model.templates.len() + self.automata.len()),
            index: monitor.0,
        }
    }

    /// The edge under which code is shown. The body of a function is shown under none: it is part of whatever calls it.
    pub fn edge_of(&self, code: CodeId) -> Option<EdgeId> {
        match code {
            CodeId::Edge(edge) => Some(edge),
            CodeId::Monitor(monitor) => Some(self.edge_of_monitor(monitor)),
            CodeId::Function(_) => None,
        }
    }

    /// The code that an edge shows.
    pub fn code_of(&self, edge: EdgeId) -> CodeId {
        if Some(edge.template) == self.monitor_template() {
            return MonitorId(edge.index).into();
        }
        edge.into()
    }

    /// What a claim runs as.
    ///
    /// # Panics
    ///
    /// If it is to be the automaton of a property that has none.
    pub fn runnable(&self, claim: Claim) -> TemplateId {
        match claim {
            Claim::Template(id) => id,
            Claim::Automaton(property) => {
                let mut automata = self.automata.iter();
                let number = automata.position(|(owner, _)| *owner == property);
                let number = number.expect("the property is an automaton");
                TemplateId::from(self.model.templates.len() + number)
            }
        }
    }

    /// What runs along for those observers as a proof sees them: a formula of branching time with indices is looked at as a claim that chooses values for them and asks
    /// its conditions.
    #[must_use]
    pub fn proven(&self, observers: Observers) -> Observers {
        let asked = observers.asked.filter(|id| {
            let property = &self.model.properties[id.index()];
            !property.kind.indices().is_empty()
        });
        Observers {
            claim: observers.claim.or(asked.map(Claim::Automaton)),
            ..observers
        }
    }

    /// The variable, if there is one, also of an automaton or of the monitors.
    pub fn variable(&self, variable: VariableRef) -> Option<&Variable> {
        match variable {
            VariableRef::Local(template, id) if template.index() < self.runnable_count() => {
                self.template(template).locals.get(id.index())
            }
            _ => self.model.variable(variable),
        }
    }

    /// The model without its guarantee, to build another one from.
    pub fn into_unchecked(self) -> UncheckedModel {
        self.model
    }

    /// Where the cells of a global variable start among those of all.
    pub fn first_cell_of_global(&self, id: GlobalId) -> usize {
        self.globals[id.index()]
    }

    /// Where the cells of a local variable start among those of its process.
    pub fn first_cell_of_local(&self, template: TemplateId, id: LocalId) -> usize {
        self.locals[template.index()][id.index()]
    }

    /// Where the cells of a local variable of a function start in its frame.
    pub fn first_cell_in_frame(&self, function: FunctionId, id: LocalId) -> usize {
        self.frames[function.index()][id.index()]
    }

    /// Whether a function calls itself, perhaps by way of others.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.index()]
    }
}

/// The automata of the properties of a model, as they run, and what asks the conditions of formulas with indices.
fn automata(model: &UncheckedModel) -> impl Iterator<Item = (PropertyId, Template)> {
    let properties = (0..).map(PropertyId).zip(&model.properties);
    properties.filter_map(|(id, property)| match &property.kind {
        PropertyKind::NoRun(question) => {
            Some((id, as_template(&model.conditions, property, question)))
        }
        PropertyKind::Ctl { indices, .. } if !indices.is_empty() => {
            Some((id, asking_template(&model.conditions, property, indices)))
        }
        _ => None,
    })
}

impl Deref for Model {
    type Target = UncheckedModel;

    fn deref(&self) -> &UncheckedModel {
        &self.model
    }
}

impl UncheckedModel {
    /// An empty model.
    pub fn new(language: Language, arithmetic: Arithmetic) -> Self {
        UncheckedModel {
            language,
            arithmetic,
            enums: Vec::new(),
            records: Vec::new(),
            channel_kinds: Vec::new(),
            domains: Vec::new(),
            codings: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            templates: Vec::new(),
            start: Vec::new(),
            start_held: false,
            deadlock: Deadlock::NoMove,
            prioritised: false,
            tracks_last_mover: false,
            conditions: Vec::new(),
            monitors: Vec::new(),
            monitor_scratch: Vec::new(),
            properties: Vec::new(),
            scalarsets: Vec::new(),
            stochastic: None,
            rewards: Vec::new(),
        }
    }

    /// The template of that number in the table.
    pub fn template(&self, id: TemplateId) -> &Template {
        &self.templates[id.index()]
    }

    /// The global variable.
    pub fn global(&self, id: GlobalId) -> &Variable {
        &self.globals[id.index()]
    }

    /// The record type.
    pub fn record(&self, id: RecordId) -> &RecordType {
        &self.records[id.index()]
    }

    /// The set of constants.
    pub fn enumeration(&self, id: EnumId) -> &EnumType {
        &self.enums[id.index()]
    }

    /// The kind of channel.
    pub fn channel_kind(&self, id: ChannelKindId) -> &ChannelKind {
        &self.channel_kinds[id.index()]
    }

    /// The number of names in a domain.
    pub fn domain_size(&self, id: DomainId) -> u32 {
        self.domains[id.index()].size
    }

    /// The claim that decides a property, if one does.
    pub fn claim_of(&self, id: PropertyId) -> Option<Claim> {
        match &self.properties[id.index()].kind {
            PropertyKind::Never { claim } => Some(Claim::Template(*claim)),
            PropertyKind::NoRun(_) => Some(Claim::Automaton(id)),
            _ => None,
        }
    }

    /// The condition.
    pub fn condition(&self, id: ConditionId) -> &Condition {
        &self.conditions[id.index()]
    }

    /// The monitor.
    pub fn monitor(&self, id: MonitorId) -> &Monitor {
        &self.monitors[id.index()]
    }

    /// Adds a monitor, for a property to name.
    pub fn add_monitor(&mut self, monitor: Monitor) -> MonitorId {
        self.monitors.push(monitor);
        MonitorId::from(self.monitors.len() - 1)
    }

    /// Adds a condition to those that properties ask.
    pub fn add_condition(&mut self, condition: Condition) -> ConditionId {
        self.conditions.push(condition);
        ConditionId::from(self.conditions.len() - 1)
    }

    /// The way to show values.
    pub fn coding(&self, id: CodingId) -> &Coding {
        &self.codings[id.index()]
    }

    /// Whether the model has something that only systems of rules have: monitors, edges that have parameters, quiet nodes, a start
    /// that is held, deadlocks without change.
    pub fn is_system_of_rules(&self) -> bool {
        let mut edges = self.templates.iter().flat_map(|t| &t.edges);
        let special = |edge: &Edge| {
            let quiet = match &edge.step {
                Step::Routine(routine) => routine.nodes.iter().any(|n| n.quiet),
                _ => false,
            };
            quiet || !edge.parameters.is_empty()
        };
        let quiet_function = self.function_nodes().any(|node| node.quiet);
        let whole = self.start_held || self.deadlock != Deadlock::NoMove;
        whole || quiet_function || !self.monitors.is_empty() || edges.any(special)
    }

    /// What is said when the edge, monitor or choice at that place fails ([`Effect::Fail`]).
    pub fn failure_message(&self, span: Span) -> Option<String> {
        let edges = self.templates.iter().flat_map(|t| &t.edges);
        let edges = edges.map(|edge| (&edge.step, edge.span));
        let monitors = self.monitors.iter().map(|m| (&m.step, m.span));
        let mut all = edges.chain(monitors);
        let found = all.find_map(|(step, at)| self.failure(step, at, span));
        found.or_else(|| self.failure_at(self.function_nodes(), span))
    }

    /// What a step at a place says when it fails, if it is the one that is wanted.
    fn failure(&self, step: &Step, at: Span, wanted: Span) -> Option<String> {
        match step {
            Step::Guarded { effects, .. } if at == wanted => effects.iter().find_map(|e| match e {
                Effect::Fail { message } => Some(message.clone()),
                Effect::Insert(insertion) => Some(insertion.message.clone()),
                _ => None,
            }),
            Step::Routine(routine) => self.failure_at(routine.nodes.iter(), wanted),
            Step::Call(call) if at == wanted => {
                let recursive = self.recursive_functions()[call.function.index()];
                recursive.then(|| self.nested_too_deep(call.function))
            }
            _ => None,
        }
    }

    /// The same for the choices of nodes.
    fn failure_at<'m>(
        &self,
        nodes: impl Iterator<Item = &'m Node>,
        wanted: Span,
    ) -> Option<String> {
        let mut choices = nodes.flat_map(|node| &node.choices);
        choices.find_map(|choice| self.failure(&choice.step, choice.span, wanted))
    }

    /// For each monitor, the property that names it.
    pub fn owners_of_monitors(&self) -> Vec<Option<PropertyId>> {
        let mut owners = vec![None; self.monitors.len()];
        for (id, property) in (0..).map(PropertyId).zip(&self.properties) {
            for monitor in property.kind.monitors() {
                owners[monitor.index()] = Some(id);
            }
        }
        owners
    }

    /// Whether that a monitor holds is a matter of the monitor: other monitors of its property are other demands.
    pub fn demands_each(&self, monitor: MonitorId) -> bool {
        let names = |kind: &PropertyKind| match kind {
            PropertyKind::Reachable { monitors, demand } => {
                *demand == Demand::Each && monitors.contains(&monitor)
            }
            _ => false,
        };
        self.properties.iter().any(|p| names(&p.kind))
    }

    /// For each monitor, the invariant that it checks, if it is one.
    pub fn invariants_of_monitors(&self) -> Vec<Option<PropertyId>> {
        let is_invariant = |id: &PropertyId| {
            let kind = &self.properties[id.index()].kind;
            matches!(kind, PropertyKind::Invariant { .. })
        };
        let owners = self.owners_of_monitors().into_iter();
        owners.map(|owner| owner.filter(is_invariant)).collect()
    }

    /// How many cells a value of the type takes.
    pub fn cells(&self, ty: &Type) -> usize {
        match ty {
            Type::Scalar(_) => 1,
            Type::Record(id) => self
                .record(*id)
                .fields
                .iter()
                .map(|f| self.cells(&f.ty))
                .sum(),
            Type::Array { element, length } => self.cells(element) * *length as usize,
        }
    }

    /// The types of the cells of a value of the type, in order: record fields one after the other,
    /// array elements one after the other.
    pub fn scalars(&self, ty: &Type) -> Vec<Scalar> {
        let mut cells = Vec::new();
        self.push_scalars(ty, &mut cells);
        cells
    }

    fn push_scalars(&self, ty: &Type, cells: &mut Vec<Scalar>) {
        match ty {
            Type::Scalar(scalar) => cells.push(*scalar),
            Type::Record(id) => {
                self.record(*id)
                    .fields
                    .iter()
                    .for_each(|f| self.push_scalars(&f.ty, cells));
            }
            Type::Array { element, length } => {
                for _ in 0..*length {
                    self.push_scalars(element, cells);
                }
            }
        }
    }

    /// Where the cells of each of these variables start.
    pub fn first_cells(&self, variables: &[Variable]) -> Vec<usize> {
        let mut next = 0;
        let first = |variable: &Variable| {
            let first = next;
            next += self.cells(&variable.ty);
            first
        };
        variables.iter().map(first).collect()
    }

    /// How many cells the variables before `index` take: where the cells of that one start.
    pub fn cell_offset(&self, variables: &[Variable], index: usize) -> usize {
        variables[..index].iter().map(|v| self.cells(&v.ty)).sum()
    }
}
