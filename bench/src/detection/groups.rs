//! Table I: the group of a model, and how long it takes to find it.

use super::facts::{Fact, PaperGroup};
use super::name;
use crate::args::Wishes;
use crate::clock::Stopwatch;
use crate::families;
use crate::output::{progress, say};
use crate::table::{self, Table};
use mandala_checker::document::symmetry::SymmetryReport;
use mandala_checker::options::{CheckOptions, SAFETY, Selection};
use mandala_checker::symmetry;
use mandala_report::document::Symmetry;
use mandala_report::style::grouped;
use serde::Serialize;
use std::io::Write;

/// How often a group is looked for; the median of the times counts.
const REPETITIONS: usize = 5;

/// The systems whose groups are to be found ..
const TARGETS: [&str; 4] = [
    "peterson/12",
    "hypercube/6",
    "leader-complete/15",
    "three-tier/5-5-5-5",
];

/// .. within so many seconds.
const WANTED_SECONDS: f64 = 1.0;

/// One system.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    model: &'static str,
    size: &'static str,
    /// What was found; nothing if it cannot be looked for.
    #[serde(flatten)]
    found: Option<Found>,
    /// Why nothing was found.
    note: Option<String>,
    /// The order that the group should have.
    known_order: Option<&'static str>,
    /// Whether it has it.
    as_known: Option<bool>,
    /// Whether that group was found in less time than wanted, for the systems where that is the point.
    in_time: Option<bool>,
    paper: PaperGroup,
    remark: Option<&'static str>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Found {
    /// The median of the seconds from the text of the model to the proven group.
    seconds: f64,
    /// The vertices of the graph whose automorphisms were proposed, if it took one.
    vertices: Option<u64>,
    /// Its edges.
    edges: Option<u64>,
    /// How many elements the group has, in decimal.
    order: String,
    structure: String,
    generators: usize,
    /// Whether there was time for everything that there was to try; nothing if that is not known.
    complete: Option<bool>,
}

/// Measures and prints the table.
pub(super) fn run(
    wishes: &Wishes,
    facts: &[Fact],
    out: &mut dyn Write,
) -> Result<Vec<Row>, String> {
    let wanted = facts.iter().filter(|fact| wishes.only.wants(&name(fact)));
    let rows: Vec<Row> = wanted.map(|fact| row(wishes, fact)).collect();
    if !rows.is_empty() {
        print(&rows, out)?;
    }
    Ok(rows)
}

fn row(wishes: &Wishes, fact: &Fact) -> Row {
    let (found, note) = match median(wishes, fact) {
        Ok(found) => (Some(found), None),
        Err(why) => (None, Some(why)),
    };
    let as_known = |known| Some(found.as_ref()?.order == known);
    let as_known = fact.known.order.and_then(as_known);
    let in_time = || found.as_ref().map(|found| is_reached(found, as_known));
    let row = Row {
        model: fact.model,
        size: fact.size,
        known_order: fact.known.order,
        as_known,
        in_time: TARGETS
            .contains(&name(fact).as_str())
            .then(in_time)
            .flatten(),
        paper: fact.group,
        remark: fact.remark,
        found,
        note,
    };
    progress(&format!("{}: {}", name(fact), short(&row)));
    row
}

/// Nothing is gained by not finding a group in no time.
fn is_reached(found: &Found, as_known: Option<bool>) -> bool {
    found.seconds < WANTED_SECONDS && as_known == Some(true)
}

fn short(row: &Row) -> String {
    match &row.found {
        Some(found) => format!("{}, {}", found.order, table::seconds(found.seconds)),
        None => row.note.clone().unwrap_or_default(),
    }
}

/// Looks for the group several times. What it is does not change.
fn median(wishes: &Wishes, fact: &Fact) -> Result<Found, String> {
    let times = match wishes.quick {
        true => 1,
        false => REPETITIONS,
    };
    let mut all = Vec::new();
    for _ in 0..times {
        all.push(once(wishes, fact)?);
    }
    all.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(all.swap_remove(all.len() / 2))
}

