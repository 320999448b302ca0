//! The trace as a table: number, who, where, what, and only what changed.

use super::titled;
use super::violation::process;
use crate::document::{Change, ClaimSteps, Step, Trace};
use crate::style::{Colour, Tone, counted, grouped, tame};
use std::path::Path;

/// Longer traces are shown with their middle left out; the document has all of it.
const SHOWN_WHOLE: usize = 400;
/// How many steps are shown before the gap.
const SHOWN_FIRST: usize = 50;
/// How many steps are shown after the gap.
const SHOWN_LAST: usize = 200;
/// The widest that a column of the table gets.
const WIDEST: usize = 44;

/// The cells of one step.
struct Row {
    number: String,
    who: String,
    place: String,
    statement: String,
    changes: String,
    /// What was printed, and the other side of a rendezvous: lines of their own.
    below: Vec<String>,
}

/// The section with the trace.
pub fn section(trace: &Trace, claim_steps: ClaimSteps, colour: Colour) -> String {
    let shown = |step: &&Step| step.pid.is_some() || claim_steps == ClaimSteps::Shown;
    let steps: Vec<&Step> = trace.steps.iter().filter(shown).collect();
    let lines = match gap(steps.len()) {
        None => table(&steps, 1, colour),
        Some((first, last)) => table_with_gap(&steps, first, last, colour),
    };
    titled(&title(steps.len(), trace.shortest), lines, colour)
}

/// Steps as a table of its own, numbered from `first`.
pub fn steps(steps: &[Step], first: usize, colour: Colour) -> String {
    let steps: Vec<&Step> = steps.iter().collect();
    let lines = table(&steps, first, colour).into_iter();
    lines
        .map(|line| format!("  {}\n", line.trim_end()))
        .collect()
}

fn title(steps: usize, shortest: bool) -> String {
    let count = counted(steps as u64, "step");
    match (steps, shortest) {
        (0, _) => "Trace (no step: it is so from the start)".into(),
        (_, true) => format!("Trace ({count}, a shortest one)"),
        (_, false) => format!("Trace ({count}, maybe not a shortest one)"),
    }
}

/// Which steps are left out, if there are too many.
fn gap(steps: usize) -> Option<(usize, usize)> {
    (steps > SHOWN_WHOLE).then(|| (SHOWN_FIRST, steps - SHOWN_LAST))
}

fn table_with_gap(steps: &[&Step], first: usize, last: usize, colour: Colour) -> Vec<String> {
    let note = format!(
        "... steps {} to {} are left out here; `--json FILE` writes them all ...",
        grouped(first as u64 + 1),
        grouped(last as u64)
    );
    let mut lines = table(&steps[..first], 1, colour);
    lines.push(colour.paint(Tone::Faint, note));
    lines.extend(table(&steps[last..], last + 1, colour));
    lines
}

/// The lines of the steps, numbered from `first`.
fn table(steps: &[&Step], first: usize, colour: Colour) -> Vec<String> {
    let rows: Vec<Row> = steps.iter().zip(first..).map(|(s, n)| row(s, n)).collect();
    let width = |cell: fn(&Row) -> &str| {
        let widths = rows.iter().map(|r| cell(r).chars().count());
        widths.filter(|&w| w <= WIDEST).max().unwrap_or(0)
    };
    let widths = Widths {
        number: width(|r| &r.number),
        who: width(|r| &r.who),
        place: width(|r| &r.place),
        statement: width(|r| &r.statement),
    };
    rows.iter().flat_map(|r| widths.lines(r, colour)).collect()
}

struct Widths {
    number: usize,
    who: usize,
    place: usize,
    statement: usize,
}

impl Widths {
    fn lines(&self, row: &Row, colour: Colour) -> Vec<String> {
        let number = colour.paint(Tone::Faint, format_args!("{:>1$}", row.number, self.number));
        let who = colour.paint(Tone::Name, format_args!("{:<1$}", row.who, self.who));
        let place = colour.paint(Tone::Faint, format_args!("{:<1$}", row.place, self.place));
        let statement = format!("{:<1$}", row.statement, self.statement);
        let changes = colour.paint(Tone::Strong, &row.changes);
        let line = match row.changes.is_empty() {
            true => format!("{number}  {who}  {place}  {}", row.statement),
            false => format!("{number}  {who}  {place}  {statement}  {changes}"),
        };
        let indent = self.number + self.who + self.place + 6;
        let below = row.below.iter().map(|text| format!("{:indent$}{text}", ""));
        std::iter::once(line).chain(below).collect()
    }
}

fn row(step: &Step, number: usize) -> Row {
    let who = match step.pid {
        Some(pid) => process(&step.process, pid),
        None => tame(&step.process),
    };
    let changes: Vec<String> = step.changes.iter().map(|c| change(c, &who)).collect();
    Row {
        number: number.to_string(),
        who,
        place: place(&step.file, step.line),
        statement: tame(&step.statement),
        changes: changes.join(", "),
        below: below(step),
    }
}

/// Only the name of the file: the headline has the way to it.
fn place(file: &str, line: u32) -> String {
    let name = Path::new(file).file_name();
    let name = name.map_or(file.into(), |n| n.to_string_lossy());
    format!("{}:{line}", tame(&name))
}

fn below(step: &Step) -> Vec<String> {
    let partner = step.partner.iter().map(|p| {
        let who = process(&p.process, p.pid);
        format!(
            "with {who}  {}  {}",
            place(&p.file, p.line),
            tame(&p.statement)
        )
    });
    let printed = step.printed.iter().flat_map(|text| text.lines());
    let printed = printed.map(|line| format!("prints: {}", tame(line)));
    partner.chain(printed).collect()
}

/// A change; the variables of whoever moves are called by their own names alone.
fn change(change: &Change, who: &str) -> String {
    let name = tame(&change.name);
    let own = name.strip_prefix(who).and_then(|n| n.strip_prefix(':'));
    let name = own.unwrap_or(&name);
    match (&change.from, &change.to) {
        (Some(from), Some(to)) => format!("{name}: {} → {}", tame(from), tame(to)),
        (None, Some(to)) => format!("new {name}: {}", tame(to)),
        (Some(_), None) | (None, None) => format!("{name} is gone"),
    }
}
