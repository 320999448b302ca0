//! A relay between this program and the one that is measured, which reports its peak of memory.
//!
//! The system tells a program the greatest peak among all the programs that it has started, not that of one of them. So this
//! program starts itself once more as a relay, and the relay starts the one that is measured and nothing else. The relay
//! is also where a limit on memory can be set for a program that has no option for it.
//!
//! A peak of a few megabytes may be that of the relay.

use crate::process::{self, Ended, Spent};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much longer than the program its relay may take.
const GRACE: Duration = Duration::from_secs(10);

/// What the relay is told.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(crate) struct RelayArguments {
    /// When to give up, in milliseconds.
    #[arg(long)]
    milliseconds: u64,

    /// How much memory it may have at most, in bytes.
    #[arg(long)]
    bytes: Option<u64>,

    /// Where the program works.
    folder: PathBuf,

    /// The program.
    program: PathBuf,

    /// Its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// What the relay says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Message {
    spent: Spent,
    well: bool,
    peak: u64,
}

/// Runs a program by a relay: how it ended, and how many bytes it held at most (0 where the system does not tell).
/// With a limit on memory, it gets no more from the system.
pub(crate) fn run(
    folder: &Path,
    program: &Path,
    arguments: &[String],
    limit: Duration,
    memory: Option<u64>,
) -> Result<(Ended, u64), String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let own = folder.join("relay");
    fs::create_dir_all(&own).map_err(|error| format!("no folder for a relay: {error}"))?;
    let relay = RelayArguments {
        milliseconds: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        bytes: memory,
        folder: folder.into(),
        program: program.into(),
        arguments: arguments.into(),
    };
    let told = process::run(&own, &this, &relay.typed(), limit + GRACE)?;
    let message: Message = match told.well {
        true => serde_json::from_str(&told.output).map_err(|error| error.to_string())?,
        false => return Err(complaint(&told.complaint)),
    };
    let ended = process::ended_in(folder, message.spent, message.well);
    Ok((ended, message.peak))
}

fn complaint(text: &str) -> String {
    let line = text.lines().find(|line| !line.is_empty());
    let line = line.unwrap_or("it said nothing");
    line.trim_start_matches("error: ").into()
}

/// The relay: runs the program and says what it has taken.
pub(crate) fn relay(arguments: &RelayArguments) -> Result<String, String> {
    if let Some(memory) = arguments.bytes {
        system::limit_memory(memory)?;
    }
    let limit = Duration::from_millis(arguments.milliseconds);
    let ended = process::run(
        &arguments.folder,
        &arguments.program,
        &arguments.arguments,
        limit,
    )?;
    let message = Message {
        spent: ended.spent,
        well: ended.well,
        peak: system::peak_of_children(),
    };
    serde_json::to_string(&message).map_err(|error| error.to_string())
}

impl RelayArguments {
    /// As somebody would type them.
    fn typed(&self) -> Vec<String> {
        let mut typed = vec![
            "relay".into(),
            format!("--milliseconds={}", self.milliseconds),
        ];
        typed.extend(self.bytes.map(|bytes| format!("--bytes={bytes}")));
        typed.push("--".into());
        typed.extend([&self.folder, &self.program].map(|path| path.display().to_string()));
        typed.extend(self.arguments.iter().cloned());
        typed
    }
}

#[cfg(unix)]
mod system {
    use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};

    /// In what the system counts peaks.
    const UNIT: u64 = if cfg!(target_os = "macos") { 1 } else { 1024 };

    /// This program and those that it starts get no more memory than that.
    pub(super) fn limit_memory(bytes: u64) -> Result<(), String> {
        let refused = |error| format!("cannot limit memory: {error}");
        setrlimit(Resource::RLIMIT_AS, bytes, bytes).map_err(refused)
    }

    /// The greatest peak of the programs that this one has started and that have ended.
    pub(super) fn peak_of_children() -> u64 {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
        let peak = usage.map(|usage| usage.max_rss()).unwrap_or_default();
        u64::try_from(peak).unwrap_or_default() * UNIT
    }
}

#[cfg(not(unix))]
mod system {
    pub fn limit_memory(_bytes: u64) -> Result<(), String> {
        Err("this system has no limit on memory".into())
    }

    pub fn peak_of_children() -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use clap::Parser;

    #[test]
    fn what_a_relay_is_told_is_what_it_hears() {
        let told = RelayArguments {
            milliseconds: 1500,
            bytes: Some(1 << 30),
            folder: "there".into(),
            program: "true".into(),
            arguments: ["--limit", "7", "-x", "--", "y"].map(String::from).into(),
        };
        let typed = [vec!["mandala-bench".to_string()], told.typed()].concat();
        let heard = Arguments::parse_from(typed).command;
        assert!(matches!(heard, Command::Relay(heard) if heard == told));
    }

    #[test]
    fn a_relay_tells_what_the_program_took() {
        let folder = tempfile::tempdir().unwrap();
        let call = |program: PathBuf| RelayArguments {
            milliseconds: 60_000,
            bytes: None,
            folder: folder.path().into(),
            program,
            arguments: vec!["--list".into()],
        };
        let told = relay(&call(env::current_exe().unwrap())).unwrap();
        let message: Message = serde_json::from_str(&told).unwrap();
        assert!(message.well && message.spent.wall > 0.0);
        assert_eq!(message.peak > 0, cfg!(unix));
        assert!(relay(&call("no-such-program".into())).is_err());
    }

    #[test]
    fn the_complaint_of_a_relay_is_handed_on() {
        assert_eq!(complaint("error: > 60 s\n"), "> 60 s");
        assert_eq!(complaint(""), "it said nothing");
    }
}
