//! Another program, the time that goes by until it ends, and the time that it works.
//!
//! Both are told: the first is the time from the command to its end, the second does not depend on what else the machine does.

use crate::measure::over;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

/// What a program has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spent {
    /// Seconds on the wall.
    pub wall: f64,
    /// Seconds that its threads and the programs that it started have worked, for itself and for the system.
    pub work: f64,
}

impl Spent {
    /// One after the other.
    pub(crate) fn and(self, next: Spent) -> Spent {
        Spent {
            wall: self.wall + next.wall,
            work: self.work + next.work,
        }
    }

    /// What one clock says.
    pub(crate) fn by(self, clock: Clock) -> f64 {
        match clock {
            Clock::Wall => self.wall,
            Clock::Work => self.work,
        }
    }

    /// How much of the time on the wall it worked, if it has one thread.
    pub(crate) fn share(self) -> f64 {
        match self.wall > 0.0 {
            true => (self.work / self.wall).min(1.0),
            false => 1.0,
        }
    }
}

/// Which time is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Time on the wall, from the command to its end.
    #[default]
    Wall,
    /// Time that was worked, which does not depend on what else the machine does.
    Work,
}

/// A program that has ended by itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ended {
    /// What it has taken.
    pub spent: Spent,
    /// Whether it ended with exit status 0.
    pub well: bool,
    /// What it wrote on standard output.
    pub output: String,
    /// What it wrote on standard error.
    pub complaint: String,
}

/// Runs a program in a folder. What it writes goes through files there, so that it never waits for a reader.
pub(crate) fn run(
    folder: &Path,
    program: &Path,
    arguments: &[String],
    limit: Duration,
) -> Result<Ended, String> {
    let [output, complaint] = written_to(folder);
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    let ended = start(&mut command, &output, &complaint)
        .and_then(|(worked, started, child)| wait(child, worked, started, limit));
    let failed = |error| format!("cannot run `{}`: {error}", program.display());
    let (spent, well) = ended.map_err(failed)?.ok_or_else(|| over(limit))?;
    Ok(ended_in(folder, spent, well))
}

/// A program that has ended in this folder.
pub(crate) fn ended_in(folder: &Path, spent: Spent, well: bool) -> Ended {
    let [output, complaint] = written_to(folder).map(|path| text(&path));
    Ended {
        spent,
        well,
        output,
        complaint,
    }
}

/// Where a program writes what belongs on standard output and standard error.
fn written_to(folder: &Path) -> [PathBuf; 2] {
    ["output.txt", "complaint.txt"].map(|name| folder.join(name))
}

/// The last line of what a program says.
pub(crate) fn last_line(ended: &Ended) -> String {
    let both = [&ended.complaint, &ended.output];
    let mut last = both.iter().filter_map(|text| text.lines().last());
    last.next().unwrap_or("it says nothing").trim().to_string()
}

type Started = (f64, Instant, std::process::Child);

fn start(command: &mut Command, output: &Path, complaint: &Path) -> io::Result<Started> {
    command
        .stdin(Stdio::null())
        .stdout(File::create(output)?)
        .stderr(File::create(complaint)?);
    let (worked, now) = (worked_by_children(), Instant::now());
    Ok((worked, now, command.spawn()?))
}

/// What it has taken and whether it ended well; nothing if it had to be stopped.
fn wait(
    mut child: std::process::Child,
    worked: f64,
    started: Instant,
    limit: Duration,
) -> io::Result<Option<(Spent, bool)>> {
    let Some(status) = child.wait_timeout(limit)? else {
        child.kill()?;
        child.wait()?;
        return Ok(None);
    };
    let wall = started.elapsed().as_secs_f64();
    let work = match worked_by_children() - worked {
        unknown if unknown <= 0.0 => wall,
        known => known,
    };
    Ok(Some((Spent { wall, work }, status.success())))
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}

/// Seconds that all programs have worked that this one has started and that have ended.
#[cfg(unix)]
fn worked_by_children() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let seconds = |time: nix::sys::time::TimeVal| {
        time.tv_sec() as f64 + f64::from(time.tv_usec() as i32) / 1e6
    };
    getrusage(UsageWho::RUSAGE_CHILDREN)
        .map(|usage| seconds(usage.user_time()) + seconds(usage.system_time()))
        .unwrap_or_default()
}

/// Where the system does not tell it, nothing: then the time on the wall counts.
#[cfg(not(unix))]
fn worked_by_children() -> f64 {
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    #[test]
    fn what_a_program_writes_and_takes_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let this = env::current_exe().unwrap();
        let limit = Duration::from_secs(60);
        let ended = run(folder.path(), &this, &["--list".into()], limit).unwrap();
        assert!(ended.well && ended.output.contains("what_a_program_writes"));
        assert!(ended.spent.wall > 0.0 && ended.spent.work > 0.0);
        let wrong = run(folder.path(), &this, &["--no-such-option".into()], limit).unwrap();
        assert!(!wrong.well && !wrong.complaint.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_takes_too_long_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let sleep = |program: &str| {
            let limit = Duration::from_millis(20);
            run(folder.path(), Path::new(program), &["60".into()], limit)
        };
        assert_eq!(sleep("sleep").unwrap_err(), "> 0 s");
        assert!(sleep("no-such-program").unwrap_err().contains("cannot run"));
    }

    #[test]
    fn a_program_that_had_half_of_a_core_worked_half_of_the_time() {
        let spent = |wall, work| Spent { wall, work };
        assert_eq!(spent(2.0, 1.0).share(), 0.5);
        assert_eq!(spent(1.0, 2.0).share(), 1.0);
        assert_eq!(spent(1.0, 2.0).and(spent(2.0, 1.0)), spent(3.0, 3.0));
    }
}
