//! Spin: `spin` translates a model to C, `gcc` compiles that, and the result (`pan`) searches.
//!
//! All reductions are off, nothing but safety is checked, and the search goes on after an error, as with
//! `mandala check --keep-going`. Apart from that Spin gets what suits it: an optimising compiler, a hash table of about
//! four slots for each state (less and more are both slower), a stack that is deep enough, and as much memory as ours.

use super::subjects::{Source, Subject};
use crate::process::{self, Ended, Spent, last_line};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// How the C is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// As somebody would who wants the verdict soon.
    Soon,
    /// As somebody would who wants it to search fast.
    Fast,
    /// The same, with states compressed without loss.
    Collapse,
}

impl Build {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Soon => &["-O2"],
            Build::Fast => &["-O3"],
            Build::Collapse => &["-O3", "-DCOLLAPSE"],
        }
    }
}

/// How the C is compiled in any case. Arithmetic wraps in the language, so it has to in C, too.
const FLAGS: [&str; 7] = [
    "-w",
    "-fwrapv",
    "-DSAFETY",
    "-DNOREDUCE",
    "-DNOCLAIM",
    "-o",
    "pan",
];

/// How the model is translated: without Spin's own static reductions.
const TRANSLATION: [&str; 4] = ["-o1", "-o2", "-o3", "-a"];

/// A model that Spin has translated, in a folder of its own.
#[derive(Debug)]
pub(crate) struct Translated {
    folder: TempDir,
    /// What the translation took.
    pub spent: Spent,
    states: u64,
    depth: u64,
    limit: Duration,
}

/// A search that is complete.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Search {
    /// What `pan` has taken.
    pub spent: Spent,
    /// What it says.
    pub report: Report,
}

/// What `pan` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Report {
    /// States stored.
    pub states: u64,
    /// States stored and states met again.
    pub transitions: u64,
    /// The depth that was reached.
    pub depth: u64,
    /// Bytes of a state before compression.
    pub vector: u64,
    /// Seconds on the wall, by its own clock.
    pub seconds: f64,
    /// Bytes for all states, without the hash table that finds them.
    pub state_bytes: f64,
    /// Bytes for everything.
    pub total_bytes: f64,
}

/// Spin and the compiler, if they are installed.
pub(crate) fn check_installation() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for (program, flag) in [("spin", "-V"), ("gcc", "--version")] {
        let limit = Duration::from_secs(60);
        let ended = process::run(
            folder.path(),
            Path::new(program),
            &[flag.to_string()],
            limit,
        )?;
        if !ended.well {
            return Err(format!("`{program} {flag}` failed"));
        }
    }
    Ok(())
}

/// Lets Spin translate a model.
pub(crate) fn translate(
    subject: &Subject,
    source: &Source,
    limit: Duration,
) -> Result<Translated, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no folder for Spin: {error}"))?;
    let mut arguments: Vec<String> = TRANSLATION.map(String::from).into();
    arguments.extend(source.defines.iter().map(|define| format!("-D{define}")));
    arguments.push(source.path.display().to_string());
    let ended = process::run(folder.path(), Path::new("spin"), &arguments, limit)?;
    match folder.path().join("pan.c").exists() {
        true => Ok(Translated {
            folder,
            spent: ended.spent,
            states: subject.states,
            depth: subject.depth,
            limit,
        }),
        false => Err(format!("spin: {}", last_line(&ended))),
    }
}

impl Translated {
    /// Compiles it; what that took. `memory` is in bytes.
    pub(crate) fn compile(&self, build: Build, memory: u64) -> Result<Spent, String> {
        let flags = build.flags().iter().chain(&FLAGS);
        let mut arguments: Vec<String> = flags.map(ToString::to_string).collect();
        arguments.push(format!("-DMEMLIM={}", memory >> 20));
        arguments.push("pan.c".into());
        let ended = process::run(self.folder.path(), Path::new("gcc"), &arguments, self.limit)?;
        match ended.well {
            true => Ok(ended.spent),
            false => Err(format!("gcc: {}", last_line(&ended))),
        }
    }

    /// Searches with what was compiled last.
    pub(crate) fn search(&self) -> Result<Search, String> {
        let folder = self.folder.path();
        let arguments = [
            "-c0".into(),
            format!("-m{}", stack(self.depth)),
            format!("-w{}", hash_bits(self.states)),
        ];
        let ended = process::run(folder, &folder.join("pan"), &arguments, self.limit)?;
        Ok(Search {
            spent: ended.spent,
            report: read(&ended)?,
        })
    }
}

impl Search {
    /// Bytes for each state, without the hash table.
    pub(crate) fn bytes_per_state(&self) -> f64 {
        self.report.state_bytes / self.report.states as f64
    }

    /// How many states it stores in a second of work.
    pub(crate) fn states_per_second(&self) -> f64 {
        self.report.states as f64 / self.spent.work
    }

