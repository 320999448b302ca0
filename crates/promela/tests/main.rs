//! All tests of this crate are one program: it is linked once, and they share the cores.

mod automata;
mod bad_models;
mod corpus;
mod display;
mod lowering;
mod mutations;
mod preprocessor;
mod stated;
mod support;
mod symmetry;
mod syntax;
