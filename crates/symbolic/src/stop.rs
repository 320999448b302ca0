//! The reasons for which a computation with diagrams ends before it has a result.

use crate::slots::ProcessSlot;
use mandala_engine::Limit;
use mandala_model::source::Span;
use std::fmt;

/// One cell, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellId(pub usize);

/// Something that there is no room for in the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// A number that this cell has too few bits for.
    Number(CellId),
    /// A process that has no cells.
    Process(ProcessSlot),
    /// A value of a cell of the process at that place that was taken for always the same.
    First(usize, usize),
}

/// The reason why something was not computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// There is no room for more nodes.
    Nodes,
    /// The model has something that this engine does not take.
    Unsupported(Unsupported),
    /// A limit of the user.
    Limit(Limit),
    /// A larger store is wanted.
    Outgrown,
    /// Things are met that do not fit into the cells.
    Narrow(Vec<Misfit>),
}

impl Stop {
    /// The model has something that this engine does not take.
    pub(crate) fn unsupported(construct: impl Into<String>, span: Option<Span>) -> Self {
        Stop::Unsupported(Unsupported {
            construct: construct.into(),
            span,
        })
    }
}

/// Something in a model that this engine does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in words.
    pub construct: String,
    /// Where it stands, if it stands somewhere.
    pub span: Option<Span>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`--engine symbolic` does not take {}; `--engine explicit` does",
            self.construct
        )
    }
}

impl std::error::Error for Unsupported {}
