//! A small model, a state of it, and random expressions over its variables.

use mandala_model::expr::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Pattern, Place, Projection, ReceiveOrder, Root, UnaryOp,
};
use mandala_model::ids::{BinderId, ChannelKindId, GlobalId, LocalId, RecordId, TemplateId};
use mandala_model::model::{Arithmetic, Language, StartProcess};
use mandala_model::parameters::{Progression, Values};
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::source::{FileId, Span};
use mandala_model::template::{Location, Role, Template};
use mandala_model::types::{ChannelKind, Initial, RecordType, Scalar, Storage, Type, Variable};
use mandala_model::verify::verify;
use mandala_model::{Model, State, UncheckedModel};

pub(crate) fn span(at: u32) -> Span {
    Span::new(FileId(0), at as usize, at as usize + 1)
}

fn array(element: Type, length: u32) -> Type {
    Type::Array {
        element: Box::new(element),
        length,
    }
}

fn variable(name: &str, ty: Type, initial: Initial) -> Variable {
    Variable {
        name: name.into(),
        ty,
        indices: Vec::new(),
        initial,
        storage: Storage::State,
        span: span(0),
    }
}

fn plain(name: &str, ty: Type) -> Variable {
    variable(name, ty, Initial::Default)
}

/// `x[3]`, `r[2]` of records of a range and `b[2]`, a wide number, and a channel; two templates, the first of which has two processes.
pub(crate) fn model(arithmetic: Arithmetic) -> Model {
    let mut model = UncheckedModel::new(Language::Promela, arithmetic);
    let byte = || Type::Scalar(Scalar::unsigned(8));
    model.records.push(RecordType {
        name: "pair".into(),
        fields: vec![
            plain("a", Type::Scalar(Scalar::Range { min: -2, max: 5 })),
            plain("b", array(Type::Scalar(Scalar::signed(16)), 2)),
        ],
        span: span(0),
    });
    model.channel_kinds.push(ChannelKind {
        capacity: 2,
        fields: vec![Scalar::unsigned(8); 2],
        span: span(0),
    });
    let channel = Type::Scalar(Scalar::Channel);
    model.globals = vec![
        plain("x", array(byte(), 3)),
        plain("r", array(Type::Record(RecordId(0)), 2)),
        plain("wide", Type::Scalar(Scalar::signed(32))),
        variable("c", channel, Initial::NewChannel(ChannelKindId(0))),
    ];
    for (index, locals) in [2, 1].into_iter().enumerate() {
        let mut template = Template::empty(&format!("t{index}"), Role::Process, span(0));
        template.locals = vec![plain("l", array(byte(), locals)), plain("m", byte())];
        template.locations = vec![Location {
            number: 7,
            labels: Vec::new(),
            end: true,
            progress: index == 1,
            accept: false,
            silent: false,
            edges: 0..0,
            span: span(0),
        }];
        model.templates.push(template);
    }
    model.start = [0, 0, 1].map(started).to_vec();
    verify(model).expect("it is well-formed")
}

fn started(template: u32) -> StartProcess {
    StartProcess {
        template: TemplateId(template),
        arguments: Vec::new(),
        priority: 1,
    }
}

/// Numbers from a seed.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    pub(crate) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// Fills the variables and the channel of a state.
pub(crate) fn shuffle(state: &mut State, random: &mut Random) {
    for value in &mut state.globals[..3] {
        *value = random.below(4) as i64;
    }
    for value in &mut state.globals[3..9] {
        *value = random.below(7) as i64 - 2;
    }
    state.globals[9] = random.of(&[0, 1, -1, i64::from(i32::MAX), i64::from(i32::MIN)]);
    state.globals[10] = random.of(&[0, 1, 1, 1, 2]);
    for process in &mut state.processes {
        for value in &mut process.locals {
            *value = random.below(4) as i64;
        }
    }
    let messages = 0..random.below(3);
    let messages = messages.map(|_| vec![random.below(3) as i64, random.below(3) as i64]);
    state.channels[0].messages = messages.collect();
}

/// Makes expressions, each part of which stands somewhere else.
pub(crate) struct Maker {
    pub random: Random,
    spans: u32,
}

const BINARY: [BinaryOp; 18] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Modulo,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::And,
    BinaryOp::Or,
];

const UNARY: [UnaryOp; 4] = [
    UnaryOp::Negate,
    UnaryOp::Not,
    UnaryOp::BitNot,
    UnaryOp::Defined,
];

const QUERIES: [ChannelQuery; 5] = [
    ChannelQuery::Length,
    ChannelQuery::Empty,
    ChannelQuery::NotEmpty,
    ChannelQuery::Full,
    ChannelQuery::NotFull,
];

const QUANTIFIERS: [Quantifier; 5] = [
    Quantifier::ForAll,
    Quantifier::Exists,
    Quantifier::Count,
    Quantifier::Sum,
    Quantifier::FirstOf,
];

const CONSTANTS: [i64; 9] = [0, 0, 1, 1, 2, 3, -1, i32::MAX as i64, i64::MIN];

