//! A small builder of models, so that a test reads like the automaton that it is about.

use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::claim::Claim;
use mandala_model::expr::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Pattern, Place, Projection, ReceiveOrder, Root,
};
use mandala_model::ids::{ChannelKindId, GlobalId, LocalId, LocationId, NodeId, TemplateId};
use mandala_model::model::{Arithmetic, Language, StartProcess};
use mandala_model::source::{FileId, Span};
use mandala_model::step::{FaultKind, Observers, Violation};
use mandala_model::template::{
    Choice, Control, Edge, Effect, EventSense, Keep, Location, Node, Role, Routine, SendOrder,
    Step, Template,
};
use mandala_model::types::{ChannelKind, Initial, Scalar, Storage, Type, Variable};
use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};

pub const BYTE: Scalar = Scalar::unsigned(8);
pub const INT: Scalar = Scalar::signed(32);

/// Nothing in these models was ever written down.
pub fn nowhere() -> Span {
    Span::new(FileId(0), 0, 0)
}

/// A model in the making.
pub struct Sketch {
    pub model: UncheckedModel,
}

impl Sketch {
    pub fn new() -> Self {
        Sketch {
            model: UncheckedModel::new(Language::Promela, Arithmetic::Wrapping32),
        }
    }

    pub fn global(&mut self, name: &str, scalar: Scalar) -> GlobalId {
        self.variable(name, Type::Scalar(scalar), Initial::Default)
    }

    pub fn variable(&mut self, name: &str, ty: Type, initial: Initial) -> GlobalId {
        self.model.globals.push(variable(name, ty, initial));
        GlobalId::from(self.model.globals.len() - 1)
    }

    pub fn array(&mut self, name: &str, length: u32) -> GlobalId {
        self.variable(name, array(BYTE, length), Initial::Default)
    }

    pub fn kind(&mut self, capacity: u32, fields: &[Scalar]) -> ChannelKindId {
        self.model.channel_kinds.push(ChannelKind {
            capacity,
            fields: fields.to_vec(),
            span: nowhere(),
        });
        ChannelKindId::from(self.model.channel_kinds.len() - 1)
    }

    pub fn channel(&mut self, name: &str, capacity: u32, fields: &[Scalar]) -> GlobalId {
        let kind = self.kind(capacity, fields);
        let ty = Type::Scalar(Scalar::Channel);
        self.variable(name, ty, Initial::NewChannel(kind))
    }

    pub fn add(&mut self, automaton: Automaton) -> TemplateId {
        self.model.templates.push(automaton.template());
        TemplateId::from(self.model.templates.len() - 1)
    }

    /// Adds a template and one process of it at the start.
    pub fn run(&mut self, automaton: Automaton) -> TemplateId {
        let template = self.add(automaton);
        self.start(template, 1);
        template
    }

    pub fn start(&mut self, template: TemplateId, priority: u8) {
        self.model.start.push(StartProcess {
            template,
            arguments: Vec::new(),
            priority,
        });
    }

    pub fn verified(self) -> Model {
        verify(self.model).expect("the test's model is well formed")
    }
}

/// A template in the making.
pub struct Automaton {
    name: String,
    role: Role,
    locals: Vec<Variable>,
    parameters: u32,
    provided: Option<Expr>,
    ends: Vec<u32>,
    progress: Vec<u32>,
    accepting: Vec<u32>,
    edges: Vec<Edge>,
}

impl Automaton {
    pub fn new(name: &str) -> Self {
        Automaton {
            name: name.to_owned(),
            role: Role::Process,
            locals: Vec::new(),
            parameters: 0,
            provided: None,
            ends: Vec::new(),
            progress: Vec::new(),
            accepting: Vec::new(),
            edges: Vec::new(),
        }
    }

    pub fn claim(name: &str) -> Self {
        Automaton {
            role: Role::Claim,
            ..Automaton::new(name)
        }
    }

    pub fn events(sense: EventSense) -> Self {
        Automaton {
            role: Role::Events(sense),
            ..Automaton::new("trace")
        }
    }

    pub fn local(mut self, name: &str, scalar: Scalar, initial: Initial) -> Self {
        self.locals
            .push(variable(name, Type::Scalar(scalar), initial));
        self
    }

    pub fn parameter(mut self, name: &str, scalar: Scalar) -> Self {
        self.parameters += 1;
        self.local(name, scalar, Initial::Default)
    }

    pub fn provided(mut self, condition: Expr) -> Self {
        self.provided = Some(condition);
        self
    }

