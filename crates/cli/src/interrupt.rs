//! Ctrl-C: the first one asks the search to stop and to tell what it has so far, the second one
//! ends the program.

use crate::exit::{Failure, Status};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on, an interrupt is a question.
pub fn install() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(Status::Unknown as i32);
        }
    })
    .map_err(|error| Failure::Io(format!("cannot listen for interrupts: {error}")))
}

/// Whether somebody has asked the search to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
