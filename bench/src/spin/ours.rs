//! Runs of Mandala without reductions, for the comparison with Spin.

use super::subjects::Source;
use crate::mandala;
use crate::process::{self, Spent};
use mandala_report::Document;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Everything is visited, as Spin does it, and nothing is checked but safety.
const OPTIONS: [&str; 8] = [
    "check",
    "--json",
    "-",
    "--keep-going",
    "--por",
    "off",
    "--property",
    "safety",
];

/// A model that any version can check.
const TRIFLE: &str = "active proctype P() { skip }\n";

/// The program to measure, and what it can do.
#[derive(Debug)]
pub(super) struct Ours {
    program: PathBuf,
    /// Where it works.
    folder: TempDir,
    abilities: Abilities,
    /// How much memory it gets, in bytes.
    memory: u64,
    /// When to give up.
    limit: Duration,
}

/// Which options this version takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Abilities {
    /// Static reductions can be switched off; where they cannot, there are none.
    simplification: bool,
    /// The number of workers can be named ..
    workers: bool,
    /// .. and may be more than one.
    many_workers: bool,
}

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Workers {
    /// As many as it takes by itself.
    Default,
    /// So many.
    Exactly(u32),
}

/// A search that is complete.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Check {
    /// What the program has taken.
    pub spent: Spent,
    /// States stored.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Seconds of the search on the wall.
    pub seconds: f64,
    /// Bytes for each state, with everything that finds it.
    pub bytes_per_state: f64,
    /// How many elements the group has, in decimal.
    pub order: String,
}

impl Ours {
    /// Finds the program and tries what it can do.
    pub(super) fn find(named: Option<&Path>, memory: u64, limit: Duration) -> Result<Ours, String> {
        let program = mandala::program(named)?;
        let program = program.canonicalize().map_err(|error| error.to_string())?;
        let no_folder = |error| format!("no folder for Mandala: {error}");
        let folder = tempfile::tempdir().map_err(no_folder)?;
        fs::write(folder.path().join("trifle.pml"), TRIFLE).map_err(no_folder)?;
        let takes = |options: &[&str]| takes(&program, folder.path(), options);
        let abilities = Abilities {
            simplification: takes(&["--static", "off"])?,
            workers: takes(&["--workers", "1"])?,
            many_workers: takes(&["--workers", "2"])?,
        };
        Ok(Ours {
            program,
            folder,
            abilities,
            memory,
            limit,
        })
    }

    /// Whether it can have more than one worker.
    pub(super) fn has_workers(&self) -> bool {
        self.abilities.many_workers
    }

    /// Checks.
    pub(super) fn check(
        &self,
        source: &Source,
        symmetry: &str,
        workers: Workers,
    ) -> Result<Check, String> {
        let arguments = self.arguments(source, symmetry, workers);
        let ended = process::run(self.folder.path(), &self.program, &arguments, self.limit)?;
        let document = mandala::read(&ended.output, &ended.complaint)?;
        complete(ended.spent, document)
    }

    fn arguments(&self, source: &Source, symmetry: &str, workers: Workers) -> Vec<String> {
        let mut arguments: Vec<String> = OPTIONS.map(String::from).into();
        let mut option = |name: &str, value: String| arguments.extend([name.into(), value]);
        option("--symmetry", symmetry.into());
        option("--memory", format!("{}M", self.memory >> 20));
        if self.abilities.simplification {
            option("--static", "off".into());
        }
        if let (Workers::Exactly(number), true) = (workers, self.abilities.workers) {
            option("--workers", number.to_string());
        }
        for define in &source.defines {
            option("-D", define.clone());
        }
        arguments.push(source.path.display().to_string());
        arguments
    }
}

/// Whether the program takes these options.
fn takes(program: &Path, folder: &Path, options: &[&str]) -> Result<bool, String> {
    let arguments = [&["check", "--quiet"], options, &["trifle.pml"]].concat();
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let ended = process::run(folder, program, &arguments, Duration::from_secs(60))?;
    Ok(ended.well)
}

fn complete(spent: Spent, document: Document) -> Result<Check, String> {
    if !document.coverage.complete {
        let why = document.coverage.reason.unwrap_or_default();
        return Err(format!("mandala: not everything was visited: {why}"));
    }
    let stats = &document.stats;
    Ok(Check {
        spent,
        states: stats.states,
        transitions: stats.transitions,
        seconds: stats.seconds,
        bytes_per_state: stats.bytes_per_state,
        order: document.symmetry.order,
    })
}

impl Check {
    /// Seconds that the search has worked, with one worker: what else the machine did meanwhile is taken out.
    pub(super) fn work(&self) -> f64 {
        self.seconds * self.spent.share()
    }

    /// How many states it stores in a second of work.
    pub(super) fn states_per_second(&self) -> f64 {
        self.states as f64 / self.work()
    }

    /// How many transitions it makes in a second of work.
    pub(super) fn transitions_per_second(&self) -> f64 {
        self.transitions as f64 / self.work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    fn ours(abilities: Abilities) -> Ours {
        Ours {
            program: env::current_exe().unwrap(),
            folder: tempfile::tempdir().unwrap(),
            abilities,
            memory: 3 << 30,
            limit: Duration::from_secs(60),
        }
    }

    fn source() -> Source {
        Source {
            path: "there/model.pml".into(),
            defines: vec!["N=3".into()],
        }
    }

    #[test]
    fn only_options_that_the_program_takes_are_given() {
        let all = |able| Abilities {
            simplification: able,
            workers: able,
            many_workers: able,
        };
        let typed = |able, workers| {
            ours(all(able))
                .arguments(&source(), "off", workers)
                .join(" ")
        };
        let old = typed(false, Workers::Exactly(1));
        assert!(!old.contains("--static") && !old.contains("--workers"));
        let new = typed(true, Workers::Exactly(2));
        let end = "--symmetry off --memory 3072M --static off --workers 2 -D N=3 there/model.pml";
        assert!(new.ends_with(end), "{new}");
        assert!(!typed(true, Workers::Default).contains("--workers"));
    }

    #[test]
    fn a_program_that_knows_none_of_it_can_do_nothing() {
        // The test program takes no such options.
        let this = env::current_exe().unwrap();
        let limit = Duration::from_secs(60);
        let other = Ours::find(Some(&this), 1 << 30, limit).unwrap();
        assert!(!other.has_workers());
        assert!(other.check(&source(), "off", Workers::Default).is_err());
    }

    #[test]
    fn time_that_others_had_does_not_count() {
        let check = Check {
            spent: Spent {
                wall: 4.0,
                work: 1.0,
            },
            states: 10,
            transitions: 50,
            seconds: 2.0,
            bytes_per_state: 8.0,
            order: "1".into(),
        };
        assert_eq!(check.work(), 0.5);
        assert_eq!(check.transitions_per_second(), 100.0);
    }
}
