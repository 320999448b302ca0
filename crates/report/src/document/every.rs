//! The part of a document about every size of a family.

use super::Place;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What was found about a family of every size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Every {
    /// The constant or macro that says how large the family is.
    pub constant: String,
    /// The family: a set of names or processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// The answer.
    pub answer: EveryAnswer,
    /// The smallest size with which something is violated, if that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<u32>,
    /// How many members a view has, of the views that decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    /// How many members more a configuration has at the most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub w: Option<u32>,
    /// How many views there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub views: Option<u64>,
    /// How many configurations were looked at, views included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configurations: Option<u64>,
    /// What the answer is about.
    pub covered: Vec<String>,
    /// What is selected and cannot be decided by views.
    pub not_covered: Vec<String>,
    /// The sizes that were searched state by state.
    pub searched: Vec<SearchedSize>,
    /// The sizes of views that were tried.
    pub tried: Vec<TriedViews>,
    /// Why views say nothing of the model, if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedCondition>,
}

/// The answer for every size of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EveryAnswer {
    /// Something is violated with some size.
    Violated,
    /// All that is covered holds with every size.
    Holds,
    /// The model does not satisfy a condition under which views prove anything.
    Refused,
    /// Not decided.
    Unknown,
}

impl fmt::Display for EveryAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EveryAnswer::Violated => "violated",
            EveryAnswer::Holds => "holds",
            EveryAnswer::Refused => "refused",
            EveryAnswer::Unknown => "unknown",
        })
    }
}

/// A size that was searched state by state without a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchedSize {
    /// How many members there are.
    pub size: u32,
    /// How many states were stored: representatives, with symmetry.
    pub states: u64,
    /// How many steps lead from these.
    pub transitions: u64,
    /// How many statements no run executes.
    pub unreached: u64,
    /// The number of views of two members, or of one if there is no second. Counted only as advice, for a model that is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub views: Option<u64>,
    /// The number of rules or statements that are executed, and of all. Counted only as advice, for a model that is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed: Option<u64>,
    /// The number of all rules or statements, beside `executed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<u64>,
}

/// Views that were tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriedViews {
    /// How many members they have.
    pub k: u32,
    /// How many there are, or were when a limit was reached.
    pub views: u64,
    /// How many configurations were looked at.
    pub configurations: u64,
    /// What goes wrong in a configuration, which need not be part of a state that is reached; or the limit that was reached.
    pub found: Vec<String>,
    /// The first configuration where something goes wrong: the shared variables, and then what belongs to each of its members.
    pub configuration: Vec<String>,
}

/// The condition that a model does not satisfy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedCondition {
    /// Its number, from 1 to 6.
    pub condition: u32,
    /// A word for it.
    pub name: String,
    /// What it demands.
    pub demand: String,
    /// What breaks it.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
}

impl Every {
    /// What it comes to, for a first line.
    pub fn phrase(&self) -> String {
        let constant = &self.constant;
        match (self.answer, self.smallest) {
            (_, Some(smallest)) => format!("with {constant}={smallest}, the smallest"),
            _ => format!("for every {constant}"),
        }
    }
}
