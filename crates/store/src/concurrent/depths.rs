//! Depths looked at all together, forgotten and found anew.
//!
//! What is kept of a depth beside a state is a number from 1 to 255, its *tag*. A breadth-first search that
//! wants to know the way to a state can find out more than the tags say by searching once more: it forgets all
//! tags and gives new ones to the states that it comes by.

use super::StateRef;
use super::session::Session;
use super::store::{StateStore, StoreKind, depth_tag};

/// The tag of a state whose depth was forgotten.
const FORGOTTEN: u8 = u8::MAX;

impl StateStore {
    /// Calls `visit` with each state and the tag of its depth: 1 + depth % 255 unless it was given another one. An
    /// approximate store knows none.
    ///
    /// The states are divided into `parts`, and only those of part number `part` are visited. Nothing may be
    /// inserted meanwhile, the caller's session must be [released](Session::release), and `visit` must not use
    /// the store.
    pub fn each(&self, part: usize, parts: usize, visit: &mut dyn FnMut(StateRef, u8)) {
        if self.kind() != StoreKind::Exact {
            return;
        }
        let tables = self.read();
        for (number, class) in tables.classes.iter().enumerate() {
            for (root, tag) in class.roots.iter(part, parts.max(1)) {
                visit(StateRef::new(number as u16, root), tag as u8);
            }
        }
    }

    /// Forgets all depths. The caller's session must be [released](Session::release).
    pub fn forget_depths(&self) {
        let tables = self.read();
        for class in &tables.classes {
            for (root, _) in class.roots.iter(0, 1) {
                class.roots.retag(root, u64::from(FORGOTTEN));
            }
        }
    }
}

impl Session<'_> {
    /// The tag of a state; none in an approximate store.
    pub fn tag(&mut self, state: StateRef) -> Option<u8> {
        let (tables, _) = self.open();
        let class = tables.classes.get(usize::from(state.class()))?;
        class.roots.tag(state.root()).map(|tag| tag as u8)
    }

    /// Gives another tag, from 1 to 254, to a state. Whoever does this keeps something else than depths in them. Only one thread
    /// may do it at a time.
    pub fn retag(&mut self, state: StateRef, tag: u8) -> bool {
        let (tables, _) = self.open();
        let class = tables.classes.get(usize::from(state.class()));
        class.is_some_and(|class| class.roots.retag(state.root(), u64::from(tag)))
    }

    /// Whether a state was added with that depth, as far as can be told: a depth that differs by a multiple of 255 looks the
    /// same. False if the store keeps no depths.
    pub fn may_be_at(&mut self, state: StateRef, depth: u32) -> bool {
        let (tables, _) = self.open();
        let class = tables.classes.get(usize::from(state.class()));
        class.and_then(|class| class.roots.tag(state.root())) == Some(depth_tag(depth))
    }

    /// Gives a new tag, from 1 to 254, to a state whose depth was forgotten. False if it was not. It looks and then
    /// changes, so only one thread may give tags at a time.
    pub fn date(&mut self, state: StateRef, tag: u8) -> bool {
        let (tables, _) = self.open();
        let Some(class) = tables.classes.get(usize::from(state.class())) else {
            return false;
        };
        class.roots.tag(state.root()) == Some(u64::from(FORGOTTEN))
            && class.roots.retag(state.root(), u64::from(tag))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::Tree;
    use std::collections::HashMap;

    /// Tags by state.
    fn tags(store: &StateStore) -> HashMap<StateRef, u8> {
        let mut found = HashMap::new();
        store.each(0, 1, &mut |state, tag| {
            found.insert(state, tag);
        });
        found
    }

    #[test]
    fn depths_are_forgotten_and_found_anew() {
        let store = StateStore::new(StoreKind::Exact, usize::MAX);
        let mut session = store.session();
        let mut states = Vec::new();
        for number in 0..10_000u32 {
            let packed = [&number.to_le_bytes()[..], &[7; 16]].concat();
            let prepared = session.prepare(&packed, &Tree::default()).unwrap();
            states.push(session.insert(prepared, number).unwrap().state());
        }
        session.release();
        let before = tags(&store);
        let kept = |(state, depth): (&StateRef, u32)| before[state] == (1 + depth % 255) as u8;
        assert!(states.iter().zip(0..).all(kept));
        store.forget_depths();
        assert!(tags(&store).values().all(|tag| *tag == FORGOTTEN));
        assert!(session.date(states[77], 5));
        assert!(!session.date(states[77], 6));
        session.release();
        let after = tags(&store);
        assert_eq!((after.len(), after[&states[77]]), (states.len(), 5));
        let prepared = session.prepare(&[&[77, 0, 0, 0][..], &[7; 16]].concat(), &Tree::default());
        assert!(!session.insert(prepared.unwrap(), 3).unwrap().is_new());
    }
}
