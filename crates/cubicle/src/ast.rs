//! The syntax tree of a system.

use mandala_model::source::Span;

pub(crate) use mandala_syntax::Ident;

/// A whole system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) types: Vec<TypeDeclaration>,
    pub(crate) variables: Vec<VariableDeclaration>,
    pub(crate) inits: Vec<Statement>,
    pub(crate) bad: Vec<Statement>,
    pub(crate) transitions: Vec<Transition>,
}

/// `type name = A | B`.
#[derive(Clone, Debug)]
pub(crate) struct TypeDeclaration {
    pub(crate) name: Ident,
    pub(crate) values: Vec<Ident>,
}

/// `var Name : type` or `array Name[proc] : type`.
#[derive(Clone, Debug)]
pub(crate) struct VariableDeclaration {
    pub(crate) name: Ident,
    /// The type of its index, if it is an array.
    pub(crate) index: Option<Ident>,
    pub(crate) kind: Ident,
}

/// `init (z) { .. }`, `unsafe (x y) { .. }` or `invariant (x) { .. }`.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// The word that it begins with.
    pub(crate) word: Ident,
    pub(crate) parameters: Vec<Ident>,
    pub(crate) formula: Formula,
    pub(crate) span: Span,
}

/// `transition name (x y) requires { .. } { .. }`.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Ident>,
    /// True if there is none.
    pub(crate) guard: Option<Formula>,
    pub(crate) updates: Vec<Update>,
    pub(crate) span: Span,
}

/// `Name := ..` or `Name[i] := ..`.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) target: Ident,
    pub(crate) index: Option<Ident>,
    pub(crate) value: NewValue,
    pub(crate) span: Span,
}

/// What an update assigns.
#[derive(Clone, Debug)]
pub(crate) enum NewValue {
    /// `.` or `?`: any value.
    Any(Span),
    Term(Term),
    /// The values of `case`, each with its condition, and the last one without.
    Cases(Vec<(Formula, Term)>, Term),
}

/// A name, or an element of an array.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) name: Ident,
    /// Whether the name begins with a small letter: it is that of a process.
    pub(crate) small: bool,
    pub(crate) index: Option<Ident>,
    pub(crate) span: Span,
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) kind: FormulaKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum FormulaKind {
    /// Whether two terms are equal, or are not.
    Compare(bool, Term, Term),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    /// For each process that no parameter is.
    ForallOther(Ident, Box<Formula>),
}
