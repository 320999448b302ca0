//! The typed intermediate representation of Mandala, and what every front end shares: source
//! texts, spans and diagnostics.
//!
//! A front end makes an [`model::UncheckedModel`]; the verifier turns it into a [`Model`], which is
//! all that the rest of Mandala ever sees of the input language.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

pub mod arithmetic;
mod calls;
pub mod chance;
pub mod claim;
pub mod definitions;
pub mod diagnostic;
pub mod expr;
pub mod findings;
pub mod fold;
pub mod footprint;
pub mod function;
mod homes;
pub mod ids;
mod inline;
pub mod instantiate;
pub mod labels;
mod live;
pub mod loops;
pub mod model;
pub mod monitor;
pub mod naming;
pub mod origins;
pub mod parameters;
pub mod property;
pub mod quantified;
mod read_later;
mod recursion;
pub mod several;
mod shared;
mod simplify;
pub mod source;
pub mod specialise;
pub mod state;
pub mod stated;
pub mod step;
pub mod suggest;
pub mod symmetry;
pub mod template;
pub mod tidy;
pub mod types;
mod values;
pub mod verify;
pub mod walk;
mod wholes;
mod written_out;

pub use diagnostic::{Diagnostic, Severity};
pub use model::{Model, UncheckedModel};
pub use source::{FileId, SourceText, Sources, Span};
pub use state::State;
