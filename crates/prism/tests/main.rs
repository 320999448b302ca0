//! All tests of this crate are one program: it is linked once, and they share the cores.

mod damaged;
mod lowered;
mod mistakes;
mod queries;
mod support;
