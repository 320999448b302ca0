//! Runs the commands of tests, several at a time, and hands the results on in the order of the tests.

use super::command::Planned;
use crate::exit::Failure;
use crate::interrupt;
use mandala_report::suite::TestResult;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often somebody looks whether the user wants the program to stop.
const PERIOD: Duration = Duration::from_millis(20);

/// The processes that run now, by the numbers of their tests.
type Running = Mutex<BTreeMap<usize, Child>>;

/// Runs all tests, `at_once` at a time. If the user interrupts, those that run are ended, and no other one begins.
pub fn run(
    tests: &[Planned],
    at_once: usize,
    mut told: impl FnMut(TestResult) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let running = Running::default();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..at_once {
            let (sender, next, running) = (sender.clone(), &next, &running);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(test) = tests.get(number) else {
                        return;
                    };
                    // Nobody listens if there was an error.
                    if sender.send((number, one(number, test, running))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok((number, result)) => waiting.insert(number, result),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => None,
            };
            if interrupt::asked() {
                end_all(&running);
            }
            while let Some(result) = waiting.remove(&due) {
                due += 1;
                let going = result.map_err(cannot_start).and_then(&mut told);
                if going.is_err() {
                    next.store(tests.len(), Ordering::Relaxed);
                    end_all(&running);
                    return going;
                }
            }
        }
    })
}

fn cannot_start(error: io::Error) -> Failure {
    Failure::Io(format!("cannot run a test: {error}"))
}

/// Runs one test to its end.
fn one(number: usize, test: &Planned, running: &Running) -> io::Result<TestResult> {
    let Some(words) = test.words().filter(|_| !interrupt::asked()) else {
        return Ok(test.result());
    };
    let began = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    lock(running).insert(number, child);
    let (stdout, stderr) = thread::scope(|scope| {
        let errors = scope.spawn(|| all_of(errors));
        let output = all_of(output);
        (output, errors.join().unwrap_or_default())
    });
    // It has closed its outputs, so it ends now.
    let child = lock(running).remove(&number);
    let status = match child {
        Some(mut child) => child.wait()?,
        None => return Ok(test.result()),
    };
    let ended = Output {
        status,
        stdout,
        stderr,
    };
    Ok(match interrupt::asked() {
        true => test.result(),
        false => test.concluded(&ended, began.elapsed()),
    })
}

/// What is written to a pipe, up to its end.
fn all_of(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What cannot be read is missing, which shows.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

/// Ends the processes that run.
fn end_all(running: &Running) {
    for child in lock(running).values_mut() {
        // It may have ended by itself.
        let _ = child.kill();
    }
}

fn lock(running: &Running) -> MutexGuard<'_, BTreeMap<usize, Child>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}
