//! Tables of plain text.

use mandala_reduce::{Guarantee, Strategy};
use mandala_report::style::grouped;
use std::io::{self, Write};

/// A table whose columns are as wide as their widest cell. The first column is aligned to the left, the others to the right.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    header: Vec<String>,
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new(header: &[&str]) -> Self {
        Table {
            rows: Vec::new(),
            header: header.iter().map(ToString::to_string).collect(),
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes everything, with an empty line behind it.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<(), String> {
        self.lines(out).map_err(|e| format!("cannot write: {e}"))
    }

    fn lines(&self, out: &mut dyn Write) -> io::Result<()> {
        let widths = self.widths();
        writeln!(out, "{}", line(&self.header, &widths))?;
        let rule: usize = widths.iter().map(|w| w + 2).sum();
        writeln!(out, "{}", "-".repeat(rule.saturating_sub(2)))?;
        for row in &self.rows {
            writeln!(out, "{}", line(row, &widths))?;
        }
        writeln!(out)
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let all = self.rows.iter().chain([&self.header]);
            let cells = all.filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..self.header.len()).map(widest).collect()
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let padded = cells.iter().zip(widths).enumerate();
    let padded = padded.map(|(column, (cell, &width))| match column {
        0 => format!("{cell:<width$}"),
        _ => format!("{cell:>width$}"),
    });
    padded.collect::<Vec<_>>().join("  ").trim_end().to_string()
}

/// A number of states, with a `~` if the strategy promises one for each orbit and had to give up on some.
pub(crate) fn states(number: u64, strategy: &str, exact: Option<bool>) -> String {
    let strategy: Option<Strategy> = strategy.parse().ok();
    let canonical = strategy.is_some_and(|s| s.guarantee() == Guarantee::Canonical);
    match canonical && exact == Some(false) {
        true => format!("~{}", grouped(number)),
        false => grouped(number),
    }
}

/// Whether something is so.
pub(crate) fn yes_no(value: bool) -> String {
    if value { "yes" } else { "NO" }.into()
}

/// Whether two numbers are the same.
pub(crate) fn equals(same: bool) -> String {
    if same { "=" } else { "≠" }.into()
}

/// Seconds with three digits that count.
pub(crate) fn seconds(value: f64) -> String {
    match value {
        v if v < 0.0995 => format!("{:.1} ms", v * 1e3),
        v if v < 9.95 => format!("{v:.2} s"),
        v if v < 99.95 => format!("{v:.1} s"),
        v => format!("{v:.0} s"),
    }
}

/// What something took, or after how long it was given up; the reason for anything else is told below a table.
pub(crate) fn seconds_or_why(measured: &Result<f64, String>) -> String {
    match measured {
        Ok(value) => seconds(*value),
        Err(why) if why.contains('>') => why.clone(),
        Err(_) => "failed".into(),
    }
}

/// Bytes in millions, if they were measured.
pub(crate) fn megabytes(bytes: Option<u64>) -> String {
    bytes
        .map(|bytes| format!("{:.1}", bytes as f64 / 1e6))
        .unwrap_or_default()
}

/// A factor with as many digits as count.
pub(crate) fn factor(value: f64) -> String {
    match value {
        v if v < 9.95 => format!("{v:.2}"),
        v if v < 99.5 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["model", "states"]);
        table.row(vec!["a".into(), "12345678".into()]);
        table.row(vec!["longer".into(), String::new()]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let expected = "model     states\n----------------\na       12345678\nlonger\n\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn what_is_not_exact_though_promised_is_marked() {
        assert_eq!(states(1234, "auto", Some(true)), "1,234");
        assert_eq!(states(1234, "auto", Some(false)), "~1,234");
        assert_eq!(states(1234, "local-search", Some(false)), "1,234");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(seconds(0.00123), "1.2 ms");
        assert_eq!(seconds(1.234), "1.23 s");
        assert_eq!(seconds(12.34), "12.3 s");
        assert_eq!(seconds(1234.5), "1234 s");
        assert_eq!(factor(0.5), "0.50");
        assert_eq!(factor(123.4), "123");
    }
}
