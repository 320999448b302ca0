//! The result of a suite as JUnit XML, which continuous integration shows as a list of tests.
//!
//! There are two schemas that programs go by, that of Ant and that of Jenkins. The documents are valid for both: so the outermost element has no attributes, every
//! suite has all that Ant requires, and a property, which Jenkins requires; and no test is skipped, which Ant does not know: one that was interrupted is an
//! error, as nobody knows how it would have ended.

use crate::document::Tool;
use crate::style::tame_lines;
use crate::suite::text::detail;
use crate::suite::{SuiteReport, Tally, TestOutcome, TestResult};
use std::fmt::Write;

/// The result as a document.
pub fn write(report: &SuiteReport) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (id, tests) in report.models().enumerate() {
        suite(&mut text, id, tests, report);
    }
    text.push_str("</testsuites>\n");
    text
}

/// The tests of one model.
fn suite(text: &mut String, id: usize, tests: &[TestResult], report: &SuiteReport) {
    let tally = Tally::of(tests);
    let seconds: f64 = tests.iter().map(|test| test.seconds).sum();
    let name = tests.first().map_or("", |test| test.model.as_str());
    let attributes = [
        ("id", id.to_string()),
        ("name", name.to_string()),
        ("package", "mandala".to_string()),
        ("timestamp", date_and_time(report.started)),
        ("hostname", "localhost".to_string()),
        ("tests", tally.all().to_string()),
        ("failures", tally.failed.to_string()),
        (
            "errors",
            (tally.wrong + tally.undecided + tally.interrupted).to_string(),
        ),
        ("time", format!("{seconds:.3}")),
    ];
    open(text, 1, "testsuite", &attributes);
    text.push_str(">\n    <properties>\n");
    let property = [
        ("name", "mandala".to_string()),
        ("value", Tool::mandala().version),
    ];
    open(text, 3, "property", &property);
    text.push_str("/>\n    </properties>\n");
    tests.iter().for_each(|test| case(text, test));
    text.push_str("    <system-out/>\n    <system-err/>\n  </testsuite>\n");
}

fn case(text: &mut String, test: &TestResult) {
    let attributes = [
        ("name", test.text.clone()),
        ("classname", test.model.clone()),
        ("time", format!("{:.3}", test.seconds)),
    ];
    open(text, 2, "testcase", &attributes);
    let (element, kind) = match test.outcome {
        TestOutcome::Passed => {
            text.push_str("/>\n");
            return;
        }
        TestOutcome::Failed { .. } => ("failure", "expectation"),
        TestOutcome::Undecided { .. } => ("error", "not decided"),
        TestOutcome::Wrong { .. } => ("error", "wrong"),
        TestOutcome::Interrupted => ("error", "interrupted"),
    };
    let message = detail(&test.outcome).unwrap_or_default();
    text.push_str(">\n");
    let attributes = [("message", message.clone()), ("type", kind.to_string())];
    open(text, 3, element, &attributes);
    let place = format!("{}:{}: {}", test.model, test.line, test.text);
    let command = test.command.as_deref().unwrap_or_default();
    let body = format!("{place}\n{message}\n{command}");
    let _ = writeln!(text, ">{}</{element}>", escaped(body.trim_end()));
    text.push_str("    </testcase>\n");
}

/// The begin of an element, up to what closes its tag.
fn open(text: &mut String, depth: usize, element: &str, attributes: &[(&str, String)]) {
    let _ = write!(text, "{:indent$}<{element}", "", indent = 2 * depth);
    for (name, value) in attributes {
        let value = escaped(value).replace('\n', "&#10;");
        let _ = write!(text, " {name}=\"{value}\"");
    }
}

/// The text without what XML gives a meaning to, and without signs that it does not allow.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in tame_lines(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The date and the time in Greenwich so many seconds after the beginning of 1970, as in `2026-11-19T04:27:35`.
fn date_and_time(seconds: u64) -> String {
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that a leap day is the last of its year; 400 of them have 146,097 days. 1970 began 719,468 days after the
    // first of March of the year 0.
    let day = day + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00"),
            (951_782_399, "2000-02-28T23:59:59"),
            (951_782_400, "2000-02-29T00:00:00"),
            (951_868_800, "2000-03-01T00:00:00"),
            (1_709_164_800, "2024-02-29T00:00:00"),
            (1_735_689_599, "2024-12-31T23:59:59"),
            (4_107_542_400, "2100-03-01T00:00:00"),
        ] {
            assert_eq!(date_and_time(seconds), date);
        }
    }

    #[test]
    fn what_has_a_meaning_in_xml_is_escaped() {
        assert_eq!(
            escaped("a < b && \"c\" > 'd'\u{1}"),
            "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'?"
        );
    }
}
