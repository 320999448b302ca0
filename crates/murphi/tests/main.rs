//! All tests of this crate are one program: it is linked once, and they share the cores.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

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
