//! A small builder of systems of rules: one process that starts by one of its start steps, and then takes one rule after
//! the other.
#![allow(
    dead_code,
    reason = "the tests of other crates use their own parts of the builder"
)]

use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::{
    CodingId, EdgeId, GlobalId, LocalId, LocationId, MonitorId, NodeId, TemplateId,
};
use mandala_model::model::{Arithmetic, Deadlock, Language, Model, StartProcess, UncheckedModel};
use mandala_model::monitor::Monitor;
use mandala_model::property::{Demand, Property, PropertyKind};
use mandala_model::source::{FileId, Span};
use mandala_model::template::{
    Choice, Control, Edge, Effect, Location, Node, Role, Routine, Step, Template,
};
use mandala_model::types::{Coding, CodingKind, Initial, Scalar, Storage, Type, Variable};
use mandala_model::verify::verify;

/// Where something stands that has the number `number`.
pub fn at(number: u32) -> Span {
    let start = number as usize * 2;
    Span::new(FileId(0), start, start + 1)
}

const NOWHERE: u32 = 500;

/// A system of rules in the making.
pub struct Rules {
    pub model: UncheckedModel,
    locals: Vec<Variable>,
    starts: Vec<Edge>,
    rules: Vec<Edge>,
}

#[derive(Clone, Copy)]
enum Kind {
    Invariant,
    Cover,
    Reachable,
}

