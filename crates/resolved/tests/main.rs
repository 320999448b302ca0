//! The resolved form means what the intermediate representation means.

mod evaluator;
mod expressions;
mod forms;
mod setting;
