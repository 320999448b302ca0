//! Invariants for a family of every size: formulas about `k` members, and the checker that accepts or rejects them.
//!
//! An invariant is what view abstraction leaves as evidence: for all different members `i, j, ..`, the state looks from there as one of some [views](View). The checker
//! takes it as given and searches for nothing. It looks at every configuration of `k` to `k + w` members all of whose views are there, and makes every step inside of it on the reference
//! interpreter: what follows must have no other views, and nothing may go wrong. And the states that runs start in must have no others.
//!
//! It shares no code with the search (`mandala-views`): it finds out for itself that this is enough for every number of members. It asks less precisely, and what it asks is meant to be read.
//!
//! | file | what it has |
//! |---|---|
//! | `family` | the family, and what its members are |
//! | `cells` | what the cells of a state are called, and which belong to whom |
//! | `text` | invariants as text, written and read |
//! | `alike`, `words` | models of several sizes that are the same but for that size |
//! | `demands` | how many members a step is about, with `quantifiers`, `loops` and `processes` |
//! | `check` | the checker: the argument, and what it comes to |

mod alike;
pub mod cells;
mod check;
mod demands;
mod family;
mod loops;
mod processes;
mod quantifiers;
mod text;
mod words;

pub use cells::{Cells, View};
pub use check::{Accepted, Load, Rejected, Source, check};
pub use family::Family;
pub use text::{Invariant, ReadError, read, write};
