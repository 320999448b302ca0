//! The resolved form of a model: what engines execute.
//!
//! The intermediate representation says what its author wrote: variables with types, fields and indices, `!`, `>=`, `nfull`, quantifiers of two
//! meanings, assertions, failures, insertions. An engine wants fewer things, with all questions about types answered. This crate is the one place where
//! they are answered, for every engine but the reference interpreter, which reads the representation itself and is the oracle for the others.
//!
//! - A [place](ResolvedPlace) is a base, an offset, and a list of indices, each with its stride, its bound and its place in the source.
//! - What a cell [keeps](Store) of a value is some of its bits, or the value, if that is in a range.
//! - Operators are ten [calculations](mandala_model::arithmetic::Calculation) and one comparison with a
//!   [relation](mandala_model::arithmetic::Relation) as data; conditions that are evaluated until one decides are a [`Junction`].
//! - What is known before the run is computed by the arithmetic of the model. What fails stays, and fails where it stands.
//!
//! A [`Resolver`] makes it, expression by expression or step by step, of models of rules (with parameters and quantifiers) and of instances alike. It is
//! linear in what it reads. Calls of functions have been written out before.

mod constructors;
mod expr;
mod first;
mod model;
mod place;
mod resolver;
mod step;
mod steps;

pub use expr::{
    Aggregate, ChannelQuestion, Junction, ProcessQuestion, ResolvedExpr, ResolvedKind,
    ResolvedQuantified, Wanted,
};
pub use first::FirstValue;
pub use model::{ResolvedCell, ResolvedModel, ResolvedTemplate};
pub use place::{Base, Index, ResolvedPlace, Store};
pub use resolver::Resolver;
pub use step::{
    Otherwise, Receipt, ResolvedChoice, ResolvedEffect, ResolvedNode, ResolvedRoutine,
    ResolvedSpawn, ResolvedStep,
};
