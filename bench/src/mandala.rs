//! The program `mandala`: where it is, how it is asked, and how its answer is read.

use crate::process::Spent;
use crate::relay;
use mandala_report::{Document, json};
use std::env::{self, consts::EXE_SUFFIX};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// The program, and what it may take.
#[derive(Debug)]
pub(crate) struct Mandala {
    program: PathBuf,
    /// Where it works.
    folder: TempDir,
    /// How much memory it gets, in bytes.
    memory: u64,
    /// When to give up.
    limit: Duration,
}

/// What it says about a model, and what it has taken.
#[derive(Debug)]
pub(crate) struct Answer {
    /// What it has taken from the command to the verdict.
    pub spent: Spent,
    /// The bytes that it held at most.
    pub peak: u64,
    /// What it says.
    pub document: Document,
}

impl Mandala {
    /// Finds the program.
    pub(crate) fn find(
        named: Option<&Path>,
        memory: u64,
        limit: Duration,
    ) -> Result<Mandala, String> {
        let program = program(named)?;
        let program = program.canonicalize().map_err(|error| error.to_string())?;
        let folder = tempfile::tempdir().map_err(|error| format!("no folder: {error}"))?;
        Ok(Mandala {
            program,
            folder,
            memory,
            limit,
        })
    }

    /// Runs it. How it answers and how much memory it may have is added to the arguments.
    pub(crate) fn ask(&self, mut arguments: Vec<String>) -> Result<Answer, String> {
        let memory = format!("{}M", self.memory >> 20);
        arguments.extend(["--json", "-", "--memory", &memory].map(String::from));
        let folder = self.folder.path();
        let (ended, peak) = relay::run(folder, &self.program, &arguments, self.limit, None)?;
        Ok(Answer {
            spent: ended.spent,
            peak,
            document: read(&ended.output, &ended.complaint)?,
        })
    }
}

/// The program to measure: the one that is named, or the one that stands beside this one.
pub(crate) fn program(named: Option<&Path>) -> Result<PathBuf, String> {
    let beside = || {
        let this = env::current_exe().ok()?;
        Some(this.with_file_name(format!("mandala{EXE_SUFFIX}")))
    };
    let program = named.map(Path::to_path_buf).or_else(beside);
    let program = program.ok_or("say with --mandala where the program is")?;
    match program.is_file() {
        true => Ok(program),
        false => Err(format!(
            "there is no `{}`: build it with `cargo build --release -p mandala-cli`, or say with --mandala where it is",
            program.display()
        )),
    }
}

/// The document that it wrote on standard output, or the first line of what it complained about.
pub(crate) fn read(output: &str, complaint: &str) -> Result<Document, String> {
    json::read(output).map_err(|error| match output.is_empty() {
        true => complaint.lines().next().unwrap_or("it said nothing").into(),
        false => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_is_missed() {
        let missing = program(Some(Path::new("nowhere/mandala"))).unwrap_err();
        assert!(missing.contains("cargo build"), "{missing}");
        assert!(program(env::current_exe().ok().as_deref()).is_ok());
    }

    #[test]
    fn what_is_no_document_is_not_believed() {
        assert_eq!(
            read("", "no such file\nat all").unwrap_err(),
            "no such file"
        );
        assert_eq!(read("", "").unwrap_err(), "it said nothing");
        assert!(read("{}", "").is_err());
    }
}
