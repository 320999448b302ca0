//! View abstraction: what holds for a model with a family of every size.
//!
//! A *view* of a state consists of its shared part and the cells of `k` members of the family. A *configuration* has `k` to `k + w` members, where
//! `w` is the most members that one step can single out (its *participants*). The [`abstraction`] is the least set `V` of views that contains those of the start states, and with all views of a
//! configuration those of its successors. If no configuration violates a property, no reachable state with `k` members or more does.
//!
//! # Why
//!
//! `V` contains all views of all reachable states. Let `s` be reachable, `t` a successor of it, and `A` a set of `k` members of `t`. Keep of `s` the members in `A` and the participants of the step. What is
//! kept is a configuration, and its views, which are views of `s`, are in `V`. The step is possible in it and leads to what is kept of `t`, so the view of `t` with the members `A` is in `V`, if
//!
//! 1. names of members do not matter ([`Condition::Symmetry`]);
//! 2. only shared cells hold members, so that the participants of a step are known ([`Condition::Members`]);
//! 3. a guard that holds still holds when members are left out, and conditions within a step have the value that they had ([`Condition::Questions`]);
//! 4. a loop over the family does with the members that are kept what it did before ([`Condition::Loops`]);
//! 5. nothing else changes with the number of members ([`Condition::Size`]);
//! 6. and a violation concerns no more members than can be kept ([`Condition::Property`]).
//!
//! The same holds for the start states. [`conditions`] checks 2, 3, 4 and 6 on the code, and much of 1; [`require_alike`] checks 5. That the family is fully
//! symmetric is the matter of a certificate, which the caller must have.
//!
//! | file | what it has |
//! |---|---|
//! | `family` | which part of the model it is whose size is any |
//! | `resized` | the same model with another number of members |
//! | `conditions` | the conditions, and how many members steps need |
//! | `parts` | a state as a shared part and members |
//! | `space` | configurations, and the steps inside of them |
//! | `abstraction` | the views |
//! | `sampled` | what is reached with one number of members |
//! | `pairs` | advice for models that break a condition |

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod abstraction;
mod conditions;
mod family;
mod only;
mod pairs;
mod parts;
mod refusal;
mod resized;
mod sampled;
mod space;

pub use abstraction::{AbstractViolation, Abstraction, Reach, Wish, abstraction};
pub use conditions::{Needs, check as conditions};
pub use family::{Family, SizedModel, family};
pub use only::invariants_only;
pub use pairs::{Saturation, saturation};
pub use parts::{Member, Parts, Role, Shared, Split};
pub use refusal::{Condition, Refused};
pub use resized::{configuration_model, require_alike, sized_model};
pub use sampled::{Sample, sample};
pub use space::Failed;
