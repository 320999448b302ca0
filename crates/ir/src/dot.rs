//! The automata of a model as a picture, in the language of Graphviz.

use mandala_model::Model;
use mandala_model::source::Sources;
use mandala_model::template::{Control, Edge, Location, Role, Template};
use std::fmt::Write;

/// The automata of processes and of what watches them, each in a box of its own. Where an instance starts has a thick border, where it may stay for ever a double one, and an
/// edge after which it keeps control is dashed.
pub fn dot(model: &Model, sources: &Sources) -> String {
    let mut text = String::from(
        "digraph automata {\n  node [shape=ellipse, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n",
    );
    let templates = model.runnables().enumerate();
    for (number, (_, template)) in templates.filter(|(_, (_, t))| t.role != Role::Monitors) {
        let drawing = Drawing { number, sources };
        drawing.template(&mut text, template);
    }
    text.push_str("}\n");
    text
}

/// An automaton, by its number among all.
struct Drawing<'a> {
    number: usize,
    sources: &'a Sources,
}

impl Drawing<'_> {
    fn template(&self, text: &mut String, template: &Template) {
        let name = quoted(template.display_name());
        put(text, 1, &format!("subgraph cluster_{} {{", self.number));
        put(text, 2, &format!("label={name};"));
        for (index, location) in template.locations.iter().enumerate() {
            let is_entry = template.entry.index() == index;
            put(text, 2, &self.location(index, location, is_entry));
        }
        for edge in &template.edges {
            put(text, 2, &self.edge(edge));
        }
        put(text, 1, "}");
    }

    fn location(&self, index: usize, location: &Location, is_entry: bool) -> String {
        let line = self.sources.location(location.span).line;
        let mut lines = location.labels.clone();
        lines.push(format!("line {line}"));
        let marks = [
            (is_entry, ", penwidth=3"),
            (location.end, ", peripheries=2"),
            (location.accept, ", style=filled"),
        ];
        let marks = marks.iter().filter(|(is_so, _)| *is_so);
        let marks: String = marks.map(|(_, mark)| *mark).collect();
        let label = quoted(&lines.join("\n"));
        format!("{} [label={label}{marks}];", self.node(index))
    }

    fn edge(&self, edge: &Edge) -> String {
        let holds = match edge.control {
            Control::Hold => ", style=dashed",
            Control::Release => "",
        };
        format!(
            "{} -> {} [label={}{holds}];",
            self.node(edge.source.index()),
            self.node(edge.target.index()),
            quoted(&edge.text)
        )
    }

    fn node(&self, index: usize) -> String {
        format!("t{}_{index}", self.number)
    }
}

fn put(text: &mut String, depth: usize, line: &str) {
    writeln!(text, "{}{line}", "  ".repeat(depth)).expect("writing to a string does not fail");
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
