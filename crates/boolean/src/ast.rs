//! The syntax tree of a Boolean program.

use mandala_model::source::Span;

pub(crate) use mandala_syntax::Ident;

/// A whole program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) globals: Vec<Ident>,
    pub(crate) functions: Vec<Function>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: Ident,
    /// How many results it has.
    pub(crate) results: usize,
    pub(crate) parameters: Vec<Ident>,
    pub(crate) body: Vec<Stmt>,
    /// The `end` behind it.
    pub(crate) end: Span,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) labels: Vec<Ident>,
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

/// What is assigned to: a variable, or nothing (`_`).
pub(crate) type Target = Option<Ident>;

/// What a statement does.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Skip,
    Goto(Vec<Ident>),
    Assign {
        targets: Vec<Target>,
        values: Vec<Expr>,
        constrain: Option<Expr>,
    },
    Call(Call),
    Return(Vec<Expr>),
    If {
        branches: Vec<(Expr, Vec<Stmt>)>,
        otherwise: Vec<Stmt>,
    },
    While(Expr, Vec<Stmt>),
    Decl(Vec<Ident>),
    Dead(Vec<Ident>),
    Assert(Expr),
    Assume(Expr),
    Enforce(Expr),
    Abortif(Expr),
    StartThread(Box<Stmt>),
    EndThread,
    AtomicBegin,
    AtomicEnd,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) targets: Vec<Target>,
    pub(crate) function: Ident,
    pub(crate) arguments: Vec<Expr>,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Constant(bool),
    /// `*`, each of its own.
    Any,
    Variable(Ident),
    /// `'x`: the value after the assignment.
    Next(Ident),
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// True if the first holds, false if the second does and the first does not, else either.
    Schoose(Box<Expr>, Box<Expr>),
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Implies,
}
