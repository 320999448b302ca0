//! Rumur: `rumur` translates a model to C, `cc` compiles that, and the result, the verifier, searches.
//!
//! It gets what its manual asks for: an optimising compiler for this machine, and as many threads as there are cores, or one if time that was worked
//! is compared.

use super::run::Run;
use crate::pipeline::Pipeline;
use crate::process::{self, Clock, Ended, last_line};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// How it treats symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Mode {
    /// Not at all.
    Off,
    /// It tries all permutations, and keeps one state of each orbit.
    Exhaustive,
    /// It sorts, and keeps one or more states of each orbit.
    Heuristic,
}

impl Mode {
    /// All of them.
    pub(super) const ALL: [Mode; 3] = [Mode::Off, Mode::Exhaustive, Mode::Heuristic];
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Off => "off",
            Mode::Exhaustive => "exhaustive",
            Mode::Heuristic => "heuristic",
        })
    }
}

/// How the C is compiled.
const FLAGS: [&str; 7] = [
    "-O3",
    "-std=c11",
    "-march=native",
    "model.c",
    "-lpthread",
    "-o",
    "verifier",
];

/// Says why Rumur cannot be measured, if it or a compiler is not there.
pub(super) fn check_installation() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let limit = Duration::from_secs(60);
    for program in ["rumur", "cc"] {
        let version = ["--version".to_string()];
        let ended = process::run(folder.path(), Path::new(program), &version, limit)?;
        if !ended.well {
            return Err(format!("`{program} --version` failed"));
        }
    }
    Ok(())
}

/// Translates, compiles and runs a model. The limit is for all three together, on the wall; `memory` is in bytes.
pub(super) fn check(
    text: &str,
    mode: Mode,
    clock: Clock,
    limit: Duration,
    memory: u64,
) -> Result<Run, String> {
    let mut pipeline = Pipeline::new("model.m", text, limit)?;
    pipeline.step("rumur", &translation(mode, clock))?;
    pipeline.step("cc", &compilation())?;
    let prepared = pipeline.spent.by(clock);
    let (ended, peak) = pipeline.search("verifier", &[], memory)?;
    Ok(Run {
        seconds: pipeline.spent.by(clock),
        searching: pipeline.spent.by(clock) - prepared,
        peak,
        ..read(&ended)?
    })
}

fn translation(mode: Mode, clock: Clock) -> Vec<String> {
    let mut arguments = vec![
        "--deadlock-detection=off".into(),
        format!("--symmetry-reduction={mode}"),
        "model.m".into(),
        "--output=model.c".into(),
    ];
    if clock == Clock::Work {
        arguments.push("--threads=1".into());
    }
    arguments
}

fn compilation() -> Vec<String> {
    let wide = cfg!(target_arch = "x86_64").then_some("-mcx16");
    let flags = FLAGS.iter().copied().chain(wide);
    flags.map(String::from).collect()
}

/// What the verifier says. It ends badly if it finds errors, too, so how it ended says nothing.
fn read(ended: &Ended) -> Result<Run, String> {
    let counts = ended.output.lines().rev().find_map(counts);
    let holds = ended.output.contains("No error found");
    let errors = ended.output.contains("error(s) found");
    match (counts, holds || errors) {
        (Some((states, rules)), true) => Ok(Run {
            seconds: 0.0,
            searching: 0.0,
            peak: 0,
            states,
            rules,
            holds: Some(holds),
            reduced: true,
        }),
        _ => Err(format!("verifier: {}", last_line(ended))),
    }
}

/// The numbers in a line such as `288 states, 761 rules fired in 0s.`
fn counts(line: &str) -> Option<(u64, u64)> {
    let (states, rest) = line.trim().split_once(" states, ")?;
    let (rules, _) = rest.split_once(" rules fired in ")?;
    Some((states.parse().ok()?, rules.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Spent;

    const FINISHED: &str = "\
\t thread 0: 20000 states explored in 0s, with 54781 rules fired and 9178 states in the queue.

==========================================================================

Status:

\tNo error found.

State Space Explored:

\t22281 states, 89124 rules fired in 0s.
";

    fn ended(output: &str, complaint: &str) -> Ended {
        Ended {
            spent: Spent::default(),
            well: true,
            output: output.into(),
            complaint: complaint.into(),
        }
    }

    #[test]
    fn the_report_of_a_finished_search_is_read() {
        let run = read(&ended(FINISHED, "")).unwrap();
        assert_eq!(
            (run.states, run.rules, run.holds),
            (22281, 89124, Some(true))
        );
        let wrong = FINISHED.replace("No error found", "1 error(s) found");
        assert_eq!(read(&ended(&wrong, "")).unwrap().holds, Some(false));
    }

    #[test]
    fn a_search_that_was_cut_off_is_no_result() {
        let cut = FINISHED.split("Status").next().unwrap();
        let refused = read(&ended(cut, "out of memory\n"));
        assert_eq!(refused, Err("verifier: out of memory".into()));
        assert!(read(&ended("", "")).is_err());
    }

    #[test]
    fn a_model_that_rumur_does_not_take_is_told() {
        if check_installation().is_ok() {
            let limit = Duration::from_secs(60);
            let refused = check("no model", Mode::Off, Clock::Wall, limit, 1 << 30).unwrap_err();
            assert!(refused.starts_with("rumur: "), "{refused}");
        }
    }
}
