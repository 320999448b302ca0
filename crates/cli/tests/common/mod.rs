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

/// The options and one more for each property that they state, so that it is checked and nothing else. The model states no formula of
/// its own.
pub fn alone(options: &[&str]) -> Vec<String> {
    let forms = ["ltl", "ctl", "possible", "always-possible"];
    let mut all: Vec<String> = options.iter().map(ToString::to_string).collect();
    for form in forms {
        let stated = options
            .windows(2)
            .filter(|two| two[0] == format!("--{form}"));
        for (number, two) in stated.enumerate() {
            let own = two[1]
                .split_once(':')
                .map(|(name, _)| name.trim().to_string());
            let is_name =
                |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let made_up = format!("{}_{number}", form.replace('-', "_"));
            all.extend(["--property".into(), own.filter(is_name).unwrap_or(made_up)]);
        }
    }
    let labels = ["accept", "non-progress"].into_iter();
    let labels = labels.filter(|label| options.contains(&format!("--{label}").as_str()));
    all.extend(labels.flat_map(|label| ["--property".into(), label.into()]));
    all
}
