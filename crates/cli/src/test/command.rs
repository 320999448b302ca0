//! The command that checks an expectation, and what comes of it.

use crate::args::{Arguments, CheckArguments, Command, TestArguments};
use crate::exit::Status;
use crate::{memory, units};
use clap::Parser;
use mandala_report::document::{ErrorKind, Verdict};
use mandala_report::json;
use mandala_report::suite::expectation::{Counting, Expectation, Expected, ExpectedRun, WrongLine};
use mandala_report::suite::{TestOutcome, TestResult};
use std::path::Path;
use std::process::Output;
use std::time::Duration;

/// What one of the tests that run at a time may take.
pub struct Share {
    workers: u32,
    memory: Option<u64>,
    time: Option<Duration>,
}

/// A test, ready to run.
pub struct Planned {
    /// The result, as far as it is known.
    result: TestResult,
    /// The words of the command and what is expected of it, unless the line is wrong.
    to_run: Option<(Vec<String>, Expected)>,
}

impl Share {
    /// Where so many tests run at a time.
    pub fn of(arguments: &TestArguments, at_once: usize) -> Self {
        let memory = || Some(memory::default_limit()? / at_once as u64);
        Share {
            workers: (super::cores() / u32::try_from(at_once).unwrap_or(u32::MAX)).max(1),
            memory: arguments.memory.or_else(memory),
            time: arguments.time,
        }
    }
}

/// Makes a command of a line. What is wrong with it is the result.
pub fn plan(model: &Path, line: Result<Expectation, WrongLine>, share: &Share) -> Planned {
    let path = model.display().to_string();
    let wrong = |message| TestOutcome::Wrong {
        message,
        findings: Vec::new(),
    };
    let result = |line, text: String, outcome| TestResult {
        model: path.clone(),
        line,
        text,
        command: None,
        outcome,
        seconds: 0.0,
    };
    let Expectation {
        line,
        text,
        run,
        expected,
    } = match line {
        Ok(expectation) => expectation,
        Err(WrongLine {
            line,
            text,
            message,
        }) => return Planned::wrong(result(line, text, wrong(message))),
    };
    let told = told(&run, &expected);
    match parsed(&path, &told) {
        Ok(check) => Planned {
            result: TestResult {
                command: Some(shown(&path, &told)),
                ..result(line, text, TestOutcome::Interrupted)
            },
            to_run: Some((command(&path, &told, &check, share), expected)),
        },
        Err(message) => Planned::wrong(result(line, text, wrong(message))),
    }
}

/// What a line asks for, in words of `mandala check`.
fn told(run: &ExpectedRun, expected: &Expected) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut add = |more: &[&str]| words.extend(more.iter().map(ToString::to_string));
    for setting in &run.settings {
        add(&["-D", setting]);
    }
    if let Some(threads) = run.threads {
        add(&["--max-threads", &threads.to_string()]);
    }
    let says = |option: &str| {
        let is_it = |word: &String| word.split('=').next() == Some(option);
        run.options.iter().any(is_it)
    };
    // A number of states is that of a whole search, without reductions but for those that the line names.
    if expected.states.is_some() {
        let symmetry = match run.counting {
            Counting::Reachable => "off",
            Counting::Orbits => "auto",
        };
        let defaults: [(&str, &[&str]); 3] = [
            ("--keep-going", &["--keep-going"]),
            ("--symmetry", &["--symmetry", symmetry]),
            ("--static", &["--static", "off"]),
        ];
        for (option, words) in defaults {
            if !says(option) {
                add(words);
            }
        }
    }
    words.extend(run.options.iter().cloned());
    words
}

/// The words as `mandala check` understands them, if it does.
fn parsed(path: &str, told: &[String]) -> Result<CheckArguments, String> {
    let words = ["mandala", "check"]
        .into_iter()
        .chain(told.iter().map(String::as_str));
    let words = words.chain(["--", path]);
    let check = match Arguments::try_parse_from(words).map(|arguments| arguments.command) {
        Ok(Command::Check(check)) => *check,
        Ok(_) => return Err("it is no check".into()),
        Err(error) => return Err(first_line(&error)),
    };
    match check.outputs.writes_files() || check.outputs.quiet || check.checkpoint.is_some() {
        true => Err(
            "a line of a header can say how a model is checked, but not where results go".into(),
        ),
        false => Ok(check),
    }
}

/// What is wrong, without the advice for people at a terminal.
fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").into()
}

/// The whole command: what the line asks for, and what the suite adds.
fn command(path: &str, told: &[String], check: &CheckArguments, share: &Share) -> Vec<String> {
    let capabilities = check.engine.engine().capabilities();
    let resources = &check.resources;
    let mut words = vec!["check".to_string()];
    words.extend(told.iter().cloned());
    let mut add = |option: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([option.to_string(), value]);
        }
    };
    let workers = capabilities.workers && resources.workers.is_none();
    add("--workers", workers.then(|| share.workers.to_string()));
    let memory = share
        .memory
        .filter(|_| capabilities.memory && resources.memory.is_none());
    add(
        "--memory",
        memory.map(|bytes| bytes.max(units::LEAST_MEMORY).to_string()),
    );
    let time = share.time.filter(|_| resources.time.is_none());
    add("--time", time.map(|time| format!("{}ms", time.as_millis())));
    words.extend(["--json", "-", "--quiet", "--color", "never", "--", path].map(String::from));
    words
}

