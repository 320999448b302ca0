//! A body whose statements are collected, before it becomes an automaton.

use super::graph::{Graph, SequenceId};
use mandala_model::ids::TemplateId;

/// The kinds of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Process,
    Claim,
    Events,
}

/// A body whose statements are all there.
#[derive(Debug)]
pub(super) struct Finished {
    pub template: TemplateId,
    pub kind: FrameKind,
    pub graph: Graph,
    pub whole: SequenceId,
}
