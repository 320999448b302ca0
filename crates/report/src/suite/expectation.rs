//! The `Expect:` lines in the header of a model, and whether a document is as one of them says.
//!
//! ```text
//! Expect: SETTINGS[, symmetry][, OPTIONS]: VERDICT[, KIND][, N states][, N threads]
//! ```
//!
//! The header is the comment that a file begins with, in whichever way its language writes comments. A line that begins with the word but does
//! not follow the form is an error, so that no expectation goes unchecked by a slip. `docs/ci.md` explains the parts.

use crate::document::{Document, PropertyKind, Verdict, ViolationKind};
use std::fmt;

/// What such a line begins with.
const WORD: &str = "Expect:";

/// What a line expects of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The line of the model, from 1.
    pub line: u32,
    /// The line as it is written, without its first word.
    pub text: String,
    /// How the model is checked.
    pub run: ExpectedRun,
    /// What is to be found.
    pub expected: Expected,
}

/// How a model is checked for an expectation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedRun {
    /// Macros or constants, as `NAME=VALUE`.
    pub settings: Vec<String>,
    /// Of a language with any number of threads: how many, if it is not every number.
    pub threads: Option<u32>,
    /// Which states a number of states is about.
    pub counting: Counting,
    /// More words of the command `mandala check`.
    pub options: Vec<String>,
}

/// Which states are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// All that can be reached, without reductions.
    #[default]
    Reachable,
    /// One for each orbit.
    Orbits,
}

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The verdict on all properties together.
    pub verdict: Verdict,
    /// What is violated.
    pub kind: Option<ExpectedKind>,
    /// How many states the first search stores.
    pub states: Option<u64>,
    /// With how many threads it is violated first.
    pub smallest: Option<u32>,
}

/// What is violated, in the words of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedKind {
    /// An assertion or an invariant.
    Assertion,
    /// There is a deadlock.
    Deadlock,
    /// Something that must stay possible does not, or a run goes on forever as it must not.
    Liveness,
    /// A step fails at run time.
    Error,
    /// A claim, a formula or an automaton, be it by a finite run or by an infinite one.
    Claim,
    /// The order of messages.
    Events,
}

impl ExpectedKind {
    /// All of them.
    pub const ALL: [ExpectedKind; 6] = [
        ExpectedKind::Assertion,
        ExpectedKind::Deadlock,
        ExpectedKind::Liveness,
        ExpectedKind::Error,
        ExpectedKind::Claim,
        ExpectedKind::Events,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            ExpectedKind::Assertion => "assertion",
            ExpectedKind::Deadlock => "deadlock",
            ExpectedKind::Liveness => "liveness",
            ExpectedKind::Error => "error",
            ExpectedKind::Claim => "claim",
            ExpectedKind::Events => "events",
        }
    }

    /// What the first violation of a document is called in a header.
    fn of(document: &Document) -> Option<Self> {
        let violation = document.violation.as_ref()?;
        let mut properties = document.properties.iter();
        let property = properties.find(|property| property.id == violation.property_id);
        Some(
            match (violation.kind, property.map(|property| property.kind)) {
                (ViolationKind::RuntimeError, _) => ExpectedKind::Error,
                (_, Some(PropertyKind::Never | PropertyKind::Ltl | PropertyKind::Ctl)) => {
                    ExpectedKind::Claim
                }
                (ViolationKind::Assertion | ViolationKind::Invariant, _) => ExpectedKind::Assertion,
                (ViolationKind::Deadlock, _) => ExpectedKind::Deadlock,
                (ViolationKind::Liveness, _) => ExpectedKind::Liveness,
                (ViolationKind::Claim, _) => ExpectedKind::Claim,
                (ViolationKind::Events, _) => ExpectedKind::Events,
            },
        )
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLine {
    /// Which line, from 1.
    pub line: u32,
    /// The line as it is written, without its first word.
    pub text: String,
    /// What is wrong with it, in a sentence without a full stop.
    pub message: String,
}

/// Reads the expectations of a model.
pub fn expectations(model: &str) -> Vec<Result<Expectation, WrongLine>> {
    let lines = header(model).into_iter();
    let lines = lines.filter_map(|(line, text)| Some((line, text.strip_prefix(WORD)?.trim())));
    lines.map(|(line, text)| read(line, text)).collect()
}

/// The lines of the comment that a text begins with, with their numbers and without the signs of a comment.
fn header(text: &str) -> Vec<(u32, &str)> {
    let mut inside = false;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        inside = inside || line.starts_with("/*");
        if !inside && !is_comment(line) {
            break;
        }
        let (said, end) = match line.find("*/").filter(|_| inside) {
            Some(end) => (&line[..end], true),
            None => (line, false),
        };
        inside &= !end;
        lines.push((number, said.trim_matches([' ', '\t', '*', '/', '#', '-'])));
    }
    lines
}

/// Whether all of the line is a comment to its end, or there is nothing on it. A `#` with a word at it is for the preprocessor.
fn is_comment(line: &str) -> bool {
    let begins = |signs: &str| line.starts_with(signs);
    line.is_empty() || line == "#" || begins("//") || begins("--") || begins("# ")
}

