//! The report of a check as a document.
//!
//! [`document::Document`] is the versioned form that other tools read: its types belong to this
//! crate alone, so that a change inside the checker never changes a file that somebody keeps.
//! [`json`] writes and reads it, [`text`] shows it to a person, and [`diagnostics`] shows what is
//! wrong with a model's text. A [`suite`] is many checks with what they are expected to find, for which there is [`junit`]; [`sarif`] is for both. [`graph`] writes
//! graphs of states, and [`gap`] groups.
//! Nothing here prints: everything returns text.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

pub mod diagnostics;
pub mod document;
pub mod gap;
pub mod graph;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod style;
pub mod suite;
pub mod text;

pub use document::Document;
pub use style::Colour;
