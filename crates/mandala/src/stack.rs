//! A thread with enough stack.

use crate::Error;
use std::panic::resume_unwind;
use std::thread;

/// Enough for the deepest expression that a front end lets through, also in a debug build. A thread of the caller may have less.
const STACK: usize = 64 << 20;

/// Does something on a thread of its own. A panic there is one here.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        let started = thread.spawn_scoped(scope, work);
        let started = started
            .map_err(|error| Error::Request(format!("a thread cannot be started: {error}")))?;
        Ok(started.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
