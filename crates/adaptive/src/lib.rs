//! Reduction of models that are not symmetric as a whole: adaptive symmetry reduction, and virtual symmetry.
//!
//! Both start from what each statement keeps ([`mandala_symmetry::by_statement`]): a partition of the interchangeable members into cells of those
//! that the statement treats alike. A partition stands for the group of all permutations that keep its cells.
//!
//! # Adaptive
//!
//! An abstract state is a pair (P, s) of a partition and a state. It stands for the states `g s`, `g` in the group of P, and all of them are reachable: the
//! partition says which members the run to the state has treated alike. A step of a family that keeps Q leads from there to pairs (R, t), R the coarsest partition that refines both:
//! once for each orbit of the group of R among the states of (P, s) (`orbit`, `steps`). A pair that stands for nothing new is dropped (`nodes`). So
//! the pairs together stand for the reachable states exactly, and for nothing else. A counterexample is lifted from its end: which state of a pair a
//! run comes from follows from the state that it leads to.
//!
//! After T. Wahl, *Adaptive Symmetry Reduction*, CAV 2007.
//!
//! # Virtual
//!
//! If from all states of an orbit steps lead to the same orbits, then the orbits are bisimilar to the states, although
//! single steps are not preserved. That is never assumed: `quotient` looks at all states of each orbit that it meets, up to what all statements keep, and refuses the
//! model at the first two that differ.
//!
//! After E. A. Emerson, J. W. Havlicek and R. J. Trefler, *Virtual Symmetry Reduction*, LICS 2000.
//!
//! # Trust
//!
//! What statements keep is certified. That a state is moved to its representative is the work of [`mandala_reduce`], which need not be canonical for anything here to
//! be right: a second representative is one more abstract state. Runs are replayed by the interpreter, like those of all engines.

mod branching;
mod engine;
mod families;
mod kinds;
mod nodes;
mod orbit;
mod quotient;
mod search;
mod space;
mod steps;

pub use engine::{AdaptiveEngine, VirtualEngine};
pub use kinds::VirtualKind;
pub use search::{Abstract, cover};
pub use space::Subject;
