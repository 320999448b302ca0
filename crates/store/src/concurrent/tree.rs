//! A state taken apart into the numbers of its tree.

/// A decoded state and the ids of all nodes of its tree.
///
/// A search keeps the tree of the state that it expands and hands it to [`prepare`](crate::Session::prepare)
/// with each successor: the nodes over the parts where the two agree need not be looked up. A tree can be used
/// again for the next state; the default tree is that of no state.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Which store and which class the numbers are from. No store has the number zero.
    pub(crate) origin: (u64, u16),
    pub(crate) length: usize,
    /// The bytes of the state, filled up with zeroes to whole chunks.
    pub(crate) bytes: Vec<u8>,
    /// Its chunks and the ids of its nodes.
    pub(crate) row: Vec<u32>,
}

impl Tree {
    /// The state.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}