fn read(line: u32, text: &str) -> Result<Expectation, WrongLine> {
    let wrong = |message: String| WrongLine {
        line,
        text: text.into(),
        message,
    };
    let (run, found) = verdict_at(text).ok_or_else(|| {
        wrong("it has to be `SETTINGS: VERDICT`, where VERDICT begins with holds, violated or unknown".into())
    })?;
    Ok(Expectation {
        line,
        text: text.into(),
        run: read_run(run).map_err(wrong)?,
        expected: read_expected(found).map_err(wrong)?,
    })
}

/// What is before the colon in front of the verdict, and what is behind it.
fn verdict_at(text: &str) -> Option<(&str, &str)> {
    let verdicts = [
        Verdict::Holds,
        Verdict::Violated,
        Verdict::Unknown,
        Verdict::Value,
    ];
    let verdicts = verdicts.map(|verdict| verdict.to_string());
    unquoted(text, ':').find_map(|colon| {
        let (before, behind) = (&text[..colon], text[colon + 1..].trim());
        let first = behind.split([',', ' ']).next()?;
        verdicts
            .iter()
            .any(|v| v == first)
            .then_some((before, behind))
    })
}

/// Where the sign stands outside of quotes.
fn unquoted(text: &str, sign: char) -> impl Iterator<Item = usize> + '_ {
    let mut quote = None;
    text.char_indices().filter_map(move |(at, c)| {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        (quote.is_none() && c == sign).then_some(at)
    })
}

fn read_run(text: &str) -> Result<ExpectedRun, String> {
    let mut rest = text.trim();
    let mut next = || {
        let (part, behind) = match unquoted(rest, ',').next() {
            // Options may have commas of their own, and come last.
            Some(comma) if !rest.starts_with('-') => (&rest[..comma], rest[comma + 1..].trim()),
            _ => (rest, ""),
        };
        rest = behind;
        part.trim()
    };
    let mut run = settings(next())?;
    loop {
        match next() {
            "" => return Ok(run),
            "symmetry" => run.counting = Counting::Orbits,
            options if options.starts_with('-') => run.options = words(options)?,
            other => {
                return Err(format!(
                    "`{other}` is neither `symmetry` nor options of `mandala check`"
                ));
            }
        }
    }
}

fn settings(text: &str) -> Result<ExpectedRun, String> {
    let mut run = ExpectedRun::default();
    let threads = |text: &str| text.strip_suffix(" threads")?.trim().parse().ok();
    match text {
        "default" | "every number" => {}
        _ if threads(text).is_some() => run.threads = threads(text),
        _ => run.settings = text.split_whitespace().map(str::to_string).collect(),
    }
    let is_setting = |word: &String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    match run.settings.iter().find(|word| !is_setting(word)) {
        _ if text.is_empty() => {
            Err("there are no settings; if there are to be none, write `default`".into())
        }
        Some(word) => Err(format!(
            "`{word}` is no setting: write `default`, `NAME=VALUE ..`, `N threads` or `every number`"
        )),
        None => Ok(run),
    }
}

fn is_name(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The words of a command, of which some may stand in quotes.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("there is no second {open}")),
        None => Ok(words),
    }
}

fn read_expected(text: &str) -> Result<Expected, String> {
    let mut parts = text.split(',').map(str::trim);
    let mut expected = Expected {
        verdict: match parts.next() {
            Some("holds") => Verdict::Holds,
            Some("violated") => Verdict::Violated,
            Some("unknown") => Verdict::Unknown,
            Some("value") => Verdict::Value,
            other => return Err(format!("`{}` is no verdict", other.unwrap_or_default())),
        },
        kind: None,
        states: None,
        smallest: None,
    };
    for part in parts {
        let number = |unit: &str| part.strip_suffix(unit).map(|number| number.trim().parse());
        let is_new = match (
            ExpectedKind::named(part),
            number(" states"),
            number(" threads"),
        ) {
            (Some(kind), _, _) => expected.kind.replace(kind).is_none(),
            (_, Some(Ok(states)), _) => expected.states.replace(states).is_none(),
            (_, _, Some(Ok(threads))) => u32::try_from(threads)
                .is_ok_and(|threads| expected.smallest.replace(threads).is_none()),
            _ => {
                let kinds = ExpectedKind::ALL.map(ExpectedKind::name).join("`, `");
                return Err(format!(
                    "`{part}` is neither a kind of violation (`{kinds}`) nor `N states` nor `N threads`"
                ));
            }
        };
        if !is_new {
            return Err(format!("`{part}` says something for the second time"));
        }
    }
    let says_how = expected.kind.is_some() || expected.smallest.is_some();
    match says_how && expected.verdict != Verdict::Violated {
        true => Err(
            "only what is violated has a kind of violation, or a smallest number of threads".into(),
        ),
        false => Ok(expected),
    }
}

