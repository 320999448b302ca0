//! Random worlds with symmetry, and slow answers about them.

#![allow(dead_code)] // Each test uses a part of it.

pub mod dice;
pub mod oracle;
pub mod slow_ctl;
pub mod unroll;
pub mod world;
