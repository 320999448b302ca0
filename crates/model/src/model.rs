//! A whole model.

use crate::expr::Expr;
use crate::ids::{
    ChannelKindId, CodingId, ConditionId, DomainId, EdgeId, EnumId, GlobalId, LocalId, PropertyId,
    RecordId, TemplateId,
};
use crate::property::{Condition, Property, PropertyKind};
use crate::source::Span;
use crate::symmetry::Scalarset;
use crate::template::{Edge, Effect, Step, Template};
use crate::types::{ChannelKind, Coding, Domain, EnumType, RecordType, Scalar, Type, Variable};
use std::collections::HashMap;
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
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::Promela => "promela",
            Language::Murphi => "murphi",
            Language::Red => "red",
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
    /// What is claimed, besides the absence of failed assertions, deadlocks and run-time errors.
    pub properties: Vec<Property>,
    /// Symmetry that the author declares: to be proved before it is used.
    pub scalarsets: Vec<Scalarset>,
}

/// A well-typed model. Only the verifier makes one, so whoever holds one may rely on every
/// invariant that the verifier lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    model: UncheckedModel,
    /// The first cell of each global variable.
    globals: Vec<usize>,
    /// The first cell of each local variable, template by template.
    locals: Vec<Vec<usize>>,
}

impl Model {
    pub(crate) fn verified(model: UncheckedModel) -> Self {
        let templates = model.templates.iter();
        Model {
            globals: model.first_cells(&model.globals),
            locals: templates.map(|t| model.first_cells(&t.locals)).collect(),
            model,
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
            templates: Vec::new(),
            start: Vec::new(),
            start_held: false,
            deadlock: Deadlock::NoMove,
            prioritised: false,
            tracks_last_mover: false,
            conditions: Vec::new(),
            properties: Vec::new(),
            scalarsets: Vec::new(),
        }
    }

    /// The template of that name in the table.
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

    /// The condition.
    pub fn condition(&self, id: ConditionId) -> &Condition {
        &self.conditions[id.index()]
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

    /// Whether the model has something that only systems of rules have: edges that observe, quiet nodes, a start
    /// that is held, deadlocks without change.
    pub fn is_system_of_rules(&self) -> bool {
        let mut edges = self.templates.iter().flat_map(|t| &t.edges);
        let special = |edge: &Edge| match &edge.step {
            Step::Routine(routine) => edge.observes() || routine.nodes.iter().any(|n| n.quiet),
            _ => edge.observes(),
        };
        self.start_held || self.deadlock != Deadlock::NoMove || edges.any(special)
    }

    /// What is said when the edge or choice at that place fails ([`Effect::Fail`]).
    pub fn failure_message(&self, span: Span) -> Option<&str> {
        let mut edges = self.templates.iter().flat_map(|t| &t.edges);
        edges.find_map(|edge| failure(&edge.step, edge.span, span))
    }

    /// The invariants by the edges that monitor them. An edge monitors one property at most.
    pub fn invariants_by_edge(&self) -> HashMap<EdgeId, PropertyId> {
        let properties = (0..).map(PropertyId).zip(&self.properties);
        let edges = properties.flat_map(|(id, property)| match &property.kind {
            PropertyKind::Invariant { edges } => edges.iter().map(|edge| (*edge, id)).collect(),
            _ => Vec::new(),
        });
        edges.collect()
    }

    /// The invariant that an edge monitors, if it monitors one.
    pub fn invariant_of(&self, edge: EdgeId) -> Option<PropertyId> {
        let properties = (0..).map(PropertyId).zip(&self.properties);
        let mut own = properties.filter(|(_, property)| match &property.kind {
            PropertyKind::Invariant { edges } => edges.contains(&edge),
            _ => false,
        });
        own.next().map(|(id, _)| id)
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

/// What a step at a place says when it fails, if it is the one that is wanted.
fn failure(step: &Step, at: Span, wanted: Span) -> Option<&str> {
    match step {
        Step::Guarded { effects, .. } if at == wanted => effects.iter().find_map(|e| match e {
            Effect::Fail { message } => Some(message.as_str()),
            Effect::Insert(insertion) => Some(insertion.message.as_str()),
            _ => None,
        }),
        Step::Routine(routine) => {
            let mut choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.find_map(|c| failure(&c.step, c.span, wanted))
        }
        _ => None,
    }
}
