//! Statements.

use super::{Call, Designator, Expr, ExprDecl, Ident, Quantifier, Text};
use mandala_model::source::Span;

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it is.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `x := e`
    Assign(Designator, Expr),
    /// `alias a: x do ... end`
    Alias(Vec<ExprDecl>, Vec<Stmt>),
    /// `f(a, b)`
    Call(Call),
    /// `clear x`
    Clear(Designator),
    /// `error "text"`
    Error(Text),
    /// `for i: t do ... end`
    For(Vec<Quantifier>, Vec<Stmt>),
    /// `if a then ... elsif b then ... else ... end`
    If(Vec<Clause>, Vec<Stmt>),
    /// `multisetremovepred(i: m, condition)`
    MultisetRemovePred(Ident, Designator, Expr),
    /// `assert e "text"` and the like
    Property(PropertyKind, Option<Text>, Expr),
    /// `put e`
    PutExpr(Expr),
    /// `put "text"`
    PutText(Text),
    /// `return e`
    Return(Option<Expr>),
    /// `switch e case a, b: ... else ... end`
    Switch(Expr, Vec<Case>, Vec<Stmt>),
    /// `undefine x`
    Undefine(Designator),
    /// `while e do ... end`
    While(Expr, Vec<Stmt>),
}

/// A condition and what is done if it is true.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The condition.
    pub condition: Expr,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// Values and what is done for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The values, at least one.
    pub values: Vec<Expr>,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// What a condition is demanded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// `invariant` or `assert`, which mean the same: it must be true.
    Invariant,
    /// `assume`: where it is false, nothing is looked at.
    Assume,
    /// `cover`: it must become true somewhere.
    Cover,
    /// `liveness`: from everywhere, a state where it is true can be reached.
    Liveness,
}
