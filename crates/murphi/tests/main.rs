//! All tests of this crate are one program: it is linked once, and they share the cores.

mod accepted;
mod explored;
mod formulas;
mod instances;
mod linear;
mod lowered;
mod mutations;
mod quantifiers;
mod refused;
mod suite;
mod support;
