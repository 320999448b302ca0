//! Why a property is violated: the condition that failed with the values in it, or who waits for
//! what at a deadlock.

use super::titled;
use crate::document::{Place, Violation, Waiting};
use crate::style::{Colour, Tone, tame};

/// How many waiting processes are shown one by one.
const WAITING_SHOWN: usize = 20;

/// The section that says why.
pub fn section(violation: &Violation, colour: Colour) -> String {
    let mut lines = Vec::new();
    lines.extend(failed_text(violation, colour));
    lines.extend(values(violation, colour));
    lines.extend(waiting(&violation.waiting, colour));
    if lines.is_empty() {
        return String::new();
    }
    titled("Why", lines, colour)
}

fn failed_text(violation: &Violation, colour: Colour) -> Option<String> {
    let place = violation.place.as_ref().map(|p| place_text(p, colour));
    let text = violation.text.as_deref().map(tame);
    match (place, text) {
        (Some(place), Some(text)) => Some(format!("{place}  {}", colour.paint(Tone::Strong, text))),
        (place, text) => place.or(text),
    }
}

fn place_text(place: &Place, colour: Colour) -> String {
    let text = format!("{}:{}:{}", tame(&place.file), place.line, place.column);
    colour.paint(Tone::Faint, text)
}

fn values(violation: &Violation, colour: Colour) -> Vec<String> {
    let names = violation.values.iter().map(|v| v.name.chars().count());
    let width = names.max().unwrap_or(0).min(40);
    let line = |name: &str, value: &str| {
        let value = colour.paint(Tone::Strong, tame(value));
        format!("  {:<width$} = {value}", tame(name))
    };
    let values = violation.values.iter();
    values.map(|v| line(&v.name, &v.value)).collect()
}

fn waiting(waiting: &[Waiting], colour: Colour) -> Vec<String> {
    let names: Vec<String> = waiting.iter().map(|w| process(&w.process, w.pid)).collect();
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    let mut lines: Vec<String> = waiting
        .iter()
        .zip(&names)
        .take(WAITING_SHOWN)
        .map(|(w, name)| waiting_line(w, name, width, colour))
        .collect();
    if waiting.len() > WAITING_SHOWN {
        lines.push(format!("and {} more", waiting.len() - WAITING_SHOWN));
    }
    lines
}

fn waiting_line(waiting: &Waiting, name: &str, width: usize, colour: Colour) -> String {
    let name = colour.paint(Tone::Name, format_args!("{name:<width$}"));
    let place = place_text(&waiting.place, colour);
    let wanted = waiting.statements.iter().map(|s| tame(s));
    let wanted = wanted.collect::<Vec<_>>().join("  or  ");
    let note = if waiting.allowed {
        colour.paint(Tone::Faint, "  (may stay here)")
    } else {
        String::new()
    };
    format!("{name}  at {place}  waits for  {wanted}{note}")
}

/// A process as people write it.
pub fn process(name: &str, pid: u32) -> String {
    format!("{}({pid})", tame(name))
}
