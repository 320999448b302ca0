//! Facts about one process that hold for as long as it lives.

use crate::ids::LocalId;
use crate::state::Value;
use std::collections::HashMap;

/// What is known of one process for as long as it lives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Birth {
    /// Its number, if that is known.
    pub number: Option<u32>,
    /// What is in cells of local variables that [never change](super::Analysis::is_fixed).
    pub fixed: HashMap<(LocalId, u32), Value>,
}
