//! All tests of this crate are one program: it is linked once, and they share the cores.

mod formulas;
mod lowered;
mod mutations;
mod refused;
mod support;
