//! The graph of states for the script: tables of texts, and of each state only what differs from the one that it was first met from.

use crate::MOST_STATES;
use crate::layout;
use mandala_report::document::{GraphState, StateGraph};
use serde::Serialize;
use std::collections::HashMap;

/// A graph to be drawn, or how large it is.
#[derive(Debug, Serialize)]
pub struct GraphData<'a> {
    strategy: &'a str,
    complete: bool,
    reason: Option<&'a str>,
    /// Whether it is drawn; if not, all that follows is empty.
    drawn: bool,
    /// Names of variables and processes, values, and labels and permutations of edges, each once.
    names: Vec<String>,
    values: Vec<String>,
    labels: Vec<String>,
    permutations: Vec<String>,
    starts: Vec<u32>,
    states: Vec<StateData<'a>>,
    /// Four numbers for each edge: from, to, its label, its permutation.
    edges: Vec<u32>,
}

/// A state.
#[derive(Debug, Serialize)]
struct StateData<'a> {
    /// On which line it is, and where.
    y: u32,
    x: f64,
    /// The state that it was met from.
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<u32>,
    /// What differs from that: a name and a value, turn by turn; -1 for none.
    d: Vec<i64>,
    /// What is wrong.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    v: &'a [String],
}

/// Texts, each with a number.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, u32>,
    texts: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: String) -> u32 {
        let next = self.texts.len() as u32;
        let texts = &mut self.texts;
        *self.numbers.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            next
        })
    }
}

/// What is drawn of a graph.
pub fn data(graph: &StateGraph) -> GraphData<'_> {
    let drawn = graph.complete && !graph.states.is_empty() && graph.states.len() <= MOST_STATES;
    let mut data = GraphData {
        strategy: &graph.strategy,
        complete: graph.complete,
        reason: graph.reason.as_deref(),
        drawn,
        names: Vec::new(),
        values: Vec::new(),
        labels: Vec::new(),
        permutations: Vec::new(),
        starts: Vec::new(),
        states: Vec::new(),
        edges: Vec::new(),
    };
    if drawn {
        draw(graph, &mut data);
    }
    data
}

fn draw<'a>(graph: &'a StateGraph, data: &mut GraphData<'a>) {
    let (mut names, mut values, mut labels) =
        (Texts::default(), Texts::default(), Texts::default());
    let depths: Vec<u32> = graph.states.iter().map(|state| state.depth).collect();
    let edges: Vec<(u32, u32)> = graph
        .edges
        .iter()
        .map(|edge| (edge.from, edge.to))
        .collect();
    let places = layout::places(&depths, &edges);
    let parents = parents(&depths, &edges);
    let contents = graph
        .states
        .iter()
        .map(|s| contents(s, &mut names, &mut values));
    let contents: Vec<Vec<(u32, u32)>> = contents.collect();
    for (number, state) in graph.states.iter().enumerate() {
        let parent = parents[number];
        let before = parent.map_or(&[][..], |parent| &contents[parent as usize]);
        data.states.push(StateData {
            y: state.depth,
            x: (places[number] * 100.0).round() / 100.0,
            p: parent,
            d: difference(before, &contents[number]),
            v: &state.violations,
        });
    }
    for edge in &graph.edges {
        let label = labels.number(edge.label.clone());
        data.edges
            .extend([edge.from, edge.to, label, edge.permutation]);
    }
    data.starts = graph.starts.iter().map(|start| start.state).collect();
    let permutations = graph.permutations.iter();
    data.permutations = permutations
        .map(|images| graph.group.cycles(images))
        .collect();
    (data.names, data.values, data.labels) = (names.texts, values.texts, labels.texts);
}

/// The state of the line above from which each state was first met.
fn parents(depths: &[u32], edges: &[(u32, u32)]) -> Vec<Option<u32>> {
    let mut parents = vec![None; depths.len()];
    for &(from, to) in edges {
        if depths[from as usize] + 1 == depths[to as usize] {
            parents[to as usize].get_or_insert(from);
        }
    }
    parents
}

/// The names and values of a state, and where its processes stand.
fn contents(state: &GraphState, names: &mut Texts, values: &mut Texts) -> Vec<(u32, u32)> {
    let own = state
        .values
        .iter()
        .map(|v| (v.name.clone(), v.value.clone()));
    let processes = state.processes.iter();
    let processes = processes.map(|p| {
        (
            format!("{}({})", p.process, p.pid),
            format!("at line {}", p.place.line),
        )
    });
    own.chain(processes)
        .map(|(name, value)| (names.number(name), values.number(value)))
        .collect()
}

fn difference(before: &[(u32, u32)], after: &[(u32, u32)]) -> Vec<i64> {
    let old: HashMap<u32, u32> = before.iter().copied().collect();
    let new: HashMap<u32, u32> = after.iter().copied().collect();
    let changed = after
        .iter()
        .filter(|(name, value)| old.get(name) != Some(value));
    let gone = before.iter().filter(|(name, _)| !new.contains_key(name));
    let changed = changed.map(|(name, value)| [i64::from(*name), i64::from(*value)]);
    let gone = gone.map(|(name, _)| [i64::from(*name), -1]);
    changed.chain(gone).flatten().collect()
}
