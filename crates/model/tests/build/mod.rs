//! Models built by hand, for the tests of this crate.

use mandala_model::expr::*;
use mandala_model::ids::*;
use mandala_model::model::*;
use mandala_model::property::*;
use mandala_model::source::{FileId, SourceText, Sources, Span};
use mandala_model::symmetry::*;
use mandala_model::template::*;
use mandala_model::types::*;
use mandala_temporal::{Guard, State, StateId, Transition};
use std::sync::Arc;

/// Where everything stands that has no line of its own: line 1.
pub const SPAN: Span = Span {
    file: FileId(0),
    start: 0,
    end: 1,
};

/// The first byte of a line of [`sources`].
pub fn line(number: u32) -> Span {
    let start = (number - 1) * 2;
    Span {
        file: FileId(0),
        start,
        end: start + 1,
    }
}

/// A file of forty lines of one letter.
pub fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add(SourceText::new("m.pml", "x\n".repeat(40)));
    sources
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

pub fn equal(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Equal, left, right)
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
    let claim = TemplateId(CLAIM);
    UncheckedModel {
        enums: vec![letters()],
        records: vec![pair()],
        channel_kinds: channel_kinds(),
        domains: vec![Domain {
            name: "nodes".into(),
            size: 3,
        }],
        globals: globals(),
        templates: vec![user(), init(), claim_template(), events()],
        start: vec![StartProcess {
            template: TemplateId(INIT),
            arguments: Vec::new(),
            priority: 1,
        }],
        prioritised: true,
        tracks_last_mover: true,
        conditions: vec![Condition {
            condition: binary(BinaryOp::NotEqual, read(global(TURN)), read(local(0))),
            text: "!(turn == i)".into(),
        }],
        properties: vec![
            property("never_0", PropertyKind::Never { claim }),
            property(
                "safe",
                PropertyKind::NoRun(RunQuestion {
                    indices: vec![index()],
                    values: vec![vec![0, 2]],
                    ..RunQuestion::new(always(), Arc::new(violations()))
                }),
            ),
            property(
                "messages",
                PropertyKind::Events {
                    observer: TemplateId(EVENTS),
                },
            ),
        ],
        scalarsets: vec![user_names()],
        ..empty()
    }
}

fn always() -> RunOrigin {
    RunOrigin::Formula {
        text: "[] (turn == i)".into(),
        says_next: false,
    }
}

/// What the formula has to hold for.
fn index() -> Variable {
    variable("i", byte(), Initial::Default)
}

/// The automaton of the runs on which the condition of [`sample`] holds at some time.
fn violations() -> Automaton {
    let fails = Transition {
        asserts: true,
        ..Transition::new(Guard::proposition(0), StateId(1))
    };
    let again = |to| Transition::new(Guard::True, StateId(to));
    Automaton {
        states: vec![
            State::numbered(0, false, vec![fails, again(0)]),
            State::numbered(1, true, vec![again(1)]),
        ],
        accept_all: Some(StateId(1)),
    }
}

fn property(name: &str, kind: PropertyKind) -> Property {
    Property {
        name: name.into(),
        kind,
        span: SPAN,
    }
}

