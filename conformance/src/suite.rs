//! Rumur's own suite of models, as `mandala check` sees them.
//!
//! The suite has a table with a row for each model: whether Rumur is expected to pass it, to find an error, or to
//! reject it, and with which options. Options that are about what is searched and what counts as an error are
//! honoured; those that are about Rumur's generated code have no meaning here.

use mandala_checker::frontend::{self, LoadError, ModelInput};
use mandala_checker::options::{AfterViolation, CheckOptions, Deadlock, Limits};
use mandala_checker::run::CheckError;
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::document::Verdict;
use std::path::{Path, PathBuf};

/// What comes of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No error is found.
    Pass,
    /// An error is found.
    Fail,
    /// The model or an option is refused.
    Reject,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The model.
    pub file: String,
    /// What is expected of it.
    pub expected: Outcome,
    /// The options, as for Rumur.
    pub flags: Vec<String>,
    /// Whether the expectation is about Rumur with a solver of formulas, which leaves out what it proves: then
    /// the model means something else.
    pub needs_solver: bool,
}

/// A model that is known to come out differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The model.
    pub file: String,
    /// Who differs.
    pub who: Vec<String>,
    /// Why.
    pub reason: String,
}

/// The folder of the suite, which need not be there.
pub fn folder() -> Option<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = crate_folder.join("../../shared/models/murphi-suite");
    folder.join("expected.csv").exists().then_some(folder)
}

/// The rows of the table: file, expectation, flags, and what Rumur needs for it.
pub fn cases(table: &str) -> Result<Vec<Case>, String> {
    let lines = table.lines().skip(1);
    lines
        .map(|line| case(line).ok_or(format!("cannot read: {line}")))
        .collect()
}

fn case(line: &str) -> Option<Case> {
    let mut cells = line.split(',');
    let file = cells.next()?.to_string();
    let expected = match cells.next()? {
        "pass" => Outcome::Pass,
        "fail" => Outcome::Fail,
        "reject" => Outcome::Reject,
        _ => return None,
    };
    let words = cells.next()?.split_whitespace();
    let flags = words.flat_map(|word| word.split('=')).map(String::from);
    Some(Case {
        file,
        expected,
        flags: flags.collect(),
        needs_solver: cells.next()?.contains("SMT"),
    })
}

/// The exceptions in a list: after an empty line, `FILE: WHO WHO: REASON` on each line.
pub fn exceptions(list: &str) -> Result<Vec<Exception>, String> {
    let lines = list.lines().skip_while(|line| !line.is_empty()).skip(1);
    lines
        .map(|line| exception(line).ok_or(format!("cannot read: {line}")))
        .collect()
}

fn exception(line: &str) -> Option<Exception> {
    let mut parts = line.splitn(3, ": ");
    Some(Exception {
        file: parts.next()?.to_string(),
        who: parts.next()?.split(' ').map(String::from).collect(),
        reason: parts.next()?.to_string(),
    })
}

/// Checks a model of the suite.
///
/// # Errors
///
/// If there is no verdict, the reason.
pub fn outcome(path: &Path, text: &str, flags: &[String]) -> Result<Outcome, String> {
    let Some(options) = options(flags)? else {
        return Ok(Outcome::Reject);
    };
    let input = ModelInput {
        path: path.to_path_buf(),
        text: text.to_string(),
        defines: Vec::new(),
        dialect: Some(frontend::Dialect::Rumur),
        read: |path| std::fs::read_to_string(path),
    };
    let loaded = match frontend::load(input) {
        Ok(loaded) => loaded,
        Err(LoadError::Wrong { .. }) => return Ok(Outcome::Reject),
        Err(LoadError::Option(what) | LoadError::Defect(what)) => return Err(what),
    };
    let document = match check(&loaded, &options, &mut Nobody) {
        Ok(document) => document,
        // Rumur has nothing to say against that.
        Err(Refusal::Check(CheckError::NoRun(_))) => return Ok(Outcome::Pass),
        Err(why) => return Err(format!("{why:?}")),
    };
    match document.verdict {
        Verdict::Holds => Ok(Outcome::Pass),
        Verdict::Violated => Ok(Outcome::Fail),
        // What was to be searched has been searched.
        Verdict::Unknown if options.limits.depth.is_some() => Ok(Outcome::Pass),
        Verdict::Unknown | Verdict::Value => Err(format!("{:?}", document.properties)),
    }
}

/// The options that flags of Rumur ask for; nothing if a flag makes no sense.
fn options(flags: &[String]) -> Result<Option<CheckOptions>, String> {
    let mut options = CheckOptions::default();
    let mut flags = flags.iter().map(String::as_str);
    while let Some(flag) = flags.next() {
        let value = flags.next().unwrap_or_default();
        match (flag, value) {
            ("--deadlock-detection", "off") => options.deadlock = Deadlock::Ignore,
            ("--deadlock-detection", "stuck") => options.deadlock = Deadlock::Stuck,
            ("--max-errors", _) => options.after_violation = AfterViolation::GoOn,
            ("--bound", depth) => {
                let Ok(depth) = depth.parse::<u64>() else {
                    return Ok(None);
                };
                options.limits = deep(depth);
            }
            (
                "--value-type"
                | "--counterexample-trace"
                | "--pack-state"
                | "--scalarset-schedules"
                | "--threads",
                _,
            ) => {}
            _ => return Err(format!("the flag {flag} is unknown")),
        }
    }
    Ok(Some(options))
}

/// States at the bound are checked, but no rule is taken there. Mandala checks a state where it looks for its steps,
/// so it has to go one further.
fn deep(bound: u64) -> Limits {
    Limits {
        depth: Some(bound.saturating_add(1)),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read() {
        let table = "file,expected,flags,needs\na.m,pass,--bound 3 --value-type=int8_t,\n\
                     b.m,reject,,no SMT solver\n";
        let flags = ["--bound", "3", "--value-type", "int8_t"].map(String::from);
        let found = cases(table).expect("it is right");
        assert_eq!(found[0].flags, flags);
        assert_eq!(found[1].expected, Outcome::Reject);
        assert!(found[1].needs_solver && !found[0].needs_solver);
        assert!(cases("head\na.m,maybe,,\n").is_err());
    }

    #[test]
    fn flags_are_honoured() {
        let flags = |text: &str| -> Vec<String> { text.split(' ').map(String::from).collect() };
        let bound = options(&flags("--bound 3 --pack-state off"));
        let depth = bound.map(|found| found.and_then(|options| options.limits.depth));
        assert_eq!(depth, Ok(Some(4)));
        assert_eq!(options(&flags("--bound many")), Ok(None));
        assert!(options(&flags("--sandbox on")).is_err());
    }

    #[test]
    fn exceptions_have_reasons() {
        let list = "Head.\n\na.m: parser checker: because: it is so\n";
        let found = exceptions(list).expect("it is right");
        assert_eq!(found[0].who, ["parser", "checker"]);
        assert_eq!(found[0].reason, "because: it is so");
        assert!(exceptions("Head.\n\na.m: checker\n").is_err());
    }
}
