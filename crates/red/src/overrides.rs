//! Constants that are given from outside: `-D NAME=VALUE`.
//!
//! Each value is a small source text of its own, so that a complaint about it can show it.

use crate::ast::Expr;
use crate::diagnostics::{Fallible, error_help};
use crate::{lexer, parser};
use mandala_model::source::{SourceText, Sources, Span};
use std::collections::BTreeMap;

/// The values that nobody has asked for yet.
#[derive(Debug, Default)]
pub(crate) struct Overrides(BTreeMap<String, Expr>);

impl Overrides {
    /// Parses all values. They are added to the sources; of two for one name the last counts.
    pub(crate) fn read(sources: &mut Sources, given: &[(String, String)]) -> Fallible<Overrides> {
        let mut overrides = BTreeMap::new();
        for (name, value) in given {
            let file = sources.add(SourceText::new(format!("-D {name}"), value.as_str()));
            if name.is_empty() {
                let whole = Span::new(file, 0, value.len());
                let help = "write `-D NAME=VALUE`";
                return Err(error_help(whole, "the constant has no name", help));
            }
            let value = parser::parse_value(lexer::lex(file, value)?)?;
            overrides.insert(name.clone(), value);
        }
        Ok(Overrides(overrides))
    }

    /// The value for a name; it is used then.
    pub(crate) fn take(&mut self, name: &str) -> Option<Expr> {
        self.0.remove(name)
    }

    /// The names whose values are not used.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A name, and where its value stands.
    pub(crate) fn span(&self, name: &str) -> Option<(String, Span)> {
        let value = self.0.get(name)?;
        Some((name.to_string(), value.span))
    }
}
