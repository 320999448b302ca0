//! The section about a violation: the condition that failed with the values in it, or the processes that wait at a
//! deadlock.

use super::trace::wrapped;
use super::view::View;
use crate::document::{Place, Violation, Waiting, WaitingGuard};
use crate::style::{Colour, Tone, tame};
use crate::text::titled::process;
use crate::text::titled::titled;

/// How many processes are named that could change something.
const CHANGERS_SHOWN: usize = 4;
/// How many waiting processes are shown one by one.
const WAITING_SHOWN: usize = 20;

/// The section that says why.
pub fn section(violation: &Violation, view: &View) -> String {
    let colour = view.colour;
    let mut lines = Vec::new();
    lines.extend(failed_text(violation, colour));
    lines.extend(values(violation, colour));
    lines.extend(waiting(&violation.waiting, colour));
    let room = view
        .width
        .map_or(usize::MAX, |width| width.saturating_sub(2));
    let notes = violation.notes.iter().map(|note| tame(note));
    lines.extend(notes.flat_map(|note| wrapped(&note, room)));
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

/// Processes that cannot go on, what they wait for, and who could change that.
pub fn waiting(waiting: &[Waiting], colour: Colour) -> Vec<String> {
    let shown = &waiting[..waiting.len().min(WAITING_SHOWN)];
    let names = shown.iter().map(|w| process(&w.process, w.pid));
    let places = shown
        .iter()
        .map(|w| format!("{}:{}", tame(&w.place.file), w.place.line));
    let (names, places) = (aligned(names), aligned(places));
    let mut lines: Vec<String> = Vec::new();
    for ((waiting, name), place) in shown.iter().zip(names).zip(places) {
        let name = colour.paint(Tone::Name, name);
        let place = colour.paint(Tone::Faint, place);
        lines.push(format!("{name}  {place}  {}", wanted(waiting, colour)));
        lines.extend(
            waiting
                .guards
                .iter()
                .map(|guard| guard_line(guard, waiting)),
        );
    }
    if waiting.len() > shown.len() {
        lines.push(format!("and {} more", waiting.len() - shown.len()));
    }
    lines
}

/// What a statement waits for, and who could change it.
fn guard_line(guard: &WaitingGuard, waiting: &Waiting) -> String {
    let values = guard.values.iter();
    let values: Vec<String> = values
        .map(|value| format!("{} = {}", tame(&value.name), tame(&value.value)))
        .collect();
    let statement = match waiting.statements.len() {
        1 => String::new(),
        _ => format!("{}: ", tame(&guard.statement)),
    };
    let changers = match guard.changed_by.as_slice() {
        [] => "no other process can change that".into(),
        some if some.len() > CHANGERS_SHOWN => format!(
            "{} and {} more could change that",
            some[..CHANGERS_SHOWN].join(", "),
            some.len() - CHANGERS_SHOWN
        ),
        some => format!("{} could change that", tame(&some.join(", "))),
    };
    match values.is_empty() {
        true => format!("  {statement}{changers}"),
        false => format!("  {statement}{}; {changers}", values.join(", ")),
    }
}

/// The texts, all as wide as the widest.
fn aligned(texts: impl Iterator<Item = String>) -> Vec<String> {
    let texts: Vec<String> = texts.collect();
    let width = texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
    texts.iter().map(|t| format!("{t:<width$}")).collect()
}

fn wanted(waiting: &Waiting, colour: Colour) -> String {
    let statements = waiting.statements.iter().map(|s| tame(s));
    let statements = statements.collect::<Vec<_>>().join("  or  ");
    match waiting.allowed {
        true => {
            let note = colour.paint(Tone::Faint, "(may stay here)");
            format!("waits for  {statements}  {note}")
        }
        false => format!("waits for  {statements}"),
    }
}
