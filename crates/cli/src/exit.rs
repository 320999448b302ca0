//! The end of the program: the exit status, and the message if there is no result.

use crate::console::Console;
use crate::interrupt;
use mandala_report::document::{Finding, Verdict};
use mandala_report::style::Tone;
use std::process::ExitCode;
use std::sync::Mutex;

/// The exit status, a contract with scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every checked property holds, or what was asked for was done.
    Fine = 0,
    /// A property is violated.
    Violated = 1,
    /// The model or the command is wrong.
    Wrong = 2,
    /// A limit was reached first.
    Unknown = 3,
    /// The user has interrupted the program first.
    Interrupted = 4,
}

impl From<Verdict> for Status {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds | Verdict::Value => Status::Fine,
            Verdict::Violated => Status::Violated,
            Verdict::Unknown if interrupt::asked() => Status::Interrupted,
            Verdict::Unknown => Status::Unknown,
        }
    }
}

/// Why there is no result.
#[derive(Debug)]
pub enum Failure {
    /// What was typed does not make sense.
    Command(String),
    /// The model is wrong.
    Model {
        /// What is wrong, shown in the text of the model.
        shown: String,
        /// The same for programs.
        findings: Vec<Finding>,
    },
    /// A file cannot be read or written.
    Io(String),
    /// The reader of our output has gone; the result stands.
    ReaderGone(Status),
    /// The user has interrupted the program.
    Interrupted,
    /// A defect of Mandala itself.
    Defect(String),
}

impl Failure {
    /// The exit status that goes with it.
    pub fn status(&self) -> Status {
        match self {
            Failure::ReaderGone(status) => *status,
            Failure::Interrupted => Status::Interrupted,
            Failure::Command(_) | Failure::Model { .. } | Failure::Io(_) | Failure::Defect(_) => {
                Status::Wrong
            }
        }
    }
}

/// Says what there is to say and gives the exit status.
pub fn conclude(outcome: Result<Status, Failure>, console: &Console) -> ExitCode {
    let status = match outcome {
        Ok(status) | Err(Failure::ReaderGone(status)) => status,
        Err(failure) => {
            console.complain(&text(&failure, console));
            failure.status()
        }
    };
    ExitCode::from(status as u8)
}

fn text(failure: &Failure, console: &Console) -> String {
    let error = console.error_colour().paint(Tone::Bad, "error");
    match failure {
        Failure::Command(what) | Failure::Io(what) => format!("{error}: {what}\n"),
        Failure::Model { shown, .. } => shown.clone(),
        Failure::Defect(what) => format!(
            "{error}: internal error of mandala {}: {what}\n\
             This is a defect of Mandala, not of your model. Please report it with the model.\n",
            env!("CARGO_PKG_VERSION")
        ),
        Failure::Interrupted => "interrupted\n".into(),
        Failure::ReaderGone(_) => String::new(),
    }
}

/// What the last panic said.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the message of a panic for [`after_panic`] rather than printing it.
pub fn silence_panics() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut message) = PANIC.lock() {
            *message = Some(panic.to_string());
        }
    }));
}

/// A panic as a failure like any other.
pub fn after_panic() -> Failure {
    let message = PANIC.lock().ok().and_then(|mut m| m.take());
    Failure::Defect(message.unwrap_or_else(|| "unknown".into()))
}
