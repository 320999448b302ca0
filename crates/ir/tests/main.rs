//! All tests of this crate are one program: it is linked once, and they share the cores.

mod bundled;
mod common;
mod coverage;
mod errors;
mod everything;
mod instances;
mod mutations;
mod printed;
mod sizes;
