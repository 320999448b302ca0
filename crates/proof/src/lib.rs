//! Proofs of symmetry, and the checker that accepts or rejects them.

pub mod check;
pub mod document;
pub mod proof;
mod prove;

pub use check::{Accepted, Reject, check};
pub use proof::Proof;
pub use prove::{annotated, argue, derivation, prove};
