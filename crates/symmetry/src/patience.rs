//! How long may be spent on looking for symmetry.
//!
//! A proof looks at every process of a family and at every exchange of two neighbours. For hundreds of processes with
//! long routines that can take longer than somebody wants to wait for a reduction. What is not proven in time is not used.

use std::time::{Duration, Instant};

/// Until when there is time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patience {
    until: Option<Instant>,
    /// How much more there is for what the model declares.
    more: Duration,
    /// When everything ends, whatever was granted. What is found then is of no use.
    end: Option<Instant>,
}

impl Patience {
    /// As long as it takes.
    pub fn endless() -> Self {
        Patience::default()
    }

    /// From now on for so long.
    pub fn of(duration: Duration) -> Self {
        Patience {
            until: Instant::now().checked_add(duration),
            ..Patience::default()
        }
    }

    /// The same, and more time for what the model declares: its author has said that it is worth the wait.
    pub fn with_more_for_declared(self, more: Duration) -> Self {
        Patience { more, ..self }
    }

    /// The same, but everything ends after so long from now on, and the caller then has no use for what was found.
    pub fn ending_within(self, duration: Duration) -> Self {
        Patience {
            end: Instant::now().checked_add(duration),
            ..self
        }
    }

    /// How long what is declared may take from now on, if there is more time for that.
    pub(crate) fn for_declared(self) -> Option<Self> {
        (self.more > Duration::ZERO).then(|| self.anew(self.more))
    }

    /// Half of the time that is left.
    pub fn half(self) -> Self {
        match self.until {
            Some(until) => self.anew(until.saturating_duration_since(Instant::now()) / 2),
            None => self,
        }
    }

    /// From now on for so long, with the same end of everything.
    fn anew(self, duration: Duration) -> Self {
        Patience {
            end: self.end,
            ..Patience::of(duration)
        }
    }

    /// How much time is left, if it ends at all.
    pub fn left(self) -> Option<Duration> {
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        self.until.into_iter().chain(self.end).min().map(left)
    }

    /// Whether the time is over.
    pub fn is_over(self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
}
