//! The concurrent, tree-compressed store.

mod allowance;
mod checkpoint;
mod class;
mod depths;
mod elders;
mod fold;
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

/// Divides the range of hashes into `parts` of the same size and says which one a hash is in.
#[inline]
fn scale(hash: u64, parts: usize) -> usize {
    ((u128::from(hash) * parts as u128) >> 64) as usize
}
