//! What the infinite runs of a finite graph do, up to symmetry.
mod automaton;
mod bits;
mod components;
mod error;
mod fairness;
mod hunt;
mod label;
mod lasso;
mod product;
mod round;
mod shortest;
mod structure;
mod ways;

pub use automaton::{Accepting, Automaton, AutomatonState, Choice};
pub use bits::Bits;
pub use error::KripkeError;
pub use fairness::Fairness;
pub use label::{Actor, Label};
pub use lasso::{Lasso, Length, Move, find_lasso};
pub use structure::{Structure, StructureBuilder};
