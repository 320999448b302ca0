//! The syntax tree of a Promela model.
//!
//! The tree keeps the source order and the source structure: nothing is desugared (`for`, `select`
//! and `++` stay what they are), so that whoever numbers statements can follow the order in which
//! they were written. Names are plain text: whether `x` is a variable, an `mtype` constant or a
//! channel is decided by name resolution, not here.
//!
//! Every node has a [`Span`]. A token that came out of a macro has the span of the place where the
//! macro was used; a token of an `inline` body keeps its place in the definition, and the
//! [`InlineCall`] says from where it was called.
//!
//! Recursive walks are safe: the parser bounds both the nesting of statements and the
//! [height](Expr::height) of expressions.

pub mod display;
mod expr;
mod stmt;
mod symmetry;

pub use expr::{
    BinaryOp, Expr, ExprKind, Field, Literal, Predefined, Probe, RemoteRef, RunExpr, UnaryOp,
    VarRef,
};
pub use stmt::{
    ForRange, InlineCall, Receive, ReceiveArg, ReceiveArgKind, ReceiveOp, Select, Send, Sequence,
    Stmt, StmtKind,
};
pub use symmetry::{
    Bounds, FieldUse, IndexUse, MessageUse, ScalarsetDecl, SymmetryDecl, SymmetryUse, UseStep,
};

use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_temporal::Hoa;
use std::sync::Arc;

/// A name as written, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Where it is.
    pub span: Span,
}

/// A whole model: its units in source order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The units in source order, those of included files in their place.
    pub units: Vec<Unit>,
    /// The declarations of symmetry in source order, those of the accompanying file last.
    pub symmetry: Vec<SymmetryDecl>,
    /// The properties in comments of the model, then those that are stated beside it.
    pub stated: Vec<StatedProperty>,
}

/// A property beside the model.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedProperty {
    /// What it is written in.
    pub form: StatedForm,
    /// The name, if one is given.
    pub name: Option<String>,
    /// All of it.
    pub span: Span,
    /// What it says.
    pub body: StatedBody,
}

/// What a property beside the model says.
#[derive(Clone, Debug, PartialEq)]
pub enum StatedBody {
    /// An expression, with temporal operators where the form has any.
    Formula(Expr),
    /// The same for each of some numbers, or for all combinations of such: `forall i in P: forall j in P: ...`
    Indexed(Vec<Quantifier>, Expr),
    /// What the form says of the labels of processes.
    Labels,
    /// An automaton that follows the runs that violate the property, and what its propositions stand for.
    Automaton(Box<Hoa>, Vec<Expr>),
}

/// `forall i in ...:`
#[derive(Clone, Debug, PartialEq)]
pub struct Quantifier {
    /// The name for each of the numbers.
    pub variable: Ident,
    /// The numbers.
    pub domain: IndexDomain,
}

/// Some numbers that a formula is about.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexDomain {
    /// `1 .. N`: from the one to the other, both included.
    Range(Box<Expr>, Box<Expr>),
    /// The numbers of the processes of a proctype that exist from the start.
    Processes(Ident),
}

/// One top-level item.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// `proctype P(...) { ... }`
    Proctype(Proctype),
    /// `init { ... }`
    Init(Init),
    /// `never { ... }`
    Never(Never),
    /// `trace { ... }` or `notrace { ... }`
    Trace(Trace),
    /// `ltl name { ... }`
    Ltl(Ltl),
    /// `typedef T { ... }`
    Typedef(Typedef),
    /// `mtype = { ... }`
    Mtype(MtypeDecl),
    /// A declaration of global variables or channels.
    Decl(Decl),
    /// `inline f(a, b) { ... }`, kept for reference: calls are already expanded.
    Inline(InlineDef),
}

impl Unit {
    /// Where the unit is.
    pub fn span(&self) -> Span {
        match self {
            Unit::Proctype(p) => p.span,
            Unit::Init(i) => i.span,
            Unit::Never(n) => n.span,
            Unit::Trace(t) => t.span,
            Unit::Ltl(l) => l.span,
            Unit::Typedef(t) => t.span,
            Unit::Mtype(m) => m.span,
            Unit::Decl(d) => d.span,
            Unit::Inline(i) => i.span,
        }
    }
}

/// `active [n] proctype P(params) priority k provided (e) { body }`
#[derive(Clone, Debug, PartialEq)]
pub struct Proctype {
    /// The whole unit.
    pub span: Span,
    /// Whether, and how often, it is started at the beginning.
    pub active: Active,
    /// True for `D_proctype`.
    pub deterministic: bool,
    /// Its name.
    pub name: Ident,
    /// The parameters: declarations, none of which the parser has checked for initialisers.
    pub params: Vec<Decl>,
    /// `priority k`
    pub priority: Option<Priority>,
    /// `provided (e)`
    pub provided: Option<Box<Expr>>,
    /// What it does.
    pub body: Sequence,
}

