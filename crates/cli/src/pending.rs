//! The answer of a command that is not done: where it goes, and what is written there if the command is cut off.

use crate::args::ModelArguments;
use crate::check::{Outputs, present};
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::failed;
use mandala_checker::document::draft::{Cutoff, cut_off};
use mandala_checker::frontend::LoadedModel;
use mandala_report::Document;
use mandala_report::document::{SCHEMA, SYMMETRY_SCHEMA};
use std::sync::Arc;

/// An answer that is not written yet.
pub struct Pending {
    /// Where it goes.
    pub outputs: Outputs,
    /// What is known so far.
    pub draft: Draft,
}

/// What is known so far of an answer.
pub enum Draft {
    /// That of `mandala check` or `mandala resume`.
    Check {
        /// The document, without the reason for ending.
        document: Box<Document>,
        /// The model, if it is read.
        loaded: Option<Arc<LoadedModel>>,
    },
    /// That of `mandala symmetry`: half a group is none.
    Symmetry(ModelArguments),
}

impl Draft {
    /// Whether it is about a search that writes checkpoints.
    pub fn has_checkpoints(&self) -> bool {
        match self {
            Draft::Check { document, .. } => document.search.checkpoint.is_some(),
            Draft::Symmetry(_) => false,
        }
    }
}

impl Pending {
    /// Writes what is known so far, and why it is not more.
    pub fn cut_off(mut self, cutoff: &Cutoff, console: &Console) -> Result<Status, Failure> {
        match self.draft {
            Draft::Check { document, loaded } => {
                let document = cut_off(*document, cutoff);
                present(&mut self.outputs, loaded.as_deref(), &document, console)
            }
            draft @ Draft::Symmetry(_) => {
                let pending = Pending { draft, ..self };
                Err(pending.fail(Failure::Interrupted, console))
            }
        }
    }

    /// Writes that there is no answer.
    pub fn fail(mut self, failure: Failure, console: &Console) -> Failure {
        let document = match &self.draft {
            Draft::Check { document, .. } => {
                failed::document(SCHEMA, document.model.clone(), &failure)
            }
            Draft::Symmetry(model) => {
                failed::document(SYMMETRY_SCHEMA, failed::source(model), &failure)
            }
        };
        let written = self
            .outputs
            .write_failure(&document, console, failure.status());
        written.err().unwrap_or(failure)
    }
}
