//! The search of counter programs, state by state: what `--symmetry counters` does without an engine that is asked for.
//!
//! A state is stored as the number of its shared part and, for each local state that somebody is in, its number and how many are: as many entries as there are members or local
//! states, whichever are fewer, however many members there are. A step is taken once for each entry. Nothing is canonicalised: counts are the same for all states of an orbit.
//!
//! What is found is a path of counted states. The states of a run are found along it, from the start, by the interpreter; the checker replays them like those of all
//! engines.

mod engine;
mod search;
mod seen;

pub use engine::CountingEngine;
