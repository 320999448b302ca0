//! Declarations of symmetry: what is written in comments that start with `@`, and in the file that
//! accompanies a model.

use super::{Expr, Ident};
use mandala_model::source::Span;

/// One declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum SymmetryDecl {
    /// `scalarset ID = 1 .. N: uses`
    Scalarset(Box<ScalarsetDecl>),
    /// `symmetric P, Q`: the processes of each of these proctypes are interchangeable.
    Symmetric(Vec<Ident>),
}

/// `scalarset ID = 1 .. N: uses`
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarsetDecl {
    /// From the keyword to the last use.
    pub span: Span,
    /// The name of the set.
    pub name: Ident,
    /// Which values are its names.
    pub bounds: Bounds,
    /// Where they occur.
    pub uses: Vec<SymmetryUse>,
}

/// Which values are the names of a set.
#[derive(Clone, Debug, PartialEq)]
pub enum Bounds {
    /// `[n]`: from 0 to n - 1.
    Size(Expr),
    /// `= first .. last`
    Range(Expr, Expr),
}

/// `ID next[ID]`, `Client.id`, `network[ID] {_, ID}`
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetryUse {
    /// The whole.
    pub span: Span,
    /// The set whose names it holds, if one is written in front.
    pub holds: Option<Ident>,
    /// A variable, a proctype or a type, and the way into it; at least one step.
    pub path: Vec<UseStep>,
    /// The fields of the messages of a channel.
    pub message: Option<MessageUse>,
}

/// A name, with an index if it is an array.
#[derive(Clone, Debug, PartialEq)]
pub struct UseStep {
    /// The name.
    pub name: Ident,
    /// What it is indexed by.
    pub index: Option<IndexUse>,
}

/// What an array is indexed by: `[ID]`, or `[]` where nothing is said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexUse {
    /// With the brackets.
    pub span: Span,
    /// The set whose names index the array.
    pub names: Option<Ident>,
}

/// `{_, ID, {ID, _}}`
#[derive(Clone, Debug, PartialEq)]
pub struct MessageUse {
    /// With the braces.
    pub span: Span,
    /// One for each field.
    pub fields: Vec<FieldUse>,
}

/// What a field of a message holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldUse {
    /// `_`: nothing is said about it.
    Plain(Span),
    /// Names of this set.
    Names(Ident),
    /// A structure, field by field.
    Parts(MessageUse),
}
