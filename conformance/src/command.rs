//! Running another program with a limit on its time.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// With exit status 0, having written this.
    Fine(String),
    /// With another status or by a signal, having written this.
    Failed(String),
    /// It was stopped because its time was up.
    TimeUp,
}

/// Runs a program in a folder. What it writes goes through a file, so that it can never block on a
/// full pipe.
pub(crate) fn run(
    folder: &Path,
    program: &Path,
    arguments: &[String],
    limit: Duration,
) -> io::Result<Ending> {
    let path = folder.join("written.txt");
    let written = File::create(&path)?;
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(written.try_clone()?)
        .stderr(written)
        .spawn()?;
    let Some(status) = child.wait_timeout(limit)? else {
        child.kill()?;
        child.wait()?;
        return Ok(Ending::TimeUp);
    };
    let written = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
    Ok(if status.success() {
        Ending::Fine(written)
    } else {
        Ending::Failed(written)
    })
}
