//! Rewrites of a model that no property can observe.
//!
//! Each rewrite takes a verified model and gives another one, together with the reason why verdicts carry over, or
//! says what stands in the way. Templates, locations and edges keep their places, so a step of the rewritten model names
//! the same statement as in the model of the user.

mod endings;

pub use endings::{Observed, can_end, keep_ended};
