//! The section about what was never reached, a line for each process.

use crate::document::{Document, Unreached};
use crate::style::{Colour, Tone, tame};
use crate::text::titled::titled;

/// How many statements of one process are named.
const NAMED: usize = 6;

/// The section with the statements that were not reached, if there are any.
pub fn section(document: &Document, colour: Colour) -> Option<String> {
    if document.unreached.is_empty() {
        return None;
    }
    let title = match document.coverage.complete {
        true => "Never reached",
        false => "Not reached by this search, which was not complete",
    };
    let groups = by_process(&document.unreached);
    let width = groups.iter().map(|g| g[0].process.chars().count()).max()?;
    let lines = groups.iter().map(|g| line(g, width, colour));
    Some(titled(title, lines, colour))
}

/// Neighbours of the same process, together.
fn by_process(unreached: &[Unreached]) -> Vec<&[Unreached]> {
    unreached.chunk_by(|a, b| a.process == b.process).collect()
}

fn line(group: &[Unreached], width: usize, colour: Colour) -> String {
    let name = tame(&group[0].process);
    let name = colour.paint(Tone::Name, format_args!("{name:<width$}"));
    let named: Vec<String> = group.iter().take(NAMED).map(statement).collect();
    let rest = match group.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    format!("{name}  {}{rest}", named.join(", "))
}

fn statement(unreached: &Unreached) -> String {
    format!("line {} `{}`", unreached.line, tame(&unreached.statement))
}
