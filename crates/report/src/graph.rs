//! The graph of states for other programs: Graphviz, tools that read Aldebaran's format, readers of JSON.

mod aut;
mod dot;

use crate::document::StateGraph;
use std::fmt;

/// In which form a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphForm {
    /// For Graphviz.
    Dot,
    /// A labelled transition system in Aldebaran's format, as CADP, mCRL2 and LTSmin read it.
    Aut,
    /// All that is known of it.
    Json,
}

/// Why a graph cannot be written in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// It is only a part, and the form cannot say so.
    Partial,
    /// It has no state.
    Empty,
    /// There is too much in it.
    Unwritable(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Partial => f.write_str("a `.aut` file cannot say that states are missing"),
            WriteError::Empty => f.write_str("the model has no state"),
            WriteError::Unwritable(what) => f.write_str(what),
        }
    }
}

impl GraphForm {
    /// All of them.
    pub const ALL: [GraphForm; 3] = [GraphForm::Dot, GraphForm::Aut, GraphForm::Json];

    /// What names of such files end with.
    pub fn extension(self) -> &'static str {
        match self {
            GraphForm::Dot => "dot",
            GraphForm::Aut => "aut",
            GraphForm::Json => "json",
        }
    }

    /// The form of files whose names end like that.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let mut all = GraphForm::ALL.into_iter();
        all.find(|form| form.extension() == extension)
    }

    /// A graph in this form.
    ///
    /// # Errors
    ///
    /// If the form has no words for it.
    pub fn write(self, graph: &StateGraph) -> Result<String, WriteError> {
        match self {
            GraphForm::Dot => Ok(dot::write(graph)),
            GraphForm::Aut => aut::write(graph),
            GraphForm::Json => serde_json::to_string(graph)
                .map(|text| text + "\n")
                .map_err(|error| WriteError::Unwritable(error.to_string())),
        }
    }
}
