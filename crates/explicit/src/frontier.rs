//! The two search orders, as the loop sees them.

mod left;
mod levels;
mod stack;

pub(crate) use levels::Levels;
pub(crate) use stack::Stack;

use crate::checkpoint::codec::{Decoder, Encoder};
use crate::monitor::Monitor;
use mandala_store::StateRef;
use std::io;

/// What comes of waiting for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wait<T> {
    /// Some.
    Work(T),
    /// None yet.
    Again,
    /// There is none and none will come.
    Over,
}

/// What the workers share of the states that wait, as the coordinator sees it.
pub(crate) trait Pool: Default + Sync {
    /// So many workers start together.
    fn begin(&self, workers: usize);

    /// How many states wait, if that is known without asking the workers.
    fn waiting(&self) -> Option<usize>;

    /// Nothing is left to be expanded: goes to the next level, and says how many states it has.
    fn advance(&self) -> usize;

    /// The memory that belongs to no worker.
    fn bytes(&self) -> usize;
}

/// A worker's part of the states that wait to be expanded.
pub(crate) trait Frontier: Send + Default {
    /// What the workers share.
    type Pool: Pool;

    /// Whether the way to the state at hand is known. If not, it is found again when it is wanted.
    const KNOWS_PATH: bool;

    /// The next state to expand and its depth; nothing if the worker has none left.
    fn next(&mut self, pool: &Self::Pool) -> Option<(StateRef, u32)>;

    /// A state that will be expanded soon, if that is known.
    fn ahead(&self) -> Option<StateRef>;

    /// A new state was found from the one that [`Frontier::next`] gave last.
    fn found(&mut self, state: StateRef, pool: &Self::Pool);

    /// The state that [`Frontier::next`] gave last could not be expanded and waits again. Nothing was found
    /// from it.
    fn put_back(&mut self, state: StateRef);

    /// The state that [`Frontier::next`] gave last is too deep to be expanded, and is kept for a search that goes deeper.
    fn leave(&mut self, state: StateRef, pool: &Self::Pool);

    /// Whether so many successors are looked up now, or more states expanded first.
    fn is_enough(successors: usize) -> bool;

    /// Gives some work away if another worker has none.
    fn share(&mut self, pool: &Self::Pool);

    /// Waits a little for work.
    fn wait(&mut self, pool: &Self::Pool, monitor: &mut dyn Monitor) -> Wait<()>;

    /// The worker stops for a while; what it has found and not expanded is where it can be seen.
    fn surrender(&mut self, pool: &Self::Pool);

    /// The memory that the worker's part takes.
    fn bytes(&self) -> usize;

    /// How many states were left because they are too deep.
    fn left(pool: &Self::Pool, workers: &[&Self]) -> u64;

    /// Writes down everything that waits, while no worker works, and what was left: a search that goes on looks at it again.
    fn save(pool: &Self::Pool, workers: &[&Self], out: &mut Encoder<'_>) -> io::Result<()>;

    /// Reads what was written down; all of it is then in the pool.
    fn restore(input: &mut Decoder<'_>) -> io::Result<Self::Pool>;

    /// The states from the start to the one that [`Frontier::next`] gave last; none if they are not known.
    fn path(&self) -> Vec<StateRef>;
}
