//! Watching a search while it runs.

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// How deep it is.
    pub depth: u64,
    /// States that are known but not yet looked at.
    pub frontier: u64,
    /// Memory in use.
    pub bytes: u64,
    /// How many states there may be in all, if anything can be said about it: at least, and at most.
    pub total: Option<(u64, u64)>,
}

/// Somebody who watches, and may ask the search to stop.
pub trait Watch {
    /// Called now and then; the search stops if the answer is [`Wish::Stop`].
    fn update(&mut self, progress: &Progress) -> Wish;
}

/// What a watcher wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To go on.
    GoOn,
    /// To stop and tell what there is.
    Stop,
}

/// Nobody watches.
pub struct Nobody;

impl Watch for Nobody {
    fn update(&mut self, _: &Progress) -> Wish {
        Wish::GoOn
    }
}
