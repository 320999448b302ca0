//! The program `mandala`: where it is, and how its answer is read.

use mandala_report::{Document, json};
use std::env::{self, consts::EXE_SUFFIX};
use std::path::{Path, PathBuf};

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

/// The document that it wrote on standard output, or the first line of what it complained about.
pub fn read(output: &str, complaint: &str) -> Result<Document, String> {
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
