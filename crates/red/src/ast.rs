//! The syntax tree: what the text says, before any name is looked up.

use mandala_model::property::{BinaryTemporal, Runs, UnaryTemporal};
use mandala_model::source::Span;

pub(crate) use mandala_syntax::Ident;

/// A part of a model.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `#define NAME VALUE`
    Define { name: Ident, value: Expr },
    /// `process count = VALUE;`
    Count { value: Expr, span: Span },
    /// `local pointer a, b;`
    Variables(Declaration),
    /// `mode NAME INVARIANT { RULES }`
    Mode(Mode),
    /// `initially CONDITION;`
    Initially(Expr),
    /// `risk CONDITION;`
    Risk { condition: Expr, span: Span },
}

/// Variables of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) scope: Scope,
    pub(crate) names: Vec<Ident>,
    pub(crate) kind: VariableKind,
}

/// Whose variables they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// There is one for all.
    Global,
    /// Every process has one of its own.
    Local,
}

/// What they hold.
#[derive(Clone, Debug)]
pub(crate) enum VariableKind {
    /// Addresses of processes.
    Pointer,
    /// Numbers; without a range, 0 and 1.
    Discrete(Option<Box<(Expr, Expr)>>),
}

/// A mode and its rules.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    pub(crate) name: Ident,
    pub(crate) invariant: Expr,
    pub(crate) rules: Vec<Rule>,
}

/// `when GUARD may ACTIONS goto TARGET;`
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) guard: Expr,
    pub(crate) actions: Vec<Assignment>,
    pub(crate) target: Option<Ident>,
    pub(crate) span: Span,
}

/// `PLACE = VALUE;`
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) place: Reference,
    pub(crate) value: Expr,
    pub(crate) span: Span,
}

/// An expression: a number or a condition.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// How deep it is nested inside.
    pub(crate) height: u32,
    /// Whether temporal operators stand in it.
    pub(crate) speaks_of_runs: bool,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(i64),
    Truth(bool),
    Null,
    Me,
    Reference(Reference),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Quantified(Quantifier, Vec<Ident>, Box<Expr>),
    /// `[] f`, `<> f`, `X f`
    Temporal(UnaryTemporal, Box<Expr>),
    /// `A path`, `E path`
    InRuns(Runs, Box<Expr>),
}

impl ExprKind {
    /// Whether temporal operators stand in it.
    pub(crate) fn speaks_of_runs(&self) -> bool {
        match self {
            ExprKind::Temporal(..)
            | ExprKind::InRuns(..)
            | ExprKind::Binary(BinaryOp::Temporal(_), ..) => true,
            ExprKind::Negate(inner) | ExprKind::Not(inner) | ExprKind::Quantified(_, _, inner) => {
                inner.speaks_of_runs
            }
            ExprKind::Binary(_, left, right) => left.speaks_of_runs || right.speaks_of_runs,
            ExprKind::Number(_)
            | ExprKind::Truth(_)
            | ExprKind::Null
            | ExprKind::Me
            | ExprKind::Reference(_) => false,
        }
    }
}

/// `a`, `a[2]`, `a->b->c`, `a[2]->b`.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) first: Name,
    pub(crate) index: Option<Box<Expr>>,
    pub(crate) rest: Vec<Name>,
    pub(crate) span: Span,
}

/// What is named in a reference: the mode of a process is a variable like others.
#[derive(Clone, Debug)]
pub(crate) enum Name {
    Named(Ident),
    Mode(Span),
}

impl Name {
    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        match self {
            Name::Named(ident) => ident.span,
            Name::Mode(span) => *span,
        }
    }
}

/// Whether all processes are meant, or some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    All,
    Some,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Implies,
    Or,
    And,
    Compare(Comparison),
    Calculate(Arithmetic),
    /// `U`, `W`, `V` and `equivalent`, in formulas.
    Temporal(BinaryTemporal),
}

/// `== != < <= > >=`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// `+ - * /`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Comparison {
    /// Whether it holds between two numbers.
    pub(crate) fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
        }
    }
}

impl Arithmetic {
    /// The result, if there is one that fits.
    pub(crate) fn result(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Divide => left.checked_div(right),
        }
    }
}
