//! The results for people: a table for each mode of Rumur.

use super::row::{Agreement, Comparison, Measured, Row, TOTAL_MOST, mean};
use super::verifier::Mode;
use crate::output::say;
use crate::process::Clock;
use crate::table::{self, Table};
use mandala_report::style::grouped;
use std::io::Write;

const HEADER: [&str; 12] = [
    "model",
    "states",
    "rules",
    "same",
    "Rumur's states",
    "Rumur",
    "ours",
    "ours / Rumur's",
    "enough",
    "Rumur, MB",
    "ours, MB",
    "ours / Rumur's",
];

/// Prints everything.
pub(super) fn print(rows: &[Row], clock: Clock, out: &mut dyn Write) -> Result<(), String> {
    let wanted = table::factor(TOTAL_MOST);
    let time = match clock {
        Clock::Wall => "on the wall",
        Clock::Work => "time that was worked, one thread each",
    };
    say(
        out,
        &format!(
            "From the command to the verdict, {time}; Rumur: rumur, cc -O3, the verifier (wanted: at most {wanted} of \
             its time); memory at\nthe peak of what searches\n"
        ),
    )?;
    for mode in Mode::ALL {
        say(out, title(mode))?;
        compare(rows, mode, out)?;
    }
    remarks(rows, out)
}

fn title(mode: Mode) -> &'static str {
    match mode {
        Mode::Off => "Without symmetry",
        Mode::Exhaustive => "With symmetry; Rumur: exhaustive, one state of each orbit",
        Mode::Heuristic => "With symmetry; Rumur: heuristic, one or more states of each orbit",
    }
}

fn compare(rows: &[Row], mode: Mode, out: &mut dyn Write) -> Result<(), String> {
    let mut printed = Table::new(&HEADER);
    for row in rows {
        let comparison = row.comparison(mode);
        if comparison.ours.is_some() {
            let name = vec![row.subject.name.to_string()];
            printed.row([name, cells(&comparison)].concat());
        }
    }
    printed.write(out)?;
    means(rows, mode, out)
}

/// The geometric means over all rows.
fn means(rows: &[Row], mode: Mode, out: &mut dyn Write) -> Result<(), String> {
    let comparisons = || rows.iter().map(|row| row.comparison(mode));
    let total = mean(comparisons().filter_map(|c| c.ratio()));
    let search = mean(comparisons().filter_map(|c| c.search_ratio()));
    let (Some(total), Some(search)) = (total, search) else {
        return Ok(());
    };
    let [total, search] = [total, search].map(|ratio| ratio.told(table::factor));
    say(
        out,
        &format!(
            "geometric mean: {total} of Rumur's time; {search} of the time of its verifier alone, without making it\n"
        ),
    )
}

fn cells(comparison: &Comparison<'_>) -> Vec<String> {
    let (theirs, ours) = (comparison.rumur(), comparison.our());
    let whole = |number: Option<u64>| number.map(grouped).unwrap_or_default();
    let ratio = comparison.ratio();
    let peaks = ours.zip(theirs);
    vec![
        whole(ours.map(|run| run.states)),
        whole(ours.map(|run| run.rules)),
        comparison.agreement().map(same).unwrap_or_default().into(),
        whole(theirs.map(|run| run.states)),
        time(comparison.theirs),
        time(comparison.ours),
        ratio.map(|r| r.told(table::factor)).unwrap_or_default(),
        comparison.suffices().map(table::yes_no).unwrap_or_default(),
        table::megabytes(theirs.map(|run| run.peak)),
        table::megabytes(ours.map(|run| run.peak)),
        peaks
            .map(|(ours, theirs)| table::factor(ours.peak as f64 / theirs.peak as f64))
            .unwrap_or_default(),
    ]
}

fn same(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Same => "=",
        Agreement::Fewer => "fewer",
        Agreement::Unreduced => "unreduced",
        Agreement::Contradiction => "DIFFERENT",
    }
}

fn time(measured: Option<&Measured>) -> String {
    let seconds = |measured: &Measured| measured.clone().map(|run| run.seconds);
    measured
        .map(|measured| table::seconds_or_why(&seconds(measured)))
        .unwrap_or_default()
}

fn remarks(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    for row in rows {
        let name = row.subject.name;
        let missed = row.missed().join(", ");
        if !missed.is_empty() {
            say(out, &format!("{name}: missed: {missed}"))?;
        }
        for note in row.notes() {
            say(out, &format!("{name}: {note}"))?;
        }
        if row.is_contradictory() {
            say(out, &format!("{name}: THE TOOLS CONTRADICT EACH OTHER"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rumur::row::tests::perfect;

    fn printed(row: Row) -> String {
        let mut out = Vec::new();
        print(&[row], Clock::Wall, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_row_has_a_cell_for_each_column() {
        let row = perfect();
        assert!(
            row.comparisons()
                .all(|c| cells(&c).len() + 1 == HEADER.len())
        );
        let text = printed(row);
        assert_eq!(text.matches("german.m/4").count(), 3, "{text}");
        assert!(!text.contains("missed") && !text.contains("CONTRADICT"));
        let told = "geometric mean: 0.33 of Rumur's time; 0.33 of the time of its verifier alone";
        assert_eq!(text.matches(told).count(), 3, "{text}");
    }

    #[test]
    fn a_miss_and_a_contradiction_are_marked() {
        let mut row = perfect();
        let ours = row.off.as_mut().unwrap().as_mut().unwrap();
        (ours.seconds, ours.states) = (5.0, 7);
        let text = printed(row);
        assert!(text.contains("DIFFERENT") && text.contains("CONTRADICT"));
        assert!(text.contains("german.m/4: missed: off"), "{text}");
    }

    #[test]
    fn what_was_not_measured_is_left_out() {
        let mut row = perfect();
        row.off = None;
        row.rumur.insert(Mode::Exhaustive, Err("> 60 s".into()));
        row.rumur.insert(Mode::Heuristic, Err("cc: no".into()));
        let text = printed(row);
        assert_eq!(text.matches("german.m/4  ").count(), 2, "{text}");
        assert!(text.contains("< 0.02") && text.contains("failed"));
        assert!(text.contains("german.m/4: Rumur, heuristic: cc: no"));
    }
}
