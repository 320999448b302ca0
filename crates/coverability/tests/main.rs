//! Tests of the public face of the crate.

mod random;
mod small;
