//! The explicit state graph as a coloured graph, whose automorphisms are the true symmetries.
//!
//! States are vertices, and so are processes, variables, channels, their cells, and the values that the cells of a class
//! can hold. A state is tied to "this cell holds that value" for each of its cells. So an automorphism permutes processes of a
//! template, elements of arrays, variables and channels that are declared alike, and the values of each class, and it maps the
//! states accordingly, steps to steps. Nothing here has been told which values are names and which arrays
//! belong to processes: what detection has to find out, the automorphisms may choose.
//!
//! What stays: locations, templates, the locations of the claim, what goes wrong, and values of classes with very
//! many of them.

use super::cells::{Cell, Class, Declared, declared, each_cell};
use super::explored::Explored;
use mandala_graphs::{Graph, GraphBuilder, SparsePermutation};
use mandala_model::Model;
use mandala_model::state::{State, Value};
use mandala_model::step::Turn;
use mandala_model::types::{Scalar, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

/// More values than this are numbers: they stay.
const MOST_VALUES: usize = 24;

/// What vertices there are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Vertex {
    /// What is so in all states.
    Always,
    Process(u32),
    /// A global variable.
    Variable(usize),
    Channel(usize),
    /// A declaration of channels.
    Kind(usize),
    Cell(Cell),
    /// A cell holds a value.
    Holds(Cell, Value),
    /// A value of a class.
    Value(Class, Value),
    /// An element of the arrays at a path: how many fields are before, and which.
    Element(Class, usize, u32),
}

/// Draws a graph.
struct Painter<'m> {
    model: &'m Model,
    builder: GraphBuilder,
    vertices: HashMap<Vertex, u32>,
    colours: HashMap<String, u32>,
    globals: Vec<Declared>,
    locals: Vec<Vec<Declared>>,
    /// Of each class, the values that occur.
    values: HashMap<Class, BTreeSet<Value>>,
    /// Of each channel, the kinds that it has in some state.
    kinds: BTreeMap<usize, BTreeSet<usize>>,
    /// Cells that hold the same in all states.
    constant: BTreeMap<Cell, Value>,
}

/// A graph with what its vertices mean.
#[derive(Debug)]
pub(super) struct Picture {
    /// The graph.
    pub graph: Graph,
    /// In words, for each vertex that is neither a state nor follows from others, what it is.
    words: Vec<(u32, String)>,
}

impl Picture {
    /// What an automorphism does, in words.
    pub(super) fn tell(&self, automorphism: &SparsePermutation) -> String {
        let name = |vertex: u32| {
            let found = self.words.binary_search_by_key(&vertex, |(v, _)| *v);
            found.ok().map(|at| self.words[at].1.as_str())
        };
        let cycles = automorphism.cycles().into_iter();
        let cycles = cycles.filter_map(|cycle| {
            let names: Option<Vec<&str>> = cycle.iter().map(|v| name(*v)).collect();
            Some(format!("({})", names?.join(" ")))
        });
        cycles.collect::<Vec<_>>().join(" ")
    }
}

/// The graph of some states, which come first among its vertices, in order. No step may lead out of them.
///
/// With `told_apart`, every state has a colour of its own: what remains are the automorphisms that do
/// nothing to states.
pub(super) fn picture(
    explored: &mut Explored<'_>,
    states: &[u32],
    told_apart: bool,
) -> Option<Picture> {
    let mut painter = Painter::new(explored.model());
    let place: HashMap<u32, u32> = states.iter().copied().zip(0..).collect();
    for (number, at) in (0..).zip(states) {
        let own = told_apart.then_some(number);
        let colour = state_colour(explored, *at);
        painter.add_state(&(colour, own));
    }
    painter.survey(explored, states);
    for (vertex, at) in (0..).zip(states) {
        painter.draw(vertex, &explored.state(*at).state);
        if let Turn::Held(process) = explored.state(*at).turn {
            painter.tie(vertex, Vertex::Process(process), &"held");
        }
        for step in explored.steps(*at).clone() {
            if let Some(next) = step.next {
                let target = *place.get(&next)?;
                let label = painter.colour(&("step", step.wrong));
                painter.builder.edge(vertex, target, label);
            }
        }
    }
    painter.finish()
}

