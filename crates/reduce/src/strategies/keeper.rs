//! The first state met with each key: what strategies keep that know no representative before they have met one.

use mandala_store::{Insertion, StateId, StoreFull, VisitedSet};

/// Keys, and for each the first state that was met with it.
#[derive(Debug)]
pub(super) struct Keeper {
    keys: VisitedSet,
    states: VisitedSet,
    /// By the number of a key, the number of its state.
    firsts: Vec<u32>,
}

impl Keeper {
    /// A keeper that holds at most about so many bytes.
    pub fn with_limit(limit: usize) -> Self {
        Keeper {
            keys: VisitedSet::with_limit(limit / 2),
            states: VisitedSet::with_limit(limit / 2),
            firsts: Vec::new(),
        }
    }

    /// The state that was met first with a key: this one, if the key is new.
    pub fn first(&mut self, key: &[u8], state: &[u8]) -> Result<&[u8], StoreFull> {
        let id = match self.keys.insert(key)? {
            Insertion::Seen(key) => StateId::from_u32(self.firsts[key.index()]),
            Insertion::New(key) => {
                let id = self.states.insert(state)?.id();
                if self.firsts.len() <= key.index() {
                    self.firsts.resize(key.index() + 1, u32::MAX);
                }
                self.firsts[key.index()] = id.as_u32();
                id
            }
        };
        Ok(self.states.get(id))
    }

    /// How many states are kept.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The memory that all this takes.
    pub fn bytes(&self) -> usize {
        self.keys.bytes() + self.states.bytes() + self.firsts.capacity() * size_of::<u32>()
    }
}
