//! The memory that the whole process of the operating system holds.
//!
//! A limit on memory is one on the process: the user who sets it looks at what the system says. The search counts what it holds
//! itself, and knows beforehand what a table that grows will take; the rest (the program, the model, machine code and the
//! compiler that makes it, what the allocator keeps) is what the system says, less what is counted. It was there
//! before the search began, or grows slowly, so it is enough to ask from time to time.
//!
//! What a table has been given and was never written to is counted, but the system has not handed it out yet; so that is
//! left out when the two are compared.

use std::time::Duration;

/// How often the system is asked. To ask takes some microseconds.
const INTERVAL: Duration = Duration::from_millis(5);

/// A way to ask how many bytes the process holds; nothing if the system does not tell.
pub type Gauge = fn() -> Option<usize>;

/// What the process holds, and how much of it the search does not count.
#[derive(Debug)]
pub(crate) struct Footprint {
    gauge: Option<Gauge>,
    /// What it held when nothing was counted yet.
    base: usize,
    /// When it is asked again.
    due: Duration,
    resident: Option<usize>,
    uncounted: usize,
}

impl Footprint {
    /// Of a search that holds nothing yet. Without a gauge, nothing counts but what is counted.
    pub(crate) fn new(gauge: Option<Gauge>) -> Self {
        let resident = gauge.and_then(|gauge| gauge());
        let base = resident.unwrap_or(0);
        Footprint {
            gauge,
            base,
            due: Duration::ZERO,
            resident,
            uncounted: base,
        }
    }

    /// Asks again if it is time. `counted` is what the search counts and has written to.
    pub(crate) fn look(&mut self, now: Duration, counted: impl FnOnce() -> usize) {
        if now < self.due {
            return;
        }
        self.due = now + INTERVAL;
        self.resident = self.gauge.and_then(|gauge| gauge());
        if let Some(resident) = self.resident {
            // What was there at the beginning is still there, also if more is counted than was written to.
            self.uncounted = resident.saturating_sub(counted()).max(self.base);
        }
    }

    /// What the process holds, if that is known.
    pub(crate) fn resident(&self) -> Option<usize> {
        self.resident
    }

    /// What it holds that the search does not count.
    pub(crate) fn uncounted(&self) -> usize {
        self.uncounted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_engine::resident_bytes;
    use std::cell::Cell;

    thread_local! {
        static HELD: Cell<Option<usize>> = const { Cell::new(None) };
    }

    fn held() -> Option<usize> {
        HELD.get()
    }

    #[test]
    fn what_is_not_counted_is_what_the_system_says_beyond() {
        HELD.set(Some(100));
        let mut footprint = Footprint::new(Some(held));
        assert_eq!(footprint.uncounted(), 100);
        HELD.set(Some(170));
        footprint.look(INTERVAL, || 40);
        assert_eq!(
            (footprint.resident(), footprint.uncounted()),
            (Some(170), 130)
        );
        HELD.set(Some(500));
        footprint.look(INTERVAL, || unreachable!("it is not time yet"));
        assert_eq!(footprint.resident(), Some(170));
        footprint.look(INTERVAL * 2, || 450);
        assert_eq!(
            (footprint.resident(), footprint.uncounted()),
            (Some(500), 100)
        );
    }

    #[test]
    fn without_a_system_that_tells_only_what_is_counted_counts() {
        HELD.set(None);
        for gauge in [None, Some(held as Gauge)] {
            let mut footprint = Footprint::new(gauge);
            footprint.look(INTERVAL, || 40);
            assert_eq!((footprint.resident(), footprint.uncounted()), (None, 0));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_that_is_written_to_is_noticed() {
        let before = resident_bytes().unwrap();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = resident_bytes().unwrap();
        assert!(after >= before + (48 << 20), "{before} {after}");
        drop(block);
    }
}
