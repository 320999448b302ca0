//! Expressions and places.

use super::{AliasId, FunctionId, Number, QuantifierKind, TypeId, VariableId};
use mandala_model::source::Span;

/// An expression with its type and its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeId,
    /// Where it is.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant: a number, 0 or 1 for false and true, or the index of a member of an enum. The type
    /// of the expression says which.
    Constant(Number),
    /// The value of a place. Reading an undefined value is an error at run time, except where a whole
    /// record or array is copied.
    Read(Place),
    /// An operator before its operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator between its operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? yes : no`; only one of the values is evaluated.
    Conditional(Box<[Expr; 3]>),
    /// `forall` or `exists`
    Quantified(QuantifierKind, Box<Binding>, Box<Expr>),
    /// A call of a function that has a result.
    Call(FunctionId, Vec<Argument>),
    /// True if the place, which is of a simple type, holds no value.
    IsUndefined(Place),
    /// True if the value, of an enum, a scalarset or a union of them, belongs to another such type, which has some of its values.
    /// Undefined is an error.
    IsMember(Box<Expr>, TypeId),
    /// How many elements of a multiset satisfy the condition. The binding is a choice.
    Count(Box<Binding>, Box<Expr>),
    /// The same value as a value of another type: from a member to its union, which always works, or from a
    /// union to a member, which is an error at run time if the value belongs to another one.
    Convert(Box<Expr>),
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!` of a boolean
    Not,
    /// `-` of a number
    Negate,
    /// `~` of a number
    BitNot,
}

impl UnaryOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Negate => "-",
            UnaryOp::BitNot => "~",
        }
    }
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `->` of booleans; the right side only matters if the left is true.
    Implies,
    /// "or" of booleans; the right side only matters if the left is false.
    Or,
    /// "and" of booleans; the right side only matters if the left is true.
    And,
    /// "or" of the bits of numbers
    BitOr,
    /// "exclusive or" of the bits of numbers
    BitXor,
    /// "and" of the bits of numbers
    BitAnd,
    /// `<` of numbers
    Less,
    /// `<=` of numbers
    LessEqual,
    /// `=` of two values of one type: also of records and arrays without multisets, and of two chosen
    /// places of one multiset
    Equal,
    /// `!=`, likewise
    NotEqual,
    /// `>=` of numbers
    GreaterEqual,
    /// `>` of numbers
    Greater,
    /// `<<` of numbers
    ShiftLeft,
    /// `>>` of numbers
    ShiftRight,
    /// `+` of numbers
    Add,
    /// `-` of numbers
    Subtract,
    /// `*` of numbers
    Multiply,
    /// `/` of numbers, towards 0
    Divide,
    /// `%` of numbers, with the sign of the left one
    Modulo,
}

impl BinaryOp {
    /// As it is shown: those of booleans are doubled, so that those of bits look different.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Implies => "->",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::BitAnd => "&",
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
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
        }
    }
}

/// A variable or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Where it begins.
    pub root: Root,
    /// The steps from there.
    pub projections: Vec<Projection>,
    /// The type of what is there.
    pub ty: TypeId,
    /// Where it is in the source.
    pub span: Span,
}

/// Where a place begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A variable.
    Variable(VariableId),
    /// An alias, of a place or of a value.
    Alias(AliasId),
}

/// One step into a record, array or multiset.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The step.
    pub kind: ProjectionKind,
    /// The type of what is reached.
    pub ty: TypeId,
    /// Where the step is in the source.
    pub span: Span,
}

/// What a step is.
#[derive(Clone, Debug, PartialEq)]
pub enum ProjectionKind {
    /// The field of that number.
    Field(usize),
    /// The element of an array. The index has the index type, except that any number may stand for a
    /// range: one outside is an error at run time.
    Index(Expr),
    /// The element of a multiset at the place that was chosen from it.
    Slot(VariableId),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A value, for a parameter that holds a copy. An undefined variable may be passed on.
    Value(Expr),
    /// `undefined`, for a parameter that holds a copy.
    Undefined,
    /// A place, for a parameter of exactly its type that is a [reference](super::VariableKind::is_reference); a writable one after `var`.
    Reference(Place),
}

/// A variable that goes through values.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The variable.
    pub variable: VariableId,
    /// The values.
    pub domain: Domain,
    /// Where it is in the source.
    pub span: Span,
}

/// The values that a variable goes through.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// All values of a simple type, in their order.
    Type(TypeId),
    /// The numbers from one to another; none if the step leads away from the last one, or the other way if there is no step and
    /// the [dialect](crate::Dialect) is Rumur's. Constant bounds are [`ExprKind::Constant`]; those of rulesets always are.
    Steps {
        /// The first number.
        from: Expr,
        /// The number that is not passed.
        to: Expr,
        /// The difference of a number and the next. A constant one is not 0.
        step: Option<Expr>,
    },
    /// The elements of a multiset.
    Elements(Place),
}