impl Maker {
    pub(crate) fn new(seed: u64) -> Self {
        Maker {
            random: Random(seed),
            spans: 1,
        }
    }

    fn span(&mut self) -> Span {
        self.spans += 2;
        span(self.spans)
    }

    /// An expression that is so deep at most, inside of so many quantifiers.
    pub(crate) fn expr(&mut self, depth: u32, bound: u32) -> Expr {
        let kind = match depth {
            0 => self.leaf(bound),
            _ => self.inner(depth - 1, bound),
        };
        Expr::new(kind, self.span())
    }

    fn boxed(&mut self, depth: u32, bound: u32) -> Box<Expr> {
        Box::new(self.expr(depth, bound))
    }

    fn leaf(&mut self, bound: u32) -> ExprKind {
        match self.random.below(8) {
            0 => ExprKind::SelfId,
            1 => ExprKind::ProcessCount,
            2 => ExprKind::LastMover,
            3 => ExprKind::NonProgress,
            4 => ExprKind::FirstInstance(TemplateId(self.random.below(2) as u32)),
            5 if bound > 0 => ExprKind::Bound(BinderId(self.random.below(bound.into()) as u32)),
            _ => ExprKind::Const(self.random.of(&CONSTANTS)),
        }
    }

    fn inner(&mut self, depth: u32, bound: u32) -> ExprKind {
        match self.random.below(14) {
            0 | 1 => ExprKind::Unary(self.random.of(&UNARY), self.boxed(depth, bound)),
            2..=5 => {
                let op = self.random.of(&BINARY);
                ExprKind::Binary(op, self.boxed(depth, bound), self.boxed(depth, bound))
            }
            6 => ExprKind::Conditional(
                self.boxed(depth, bound),
                self.boxed(depth, bound),
                self.boxed(depth, bound),
            ),
            7 if bound < 2 => self.quantified(depth, bound),
            8 => ExprKind::Channel(self.random.of(&QUERIES), self.channel()),
            9 => self.poll(depth, bound),
            10 => ExprKind::LocationNumber(self.boxed(depth, bound)),
            _ => ExprKind::Read(self.place(depth, bound)),
        }
    }

    fn channel(&mut self) -> Box<Expr> {
        let place = Place::variable(Root::Global(GlobalId(3)), self.span());
        Box::new(Expr::new(ExprKind::Read(place), self.span()))
    }

    fn poll(&mut self, depth: u32, bound: u32) -> ExprKind {
        let fields = self.random.of(&[1, 2, 2, 2]);
        let mut patterns = Vec::new();
        for _ in 0..fields {
            patterns.push(match self.random.below(2) {
                0 => Pattern::Ignore,
                _ => Pattern::Match(self.expr(depth, bound)),
            });
        }
        ExprKind::Poll {
            channel: self.channel(),
            order: self
                .random
                .of(&[ReceiveOrder::First, ReceiveOrder::AnyMatching]),
            patterns,
        }
    }

    fn quantified(&mut self, depth: u32, bound: u32) -> ExprKind {
        let variable = BoundVariable {
            id: BinderId(bound),
            name: "i".into(),
            scalar: Scalar::unsigned(8),
            span: self.span(),
        };
        let evaluation = [Evaluation::Strict, Evaluation::Ordered];
        let quantifier = self.random.of(&QUANTIFIERS);
        ExprKind::Quantified(Box::new(Quantified {
            quantifier,
            evaluation: match quantifier {
                Quantifier::FirstOf => Evaluation::Ordered,
                _ => self.random.of(&evaluation),
            },
            variable,
            values: Values(vec![Progression::range(0, 1 + self.random.below(3) as u32)]),
            body: self.expr(depth, bound + 1),
        }))
    }

    /// A cell of one of the variables.
    pub(crate) fn place(&mut self, depth: u32, bound: u32) -> Place {
        let global = |id| Root::Global(GlobalId(id));
        let (root, path) = match self.random.below(7) {
            0 | 1 => (global(0), vec![self.index(depth, bound)]),
            2 => {
                let index = self.index(depth, bound);
                (global(1), vec![index, Projection::Field(0)])
            }
            3 => {
                let [first, second] = [(); 2].map(|()| self.index(depth, bound));
                (global(1), vec![first, Projection::Field(1), second])
            }
            4 => (global(2), Vec::new()),
            5 => (Root::Local(LocalId(0)), vec![self.index(depth, bound)]),
            _ => {
                let root = Root::Remote {
                    template: TemplateId(self.random.below(2) as u32),
                    process: self.boxed(depth, bound),
                    local: LocalId(0),
                };
                (root, vec![self.index(depth, bound)])
            }
        };
        Place {
            root,
            path,
            span: self.span(),
        }
    }

    fn index(&mut self, depth: u32, bound: u32) -> Projection {
        Projection::Index(match self.random.below(3) {
            0 => Expr::constant(self.random.below(4) as i64, self.span()),
            _ => self.expr(depth, bound),
        })
    }
}
