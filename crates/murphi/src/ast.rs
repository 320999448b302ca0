//! The syntax tree of a Murphi model.
//!
//! The tree keeps the order and the structure of the source. Names are plain text: whether `x` is a
//! variable, a constant, an alias or a parameter is decided by the checker (see [`crate::typed`]).
//! Every node has a [`Span`]. Recursive walks are safe: the parser bounds the nesting of everything and
//! the [height](Expr::height) of expressions.

mod expr;
mod stmt;

pub use expr::{
    BinaryOp, Call, Designator, Expr, ExprKind, Number, Quantifier, QuantifierKind,
    QuantifierRange, Selector, Steps, UnaryOp,
};
pub use stmt::{Case, Clause, PropertyKind, Stmt, StmtKind};

use mandala_model::source::Span;
use std::sync::Arc;

/// A name as written, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Where it is.
    pub span: Span,
}

/// A string as written between its quotes, with its place (quotes included).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The inside of the quotes, backslashes kept.
    pub text: Arc<str>,
    /// Where it is.
    pub span: Span,
}

/// A whole model: declarations, functions and rules in source order, in any mixture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The parts.
    pub items: Vec<Item>,
}

/// One part of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A declaration of constants, types or variables.
    Decl(Decl),
    /// A function or procedure.
    Function(Function),
    /// A rule, or what may stand in its place.
    Rule(Rule),
}

/// One declaration. `const a: 1; b: 2` is two.
#[derive(Clone, Debug, PartialEq)]
pub enum Decl {
    /// `const a: 1`
    Constant(ExprDecl),
    /// `type t: 0..1`
    Type(TypeDecl),
    /// `var x: 0..1`
    Variable(TypeDecl),
}

/// Names for the value of an expression: a constant or an alias.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprDecl {
    /// The names; Rumur allows none.
    pub names: Vec<Ident>,
    /// The expression.
    pub value: Expr,
    /// From the first name to the expression.
    pub span: Span,
}

/// Names with a type: types, variables, or fields of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    /// The names; Rumur allows none.
    pub names: Vec<Ident>,
    /// The type.
    pub ty: TypeExpr,
    /// From the first name to the type.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeExprKind,
    /// Where it is.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeExprKind {
    /// `boolean`
    Boolean,
    /// A declared type.
    Name(Ident),
    /// `lo .. hi`
    Range(Box<Expr>, Box<Expr>),
    /// `enum { a, b }`
    Enum(Vec<Ident>),
    /// `scalarset(n)`
    Scalarset(Box<Expr>),
    /// `union { a, b }`
    Union(Vec<TypeExpr>),
    /// `record a: t; end`
    Record(Vec<TypeDecl>),
    /// `array [index] of element`
    Array(Box<TypeExpr>, Box<TypeExpr>),
    /// `multiset [capacity] of element`
    Multiset(Box<Expr>, Box<TypeExpr>),
}

/// A function, or a procedure: one without a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The type of the result.
    pub result: Option<TypeExpr>,
    /// Local declarations.
    pub decls: Vec<Decl>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The whole function.
    pub span: Span,
}

/// One group of parameters: `var a, b: t`
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// True after `var`: the function works on the caller's variable.
    pub by_reference: bool,
    /// The names and their type.
    pub decl: TypeDecl,
}

/// A rule, or what may stand in its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// `rule "name" guard ==> ... end`
    Simple(SimpleRule),
    /// `startstate "name" ... end`
    Start(StartState),
    /// `invariant "name" condition` and the like
    Property(Property),
    /// `ruleset i: t do ... end`
    Ruleset(Ruleset),
    /// `alias a: x do ... end`
    Alias(AliasRule),
    /// `choose i: m do ... end`
    Choose(ChooseRule),
}

/// `rule "name" guard ==> decls begin body end`
#[derive(Clone, Debug, PartialEq)]
pub struct SimpleRule {
    /// CMurphi's number before the name: 0 without one.
    pub priority: Number,
    /// The name, if one is given.
    pub name: Option<Text>,
    /// When it can be taken; always without one.
    pub guard: Option<Expr>,
    /// Local declarations.
    pub decls: Vec<Decl>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The whole rule.
    pub span: Span,
}

/// `startstate "name" decls begin body end`
#[derive(Clone, Debug, PartialEq)]
pub struct StartState {
    /// The name, if one is given.
    pub name: Option<Text>,
    /// Local declarations.
    pub decls: Vec<Decl>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The whole start state.
    pub span: Span,
}

/// `invariant "name" condition`, `assert`, `assume`, `cover`, `liveness`
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Which of them.
    pub kind: PropertyKind,
    /// The name, before or after the condition.
    pub name: Option<Text>,
    /// The condition.
    pub condition: Expr,
    /// The whole property.
    pub span: Span,
}

/// `ruleset quantifiers do rules end`
#[derive(Clone, Debug, PartialEq)]
pub struct Ruleset {
    /// The parameters.
    pub quantifiers: Vec<Quantifier>,
    /// What they are parameters of.
    pub rules: Vec<Rule>,
}

/// `alias aliases do rules end`
#[derive(Clone, Debug, PartialEq)]
pub struct AliasRule {
    /// The aliases.
    pub aliases: Vec<ExprDecl>,
    /// Where they are known.
    pub rules: Vec<Rule>,
}

/// `choose name: multiset do rules end`
#[derive(Clone, Debug, PartialEq)]
pub struct ChooseRule {
    /// The name of the chosen place in the multiset.
    pub name: Ident,
    /// The multiset.
    pub multiset: Designator,
    /// Where the choice is known.
    pub rules: Vec<Rule>,
}
