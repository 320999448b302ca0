//! Variables that refer to one channel for as long as they exist.

use mandala_model::ids::TemplateId;
use std::collections::BTreeSet;

/// The variables that have a channel made for them and are never written.
#[derive(Debug, Default)]
pub(crate) struct Lasting {
    pub globals: BTreeSet<u32>,
    pub locals: BTreeSet<(TemplateId, u32)>,
}

/// Where a condition stands that a property asks of states: outside of all templates.
pub(crate) const OUTSIDE: TemplateId = TemplateId(u32::MAX);
