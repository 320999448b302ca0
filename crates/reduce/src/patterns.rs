//! The states that plans are made from.
//!
//! A plan is made when the first state comes that needs it, and can depend on that state: on which members are tied to each
//! other in it. Reducers that are to choose the same representatives must make their plans from the same states, so
//! they share these, and a search that is taken up again begins with those of the first part.

use crate::plan::Active;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// By shape and active domains, the cells of the first state that was met.
type Firsts = BTreeMap<(u32, Active), Vec<i64>>;

/// The states that plans are made from. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns(Arc<Mutex<Firsts>>);

impl Patterns {
    /// The state from which the plan for a shape and active domains is made: this one, if it is the first.
    pub fn of(&self, shape: u32, active: Active, cells: &[i64]) -> Vec<i64> {
        let mut firsts = self.lock();
        let first = firsts.entry((shape, active));
        first.or_insert_with(|| cells.to_vec()).clone()
    }

    /// All of them, written down.
    pub fn notes(&self) -> Vec<u8> {
        let mut notes = Vec::new();
        for ((shape, active), cells) in self.lock().iter() {
            let head = [u64::from(*shape), *active, cells.len() as u64];
            notes.extend(head.iter().flat_map(|number| number.to_le_bytes()));
            notes.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
        }
        notes
    }

    /// Reads what was written down. False if it makes no sense.
    pub fn recall(&self, notes: &[u8]) -> bool {
        let (words, rest) = notes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let mut words = &words[..];
        while let [shape, active, length, tail @ ..] = words {
            let cells = usize::try_from(*length).ok().and_then(|n| tail.get(..n));
            let (Ok(shape), Some(cells)) = (u32::try_from(*shape), cells) else {
                return false;
            };
            let first = cells.iter().map(|cell| *cell as i64).collect();
            self.lock().insert((shape, *active), first);
            words = &tail[cells.len()..];
        }
        words.is_empty() && rest.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Firsts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_state_counts_for_all_who_share() {
        let patterns = Patterns::default();
        let shared = patterns.clone();
        assert_eq!(patterns.of(3, 1, &[5, -6]), [5, -6]);
        assert_eq!(shared.of(3, 1, &[7, 8]), [5, -6]);
        assert_eq!(shared.of(3, 2, &[7, 8]), [7, 8]);
    }

    #[test]
    fn what_is_written_down_is_understood() {
        let patterns = Patterns::default();
        patterns.of(3, 1, &[5, -6]);
        patterns.of(4, 1 << 63, &[]);
        let notes = patterns.notes();
        let again = Patterns::default();
        assert!(again.recall(&notes));
        assert_eq!(*again.lock(), *patterns.lock());
        assert!(Patterns::default().recall(&[]));
        assert!(!Patterns::default().recall(&notes[..notes.len() - 1]));
        assert!(!Patterns::default().recall(&notes[..notes.len() - 8]));
    }
}
