//! The `mandala` binary: reads arguments and files, prints, and sets the exit status. All else is
//! done by the crates behind it, which neither print nor touch the disk.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod args;
mod chart;
mod check;
mod checkpoint;
mod console;
mod counters;
mod every;
mod exit;
mod failed;
mod graph;
mod interrupt;
mod ir;
mod load;
mod memory;
mod monitor;
mod output;
mod page;
mod pending;
mod progress;
mod replay;
mod resume;
mod shell;
mod shown;
mod simulate;
mod stated;
mod symmetry;
mod test;
mod units;
mod verify_proof;
mod watcher;

use args::{Arguments, Command};
use clap::Parser;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use console::Console;
use exit::{Failure, Status};
use mandala_checker::frontend::is_model_name;
use monitor::Monitor;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let started = Instant::now();
    let arguments = Arguments::try_parse().unwrap_or_else(|error| refuse(error));
    let console = Console::new(arguments.color);
    exit::silence_panics();
    let command = move |monitor: &Monitor| run(&arguments.command, &console, monitor);
    let outcome = interrupt::install().and_then(|()| monitor::run(started, console, command));
    exit::conclude(outcome, &console)
}

/// Says what is wrong with the command, and ends the program. Who forgets to say what to do with a model probably wants it checked.
fn refuse(mut error: clap::Error) -> ! {
    let word = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if is_model_name(Path::new(word)) => word,
        _ => error.exit(),
    };
    let tip = StyledStr::from(format!("`mandala check {word}` checks a model"));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    error.exit()
}

fn run(command: &Command, console: &Console, monitor: &Monitor) -> Result<Status, Failure> {
    match command {
        Command::Check(arguments) => check::run(arguments, console, monitor),
        Command::Test(arguments) => test::run(arguments, console),
        Command::Resume(arguments) => resume::run(arguments, console, monitor),
        Command::Simulate(arguments) => simulate::run(arguments, console, monitor),
        Command::Replay(arguments) => replay::run(arguments, console),
        Command::Symmetry(arguments) => symmetry::run(arguments, console, monitor),
        Command::VerifyProof(arguments) => verify_proof::run(arguments, console),
        Command::VerifyInvariant(arguments) => every::verify(arguments, console),
        Command::Ir(arguments) => ir::run(arguments, console),
        Command::Counters(arguments) => counters::run(arguments, console),
        Command::Completions(arguments) => shell::completions(arguments, console),
        Command::Man(arguments) => shell::manual(arguments, console),
    }
}
