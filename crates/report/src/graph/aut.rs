//! Aldebaran's format: a line with the first state and the numbers of transitions and states, then a line for each transition.

use super::WriteError;
use crate::document::{GraphEdge, StateGraph};
use std::fmt::Write;

/// The graph. A system has one first state: of a model with several, state 0 is one before them, with a step `start` to each, and all others are counted
/// from 1.
pub fn write(graph: &StateGraph) -> Result<String, WriteError> {
    if !graph.complete {
        return Err(WriteError::Partial);
    }
    let starts = graph.starts.as_slice();
    let Some(first) = starts.first() else {
        return Err(WriteError::Empty);
    };
    let extra = usize::from(starts.len() > 1);
    let (entry, steps) = match extra {
        0 => (first.state as usize, 0),
        _ => (0, starts.len()),
    };
    let mut text = format!(
        "des ({entry},{},{})\n",
        graph.edges.len() + steps,
        graph.states.len() + extra
    );
    let mut put = |from: usize, label: &str, to: usize| {
        writeln!(text, "({from},\"{label}\",{to})").expect("writing to a string does not fail");
    };
    for start in &starts[..steps] {
        put(0, "start", start.state as usize + extra);
    }
    for edge in &graph.edges {
        let label = label(graph, edge);
        put(edge.from as usize + extra, &label, edge.to as usize + extra);
    }
    Ok(text)
}

/// The format has no way to write a quotation mark in a label.
fn label(graph: &StateGraph, edge: &GraphEdge) -> String {
    let label = match graph.cycles_of(edge) {
        Some(cycles) => format!("{} @ {cycles}", edge.label),
        None => edge.label.clone(),
    };
    let plain = |c: char| match c {
        '"' => '\'',
        c if c.is_control() => ' ',
        c => c,
    };
    label.chars().map(plain).collect()
}
