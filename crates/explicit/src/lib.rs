//! The explicit-state engine: one search loop over the compiled steps of a model and a store of states.
//!
//! [`search`] explores what can be reached from the start of a [`mandala_encoding::Program`],
//! breadth first or depth first, with one worker or several, until everything has been seen, a violation is found or a limit is
//! reached, and says what it has found as an [`ExplicitOutcome`]. [`search_reduced`] does the same and remembers of each state what a
//! [`Reducer`] chooses. Either can write down how far it is and go on from there later ([`Checkpoints`]).
//!
//! # Map
//!
//! - `search`: the coordinator of the workers, before, between and after phases; the essay about all of it;
//! - `expander`, `batch`: the one place where states are expanded and looked up; `successors`: what is told of a state, with partial-order reduction as a wrapper; `proviso`: how it makes sure that no step is put off for ever;
//! - `worker`, `frontier`: the loop breadth first and depth first; `threads`, `shared`: threads, and what they share;
//! - `monitor`: limits and progress; `footprint`: the memory of the process; `profile`, `meter`, `estimate`: where the time goes, whether representatives take long, and how long the search may take;
//! - `solo`: searches by one worker: `nested` (nested depth-first search), `product` (the product with a state-based Büchi automaton);
//! - `graph`: the graph of all states, on which fair runs and branching time are decided;
//! - `states`, `handles`: what is stored; `replay`, `path`: how a state was reached;
//! - `tally`, `statistics`: what is counted; `checkpoint`, `snapshot`: searches written down.
//!
//! # Invariants
//!
//! - States are expanded, counted, stored and checked against limits in one place. Search orders differ in what becomes of the states that are met (a frontier or
//!   a visitor), symmetry in the [`Reducer`], partial-order reduction in the successor generator.
//! - The engine never sees source text, nor the model: only packed states, steps and violations.
//! - An outcome does not depend on time, addresses or seeds, except through a limit on time or
//!   memory and through cancellation; breadth first, and for the counts of complete searches in any case, neither does it depend on
//!   the number of workers.

mod batch;
mod checkpoint;
mod engine;
mod estimate;
mod expander;
mod findings;
mod footprint;
mod frontier;
mod graph;
mod handles;
mod meter;
mod monitor;
mod nested;
mod options;
mod outcome;
mod path;
mod product;
mod profile;
mod proviso;
mod replay;
mod search;
mod shared;
mod snapshot;
mod solo;
mod states;
mod statistics;
mod successors;
mod tally;
mod threads;
mod worker;

pub use checkpoint::{description as checkpoint_description, exists as checkpoint_exists};
pub use engine::{ExplicitEngine, StateReader, endless_atomic, state_reader};
pub use estimate::estimate;
pub use footprint::Gauge;
pub use mandala_engine::resident_bytes;
pub use mandala_kripke::{Acceptor, Fairness, Length};
pub use mandala_reduce::{Identity, Reducer, Representative};
pub use mandala_store::{OmissionBasis, Omissions, StoreKind};
pub use options::{
    AfterViolation, Checkpoints, Concerns, Cycles, Expansion, GraphQuestion, Instances, Limits,
    Options, Proposition, Query, SearchError, SearchOrder, Whom,
};
pub use outcome::{
    Answer, Claim, Estimate, Evidence, ExplicitOutcome, Extent, Limit, Progress,
    ReductionStatistics, Shown, Statistics, TimeSplit, Visit,
};
pub use product::search_product;
pub use search::{search, search_reduced};
