//! Stands between a check and the limit monitor.

use crate::monitor::Monitor;
use crate::pending::Draft;
use mandala_checker::document::draft::draft;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::outcome::Interim;
use mandala_checker::watch::{Phase, Progress, ProgressObserver, Watch, Wish};
use std::sync::Arc;

/// Hands on to the monitor what a check tells of itself.
pub struct Watcher<'m> {
    /// The monitor.
    pub monitor: &'m Monitor,
    /// The model that is checked.
    pub loaded: Arc<LoadedModel>,
}

impl ProgressObserver for Watcher<'_> {
    fn update(&mut self, progress: &Progress) -> Wish {
        self.monitor.update(progress)
    }
}

impl Watch for Watcher<'_> {
    fn enter(&mut self, phase: Phase) -> Wish {
        self.monitor.enter(phase)
    }

    fn learn(&mut self, known: Interim<'_>) {
        self.monitor.learn(Draft::Check {
            document: Box::new(draft(known)),
            loaded: Some(Arc::clone(&self.loaded)),
        });
    }
}
