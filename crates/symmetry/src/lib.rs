//! Symmetries of models: what a renaming of processes and names does to a state, and the proof that
//! it preserves what a model does.
//!
//! *Detection proposes, certification disposes.* Anybody may propose that processes or values
//! are interchangeable: a person, a file, a heuristic. Only [`certify::certify`] makes a
//! [`certificate::Certificate`], and it does so only if it can prove it from the model alone.
//!
//! | module | what it holds |
//! |---|---|
//! | [`domain`] | sets of interchangeable processes or names, proposed and certified |
//! | [`sorts`] | which cells of a state hold processes, names, channels, or plain numbers |
//! | [`renaming`] | permutations, one for each kind of name |
//! | [`action`] | a renaming, applied to a state |
//! | [`mod@lift`] | from a path through representatives to a run |
//! | [`mod@certify`] | the proof obligations |
//! | [`certificate`] | what is proven |
//! | [`mod@propose`] | what might be a symmetry |
//! | [`mod@largest`] | as much of it as can be certified together |
//!
//! The other modules are the means of the proof: `algebra` and `term` keep symbolic values in a normal
//! form, `execute` runs edges symbolically, `infer` guesses the sorts, `rename` applies an exchange
//! to what an edge does, `compare` asks whether the result is what the renamed process does, `classes`
//! and `room` look after channels and sizes, `settle` finds when a symmetry begins.

pub mod action;
mod algebra;
mod births;
mod breach;
pub mod certificate;
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
mod patience;
mod pointwise;
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
pub use certificate::Certificate;
pub use certify::certify;
pub use domain::{Candidate, Domain, DomainKind, Family, NameSet};
pub use largest::{Detected, Refused, largest};
pub use lift::lift;
pub use locations::passing;
pub use patience::Patience;
pub use propose::{Piece, Proposal, Proposed, propose};
pub use renaming::{Permutation, Renaming};
