//! Temporal logic: linear time and its translation into Büchi automata, and the formulas of branching time.
//!
//! A temporal property speaks about infinite runs: `[](request -> <>answer)` says that every request is answered.
//! To check one, a model checker looks for a run that violates it. That run is characterised by an automaton, the
//! *never claim*: a [Büchi automaton](Automaton) that reads the run state by state and accepts exactly the runs that
//! violate the property. The checker explores the product of system and claim; a reachable cycle through an accepting
//! state of the claim is a counterexample, and so is a single step by which the claim
//! [knows enough](Transition::asserts).
//!
//! ```
//! use mandala_temporal::{Formula, Names, never_claim};
//!
//! let (request, answer) = (Formula::proposition(0), Formula::proposition(1));
//! let property = request.implies(answer.eventually()).always();
//! let names: Names = ["request", "answer"].into_iter().collect();
//!
//! let claim = never_claim(&property, &names)?;
//! assert_eq!(
//!     claim.automaton.named(&names).to_string(),
//!     "never {
//! T0_init:
//! \tdo
//! \t:: ((request) && ! ((answer))) -> goto accept_S4
//! \t:: (1) -> goto T0_init
//! \tod;
//! accept_S4:
//! \tdo
//! \t:: (! ((answer))) -> goto accept_S4
//! \tod;
//! }
//! "
//! );
//! # Ok::<(), mandala_temporal::TooComplex>(())
//! ```
//!
//! # The same automaton as Spin's
//!
//! Many automata accept the same runs, and the size of the product depends on which one is taken. To make numbers
//! comparable, [`never_claim`] gives the automaton that Spin gives for an `ltl` block, and [`translate()`] the one that
//! `spin -f` gives, down to the names of the states and the order of the transitions. (`X` follows the same rules,
//! though Spin is usually built without it.) The stages, one module each:
//!
//! 1. `claim`: how Spin reads the formula of a model, and the negation.
//! 2. `normalize`: negation normal form, and simplification by the laws of the logic.
//! 3. `rewrite`: sorted conjunctions and disjunctions, used by all later stages.
//! 4. `tableau`: the graph of Gerth, Peled, Vardi and Wolper.
//! 5. `acceptance`: which untils are pending where, and counting through them.
//! 6. `draft`: states and transitions, and their merging.
//! 7. `translate`: the conductor; it also makes the final [`Automaton`].
//!
//! [`Automaton`] and [`Ctl`] are the types in which the whole workspace speaks of questions about runs: a property of a model carries one of them, and
//! engines read it. Formulas of computation tree logic ([`Ctl`]) are plain data here; whoever has a graph decides them.
//!
//! Automata from elsewhere are read, and ours are written, in the format that tools exchange: [`Hoa`].
//!
//! In two respects this crate does not follow: formulas that are [too complex](TooComplex) are refused where Spin
//! would run for minutes, and propositions with awkward names, such as `a`, `b` and `ab`, cannot lead to different
//! subformulas being taken for the same one.

mod acceptance;
mod automaton;
mod claim;
mod ctl;
mod draft;
mod equality;
mod formula;
mod guard;
mod hashing;
mod hoa;
mod normalize;
pub mod pctl;
mod rewrite;
mod tableau;
mod terms;
mod too_complex;
mod translate;

pub use automaton::{Automaton, State, StateId, Transition};
pub use claim::{NeverClaim, Predicate, never_claim};
pub use ctl::{Ctl, Runs};
pub use formula::{Formula, Literal, Names, Proposition};
pub use guard::Guard;
pub use hoa::{Hoa, HoaError};
pub use too_complex::TooComplex;
pub use translate::translate;
