//! Hash tables for what a proof makes and compares by the thousand. What they hold is never read in their order.

use rapidhash::fast::RapidHasher;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A fast hash, the same in every run.
pub type Mix = BuildHasherDefault<RapidHasher<'static>>;

/// A table with it.
pub type HashMap<K, V> = std::collections::HashMap<K, V, Mix>;

/// A set with it.
pub type HashSet<T> = std::collections::HashSet<T, Mix>;

/// A number that hardly anything else has.
pub(crate) fn hash(what: &impl Hash) -> u64 {
    let mut hasher = RapidHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}
