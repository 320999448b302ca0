//! Ctrl-C, SIGTERM and SIGHUP: the first one asks the command to stop and to write what is known so far, the second one
//! ends the program at once.

use crate::exit::{Failure, Status};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on, an interrupt is a question.
pub fn install() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(Status::Interrupted as i32);
        }
    })
    .map_err(|error| Failure::Io(format!("cannot listen for interrupts: {error}")))
}

/// Whether the user has asked the command to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
