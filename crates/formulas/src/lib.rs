//! Formulas of temporal logic, in whatever language their conditions are written.
//!
//! A front end reads a formula in its own syntax and lowers the conditions in it, which nobody else can. What it gets is a [`Written`]
//! formula: temporal operators over conditions of the model, each with its spelling. From there on the language does not matter:
//!
//! | file | from what is written to |
//! |---|---|
//! | `words`, `prefix` | which words are operators, and where |
//! | `linear` | a formula of linear temporal logic, and the automaton of the runs that violate it, for each value of some indices |
//! | `branching` | a formula of computation tree logic |
//! | `automaton` | an automaton over conditions of the model |
//! | `property` | a property of a new name |

mod automaton;
mod branching;
mod linear;
pub mod prefix;
mod property;
pub mod words;
mod written;

pub use automaton::{add_automaton, read_automaton};
pub use branching::add_branching;
pub use linear::add_linear;
pub use mandala_model::property::Indices;
pub use property::require_new;
pub use written::{Written, WrittenKind};
