//! A model in which every question about names and types is answered.
//!
//! This is what the checker makes of the [syntax tree](crate::ast), and what a lowering walks. Promises:
//!
//! 1. Every name is resolved: variables, aliases, functions and scalarsets are rows of tables; constants
//!    and members of enums are their values; declared types are gone.
//! 2. Every expression and every place has a type, a [`TypeId`] into [`Program::types`], in which equal
//!    types are one. The operands of every operator have the types that it needs.
//! 3. Numbers of different ranges mix freely: whether a value fits the range of the place where it is
//!    stored is a question for run time, and so is everything about undefined values. Any other
//!    change of type is an [`ExprKind::Convert`] between a union and its members.
//! 4. Two scalarsets whose values are mixed are of equal size and have the same
//!    [representative](Scalarset::representative).
//! 5. Rules are flat: each carries the parameters and aliases around it, outermost first.
//! 6. What is written to is writable: no constant, no parameter without `var`, no parameter of a
//!    ruleset or loop, no alias of a value.
//! 7. The chosen place of a multiset is only used with the multiset that it was chosen from.
//!
//! `Display` shows a program as text, for tests and for people who write lowerings.

mod display;
mod expr;
mod formula;
mod stmt;
mod types;
pub(crate) mod walk;

pub use crate::Dialect;
pub use crate::ast::{Number, PropertyKind, QuantifierKind};
pub use expr::{
    Argument, BinaryOp, Binding, Domain, Expr, ExprKind, Place, Projection, ProjectionKind, Root,
    UnaryOp,
};
pub use formula::{Claim, ClaimKind, Formula, FormulaKind};
pub use stmt::{Case, Clause, Put, Stmt, StmtKind};
pub use types::{Field, Scalarset, Type, TypeKind, Types};

use mandala_model::source::Span;
use std::sync::Arc;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the table that it names a row of.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                $name(index as u32)
            }
        }
    )*};
}

ids! {
    /// A type.
    TypeId;
    /// A scalarset.
    ScalarsetId;
    /// A variable of any kind: global, local, a parameter, or what a quantifier or loop goes through.
    VariableId;
    /// An alias.
    AliasId;
    /// A function or procedure.
    FunctionId;
}

/// A checked model.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The tool whose meaning the model has.
    pub dialect: Dialect,
    /// All types, and the scalarsets.
    pub types: Types,
    /// The declared constants, in source order: for reports only, their values are put in everywhere.
    pub constants: Vec<Constant>,
    /// All variables.
    pub variables: Vec<Variable>,
    /// The variables of the state, in source order.
    pub globals: Vec<VariableId>,
    /// Local variables with multisets in them: they are kept in the state, where nothing is in them between steps.
    pub local_multisets: Vec<VariableId>,
    /// All aliases.
    pub aliases: Vec<Alias>,
    /// The functions and procedures, in source order. One calls itself or earlier ones.
    pub functions: Vec<Function>,
    /// The start states, in source order.
    pub start_states: Vec<StartState>,
    /// The rules, in source order.
    pub rules: Vec<Rule>,
    /// The properties, in source order.
    pub properties: Vec<Property>,
    /// What is claimed of runs.
    pub claims: Vec<Claim>,
}

impl Program {
    /// The variable of that id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The alias of that id.
    pub fn alias(&self, id: AliasId) -> &Alias {
        &self.aliases[id.index()]
    }

    /// The function of that id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }
}

/// A declared constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name.
    pub name: Arc<str>,
    /// A number, the index of a member of an enum, or 0 and 1 for false and true.
    pub value: Number,
    /// What the value is a value of.
    pub ty: TypeId,
    /// Where the name is declared.
    pub span: Span,
}

/// A variable of any kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name. Not unique: inner declarations hide outer ones.
    pub name: Arc<str>,
    /// The type.
    pub ty: TypeId,
    /// The kind.
    pub kind: VariableKind,
    /// Where the name is declared.
    pub span: Span,
}

/// The kind of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// A part of the state.
    Global,
    /// A local variable of a rule, start state or function; undefined at first.
    Local,
    /// A parameter of a function that holds a copy of the argument; never written to.
    Value,
    /// A `var` parameter of a function: another name for a variable of the caller.
    Reference,
    /// A parameter of a function without `var` whose type has multisets in it: another name for a variable of the caller, never
    /// written to by that name.
    Seen,
    /// What a ruleset, loop, quantifier or choice goes through; never written to.
    Bound,
}

impl VariableKind {
    /// True for parameters that are other names for variables of the caller.
    pub fn is_reference(self) -> bool {
        matches!(self, VariableKind::Reference | VariableKind::Seen)
    }

    /// True if statements may write to variables of the kind.
    pub fn is_writable(self) -> bool {
        matches!(
            self,
            VariableKind::Global | VariableKind::Local | VariableKind::Reference
        )
    }
}

/// Another name for a place, or a name for a value.
///
/// The indices in the place, or the value, are evaluated once, where the alias begins: what the body
/// does to the variables in them changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// Its name.
    pub name: Arc<str>,
    /// What it stands for.
    pub target: AliasTarget,
    /// The type of that.
    pub ty: TypeId,
    /// Where the name is declared.
    pub span: Span,
}

/// What an alias stands for. An alias of a constant does not get this far: its value is put in.
#[derive(Clone, Debug, PartialEq)]
pub enum AliasTarget {
    /// A place, which can be written to if its root can.
    Place(Place),
    /// A value, which cannot be written to.
    Value(Expr),
}

/// A function, or a procedure: one without a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// The parameters, of kind [`VariableKind::Value`], [`VariableKind::Reference`] or [`VariableKind::Seen`].
    pub parameters: Vec<VariableId>,
    /// The type of the result.
    pub result: Option<TypeId>,
    /// The local variables.
    pub locals: Vec<VariableId>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Where the name is declared.
    pub name_span: Span,
    /// The whole function.
    pub span: Span,
}

/// Something around a rule, a start state or a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Binder {
    /// A parameter of a ruleset, or a choice from a multiset: one instance for each value.
    Each(Box<Binding>),
    /// An alias.
    Alias(AliasId),
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The name, if it has one.
    pub name: Option<Arc<str>>,
    /// What is around it, outermost first.
    pub binders: Vec<Binder>,
    /// When it can be taken; always without one.
    pub guard: Option<Expr>,
    /// The local variables.
    pub locals: Vec<VariableId>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The whole rule.
    pub span: Span,
}

/// A start state: what it does to the state in which everything is undefined.
#[derive(Clone, Debug, PartialEq)]
pub struct StartState {
    /// The name, if it has one.
    pub name: Option<Arc<str>>,
    /// What is around it, outermost first.
    pub binders: Vec<Binder>,
    /// The local variables.
    pub locals: Vec<VariableId>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The whole start state.
    pub span: Span,
}

/// A property of the states.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// What the condition is demanded for.
    pub kind: PropertyKind,
    /// The name, if it has one.
    pub name: Option<Arc<str>>,
    /// What is around it, outermost first. With parameters, it is one property for each combination.
    pub binders: Vec<Binder>,
    /// The condition.
    pub condition: Expr,
    /// The whole property.
    pub span: Span,
}
