//! Mandala as somebody would type it, beside Rumur.

use super::run::Run;
use super::subjects::Source;
use crate::{mandala, relay};
use mandala_report::Document;
use mandala_report::document::Verdict;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// The program to measure.
#[derive(Debug)]
pub struct Ours {
    program: PathBuf,
    /// Where it works.
    folder: TempDir,
    /// How much memory it gets, in bytes.
    memory: u64,
    /// When to give up.
    limit: Duration,
}

impl Ours {
    /// Finds the program.
    pub fn find(named: Option<&Path>, memory: u64, limit: Duration) -> Result<Ours, String> {
        let program = mandala::program(named)?;
        let program = program.canonicalize().map_err(|error| error.to_string())?;
        let folder = tempfile::tempdir().map_err(|error| format!("no folder: {error}"))?;
        Ok(Ours {
            program,
            folder,
            memory,
            limit,
        })
    }

    /// Checks.
    pub fn check(&self, source: &Source, symmetry: &str) -> Result<Run, String> {
        let arguments = self.arguments(source, symmetry);
        let folder = self.folder.path();
        let (ended, peak) = relay::run(folder, &self.program, &arguments, self.limit, None)?;
        let document = mandala::read(&ended.output, &ended.complaint)?;
        complete(ended.spent.wall, peak, document)
    }

    fn arguments(&self, source: &Source, symmetry: &str) -> Vec<String> {
        let path = source.path.display().to_string();
        let memory = format!("{}M", self.memory >> 20);
        let mut arguments = vec!["check".to_string(), path];
        let mut option = |name: &str, value: &str| arguments.extend([name.into(), value.into()]);
        option("--json", "-");
        option("--symmetry", symmetry);
        option("--memory", &memory);
        for constant in &source.constants {
            option("-D", constant);
        }
        arguments.push("--no-deadlock".into());
        arguments
    }
}

fn complete(seconds: f64, peak: u64, document: Document) -> Result<Run, String> {
    if !document.coverage.complete {
        let why = document.coverage.reason.unwrap_or_default();
        return Err(format!("not everything was visited: {why}"));
    }
    Ok(Run {
        seconds,
        peak,
        states: document.stats.states,
        rules: document.stats.transitions,
        holds: match document.verdict {
            Verdict::Holds => Some(true),
            Verdict::Violated => Some(false),
            Verdict::Unknown => None,
        },
        reduced: document.symmetry.order != "1",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_what_rumur_is_asked() {
        let this = std::env::current_exe().unwrap();
        let ours = Ours::find(Some(&this), 3 << 30, Duration::from_secs(1)).unwrap();
        let source = Source {
            path: "there/model.m".into(),
            constants: vec!["N=3".into()],
        };
        assert_eq!(
            ours.arguments(&source, "auto").join(" "),
            "check there/model.m --json - --symmetry auto --memory 3072M -D N=3 --no-deadlock"
        );
    }
}
