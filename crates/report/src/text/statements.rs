//! The section about executions of statements, a block for each process.

use crate::document::{Document, StatementCount};
use crate::style::{Colour, Tone, grouped, tame};
use crate::text::titled::titled;

/// What stands in place of a count of nothing.
const NEVER: &str = "never";

/// The section with the counts, if they were asked for.
pub fn section(document: &Document, colour: Colour) -> Option<String> {
    let statements = document.coverage.statements.as_ref()?;
    let longest = |of: fn(&StatementCount) -> usize| statements.iter().map(of).max();
    let widths = (
        longest(|s| count(s).len())?,
        longest(|s| s.line.to_string().len())?,
    );
    let groups = statements.chunk_by(|a, b| a.process == b.process);
    let lines = groups.flat_map(|group| block(group, widths, colour));
    Some(titled("Executed", lines, colour))
}

fn block(group: &[StatementCount], widths: (usize, usize), colour: Colour) -> Vec<String> {
    let name = colour.paint(Tone::Name, tame(&group[0].process));
    let rows = group.iter().map(|statement| row(statement, widths, colour));
    std::iter::once(name).chain(rows).collect()
}

fn row(
    statement: &StatementCount,
    (count_width, line_width): (usize, usize),
    colour: Colour,
) -> String {
    let number = format!("{:>count_width$}", count(statement));
    let number = match statement.count {
        0 => colour.paint(Tone::Doubtful, number),
        _ => number,
    };
    let text = tame(&statement.statement);
    format!("  {number}  line {:>line_width$}  {text}", statement.line)
}

fn count(statement: &StatementCount) -> String {
    match statement.count {
        0 => NEVER.into(),
        count => grouped(count),
    }
}
