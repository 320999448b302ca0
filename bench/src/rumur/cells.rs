//! The results for programs: the values of a row, by name.

use super::row::{Comparison, Row};
use super::run::Run;
use super::verifier::Mode;
use crate::columns::Cell;
use crate::ratio::Ratio;
use serde_json::json;

/// All cells of a row, in the order of the columns.
pub(super) fn of(row: &Row) -> Vec<Cell> {
    let (off, exhaustive, heuristic) = (
        row.comparison(Mode::Off),
        row.comparison(Mode::Exhaustive),
        row.comparison(Mode::Heuristic),
    );
    let groups = [
        vec![("model", row.subject.name.into())],
        run(OFF, off.our()),
        run(AUTO, exhaustive.our()),
        run(RUMUR_OFF, off.rumur()),
        run(RUMUR_EXHAUSTIVE, exhaustive.rumur()),
        run(RUMUR_HEURISTIC, heuristic.rumur()),
        ratio(["off_ratio", "off_bound"], off),
        ratio(["exhaustive_ratio", "exhaustive_bound"], exhaustive),
        ratio(["heuristic_ratio", "heuristic_bound"], heuristic),
        remarks(row),
    ];
    groups.into_iter().flatten().collect()
}

/// The columns of a search: states, rules, seconds, those of the program that searches, bytes at the peak.
type Names = [&'static str; 5];

const OFF: Names = [
    "states",
    "rules",
    "off_seconds",
    "off_search_seconds",
    "off_peak",
];
const AUTO: Names = [
    "orbits",
    "orbit_rules",
    "auto_seconds",
    "auto_search_seconds",
    "auto_peak",
];
const RUMUR_OFF: Names = [
    "rumur_states",
    "rumur_rules",
    "rumur_seconds",
    "rumur_search_seconds",
    "rumur_peak",
];
const RUMUR_EXHAUSTIVE: Names = [
    "exhaustive_states",
    "exhaustive_rules",
    "exhaustive_seconds",
    "exhaustive_search_seconds",
    "exhaustive_peak",
];
const RUMUR_HEURISTIC: Names = [
    "heuristic_states",
    "heuristic_rules",
    "heuristic_seconds",
    "heuristic_search_seconds",
    "heuristic_peak",
];

fn run(names: Names, run: Option<&Run>) -> Vec<Cell> {
    let values = [
        json!(run.map(|run| run.states)),
        json!(run.map(|run| run.rules)),
        json!(run.map(|run| run.seconds)),
        json!(run.map(|run| run.searching)),
        json!(run.map(|run| run.peak)),
    ];
    names.into_iter().zip(values).collect()
}

/// Our time divided by Rumur's, or less than what if Rumur was stopped.
fn ratio([exact, bound]: [&'static str; 2], comparison: Comparison<'_>) -> Vec<Cell> {
    let (is, is_less_than) = match comparison.ratio() {
        Some(Ratio::Exactly(value)) => (Some(value), None),
        Some(Ratio::LessThan(value)) => (None, Some(value)),
        None => (None, None),
    };
    vec![(exact, json!(is)), (bound, json!(is_less_than))]
}

fn remarks(row: &Row) -> Vec<Cell> {
    vec![
        ("contradiction", row.is_contradictory().into()),
        ("missed", row.missed().join(" ").into()),
        ("notes", row.notes().join("; ").into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rumur::row::tests::perfect;

    #[test]
    fn what_was_not_measured_has_its_column_all_the_same() {
        let mut row = perfect();
        row.rumur.insert(Mode::Heuristic, Err("> 10 s".into()));
        let (full, empty) = (of(&row), of(&Row::new(row.subject)));
        let names = |cells: &[Cell]| cells.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names(&full), names(&empty));
        let value = |cells: &[Cell], name: &str| {
            let cell = cells.iter().find(|(column, _)| *column == name);
            cell.unwrap().1.clone()
        };
        assert_eq!(value(&full, "orbits"), 100);
        assert_eq!(value(&full, "heuristic_bound"), 0.1);
        assert!(value(&full, "heuristic_ratio").is_null());
        assert!(value(&empty, "off_seconds").is_null());
    }
}
