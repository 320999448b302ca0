//! Time that this thread has worked: what else the machine does meanwhile does not count.
//!
//! Where the system does not tell that, time goes by on the wall.

use std::time::Duration;

/// Runs while this thread works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    started: Moment,
}

impl Stopwatch {
    /// Starts at zero.
    pub(crate) fn start() -> Self {
        Stopwatch { started: now() }
    }

    /// How long this thread has worked since the start.
    pub(crate) fn elapsed(self) -> Duration {
        since(self.started)
    }
}

#[cfg(unix)]
type Moment = Duration;

#[cfg(unix)]
fn now() -> Moment {
    let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
    clock.now().map(Duration::from).unwrap_or_default()
}

#[cfg(unix)]
fn since(started: Moment) -> Duration {
    now().saturating_sub(started)
}

#[cfg(not(unix))]
type Moment = std::time::Instant;

#[cfg(not(unix))]
fn now() -> Moment {
    std::time::Instant::now()
}

#[cfg(not(unix))]
fn since(started: Moment) -> Duration {
    started.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn work_takes_time() {
        let watch = Stopwatch::start();
        let before = watch.elapsed();
        black_box((0..1_000_000u64).fold(0, |sum, n| black_box(sum ^ n)));
        assert!(watch.elapsed() > before);
    }
}
