//! The path to a state, found backwards after a breadth-first search.
//!
//! The predecessor of a state is not stored. But its depth is kept beside it, and its predecessor on a shortest way
//! lies one level above; so the states of that level are expanded once more, and of those that lead to it the
//! least is taken. Which one that is does not depend on who was faster. States of several levels are read from the store
//! in one go, as many as fit into a buffer.
//!
//! # Depths are kept modulo 255
//!
//! A step leads at most one level down. So a state from which a step leads to depth *d* is at depth *d* - 1 or deeper, and if no
//! state is deeper than *d* + 253, its remainder tells which. That is enough for the first 253 steps back. Then all depths
//! are forgotten, and everything down to where the way back has got to is searched once more, with new depths, modulo 254: what is
//! deeper has none now, and 253 more steps can be made. A way of a thousand steps takes three such searches.
//!
//! # Rejected
//!
//! - The predecessor of each state beside it: a search that finds nothing wrong would pay for it, four bytes a state at
//!   least.
//! - Depths that are not cut: one byte more for every state.
//! - One search more with blocks of levels instead of levels, and exact depths inside each block worked out when the
//!   way back goes through it: fewer expansions for ways of many thousand steps, which are rare, and much more to get wrong.

use crate::replay::Replay;
use mandala_reduce::Reducer;
use mandala_store::{StateRef, Tree};
use std::cmp::Ordering;
use std::collections::HashMap;

/// How many states are read from the store in one go, if there are several levels of them.
const BUFFER: u64 = 1 << 20;

/// What depths are kept modulo by the search, and after they have been found anew.
const FIRST: u32 = 255;
const AGAIN: u32 = 254;

/// A search backwards for a path.
struct BackwardSearch<'r, 'a, 's, 'p, R> {
    replay: &'r mut Replay<'a, 's, 'p, R>,
    /// How many states each level has.
    levels: &'r [u64],
    /// What depths are kept modulo.
    modulus: u32,
    /// No state with a depth is deeper.
    deepest: u32,
    /// The states that were read and are not needed yet, by what is kept of their depths.
    read: HashMap<u8, Vec<StateRef>>,
}

/// The states from the start to one that is at a depth. Nothing deeper than the level below it has been found yet.
pub(crate) fn way_back<R: Reducer>(
    replay: &mut Replay<'_, '_, '_, R>,
    last: StateRef,
    depth: u32,
    levels: &[u64],
) -> Vec<StateRef> {
    let mut backward = BackwardSearch {
        replay,
        levels,
        modulus: FIRST,
        deepest: depth + 1,
        read: HashMap::new(),
    };
    let depth = match backward.replay.shared.program.leaves_out_steps() {
        true => backward.find_depth_of(last),
        false => depth,
    };
    let mut path = vec![last];
    let mut wanted = backward.replay.packed(last);
    for level in (0..depth).rev() {
        let Some((state, packed)) = backward.predecessor(level, &wanted) else {
            break;
        };
        path.push(state);
        wanted = packed;
    }
    path.reverse();
    path
}

impl<R: Reducer> BackwardSearch<'_, '_, '_, '_, R> {
    /// The least state of a level from which a step leads to the wanted one, which is one level below.
    fn predecessor(&mut self, level: u32, wanted: &[u8]) -> Option<(StateRef, Vec<u8>)> {
        if level + self.modulus <= self.deepest {
            self.find_depths(level);
        }
        let tag = self.tag(level);
        if !self.read.contains_key(&tag) {
            self.read_levels(level);
        }
        let candidates = self.read.remove(&tag)?;
        self.least(&candidates, wanted)
    }

    /// What is kept of a depth.
    fn tag(&self, depth: u32) -> u8 {
        (1 + depth % self.modulus) as u8
    }

    /// How many states share what is kept of the depth of a level.
    fn crowd(&self, level: u32) -> u64 {
        let levels = self.levels.iter().take(level as usize + 1).rev();
        levels.step_by(self.modulus as usize).sum()
    }

    /// Reads a level, and as many above it as there is room for.
    fn read_levels(&mut self, level: u32) {
        self.read.clear();
        let mut room = BUFFER;
        // What is above these has the same remainders as what is below them.
        let highest = (level + 2).saturating_sub(self.modulus);
        for above in (highest..=level).rev() {
            let crowd = self.crowd(above);
            if above < level && crowd > room {
                break;
            }
            room = room.saturating_sub(crowd);
            self.read.insert(self.tag(above), Vec::new());
        }
        let read = &mut self.read;
        self.replay.access.release();
        let store = self.replay.shared.states.expanded();
        store.each(0, 1, &mut |state, tag| {
            if let Some(states) = read.get_mut(&tag) {
                states.push(state);
            }
        });
    }

    /// The least of some states from which a step leads to the wanted one.
    fn least(&mut self, candidates: &[StateRef], wanted: &[u8]) -> Option<(StateRef, Vec<u8>)> {
        let mut least: Option<(StateRef, Vec<u8>)> = None;
        let mut tree = Tree::default();
        let program = self.replay.shared.program;
        for &state in candidates {
            self.replay.access.load(state, &mut tree);
            let less = |known: &(StateRef, Vec<u8>)| {
                program.compare(tree.bytes(), &known.1) == Ordering::Less
            };
            let better = least.as_ref().is_none_or(less);
            if better && self.replay.leads((state, tree.bytes()), wanted) {
                least = Some((state, tree.bytes().to_vec()));
            }
        }
        least
    }

    /// Forgets all depths, and finds those down to a level anew.
    fn find_depths(&mut self, deepest: u32) {
        self.deepest = deepest;
        let mut level = self.date_start();
        for depth in 1..=deepest {
            let tag = self.tag(depth);
            level = self.replay.date_successors(&level, tag);
        }
    }

    /// Forgets all depths but that of the start, and gives that.
    fn date_start(&mut self) -> Vec<StateRef> {
        self.modulus = AGAIN;
        self.read.clear();
        self.replay.access.release();
        self.replay.shared.states.expanded().forget_depths();
        self.replay.date_start(self.tag(0))
    }

    /// Finds all depths down to that of a state anew, and gives that one. A search that leaves out steps may have come to a state by
    /// a longer way than there is between states that it knows.
    fn find_depth_of(&mut self, wanted: StateRef) -> u32 {
        self.deepest = 0;
        let mut level = self.date_start();
        while !level.is_empty() && !level.contains(&wanted) {
            self.deepest += 1;
            let tag = self.tag(self.deepest);
            level = self.replay.date_successors(&level, tag);
        }
        self.deepest
    }
}
