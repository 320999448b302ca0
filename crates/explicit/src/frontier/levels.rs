//! Level by level.
//!
//! A level is a list of chunks, each with the handles of some states of one class. Workers take chunks from the current
//! level and put chunks of new states to the next one; when the current level is empty and all workers are done,
//! the next one takes its place. A handle takes eight bytes, and a chunk is freed as soon as it has been expanded.

use super::{Frontier, Pool, Wait};
use crate::checkpoint::codec::{Decoder, Encoder};
use crate::monitor::Monitor;
use mandala_store::StateRef;
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many states a chunk has at most. Small enough that levels of a few thousand states can be shared.
const CHUNK: usize = 128;

/// How many successors are collected before they are looked up.
const ENOUGH: usize = 64;

/// The state that is looked up ahead is so many behind the one at hand: time enough to fetch it, and no more than the
/// processor's cache can hold.
const AHEAD: usize = 3;

/// Some states of one class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    pub class: u16,
    pub roots: Vec<u64>,
}

impl Chunk {
    fn bytes(&self) -> usize {
        size_of::<Chunk>() + self.roots.capacity() * size_of::<u64>()
    }
}

/// The current and the next level.
#[derive(Debug, Default)]
pub(crate) struct LevelPool {
    /// How many levels have been opened.
    opened: AtomicU32,
    current: Mutex<VecDeque<Chunk>>,
    next: Mutex<VecDeque<Chunk>>,
    /// Those of the current level that are too deep to be expanded.
    left: Mutex<VecDeque<Chunk>>,
    bytes: AtomicUsize,
}

impl LevelPool {
    /// The depth of the current level.
    pub(crate) fn depth(&self) -> u32 {
        self.opened.load(Ordering::Relaxed).saturating_sub(1)
    }

    fn add(&self, level: &Mutex<VecDeque<Chunk>>, chunk: Chunk) {
        self.bytes.fetch_add(chunk.bytes(), Ordering::Relaxed);
        lock(level).push_back(chunk);
    }

    fn take(&self) -> Option<Chunk> {
        let chunk = lock(&self.current).pop_front()?;
        self.bytes.fetch_sub(chunk.bytes(), Ordering::Relaxed);
        Some(chunk)
    }
}

impl Pool for LevelPool {
    fn begin(&self, _: usize) {}

    fn waiting(&self) -> Option<usize> {
        Some(count(&lock(&self.current)))
    }

    /// All workers have surrendered.
    fn advance(&self) -> usize {
        let next = std::mem::take(&mut *lock(&self.next));
        let waiting = count(&next);
        *lock(&self.current) = next;
        if waiting > 0 {
            self.opened.fetch_add(1, Ordering::Relaxed);
        }
        waiting
    }

    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

fn lock(level: &Mutex<VecDeque<Chunk>>) -> MutexGuard<'_, VecDeque<Chunk>> {
    level.lock().unwrap_or_else(PoisonError::into_inner)
}

fn count(level: &VecDeque<Chunk>) -> usize {
    level.iter().map(|chunk| chunk.roots.len()).sum()
}

fn save_level(level: &[&VecDeque<Chunk>], out: &mut Encoder<'_>) -> io::Result<()> {
    let chunks = level.iter().map(|chunks| chunks.len() as u64);
    out.number(chunks.sum())?;
    level.iter().copied().flatten().try_for_each(|chunk| {
        out.number(u64::from(chunk.class))?;
        out.numbers(&chunk.roots)
    })
}

fn restore_chunk(input: &mut Decoder<'_>) -> io::Result<Chunk> {
    Ok(Chunk {
        class: input.small()?,
        roots: input.numbers()?,
    })
}

/// What one worker has of the two levels.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    /// The chunk that is being expanded, from the end.
    chunk: Chunk,
    /// New states by class.
    open: Vec<Vec<u64>>,
    /// States that are too deep to be expanded.
    left: Chunk,
}

impl Frontier for Levels {
    type Pool = LevelPool;

    const KNOWS_PATH: bool = false;

    #[inline]
    fn next(&mut self, pool: &LevelPool) -> Option<(StateRef, u32)> {
        if self.chunk.roots.is_empty() {
            self.chunk = pool.take()?;
            // Chunks are used up from their ends, and states come in the order in which they were found.
            self.chunk.roots.reverse();
        }
        let root = self.chunk.roots.pop()?;
        Some((StateRef::new(self.chunk.class, root), pool.depth()))
    }

    #[inline]
    fn ahead(&self) -> Option<StateRef> {
        let place = self.chunk.roots.len().checked_sub(AHEAD)?;
        let root = self.chunk.roots[place];
        Some(StateRef::new(self.chunk.class, root))
    }

    #[inline]
    fn found(&mut self, state: StateRef, pool: &LevelPool) {
        let class = usize::from(state.class());
        if class >= self.open.len() {
            self.open.resize_with(class + 1, Vec::new);
        }
        self.open[class].push(state.root());
        if self.open[class].len() >= CHUNK {
            self.hand_over(class, pool);
        }
    }

    fn put_back(&mut self, state: StateRef) {
        self.chunk.class = state.class();
        self.chunk.roots.push(state.root());
    }

