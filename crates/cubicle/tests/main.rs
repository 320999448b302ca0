//! Tests of the public face of the crate.

mod damaged;
mod refused;
mod support;
