//! The names on which the grammar depends: those of types, inlines and proctypes.

use crate::ast::Ident;
use crate::token::{Token, TokenKind};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The meanings of the names seen so far, as far as the grammar depends on them.
#[derive(Clone, Default)]
pub(super) struct Names {
    pub(super) typedefs: HashSet<Arc<str>>,
    pub(super) inlines: HashMap<Arc<str>, Rc<InlineText>>,
    /// Proctypes up to here, the one that is being read included.
    pub(super) proctypes: HashSet<Arc<str>>,
    /// All names after `proctype` and after `inline` in the whole model.
    pub(super) all_proctypes: HashSet<Arc<str>>,
    pub(super) all_inlines: HashSet<Arc<str>>,
}

impl Names {
    pub(super) fn scan(tokens: &[Token]) -> Names {
        let mut names = Names::default();
        for pair in tokens.windows(2) {
            let name = pair[1].text.clone();
            match pair[0].kind {
                TokenKind::Proctype | TokenKind::DProctype => names.all_proctypes.extend(name),
                TokenKind::Inline => names.all_inlines.extend(name),
                _ => {}
            }
        }
        names
    }

    /// True for names that are more than a variable or label: no separator is implied after them.
    pub(super) fn is_special(&self, name: &str) -> bool {
        self.typedefs.contains(name)
            || self.inlines.contains_key(name)
            || self.proctypes.contains(name)
    }
}

/// An inline as defined.
pub(super) struct InlineText {
    pub(super) name: Ident,
    pub(super) params: Vec<Ident>,
    /// With the braces.
    pub(super) body: Vec<Token>,
}
