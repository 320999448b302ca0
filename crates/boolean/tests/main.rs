//! Tests of the public face of the crate.

mod damaged;
mod lowered;
mod refused;
mod support;
