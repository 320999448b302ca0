//! The trace as a table: number, who, where, what, and only what changed.

mod changes;
mod given;

use super::titled;
use super::violation::process;
use crate::document::{Actor, ClaimSteps, Step, Trace, system_steps};
use crate::style::{Colour, Tone, counted, grouped, tame};
use std::path::Path;

/// Longer traces are shown with their middle left out; the document has all of it.
const SHOWN_WHOLE: usize = 400;
/// How many steps are shown before the gap.
const SHOWN_FIRST: usize = 50;
/// How many steps are shown after the gap.
const SHOWN_LAST: usize = 200;
/// The one process of a model that consists of rules: everybody knows who moves.
const RULES: (&str, Option<u32>) = ("rules", Some(0));
/// The widest that a column of the table gets.
const WIDEST: usize = 44;

/// The cells of one step.
struct Row {
    number: String,
    who: String,
    place: String,
    statement: String,
    changes: String,
    /// First values, what was printed, and the other side of a rendezvous: lines of their own.
    below: Vec<String>,
}

/// The section with the trace. Only the steps of the system have numbers and count.
pub fn section(trace: &Trace, claim_steps: ClaimSteps, colour: Colour) -> String {
    let (prefix, cycle) = match trace.before_cycle {
        Some(before) => trace.steps.split_at(before.min(trace.steps.len())),
        None => (trace.steps.as_slice(), &[][..]),
    };
    let part = |title: &str, steps: &[Step]| {
        let shown = |s: &&Step| s.actor == Actor::Process || claim_steps == ClaimSteps::Shown;
        let steps: Vec<&Step> = steps.iter().filter(shown).collect();
        let lines = match steps.len() > SHOWN_WHOLE {
            false => table(&steps, colour),
            true => table_with_gap(&steps, colour),
        };
        titled(title, lines, colour)
    };
    match trace.before_cycle {
        None => part(&title(trace.system_steps(), trace.shortest), prefix),
        Some(_) => {
            let before = system_steps(prefix);
            let first = match before {
                0 => String::new(),
                _ => part(
                    &format!("Trace ({})", counted(before as u64, "step")),
                    prefix,
                ),
            };
            first + &part(&cycle_title(system_steps(cycle)), cycle)
        }
    }
}

fn cycle_title(steps: usize) -> String {
    match steps {
        0 => "Then nothing happens any more".into(),
        _ => format!("Then again and again ({})", counted(steps as u64, "step")),
    }
}

/// Steps as a table of its own.
pub fn steps(steps: &[Step], colour: Colour) -> String {
    let steps: Vec<&Step> = steps.iter().collect();
    let lines = table(&steps, colour).into_iter();
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

fn table_with_gap(steps: &[&Step], colour: Colour) -> Vec<String> {
    let last = steps.len() - SHOWN_LAST;
    let (before, after) = (steps[SHOWN_FIRST - 1].number, steps[last].number);
    let note = format!(
        "... steps {} to {} are left out here; `--json FILE` writes them all ...",
        grouped(u64::from(before) + 1),
        grouped(u64::from(after).saturating_sub(1))
    );
    let mut lines = table(&steps[..SHOWN_FIRST], colour);
    lines.push(colour.paint(Tone::Faint, note));
    lines.extend(table(&steps[last..], colour));
    lines
}

/// The lines of the steps.
fn table(steps: &[&Step], colour: Colour) -> Vec<String> {
    let rows: Vec<Row> = steps.iter().map(|step| row(step)).collect();
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
        let who = match self.who {
            0 => String::new(),
            width => colour.paint(Tone::Name, format_args!("{:<width$}", row.who)) + "  ",
        };
        let place = colour.paint(Tone::Faint, format_args!("{:<1$}", row.place, self.place));
        let statement = format!("{:<1$}", row.statement, self.statement);
        let changes = colour.paint(Tone::Strong, &row.changes);
        let line = match row.changes.is_empty() {
            true => format!("{number}  {who}{place}  {}", row.statement),
            false => format!("{number}  {who}{place}  {statement}  {changes}"),
        };
        let gaps = if self.who == 0 { 4 } else { 6 };
        let indent = self.number + self.who + self.place + gaps;
        let below = row.below.iter().map(|text| format!("{:indent$}{text}", ""));
        std::iter::once(line).chain(below).collect()
    }
}

fn row(step: &Step) -> Row {
    let who = match step.pid {
        pid if (step.process.as_str(), pid) == RULES => String::new(),
        Some(pid) => process(&step.process, pid),
        None => tame(&step.process),
    };
    let given = given::lines(&step.changes);
    Row {
        number: match step.actor {
            Actor::Process => step.number.to_string(),
            Actor::Claim => String::new(),
        },
        changes: match &given {
            Some(_) => String::new(),
            None => changes::cell(&step.changes, &who),
        },
        who,
        place: place(&step.file, step.line),
        statement: tame(&step.statement),
        below: given.into_iter().flatten().chain(below(step)).collect(),
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
