//! The fast path: a model compiled to a small code, states packed to a few bytes.
//!
//! The reference interpreter says what a model means; this crate does the same thing for engines that make
//! millions of steps. [`Program::compile`] lays out the states of a [`mandala_model::Model`] and
//! compiles its expressions and effects; a [`Stepper`] then takes one packed state and tells all that
//! follow it to a [`Sink`].
//!
//! # Map
//!
//! - `layout`: which variable takes which cells, and how many bits each is worth;
//! - `shape`: which processes there are, and with that where every cell of a state lies;
//! - `packing`: bits in and out of packed states;
//! - `code`, `compile`: the code and the way from the model to it;
//! - `program`: all that is compiled, shared by all who explore the model;
//! - `stepper`: the working state, the machine that runs the code, the chains of moves from
//!   one remembered state to the next;
//! - `independence`: which steps cannot disturb each other, so that a search may leave some out;
//! - `native`: the same code as machine code, which takes over where a model is worth it;
//! - `arrival`, `places`: a successor as it is told, and where everything lies in its cells, for those who
//!   rearrange states;
//! - [`shuffle`]: permutations of bytes with the vector instructions of the machine; it and `native` are the only unsafe code
//!   here;
//! - `convert`: packed states to states written out in full, and back;
//! - `coverage`: how often edges have been taken, and which locations have been reached.
//!
//! # Invariants
//!
//! - Two states of a program are equal if and only if their packed forms are, byte by byte.
//! - All packed states of one shape have the same length, and every cell lies at the same bits.
//! - Whose turn it is is not part of a packed state.
//! - A step leaves no trace: after an expansion the stepper remembers nothing that later ones
//!   depend on, but for the numbers of shapes, which belong to the program.
//! - Machine code and the interpreter tell the same successors in the same order.
//! - A fault of the model is a [`mandala_model::step::Violation`] told to the sink, never a panic.
//! - Nothing is allocated per state, short of long atomic sequences and routines; those ask the sink whether
//!   to go on, and say how much they hold.

#![cfg_attr(
    not(all(
        target_endian = "little",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )),
    allow(
        dead_code,
        unused_imports,
        reason = "some of it is for machine code only"
    )
)]

mod arrival;
mod code;
mod compile;
mod convert;
mod coverage;
mod independence;
mod layout;
#[cfg(all(
    target_endian = "little",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod native;
#[cfg(not(all(
    target_endian = "little",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
#[path = "native/absent.rs"]
mod native;
mod numbering;
mod packing;
mod places;
mod program;
mod shape;
pub mod shuffle;
mod stepper;
mod twins;
mod values;

pub use arrival::{Arrival, Party, Taker};
pub use compile::Unsupported;
pub use coverage::Coverage;
pub use independence::Obstacle;
pub use places::{ChannelPlace, Places, ProcessPlace};
pub use program::{Actions, Program};
pub use shape::Oversize;
pub use stepper::{CellPair, ChainMove, Expanded, Goal, Incomplete, Sink, Stepper, Unpacked};
pub use twins::{Roles, Twins};
