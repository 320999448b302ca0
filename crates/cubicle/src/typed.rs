//! A system in which every question about names and types is answered.

use mandala_model::source::Span;
use std::sync::Arc;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Process,
    /// One of the values of the type of that number.
    Named(usize),
}

/// A type whose values have names.
#[derive(Clone, Debug)]
pub(crate) struct NamedType {
    pub(crate) name: Arc<str>,
    pub(crate) values: Vec<Arc<str>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Arc<str>,
    pub(crate) kind: Kind,
    pub(crate) is_array: bool,
    pub(crate) span: Span,
}

/// A process that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Process {
    /// The parameter of that number.
    Parameter(usize),
    /// The one that the formula or the update around is about.
    Each,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TermKind {
    /// A value of a type, counted from 0.
    Value(Kind, usize),
    /// The variable of that number.
    Shared(usize),
    /// The element of the array of that number.
    Element(usize, Process),
    Process(Process),
}

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
    ForallOther(Box<Formula>),
}

/// The value that something gets.
#[derive(Clone, Debug)]
pub(crate) struct NewValue {
    /// What it is in each case, of which the first that is true counts.
    pub(crate) cases: Vec<(Formula, Term)>,
    pub(crate) otherwise: Term,
}

#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) target: Target,
    pub(crate) value: UpdateValue,
    pub(crate) span: Span,
}

/// What an update changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Shared(usize),
    /// The element of a parameter.
    Element(usize, usize),
    /// All elements.
    Array(usize),
}

#[derive(Clone, Debug)]
pub(crate) enum UpdateValue {
    Any(Span),
    New(NewValue),
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) name: Arc<str>,
    pub(crate) parameters: Vec<(Arc<str>, Span)>,
    pub(crate) guard: Option<Formula>,
    pub(crate) updates: Vec<Update>,
    pub(crate) span: Span,
}

/// What must not be reached.
#[derive(Clone, Debug)]
pub(crate) struct Bad {
    pub(crate) name: String,
    pub(crate) parameters: Vec<(Arc<str>, Span)>,
    pub(crate) formula: Formula,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) types: Vec<NamedType>,
    pub(crate) variables: Vec<Variable>,
    /// For each process, which is [`Process::Each`] here.
    pub(crate) init: Formula,
    pub(crate) init_span: Span,
    pub(crate) bad: Vec<Bad>,
    pub(crate) transitions: Vec<Transition>,
}

impl NewValue {
    pub(crate) fn of(term: Term) -> Self {
        NewValue {
            cases: Vec::new(),
            otherwise: term,
        }
    }

    /// All terms in it.
    pub(crate) fn terms(&self) -> Vec<Term> {
        let mut terms = vec![self.otherwise];
        for (condition, value) in &self.cases {
            terms.push(*value);
            condition.each_term(&mut |term| terms.push(term));
        }
        terms
    }
}

impl Formula {
    /// Calls `visit` on all terms in it.
    pub(crate) fn each_term(&self, visit: &mut impl FnMut(Term)) {
        match &self.kind {
            FormulaKind::Compare(_, left, right) => {
                visit(*left);
                visit(*right);
            }
            FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                parts.iter().for_each(|part| part.each_term(visit));
            }
            FormulaKind::Not(part) | FormulaKind::ForallOther(part) => part.each_term(visit),
        }
    }
}
