//! The graph of states, and the group that it is a quotient by.

use super::{ModelSource, NamedValue, ProcessPlace, PropertyId, Tool};
use serde::{Deserialize, Serialize};

/// The name of the form of a [`StateGraph`].
pub const GRAPH_SCHEMA: &str = "mandala-graph/1";

/// A permutation group, with what it permutes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermutationGroup {
    /// How many elements it has, in decimal.
    pub order: String,
    /// What it is.
    pub structure: String,
    /// What it permutes, in the words of the model. Permutations are lists of images: the first number says where the first point goes, and points are counted from 0.
    pub points: Vec<String>,
    /// Permutations that generate it.
    pub generators: Vec<Vec<u32>>,
}

/// The graph of the states of a model: all of them, or one for each orbit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateGraph {
    /// Always [`GRAPH_SCHEMA`].
    pub schema: String,
    /// The program that wrote it.
    pub tool: Tool,
    /// Which model it is about.
    pub model: ModelSource,
    /// The property that must not notice what is exchanged.
    pub property_id: PropertyId,
    /// How representatives are chosen; `off` if every state is its own.
    pub strategy: String,
    /// The group that is reported for the model, and the points of all permutations.
    pub group: PermutationGroup,
    /// The permutations that occur, each once. Others refer to them by their numbers, from 0.
    pub permutations: Vec<Vec<u32>>,
    /// Whether all states are there.
    pub complete: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The states that runs start in.
    pub starts: Vec<GraphStart>,
    /// What goes wrong before there is a state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<String>,
    /// The states, by their numbers from 0.
    pub states: Vec<GraphState>,
    /// The steps between them, by the states that they leave.
    pub edges: Vec<GraphEdge>,
    /// How many steps have no state after them though nothing is wrong with that.
    pub without_target: u64,
}

/// A start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphStart {
    /// The number of the state that stands for it.
    pub state: u32,
    /// The number of the permutation that maps it to that.
    pub permutation: u32,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphState {
    /// The length of a shortest way to it.
    pub depth: u32,
    /// The variables and channels.
    pub values: Vec<NamedValue>,
    /// The processes; none in a model that consists of rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessPlace>,
    /// What is wrong with it, or with steps from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<String>,
    /// The numbers of permutations that generate its stabiliser; none if only the identity leaves it as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stabiliser: Vec<u32>,
    /// Whether there may be steps from it that are missing.
    #[serde(default, skip_serializing_if = "super::trace::is_false")]
    pub open: bool,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphEdge {
    /// The state that it leaves.
    pub from: u32,
    /// The state that stands for where it leads.
    pub to: u32,
    /// Who makes it, and the statements.
    pub label: String,
    /// The file of the first statement.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// The number of the permutation that maps where it leads to `to`.
    pub permutation: u32,
}

impl PermutationGroup {
    /// A permutation in cycle notation; empty for the identity.
    pub fn cycles(&self, images: &[u32]) -> String {
        let name = |point: &u32| self.points[*point as usize].as_str();
        let cycles = cycles(images).into_iter();
        let cycles = cycles.map(|cycle| cycle.iter().map(name).collect::<Vec<_>>().join(" "));
        cycles.map(|cycle| format!("({cycle})")).collect()
    }
}

/// The cycles of a permutation that move something, each from its smallest point on.
pub fn cycles(images: &[u32]) -> Vec<Vec<u32>> {
    let mut done = vec![false; images.len()];
    let mut cycles = Vec::new();
    for first in 0..images.len() {
        let mut cycle = Vec::new();
        let mut at = first;
        while !std::mem::replace(&mut done[at], true) {
            cycle.push(at as u32);
            at = images[at] as usize;
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

impl StateGraph {
    /// The permutation of a step in cycle notation, unless it is the identity.
    pub fn cycles_of(&self, edge: &GraphEdge) -> Option<String> {
        let images = self.permutations.get(edge.permutation as usize)?;
        Some(self.group.cycles(images)).filter(|cycles| !cycles.is_empty())
    }
}
