//! The explicit-state engine: one search loop over the compiled steps of a model and a store of states.
//!
//! [`search`] explores what can be reached from the start of a [`mandala_encoding::Program`],
//! breadth first or depth first, with one worker or several, until everything has been seen, a violation is found or a limit is
//! reached, and says what it has found as an [`Outcome`]. [`search_reduced`] does the same and remembers of each state what a
//! [`Reducer`] chooses. Either can write down how far it is and go on from there later ([`Checkpoints`]).
//!
//! # Map
//!
//! - `search`: who runs the loop, and what happens before, between and after; the essay about all of it;
//! - `worker`, `batch`: the loop; `frontier`: what comes next, breadth first and depth first;
//! - `crew`, `shared`, `watch`: threads, what they share, who looks after limits; `footprint`: what the process holds;
//! - `states`: what is remembered; `replay`, `path`: how a state was reached;
//! - `nested`: runs that go round through accepting states for ever; `reading`: the same where a claim only looks;
//! - `graph`: the graph of all states, on which fair runs and branching time are decided;
//! - `checkpoint`, `past`: searches written down;
//! - `meter`, `estimate`: where the time goes, and how long it may take.
//!
//! # Invariants
//!
//! - There is one loop. The search orders differ in the frontier alone, symmetry in the [`Reducer`] alone.
//! - The engine never sees source text, nor the model: only packed states, steps and violations.
//! - An outcome does not depend on time, addresses or seeds, except through a limit on time or
//!   memory and through cancellation; breadth first, and for the counts of complete searches in any case, neither does it depend on
//!   the number of workers.

mod batch;
mod checkpoint;
mod crew;
mod estimate;
mod footprint;
mod frontier;
mod graph;
mod meter;
mod names;
mod nested;
mod options;
mod outcome;
mod past;
mod path;
mod reading;
mod reducer;
mod replay;
mod search;
mod shared;
mod states;
mod watch;
mod worker;

pub use checkpoint::{description as checkpoint_description, exists as checkpoint_exists};
pub use estimate::estimate;
pub use footprint::{Gauge, resident_bytes};
pub use mandala_kripke::{
    Accepting, Automaton, AutomatonState, Choice, Ctl, Fairness, Length, Temporal,
};
pub use mandala_store::{OmissionBasis, Omissions, StoreKind};
pub use options::{
    Checkpoints, Concerns, Cycles, Expand, Limits, OnViolation, Options, Order, Proposition, Query,
    Question, SearchError, Whom,
};
pub use outcome::{
    Answer, Claim, Estimate, Evidence, Extent, Limit, Outcome, Progress, ReductionStatistics,
    Shown, Statistics, TimeSplit, Visit,
};
pub use reading::search_reading;
pub use reducer::{Identity, Reducer, Representative};
pub use search::{search, search_reduced};
