//! The exact visited set.

use crate::budget::Budget;
use crate::hash::hash;
use crate::index::{Index, Vacancy};
use crate::pages::Pages;
use crate::{Cursor, Mark, StateId, StoreFull};

/// What an insertion found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// The state was not in the set, and now is.
    New(StateId),
    /// The state was in the set already.
    Seen(StateId),
}

impl Insertion {
    /// The id of the inserted state, new or not.
    #[must_use]
    pub fn id(self) -> StateId {
        match self {
            Self::New(id) | Self::Seen(id) => id,
        }
    }

    /// Whether the state was not in the set before.
    #[must_use]
    pub fn is_new(self) -> bool {
        matches!(self, Self::New(_))
    }
}

/// A growing set of states, each a slice of at most [`MAX_STATE_LENGTH`](crate::MAX_STATE_LENGTH) bytes.
///
/// The set is exact: two states are the same if and only if all their bytes are. It holds at most 1.5 times the
/// bytes of the states themselves once it has some ten thousand states of twenty bytes or more; longer
/// states are cheaper still. For very short ones it is the index that counts: about 7 bytes a state, whatever
/// their length, so that states of 5 bytes take 12 or 13 each.
#[derive(Debug)]
pub struct VisitedSet {
    pages: Pages,
    index: Index,
    budget: Budget,
}

impl VisitedSet {
    /// An empty set that will not hold more than `limit` bytes of memory.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            pages: Pages::new(),
            index: Index::default(),
            budget: Budget::new(limit),
        }
    }

    /// Inserts a state unless it is there.
    ///
    /// # Errors
    ///
    /// When the state is new and cannot be stored. The set is as it was before, and states that are in it
    /// are still found by later insertions.
    #[inline]
    pub fn insert(&mut self, state: &[u8]) -> Result<Insertion, StoreFull> {
        let hash = hash(state);
        match self.find(hash, state) {
            Ok(id) => Ok(Insertion::Seen(id)),
            Err(vacancy) if !self.index.is_full(self.len()) => self.store(vacancy, hash, state),
            Err(_) => self.grow_and_insert(hash, state),
        }
    }

    /// The bytes of a stored state.
    ///
    /// # Panics
    ///
    /// When the id was not given out by this set.
    #[must_use]
    #[inline]
    pub fn get(&self, id: StateId) -> &[u8] {
        self.pages
            .get(id)
            .expect("a state id is only used with the set that gave it out")
    }

    /// Replaces the contents of `state` by those of a stored state, for callers that insert while they use it.
    ///
    /// # Panics
    ///
    /// When the id was not given out by this set.
    #[inline]
    pub fn copy_to(&self, id: StateId, state: &mut Vec<u8>) {
        state.clear();
        state.extend_from_slice(self.get(id));
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.states()
    }

    /// Whether there is no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the largest [`StateId::index`] given out by now, or somewhat above.
    #[must_use]
    pub fn id_bound(&self) -> usize {
        self.pages.id_bound()
    }

    /// All memory that the set holds on the heap, used or not.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.budget.used()
    }

    /// The sum of the lengths of the stored states.
    #[must_use]
    pub fn packed_bytes(&self) -> u64 {
        self.pages.packed_bytes()
    }

    /// This moment, to be compared with an earlier or later one.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark::new(self.pages.class_counts())
    }

    /// The ids of the states inserted after `from` and before `to`, in an order that depends on the sequence of
    /// insertions alone. Use a [`Cursor`] to insert on the way.
    pub fn between(&self, from: &Mark, to: &Mark) -> impl Iterator<Item = StateId> + '_ {
        let mut cursor = Cursor::new(from, to);
        std::iter::from_fn(move || cursor.next(self))
    }

    #[inline]
    pub(crate) fn id_at(&self, class: usize, position: u32) -> Option<StateId> {
        self.pages.id_at(class, position)
    }

    #[inline]
    fn find(&self, hash: u64, state: &[u8]) -> Result<StateId, Vacancy> {
        self.index
            .find(hash, |id| self.pages.get(id) == Some(state))
    }

    #[inline]
    fn store(&mut self, vacancy: Vacancy, hash: u64, state: &[u8]) -> Result<Insertion, StoreFull> {
        let room = self.pages.reserve(state.len(), &mut self.budget)?;
        let id = self.pages.push(room, state);
        self.index.fill(vacancy, hash, id);
        Ok(Insertion::New(id))
    }

    /// Looks for the state once more after the index has grown: its place has changed, and if the system refused
    /// memory before, the index was empty until now.
    #[cold]
    fn grow_and_insert(&mut self, hash: u64, state: &[u8]) -> Result<Insertion, StoreFull> {
        self.grow_index()?;
        match self.find(hash, state) {
            Ok(id) => Ok(Insertion::Seen(id)),
            Err(vacancy) => self.store(vacancy, hash, state),
        }
    }

    fn grow_index(&mut self) -> Result<(), StoreFull> {
        self.index.grow(self.len(), &mut self.budget)?;
        self.index
            .place_all(self.pages.iter().map(|(id, state)| (hash(state), id)));
        Ok(())
    }
}
