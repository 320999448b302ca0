//! Formulas of temporal logic, in whatever language their conditions are written.
//!
//! A front end reads a formula in its own syntax and lowers the conditions in it, which nobody else can. What it gets is a [`Written`]
//! formula: temporal operators over conditions of the model, each with its spelling. From there on the language does not matter:
//!
//! | file | from what is written to |
//! |---|---|
//! | `words`, `prefix` | which words are operators, and where |
//! | `observer` | a claim without a body, for a property of a new name |
//! | `linear` | a formula of linear temporal logic, and the claim that follows the runs that violate it |
//! | `indexed` | the same for each of some numbers, one of which the claim chooses |
//! | `branching` | a formula of computation tree logic, and the watch that holds its propositions |
//! | `automaton` | the body of a claim that an automaton is |

mod automaton;
mod branching;
mod indexed;
mod linear;
mod observer;
pub mod prefix;
pub mod words;
mod written;

pub use automaton::{add_automaton, read_automaton};
pub use branching::add_branching;
pub use indexed::{Choice, choose_first};
pub use linear::add_linear;
pub use observer::new_observer;
pub use written::{Written, WrittenKind};
