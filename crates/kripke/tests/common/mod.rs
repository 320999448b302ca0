//! Random worlds with symmetry, and slow answers about them.

pub mod dice;
pub mod oracle;
pub mod slow_ctl;
pub mod unroll;
pub mod world;
