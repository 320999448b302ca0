//! A run of `mandala check` as a process, with the time until the verdict.

use crate::mandala;
use mandala_report::Document;
use std::path::Path;
use std::process::{Command, Stdio};
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

/// A check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
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
    pub(super) fn make(&self) -> Result<(f64, Document), String> {
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
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let document = mandala::read(&text(&output.stdout), &text(&output.stderr))?;
        Ok((elapsed, document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

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
