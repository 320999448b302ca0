//! A suite on the terminal: a line for each test, and a summary.

use super::{SuiteReport, Tally, TestOutcome, TestResult};
use crate::style::{Colour, Tone, counted, duration, tame, tame_lines};

/// The line of a test, and if it did not pass, what was found and how to see it again.
pub fn result(test: &TestResult, colour: Colour) -> String {
    let (mark, tone) = match test.outcome {
        TestOutcome::Passed => ("✓", Tone::Good),
        TestOutcome::Failed { .. } | TestOutcome::Wrong { .. } => ("✗", Tone::Bad),
        TestOutcome::Undecided { .. } | TestOutcome::Interrupted => ("?", Tone::Doubtful),
    };
    let mark = colour.paint(tone, mark);
    let place = format!("{}:{}", tame(&test.model), test.line);
    let place = colour.paint(Tone::Faint, place);
    let mut text = format!("{mark} {place}  {}\n", tame(&test.text));
    if let Some(detail) = detail(&test.outcome) {
        for line in tame_lines(&detail).trim_end().lines() {
            text.push_str(&format!("    {line}\n"));
        }
        let has_run = test.outcome != TestOutcome::Interrupted;
        if let Some(command) = test.command.as_ref().filter(|_| has_run) {
            let command = colour.paint(Tone::Faint, tame(command));
            text.push_str(&format!("    {command}\n"));
        }
    }
    text
}

/// What is said of a test that did not pass.
pub fn detail(outcome: &TestOutcome) -> Option<String> {
    match outcome {
        TestOutcome::Passed => None,
        TestOutcome::Failed { found, document } => Some(match &document.violation {
            Some(violation) => format!("found: {found} ({})", violation.message),
            None => format!("found: {found}"),
        }),
        TestOutcome::Undecided { reason } => Some(format!("not decided: {reason}")),
        TestOutcome::Wrong { message, findings } => Some(match findings.first() {
            Some(finding) => format!("{message} ({}:{})", finding.place.file, finding.place.line),
            None => message.clone(),
        }),
        TestOutcome::Interrupted => Some("interrupted".into()),
    }
}

/// The last lines: how many of what.
pub fn summary(report: &SuiteReport, colour: Colour) -> String {
    let tally = Tally::of(&report.tests);
    let parts = [
        (tally.passed, "passed", Tone::Good),
        (tally.failed, "failed", Tone::Bad),
        (tally.wrong, "wrong", Tone::Bad),
        (tally.undecided, "not decided", Tone::Doubtful),
        (tally.interrupted, "interrupted", Tone::Doubtful),
    ];
    let parts = parts.into_iter().filter(|(number, _, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, word, tone)| colour.paint(tone, format!("{number} {word}")))
        .collect();
    let tests = counted(tally.all() as u64, "test");
    let models = counted(report.models().count() as u64, "model");
    let mut text = format!(
        "{tests} of {models}: {} ({})\n",
        parts.join(", "),
        duration(report.seconds)
    );
    if !report.silent.is_empty() {
        let models = counted(report.silent.len() as u64, "model");
        let has = if report.silent.len() == 1 {
            "has"
        } else {
            "have"
        };
        let names: Vec<String> = report.silent.iter().map(|path| tame(path)).collect();
        text.push_str(&format!(
            "note: {models} {has} no `Expect:` line and {has} not been checked: {}\n",
            named(&names)
        ));
    }
    text
}

/// The first names, and how many more there are.
fn named(names: &[String]) -> String {
    const NAMED: usize = 3;
    let first = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
