//! Tables II and III: how many states are left with the group that was found.

use super::facts::{Fact, PaperSearch};
use super::name;
use crate::args::Wishes;
use crate::facts::agrees;
use crate::families;
use crate::measure::{Numbers, Run, Task, measure};
use crate::output::{progress, say};
use crate::table::{self, Table};
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{AfterViolation, Choice, Switch, SymmetryChoice};
use mandala_reduce::Strategy;
use mandala_report::style::grouped;
use serde::Serialize;
use std::io::Write;

/// The paper's three searches: without reduction, with one representative, with several.
const SEARCHES: [SymmetryChoice; 3] = [
    SymmetryChoice::Off,
    SymmetryChoice::Use(Strategy::Auto),
    SymmetryChoice::Use(Strategy::LocalSearch),
];

/// One search.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    model: &'static str,
    size: &'static str,
    strategy: &'static str,
    /// States stored, if everything was visited.
    states: Option<u64>,
    /// Whether each of them is the only one of its orbit.
    exact: Option<bool>,
    seconds: Option<f64>,
    /// Why there are no numbers.
    note: Option<String>,
    /// How many times fewer states than without symmetry.
    reduction: Option<f64>,
    /// How many there should be.
    known: Option<u64>,
    /// Whether there are.
    as_known: Option<bool>,
    paper: PaperSearch,
}

/// Measures and prints the tables.
pub(super) fn run(
    wishes: &Wishes,
    facts: &[Fact],
    out: &mut dyn Write,
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for fact in facts.iter().filter(|fact| fact.has_states()) {
        rows.extend(searches(wishes, fact));
    }
    if !rows.is_empty() {
        print(&rows, out)?;
    }
    Ok(rows)
}

fn searches(wishes: &Wishes, fact: &Fact) -> Vec<Row> {
    let wanted = |(_, choice): &(usize, SymmetryChoice)| {
        let name = format!("{}/{}", name(fact), choice.name());
        wishes.only.wants(&name)
    };
    let wanted: Vec<_> = SEARCHES.into_iter().enumerate().filter(wanted).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let load = || families::named(fact.model)?.load(&wishes.models, fact.size);
    let model = load();
    let mut off = None;
    let mut rows = Vec::new();
    for (number, choice) in wanted {
        let run = match &model {
            Ok(model) => search(wishes, model, choice),
            Err(why) => Run::Impossible(why.clone()),
        };
        progress(&format!(
            "{}/{}: {}",
            name(fact),
            choice.name(),
            run.short()
        ));
        if choice == SymmetryChoice::Off {
            off = run.numbers();
        }
        rows.push(row(fact, number, &run, off));
    }
    rows
}

fn search(wishes: &Wishes, model: &LoadedModel, symmetry: SymmetryChoice) -> Run {
    measure(&Task {
        model,
        symmetry,
        main_array: None,
        // The philosophers of the paper can get stuck, and the puzzle has a solution.
        after_violation: AfterViolation::GoOn,
        partial_order: Switch::Off,
        limit: wishes.limit,
    })
}

fn row(fact: &Fact, number: usize, run: &Run, off: Option<Numbers>) -> Row {
    let numbers = run.numbers();
    let states = numbers.map(|numbers| numbers.states);
    let known = [fact.known.states, fact.known.orbits, None][number];
    Row {
        model: fact.model,
        size: fact.size,
        strategy: SEARCHES[number].name(),
        states,
        exact: numbers.map(|numbers| numbers.exact),
        seconds: numbers.map(|numbers| numbers.seconds),
        note: run.reason().map(ToString::to_string),
        reduction: off
            .zip(states)
            .map(|(off, states)| off.states as f64 / states as f64),
        known,
        as_known: known.zip(states).map(|(known, states)| known == states),
        paper: fact.searches[number],
    }
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    say(
        out,
        "Tables II and III: states with that group (`=`: as many as there are by counting, or as in the paper)",
    )?;
    let mut printed = Table::new(&[
        "model, strategy",
        "states",
        "counted",
        "",
        "paper",
        "",
        "fewer",
        "time",
        "paper, s",
    ]);
    for row in rows {
        printed.row(cells(row));
    }
    printed.write(out)
}

fn cells(row: &Row) -> Vec<String> {
    let states = match row.states {
        Some(states) => table::states(states, row.strategy, row.exact),
        None => row.note.clone().unwrap_or_default(),
    };
    let as_paper = row.states.zip(row.paper.states);
    // How many representatives an orbit has depends on how they are looked for: others are as good.
    let as_paper = as_paper.map(|(states, paper)| agrees(states, paper));
    let as_paper = as_paper.filter(|same| *same);
    let paper = |cell: Option<&str>| cell.unwrap_or_default().to_string();
    vec![
        format!("{} {} {}", row.model, row.size, row.strategy),
        states,
        row.known.map(grouped).unwrap_or_default(),
        row.as_known.map(table::equals).unwrap_or_default(),
        paper(row.paper.states),
        as_paper.map(table::equals).unwrap_or_default(),
        row.reduction.map(table::factor).unwrap_or_default(),
        row.seconds.map(table::seconds).unwrap_or_default(),
        paper(row.paper.seconds),
    ]
}
