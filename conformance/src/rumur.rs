//! Rumur as an oracle.
//!
//! `rumur` translates the model to C, `gcc` compiles that, and the result searches all states until it finds an
//! error. Numbers have 32 bits whatever the model says, so that no model fails because its own numbers are small.

use crate::command::{self, Ending};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Which states are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// All.
    Off,
    /// One for each orbit, if the model is symmetric: Rumur does not find out.
    Exhaustive,
}

/// What Rumur says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has searched everything or found an error.
    Complete(Search),
    /// It does not accept the model, for this reason.
    Refused(String),
    /// It gives no answer, for this reason.
    Nothing(String),
}

/// The summary of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// States stored.
    pub states: u64,
    /// Rules fired.
    pub rules: u64,
    /// The first error, if there is one: then not all states are counted.
    pub error: Option<String>,
}

/// An installed Rumur together with a C compiler.
#[derive(Clone, Debug)]
pub struct Rumur {
    rumur: PathBuf,
    compiler: PathBuf,
}

impl Rumur {
    /// The Rumur on this machine, if there is one.
    pub fn find() -> Option<Rumur> {
        let found = Rumur {
            rumur: "rumur".into(),
            compiler: "gcc".into(),
        };
        let answers = |program: &Path| {
            let output = Command::new(program).arg("--version").output();
            output.is_ok_and(|o| o.status.success())
        };
        (answers(&found.rumur) && answers(&found.compiler)).then_some(found)
    }

    /// Asks. Each of the three programs may take so long. An error means that a program could not be started or a
    /// file not be written.
    pub fn ask(&self, text: &str, symmetry: Symmetry, limit: Duration) -> io::Result<Answer> {
        let folder = tempfile::tempdir()?;
        let folder = folder.path();
        std::fs::write(folder.join("model.m"), text)?;
        let run = |program: &Path, arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            command::run(folder, program, &arguments, limit)
        };
        match run(&self.rumur, &translation(symmetry))? {
            Ending::Fine(_) => {}
            Ending::TimeUp => return Ok(Answer::Nothing("rumur takes too long".into())),
            Ending::Failed(text) => return Ok(Answer::Refused(text)),
        }
        match run(&self.compiler, &COMPILATION)? {
            Ending::Fine(_) => {}
            Ending::TimeUp => return Ok(Answer::Nothing("gcc takes too long".into())),
            Ending::Failed(text) => return Ok(Answer::Nothing(format!("gcc: {text}"))),
        }
        Ok(match run(&folder.join("checker"), &[])? {
            Ending::Fine(text) | Ending::Failed(text) => match summary(&text) {
                Some(search) => Answer::Complete(search),
                None => Answer::Nothing(format!("no summary: {text}")),
            },
            Ending::TimeUp => Answer::Nothing("the search takes too long".into()),
        })
    }
}

/// Without optimisation, because small models take longer to compile than to search.
const COMPILATION: [&str; 7] = [
    "-O0",
    "-w",
    "-mcx16",
    "-o",
    "checker",
    "model.c",
    "-lpthread",
];

fn translation(symmetry: Symmetry) -> [&'static str; 9] {
    let symmetry = match symmetry {
        Symmetry::Off => "off",
        Symmetry::Exhaustive => "exhaustive",
    };
    [
        "--symmetry-reduction",
        symmetry,
        "--value-type",
        "int32_t",
        "--threads",
        "1",
        "--output",
        "model.c",
        "model.m",
    ]
}

/// Reads `N states, M rules fired in Ks.` and whether an error comes before it.
fn summary(text: &str) -> Option<Search> {
    let line = text
        .lines()
        .rev()
        .find(|line| line.contains(" rules fired in "))?;
    let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
    let (states, rules) = (numbers.next()?, numbers.next()?);
    let fine = text.contains("No error found.");
    let error = (!fine).then(|| first_error(text));
    Some(Search {
        states,
        rules,
        error,
    })
}

/// The line that says what is wrong: the first one behind the headline of the result.
fn first_error(text: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with("Result:"));
    let mut lines = lines.skip(1).map(str::trim).filter(|line| !line.is_empty());
    lines.next().unwrap_or("an error").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read() {
        let fine = "Status:\n\n\tNo error found.\n\nState Space Explored:\n\n\t42 states, 84 rules fired in 0s.\n";
        let expected = Search {
            states: 42,
            rules: 84,
            error: None,
        };
        assert_eq!(summary(fine), Some(expected));
        let wrong =
            "Result:\n\n\tdeadlock\n\n\t1 error(s) found.\n\n\t2 states, 1 rules fired in 0s.\n";
        let found = summary(wrong).and_then(|search| search.error);
        assert_eq!(found.as_deref(), Some("deadlock"));
        assert_eq!(summary("Segmentation fault"), None);
    }
}
