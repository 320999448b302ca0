//! The documents of a check, made and read: the only part of the crate that knows the types of [`mandala_report`].
//!
//! Everything else hands over its own types: outcomes with runs that the reference interpreter has executed
//! ([`crate::run`]), their explanations ([`crate::explain`]), and what is prepared ([`mandala_prepare`]). [`conclude`] makes the
//! document of a finished check of them, [`draft`] that of one that is ended before, [`symmetry`] the one about symmetry alone, [`graph`] that of all states, `every` the part about every size of a family;
//! [`present`] has what all of them have in common, [`run`] what runs are told as, with what [`events`] knows of their messages. [`retrace`] and [`trail`] read documents.

pub mod conclude;
pub mod counters;
mod coverage;
pub mod draft;
pub mod events;
pub(crate) mod every;
pub mod graph;
pub mod present;
pub mod retrace;
pub mod run;
mod statements;
pub mod symmetry;
pub(crate) mod threads;
pub mod trail;