impl Rules {
    pub fn new() -> Self {
        let mut model = UncheckedModel::new(Language::Murphi, Arithmetic::Checked64);
        model.start_held = true;
        model.deadlock = Deadlock::NoChange;
        model.codings = vec![
            Coding {
                name: "number".into(),
                kind: CodingKind::Numbers { first: 0 },
            },
            Coding {
                name: "proc".into(),
                kind: CodingKind::Members,
            },
        ];
        Rules {
            model,
            locals: Vec::new(),
            starts: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// A variable with values from 1 to `max`, undefined at first.
    pub fn global(&mut self, name: &str, max: u32) -> GlobalId {
        self.variable(name, Type::Scalar(coded(max)))
    }

    /// An array of such variables.
    pub fn array(&mut self, name: &str, max: u32, length: u32) -> GlobalId {
        let element = Box::new(Type::Scalar(coded(max)));
        self.variable(name, Type::Array { element, length })
    }

    pub fn wide(&mut self, name: &str) -> GlobalId {
        let range = Scalar::Range {
            min: 0,
            max: i64::MAX,
        };
        self.variable(name, Type::Scalar(range))
    }

    fn variable(&mut self, name: &str, ty: Type) -> GlobalId {
        self.model.globals.push(variable(name, ty, Storage::State));
        GlobalId::from(self.model.globals.len() - 1)
    }

    /// A variable that is no part of the state.
    pub fn scratch(&mut self, name: &str, max: u32) -> LocalId {
        let ty = Type::Scalar(coded(max));
        self.locals.push(variable(name, ty, Storage::Scratch));
        LocalId::from(self.locals.len() - 1)
    }

    pub fn start(&mut self, step: Step) {
        let edge = edge(100 + self.starts.len() as u32, (0, 1), step);
        self.starts.push(edge);
    }

    pub fn rule(&mut self, step: Step) {
        let edge = edge(200 + self.rules.len() as u32, (1, 1), step);
        self.rules.push(edge);
    }

    /// Fails where the condition does not hold.
    pub fn invariant(&mut self, name: &'static str, condition: Expr) {
        self.monitor(
            name,
            Kind::Invariant,
            guarded(condition.negated(), vec![fail("")]),
        );
    }

    /// A monitor of an invariant.
    pub fn invariant_step(&mut self, name: &'static str, step: Step) {
        self.monitor(name, Kind::Invariant, step);
    }

    pub fn cover(&mut self, name: &'static str, condition: Expr) {
        self.monitor(name, Kind::Cover, guarded(condition, Vec::new()));
    }

    pub fn reachable(&mut self, name: &'static str, condition: Expr) {
        self.monitor(name, Kind::Reachable, guarded(condition, Vec::new()));
    }

    fn monitor(&mut self, name: &'static str, kind: Kind, step: Step) {
        let number = self.model.monitors.len() as u32;
        let made = edge(300 + number, (1, 1), step);
        let monitor = self.model.add_monitor(Monitor {
            parameters: Vec::new(),
            step: made.step,
            text: made.text,
            statement: made.statement,
            span: made.span,
            twin: false,
        });
        add_property(&mut self.model, name, kind, monitor);
    }

    /// The edge of the rule of that number.
    pub fn rule_edge(&self, rule: u32) -> EdgeId {
        EdgeId {
            template: TemplateId(0),
            index: self.starts.len() as u32 + rule,
        }
    }

    pub fn unchecked(mut self) -> UncheckedModel {
        let boundary = self.starts.len() as u32;
        let edges: Vec<Edge> = [self.starts, self.rules].concat();
        let count = edges.len() as u32;
        let locals = self.locals;
        if !self.model.monitors.is_empty() {
            self.model.monitor_scratch.clone_from(&locals);
        }
        self.model.templates = vec![Template {
            name: "rules".into(),
            role: Role::Process,
            parameters: 0,
            locals,
            locations: vec![location(0..boundary), location(boundary..count)],
            edges,
            entry: LocationId(0),
            provided: None,
            deterministic: false,
            span: at(NOWHERE),
        }];
        self.model.start = vec![StartProcess {
            template: TemplateId(0),
            arguments: Vec::new(),
            priority: 1,
        }];
        self.model
    }

    pub fn model(self) -> Model {
        verify(self.unchecked()).unwrap_or_else(|errors| panic!("{errors:?}"))
    }
}

fn add_property(model: &mut UncheckedModel, name: &str, kind: Kind, monitor: MonitorId) {
    let known = model.properties.iter_mut().find(|p| p.name == name);
    if let Some(property) = known {
        match &mut property.kind {
            PropertyKind::Invariant { monitors }
            | PropertyKind::Cover { monitors, .. }
            | PropertyKind::Reachable { monitors, .. } => monitors.push(monitor),
            other => panic!("{other:?} has no monitors"),
        }
        return;
    }
    let monitors = vec![monitor];
    model.properties.push(Property {
        name: name.into(),
        kind: match kind {
            Kind::Invariant => PropertyKind::Invariant { monitors },
            Kind::Cover => PropertyKind::Cover {
                monitors,
                nodes: Vec::new(),
            },
            Kind::Reachable => PropertyKind::Reachable {
                monitors,
                demand: Demand::One,
            },
        },
        span: at(NOWHERE),
    });
}

fn coded(max: u32) -> Scalar {
    Scalar::Coded {
        coding: CodingId(0),
        max: max.into(),
    }
}

fn variable(name: &str, ty: Type, storage: Storage) -> Variable {
    Variable {
        name: name.into(),
        ty,
        indices: Vec::new(),
        initial: Initial::Default,
        storage,
        span: at(NOWHERE),
    }
}

fn edge(number: u32, (source, target): (u32, u32), step: Step) -> Edge {
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        step,
        control: Control::Release,
        escape: 0,
        text: format!("edge {number}"),
        statement: number,
        span: at(number),
        twin: false,
        parameters: Vec::new(),
        outcome: None,
    }
}

fn location(edges: std::ops::Range<u32>) -> Location {
    Location {
        number: edges.start,
        labels: Vec::new(),
        end: false,
        progress: false,
        accept: false,
        silent: false,
        edges,
        span: at(NOWHERE),
    }
}

// Expressions and steps.

pub fn num(value: i64) -> Expr {
    Expr::constant(value, at(NOWHERE))
}

pub fn place(id: GlobalId) -> Place {
    Place::variable(Root::Global(id), at(NOWHERE))
}

pub fn own(id: LocalId) -> Place {
    Place::variable(Root::Local(id), at(NOWHERE))
}

pub fn element(id: GlobalId, index: Expr) -> Place {
    Place {
        path: vec![Projection::Index(index)],
        ..place(id)
    }
}

/// What a cell holds, 0 if it is undefined.
pub fn raw(place: Place) -> Expr {
    Expr::new(ExprKind::Read(place), at(NOWHERE))
}

pub fn defined(value: Expr) -> Expr {
    Expr::new(
        ExprKind::Unary(UnaryOp::Defined, Box::new(value)),
        at(NOWHERE),
    )
}

/// The value of a variable, which must have one.
pub fn value(id: GlobalId) -> Expr {
    defined(raw(place(id)))
}

pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::binary(op, left, right)
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Equal, left, right)
}

pub fn less(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Less, left, right)
}

pub fn plus(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Add, left, right)
}

pub fn minus(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Subtract, left, right)
}

pub fn times(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Multiply, left, right)
}

pub fn assign(place: Place, value: Expr) -> Effect {
    Effect::Assign { place, value }
}

pub fn fail(message: &str) -> Effect {
    Effect::Fail {
        message: message.into(),
    }
}

pub fn guarded(guard: Expr, effects: Vec<Effect>) -> Step {
    Step::Guarded { guard, effects }
}

pub fn always(effects: Vec<Effect>) -> Step {
    guarded(num(1), effects)
}

/// A node: whether it is quiet, and its choices with the nodes that they lead to.
pub type Draft = (bool, Vec<(Step, Option<u32>)>);

pub fn routine(number: u32, nodes: Vec<Draft>) -> Step {
    let mut stands = number;
    let mut node = |(quiet, choices): Draft| Node {
        choices: choices
            .into_iter()
            .map(|(step, next)| {
                stands += 1;
                Choice {
                    step,
                    next: next.map(NodeId),
                    text: "choice".into(),
                    span: at(stands),
                }
            })
            .collect(),
        quiet,
        number,
        span: at(number),
    };
    let nodes = nodes.into_iter().map(&mut node).collect();
    Step::Routine(Routine::new(nodes))
}
