//! For how many threads something was found.

use serde::{Deserialize, Serialize};

/// What a model with any number of threads was read with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadSource {
    /// The greatest number of threads; null if it is every number.
    pub at_most: Option<u32>,
    /// The label or the configuration that must not be reached, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Where a thread transition system starts, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

/// For how many threads the verdict of a document is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threads {
    /// The greatest number of threads, those of the start included, that the verdict is for; null if it is for every number.
    pub at_most: Option<u32>,
    /// The smallest number of threads with which there is a violation, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<u32>,
    /// What has decided every number of threads, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// What was explored completely without a violation, for each number of threads from 1 on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<ThreadRound>,
    /// How many minimal configurations the backward search has made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// How many nodes the tree of Karp and Miller has, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// What was explored with at most a number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadRound {
    /// The number of threads.
    pub threads: u32,
    /// How many configurations were reached: shared states with a number of threads for each local state.
    pub configurations: u64,
    /// How many pairs of a shared and a local state.
    pub pairs: u64,
}

impl Threads {
    /// What it comes to, for a first line.
    pub fn phrase(&self) -> String {
        match (self.at_most, self.smallest) {
            (_, Some(1)) => "with 1 thread, the smallest number".into(),
            (_, Some(threads)) => format!("with {threads} threads, the smallest number"),
            (None, None) => "for every number of threads".into(),
            (Some(1), None) => "with at most 1 thread".into(),
            (Some(threads), None) => format!("with at most {threads} threads"),
        }
    }
}
