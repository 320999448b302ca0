//! Progress of a search, and the wish to stop it.

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// How deep it is.
    pub depth: u64,
    /// States that are known but not yet expanded.
    pub frontier: u64,
    /// Memory in use.
    pub bytes: u64,
    /// How many states there may be in all, if anything can be said about it: at least, and at most.
    pub total: Option<(u64, u64)>,
}

/// Observes a search while it runs, and may ask it to stop.
pub trait ProgressObserver {
    /// Called now and then; the search stops if the answer is [`Wish::Stop`].
    fn update(&mut self, progress: &Progress) -> Wish;
}

/// What an observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To go on.
    GoOn,
    /// To stop and tell what there is.
    Stop,
}
