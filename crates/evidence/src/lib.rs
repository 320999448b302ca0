//! From the evidence of an engine to a run that the reference interpreter has executed.
//!
//! An engine remembers some states of a run and says what is wrong at its end. `lift` finds the steps between the states (`pathfinder` where there are
//! too many ways through an atomic sequence to try them all), `follow` lets a claim run along with a run of the system, `trimming` and `leaving` remove
//! steps that only end processes and add those that must, `replay` executes finite runs and `lasso` infinite ones. [`replay::ReplayedRun`] has
//! no other constructor: a counterexample that is shown has been executed.
//!
//! # Invariants
//!
//! - Nothing that an engine says is believed: a path without steps between its states is a defect, and is reported as one.
//! - Nothing here knows reports, plans or source text.

mod cycle_paths;
pub mod follow;
pub mod lasso;
pub mod leaving;
pub mod lift;
mod pathfinder;
pub mod replay;
mod searched;
pub mod trimming;

pub use pathfinder::TooMany;
pub use searched::Searched;