/// What cannot change about a state.
fn state_colour(explored: &mut Explored<'_>, at: u32) -> String {
    let turn = match explored.state(at).turn {
        Turn::Held(_) => "held".to_string(),
        other => format!("{other:?}"),
    };
    let verdict = explored.verdict(at);
    let ends = explored.steps(at).iter().filter(|s| s.next.is_none());
    let ends: Vec<_> = ends.map(|s| s.wrong.clone()).collect();
    let state = &explored.state(at).state;
    let claim = state.claim.as_ref().map(|c| (c.template, c.location));
    format!("{turn} {verdict:?} {ends:?} {claim:?} {:?}", state.events)
}

impl<'m> Painter<'m> {
    fn new(model: &'m Model) -> Self {
        let locals = model.templates.iter();
        Painter {
            model,
            builder: GraphBuilder::new(),
            vertices: HashMap::new(),
            colours: HashMap::new(),
            globals: declared(model, &model.globals),
            locals: locals.map(|t| declared(model, &t.locals)).collect(),
            values: HashMap::new(),
            kinds: BTreeMap::new(),
            constant: BTreeMap::new(),
        }
    }

    fn finish(self) -> Option<Picture> {
        let vertices = self.vertices.iter();
        let words = vertices.filter_map(|(vertex, number)| Some((*number, self.word(vertex)?)));
        let mut words: Vec<(u32, String)> = words.collect();
        words.sort_unstable();
        let graph = self.builder.build().ok()?;
        Some(Picture { graph, words })
    }

    fn word(&self, vertex: &Vertex) -> Option<String> {
        let of = |class: &Class| self.class_name(class);
        match vertex {
            Vertex::Process(number) => Some(format!("process {number}")),
            Vertex::Variable(number) => Some(self.model.globals[*number].name.clone()),
            Vertex::Channel(number) => Some(format!("channel {number}")),
            Vertex::Value(class, value) => Some(format!("{}={value}", of(class))),
            Vertex::Element(class, _, number) => Some(format!("{}[{number}]", of(class))),
            Vertex::Always | Vertex::Kind(_) | Vertex::Cell(_) | Vertex::Holds(..) => None,
        }
    }

    fn class_name(&self, class: &Class) -> String {
        let path = |name: &str, fields: &[u32]| {
            let fields = fields.iter().map(|f| format!(".{f}"));
            format!("{name}{}", fields.collect::<String>())
        };
        match class {
            Class::Global(variable, fields) => path(&self.model.globals[*variable].name, fields),
            Class::Local(template, variable, fields) => {
                let template = &self.model.templates[*template];
                let name = &template.locals[*variable].name;
                path(&format!("{}:{name}", template.name), fields)
            }
            Class::Field(kind, field) => format!("message {kind}.{field}"),
            Class::Maker => "maker".into(),
            Class::LastMover => "last".into(),
        }
    }

    fn colour(&mut self, key: &impl Debug) -> u32 {
        let next = self.colours.len() as u32;
        *self.colours.entry(format!("{key:?}")).or_insert(next)
    }

    fn add_state(&mut self, key: &impl Debug) {
        let colour = self.colour(&("state", key));
        self.builder.vertex(colour);
    }

