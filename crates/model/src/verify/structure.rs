//! Invariants 8 to 14: the automata as graphs, the code of monitors and the bodies of functions, before any expression is looked at.

use super::{Findings, Rule, functions};
use crate::ids::LocationId;
use crate::model::UncheckedModel;
use crate::source::Span;
use crate::template::{Edge, Location, Routine, Step, Template};

/// Checks the automata of all templates, and all monitors.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for template in &model.templates {
        findings.enter_template(&template.name);
        locations(template, findings);
        edge_ranges(template, findings);
        for (index, edge) in template.edges.iter().enumerate() {
            findings.edge = Some(index as u32);
            targets(template, edge, findings);
            step(&edge.step, edge.span, findings);
            text(&edge.text, edge.span, findings);
        }
        // Only ranges that lie in the table can be walked.
        if findings.errors.is_empty() {
            escapes(template, findings);
        }
    }
    findings.each_monitor(model, |monitor, findings| {
        step(&monitor.step, monitor.span, findings);
        text(&monitor.text, monitor.span, findings);
    });
    functions::bodies(model, findings, routine);
}

fn locations(template: &Template, findings: &mut Findings) {
    let (entry, count) = (template.entry, template.locations.len());
    findings.require(
        entry.index() < count,
        Rule::Locations,
        template.span,
        || format!("the entry {entry} is none of the {count} locations"),
    );
    let enough = template.parameters as usize <= template.locals.len();
    findings.require(enough, Rule::Locations, template.span, || {
        "more parameters than local variables".into()
    });
}

fn edge_ranges(template: &Template, findings: &mut Findings) {
    for (index, location) in template.locations.iter().enumerate() {
        let range = location.edges.start as usize..location.edges.end as usize;
        let inside = template.edges.get(range);
        let source = LocationId::from(index);
        let own = inside.is_some_and(|edges| edges.iter().all(|e| e.source == source));
        findings.require(own, Rule::EdgeRanges, location.span, || {
            format!("{source} claims edges that are not there or not its own")
        });
    }
    for (index, edge) in template.edges.iter().enumerate() {
        let source = template.locations.get(edge.source.index());
        let listed = source.is_some_and(|l| l.edges.contains(&(index as u32)));
        findings.edge = Some(index as u32);
        findings.require(listed, Rule::EdgeRanges, edge.span, || {
            format!("the edge is not listed at its source {}", edge.source)
        });
    }
    findings.edge = None;
}

fn targets(template: &Template, edge: &Edge, findings: &mut Findings) {
    let known = edge.target.index() < template.locations.len();
    findings.require(known, Rule::Targets, edge.span, || {
        format!("the target {} does not exist", edge.target)
    });
}

fn escapes(template: &Template, findings: &mut Findings) {
    findings.edge = None;
    for location in &template.locations {
        let edges = edges_of(template, location);
        let sorted = edges.is_sorted_by_key(|edge| edge.escape == 0);
        findings.require(sorted, Rule::Escapes, location.span, || {
            "an edge of an escape comes after one of none".into()
        });
    }
}

fn edges_of<'t>(template: &'t Template, location: &Location) -> &'t [Edge] {
    &template.edges[location.edges.start as usize..location.edges.end as usize]
}

fn step(step: &Step, span: Span, findings: &mut Findings) {
    match step {
        Step::Send { message, .. } => fields(message.len(), span, findings),
        Step::Receive { patterns, .. } => fields(patterns.len(), span, findings),
        Step::Routine(inner) => routine(inner, span, findings),
        Step::Guarded { .. } | Step::Else | Step::Exit | Step::Call(_) => {}
    }
}

/// Also used for polls, which are expressions.
pub(super) fn fields(count: usize, span: Span, findings: &mut Findings) {
    findings.require(count > 0, Rule::Messages, span, || {
        "a message or a pattern without fields".into()
    });
}

fn routine(routine: &Routine, span: Span, findings: &mut Findings) {
    findings.require(!routine.nodes.is_empty(), Rule::Routines, span, || {
        "a routine without nodes".into()
    });
    for node in &routine.nodes {
        findings.require(!node.choices.is_empty(), Rule::Routines, node.span, || {
            "a node without choices".into()
        });
        for choice in &node.choices {
            let known = choice.next.is_none_or(|n| n.index() < routine.nodes.len());
            let simple = !matches!(choice.step, Step::Exit | Step::Routine(_));
            findings.require(known && simple, Rule::Routines, choice.span, || {
                "a choice that leads nowhere, or is an exit or a routine".into()
            });
            text(&choice.text, choice.span, findings);
            if simple {
                step(&choice.step, choice.span, findings);
            }
        }
    }
}

fn text(text: &str, span: Span, findings: &mut Findings) {
    findings.require(!text.is_empty(), Rule::Texts, span, || {
        "a statement without a text".into()
    });
}
