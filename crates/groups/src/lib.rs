//! Permutation groups: a small, exact library, made for finding and using symmetry.
//!
//! | question | answer |
//! |---|---|
//! | what does a permutation do | [`Permutation`], cycle notation with names of your own |
//! | how large is the group, what is in it | [`Group::order`], [`Group::contains`], [`Group::elements`], [`Group::random_element`] |
//! | what moves where | [`Group::orbits`], [`Group::orbit`], [`Group::minimal_block_systems`] |
//! | what is left if some things must stay | [`Group::stabiliser`], [`Group::set_stabiliser`], [`Group::colouring_stabiliser`], [`Group::partition_stabiliser`], [`Group::intersection`] |
//! | which group is it | [`Group::structure`]: products, S_n, A_n, C_n, D_n, hypercubes, wreath products |
//! | what is the least arrangement | [`minimal_image`], [`canonical_image`] |
//!
//! Orders are exact big integers. Nothing is probable: randomness, always seeded, makes things fast, and
//! proofs make them certain. Permutations act from the right; [`permutation`] states the convention.
//!
//! # Map
//!
//! [`permutation`] and cycle notation at the bottom; on them [`chain`], the stabiliser chain that
//! answers most questions; [`schreier_sims`] and [`verify`] make one from generators and prove it complete, with
//! [`faithful`] to leave out points that follow others. [`blocks`], [`search`] and [`image`] use chains. The
//! structure recogniser stands on top of all.
//!
//! What is deliberately absent: per-state canonicalisation. This crate runs once per model; what runs
//! once per state takes its tables from here and lives elsewhere.

pub mod blocks;
pub mod chain;
mod cycles;
mod elements;
mod error;
pub mod faithful;
mod families;
mod group;
pub mod image;
mod partition;
pub mod permutation;
mod random;
pub mod schreier_sims;
pub mod search;
pub mod structure;
mod tree;
pub mod verify;

pub use blocks::BlockSystem;
pub use chain::{Sifted, StabiliserChain};
pub use elements::Elements;
pub use error::GroupError;
pub use families::{Family, factorial};
pub use group::{Group, Orbit};
pub use image::{MinimalImage, canonical_image, minimal_image};
pub use num_bigint::BigUint;
pub use permutation::Permutation;
pub use random::Seeded;
pub use structure::{Carrying, Factor, Natural, Refuted, Shape, Structure, Wreath};