    /// Finds out which values occur, and which cells never change.
    fn survey(&mut self, explored: &Explored<'_>, states: &[u32]) {
        let mut held: BTreeMap<Cell, (BTreeSet<Value>, usize)> = BTreeMap::new();
        for at in states {
            let state = &explored.state(*at).state;
            each_cell(self.model, state, &mut |cell, value| {
                let (values, times) = held.entry(cell).or_default();
                values.insert(value);
                *times += 1;
            });
            for (number, channel) in state.channels.iter().enumerate() {
                let kinds = self.kinds.entry(number).or_default();
                kinds.insert(channel.kind.index());
            }
        }
        for (cell, (values, times)) in held {
            if let ([value], true) = (Vec::from_iter(&values).as_slice(), times == states.len()) {
                self.constant.insert(cell, **value);
            }
            let class = self.class(cell);
            self.values.entry(class).or_default().extend(values);
        }
        let always = self.vertex(Vertex::Always);
        for (cell, value) in self.constant.clone() {
            self.tie(always, Vertex::Holds(cell, value), &"holds");
        }
    }

    /// Ties a state to all that it consists of.
    fn draw(&mut self, vertex: u32, state: &State) {
        for (number, process) in (0..).zip(&state.processes) {
            let label = ("at", process.template, process.location, process.priority);
            self.tie(vertex, Vertex::Process(number), &label);
        }
        for (number, channel) in state.channels.iter().enumerate() {
            let label = ("filled", channel.messages.len());
            self.tie(vertex, Vertex::Channel(number), &label);
        }
        let model = self.model;
        each_cell(model, state, &mut |cell, value| {
            if !self.constant.contains_key(&cell) {
                self.tie(vertex, Vertex::Holds(cell, value), &"holds");
            }
        });
    }

    fn tie(&mut self, from: u32, to: Vertex, label: &impl Debug) {
        let label = self.colour(&("tie", label));
        let to = self.vertex(to);
        self.builder.edge(from, to, label);
    }

    /// The number of a vertex, which is drawn with all its ties when it is asked for first.
    fn vertex(&mut self, vertex: Vertex) -> u32 {
        if let Some(number) = self.vertices.get(&vertex) {
            return *number;
        }
        let colour = self.colour_of(&vertex);
        let colour = self.colour(&colour);
        let number = self.builder.vertex(colour);
        self.vertices.insert(vertex.clone(), number);
        for (label, target) in self.ties_of(&vertex) {
            self.tie(number, target, &label);
        }
        number
    }

    fn colour_of(&self, vertex: &Vertex) -> String {
        match vertex {
            Vertex::Always => "always".into(),
            Vertex::Process(_) => "process".into(),
            Vertex::Variable(v) => format!("variable {}", self.shape(*v)),
            Vertex::Channel(_) => "channel".into(),
            Vertex::Kind(k) => format!("kind {}", self.kind_shape(*k)),
            Vertex::Cell(cell) => format!("cell {}", self.cell_colour(*cell)),
            Vertex::Holds(..) => "holds".into(),
            Vertex::Value(class, value) => {
                let many = self.values.get(class).map_or(0, BTreeSet::len) > MOST_VALUES;
                let fixed = many.then_some(value);
                format!("value {} {fixed:?}", self.class_colour(class))
            }
            Vertex::Element(class, fields, _) => {
                format!("element {} {fields}", self.class_colour(class))
            }
        }
    }

    /// What a vertex is tied to, whatever the state.
    fn ties_of(&self, vertex: &Vertex) -> Vec<(&'static str, Vertex)> {
        match vertex {
            Vertex::Cell(cell) => self.ties_of_cell(*cell),
            Vertex::Holds(cell, value) => {
                let cell_vertex = ("in", Vertex::Cell(*cell));
                vec![cell_vertex, ("is", self.meaning(*cell, *value))]
            }
            Vertex::Value(class, _) | Vertex::Element(class, ..) => match class {
                Class::Global(variable, _) => vec![("of", Vertex::Variable(*variable))],
                Class::Field(kind, _) => vec![("of", Vertex::Kind(*kind))],
                Class::Local(..) | Class::Maker | Class::LastMover => Vec::new(),
            },
            Vertex::Channel(number) => {
                let kinds = self.kinds.get(number).into_iter().flatten();
                kinds.map(|kind| ("of", Vertex::Kind(*kind))).collect()
            }
            Vertex::Always | Vertex::Process(_) | Vertex::Variable(_) | Vertex::Kind(_) => {
                Vec::new()
            }
        }
    }

