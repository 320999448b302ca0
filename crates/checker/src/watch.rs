//! Watching a check while it runs: which phase it is in, how far the search is, and the wish to stop.

use crate::outcome::Interim;
pub use mandala_engine::{Progress, ProgressObserver, Wish};
use std::fmt;

/// Observes a whole check, and may ask it to stop.
pub trait Watch: ProgressObserver {
    /// Called when a phase begins; the check stops before it if the answer is [`Wish::Stop`].
    fn enter(&mut self, _: Phase) -> Wish {
        Wish::GoOn
    }

    /// Called with what is known so far, of which an answer is made if the check must be ended from outside now
    /// ([`crate::document::draft`]).
    fn learn(&mut self, _: Interim<'_>) {}
}

/// A phase of a command. Limits and interrupts count in all of them, and the reason of an answer names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// From the text of the model and its properties to a verified model.
    Reading,
    /// From what is asked for to a plan.
    Planning,
    /// Symmetry and static reductions.
    Preparing,
    /// The search for a property.
    Searching,
    /// The evidence of a search is lifted, and the reference interpreter replays it.
    Replaying,
    /// The answer is put together.
    Concluding,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Reading => "the model was being read",
            Phase::Planning => "the check was being planned",
            Phase::Preparing => "the model was being prepared (symmetry, static reductions)",
            Phase::Searching => "states were being searched",
            Phase::Replaying => "the run to a violation was being replayed",
            Phase::Concluding => "the report was being made",
        })
    }
}

/// Nobody watches.
pub struct Nobody;

impl ProgressObserver for Nobody {
    fn update(&mut self, _: &Progress) -> Wish {
        Wish::GoOn
    }
}

impl Watch for Nobody {}
