//! `mandala check` as somebody would type it, and the time that goes by until the verdict is there.

use mandala_report::{Document, json};
use std::env::{self, consts::EXE_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Counts are compared, so everything is visited, and nothing but symmetry makes it fewer.
const OPTIONS: [&str; 9] = [
    "--json",
    "-",
    "--keep-going",
    "--por",
    "off",
    "--static",
    "off",
    "--property",
    "safety",
];

/// The program to measure: the one that is named, or the one that stands beside this one.
pub fn program(named: Option<&Path>) -> Result<PathBuf, String> {
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

/// A check.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The program.
    pub program: &'a Path,
    /// The file with the model.
    pub model: &'a Path,
    /// How symmetry is used.
    pub symmetry: &'a str,
    /// When to give up.
    pub limit: Duration,
}

impl Call<'_> {
    /// Makes it, and says how many seconds went by and what came of it.
    pub fn make(&self) -> Result<(f64, Document), String> {
        let seconds = format!("{}s", self.limit.as_secs().max(1));
        let mut command = Command::new(self.program);
        command.arg("check").args(OPTIONS);
        command.args(["--symmetry", self.symmetry, "--time", &seconds]);
        command.arg(self.model).stdin(Stdio::null());
        let start = Instant::now();
        let output = command.output();
        let elapsed = start.elapsed().as_secs_f64();
        let output =
            output.map_err(|error| format!("cannot run `{}`: {error}", self.program.display()))?;
        Ok((elapsed, read(&output)?))
    }
}

fn read(output: &Output) -> Result<Document, String> {
    let text = String::from_utf8_lossy(&output.stdout);
    json::read(&text).map_err(|error| match text.is_empty() {
        true => first_line(&output.stderr),
        false => error.to_string(),
    })
}

/// What it complained about.
fn first_line(complaint: &[u8]) -> String {
    let complaint = String::from_utf8_lossy(complaint);
    complaint.lines().next().unwrap_or("it said nothing").into()
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
    fn a_program_that_says_something_else_is_not_believed() {
        let call = Call {
            program: &env::current_exe().unwrap(),
            model: Path::new("none"),
            symmetry: "auto",
            limit: Duration::from_secs(1),
        };
        // The test program does not know these options, and complains.
        assert!(call.make().is_err());
    }
}
