//! Scopes: names and their meanings.

use mandala_model::ids::{EnumId, GlobalId, LocalId, RecordId, TemplateId};
use mandala_model::source::Span;
use std::collections::HashMap;

/// The names of the whole model.
#[derive(Debug, Default)]
pub(super) struct Globals {
    /// Variables, with the unit that declares each.
    pub variables: HashMap<String, (GlobalId, usize)>,
    /// `mtype` constants.
    pub constants: HashMap<String, Constant>,
    /// `mtype` types: "" is the plain one.
    pub enums: HashMap<String, EnumId>,
    /// `typedef`s.
    pub records: HashMap<String, RecordId>,
    /// `proctype`s.
    pub templates: HashMap<String, TemplateId>,
}

/// An `mtype` constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constant {
    pub value: i64,
    pub span: Span,
}

/// The names inside one body, block by block.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    blocks: Vec<HashMap<String, LocalId>>,
    path: Vec<u32>,
    next: u32,
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        self.blocks.push(HashMap::new());
        self.path.push(self.next);
        self.next += 1;
    }

    pub(super) fn leave(&mut self) {
        self.blocks.pop();
        self.path.pop();
    }

    /// Names the block: two blocks have the same path only if they are the same.
    pub(super) fn path(&self) -> Vec<u32> {
        self.path.clone()
    }

    /// Declares a name in the innermost block; the local that has it there already, if any.
    pub(super) fn declare(&mut self, name: &str, local: LocalId) -> Option<LocalId> {
        self.blocks
            .last_mut()
            .expect("a body has a block")
            .insert(name.to_owned(), local)
    }

    pub(super) fn find(&self, name: &str) -> Option<LocalId> {
        self.blocks.iter().rev().find_map(|b| b.get(name)).copied()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.blocks
            .iter()
            .flat_map(|b| b.keys())
            .map(String::as_str)
    }
}
