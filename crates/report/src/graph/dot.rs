//! The language of Graphviz.

use crate::document::{GraphEdge, GraphState, StateGraph};
use std::fmt::Write;

/// Longer lists of values are for the tooltip alone.
const MOST_IN_LABEL: usize = 60;

/// The graph: starts have a thick border, states with a violation are red, and states with steps that are missing are dashed. The tooltip of a state has all of it.
pub fn write(graph: &StateGraph) -> String {
    let mut text = String::from(
        "digraph states {\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n",
    );
    if let Some(reason) = graph.reason.as_ref().filter(|_| !graph.complete) {
        put(
            &mut text,
            &format!("label={}", quoted(&format!("not all states: {reason}"))),
        );
    }
    for (number, state) in graph.states.iter().enumerate() {
        let is_start = graph.starts.iter().any(|s| s.state as usize == number);
        put(&mut text, &node(number, state, is_start));
    }
    for edge in &graph.edges {
        let label = quoted(&label(graph, edge));
        put(
            &mut text,
            &format!("{} -> {} [label={label}]", edge.from, edge.to),
        );
    }
    text.push_str("}\n");
    text
}

fn put(text: &mut String, statement: &str) {
    writeln!(text, "  {statement};").expect("writing to a string does not fail");
}

fn node(number: usize, state: &GraphState, is_start: bool) -> String {
    let values = state
        .values
        .iter()
        .map(|v| format!("{} = {}", v.name, v.value));
    let values: Vec<String> = values.collect();
    let processes = state.processes.iter();
    let processes = processes.map(|p| format!("{}({}) at line {}", p.process, p.pid, p.place.line));
    let mut lines = vec![number.to_string()];
    let in_short = values.join(", ");
    if !in_short.is_empty() && in_short.chars().count() <= MOST_IN_LABEL {
        lines.push(in_short);
    }
    lines.extend(state.violations.iter().cloned());
    let all: Vec<String> = values.iter().cloned().chain(processes).collect();
    let mut attributes = vec![
        format!("label={}", quoted(&lines.join("\n"))),
        format!("tooltip={}", quoted(&all.join("\n"))),
    ];
    if is_start {
        attributes.push("penwidth=3".into());
    }
    if !state.violations.is_empty() {
        attributes.push("color=red".into());
    }
    if state.open {
        attributes.push("style=\"rounded,dashed\"".into());
    }
    format!("{number} [{}]", attributes.join(", "))
}

fn label(graph: &StateGraph, edge: &GraphEdge) -> String {
    match graph.cycles_of(edge) {
        Some(cycles) => format!("{}\n{cycles}", edge.label),
        None => edge.label.clone(),
    }
}

/// A text in quotation marks.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
