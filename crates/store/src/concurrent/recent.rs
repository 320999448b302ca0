//! Nodes that a thread has met recently.
//!
//! Successors of similar states differ from them in similar ways, so the same nodes are looked up again and
//! again. Each thread keeps some thousands of them in a table of its own that fits into the fast part of its
//! cache: one multiplication, one read and one branch that is nearly always taken, instead of a walk through
//! the shared index and a look into the log.

/// How many nodes are kept.
const SIZE: usize = 1 << 12;

/// Recently met nodes: the pair and its id.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    /// Empty, or as many as there are places.
    places: Box<[(u64, u32)]>,
}

impl Recent {
    /// Begins to keep nodes. Says whether that is new.
    pub(crate) fn begin(&mut self) -> bool {
        let new = self.places.is_empty();
        if new {
            self.places = vec![(0, 0); SIZE].into();
        }
        new
    }

    /// The memory held on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.places)
    }

    /// The id of a pair, which `find` is asked for if it is not among those kept.
    #[inline]
    pub(crate) fn get<E>(
        &mut self,
        pair: u64,
        find: impl FnOnce(u64) -> Result<u32, E>,
    ) -> Result<u32, E> {
        let place = pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SIZE.ilog2());
        let Some(place) = self.places.get_mut(place as usize) else {
            return find(pair);
        };
        if place.0 != pair {
            *place = (pair, find(pair)?);
        }
        Ok(place.1)
    }
}
