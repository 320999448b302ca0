//! Deepest first.
//!
//! A worker has a stack of states that wait, cut into *frames*: the states found from the first state of its path, those
//! found from the second, and so on. So no state needs its depth, and the path to each is at hand. The
//! state that was found last is expanded first.
//!
//! # Several workers
//!
//! A worker that has nothing to do says so, and the next worker with more than one state gives half of its
//! lowest frame away, with the path that leads there. The lowest states have the largest part of the search below them, so
//! not much has to be given away. When no worker has anything to do, the search is over.

use super::left::Left;
use super::{Frontier, Pool, Wait};
use crate::checkpoint::blocks::damaged;
use crate::checkpoint::codec::{Decoder, Encoder};
use crate::handles::{Handles, push};
use crate::monitor::Monitor;
use mandala_store::StateRef;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a worker waits before it looks at the limits again.
const NAP: Duration = Duration::from_millis(5);

/// How many states are expanded at least between two gifts.
const PATIENCE: usize = 32;

/// States that wait, and how they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Parcel {
    /// The states whose successors wait, each found from the one before it.
    path: Handles,
    /// Where the states of each depth begin among those that wait. There is one depth more than there are states
    /// in the path, as the start was found from nothing.
    frames: Vec<usize>,
    waiting: Handles,
}

impl Parcel {
    /// The last state of a path, which waits.
    fn of_end(path: &[StateRef]) -> Option<Self> {
        let (end, path) = path.split_last()?;
        Some(Parcel {
            path: path.iter().copied().collect(),
            frames: vec![0; path.len() + 1],
            waiting: [*end].into_iter().collect(),
        })
    }

    fn save(&self, out: &mut Encoder<'_>) -> io::Result<()> {
        out.states(self.path.iter())?;
        let frames: Vec<u64> = self.frames.iter().map(|begin| *begin as u64).collect();
        out.numbers(&frames)?;
        out.states(self.waiting.iter())
    }

    fn restore(input: &mut Decoder<'_>) -> io::Result<Self> {
        let path: Handles = input.states()?.into_iter().collect();
        let frames: Vec<usize> = input.list(|input| input.small())?;
        let waiting: Handles = input.states()?.into_iter().collect();
        let fits = frames.is_sorted()
            && frames.first() == Some(&0)
            && frames.last().is_some_and(|last| *last <= waiting.len())
            && frames.len() <= path.len() + 1;
        match fits {
            true => Ok(Parcel {
                path,
                frames,
                waiting,
            }),
            false => Err(damaged()),
        }
    }

    fn bytes(&self) -> usize {
        self.path.bytes() + self.waiting.bytes() + self.frames.capacity() * size_of::<usize>()
    }
}

/// What is given away, and who waits for it.
#[derive(Debug, Default)]
pub(crate) struct StackPool {
    counter: Mutex<Counter>,
    arrived: Condvar,
    /// How many workers wait for parcels that are not there yet.
    hungry: AtomicUsize,
    /// What the parcels take.
    bytes: AtomicUsize,
}

#[derive(Debug, Default)]
struct Counter {
    parcels: Vec<Parcel>,
    /// What an earlier part of the search has left, and this one looks at again.
    left: Vec<Left>,
    /// How many workers take part.
    workers: usize,
    /// How many of them have nothing to do.
    idle: usize,
    over: bool,
}

impl Counter {
    /// How many workers can have something.
    fn offers(&self) -> usize {
        self.parcels.len() + self.left.iter().map(Left::len).sum::<usize>()
    }

    /// Something for one worker, and by how many bytes there is less then.
    fn offer(&mut self) -> Option<(Parcel, usize)> {
        if let Some(parcel) = self.parcels.pop() {
            let bytes = parcel.bytes();
            return Some((parcel, bytes));
        }
        let left = self.left.last_mut()?;
        let before = left.bytes();
        let parcel = Parcel::of_end(&left.take()?)?;
        let freed = match left.len() {
            0 => before,
            _ => before - left.bytes(),
        };
        if left.len() == 0 {
            self.left.pop();
        }
        Some((parcel, freed))
    }
}

