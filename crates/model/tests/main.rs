//! All tests of this crate are one program: it is linked once, and they share the cores.

mod build;
mod footprint;
mod functions;
mod loops;
mod monitors;
mod parametric;
mod quantifiers;
mod verify;
