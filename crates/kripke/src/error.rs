//! The errors of this crate: input that is not well formed.

use std::fmt;

/// Why a structure could not be made, or a question about one not be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KripkeError {
    /// A start or the target of an edge is not among the nodes.
    UnknownNode(u32),
    /// An edge has a label that was never made.
    UnknownLabel(u32),
    /// There are fewer propositions.
    UnknownProposition(u32),
    /// There are fewer actors.
    UnknownActor(u16),
    /// An automaton has fewer states.
    UnknownState(u32),
    /// A renaming does not give every actor a name of its own.
    NotAPermutation,
    /// There are more nodes, edges or actors than can be numbered.
    TooLarge,
}

impl fmt::Display for KripkeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KripkeError::UnknownNode(node) => write!(f, "there is no node {node}"),
            KripkeError::UnknownLabel(label) => write!(f, "there is no label {label}"),
            KripkeError::UnknownProposition(number) => {
                write!(f, "there is no proposition {number}")
            }
            KripkeError::UnknownActor(actor) => write!(f, "there is no actor {actor}"),
            KripkeError::UnknownState(state) => write!(f, "the automaton has no state {state}"),
            KripkeError::NotAPermutation => write!(f, "the renaming is not a permutation"),
            KripkeError::TooLarge => write!(f, "the graph is too large to be numbered"),
        }
    }
}

impl std::error::Error for KripkeError {}