    fn leave(&mut self, state: StateRef, pool: &LevelPool) {
        if self.left.class != state.class() || self.left.roots.len() >= CHUNK {
            self.hand_over_left(pool);
        }
        self.left.class = state.class();
        self.left.roots.push(state.root());
    }

    #[inline]
    fn is_enough(successors: usize) -> bool {
        successors >= ENOUGH
    }

    #[inline]
    fn share(&mut self, _: &LevelPool) {}

    fn wait(&mut self, _: &LevelPool, _: &mut dyn Monitor) -> Wait<()> {
        Wait::Over
    }

    fn surrender(&mut self, pool: &LevelPool) {
        for class in 0..self.open.len() {
            self.hand_over(class, pool);
        }
        self.hand_over_left(pool);
        let mut chunk = std::mem::take(&mut self.chunk);
        if !chunk.roots.is_empty() {
            chunk.roots.reverse();
            pool.add(&pool.current, chunk);
        }
    }

    fn bytes(&self) -> usize {
        let open = self
            .open
            .iter()
            .map(|roots| roots.capacity() * size_of::<u64>());
        self.chunk.bytes() + self.left.bytes() + open.sum::<usize>()
    }

    fn left(pool: &LevelPool, _: &[&Self]) -> u64 {
        count(&lock(&pool.left)) as u64
    }

    fn save(pool: &LevelPool, _: &[&Self], out: &mut Encoder<'_>) -> io::Result<()> {
        out.number(u64::from(pool.opened.load(Ordering::Relaxed)))?;
        save_level(&[&lock(&pool.left), &lock(&pool.current)], out)?;
        save_level(&[&lock(&pool.next)], out)
    }

    fn restore(input: &mut Decoder<'_>) -> io::Result<LevelPool> {
        let pool = LevelPool {
            opened: AtomicU32::new(input.small()?),
            ..LevelPool::default()
        };
        for level in [&pool.current, &pool.next] {
            let chunks = input.list(restore_chunk)?;
            chunks.into_iter().for_each(|chunk| pool.add(level, chunk));
        }
        Ok(pool)
    }

    fn path(&self) -> Vec<StateRef> {
        Vec::new()
    }
}

impl Levels {
    /// Puts the new states of a class to the next level.
    fn hand_over(&mut self, class: usize, pool: &LevelPool) {
        let mut roots = std::mem::take(&mut self.open[class]);
        if !roots.is_empty() {
            roots.shrink_to_fit();
            let class = class as u16;
            pool.add(&pool.next, Chunk { class, roots });
        }
    }

    /// Puts the states that are too deep with those of others.
    fn hand_over_left(&mut self, pool: &LevelPool) {
        let chunk = std::mem::take(&mut self.left);
        if !chunk.roots.is_empty() {
            pool.add(&pool.left, chunk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_comes_after_the_one_before_it_in_the_order_of_discovery() {
        let pool = LevelPool::default();
        let mut worker = Levels::default();
        let states: Vec<_> = (0..1000).map(|root| StateRef::new(0, root)).collect();
        states.iter().for_each(|state| worker.found(*state, &pool));
        assert_eq!(worker.next(&pool), None);
        worker.surrender(&pool);
        assert_eq!(pool.advance(), 1000);
        let taken = std::iter::from_fn(|| worker.next(&pool));
        assert_eq!(taken.map(|(state, _)| state).collect::<Vec<_>>(), states);
        worker.surrender(&pool);
        assert_eq!((pool.advance(), pool.bytes()), (0, 0));
    }

    #[test]
    fn a_worker_that_stops_leaves_the_rest_to_others() {
        let pool = LevelPool::default();
        let (mut first, mut second) = (Levels::default(), Levels::default());
        for class in [3, 5] {
            (0..4).for_each(|root| first.found(StateRef::new(class, root), &pool));
        }
        first.surrender(&pool);
        pool.advance();
        let (state, _) = first.next(&pool).expect("a state");
        first.put_back(state);
        first.surrender(&pool);
        let left = std::iter::from_fn(|| second.next(&pool)).count();
        assert_eq!((left, pool.depth()), (8, 0));
    }

    #[test]
    fn what_was_left_waits_again_when_it_is_read() {
        let pool = LevelPool::default();
        let mut worker = Levels::default();
        let states: Vec<_> = (0..300)
            .map(|root| StateRef::new((root / 100) as u16, root))
            .collect();
        states.iter().for_each(|state| worker.found(*state, &pool));
        worker.surrender(&pool);
        assert_eq!(pool.advance(), 300);
        for _ in 0..250 {
            let (state, _) = worker.next(&pool).expect("a state");
            worker.leave(state, &pool);
        }
        worker.surrender(&pool);
        assert_eq!(Levels::left(&pool, &[]), 250);
        let mut bytes = Vec::new();
        Levels::save(&pool, &[], &mut Encoder(&mut bytes)).expect("it can be written");
        let pool = Levels::restore(&mut Decoder(&mut &bytes[..])).expect("it can be read");
        let taken = std::iter::from_fn(|| worker.next(&pool)).map(|(state, _)| state);
        assert_eq!(taken.collect::<Vec<_>>(), states);
        assert_eq!((Levels::left(&pool, &[]), pool.depth()), (0, 0));
    }
}
