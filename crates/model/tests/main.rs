//! All tests of this crate are one program: it is linked once, and they share the cores.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod build;
mod footprint;
mod functions;
mod loops;
mod monitors;
mod parametric;
mod quantifiers;
mod verify;
