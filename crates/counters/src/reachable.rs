//! The steps that are possible: those of each mover with each shared part that it is met with.

use crate::program::{Counted, Mover, Program, SharedId, Step, TooWide};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// Why not all steps are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// There are too many steps in a row without a state in between.
    TooWide,
    /// There are more states than may be looked at.
    TooMany,
}

/// The steps of each mover with each shared part.
pub type Possible = BTreeMap<(Mover, SharedId), Rc<[Rc<Step>]>>;

impl Program<'_> {
    /// The steps that are possible from reachable states, of which there may be so many.
    ///
    /// # Errors
    ///
    /// If there are more.
    ///
    /// # Panics
    ///
    /// If a step may concern several members.
    pub fn possible(&mut self, most: usize) -> Result<Possible, Unknown> {
        let mut possible = Possible::new();
        let starts = self.starts().to_vec();
        let mut open: Vec<Counted> = starts.iter().filter_map(|s| self.counted(s)).collect();
        let mut seen: HashSet<Counted> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            let members = state.entries.iter().map(|(local, _)| Mover::Member(*local));
            for mover in std::iter::once(Mover::Single).chain(members) {
                let steps = self.steps(mover, state.shared);
                let steps = steps.map_err(|TooWide| Unknown::TooWide)?;
                possible.insert((mover, state.shared), steps);
            }
            let firings = self.firings(&state).map_err(|TooWide| Unknown::TooWide)?;
            for next in firings.into_iter().filter_map(|firing| firing.to) {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
            if seen.len() > most {
                return Err(Unknown::TooMany);
            }
        }
        Ok(possible)
    }
}
