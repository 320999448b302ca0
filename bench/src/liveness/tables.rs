//! The results for people: a table for each kind of fairness.

use super::row::{Row, TOTAL_MOST, totals};
use super::way::{Fairness, Way};
use crate::output::say;
use crate::table::{self, Table};
use mandala_report::style::grouped;
use std::io::Write;

const HEADER: [&str; 15] = [
    "model and formula",
    "verdict",
    "Spin's states",
    "reduced",
    "off",
    "auto",
    "Spin",
    "reduced",
    "off",
    "off / Spin",
    "auto",
    "auto / Spin",
    "Spin, MB",
    "off, MB",
    "auto, MB",
];

/// Prints everything.
pub(super) fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    say(
        out,
        "From the command to the verdict, on the wall; Spin: spin -a, gcc -O2, pan -a, without its partial-order reduction \
         and with it\n(reduced); ours: mandala check --ltl, --symmetry off and auto; memory at the peak of what searches\n",
    )?;
    for fairness in Fairness::ALL {
        say(out, title(fairness))?;
        compare(rows, fairness, out)?;
    }
    remarks(rows, out)?;
    summary(rows, out)
}

fn title(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::None => "Without fairness",
        Fairness::Weak => "With weak fairness; Spin: pan -f, ours: --fair weak",
    }
}

fn compare(rows: &[Row], fairness: Fairness, out: &mut dyn Write) -> Result<(), String> {
    let mut printed = Table::new(&HEADER);
    for row in rows.iter().filter(|row| row.fairness == fairness) {
        printed.row(cells(row));
    }
    printed.write(out)
}

fn cells(row: &Row) -> Vec<String> {
    let states = |way| row.run(way).map(|run| grouped(run.states));
    let peak = |way| table::megabytes(row.run(way).map(|run| run.peak));
    let mut cells = vec![row.subject.name.to_string(), row.verdict().to_string()];
    cells.extend(Way::ALL.map(|way| states(way).unwrap_or_default()));
    cells.extend([time(row, Way::Spin), time(row, Way::SpinReduced)]);
    for way in [Way::Off, Way::Auto] {
        let ratio = row.ratio(way, Way::Spin);
        let ratio = ratio.map(|ratio| ratio.told(table::factor));
        cells.extend([time(row, way), ratio.unwrap_or_default()]);
    }
    cells.extend([peak(Way::Spin), peak(Way::Off), peak(Way::Auto)]);
    cells
}

fn time(row: &Row, way: Way) -> String {
    let measured = row.runs.get(&way).cloned();
    let seconds = measured.map(|measured| measured.map(|run| run.seconds));
    seconds.map_or(String::new(), |seconds| table::seconds_or_why(&seconds))
}

/// What is slower than it should be on the whole, what failed, and who is wrong.
fn remarks(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    for row in rows {
        let ratio = row.ratio(Way::Off, Way::Spin);
        let slow = ratio.and_then(|ratio| ratio.is_at_most(TOTAL_MOST)) == Some(false);
        if slow {
            let wanted = table::factor(TOTAL_MOST);
            let line = format!(
                "{}: off takes more than {wanted} of Spin's time",
                row.name()
            );
            say(out, &line)?;
        }
        for note in row.notes() {
            say(out, &note)?;
        }
        for wrong in row.wrong() {
            say(out, &format!("WRONG: {wrong}"))?;
        }
    }
    Ok(())
}

/// The sums over both tables; the last line has the one that is wanted.
fn summary(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let pairs = [
        (Way::Auto, Way::SpinReduced),
        (Way::Off, Way::SpinReduced),
        (Way::Auto, Way::Spin),
    ];
    for (ours, spins) in pairs {
        if let Some((line, _)) = sum(rows, ours, spins) {
            say(out, &line)?;
        }
    }
    match sum(rows, Way::Off, Way::Spin) {
        Some((line, ratio)) => {
            let wanted = table::factor(TOTAL_MOST);
            let enough = table::yes_no(ratio <= TOTAL_MOST);
            say(
                out,
                &format!("{line} (wanted: at most {wanted}); enough: {enough}"),
            )
        }
        None => say(out, "all rows: nothing that both have ended"),
    }
}

fn sum(rows: &[Row], ours: Way, spins: Way) -> Option<(String, f64)> {
    let (our_time, their_time) = totals(rows, ours, spins)?;
    let ratio = our_time / their_time;
    let times = [our_time, their_time].map(table::seconds);
    let line = format!(
        "all rows that both have ended: {ours}: {}; {spins}: {}; {} of its time",
        times[0],
        times[1],
        table::factor(ratio)
    );
    Some((line, ratio))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liveness::row::tests::perfect;

    fn printed(row: Row) -> String {
        let mut out = Vec::new();
        print(&[row], &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_row_has_a_cell_for_each_column_in_one_table() {
        assert_eq!(cells(&perfect()).len(), HEADER.len());
        let text = printed(perfect());
        assert_eq!(text.matches("peterson/3/enter").count(), 1, "{text}");
        let end = "0.33 of its time (wanted: at most 0.33); enough: yes\n";
        assert!(text.ends_with(end) && !text.contains("WRONG"), "{text}");
    }

    #[test]
    fn what_is_slow_or_wrong_is_told() {
        let mut row = perfect();
        let ours = row.runs.get_mut(&Way::Off).unwrap().as_mut().unwrap();
        (ours.seconds, ours.holds) = (5.0, false);
        let text = printed(row);
        assert!(text.contains("fair: off takes more than 0.33"), "{text}");
        assert!(text.contains("WRONG: peterson/3/enter, fair: ours, off: violated"));
        assert!(text.ends_with("enough: NO\n"), "{text}");
    }

    #[test]
    fn what_did_not_end_is_not_added_up() {
        let mut row = perfect();
        row.runs.insert(Way::Spin, Err("> 60 s".into()));
        row.runs.insert(Way::SpinReduced, Err("gcc: no".into()));
        let text = printed(row);
        assert!(text.contains("< 0.03") && text.contains("failed"), "{text}");
        assert!(text.contains("Spin with its reduction: gcc: no"));
        assert!(text.ends_with("nothing that both have ended\n"));
    }
}
