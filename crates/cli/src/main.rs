//! The `mandala` binary: reads arguments and files, prints, and sets the exit status. All else is
//! done by the crates behind it, which neither print nor touch the disk.

mod args;
mod check;
mod checkpoint;
mod console;
mod exit;
mod failed;
mod interrupt;
mod ir;
mod load;
mod memory;
mod output;
mod progress;
mod replay;
mod resume;
mod simulate;
mod stated;
mod symmetry;
mod units;

use args::{Arguments, Command};
use clap::Parser;
use console::Console;
use exit::{Failure, Status};
use std::process::ExitCode;

/// Enough for the deepest expression that a front end lets through, also in a debug build.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let console = Console::new(arguments.color);
    exit::silence_panics();
    let worker = std::thread::Builder::new()
        .name("main".into())
        .stack_size(STACK)
        .spawn(move || run(&arguments.command, &console));
    let outcome = match worker {
        Ok(worker) => worker.join().unwrap_or_else(|_| Err(exit::after_panic())),
        Err(error) => Err(Failure::Io(format!("cannot start a thread: {error}"))),
    };
    exit::conclude(outcome, &console)
}

fn run(command: &Command, console: &Console) -> Result<Status, Failure> {
    match command {
        Command::Check(arguments) => check::run(arguments, console),
        Command::Resume(arguments) => resume::run(arguments, console),
        Command::Simulate(arguments) => simulate::run(arguments, console),
        Command::Replay(arguments) => replay::run(arguments, console),
        Command::Symmetry(arguments) => symmetry::run(arguments, console),
        Command::Ir(arguments) => ir::run(arguments, console),
    }
}