    /// Marks a location as one to stay at for ever.
    pub fn end(mut self, location: u32) -> Self {
        self.ends.push(location);
        self
    }

    pub fn progress(mut self, location: u32) -> Self {
        self.progress.push(location);
        self
    }

    pub fn accept(mut self, location: u32) -> Self {
        self.accepting.push(location);
        self
    }

    /// Adds an edge. Those of one location are tried in the order in which they are added.
    pub fn edge(self, source: u32, target: u32, step: Step) -> Self {
        self.edge_of_class(source, target, step, Control::Release, 0)
    }

    /// Adds an edge after which the process keeps control.
    pub fn hold(self, source: u32, target: u32, step: Step) -> Self {
        self.edge_of_class(source, target, step, Control::Hold, 0)
    }

    pub fn escape(self, class: u32, source: u32, target: u32, step: Step) -> Self {
        self.edge_of_class(source, target, step, Control::Release, class)
    }

    fn edge_of_class(
        mut self,
        source: u32,
        target: u32,
        step: Step,
        control: Control,
        escape: u32,
    ) -> Self {
        self.edges.push(Edge {
            source: LocationId(source),
            target: LocationId(target),
            step,
            control,
            escape,
            text: format!("{source}-{target}"),
            statement: 0,
            span: nowhere(),
            twin: false,
            parameters: Vec::new(),
            outcome: None,
        });
        self
    }

    fn template(mut self) -> Template {
        self.edges.sort_by_key(|edge| edge.source);
        let mentioned = self.edges.iter().map(|e| e.source.0.max(e.target.0));
        let last = mentioned.max().unwrap_or(0);
        let locations = (0..=last).map(|at| self.location(at)).collect();
        Template {
            name: self.name,
            role: self.role,
            parameters: self.parameters,
            locals: self.locals,
            locations,
            edges: self.edges,
            entry: LocationId(0),
            provided: self.provided,
            deterministic: false,
            span: nowhere(),
        }
    }

    fn location(&self, at: u32) -> Location {
        let first = self.edges.partition_point(|e| e.source.0 < at) as u32;
        let after = self.edges.partition_point(|e| e.source.0 <= at) as u32;
        Location {
            number: at + 1,
            labels: Vec::new(),
            end: self.ends.contains(&at),
            progress: self.progress.contains(&at),
            accept: self.accepting.contains(&at),
            silent: false,
            edges: first..after,
            span: nowhere(),
        }
    }
}

fn variable(name: &str, ty: Type, initial: Initial) -> Variable {
    Variable {
        name: name.to_owned(),
        ty,
        indices: Vec::new(),
        initial,
        storage: Storage::State,
        span: nowhere(),
    }
}

pub fn array(element: Scalar, length: u32) -> Type {
    Type::Array {
        element: Box::new(Type::Scalar(element)),
        length,
    }
}

// Expressions.

pub fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, nowhere())
}

pub fn num(value: i64) -> Expr {
    Expr::constant(value, nowhere())
}

pub fn place(id: GlobalId) -> Place {
    Place::variable(Root::Global(id), nowhere())
}

pub fn own(index: u32) -> Place {
    Place::variable(Root::Local(LocalId(index)), nowhere())
}

pub fn element(id: GlobalId, index: Expr) -> Place {
    Place {
        path: vec![Projection::Index(index)],
        ..place(id)
    }
}

pub fn read(place: Place) -> Expr {
    expr(ExprKind::Read(place))
}

pub fn var(id: GlobalId) -> Expr {
    read(place(id))
}

pub fn op(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::binary(op, left, right)
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    op(BinaryOp::Equal, left, right)
}

pub fn less(left: Expr, right: Expr) -> Expr {
    op(BinaryOp::Less, left, right)
}

pub fn plus(left: Expr, right: Expr) -> Expr {
    op(BinaryOp::Add, left, right)
}

pub fn timeout() -> Expr {
    expr(ExprKind::Timeout)
}

pub fn length(channel: Expr) -> Expr {
    expr(ExprKind::Channel(ChannelQuery::Length, Box::new(channel)))
}

// Steps and effects.

pub fn when(guard: Expr) -> Step {
    Step::Guarded {
        guard,
        effects: Vec::new(),
    }
}

pub fn skip() -> Step {
    when(num(1))
}

pub fn guarded(guard: Expr, effects: Vec<Effect>) -> Step {
    Step::Guarded { guard, effects }
}

