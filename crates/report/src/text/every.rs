//! The section about the decision for every size of a family.

use crate::document::{Document, Every, EveryAnswer, SearchedSize, TriedViews};
use crate::style::{Colour, counted, grouped, tame};
use crate::text::titled::titled;

/// The section about every size of a family, if that was asked about.
pub fn section(document: &Document, colour: Colour) -> Option<String> {
    let every = document.every.as_ref()?;
    let title = format!("Every {}", tame(&every.constant));
    let mut lines = vec![answer(every)];
    let refused = every.refused.as_ref();
    let refused = refused.filter(|_| every.answer == EveryAnswer::Refused);
    lines.extend(
        refused
            .map(|refused| format!("condition {}: {}", refused.condition, tame(&refused.demand))),
    );
    if every.answer != EveryAnswer::Refused {
        lines.extend(listed("decided", &every.covered));
    }
    lines.extend(listed("not decided by views", &every.not_covered));
    for tried in &every.tried {
        lines.extend(views(tried));
    }
    match every.answer {
        EveryAnswer::Refused => lines.extend(advice(every)),
        _ => lines.extend(every.searched.iter().map(|size| searched(every, size))),
    }
    Some(titled(&title, lines, colour))
}

fn answer(every: &Every) -> String {
    let size = match &every.family {
        Some(family) => format!("the size of {}", tame(family)),
        None => format!("`{}`", tame(&every.constant)),
    };
    match (&every.refused, every.answer, every.smallest) {
        (_, EveryAnswer::Violated, Some(smallest)) => {
            format!("{size}: violated with {smallest}, and with no smaller one")
        }
        (Some(refused), ..) => {
            let place = refused.place.as_ref();
            let place = place.map(|p| format!("{}:{}: ", tame(&p.file), p.line));
            format!(
                "refused: {}{}",
                place.unwrap_or_default(),
                tame(&refused.message)
            )
        }
        (_, EveryAnswer::Holds, _) => format!(
            "{size}: holds for every number, by {} of {}",
            counted(every.views.unwrap_or(0), "view"),
            counted(u64::from(every.k.unwrap_or(0)), "member")
        ),
        _ => format!("{size}: not decided for every number"),
    }
}

fn listed(what: &str, names: &[String]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| tame(name).to_string()).collect();
    (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
}

fn views(tried: &TriedViews) -> Vec<String> {
    let mut lines = vec![format!(
        "views of {}: {}, {}",
        counted(u64::from(tried.k), "member"),
        counted(tried.views, "view"),
        counted(tried.configurations, "configuration")
    )];
    lines.extend(tried.found.iter().map(|found| format!("  {}", tame(found))));
    let configuration = tried.configuration.iter();
    lines.extend(configuration.map(|part| format!("    {}", tame(part))));
    lines
}

/// The columns of the table for a model that is refused.
const ADVICE: [&str; 4] = ["", "orbits", "views of 2", "statements executed"];

/// A table of the sizes of a model that is refused: whether more members bring anything new.
fn advice(every: &Every) -> Vec<String> {
    if every.searched.is_empty() {
        return Vec::new();
    }
    let number = |number: Option<u64>| number.map_or_else(|| "-".to_string(), grouped);
    let executed = |size: &SearchedSize| match (size.executed, size.statements) {
        (Some(executed), Some(all)) => format!("{} of {}", grouped(executed), grouped(all)),
        _ => "-".into(),
    };
    let row = |size: &SearchedSize| {
        let name = format!("{}={}", tame(&every.constant), size.size);
        [
            name,
            grouped(size.states),
            number(size.views),
            executed(size),
        ]
    };
    let mut rows = vec![ADVICE.map(str::to_string)];
    rows.extend(every.searched.iter().map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; 4] = std::array::from_fn(width);
    let line = |row: &[String; 4]| {
        let cells = row.iter().zip(widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        cells.join("  ")
    };
    let mut lines = vec!["no violation with these sizes: advice, and no proof for others".into()];
    lines.extend(rows.iter().map(line));
    lines
}

fn searched(every: &Every, size: &SearchedSize) -> String {
    let unreached = match size.unreached {
        0 => "every statement reached".into(),
        n => format!("{} unreached", counted(n, "statement")),
    };
    format!(
        "{}={}: {} states, {} steps, {unreached}",
        tame(&every.constant),
        size.size,
        grouped(size.states),
        grouped(size.transitions)
    )
}
