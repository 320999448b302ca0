//! The explicit-state engine: one search loop over the compiled steps of a model and a visited set.
//!
//! [`search`] explores what can be reached from the start of a [`mandala_encoding::Program`],
//! breadth first or depth first, until everything has been seen, a violation is found or a limit is
//! reached, and says what it has found as an [`Outcome`].
//!
//! # Invariants
//!
//! - There is one loop. The search orders differ in the frontier alone, symmetry in the [`Reducer`] alone.
//! - The engine never sees source text, nor the model: only packed states, steps and violations.
//! - An outcome does not depend on time, addresses or seeds, except through a limit on time or
//!   memory and through cancellation.

mod frontier;
mod meter;
mod options;
mod outcome;
mod reducer;
mod replay;
mod search;
mod states;

pub use options::{Concerns, Expand, Limits, OnViolation, Options, Order};
pub use outcome::{
    Claim, Evidence, Extent, Limit, Outcome, Progress, ReductionStatistics, Statistics, Visit,
};
pub use reducer::{Identity, Reducer, Representative};
pub use search::search;
