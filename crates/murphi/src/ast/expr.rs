//! Expressions.

use super::{Ident, TypeExpr};
use mandala_formulas::words;
use mandala_model::property::{BinaryTemporal, Runs, UnaryTemporal};
use mandala_model::source::Span;

/// A number of the language: what fits into 64 bits, signed or unsigned, and the results on the way to
/// such a number.
pub type Number = i128;

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is, with the parentheses around it if there are any.
    pub span: Span,
    height: u32,
    speaks_of_runs: bool,
}

impl Expr {
    /// An expression with the height that follows from its parts.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr {
            height: 1 + kind.tallest_part(),
            speaks_of_runs: kind.speaks_of_runs(),
            kind,
            span,
        }
    }

    /// The same expression with the parentheses or the sign around it.
    pub(crate) fn with_span(self, span: Span) -> Expr {
        Expr { span, ..self }
    }

    /// The number of expressions on the longest way down, itself included.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// True if temporal operators stand in it, so that it is a formula.
    pub fn speaks_of_runs(&self) -> bool {
        self.speaks_of_runs
    }
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `12`, `0x1f`
    Number(Number),
    /// A variable, a part of one, a constant, an alias or a parameter.
    Designator(Designator),
    /// `f(a, b)`
    Call(Call),
    /// `!a`, `-a`, `~a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and the like
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? yes : no`
    Conditional(Box<[Expr; 3]>),
    /// `forall i: t do e end`, `exists i: t do e end`
    Quantified(QuantifierKind, Vec<Quantifier>, Box<Expr>),
    /// `isundefined(x)`
    IsUndefined(Designator),
    /// `ismember(x, t)`
    IsMember(Designator, Box<TypeExpr>),
    /// `multisetcount(i: m, condition)`
    MultisetCount(Ident, Designator, Box<Expr>),
    /// `[] f`, `<> f`, `X f`, in formulas
    Temporal(UnaryTemporal, Box<Expr>),
    /// `A path`, `E path`, in formulas
    InRuns(Runs, Box<Expr>),
}

impl ExprKind {
    fn tallest_part(&self) -> u32 {
        match self {
            ExprKind::Number(_) => 0,
            ExprKind::Designator(d) | ExprKind::IsUndefined(d) => d.height(),
            ExprKind::Call(call) => tallest(&call.arguments),
            ExprKind::Unary(_, operand) => operand.height,
            ExprKind::Binary(_, left, right) => left.height.max(right.height),
            ExprKind::Conditional(parts) => tallest(parts.as_slice()),
            ExprKind::Quantified(_, quantifiers, body) => {
                let inner = quantifiers.iter().map(Quantifier::height).max();
                body.height.max(inner.unwrap_or(0)) + quantifiers.len() as u32
            }
            ExprKind::IsMember(d, _) => d.height(),
            ExprKind::MultisetCount(_, d, condition) => d.height().max(condition.height),
            ExprKind::Temporal(_, inner) | ExprKind::InRuns(_, inner) => inner.height,
        }
    }

    /// True if temporal operators stand in it. In indices and arguments they are found when it is looked at what these are.
    fn speaks_of_runs(&self) -> bool {
        match self {
            ExprKind::Temporal(..)
            | ExprKind::InRuns(..)
            | ExprKind::Binary(BinaryOp::Temporal(_), ..) => true,
            ExprKind::Unary(_, inner) | ExprKind::Quantified(_, _, inner) => inner.speaks_of_runs,
            ExprKind::Binary(_, left, right) => left.speaks_of_runs || right.speaks_of_runs,
            ExprKind::Conditional(parts) => parts.iter().any(Expr::speaks_of_runs),
            ExprKind::Number(_)
            | ExprKind::Designator(_)
            | ExprKind::Call(_)
            | ExprKind::IsUndefined(_)
            | ExprKind::IsMember(..)
            | ExprKind::MultisetCount(..) => false,
        }
    }
}

fn tallest(exprs: &[Expr]) -> u32 {
    exprs.iter().map(Expr::height).max().unwrap_or(0)
}

/// `x`, `x.field`, `x[i]` and so on.
#[derive(Clone, Debug, PartialEq)]
pub struct Designator {
    /// The name at the beginning.
    pub base: Ident,
    /// What is selected from it, in order.
    pub selectors: Vec<Selector>,
    /// All of it.
    pub span: Span,
}

impl Designator {
    fn height(&self) -> u32 {
        let indices = self.selectors.iter().map(|selector| match selector {
            Selector::Field(_) => 0,
            Selector::Index(index, _) => index.height,
        });
        indices.max().unwrap_or(0)
    }
}

/// A step into a record, an array or a multiset.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// `.field`
    Field(Ident),
    /// `[index]`, with the place of the brackets.
    Index(Expr, Span),
}

/// `f(a, b)`, as an expression or a statement
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The function.
    pub function: Ident,
    /// The arguments.
    pub arguments: Vec<Expr>,
    /// The name to the closing parenthesis.
    pub span: Span,
}

/// An operator before its operand. A `+` there is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Negate,
    /// `~`
    BitNot,
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `->`
    Implies,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`: "or", of conditions or of bits
    Pipe,
    /// `^`
    Xor,
    /// `&`: "and", of conditions or of bits
    Amp,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `U`, `W`, `V`, `implies` and `equivalent`, in formulas
    Temporal(BinaryTemporal),
}

impl BinaryOp {
    /// As it is written, without Rumur's other signs.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Implies => "->",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Pipe => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Amp => "&",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Equal => "=",
            BinaryOp::NotEqual => "!=",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Greater => ">",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Temporal(op) => words::binary_symbol(op),
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
        }
    }
}

/// Whether all or some values must satisfy the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuantifierKind {
    /// `forall`
    All,
    /// `exists`
    Some,
}

/// A name that goes through values, in rulesets, loops and quantified expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantifier {
    /// The name.
    pub name: Ident,
    /// The values.
    pub range: QuantifierRange,
    /// All of it.
    pub span: Span,
}

impl Quantifier {
    fn height(&self) -> u32 {
        match &self.range {
            QuantifierRange::Type(_) => 0,
            QuantifierRange::Steps(steps) => {
                let step = steps.step.as_ref().map_or(0, Expr::height);
                steps.from.height.max(steps.to.height).max(step)
            }
        }
    }
}

/// What a quantifier goes through.
#[derive(Clone, Debug, PartialEq)]
pub enum QuantifierRange {
    /// `: t`
    Type(TypeExpr),
    /// `:= from to to by step`
    Steps(Box<Steps>),
}

/// Numbers from one to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The first value.
    pub from: Expr,
    /// The value after which it ends.
    pub to: Expr,
    /// The difference of a value and the next; 1 without one.
    pub step: Option<Expr>,
}
