//! Runs the binary.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What came of a run.
pub struct Run {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "status {}\n{}\n{}",
            self.status, self.output, self.errors
        )
    }
}

impl Run {
    /// The document on standard output.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

/// Runs `mandala` with nothing to read.
pub fn mandala<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Run {
    mandala_reading("", arguments)
}

/// Runs `mandala` with that on standard input.
pub fn mandala_reading<'a>(input: &str, arguments: impl IntoIterator<Item = &'a str>) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may end without reading all of it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    Run {
        status: output.status.code().expect("an exit status"),
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The path of a model of the tests.
pub fn model(file: &str) -> String {
    format!("{}/tests/models/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The path of a file to write.
pub fn temporary(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file)
}
