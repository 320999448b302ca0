//! Outputs of results: a file that is opened before the search, or standard output.
//!
//! A search may take hours, so a place that cannot be written is noticed before it starts. What the
//! file held stays until the new text is ready; a file that was made for nothing is taken away again.

use crate::console::Console;
use crate::exit::{Failure, Status};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A place for one text.
#[derive(Debug)]
pub enum Output {
    /// Standard output.
    Standard,
    /// A file.
    File(OpenFile),
}

/// A file that is open, but still as it was.
#[derive(Debug)]
pub struct OpenFile {
    path: PathBuf,
    file: File,
    state: Contents,
}

/// What is in an open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    /// Nothing: it was made when it was opened.
    New,
    /// What was there before, or the text.
    Worth,
}

impl Output {
    /// Opens the place, without changing what is there.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Output::Standard);
        }
        let state = match path.exists() {
            true => Contents::Worth,
            false => Contents::New,
        };
        let file = OpenOptions::new().append(true).create(true).open(path);
        Ok(Output::File(OpenFile {
            file: file.map_err(|error| unwritable(path, &error))?,
            path: path.to_path_buf(),
            state,
        }))
    }

    /// Whether it is standard output.
    pub fn is_standard(&self) -> bool {
        matches!(self, Output::Standard)
    }

    /// Whether both are one place, however it is written.
    pub fn is_same_as(&self, other: &Output) -> bool {
        match (self, other) {
            (Output::Standard, Output::Standard) => true,
            (Output::File(one), Output::File(other)) => {
                let real = |open: &OpenFile| std::fs::canonicalize(&open.path).ok();
                one.path == other.path || real(one).is_some_and(|path| Some(path) == real(other))
            }
            _ => false,
        }
    }

    /// Begins anew: what was there is gone.
    pub fn begin(&mut self) -> Result<(), Failure> {
        match self {
            Output::Standard => Ok(()),
            Output::File(open) => open
                .replace("")
                .map_err(|error| unwritable(&open.path, &error)),
        }
    }

    /// Adds to what was written.
    pub fn append(&mut self, text: &str) -> io::Result<()> {
        match self {
            Output::Standard => {
                let mut output = io::stdout().lock();
                output.write_all(text.as_bytes())?;
                output.flush()
            }
            Output::File(open) => {
                open.file.write_all(text.as_bytes())?;
                open.file.flush()
            }
        }
    }

    /// Writes the text in place of what was there. If the reader of standard output has gone, the
    /// program ends with `status`.
    pub fn write(&mut self, text: &str, console: &Console, status: Status) -> Result<(), Failure> {
        match self {
            Output::Standard => console.print(text, status),
            Output::File(open) => open
                .replace(text)
                .map_err(|error| unwritable(&open.path, &error)),
        }
    }
}

impl OpenFile {
    fn replace(&mut self, text: &str) -> io::Result<()> {
        // Devices and pipes have no length.
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.state = Contents::Worth;
        self.file.write_all(text.as_bytes())?;
        self.file.flush()
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        if self.state == Contents::New {
            // If that fails, an empty file stays; there is nobody to tell.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Io(format!("cannot write `{}`: {error}", path.display()))
}
