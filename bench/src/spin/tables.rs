//! The results for people: a table for each question.

use super::row::{self, Row, mean_speed};
use crate::output::say;
use crate::table::{self, Table};
use mandala_report::style::grouped;
use std::io::Write;

/// Prints everything.
pub(super) fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    totals(rows, out)?;
    searches(rows, out)?;
    workers(rows, out)?;
    memory(rows, out)?;
    symmetry(rows, out)?;
    pan(rows, out)?;
    missed(rows, out)
}

fn totals(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let wanted = table::factor(row::TOTAL_MOST);
    let what = format!(
        "From the command to the verdict, on the wall and by the time that was worked; Spin: spin -a, gcc -O2, pan \
         (wanted: ours / Spin's\nat most {wanted} on the wall)"
    );
    let header = [
        "model",
        "states",
        "same",
        "Spin",
        "ours",
        "ours / Spin's",
        "enough",
        "Spin's work",
        "our work",
        "ours / Spin's",
    ];
    write(&what, &header, rows, out, |row| {
        let (spin, ours) = (row.spin_total, row.our_total);
        vec![
            grouped(row.subject.states),
            row.agree().map(table::equals).unwrap_or_default(),
            time(spin.map(|spent| spent.wall)),
            time(ours.map(|spent| spent.wall)),
            ratio(row.total()),
            answer(row.total_suffices()),
            time(spin.map(|spent| spent.work)),
            time(ours.map(|spent| spent.work)),
            ratio(row.total_work()),
        ]
    })
}

fn searches(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let what = format!(
        "The search alone with one core, by the time that was worked; Spin with gcc -O3 (wanted: at least {} times as fast \
         on every model,\n{} times in the geometric mean)",
        row::SPEED_LEAST,
        row::SPEED_MEAN
    );
    let header = [
        "model",
        "states",
        "Spin",
        "states/s",
        "ns/transition",
        "ours",
        "states/s",
        "ns/transition",
        "times as fast",
        "enough",
    ];
    write(&what, &header, rows, out, |row| {
        let (pan, one) = (row.pan.as_ref(), row.one.as_ref());
        vec![
            grouped(row.subject.states),
            time(pan.map(|search| search.spent.work)),
            count(pan.map(|search| search.states_per_second())),
            count(pan.map(|search| 1e9 / search.transitions_per_second())),
            time(one.map(|check| check.work())),
            count(one.map(|check| check.states_per_second())),
            count(one.map(|check| 1e9 / check.transitions_per_second())),
            ratio(row.speed()),
            answer(row.speed_suffices()),
        ]
    })?;
    match mean_speed(rows) {
        Some(mean) => {
            let enough = table::yes_no(mean >= row::SPEED_MEAN);
            let mean = table::factor(mean);
            say(out, &format!("geometric mean: {mean}; enough: {enough}\n"))
        }
        None => Ok(()),
    }
}

fn workers(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    if rows.iter().all(|row| row.two.is_none()) {
        return say(out, "Two workers: this version has one only\n");
    }
    let what = format!(
        "Two workers and one, on the wall (wanted: at least {} times as fast), and how many times as fast by the time that \
         they worked,\nif nobody else had the cores",
        row::WORKERS_LEAST
    );
    let header = ["model", "one", "two", "times as fast", "enough", "by work"];
    write(&what, &header, rows, out, |row| {
        vec![
            time(row.one.as_ref().map(|check| check.seconds)),
            time(row.two.as_ref().map(|check| check.seconds)),
            ratio(row.workers()),
            answer(row.workers_suffice()),
            ratio(row.workers_bound()),
        ]
    })
}

fn memory(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let what = format!(
        "Bytes for each state: Spin's without its hash table, ours with everything (wanted: fewer than COLLAPSE, and at \
         most {} with {}\nstates or more)",
        row::BYTES_MOST,
        grouped(row::LARGE)
    );
    let header = ["model", "states", "Spin", "COLLAPSE", "ours", "enough"];
    write(&what, &header, rows, out, |row| {
        let (plain, collapse) = (row.pan.as_ref(), row.collapse.as_ref());
        vec![
            grouped(row.subject.states),
            decimal(plain.map(|search| search.bytes_per_state())),
            decimal(collapse.map(|search| search.bytes_per_state())),
            decimal(row.bytes()),
            answer(row.bytes_suffice()),
        ]
    })
}

