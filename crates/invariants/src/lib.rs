//! Invariants for a family of every size: formulas about `k` members, and the checker that accepts or rejects them.
//!
//! An invariant is what view abstraction leaves as evidence: for all different members `i, j, ..`, the state looks from there as one of some [views](View). The checker
//! takes it as given and searches for nothing. It looks at every configuration of `k` to `k + w` members all of whose views are there, and makes every step inside of it on the reference
//! interpreter: what follows must have no other views, and nothing may go wrong. And the states that runs start in must have no others.
//!
//! With the search it shares what both are about: which model a configuration is a state of, and the conditions under which that proves something ([`mandala_views::conditions`]). It
//! has its own notion of the parts of a state ([`cells`]), its own way to configurations, and another semantics.
//!
//! | file | what it has |
//! |---|---|
//! | `cells` | what the cells of a state are called, and which belong to whom |
//! | `text` | invariants as text, written and read |
//! | `check` | the checker, which is trusted |

pub mod cells;
mod check;
mod text;

pub use cells::{Cells, View};
pub use check::{Accepted, Rejected, check};
pub use text::{Invariant, ReadError, read, write};
