//! The results for programs: the same columns as comma-separated values and in the JSON document.

use super::row::Row;
use serde_json::{Map, Value, json};

/// A named value; null if it was not measured.
type Cell = (&'static str, Value);

/// All cells of a row, in the order of the columns.
fn cells(row: &Row) -> Vec<Cell> {
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

/// The rows as objects.
pub fn objects(rows: &[Row]) -> Vec<Map<String, Value>> {
    let object = |row| cells(row).into_iter().map(|(name, v)| (name.into(), v));
    rows.iter().map(|row| object(row).collect()).collect()
}

/// The rows as comma-separated values, with the names of the columns before them.
pub fn comma_separated(rows: &[Row]) -> String {
    let mut lines = Vec::new();
    for row in rows {
        let (names, values): (Vec<_>, Vec<_>) = cells(row).into_iter().unzip();
        if lines.is_empty() {
            lines.push(names.join(","));
        }
        let values: Vec<String> = values.iter().map(written).collect();
        lines.push(values.join(","));
    }
    lines.join("\n")
}

fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains([',', '"', '\n']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spin::row::tests::perfect;

    #[test]
    fn both_forms_have_the_same_columns() {
        let rows = [perfect(), Row::new(perfect().subject)];
        let text = comma_separated(&rows);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), 3);
        let objects = objects(&rows);
        for (line, object) in lines[1..].iter().zip(&objects) {
            assert_eq!(line.len(), object.len());
            assert_eq!(line.len(), lines[0].len());
        }
        let speed = lines[0].iter().position(|name| *name == "speed_ratio");
        assert_eq!(lines[1][speed.unwrap()], "2.0");
        assert_eq!(lines[2][speed.unwrap()], "");
        assert_eq!(objects[0]["speed_ratio"], 2.0);
    }

    #[test]
    fn a_comma_in_a_text_is_none_between_values() {
        assert_eq!(written(&"a, \"b\"".into()), "\"a, \"\"b\"\"\"");
        assert_eq!(written(&"a b".into()), "a b");
        assert_eq!(written(&Value::Null), "");
    }
}
