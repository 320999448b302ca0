//! All tests of this crate are one program: it is linked once, and they share the cores.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod bundled;
mod common;
mod coverage;
mod errors;
mod everything;
mod instances;
mod mutations;
mod printed;
mod sizes;
