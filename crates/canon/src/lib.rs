//! Canonical labellings of states: of many states that differ only by the names of interchangeable things, the
//! one that stands for all.
//!
//! # The domain view of a state
//!
//! *Points* are the things that can be renamed: processes, channels, heap cells, scalarset values. They are partitioned
//! into *domains*; a permutation of the points that maps each domain to itself is a symmetry, so the group is a product
//! of full symmetric groups. A [`View`] says what a state knows of its points:
//!
//! - the *plain row* of each point: numbers that no symmetry changes (control location, locals that are no ids,
//!   elements of arrays that the domain indexes);
//! - its *references*: cells that hold a point of any domain, or a value that is none, such as [`NONE`] (an undefined
//!   id) and [`ABSENT`] (behind the last message of a channel);
//! - the *shared references*: a list of such cells that belong to no point (global variables, global channels);
//! - *relations*: matrices indexed by two domains, of numbers or of points.
//!
//! How many of each there are is the [`Shape`], fixed once per model. A [`Labelling`] gives each point a position;
//! renaming all points to their positions gives the *image* of the view ([`apply`]).
//!
//! # What is promised
//!
//! [`Canonicaliser::canonicalise`] chooses a labelling such that two views have equal images exactly if some
//! symmetry maps one to the other. If a state takes more than the [`Budget`], its labelling is still a symmetry, is
//! marked [`Exactness::Heuristic`] and counted. Calls allocate nothing but room for a search that is deeper than all before, and
//! depend on nothing but the view.
//!
//! ```
//! use mandala_canon::{Budget, Canonicaliser, Exactness, Shape, View};
//!
//! // Two processes wait for each other, the third waits for itself: one row cell, one reference cell each.
//! let shape = Shape::single(3, 1, 1)?;
//! let view = View::new(&shape, &[1, 1, 1], &[2, 1, 0], &[], &[])?;
//! let mut canonicaliser = Canonicaliser::new(&shape, Budget::default());
//! let labelling = canonicaliser.canonicalise(&view);
//! assert_eq!(labelling.exactness(), Exactness::Exact);
//! assert_eq!(labelling.positions().len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//!
//! Each step is taken only where the one before leaves points with equal colours.
//!
//! 1. `rows`: sort by row, equal rows by first shared reference. The end, if the shape has no references of points and no
//!    relations.
//! 2. `refine`: tell points apart by whom they refer to, who refers to them, what relates them. The end for most states.
//! 3. `twins`: points that can change places unnoticed may come in any order. The end for most of the rest.
//! 4. `search`: try, and learn from automorphisms (`guess`, `automorphisms`) what need not be tried.
//!
//! Underneath: `partition` (ordered partitions), `incoming` (who refers to a point), `relations`, `mixing` (signatures),
//! `networks` (sorting), `image` (images that are compared without being made).
//!
//! Beside it, for other groups and for comparison: [`rotation`] for rings, [`strategies`] with those of SymmSpin.
//! Labellers of others keep [`Labels`], [`compare`] images, [`walk`] through groups by exchanges ([`plain_changes`] where all
//! permutations are meant), and say what they have found as a [`Labelling`].
//!
//! What is deliberately absent: packed states and models. Others take views from states and apply labellings to
//! them; nothing here knows what a point stands for.

mod automorphisms;
mod canonicaliser;
mod guess;
mod image;
mod incoming;
mod labelling;
mod mixing;
mod networks;
mod partition;
pub mod plain_changes;
mod refine;
mod relations;
pub mod rotation;
mod rows;
mod search;
mod shape;
pub mod strategies;
mod twins;
mod view;
pub mod walk;
mod worklist;

pub use canonicaliser::{Canonicaliser, Counters};
pub use image::{apply, compare};
pub use labelling::{Effort, Exactness, Labeller, Labelling, Labels, Route};
pub use search::Budget;
pub use shape::{
    ABSENT, Entry, MAX_POINTS, MAX_REFERENCES, MAX_SHARED, Matrix, NONE, Point, PointDomain,
    Relation, Shape, ShapeError, absent, codes, none,
};
pub use view::{OwnedView, View, ViewError};