    /// How many transitions it makes in a second of work.
    pub(crate) fn transitions_per_second(&self) -> f64 {
        self.report.transitions as f64 / self.spent.work
    }
}

/// A little more than is needed.
pub(crate) fn stack(depth: u64) -> u64 {
    depth + depth / 16 + 100
}

/// The least power of two that is at least three times the states.
fn hash_bits(states: u64) -> u32 {
    (3 * states).next_power_of_two().ilog2()
}

/// Signs that a search has not seen everything.
const CUT_OFF: [&str; 3] = [
    "max search depth too small",
    "Search not completed",
    "out of memory",
];

fn read(ended: &Ended) -> Result<Report, String> {
    let text = format!("{}\n{}", ended.output, ended.complaint);
    match CUT_OFF.iter().find(|sign| text.contains(*sign)) {
        Some(sign) => Err(format!("pan: {sign}")),
        None => report(&text).ok_or_else(|| format!("pan: {}", last_line(ended))),
    }
}

/// The number before these words, in the first line that has them.
pub(crate) fn number_before(text: &str, words: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(words))?;
    number(line.split(words).next()?)
}

/// The number after them.
pub(crate) fn number_after(text: &str, words: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(words))?;
    number(line.split(words).nth(1)?)
}

fn report(text: &str) -> Option<Report> {
    let before = |words: &str| number_before(text, words);
    let after = |words: &str| number_after(text, words);
    let megabytes = |words: &str| before(words).map(|number| number * f64::from(1 << 20));
    Some(Report {
        states: before(" states, stored")? as u64,
        transitions: before(" transitions (=")? as u64,
        depth: after("depth reached ")? as u64,
        vector: after("State-vector ")? as u64,
        seconds: after("elapsed time ")?,
        state_bytes: megabytes("actual memory usage for states")?,
        total_bytes: megabytes("total actual memory usage")?,
    })
}

/// The number that a text begins with.
fn number(text: &str) -> Option<f64> {
    let word = text.split_whitespace().next()?;
    word.trim_end_matches(',').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Folders;
    use crate::spin::subjects::subjects;

    const FINISHED: &str = "\
Depth=  979772 States=    1e+06 Transitions= 1.47e+06 Memory=   649.334\tt=     0.75 R=   1e+06

State-vector 116 byte, depth reached 1449574, errors: 1
  1684801 states, stored
 11227680 states, matched
 12912481 transitions (= stored+matched)
        0 atomic steps
hash conflicts:   2497737 (resolved)

Stats on memory usage (in Megabytes):
  218.518\tequivalent memory usage for states (stored*(State-vector + overhead))
   82.000\tactual memory usage for states (compression: 37.53%)
         \tstate-vector as stored = 31 byte + 20 byte overhead
   32.000\tmemory used for hash table (-w22)
  735.000\ttotal actual memory usage


pan: elapsed time 8.01 seconds
";

    fn ended(output: &str) -> Ended {
        Ended {
            spent: Spent::default(),
            well: true,
            output: output.into(),
            complaint: String::new(),
        }
    }

    #[test]
    fn the_report_of_a_finished_search_is_read() {
        let expected = Report {
            states: 1_684_801,
            transitions: 12_912_481,
            depth: 1_449_574,
            vector: 116,
            seconds: 8.01,
            state_bytes: 82.0 * 1_048_576.0,
            total_bytes: 735.0 * 1_048_576.0,
        };
        assert_eq!(read(&ended(FINISHED)), Ok(expected));
    }

    #[test]
    fn a_search_that_was_cut_off_is_no_result() {
        let text = format!("error: max search depth too small\n{FINISHED}");
        assert!(read(&ended(&text)).unwrap_err().contains("depth"));
        assert_eq!(read(&ended("crash")), Err("pan: crash".into()));
        assert!(read(&ended("")).is_err());
    }

    #[test]
    fn tables_have_room() {
        assert_eq!(hash_bits(1_684_801), 23);
        assert_eq!(hash_bits(100_000), 19);
        assert!(stack(69) > 69 && stack(1_000_000) < 1_100_000);
    }

    #[test]
    fn spin_counts_what_is_known_where_it_is_installed() {
        if check_installation().is_err() {
            return;
        }
        let folders = Folders {
            bundled: Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")),
            given: None,
        };
        let quick = subjects(&folders, true);
        let subject = quick.iter().min_by_key(|subject| subject.states).unwrap();
        let source = subject.source(&folders).unwrap();
        let limit = Duration::from_secs(120);
        let translated = translate(subject, &source, limit).unwrap();
        translated.compile(Build::Soon, 1 << 30).unwrap();
        let report = translated.search().unwrap().report;
        assert_eq!(report.states, subject.states);
        assert_eq!(report.depth, subject.depth);
    }
}
