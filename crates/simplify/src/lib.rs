//! Rewrites of a model that no property can observe.
//!
//! Each rewrite takes a verified model and gives another one, together with the reason why verdicts carry over, or
//! says what stands in the way. Templates, locations and edges keep their places, so a step of the rewritten model names
//! the same statement as in the model of the user. What a rewrite adds, it adds behind what is there: an edge
//! beyond those of the user's template is no statement of the user, and whoever adds one says so
//! ([`mandala_model::origins::Origins`]).
//!
//! | module | what is rewritten |
//! |---|---|
//! | `endings` | processes that have ended stay |
//! | `constants` | variables that are never assigned become numbers, and what can never happen is taken out |
//! | `dead` | variables that nobody will read again get a fixed value |
//! | `unread` | what nobody will read again gets another constant than the one that was written |
//! | `gather` | locations that are alike but for a number are one location and a variable |
//! | `merge` | a state in which a process has nothing to do but steps of its own is passed through |
//! | `defined` | whether a value is defined is not asked where it always is |
//! | `monitors` | monitors are removed, for properties that name none |
//!
//! All of them look at templates only, never at the numbers of processes, so what is interchangeable stays so. What they need
//! to know is derived in `slots` (which cells one process alone uses), `liveness` (which of them it will read again), `guides` (and in which cases of a value that it keeps),
//! `visits` (what a step reads and writes), `failing` (whether it can fail), `seen` (where others can see a process) and `circles` (where edges that keep control lead round).

mod alike;
mod circles;
mod constants;
mod dead;
mod defined;
mod endings;
mod failing;
mod gather;
mod guides;
mod liveness;
mod merge;
mod monitors;
mod reverify;
mod seen;
mod slots;
mod unread;
mod visits;

pub use constants::{Simplified, replace_constants};
pub use dead::{Resets, reset_dead};
pub use defined::{CellClass, cell_classes, drop_needless_questions};
pub use endings::{Endings, Observed, Runs, can_end, ends_among_others, keep_ended};
pub use gather::{Gathered, gather_alike};
pub use merge::{Merged, merge_local_steps};
pub use monitors::without_monitors;
pub use reverify::{RewriteDefect, reverify};
pub use slots::DeadCell;
pub use unread::{Unread, replace_unread};
