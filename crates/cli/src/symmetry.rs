//! `mandala symmetry`: what is interchangeable in a model, and what is not.

use crate::args::SymmetryArguments;
use crate::check::Outputs;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::monitor::Monitor;
use crate::output::Output;
use crate::pending::{Draft, Pending};
use crate::{check, failed, load, stated};
use mandala_checker::document::symmetry::{self as tell, SymmetryReport};
use mandala_checker::frontend::LoadedModel;
use mandala_checker::watch::{Phase, Wish};
use mandala_report::document::SYMMETRY_SCHEMA;
use mandala_report::{diagnostics, json, text};
use std::path::{Path, PathBuf};

/// Finds the symmetry, shows it, writes it.
pub fn run(
    arguments: &SymmetryArguments,
    console: &Console,
    monitor: &Monitor,
) -> Result<Status, Failure> {
    let standard = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    if standard(&arguments.json) && standard(&arguments.proof) {
        let what = "`--json` and `--proof` cannot both go to the same place";
        return Err(Failure::Command(what.into()));
    }
    monitor.open(Pending {
        outputs: Outputs::of_symmetry(arguments)?,
        draft: Draft::Symmetry(arguments.model.clone()),
    });
    let found = find(arguments, console, monitor);
    let mut outputs = monitor.take();
    let (loaded, report) = match found {
        Ok(found) => found,
        Err(failure) => {
            let about = failed::source(&arguments.model);
            let document = failed::document(SYMMETRY_SCHEMA, about, &failure);
            outputs.write_failure(&document, console, failure.status())?;
            return Err(failure);
        }
    };
    let mut output = outputs.json;
    let is_taken = output.as_ref().is_some_and(Output::is_standard) || standard(&arguments.proof);
    let shown = match is_taken {
        true => Ok(()),
        false => console.print(&shown(&loaded, &report, console), Status::Fine),
    };
    if let Some(json) = &mut output {
        let text = json::write_symmetry(&report.document);
        let text = text.map_err(|error| Failure::Defect(error.to_string()))?;
        json.write(&text, console, Status::Fine)?;
    }
    shown?;
    match &arguments.proof {
        Some(path) => write_proof(arguments, &loaded, path, console),
        None => Ok(Status::Fine),
    }
}

/// Writes the proofs of what was found.
fn write_proof(
    arguments: &SymmetryArguments,
    loaded: &LoadedModel,
    path: &Path,
    console: &Console,
) -> Result<Status, Failure> {
    let mut output = Output::open(path)?;
    let proofs = mandala_checker::proofs::prove(loaded, &arguments.options());
    let proofs = proofs.map_err(|refusal| check::refused(refusal, loaded, console))?;
    let text = mandala_proof::document::write(&proofs);
    let text = text.map_err(|error| Failure::Defect(error.to_string()))?;
    output.write(&text, console, Status::Fine)?;
    Ok(Status::Fine)
}

fn find(
    arguments: &SymmetryArguments,
    console: &Console,
    monitor: &Monitor,
) -> Result<(LoadedModel, SymmetryReport), Failure> {
    let loaded = load::bounded_model(&arguments.model, arguments.stated.inputs()?, console)?;
    stated::require_selected(&loaded, &arguments.property)?;
    if monitor.enter(Phase::Preparing) == Wish::Stop {
        return Err(Failure::Interrupted);
    }
    match mandala_checker::symmetry(&loaded, &arguments.options()) {
        Ok(report) => Ok((loaded, report)),
        Err(refusal) => Err(check::refused(refusal, &loaded, console)),
    }
}

/// The group, and then the places that broke the rest of it.
fn shown(loaded: &LoadedModel, report: &SymmetryReport, console: &Console) -> String {
    let colour = console.output_colour();
    let mut text = text::symmetry::whole(&report.document, colour);
    for (title, decided) in [("Told apart", true), (text::symmetry::NOT_DECIDED, false)] {
        let notes = tell::notes(&report.prepared, decided);
        if !notes.is_empty() {
            let notes = diagnostics::notes(title, &notes, &loaded.sources, colour);
            text.push_str(&format!("\n{notes}"));
        }
    }
    text
}
