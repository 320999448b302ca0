//! Counts of the executions of statements.

use serde::{Deserialize, Serialize};

/// A statement and how often it was executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementCount {
    /// The process or claim that it is a statement of.
    pub process: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The statement.
    pub statement: String,
    /// How often the search executed it, each way that it tried counted; 0 if never.
    pub count: u64,
}
