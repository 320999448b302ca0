//! Random worlds with symmetry, and slow answers about them.

pub(crate) mod dice;
pub(crate) mod oracle;
pub(crate) mod slow_ctl;
pub(crate) mod unroll;
pub(crate) mod world;
