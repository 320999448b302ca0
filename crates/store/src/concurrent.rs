//! The concurrent, tree-compressed store.
//!
//! # The idea
//!
//! The states of a model are many combinations of few parts. A state is therefore cut into chunks of four bytes
//! with a binary tree over them (`shape`); the inner nodes of all trees are kept once each, in a table of pairs
//! (`nodes`); and a state is what is left of it, its *root*: the ids of two nodes in 56 bits. The set of
//! visited states is a hash table of roots (`roots`). It is exact: a root can be read back to the state and to
//! no other, and states of different lengths are in different classes.
//!
//! A successor shares most of its tree with the state it came from, so only the nodes above the chunks that
//! differ are looked up (`fold`), mostly among those that the thread has met before (`recent`).
//!
//! Which chunks stand next to each other in the tree decides how many nodes there are, by a factor of ten. So a
//! tree is chosen for each length of state when some thousands of states are known (`plan`), without changing
//! the names of those (`class`, `elders`).
//!
//! # Threads
//!
//! A [`Session`] holds the tables for reading; both insertions, of a node and of a root, are then lock-free:
//! one compare and exchange of a free word (`table`). Only growth takes the tables away from everybody, for as
//! long as it takes as many threads as there are sessions to spread one table over more memory (`growth`), and sessions give way at
//! their next call when somebody waits for that. `model_check` has the models that `loom` checks. What every insertion would have to
//! count is counted by each session for itself, or by sampling.
//!
//! # Memory
//!
//! Everything is counted before it is allocated (`allowance`), and an array is never copied to grow once it is
//! large (`memory`). A root takes 8 bytes over a load between 0.7 and 0.875. Bytes to a state in all, on
//! recorded searches:
//!
//! | model | states | packed | held | `VisitedSet` |
//! |---|---|---|---|---|
//! | Peterson, four processes | 542,921 | 18 | 14.7 | 25.3 |
//! | data base manager, eleven | 649,552 | 21 | 11.3 | 27.1 |
//! | email, four clients | 852,641 | 44 | 11.4 | 51.1 |
//! | leader election, five nodes, preprocessed | 1,200,002 | 153 | 14.0 | 160.4 |
//! | MCS lock, five processes | 1,500,002 | 21 | 14.0 | |
//! | leader election in a ring of seven | 1,500,001 | 144 | 13.6 | |
//!
//! Smaller sets take more: the states from before the tree was chosen are kept for recognition, 40 bytes each,
//! and nodes with them. A hundred states take a few kilobytes.
//!
//! # Time
//!
//! Processor time to a transition when such a search is replayed in batches of 64 on one core of a busy machine
//! (a quarter of the time in which half of the measurements lie): email 64 ns when a state in four is new, 53
//! when all were seen; data base 70 and 47; Peterson 85 and 54; preprocessed leader 156 and 122. Of 54 ns for
//! Peterson, 7 go into reading the state that is expanded, 35 into finding nodes, 12 into the table of roots.
//! Two threads need the same processor time to a state as one. `bench/examples/states.rs` measures made-up states.
//!
//! What mattered, in the order of gain:
//!
//! - fetching the root's cache line ahead, between preparing and inserting: 40 ns of 95;
//! - large pages: 80 instead of 146 ns for a seen state among ten million, 51 instead of 63 among one million;
//! - an insertion without branches that cannot be foreseen (all eight words of a cache line are compared) and
//!   without results that are copied just after they were written in smaller pieces: 12 ns instead of 30;
//! - recent nodes: 7 to 40 ns, the more the longer the states;
//! - finding the chunks that differ without a branch: some 5 ns;
//! - giving back where a state belongs in registers (`session`): 2 to 8 % of a search;
//! - tables of less than a million roots that grow by half instead of a quarter: 20 ns to a new state;
//! - looking at all words of a cache line with four instructions (`line`): 2 %.
//!
//! # Rejected
//!
//! - Cutting states in halves, quarters and so on: up to two nodes to a state, see `plan`.
//! - Larger or smaller tables of recent nodes, from 2,048 to 8,192: no difference to be seen, as larger ones push other things
//!   out of the processor's cache.
//! - Copying the ids of the row near by in blocks, and a way of its own through [`prepare`](Session::prepare) for the usual
//!   case: 10 to 15 ns slower, since what is written in one size is read in another.
//! - Many tables for each length that grow one after the other: see `table`.

mod allowance;
mod checkpoint;
mod class;
mod depths;
mod elders;
mod fold;
mod growth;
mod line;
#[cfg_attr(all(test, loom), path = "concurrent/memory_of_a_model.rs")]
mod memory;
#[cfg(all(test, loom))]
mod model_check;
mod nodes;
mod plan;
mod prefetch;
mod recent;
mod roots;
mod session;
mod shape;
mod sieve;
mod store;
mod sync;
mod table;
mod tree;

pub use checkpoint::CheckpointError;
pub use session::{Arrived, Prepared, Session};
pub use sieve::{OmissionBasis, Omissions};
pub use store::{StateStore, StoreKind};
pub use tree::Tree;

/// How many bits the id of an inner node has.
const NODE_BITS: u32 = 28;
/// How many bits one side of a root has.
const ROOT_SIDE_BITS: u32 = NODE_BITS;
/// How many bits a root has. The rest of its slot is the depth tag.
const ROOT_BITS: u32 = 2 * ROOT_SIDE_BITS;

/// The name of a state in a [`StateStore`]: it means the same state for the life of the store.
///
/// Names say nothing about when a state was found, and which name a state has can depend on how threads
/// took turns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateRef {
    class: u16,
    root: u64,
}

impl StateRef {
    /// The class of the state. States of one class have the same length.
    #[must_use]
    pub fn class(self) -> u16 {
        self.class
    }

    /// The root, a number below 2^56, which names the state among those of its class.
    #[must_use]
    pub fn root(self) -> u64 {
        self.root
    }

    /// The inverse of [`StateRef::class`] and [`StateRef::root`], for compact storage.
    #[must_use]
    pub fn new(class: u16, root: u64) -> Self {
        Self { class, root }
    }
}

/// Spreads the bits of a key over all bits of the result.
#[inline]
fn mix(key: u64) -> u64 {
    let product = u128::from(key ^ 0x2d35_8dcc_aa6c_78a5) * 0x8bb8_4b93_962e_acc9;
    let folded = product as u64 ^ (product >> 64) as u64;
    let product = u128::from(folded) * 0x4b33_a62e_d433_d4a3;
    product as u64 ^ (product >> 64) as u64
}

/// Whether a word of a table is in use.
fn is_taken<V: Eq + Default>(value: &V) -> bool {
    *value != V::default()
}

/// Divides the range of hashes into `parts` of the same size and says which one a hash is in.
#[inline]
fn scale(hash: u64, parts: usize) -> usize {
    ((u128::from(hash) * parts as u128) >> 64) as usize
}