fn symmetry(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let what = format!(
        "Transitions in a second with --symmetry auto and off, one worker (wanted: at least {} times as many, {} times if \
         locals hold names;\nnot told where less than {} transitions are left)",
        row::SYMMETRY_LEAST,
        row::SYMMETRY_LEAST_WITH_NAMES,
        grouped(row::TRANSITIONS_LEAST)
    );
    let header = [
        "model",
        "group",
        "orbits",
        "off",
        "auto",
        "auto / off",
        "wanted",
        "enough",
    ];
    write(&what, &header, rows, out, |row| {
        let (one, reduced) = (row.one.as_ref(), row.reduced.as_ref());
        let told = row.symmetry().is_some();
        vec![
            reduced.map(|check| check.order.clone()).unwrap_or_default(),
            reduced
                .map(|check| grouped(check.states))
                .unwrap_or_default(),
            count(one.map(|check| check.transitions_per_second())),
            count(reduced.map(|check| check.transitions_per_second())),
            ratio(row.symmetry()),
            ratio(told.then(|| row.symmetry_wanted())),
            answer(row.symmetry_suffices()),
        ]
    })
}

fn pan(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let what = "What pan says (gcc -O3): seconds by its own clock on the wall, memory in megabytes";
    let header = [
        "model",
        "states",
        "transitions",
        "depth",
        "bytes of a state",
        "elapsed",
        "states/s",
        "states, MB",
        "total, MB",
        "COLLAPSE, MB",
    ];
    write(what, &header, rows, out, |row| {
        let report = row.pan.as_ref().map(|search| search.report);
        let collapse = row.collapse.as_ref().map(|search| search.report);
        let whole = |number: Option<u64>| number.map(grouped).unwrap_or_default();
        let megabytes = |bytes: Option<f64>| count(bytes.map(|bytes| bytes / f64::from(1 << 20)));
        vec![
            whole(report.map(|report| report.states)),
            whole(report.map(|report| report.transitions)),
            whole(report.map(|report| report.depth)),
            whole(report.map(|report| report.vector)),
            time(report.map(|report| report.seconds)),
            count(report.map(|report| report.states as f64 / report.seconds)),
            megabytes(report.map(|report| report.state_bytes)),
            megabytes(report.map(|report| report.total_bytes)),
            megabytes(collapse.map(|report| report.state_bytes)),
        ]
    })
}

fn missed(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    for row in rows {
        let missed = row.missed();
        if !missed.is_empty() {
            let missed = missed.join(", ");
            say(out, &format!("{}: missed: {missed}", row.subject.name))?;
        }
        for note in &row.notes {
            say(out, &format!("{}: {note}", row.subject.name))?;
        }
    }
    Ok(())
}

/// A title, and a table whose first column is the model.
fn write(
    what: &str,
    header: &[&str],
    rows: &[Row],
    out: &mut dyn Write,
    cells: impl Fn(&Row) -> Vec<String>,
) -> Result<(), String> {
    say(out, what)?;
    let mut printed = Table::new(header);
    for row in rows {
        let name = row.subject.name.to_string();
        printed.row([vec![name], cells(row)].concat());
    }
    printed.write(out)
}

fn time(seconds: Option<f64>) -> String {
    seconds.map(table::seconds).unwrap_or_default()
}

fn ratio(value: Option<f64>) -> String {
    value.map(table::factor).unwrap_or_default()
}

fn answer(value: Option<bool>) -> String {
    value.map(table::yes_no).unwrap_or_default()
}

fn count(value: Option<f64>) -> String {
    let whole = |value: f64| grouped(value.round() as u64);
    value.map(whole).unwrap_or_default()
}

fn decimal(value: Option<f64>) -> String {
    value.map(|v| format!("{v:.1}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spin::row::tests::perfect;

    fn printed(rows: &[Row]) -> String {
        let mut out = Vec::new();
        print(rows, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_miss_is_marked() {
        let fine = printed(&[perfect()]);
        assert!(fine.contains("geometric mean: 2.00; enough: NO"), "{fine}");
        assert!(!fine.contains("missed"), "{fine}");
        let slow = Row {
            our_total: perfect().spin_total,
            ..perfect()
        };
        assert!(printed(&[slow]).contains("email/4: missed: total"));
    }

    #[test]
    fn what_was_not_measured_is_left_out() {
        let row = Row {
            two: None,
            notes: vec!["pan: out of memory".into()],
            ..perfect()
        };
        let text = printed(&[row]);
        assert!(text.contains("this version has one only"));
        assert!(text.contains("email/4: pan: out of memory"));
        assert!(printed(&[Row::new(perfect().subject)]).contains("email/4"));
    }
}
