//! The results for programs: the values of a row, by name.

use super::row::Row;
use crate::columns::Cell;
use serde_json::json;

/// All cells of a row, in the order of the columns.
pub(super) fn of(row: &Row) -> Vec<Cell> {
    let groups = [
        model(row),
        totals(row),
        pan(row),
        ours(row),
        workers(row),
        memory(row),
        symmetry(row),
        remarks(row),
    ];
    groups.into_iter().flatten().collect()
}

fn model(row: &Row) -> Vec<Cell> {
    vec![
        ("model", row.subject.name.into()),
        ("states", row.subject.states.into()),
        ("agree", json!(row.agree())),
    ]
}

fn totals(row: &Row) -> Vec<Cell> {
    let (spin, ours) = (row.spin_total, row.our_total);
    vec![
        ("spin_total_wall", json!(spin.map(|spent| spent.wall))),
        ("spin_total_work", json!(spin.map(|spent| spent.work))),
        ("our_total_wall", json!(ours.map(|spent| spent.wall))),
        ("our_total_work", json!(ours.map(|spent| spent.work))),
        ("total_ratio", json!(row.total())),
        ("total_work_ratio", json!(row.total_work())),
    ]
}

fn pan(row: &Row) -> Vec<Cell> {
    let spent = row.pan.as_ref().map(|search| search.spent);
    let report = row.pan.as_ref().map(|search| search.report);
    let rate = row.pan.as_ref().map(|search| search.states_per_second());
    vec![
        ("pan_wall", json!(spent.map(|spent| spent.wall))),
        ("pan_work", json!(spent.map(|spent| spent.work))),
        ("pan_elapsed", json!(report.map(|report| report.seconds))),
        ("pan_states_per_second", json!(rate)),
        (
            "pan_transitions",
            json!(report.map(|report| report.transitions)),
        ),
        ("pan_depth", json!(report.map(|report| report.depth))),
        ("pan_vector", json!(report.map(|report| report.vector))),
        (
            "pan_total_bytes",
            json!(report.map(|report| report.total_bytes)),
        ),
    ]
}

fn ours(row: &Row) -> Vec<Cell> {
    let one = row.one.as_ref();
    vec![
        ("our_seconds", json!(one.map(|check| check.seconds))),
        ("our_work", json!(one.map(|check| check.work()))),
        (
            "our_states_per_second",
            json!(one.map(|check| check.states_per_second())),
        ),
        ("our_transitions", json!(one.map(|check| check.transitions))),
        ("speed_ratio", json!(row.speed())),
    ]
}

fn workers(row: &Row) -> Vec<Cell> {
    let two = row.two.as_ref();
    vec![
        ("two_workers_seconds", json!(two.map(|check| check.seconds))),
        ("workers_ratio", json!(row.workers())),
        ("workers_bound", json!(row.workers_bound())),
    ]
}

fn memory(row: &Row) -> Vec<Cell> {
    let plain = row.pan.as_ref().map(|search| search.bytes_per_state());
    let collapse = row.collapse.as_ref();
    let compressed = collapse.map(|search| search.bytes_per_state());
    vec![
        ("pan_bytes_per_state", json!(plain)),
        ("collapse_bytes_per_state", json!(compressed)),
        (
            "collapse_work",
            json!(collapse.map(|search| search.spent.work)),
        ),
        ("our_bytes_per_state", json!(row.bytes())),
    ]
}

fn symmetry(row: &Row) -> Vec<Cell> {
    let (one, reduced) = (row.one.as_ref(), row.reduced.as_ref());
    vec![
        ("names_in_locals", row.subject.names_in_locals.into()),
        ("group_order", json!(reduced.map(|check| &check.order))),
        ("orbits", json!(reduced.map(|check| check.states))),
        (
            "transitions_per_second",
            json!(one.map(|check| check.transitions_per_second())),
        ),
        (
            "symmetry_transitions_per_second",
            json!(reduced.map(|check| check.transitions_per_second())),
        ),
        ("symmetry_ratio", json!(row.symmetry())),
    ]
}

fn remarks(row: &Row) -> Vec<Cell> {
    vec![
        ("missed", row.missed().join(" ").into()),
        ("notes", row.notes.join("; ").into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spin::row::tests::perfect;

    #[test]
    fn what_was_not_measured_has_its_column_all_the_same() {
        let (full, empty) = (of(&perfect()), of(&Row::new(perfect().subject)));
        let names = |cells: &[Cell]| cells.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names(&full), names(&empty));
        let speed = |cells: Vec<Cell>| {
            let cell = cells.into_iter().find(|(name, _)| *name == "speed_ratio");
            cell.unwrap().1
        };
        assert_eq!(speed(full), 2.0);
        assert!(speed(empty).is_null());
    }
}