pub fn set(place: Place, value: Expr) -> Step {
    guarded(num(1), vec![assign(place, value)])
}

pub fn assign(place: Place, value: Expr) -> Effect {
    Effect::Assign { place, value }
}

pub fn assertion(condition: Expr) -> Effect {
    Effect::Assert { condition }
}

pub fn spawn(template: TemplateId, arguments: Vec<Expr>) -> Step {
    let effect = Effect::Spawn {
        template,
        arguments,
        priority: 1,
        result: None,
    };
    guarded(num(1), vec![effect])
}

pub fn send(channel: Expr, message: Vec<Expr>) -> Step {
    Step::Send {
        channel,
        order: SendOrder::Last,
        message,
    }
}

pub fn send_sorted(channel: Expr, message: Vec<Expr>) -> Step {
    Step::Send {
        channel,
        order: SendOrder::Sorted,
        message,
    }
}

pub fn receive(channel: Expr, patterns: Vec<Pattern>) -> Step {
    Step::Receive {
        channel,
        order: ReceiveOrder::First,
        keep: Keep::Remove,
        patterns,
    }
}

pub fn receive_any(channel: Expr, patterns: Vec<Pattern>) -> Step {
    Step::Receive {
        channel,
        order: ReceiveOrder::AnyMatching,
        keep: Keep::Remove,
        patterns,
    }
}

pub fn peek(channel: Expr, patterns: Vec<Pattern>) -> Step {
    Step::Receive {
        channel,
        order: ReceiveOrder::First,
        keep: Keep::Stay,
        patterns,
    }
}

pub fn routine(nodes: Vec<Vec<(Step, Option<u32>)>>) -> Step {
    let choice = |(step, next): (Step, Option<u32>)| Choice {
        step,
        next: next.map(NodeId),
        text: "choice".to_owned(),
        span: nowhere(),
    };
    let node = |choices: Vec<_>| Node {
        choices: choices.into_iter().map(choice).collect(),
        quiet: false,
        number: 0,
        span: nowhere(),
    };
    Step::Routine(Routine::new(nodes.into_iter().map(node).collect()))
}

// Looking at runs.

pub const ALONE: Observers = Observers {
    claim: None,
    events: None,
    asked: None,
};

pub fn claimed(claim: TemplateId) -> Observers {
    Observers {
        claim: Some(Claim::Template(claim)),
        ..ALONE
    }
}

pub fn observed(events: TemplateId) -> Observers {
    Observers {
        events: Some(events),
        ..ALONE
    }
}

pub fn start(interpreter: &Interpreter<'_>) -> Configuration {
    interpreter.start().expect("the start does not fail")
}

/// The only move.
pub fn only(interpreter: &Interpreter<'_>, from: &Configuration) -> Move {
    let mut moves = interpreter.moves(from);
    assert_eq!(moves.len(), 1, "one move only: {moves:?}");
    moves.remove(0)
}

/// Where the only move leads.
pub fn step(interpreter: &Interpreter<'_>, from: &Configuration) -> Configuration {
    let taken = only(interpreter, from);
    assert_eq!(taken.violations, []);
    taken.next.expect("the move leads somewhere")
}

/// Who moves (by which edge): `1:0-1`, and with whom `1:0-1+0:2-3`.
pub fn labels(interpreter: &Interpreter<'_>, from: &Configuration) -> Vec<String> {
    let moves = interpreter.moves(from);
    let text = |m: &Move| {
        let (step, partner) = interpreter.step_text(&from.state, &m.label);
        let half = |t: mandala_interpreter::StepText| format!("{} {}", t.actor, t.text);
        match partner {
            Some(partner) => format!("{} + {}", half(step), half(partner)),
            None => half(step),
        }
    };
    moves.iter().map(text).collect()
}

/// The fault of the only move.
pub fn fault_of(interpreter: &Interpreter<'_>, from: &Configuration) -> FaultKind {
    let taken = only(interpreter, from);
    assert_eq!(taken.next, None, "there is nothing after a fault");
    match taken.violations.as_slice() {
        [.., Violation::Fault(fault)] => fault.kind,
        other => panic!("not a fault: {other:?}"),
    }
}

/// The fault of a process that does one step.
pub fn fault_of_step(sketch: Sketch, step: Step) -> FaultKind {
    let mut sketch = sketch;
    sketch.run(Automaton::new("p").edge(0, 1, step));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    fault_of(&interpreter, &start(&interpreter))
}
