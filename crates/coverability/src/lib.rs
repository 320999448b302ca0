//! Coverability for any number of identical threads, decided exactly.
//!
//! A [`ThreadSystem`] has shared states, local states and transitions; a configuration is a shared state and a multiset of local states, one for each
//! thread. A [`Target`] is covered by a configuration that has its shared state and at least its threads. The question is whether a target can be covered
//! with some number of threads, and with how many at least.
//!
//! More threads never hinder a transition, so the configurations that can cover a target are an upward closed set, and the question is decidable. Three
//! searches work on it ([`decide::Decider`]), each on the same amount of counted work in turn, and the first that has an answer ends all of them:
//!
//! - [`backward`](crate::decide): minimal predecessors of the targets, an antichain, in the order of the number of threads that they need (P. Abdulla et al.,
//!   *General Decidability Theorems for Infinite-State Systems*, LICS 1996). Takes every system, and finds the smallest number of threads.
//! - `karp_miller`: a tree of reachable configurations in which what can be pumped is without bound (R. Karp, R. Miller, *Parallel Program Schemata*,
//!   1969). For systems without broadcasts.
//! - `bounded`: all configurations with 1, 2, 3 .. threads. It finds the smallest number of threads, too, and a cut-off: a number of threads from
//!   which on no new pair of a shared and a local state can arise (A. Kaiser, D. Kroening, T. Wahl, *Dynamic Cutoff Detection in Parameterized Concurrent
//!   Programs*, CAV 2010).
//!
//! Knows no models, and no clock: whoever drives a decider bounds its work.

mod backward;
mod bounded;
mod closure;
pub mod decide;
mod index;
mod karp_miller;
pub mod system;

pub use bounded::Round;
pub use decide::{Answer, Decider, Proof, Reached, coverable_pairs, rounds};
pub use system::{Local, Shared, Start, Target, ThreadSystem, Transition};