    fn ties_of_cell(&self, cell: Cell) -> Vec<(&'static str, Vertex)> {
        let mut ties = Vec::new();
        match cell {
            Cell::Global(at) => ties.push(("of", Vertex::Variable(self.globals[at].variable))),
            Cell::Local(process, ..) => ties.push(("of", Vertex::Process(process))),
            Cell::Message(channel, ..) | Cell::Maker(channel) => {
                ties.push(("of", Vertex::Channel(channel)));
            }
            Cell::Claim(..) | Cell::LastMover => {}
        }
        let Some(declared) = self.declared(cell) else {
            return ties;
        };
        let class = self.class(cell);
        for (fields, number) in &declared.elements {
            let array = class.clone().prefix(*fields);
            ties.push(("element", Vertex::Element(array, *fields, *number)));
        }
        ties
    }

    /// What a value in a cell stands for.
    fn meaning(&self, cell: Cell, value: Value) -> Vertex {
        let channel = usize::try_from(value - 1).ok();
        match (self.scalar(cell), channel) {
            (Some(Scalar::Channel), Some(channel)) => Vertex::Channel(channel),
            _ => Vertex::Value(self.class(cell), value),
        }
    }

    fn declared(&self, cell: Cell) -> Option<&Declared> {
        match cell {
            Cell::Global(at) => self.globals.get(at),
            Cell::Local(_, template, at) | Cell::Claim(template, at) => {
                self.locals.get(template)?.get(at)
            }
            Cell::Message(..) | Cell::Maker(_) | Cell::LastMover => None,
        }
    }

    fn scalar(&self, cell: Cell) -> Option<Scalar> {
        match cell {
            Cell::Message(_, kind, _, field) => {
                let fields = &self.model.channel_kinds[kind].fields;
                fields.get(field).copied()
            }
            _ => self.declared(cell).map(|d| d.scalar),
        }
    }

    fn class(&self, cell: Cell) -> Class {
        let fields = || self.declared(cell).map(|d| (d.variable, d.fields.clone()));
        let (variable, fields) = fields().unwrap_or_default();
        match cell {
            Cell::Global(_) => Class::Global(variable, fields),
            Cell::Local(_, template, _) | Cell::Claim(template, _) => {
                Class::Local(template, variable, fields)
            }
            Cell::Message(_, kind, _, field) => Class::Field(kind, field),
            Cell::Maker(_) => Class::Maker,
            Cell::LastMover => Class::LastMover,
        }
    }

    /// What is the same for classes that are declared alike.
    fn class_colour(&self, class: &Class) -> String {
        match class {
            Class::Global(variable, fields) => format!("{} {fields:?}", self.shape(*variable)),
            Class::Field(kind, field) => format!("{} {field}", self.kind_shape(*kind)),
            Class::Local(..) | Class::Maker | Class::LastMover => format!("{class:?}"),
        }
    }

    fn cell_colour(&self, cell: Cell) -> String {
        let place = match cell {
            Cell::Message(_, _, place, _) => Some(place),
            _ => None,
        };
        format!("{} {place:?}", self.class_colour(&self.class(cell)))
    }

    /// What global variables that are declared alike have in common.
    fn shape(&self, variable: usize) -> String {
        let ty: &Type = &self.model.globals[variable].ty;
        format!("{ty:?}")
    }

    /// What declarations of channels that are alike have in common.
    fn kind_shape(&self, kind: usize) -> String {
        let kind = &self.model.channel_kinds[kind];
        format!("{} {:?}", kind.capacity, kind.fields)
    }
}

impl Class {
    /// The arrays after so many fields.
    fn prefix(self, fields: usize) -> Class {
        let cut = |mut path: Vec<u32>| {
            path.truncate(fields);
            path
        };
        match self {
            Class::Global(variable, path) => Class::Global(variable, cut(path)),
            Class::Local(template, variable, path) => Class::Local(template, variable, cut(path)),
            other => other,
        }
    }
}