impl Expected {
    /// Whether the document says what is expected; else what it says.
    pub fn is_met_by(&self, document: &Document) -> Result<(), String> {
        let found = self.found_in(document);
        match found == *self {
            true => Ok(()),
            false => Err(found.to_string()),
        }
    }

    /// The same of a document, as far as it is expected at all.
    fn found_in(&self, document: &Document) -> Expected {
        let kind = ExpectedKind::of(document);
        let other_verdict = self.verdict != document.verdict;
        let first = document.properties.iter().find_map(|p| p.stats.as_ref());
        let threads = document.threads.as_ref();
        Expected {
            verdict: document.verdict,
            kind: kind.filter(|_| self.kind.is_some() || other_verdict),
            states: self.states.and(first).map(|stats| stats.states),
            smallest: self
                .smallest
                .and(threads)
                .and_then(|threads| threads.smallest),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)?;
        if let Some(kind) = self.kind {
            write!(f, ", {}", kind.name())?;
        }
        if let Some(states) = self.states {
            write!(f, ", {states} states")?;
        }
        match self.smallest {
            Some(threads) => write!(f, ", {threads} threads"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Result<Expectation, String> {
        let mut found = expectations(&format!("/* A model.\n * Expect: {line}\n */"));
        assert_eq!(found.len(), 1, "{line}");
        found.remove(0).map_err(|wrong| wrong.message)
    }

    fn right(line: &str) -> Expectation {
        one(line).unwrap_or_else(|message| panic!("{line}: {message}"))
    }

    #[test]
    fn a_line_has_settings_options_and_what_is_expected() {
        let found = right("N=2 BUG=1: violated, deadlock, 35 states");
        assert_eq!(found.line, 2);
        assert_eq!(found.run.settings, ["N=2", "BUG=1"]);
        assert_eq!(
            found.expected,
            Expected {
                verdict: Verdict::Violated,
                kind: Some(ExpectedKind::Deadlock),
                states: Some(35),
                smallest: None
            }
        );
        let found = right("default, symmetry: holds, 7 states");
        assert_eq!(found.run.settings, [""; 0]);
        assert_eq!(found.run.counting, Counting::Orbits);
        let found = right("N=2, --fair weak --ltl 'p: [] <> x, y' --static dead,merge: holds");
        assert_eq!(
            found.run.options,
            [
                "--fair",
                "weak",
                "--ltl",
                "p: [] <> x, y",
                "--static",
                "dead,merge"
            ]
        );
        assert_eq!(right("3 threads: holds").run.threads, Some(3));
        let found = right("every number: violated, 4 threads");
        assert_eq!(
            (found.run.threads, found.expected.smallest),
            (None, Some(4))
        );
    }

    #[test]
    fn a_colon_in_a_formula_is_no_end_of_the_settings() {
        let found = right("default, --ltl 'live: holds && x': unknown");
        assert_eq!(found.run.options, ["--ltl", "live: holds && x"]);
        assert_eq!(found.expected.verdict, Verdict::Unknown);
    }

    #[test]
    fn slips_are_errors() {
        for (line, words) in [
            ("holds", "SETTINGS: VERDICT"),
            ("N=2: maybe", "SETTINGS: VERDICT"),
            ("N: holds", "`N` is no setting"),
            ("2N=3: holds", "`2N=3` is no setting"),
            (": holds", "write `default`"),
            ("N=2, order: holds", "neither `symmetry` nor options"),
            ("N=2: holds, 3 states, 4 states", "second time"),
            ("N=2: holds, many states", "`many states` is neither"),
            ("N=2: holds, deadlock", "only what is violated"),
            ("N=2: violated, wrongly", "`wrongly` is neither"),
            ("default, --ltl 'p: holds", "SETTINGS: VERDICT"),
        ] {
            let error = one(line).expect_err(line);
            assert!(error.contains(words), "{line}: {error}");
        }
    }

    #[test]
    fn the_header_is_the_comment_that_a_text_begins_with() {
        let expected = |text: &str| expectations(text).len();
        assert_eq!(
            expected("// Expect: default: holds\n// Expect: N=2: holds\nx;\n"),
            2
        );
        assert_eq!(
            expected("-- Expect: default: holds\n\n-- Expect: N=2: holds\n"),
            2
        );
        assert_eq!(
            expected("# A system.\n#\n# Expect: default: holds\n2 4\n"),
            1
        );
        assert_eq!(expected("#define N 2\n/* Expect: default: holds */\n"), 0);
        assert_eq!(expected("/* a */\n/* Expect: default: holds */ x\n"), 1);
        assert_eq!(expected("byte x; /*\nExpect: default: holds\n*/\n"), 0);
        assert_eq!(expected("Expect: default: holds\n"), 0);
        assert_eq!(expected(""), 0);
    }

    #[test]
    fn an_expectation_is_written_as_it_is_read() {
        for text in [
            "holds",
            "violated, claim",
            "violated, error, 9 states",
            "unknown, 3 states",
        ] {
            let read = read_expected(text).map(|expected| expected.to_string());
            assert_eq!(read, Ok(text.to_string()));
        }
    }
}
