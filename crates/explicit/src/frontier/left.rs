//! States that a search has left because they are too deep, each with the path to it.
//!
//! A search that goes depth first meets such states in an order in which neighbours share most of their paths. So only the last path is kept as a whole, and of each one before
//! it what the one after it has not. What leaves the path of a search never comes back to it, so nearly every state is kept once, however long the paths
//! are.

use crate::checkpoint::blocks::damaged;
use crate::checkpoint::codec::{Decoder, Encoder};
use crate::handles::{Handles, push};
use mandala_store::StateRef;
use std::io;

/// Paths to states that were left, the last one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    /// The path that was added last, with the state that was left as its end.
    last: Handles,
    /// What the paths before it have that their successors have not, one after the other.
    rests: Handles,
    /// For each of these: with how many states it begins that its successor has as well, and how many are its own.
    cuts: Vec<(usize, usize)>,
}

impl Left {
    /// Adds the path to a state.
    pub(super) fn add(&mut self, path: &Handles) {
        if self.last.len() > 0 {
            let pairs = self.last.iter().zip(path.iter());
            let shared = pairs.take_while(|(a, b)| a == b).count();
            let rest = shared..self.last.len();
            push(&mut self.cuts, (shared, rest.len()));
            rest.for_each(|at| self.rests.push(self.last.get(at)));
            self.last.truncate(shared);
        }
        let from = self.last.len();
        path.iter()
            .skip(from)
            .for_each(|state| self.last.push(state));
    }

    /// Takes the path that was added last.
    pub(super) fn take(&mut self) -> Option<Vec<StateRef>> {
        let path: Vec<StateRef> = self.last.iter().collect();
        match self.cuts.pop() {
            Some((shared, own)) => {
                self.last.truncate(shared);
                let begin = self.rests.len() - own;
                let rest = (begin..begin + own).map(|at| self.rests.get(at));
                rest.for_each(|state| self.last.push(state));
                self.rests.truncate(begin);
            }
            None => *self = Left::default(),
        }
        (!path.is_empty()).then_some(path)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.cuts.len() + usize::from(self.last.len() > 0)
    }

    pub(super) fn bytes(&self) -> usize {
        let cuts = self.cuts.capacity() * size_of::<(usize, usize)>();
        self.last.bytes() + self.rests.bytes() + cuts
    }

    pub(super) fn save(&self, out: &mut Encoder<'_>) -> io::Result<()> {
        out.states(self.last.iter())?;
        out.states(self.rests.iter())?;
        out.number(self.cuts.len() as u64)?;
        self.cuts.iter().try_for_each(|(shared, own)| {
            out.number(*shared as u64)?;
            out.number(*own as u64)
        })
    }

    pub(super) fn restore(input: &mut Decoder<'_>) -> io::Result<Self> {
        let left = Left {
            last: input.states()?.into_iter().collect(),
            rests: input.states()?.into_iter().collect(),
            cuts: input.list(|input| Ok((input.small()?, input.small()?)))?,
        };
        match left.fits() {
            true => Ok(left),
            false => Err(damaged()),
        }
    }

    /// Whether every path can be taken.
    fn fits(&self) -> bool {
        let mut length = self.last.len();
        let mut own_in_all = 0usize;
        for &(shared, own) in self.cuts.iter().rev() {
            let next = shared.checked_add(own).filter(|_| shared <= length);
            let Some((next, sum)) = next.zip(own_in_all.checked_add(own)) else {
                return false;
            };
            if length == 0 || next == 0 {
                return false;
            }
            (length, own_in_all) = (next, sum);
        }
        own_in_all == self.rests.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(states: &[u64]) -> Handles {
        let states = states.iter();
        states.map(|state| StateRef::new(0, *state)).collect()
    }

    const PATHS: [&[u64]; 6] = [
        &[1, 2, 3],
        &[1, 2, 4],
        &[1, 5, 6],
        &[7],
        &[7, 8, 9, 10],
        &[7, 8],
    ];

    fn filled() -> Left {
        let mut left = Left::default();
        PATHS.iter().for_each(|states| left.add(&path(states)));
        left
    }

    #[test]
    fn paths_come_back_the_last_one_first() {
        let mut left = filled();
        for (more, states) in PATHS.iter().enumerate().rev() {
            assert_eq!(left.len(), more + 1);
            let taken = left.take().expect("there are more");
            assert_eq!(taken, path(states).iter().collect::<Vec<_>>());
        }
        assert_eq!((left.take(), left.len()), (None, 0));
    }

    #[test]
    fn what_paths_share_is_kept_once() {
        let mut left = Left::default();
        let mut states: Vec<u64> = (0..1000).collect();
        for end in 1000..2000 {
            states.push(end);
            left.add(&path(&states));
            states.pop();
        }
        assert_eq!((left.len(), left.rests.len()), (1000, 999));
    }

    #[test]
    fn they_are_written_and_read() {
        let left = filled();
        let mut bytes = Vec::new();
        left.save(&mut Encoder(&mut bytes))
            .expect("memory does not fail");
        let read = |bytes: &[u8]| Left::restore(&mut Decoder(&mut &bytes[..]));
        assert_eq!(read(&bytes).expect("it is whole"), left);
        assert!(read(&bytes[..bytes.len() - 1]).is_err());
        let mut longer = left.clone();
        longer.cuts.push((9, 0));
        let mut bytes = Vec::new();
        longer
            .save(&mut Encoder(&mut bytes))
            .expect("memory does not fail");
        assert!(read(&bytes).is_err(), "it shares more than there is");
    }
}
