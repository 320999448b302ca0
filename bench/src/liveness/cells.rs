//! The results for programs: the values of a row, by name.

use super::row::{Row, Run};
use super::way::Way;
use crate::columns::Cell;
use serde_json::json;

/// The columns of a run: states, seconds, bytes at the peak.
type Names = [&'static str; 3];

/// All cells of a row, in the order of the columns.
pub(super) fn of(row: &Row) -> Vec<Cell> {
    let groups = Way::ALL.map(|way| run(names(way), row.run(way)));
    let mut cells: Vec<Cell> = vec![
        ("model", row.subject.name.into()),
        ("formula", row.subject.formula.into()),
        ("fairness", row.fairness.to_string().into()),
        ("verdict", row.verdict().into()),
    ];
    cells.extend(groups.into_iter().flatten());
    cells.push(("wrong", row.wrong().join("; ").into()));
    cells.push(("notes", row.notes().join("; ").into()));
    cells
}

fn names(way: Way) -> Names {
    match way {
        Way::Spin => ["spin_states", "spin_seconds", "spin_peak"],
        Way::SpinReduced => [
            "spin_reduced_states",
            "spin_reduced_seconds",
            "spin_reduced_peak",
        ],
        Way::Off => ["off_states", "off_seconds", "off_peak"],
        Way::Auto => ["auto_states", "auto_seconds", "auto_peak"],
    }
}

fn run(names: Names, run: Option<&Run>) -> Vec<Cell> {
    let values = [
        json!(run.map(|run| run.states)),
        json!(run.map(|run| run.seconds)),
        json!(run.map(|run| run.peak)),
    ];
    names.into_iter().zip(values).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liveness::row::tests::perfect;

    #[test]
    fn what_was_not_measured_has_its_column_all_the_same() {
        let row = perfect();
        let (full, empty) = (of(&row), of(&Row::new(row.subject, row.fairness)));
        let names = |cells: &[Cell]| cells.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names(&full), names(&empty));
        let value = |cells: &[Cell], name: &str| {
            let cell = cells.iter().find(|(column, _)| *column == name);
            cell.unwrap().1.clone()
        };
        assert_eq!(value(&full, "auto_states"), 10);
        assert_eq!(value(&full, "fairness"), "weak");
        assert!(value(&empty, "spin_seconds").is_null());
    }
}
