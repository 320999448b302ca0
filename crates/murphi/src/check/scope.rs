//! Scopes: the names that are known, and their meanings.

use crate::ast::Ident;
use crate::typed::{AliasId, FunctionId, Number, TypeId, Types, VariableId};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error_help, fail};
use mandala_model::source::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Constant(Number, TypeId),
    Type(TypeId),
    Variable(VariableId),
    Alias(AliasId),
    Function(FunctionId),
}

impl Meaning {
    /// What it is in an error message.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Meaning::Constant(..) => "a constant",
            Meaning::Type(_) => "a type",
            Meaning::Variable(_) => "a variable",
            Meaning::Alias(_) => "an alias",
            Meaning::Function(_) => "a function",
        }
    }
}

/// A name that is known, and where it was declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) meaning: Meaning,
    pub(super) span: Option<Span>,
}

/// The open scopes, outermost first. The first is that of the model.
pub(super) struct Scopes {
    list: Vec<HashMap<Arc<str>, Symbol>>,
}

impl Scopes {
    /// The scope of the model with `true` and `false`.
    pub(super) fn new() -> Scopes {
        let constant = |value| Symbol {
            meaning: Meaning::Constant(value, Types::BOOLEAN),
            span: None,
        };
        let known = [("false".into(), constant(0)), ("true".into(), constant(1))];
        Scopes {
            list: vec![HashMap::from(known)],
        }
    }

    pub(super) fn open(&mut self) {
        self.list.push(HashMap::new());
    }

    /// Closes the innermost scope. That of the model stays.
    pub(super) fn close(&mut self) {
        self.list.truncate((self.list.len() - 1).max(1));
    }

    /// Closes all scopes but that of the model.
    pub(super) fn close_all(&mut self) {
        self.list.truncate(1);
    }

    /// Makes a name known in the innermost scope.
    pub(super) fn declare(&mut self, name: &Ident, meaning: Meaning) -> Fallible<()> {
        self.declare_in(self.list.len() - 1, name, meaning)
    }

    /// Makes a name known in the scope of the model.
    pub(super) fn declare_global(&mut self, name: &Ident, meaning: Meaning) -> Fallible<()> {
        self.declare_in(0, name, meaning)
    }

    fn declare_in(&mut self, scope: usize, name: &Ident, meaning: Meaning) -> Fallible<()> {
        if matches!(&*name.name, "true" | "false") {
            let message = format!("`{}` cannot be declared", name.name);
            return Err(error_help(
                name.span,
                message,
                "it is a constant of the language",
            ));
        }
        let symbol = Symbol {
            meaning,
            span: Some(name.span),
        };
        match self.list[scope].insert(name.name.clone(), symbol) {
            Some(Symbol {
                span: Some(first), ..
            }) => {
                let message = format!("`{}` is declared twice", name.name);
                fail(
                    Diagnostic::error(name.span, message)
                        .with_related(first, "first declared here"),
                )
            }
            _ => Ok(()),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        self.list
            .iter()
            .rev()
            .find_map(|scope| scope.get(name).copied())
    }

    /// The known names whose meaning is such.
    pub(super) fn names(&self, is_such: impl Fn(Meaning) -> bool) -> impl Iterator<Item = &str> {
        let all = self.list.iter().flatten();
        all.filter(move |(_, symbol)| is_such(symbol.meaning))
            .map(|(name, _)| &**name)
    }
}
