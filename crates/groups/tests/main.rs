//! All tests of this crate are one program: it is linked once, and they share the cores.

mod brute_force;
mod common;
mod gap;
mod properties;
mod structure;
