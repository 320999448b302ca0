//! Statements.

use super::{AliasId, Argument, Binding, Expr, FunctionId, Place, PropertyKind, VariableId};
use mandala_model::source::Span;
use std::sync::Arc;

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
    /// `x := e`, where the value has the type of the place, or both are numbers.
    Assign(Place, Expr),
    /// `undefine x` or `x := undefined`: all parts lose their values.
    Undefine(Place),
    /// `clear x`: all parts get the first value of their types; multisets become empty.
    Clear(Place),
    /// The first clause whose condition is true, or the rest.
    If(Vec<Clause>, Vec<Stmt>),
    /// The first case that has the value, or the rest.
    Switch(Expr, Vec<Case>, Vec<Stmt>),
    /// A loop over the values of a binding.
    For(Box<Binding>, Vec<Stmt>),
    /// A loop while the condition is true.
    While(Expr, Vec<Stmt>),
    /// Aliases that begin here, in order, and their body.
    Alias(Vec<AliasId>, Vec<Stmt>),
    /// A call. A result is dropped.
    Call(FunctionId, Vec<Argument>),
    /// The end of the rule, start state, procedure or function, with the result of a function.
    Return(Option<Expr>),
    /// Output.
    Put(Put),
    /// The model is wrong if this is reached.
    Error(Arc<str>),
    /// `assert`, `assume` or `cover`; never `liveness`.
    Property {
        /// Which of them.
        kind: PropertyKind,
        /// The message, if there is one.
        message: Option<Arc<str>>,
        /// The condition.
        condition: Expr,
    },
    /// Adds an element to a multiset.
    MultisetAdd(Expr, Place),
    /// Removes the element at the place that was chosen from the multiset.
    MultisetRemove(VariableId, Place),
    /// Removes all elements that satisfy the condition. The binding is a choice.
    MultisetRemoveWhere(Box<Binding>, Expr),
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
    /// The values, which need not be constant.
    pub values: Vec<Expr>,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// What is put out.
#[derive(Clone, Debug, PartialEq)]
pub enum Put {
    /// A text.
    Text(Arc<str>),
    /// A value of a simple type.
    Value(Expr),
    /// What is at a place, of any type.
    Place(Place),
}
