//! All tests of this crate are one program: it is linked once, and they share the cores.

mod brute;
mod closed_forms;
mod common;
mod questions;
mod random;
mod time;