impl StackPool {
    /// Work for a worker that has none.
    fn add(&self, parcel: Parcel) {
        let mut counter = self.lock();
        self.bytes.fetch_add(parcel.bytes(), Ordering::Relaxed);
        counter.parcels.push(parcel);
        self.update(&counter);
        self.arrived.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Counter> {
        self.counter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, counter: &Counter) {
        let hungry = counter.idle.saturating_sub(counter.offers());
        self.hungry.store(hungry, Ordering::Relaxed);
    }

    /// Takes a parcel, or waits a little for one.
    fn take(&self) -> Wait<Parcel> {
        let mut counter = self.lock();
        counter.idle += 1;
        self.update(&counter);
        if counter.offers() == 0 && counter.idle < counter.workers {
            let waited = self.arrived.wait_timeout(counter, NAP);
            counter = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let parcel = counter.offer();
        counter.over |= parcel.is_none() && counter.idle == counter.workers;
        if counter.over {
            self.arrived.notify_all();
            return Wait::Over;
        }
        counter.idle -= 1;
        self.update(&counter);
        match parcel {
            Some((parcel, freed)) => {
                self.bytes.fetch_sub(freed, Ordering::Relaxed);
                Wait::Work(parcel)
            }
            None => Wait::Again,
        }
    }
}

impl Pool for StackPool {
    fn begin(&self, workers: usize) {
        let mut counter = self.lock();
        (counter.workers, counter.idle, counter.over) = (workers, 0, false);
        self.update(&counter);
    }

    fn waiting(&self) -> Option<usize> {
        None
    }

    fn advance(&self) -> usize {
        0
    }

    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// One worker's states.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    /// The path to the state that was taken last.
    path: Handles,
    /// Where the states of each depth begin among those that wait.
    frames: Vec<usize>,
    /// All states that wait, by depth.
    waiting: Handles,
    /// The lowest depth at which something may wait, and how many states of it were given away. All below it is
    /// gone.
    lowest: usize,
    given: usize,
    /// How many states are expanded before something is given away again.
    patience: usize,
    /// The paths to states that are too deep to be expanded.
    left: Left,
}

impl Frontier for Stack {
    type Pool = StackPool;

    const KNOWS_PATH: bool = true;

    #[inline]
    fn next(&mut self, _: &StackPool) -> Option<(StateRef, u32)> {
        loop {
            let depth = self.frames.len().checked_sub(1)?;
            if self.waiting.len() > self.begin(depth) {
                let state = self.waiting.pop()?;
                self.path.truncate(depth);
                self.path.push(state);
                push(&mut self.frames, self.waiting.len());
                return Some((state, depth as u32));
            }
            self.drop_frame(depth);
        }
    }

    /// What is expanded next is mostly found only now, and is still at hand.
    #[inline]
    fn ahead(&self) -> Option<StateRef> {
        None
    }

    #[inline]
    fn found(&mut self, state: StateRef, _: &StackPool) {
        if self.frames.is_empty() {
            self.frames.push(0);
        }
        self.waiting.push(state);
    }

    fn put_back(&mut self, state: StateRef) {
        self.frames.pop();
        self.path.pop();
        self.waiting.push(state);
    }

    fn leave(&mut self, _: StateRef, _: &StackPool) {
        self.left.add(&self.path);
    }

    #[inline]
    fn is_enough(_: usize) -> bool {
        true
    }

    #[inline]
    fn share(&mut self, pool: &StackPool) {
        if self.patience > 0 {
            self.patience -= 1;
        } else if pool.hungry.load(Ordering::Relaxed) > 0 {
            self.give(pool);
        }
    }

    fn wait(&mut self, pool: &StackPool, monitor: &mut dyn Monitor) -> Wait<()> {
        match pool.take() {
            Wait::Work(parcel) => {
                self.take_up(parcel);
                Wait::Work(())
            }
            Wait::Again => {
                monitor.check(0);
                Wait::Again
            }
            Wait::Over => Wait::Over,
        }
    }

    fn surrender(&mut self, _: &StackPool) {}

    fn bytes(&self) -> usize {
        let frames = self.frames.capacity() * size_of::<usize>();
        self.path.bytes() + self.waiting.bytes() + frames + self.left.bytes()
    }

    fn left(_: &StackPool, workers: &[&Self]) -> u64 {
        workers.iter().map(|stack| stack.left.len() as u64).sum()
    }

    fn save(pool: &StackPool, workers: &[&Self], out: &mut Encoder<'_>) -> io::Result<()> {
        let mut parcels = pool.lock().parcels.clone();
        parcels.extend(workers.iter().filter_map(|stack| stack.snapshot()));
        out.number(parcels.len() as u64)?;
        parcels.iter().try_for_each(|parcel| parcel.save(out))?;
        let mut left = pool.lock().left.clone();
        left.extend(workers.iter().map(|stack| stack.left.clone()));
        left.retain(|left| left.len() > 0);
        out.number(left.len() as u64)?;
        left.iter().try_for_each(|left| left.save(out))
    }

    fn restore(input: &mut Decoder<'_>) -> io::Result<StackPool> {
        let pool = StackPool::default();
        let parcels = input.list(Parcel::restore)?;
        parcels.into_iter().for_each(|parcel| pool.add(parcel));
        let left = input.list(Left::restore)?;
        let bytes = left.iter().map(Left::bytes).sum();
        pool.bytes.fetch_add(bytes, Ordering::Relaxed);
        pool.lock().left = left;
        Ok(pool)
    }

    fn path(&self) -> Vec<StateRef> {
        self.path.iter().collect()
    }
}

impl Stack {
    /// Where the states of a depth begin that are still there.
    #[inline]
    fn begin(&self, depth: usize) -> usize {
        let given = if depth == self.lowest { self.given } else { 0 };
        self.frames[depth] + given
    }

    /// Nothing waits at the greatest depth any more.
    #[inline]
    fn drop_frame(&mut self, depth: usize) {
        self.frames.pop();
        if depth <= self.lowest {
            *self = Stack {
                left: std::mem::take(&mut self.left),
                ..Stack::default()
            };
        }
    }

    /// Goes on with the work of another worker.
    fn take_up(&mut self, parcel: Parcel) {
        let below = parcel.frames.iter().take_while(|begin| **begin == 0);
        *self = Stack {
            lowest: below.count().saturating_sub(1),
            given: 0,
            patience: PATIENCE,
            path: parcel.path,
            frames: parcel.frames,
            waiting: parcel.waiting,
            left: std::mem::take(&mut self.left),
        };
    }

    /// Everything that waits here.
    fn snapshot(&self) -> Option<Parcel> {
        let gone = self.begin(self.lowest.min(self.frames.len().checked_sub(1)?));
        if self.waiting.len() <= gone {
            return None;
        }
        let frames = self.frames.iter().map(|begin| begin.saturating_sub(gone));
        Some(Parcel {
            path: self.path.clone(),
            frames: frames.collect(),
            waiting: (gone..self.waiting.len())
                .map(|i| self.waiting.get(i))
                .collect(),
        })
    }

    /// Gives away half of what waits at the lowest depth, if that leaves something to do.
    #[cold]
    fn give(&mut self, pool: &StackPool) {
        let Some((begin, end)) = self.find_lowest() else {
            return;
        };
        let some = match end - begin {
            1 if self.waiting.len() > end => 1,
            many => many / 2,
        };
        if some > 0 {
            let states = begin..begin + some;
            self.given += some;
            // To copy the path must not take longer than to search.
            self.patience = PATIENCE + self.lowest / 16;
            pool.add(Parcel {
                path: self.path.iter().take(self.lowest).collect(),
                frames: vec![0; self.lowest + 1],
                waiting: states.map(|index| self.waiting.get(index)).collect(),
            });
        }
    }

    /// Finds the lowest depth at which something waits, and where that is.
    fn find_lowest(&mut self) -> Option<(usize, usize)> {
        while self.lowest < self.frames.len() {
            let end = self.frames.get(self.lowest + 1);
            let end = end.map_or(self.waiting.len(), |end| *end);
            let begin = self.begin(self.lowest);
            if begin < end {
                return Some((begin, end));
            }
            (self.lowest, self.given) = (self.lowest + 1, 0);
        }
        self.lowest = self.frames.len().saturating_sub(1);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Unlimited;

    impl Monitor for Unlimited {
        fn check(&mut self, _: usize) -> bool {
            true
        }
    }

    fn state(number: u64) -> StateRef {
        StateRef::new((number % 3) as u16, number)
    }

    /// Expands the next state of a tree in which a number below 100 has two successors; gives it with its path.
    fn step(stack: &mut Stack, pool: &StackPool) -> Option<(StateRef, Vec<StateRef>)> {
        let (next, depth) = stack.next(pool)?;
        let path = stack.path();
        assert_eq!(path.len(), depth as usize + 1);
        for pair in path.windows(2) {
            assert_eq!(
                pair[1].root() / 2,
                pair[0].root(),
                "found from its predecessor"
            );
        }
        if next.root() < 100 {
            stack.found(state(2 * next.root()), pool);
            stack.found(state(2 * next.root() + 1), pool);
        }
        Some((next, path))
    }

    fn all(stack: &mut Stack, pool: &StackPool) -> Vec<u64> {
        std::iter::from_fn(|| step(stack, pool))
            .map(|(state, _)| state.root())
            .collect()
    }

    fn started(pool: &StackPool) -> Stack {
        let mut stack = Stack::default();
        stack.found(state(1), pool);
        stack
    }

    #[test]
    fn the_last_state_found_is_the_next_one() {
        let pool = StackPool::default();
        let order = all(&mut started(&pool), &pool);
        assert_eq!(order.len(), 199);
        assert_eq!(order[..9], [1, 3, 7, 15, 31, 63, 127, 126, 62]);
    }

    #[test]
    fn a_state_that_is_put_back_is_the_next_one_again() {
        let pool = StackPool::default();
        let mut stack = started(&pool);
        for _ in 0..7 {
            step(&mut stack, &pool);
        }
        let (next, _) = stack.next(&pool).expect("something is left");
        let path = stack.path();
        stack.put_back(next);
        assert_eq!(step(&mut stack, &pool), Some((next, path)));
    }

    #[test]
    fn what_is_given_away_is_found_by_one_other_worker() {
        for steps in 0..40 {
            let pool = StackPool::default();
            pool.begin(2);
            let (mut giver, mut taker) = (started(&pool), Stack::default());
            let head = (0..steps).filter_map(|_| step(&mut giver, &pool));
            let mut found: Vec<u64> = head.map(|(state, _)| state.root()).collect();
            giver.give(&pool);
            giver.give(&pool);
            found.extend(all(&mut giver, &pool));
            // The giver waits for more, and so the taker is told in the end that nothing will come.
            pool.lock().idle = 1;
            while taker.wait(&pool, &mut Unlimited) == Wait::Work(()) {
                found.extend(all(&mut taker, &pool));
            }
            found.sort_unstable();
            assert_eq!(found, Vec::from_iter(1..200), "given after {steps} steps");
        }
    }

    #[test]
    fn a_snapshot_is_everything_that_waits() {
        for steps in 1..60 {
            let pool = StackPool::default();
            let mut stack = started(&pool);
            let head = (0..steps).filter_map(|_| step(&mut stack, &pool));
            let mut found: Vec<u64> = head.map(|(state, _)| state.root()).collect();
            stack.give(&pool);
            let parcels = pool.lock().parcels.drain(..).collect::<Vec<_>>();
            for parcel in stack.snapshot().into_iter().chain(parcels) {
                let mut other = Stack::default();
                other.take_up(parcel);
                found.extend(all(&mut other, &pool));
            }
            found.sort_unstable();
            assert_eq!(found, Vec::from_iter(1..200), "after {steps} steps");
        }
    }

    #[test]
    fn parcels_are_written_and_read() {
        let pool = StackPool::default();
        let mut stack = started(&pool);
        (0..11).for_each(|_| {
            step(&mut stack, &pool);
        });
        let parcel = stack.snapshot().expect("something waits");
        let mut bytes = Vec::new();
        parcel
            .save(&mut Encoder(&mut bytes))
            .expect("memory does not fail");
        let read = Parcel::restore(&mut Decoder(&mut &bytes[..]));
        assert_eq!(read.expect("it is whole"), parcel);
        let cut = Parcel::restore(&mut Decoder(&mut &bytes[..bytes.len() - 1]));
        assert!(cut.is_err());
    }
}
