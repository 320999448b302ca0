//! Models built by hand, for the tests of this crate.

use mandala_model::expr::*;
use mandala_model::ids::*;
use mandala_model::model::*;
use mandala_model::source::{FileId, SourceText, Sources, Span};
use mandala_model::symmetry::*;
use mandala_model::template::*;
use mandala_model::types::*;

/// Where everything stands that has no line of its own: line 1.
pub const SPAN: Span = Span {
    file: FileId(0),
    start: 0,
    end: 1,
};

/// The first byte of a line of a file with one letter in each.
pub fn line(number: u32) -> Span {
    let start = (number - 1) * 2;
    Span {
        file: FileId(0),
        start,
        end: start + 1,
    }
}

pub fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, SPAN)
}

pub fn int(value: i64) -> Expr {
    Expr::constant(value, SPAN)
}

pub fn place(root: Root, path: Vec<Projection>) -> Place {
    Place {
        root,
        path,
        span: SPAN,
    }
}

pub fn global(id: u32) -> Place {
    place(Root::Global(GlobalId(id)), Vec::new())
}

pub fn local(id: u32) -> Place {
    place(Root::Local(LocalId(id)), Vec::new())
}

pub fn remote(template: u32, process: Expr, local: u32) -> Place {
    let root = Root::Remote {
        template: TemplateId(template),
        process: Box::new(process),
        local: LocalId(local),
    };
    place(root, Vec::new())
}

pub fn element(mut array: Place, index: Expr) -> Place {
    array.path.push(Projection::Index(index));
    array
}

pub fn field(mut record: Place, field: u32) -> Place {
    record.path.push(Projection::Field(field));
    record
}

pub fn read(place: Place) -> Expr {
    expr(ExprKind::Read(place))
}

pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::binary(op, left, right)
}

pub fn assign(place: Place, value: Expr) -> Effect {
    Effect::Assign { place, value }
}

pub fn when(guard: Expr) -> Step {
    perform(guard, Vec::new())
}

pub fn perform(guard: Expr, effects: Vec<Effect>) -> Step {
    Step::Guarded { guard, effects }
}

pub fn send(channel: Expr, message: Vec<Expr>) -> Step {
    Step::Send {
        channel,
        order: SendOrder::Last,
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

pub fn choice(step: Step, next: Option<u32>) -> Choice {
    Choice {
        step,
        next: next.map(NodeId),
        text: "choice".into(),
        span: SPAN,
    }
}

pub fn node(choices: Vec<Choice>) -> Node {
    Node {
        choices,
        quiet: false,
        number: 7,
        span: SPAN,
    }
}

pub fn variable(name: &str, ty: Type, initial: Initial) -> Variable {
    Variable {
        name: name.into(),
        ty,
        indices: Vec::new(),
        initial,
        storage: Storage::State,
        span: SPAN,
    }
}

pub fn byte() -> Type {
    Type::Scalar(Scalar::unsigned(8))
}

pub fn array(element: Type, length: u32) -> Type {
    Type::Array {
        element: Box::new(element),
        length,
    }
}

pub fn edge(source: u32, target: u32, step: Step) -> Edge {
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        step,
        control: Control::Release,
        escape: 0,
        text: "statement".into(),
        statement: 1,
        span: line(source + 1),
        twin: false,
        parameters: Vec::new(),
        outcome: None,
    }
}

/// A template of `count` locations; the edges must be sorted by their sources.
pub fn template(name: &str, role: Role, count: u32, edges: Vec<Edge>) -> Template {
    let locations = (0..count).map(|id| location(id, &edges)).collect();
    Template {
        name: name.into(),
        role,
        parameters: 0,
        locals: Vec::new(),
        locations,
        edges,
        entry: LocationId(0),
        provided: None,
        deterministic: false,
        span: SPAN,
    }
}

fn location(id: u32, edges: &[Edge]) -> Location {
    let before = |bound: u32| edges.partition_point(|e| e.source.0 < bound) as u32;
    Location {
        number: id + 1,
        labels: Vec::new(),
        end: false,
        progress: false,
        accept: false,
        silent: false,
        edges: before(id)..before(id + 1),
        span: line(id + 1),
    }
}

/// An empty model.
pub fn empty() -> UncheckedModel {
    UncheckedModel::new(Language::Promela, Arithmetic::Wrapping32)
}

/// The globals of [`sample`].
pub const TURN: u32 = 0;
pub const FLAGS: u32 = 1;
pub const PAIR: u32 = 2;
pub const QUEUE: u32 = 3;
pub const MEET: u32 = 4;
pub const LETTER: u32 = 5;

/// The templates of [`sample`].
pub const USER: u32 = 0;
pub const INIT: u32 = 1;
pub const CLAIM: u32 = 2;
pub const EVENTS: u32 = 3;

/// A valid model that has a little of everything.
pub fn sample() -> UncheckedModel {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("sample.ir", include_str!("sample.ir")));
    let (model, diagnostics) = mandala_ir::load(&mut sources, file);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

pub fn used(kind: UseKind) -> ScalarsetUse {
    ScalarsetUse {
        kind,
        span: line(6),
    }
}

pub fn holds(variable: VariableRef, path: &[u32]) -> UseKind {
    let path = path.to_vec();
    UseKind::Holds { variable, path }
}

pub fn indexes(variable: VariableRef, path: &[u32], dimension: u32) -> UseKind {
    UseKind::Indexes {
        variable,
        path: path.to_vec(),
        dimension,
    }
}
