//! Footprints: the variables that expressions and edges may read and write, derived from the IR once and shared by everything
//! that asks which parts of a state matter to which step: partial-order reduction, elimination of
//! dead variables, detection of symmetry, symbolic engines.
//!
//! # What "may" means
//!
//! A footprint is an over-approximation, and never wrong on the safe side:
//!
//! - *reads*: if two states agree on all parts that a footprint reads, and on the process's own
//!   number and location, then the expression has the same value in both, or fails in both with the
//!   same fault; and the step can be taken in both or in neither, reports the same and writes the
//!   same values.
//! - *writes*: the step changes no part of the state that is not listed.
//!
//! A part that is listed need not be touched in any run: both sides of a condition count, an index
//! that is not a constant stands for all elements, and a channel that is reached through a variable
//! that may refer to several stands for all channels. A local variable of the process that moves is
//! listed under [`Parts::locals`]; to other processes the same cell is one of [`Parts::remote`].
//!
//! The parts of a state are: the cells of variables ([`Cells`], cell by cell), the contents of
//! channels ([`Channels`]), and everything else ([`Aspect`]). Variables with
//! [`Storage::Scratch`](crate::types::Storage::Scratch) are not part of the state and not listed.
//!
//! # What is not in it
//!
//! - Whether the process may move at all: its `provided` (see [`Footprints::provided`]), its
//!   priority, whether another process holds control.
//! - The other half of a rendezvous. Where [`Footprint::meets`] is set, the step may happen together
//!   with an edge of another process, whose own footprint is to be added by whoever pairs them.
//! - What the creation of a process writes into the new process. Nobody else can have read it.
//!
//! # Channels
//!
//! A channel is known by the variable that it was made for, if that variable is never assigned: then
//! it always refers to that channel. Another variable may refer to the same channel, but that one was
//! assigned, hence stands for all channels. So two [`Channels`] without a common variable, neither
//! of them [`Channels::any`], never mean the same channel.
//!
//! # Parameters
//!
//! What an edge with [parameters](crate::parameters) touches is derived once ([`ParametricFootprint`]), and each choice reads off its own cells. An index is a *term* where it is
//! made of numbers, parameters and variables of quantifiers and of loops over known values, also by way of scratch variables that hold such terms, or one of a few (`flow`); conditions among
//! terms that lead to an access (`k != i`) are kept with it. So `forall k : T do k != i -> a[k] end` reads all elements of `a` but one, in every instance and without any.
//! What a loop carries from one value to the next is one of the values of the loop, or what it was before. Beyond that, an index is not known and stands for every element: a value that is read
//! from the state, or that is counted.
//!
//! | file | what it has |
//! |---|---|
//! | `analysis` | what is asked, and what must be known of the whole model before |
//! | `derivation`, `steps`, `flow`, `safety` | one derivation: expressions and places, steps and effects, routines, what may fail |
//! | `terms`, `patterns` | numbers that depend on parameters alone, and cells by indices that do |
//! | `parametric` | what comes out |
//! | `birth`, `cells` | what is known of one process, and sets of cells |
//!
//! # One process
//!
//! Of a process that exists more is known than of its template: its number, and the values of variables that nobody ever
//! assigns to ([`Birth`]). With that, `flag[_pid]` is one element and a channel that was passed as an argument is one channel. Such
//! footprints hold for as long as the process lives.

mod analysis;
mod birth;
mod cells;
mod derivation;
mod edges;
mod flow;
mod parametric;
mod patterns;
mod safety;
mod steps;
mod terms;

pub use analysis::Analysis;
pub use birth::Birth;
pub use cells::{CellSet, Cells};
pub use edges::{Footprints, Writes};
pub use parametric::ParametricFootprint;

use crate::ids::{GlobalId, LocalId, TemplateId};
use crate::state::Value;
use std::collections::BTreeSet;

/// What an expression or a step may read and write, and what else it may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// What it may read.
    pub reads: Parts,
    /// What it may change.
    pub writes: Parts,
    /// Of which templates it may make processes.
    pub spawns: BTreeSet<TemplateId>,
    /// It may end the process.
    pub exits: bool,
    /// It may report a failed assertion or fail.
    pub asserts: bool,
    /// It may show a text.
    pub prints: bool,
    /// It may be one half of a rendezvous.
    pub meets: bool,
}

/// Some parts of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Cells of global variables.
    pub globals: Cells<GlobalId>,
    /// Cells of the local variables of the process that moves.
    pub locals: Cells<LocalId>,
    /// Cells of the local variables of any instance of a template.
    pub remote: Cells<(TemplateId, LocalId)>,
    /// Contents of channels.
    pub channels: Channels,
    /// Other parts.
    pub aspects: BTreeSet<Aspect>,
}

/// Some channels, known by the variables that they were made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    /// Made for global variables.
    pub globals: Cells<GlobalId>,
    /// Made for local variables of the process that moves.
    pub locals: Cells<LocalId>,
    /// Known by the reference that a process was given when it was made ([`Birth`]).
    pub references: BTreeSet<Value>,
    /// Any channel at all.
    pub any: bool,
}

/// A part of a state that is neither a variable nor a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// Which processes and channels there are.
    Population,
    /// At which locations processes are. A step reads its own process's location without saying so.
    Locations,
    /// The priorities of processes.
    Priorities,
    /// The process that made the last step.
    LastMover,
    /// Whether any process can move, which any part of the state may decide. Never written as such.
    Timeout,
    /// Whether some other process can move, which any part of the state may decide. Never written as such.
    Enabled,
}

impl Footprint {
    /// Adds all of another footprint.
    pub fn add(&mut self, other: &Footprint) {
        self.reads.add(&other.reads);
        self.writes.add(&other.writes);
        self.spawns.extend(&other.spawns);
        self.exits |= other.exits;
        self.asserts |= other.asserts;
        self.prints |= other.prints;
        self.meets |= other.meets;
    }
}

impl Parts {
    /// Adds all of other parts.
    pub fn add(&mut self, other: &Parts) {
        self.globals.add(&other.globals);
        self.locals.add(&other.locals);
        self.remote.add(&other.remote);
        self.channels.add(&other.channels);
        self.aspects.extend(&other.aspects);
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        *self == Parts::default()
    }
}

impl Channels {
    /// Adds all of other channels.
    pub fn add(&mut self, other: &Channels) {
        self.globals.add(&other.globals);
        self.locals.add(&other.locals);
        self.references.extend(&other.references);
        self.any |= other.any;
    }
}