/// The command for people, who want to see the run.
fn shown(path: &str, told: &[String]) -> String {
    let words = ["mandala", "check", path]
        .into_iter()
        .chain(told.iter().map(String::as_str));
    let words: Vec<String> = words.map(quoted).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

impl Planned {
    fn wrong(result: TestResult) -> Self {
        Planned {
            result,
            to_run: None,
        }
    }

    /// The words of the command, if there is one to run.
    pub fn words(&self) -> Option<&[String]> {
        self.to_run.as_ref().map(|(words, _)| words.as_slice())
    }

    /// The result of a test that does not run, or is interrupted.
    pub fn result(&self) -> TestResult {
        self.result.clone()
    }

    /// The result of a test whose command has ended like that.
    pub fn concluded(&self, ended: &Output, time: Duration) -> TestResult {
        let outcome = match &self.to_run {
            Some((_, expected)) => outcome(expected, ended),
            None => self.result.outcome.clone(),
        };
        TestResult {
            outcome,
            seconds: time.as_secs_f64(),
            ..self.result()
        }
    }
}

fn outcome(expected: &Expected, ended: &Output) -> TestOutcome {
    let text = String::from_utf8_lossy(&ended.stdout);
    if let Some(failure) = json::read_failure(&text) {
        return match failure.error.kind {
            ErrorKind::Interrupted => TestOutcome::Interrupted,
            _ => TestOutcome::Wrong {
                message: failure.error.message,
                findings: failure.error.findings,
            },
        };
    }
    let Ok(document) = json::read(&text) else {
        return crashed(ended);
    };
    match expected.is_met_by(&document) {
        Ok(()) => TestOutcome::Passed,
        Err(_) if ended.status.code() == Some(Status::Interrupted as i32) => {
            TestOutcome::Interrupted
        }
        Err(_) if document.verdict == Verdict::Unknown => {
            let mut reasons = document.properties.iter();
            let reason = reasons.find_map(|property| property.reason.clone());
            TestOutcome::Undecided {
                reason: reason.unwrap_or_else(|| "no reason is known".into()),
            }
        }
        Err(found) => TestOutcome::Failed {
            found,
            document: Box::new(document),
        },
    }
}

/// The outcome of a command that has written no document.
fn crashed(ended: &Output) -> TestOutcome {
    let errors = String::from_utf8_lossy(&ended.stderr);
    TestOutcome::Wrong {
        message: format!(
            "mandala has not ended properly ({})\n{errors}",
            ended.status
        ),
        findings: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_report::suite::expectation::expectations;

    fn planned(line: &str) -> Planned {
        let mut lines = expectations(&format!("// Expect: {line}\n"));
        let share = Share {
            workers: 1,
            memory: Some(50_000_000),
            time: Some(Duration::from_secs(5)),
        };
        plan(Path::new("a b.pml"), lines.remove(0), &share)
    }

    #[test]
    fn a_line_becomes_a_command() {
        let words = |line| planned(line).result().command.unwrap_or_default();
        assert_eq!(words("default: holds"), "mandala check 'a b.pml'");
        assert_eq!(
            words("N=2, --fair weak: holds"),
            "mandala check 'a b.pml' -D N=2 --fair weak"
        );
        assert_eq!(
            words("N=2, symmetry: holds, 3 states"),
            "mandala check 'a b.pml' -D N=2 --keep-going --symmetry auto --static off"
        );
        assert_eq!(
            words("default, --static=dead --symmetry sorted: holds, 3 states"),
            "mandala check 'a b.pml' --keep-going --static=dead --symmetry sorted"
        );
    }

    #[test]
    fn a_line_may_have_limits_of_its_own() {
        let words = |line| planned(line).words().map(|words| words.join(" "));
        let of_suite = words("default: holds").unwrap_or_default();
        assert!(of_suite.contains("--time 5000ms"), "{of_suite}");
        assert!(
            of_suite.contains("--workers 1 --memory 50000000"),
            "{of_suite}"
        );
        let own = words("default, --time 1s --workers 3 --memory 60M: holds").unwrap_or_default();
        assert!(
            !own.contains("5000ms") && !own.contains("50000000"),
            "{own}"
        );
        let reference = words("default, --engine reference: holds").unwrap_or_default();
        assert!(
            !reference.contains("--workers") && !reference.contains("--memory"),
            "{reference}"
        );
    }

    #[test]
    fn what_check_does_not_take_is_wrong() {
        for line in [
            "default, --no-such-option: holds",
            "default, --json x.json: holds",
            "default, --quiet: holds",
            "default, --checkpoint x: holds",
            "default, --help: holds",
            "default, --fair sometimes: holds",
        ] {
            let planned = planned(line);
            assert!(planned.words().is_none(), "{line}");
            let outcome = planned.result().outcome;
            assert!(
                matches!(outcome, TestOutcome::Wrong { .. }),
                "{line}: {outcome:?}"
            );
        }
    }
}
