//! Constants of a model that are given from outside: `-D NAME=VALUE`.
//!
//! Each value is a small source text of its own, so that a complaint about it can show it. What a value looks like is a matter of the
//! language, so a front end says how it is read.

use crate::findings::{Fallible, error_help};
use crate::source::{FileId, SourceText, Sources, Span};
use std::collections::BTreeMap;

/// A definition as the command line gives it: `NAME=VALUE`, or `NAME`, which means 1.
pub fn definition(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    (name.trim().to_string(), value.to_string())
}

/// Values from outside, each with whether somebody has asked for it.
#[derive(Debug)]
pub struct Definitions<V>(BTreeMap<String, (V, bool)>);

impl<V> Definitions<V> {
    /// Reads all values. They are added to the sources; of two for one name the last counts.
    pub fn read(
        sources: &mut Sources,
        given: &[(String, String)],
        value: impl Fn(FileId, &str) -> Fallible<V>,
    ) -> Fallible<Self> {
        let mut definitions = BTreeMap::new();
        for (name, text) in given {
            let file = sources.add(SourceText::new(format!("-D {name}"), text.as_str()));
            if name.is_empty() {
                let whole = Span::new(file, 0, text.len());
                let help = "write `-D NAME=VALUE`";
                return Err(error_help(whole, "the constant has no name", help));
            }
            definitions.insert(name.clone(), (value(file, text)?, false));
        }
        Ok(Definitions(definitions))
    }

    /// The value for a name; it is used then.
    pub fn get(&mut self, name: &str) -> Option<&V> {
        let (value, used) = self.0.get_mut(name)?;
        *used = true;
        Some(value)
    }

    /// The values that nobody has asked for, with their names.
    pub fn unused(&self) -> impl Iterator<Item = (&str, &V)> {
        let unused = self.0.iter().filter(|(_, (_, used))| !used);
        unused.map(|(name, (value, _))| (name.as_str(), value))
    }
}
