//! All tests of this crate are one program: it is linked once, and they share the cores.

mod checkpoint;
mod concurrent;
mod memory;
mod model;
mod search;
