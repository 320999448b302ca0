//! All tests of this crate are one program: it is linked once, and they share the cores.

mod agreement;
mod common;
mod corpus;
mod native;
mod random;
mod rules;
mod rules_random;
mod twins;