/// How many instances of a proctype run from the start.
#[derive(Clone, Debug, PartialEq)]
pub enum Active {
    /// Without `active`: none.
    No,
    /// `active`: one.
    One,
    /// `active [n]`: a constant expression, or the name of an initialised variable.
    Count(Expr),
}

/// `priority k`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priority {
    /// The constant.
    pub value: i32,
    /// The keyword and the constant.
    pub span: Span,
}

/// `init priority k { body }`
#[derive(Clone, Debug, PartialEq)]
pub struct Init {
    /// The whole unit.
    pub span: Span,
    /// The keyword `init`.
    pub keyword: Span,
    /// `priority k`
    pub priority: Option<Priority>,
    /// What it does.
    pub body: Sequence,
}

/// `never name { body }`
#[derive(Clone, Debug, PartialEq)]
pub struct Never {
    /// The whole unit.
    pub span: Span,
    /// The keyword `never`.
    pub keyword: Span,
    /// The name, if one is given.
    pub name: Option<Ident>,
    /// The claim.
    pub body: Sequence,
}

/// `trace { body }` or `notrace { body }`
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The whole unit.
    pub span: Span,
    /// The keyword.
    pub keyword: Span,
    /// True for `notrace`.
    pub negated: bool,
    /// The events.
    pub body: Sequence,
}

/// `ltl name { formula }`
#[derive(Clone, Debug, PartialEq)]
pub struct Ltl {
    /// The whole unit.
    pub span: Span,
    /// The keyword `ltl`.
    pub keyword: Span,
    /// The name, if one is given.
    pub name: Option<Ident>,
    /// The formula: an expression with temporal operators.
    pub formula: Expr,
}

/// `typedef T { fields }`
#[derive(Clone, Debug, PartialEq)]
pub struct Typedef {
    /// The whole unit.
    pub span: Span,
    /// The name of the type.
    pub name: Ident,
    /// The fields.
    pub fields: Vec<Decl>,
}

/// `mtype = { a, b }` or `mtype:sub = { a, b }`
#[derive(Clone, Debug, PartialEq)]
pub struct MtypeDecl {
    /// The whole unit.
    pub span: Span,
    /// The name of the subtype, if one is given.
    pub subtype: Option<Ident>,
    /// The constants in source order.
    pub names: Vec<Ident>,
}

/// `inline f(a, b) { ... }`
#[derive(Clone, Debug, PartialEq)]
pub struct InlineDef {
    /// The whole unit.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// The formal parameters.
    pub params: Vec<Ident>,
    /// The body, with its braces.
    pub body: Span,
}

/// One declaration: `hidden byte a, b[3] = 1`
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// From the visibility or the type to the last variable.
    pub span: Span,
    /// `hidden`, `show` or `local`, if given.
    pub visibility: Option<Visibility>,
    /// The type.
    pub ty: DeclType,
    /// The type as written.
    pub ty_span: Span,
    /// The variables, at least one unless there was an error.
    pub vars: Vec<Var>,
}

/// The prefix of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Shown in message sequence charts.
    Show,
    /// Used by one process only, by the author's word.
    Local,
}

/// The type of declared variables, or of a field of a channel's messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclType {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; the widths are with the variables.
    Unsigned,
    /// `pid`
    Pid,
    /// `chan`
    Chan,
    /// `mtype` or `mtype:name`
    Mtype(Option<Ident>),
    /// The name of a `typedef`.
    User(Ident),
}

/// One variable of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// The name to the end of the initialiser.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// `: 3`, the number of bits; only meaningful with `unsigned`.
    pub width: Option<Width>,
    /// `[n]`: a constant expression, or the name of an initialised variable.
    pub size: Option<Expr>,
    /// What it starts with.
    pub init: Option<Initializer>,
}

/// `: 3`, the number of bits of an `unsigned` variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// The number as written.
    pub bits: i32,
    /// Where the number is.
    pub span: Span,
}

/// What a declared variable starts with.
#[derive(Clone, Debug, PartialEq)]
pub enum Initializer {
    /// `= e`
    Expr(Expr),
    /// `= { 1, 2, 3 }`: constants for the elements of an array.
    List(Vec<Expr>, Span),
    /// `= [n] of { types }`
    Channel(ChannelInit),
}

/// `[capacity] of { fields }`
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelInit {
    /// From the bracket to the closing brace.
    pub span: Span,
    /// A constant expression; 0 makes a rendezvous channel.
    pub capacity: Expr,
    /// The types of a message's fields.
    pub fields: Vec<MessageField>,
}

/// One type of `[n] of { types }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageField {
    /// The type.
    pub ty: DeclType,
    /// Where it is.
    pub span: Span,
}
