//! Symmetries of models: what a renaming of processes and names does to a state, and the proof that
//! it preserves what a model does.
//!
//! *Detection proposes, certification disposes.* Anybody may propose that processes or values
//! are interchangeable: a person, a file, a heuristic. Only [`certify::certify`] and
//! [`certify::certify_renamings`] make a [`certificate::Certificate`], and they do so only if they can prove it from the
//! model alone.
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
//! | [`mod@by_statement`] | what each statement keeps, of a model that is not symmetric |
//! | [`mod@detect`] | any group, from the automorphisms of the graph of the model |
//! | [`sketches`] | what might be a symmetry and is none: for two states that show it |
//! | [`statements`] | what becomes of statements under certified renamings |
//!
//! The other modules are the means of the proof: `algebra` and `term` keep symbolic values in a normal
//! form, `execute` runs edges symbolically, `infer` guesses the sorts, `values` finds what names can be, `rename`
//! applies a renaming to what an edge does, `compare` asks whether the result is what the renamed process does,
//! `classes` and `room` look after channels and sizes, `settle` finds when a symmetry begins. `evidence` keeps what
//! does not depend on what is asked, `case` gathers what a proof starts from, `proof` is the proof for one renaming. `structure` is the graph of a model, `relatives` are tried
//! where its automorphisms are refused, `apart` says what tells look-alikes apart. `hashing` has the hash tables. `condense` makes routines of atomic sequences, for derivations.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

pub mod action;
mod algebra;
mod apart;
mod births;
mod breach;
mod budget;
pub mod by_statement;
mod case;
pub mod certificate;
pub mod certify;
mod classes;
mod compare;
mod condense;
mod cubes;
pub mod derive;
pub mod detect;
pub mod domain;
mod evidence;
mod execute;
pub mod hashing;
mod infer;
pub mod largest;
mod lasting;
pub mod lift;
mod locations;
mod partition;
mod path;
mod pointwise;
mod proof;
pub mod propose;
mod relatives;
mod rename;
pub mod renaming;
mod room;
mod sends;
mod settle;
mod sketch;
pub mod sorts;
pub mod statements;
mod structure;
mod term;
mod unknowns;
pub mod unordered;
mod values;

pub use action::Action;
pub use apart::{Difference, LookAlikes};
pub use breach::Breach;
pub use budget::{ProofBudget, ProofPart};
pub use by_statement::{StatementSymmetry, Treatment, by_statement};
pub use certificate::{Certificate, Choices};
pub use certify::{Examined, certify, certify_renamings};
pub use derive::{Derivation, Parts, derive, derive_processes};
pub use detect::{Attempt, Level, Symmetry, detect};
pub use domain::{Candidate, Domain, DomainKind, Family, NameSet};
pub use largest::{Detected, Refused, largest};
pub use lift::lift;
pub use locations::passing;
pub use partition::Partition;
pub use propose::{Piece, Proposal, Proposed, propose};
pub use renaming::{Permutation, Renaming};
pub use sketch::{Progress, Sketch, sketches};
pub use statements::{ActionNumbers, Followed, Statements, follow};
pub use unordered::{has_unordered, unordered};
