//! `mandala replay`: makes the run of a counterexample again.

use crate::args::{ModelArguments, ReplayArguments};
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::load;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::retrace::{self, RetraceError};
use mandala_report::style::{Tone, counted};
use mandala_report::{Document, text};
use std::path::{Path, PathBuf};

/// Replays every trace of the document, and says so.
pub fn run(arguments: &ReplayArguments, console: &Console) -> Result<Status, Failure> {
    let document = load::document(&arguments.trace)?;
    let loaded = model_of(
        &document,
        &arguments.trace,
        arguments.model.as_deref(),
        console,
    )?;
    let mut traces = document.counterexamples().peekable();
    if traces.peek().is_none() {
        return Err(failed(&RetraceError::NoTrace, &loaded, &document));
    }
    for (violation, trace) in traces {
        let run = retrace::retrace(&loaded, trace, violation)
            .map_err(|error| failed(&error, &loaded, &document))?;
        let colour = console.output_colour();
        let steps = counted(run.steps().len() as u64, "step");
        let good = colour.paint(Tone::Good, "✓ replayed");
        let line = format!("{good}  {steps}: {}\n", violation.message);
        let text = match arguments.quiet {
            true => line,
            false => format!(
                "{line}\n{}",
                text::run(violation, trace, document.claim_steps(trace), colour)
            ),
        };
        console.print(&text, Status::Fine)?;
    }
    Ok(Status::Fine)
}

/// The model of a document: where it was, else beside the document, unless a place is given.
pub fn model_of(
    document: &Document,
    beside: &Path,
    given: Option<&Path>,
    console: &Console,
) -> Result<LoadedModel, Failure> {
    let told = Path::new(&document.model.path);
    let model = match given {
        Some(path) => path.to_path_buf(),
        None => existing(told, beside),
    };
    let arguments = ModelArguments {
        model,
        define: document.model.defines.clone(),
    };
    load::model(&arguments, console)
}

fn existing(told: &Path, beside: &Path) -> PathBuf {
    let neighbour = || Some(beside.parent()?.join(told.file_name()?));
    match neighbour().filter(|path| !told.exists() && path.exists()) {
        Some(path) => path,
        None => told.to_path_buf(),
    }
}

fn failed(error: &RetraceError, loaded: &LoadedModel, document: &Document) -> Failure {
    let hint = match retrace::has_changed(loaded, document) {
        true => " (the model has changed since the trace was written)",
        false => "",
    };
    Failure::Command(format!("the trace does not replay: {error}{hint}"))
}
