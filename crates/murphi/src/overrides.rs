//! Constants that are given from outside: `-D NAME=VALUE`.
//!
//! Each value is a small source text of its own, so that a complaint about it can show it.

use crate::ast::Expr;
use crate::diagnostics::{Fallible, error_help};
use crate::{lexer, parser};
use mandala_model::source::{SourceText, Sources, Span};
use std::collections::BTreeMap;

/// The values that replace those of declared constants.
pub(crate) type Overrides = BTreeMap<String, Override>;

/// A value that replaces that of a declared constant.
pub(crate) struct Override {
    /// The value as it was given.
    pub(crate) value: Expr,
    /// Whether the declaration was met.
    pub(crate) used: bool,
}

/// Parses all values. They are added to the sources.
pub(crate) fn read(sources: &mut Sources, given: &[(String, String)]) -> Fallible<Overrides> {
    let mut overrides = Overrides::new();
    for (name, value) in given {
        let file = sources.add(SourceText::new(format!("-D {name}"), value.as_str()));
        if name.is_empty() {
            let whole = Span::new(file, 0, value.len());
            let help = "write `-D NAME=VALUE`";
            return Err(error_help(whole, "the constant has no name", help));
        }
        let value = parser::parse_value(lexer::lex(file, value)?)?;
        overrides.insert(name.clone(), Override { value, used: false });
    }
    Ok(overrides)
}