/// The users have names, in every kind of place.
fn user_names() -> Scalarset {
    let kind = ChannelKindId(0);
    let uses = [
        UseKind::Processes(TemplateId(USER)),
        holds(VariableRef::Local(TemplateId(USER), LocalId(0)), &[]),
        holds(VariableRef::Global(GlobalId(PAIR)), &[1]),
        indexes(VariableRef::Global(GlobalId(PAIR)), &[1], 0),
        indexes(VariableRef::Global(GlobalId(FLAGS)), &[], 0),
        UseKind::Message { kind, field: 1 },
    ];
    Scalarset {
        name: "users".into(),
        span: SPAN,
        first: 1,
        size: 2,
        uses: uses.into_iter().map(used).collect(),
        unordered: false,
    }
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

fn letters() -> EnumType {
    EnumType {
        name: "mtype".into(),
        constants: vec![("ack".into(), 1), ("req".into(), 2)],
    }
}

fn pair() -> RecordType {
    let short = Type::Scalar(Scalar::signed(16));
    RecordType {
        name: "pair".into(),
        fields: vec![
            variable("x", byte(), Initial::Fill(int(4))),
            variable("y", array(short, 2), Initial::Default),
        ],
        span: SPAN,
    }
}

fn channel_kinds() -> Vec<ChannelKind> {
    vec![
        ChannelKind {
            capacity: 2,
            fields: vec![Scalar::Enum(EnumId(0)), Scalar::unsigned(8)],
            span: SPAN,
        },
        ChannelKind {
            capacity: 0,
            fields: vec![Scalar::unsigned(8)],
            span: SPAN,
        },
    ]
}

fn globals() -> Vec<Variable> {
    let channel = Type::Scalar(Scalar::Channel);
    let letter = Type::Scalar(Scalar::Enum(EnumId(0)));
    let node = Type::Scalar(Scalar::Id(DomainId(0)));
    let flags = array(Type::Scalar(Scalar::Bool), 2);
    vec![
        variable("turn", byte(), Initial::Default),
        variable("flags", flags, Initial::List(vec![int(1), int(0)])),
        variable("pair", Type::Record(RecordId(0)), Initial::Default),
        variable(
            "queue",
            channel.clone(),
            Initial::NewChannel(ChannelKindId(0)),
        ),
        variable("meet", channel, Initial::NewChannel(ChannelKindId(1))),
        variable("letter", letter, Initial::Fill(int(2))),
        variable("node", node, Initial::Default),
    ]
}

/// A process with a parameter `k` and a local variable `i`.
fn user() -> Template {
    let flag = |index| element(global(FLAGS), index);
    let me = || expr(ExprKind::SelfId);
    let mut leave = edge(1, 4, when(expr(ExprKind::Timeout)));
    leave.escape = 1;
    let mut hold = edge(
        1,
        2,
        send(read(global(QUEUE)), vec![int(2), read(local(0))]),
    );
    hold.control = Control::Hold;
    let enter = perform(
        binary(
            BinaryOp::And,
            equal(read(flag(me())), int(0)),
            read(global(TURN)),
        ),
        vec![
            assign(flag(me()), int(1)),
            Effect::Assert {
                condition: equal(read(local(1)), read(local(0))),
            },
        ],
    );
    let take = receive(
        read(global(QUEUE)),
        vec![Pattern::Match(int(2)), Pattern::Bind(local(1))],
    );
    let meet = receive(read(global(MEET)), vec![Pattern::Ignore]);
    let mut template = template(
        "user",
        Role::Process,
        5,
        vec![
            edge(0, 1, enter),
            edge(0, 0, Step::Else),
            leave,
            hold,
            edge(2, 3, take),
            edge(2, 3, meet),
            edge(3, 4, Step::Routine(count_up())),
            edge(4, 4, Step::Exit),
        ],
    );
    template.parameters = 1;
    template.locals = vec![
        variable("k", byte(), Initial::Default),
        variable("i", byte(), Initial::Fill(read(local(0)))),
    ];
    template.locations[0].labels.push("again".into());
    template.locations[4].end = true;
    template.provided = Some(equal(expr(ExprKind::LastMover), me()).negated());
    template
}

/// Counts `i` up to 3, then sets `pair.y[1]`.
fn count_up() -> Routine {
    let below = binary(BinaryOp::Less, read(local(1)), int(3));
    let next = binary(BinaryOp::Add, read(local(1)), int(1));
    let done = assign(element(field(global(PAIR), 1), int(1)), int(-1));
    Routine {
        nodes: vec![
            node(vec![
                choice(perform(below, vec![assign(local(1), next)]), Some(0)),
                choice(Step::Else, Some(1)),
            ]),
            node(vec![choice(perform(int(1), vec![done]), None)]),
        ],
    }
}

fn init() -> Template {
    let spawn = |argument| Effect::Spawn {
        template: TemplateId(USER),
        arguments: vec![int(argument)],
        priority: 3,
        result: Some(global(TURN)),
    };
    let others = vec![
        Effect::SetPriority {
            process: int(1),
            priority: int(4),
        },
        Effect::Print {
            text: Print::Format {
                format: "at %d\\n".into(),
                arguments: vec![read(remote(USER, int(1), 1))],
            },
        },
    ];
    let there = ExprKind::At {
        template: TemplateId(USER),
        process: Box::new(int(1)),
        location: LocationId(4),
    };
    let mut template = template(
        "init",
        Role::Process,
        3,
        vec![
            edge(0, 1, perform(int(1), vec![spawn(0), spawn(1)])),
            edge(1, 2, perform(expr(there), others)),
            edge(2, 2, Step::Exit),
        ],
    );
    template.locations[2].end = true;
    template
}

fn claim_template() -> Template {
    let poll = ExprKind::Poll {
        channel: Box::new(read(global(QUEUE))),
        order: ReceiveOrder::AnyMatching,
        patterns: vec![Pattern::Match(int(1)), Pattern::Ignore],
    };
    let mut template = template(
        "never_0",
        Role::Claim,
        2,
        vec![edge(0, 0, when(int(1))), edge(0, 1, when(expr(poll)))],
    );
    template.locations[0].accept = true;
    template.locations[1].end = true;
    template
}

fn events() -> Template {
    let mut template = template(
        "trace",
        Role::Events(EventSense::Required),
        2,
        vec![
            edge(0, 1, send(read(global(QUEUE)), vec![int(2), int(0)])),
            edge(1, 0, when(int(1))),
        ],
    );
    template.locations[0].progress = true;
    template
}
