//! Symmetries of models: what a permutation of process numbers does to a state, and the proof that
//! it preserves what a model does.
//!
//! *Detection proposes, certification disposes.* Anybody may propose that the processes of a family
//! are interchangeable: a person, a file, a heuristic. Only [`certify::certify`] makes a
//! [`certify::Certificate`], and it does so only if it can prove it from the model alone.
//!
//! | module | what it holds |
//! |---|---|
//! | [`sorts`] | which cells of a state hold process numbers, channels, or plain numbers |
//! | [`action`] | a permutation of process numbers, applied to a state |
//! | [`mod@certify`] | the proof obligations and the certificate |
//!
//! The other modules are the means of the proof: `algebra` and `term` keep symbolic values in a normal
//! form, `execute` runs edges symbolically, `infer` guesses the sorts, `rename` applies a permutation
//! to what an edge does, `compare` asks whether the result is what the renamed process does.

pub mod action;
mod algebra;
mod births;
mod breach;
pub mod certify;
mod classes;
mod compare;
pub mod domain;
mod execute;
mod fold;
mod infer;
pub mod largest;
pub mod lift;
mod locations;
mod path;
pub mod propose;
mod rename;
pub mod renaming;
mod room;
mod settle;
pub mod sorts;
mod term;
mod unknowns;

pub use action::Action;
pub use breach::Breach;
pub use certify::{Certificate, certify};
pub use domain::{Candidate, Domain, DomainKind, Family, NameSet};
pub use largest::{Detected, Refused, largest};
pub use lift::lift;
pub use propose::{Piece, Proposal, Proposed, propose};
pub use renaming::{Permutation, Renaming};