fn once(wishes: &Wishes, fact: &Fact) -> Result<Found, String> {
    let options = CheckOptions {
        properties: Selection::Named(vec![SAFETY.into()]),
        ..CheckOptions::default()
    };
    let watch = Stopwatch::start();
    let loaded = families::named(fact.model)?.load(&wishes.models, fact.size)?;
    let report = symmetry(&loaded, &options);
    let seconds = watch.elapsed().as_secs_f64();
    let report = report.map_err(|refusal| format!("{refusal:?}"))?;
    Ok(told(&report, seconds))
}

fn told(report: &SymmetryReport, seconds: f64) -> Found {
    let Symmetry {
        order,
        structure,
        generators,
        detection,
        ..
    } = &report.document.symmetry;
    let detection = detection.as_ref();
    Found {
        seconds,
        vertices: detection.and_then(|detection| detection.vertices),
        edges: detection.and_then(|detection| detection.edges),
        order: order.clone(),
        structure: structure.clone(),
        generators: generators.len(),
        complete: detection.map(|detection| detection.complete),
    }
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let what = format!(
        "Table I: the group of a model without annotation (`=`: the order that it has by counting; wanted in less than \
         {WANTED_SECONDS} s where it says so)"
    );
    say(out, &what)?;
    let mut printed = Table::new(&[
        "model",
        "vertices",
        "edges",
        "time",
        "in time",
        "order",
        "",
        "paper",
        "generators",
        "paper",
        "paper's graph",
        "Saucy, s",
        "structure",
    ]);
    for row in rows {
        printed.row(cells(row));
    }
    printed.write(out)?;
    remarks(rows, out)
}

fn cells(row: &Row) -> Vec<String> {
    let found = |tell: &dyn Fn(&Found) -> String| row.found.as_ref().map(tell);
    let graph = |size: Option<u64>| size.map(grouped).unwrap_or_else(|| "-".into());
    let paper = |cell: Option<&str>| cell.unwrap_or_default().to_string();
    let note = || row.note.clone().unwrap_or_default();
    vec![
        format!("{} {}", row.model, row.size),
        found(&|found| graph(found.vertices)).unwrap_or_default(),
        found(&|found| graph(found.edges)).unwrap_or_default(),
        found(&|found| table::seconds(found.seconds)).unwrap_or_default(),
        row.in_time.map(table::yes_no).unwrap_or_default(),
        found(&|found| found.order.clone()).unwrap_or_default(),
        row.as_known.map(table::equals).unwrap_or_default(),
        paper(row.paper.order),
        found(&|found| found.generators.to_string()).unwrap_or_default(),
        paper(row.paper.generators),
        paper(row.paper.graph),
        paper(row.paper.saucy),
        found(&structure).unwrap_or_else(note),
    ]
}

fn structure(found: &Found) -> String {
    match found.complete {
        Some(false) => format!("{} (no time for everything)", found.structure),
        _ => found.structure.clone(),
    }
}

/// What to know about some of the rows, below the table.
fn remarks(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    for row in rows {
        if let Some(remark) = row.remark {
            say(out, &format!("{} {}: {remark}", row.model, row.size))?;
        }
    }
    say(out, "")
}

#[cfg(test)]
mod tests {
    use super::super::facts;
    use super::*;

    #[test]
    fn a_target_is_the_right_group_in_time() {
        let found = |seconds| Found {
            seconds,
            vertices: None,
            edges: None,
            order: "6".into(),
            structure: "S3".into(),
            generators: 2,
            complete: None,
        };
        assert!(is_reached(&found(0.9), Some(true)));
        assert!(!is_reached(&found(1.1), Some(true)) && !is_reached(&found(0.1), Some(false)));
    }

    #[test]
    fn the_targets_are_lines() {
        let all: Vec<_> = facts::detection().iter().map(name).collect();
        assert!(
            TARGETS
                .iter()
                .all(|target| all.contains(&target.to_string()))
        );
    }
}
