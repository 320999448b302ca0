//! Tests of the public face of the crate.
