//! `mandala symmetry`: what is interchangeable in a model, and what is not.

use crate::args::SymmetryArguments;
use crate::check::Outputs;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::monitor::Monitor;
use crate::output::Output;
use crate::pending::{Draft, Pending};
use crate::{check, failed, load, stated};
use mandala_checker::document::graph::permutation_group;
use mandala_checker::document::symmetry::{self as tell, Standing, SymmetryReport};
use mandala_checker::frontend::LoadedModel;
use mandala_checker::watch::{Phase, Wish};
use mandala_report::document::SYMMETRY_SCHEMA;
use mandala_report::{diagnostics, gap, json, text};
use std::path::Path;

/// Finds the symmetry, shows it, writes it.
pub fn run(
    arguments: &SymmetryArguments,
    console: &Console,
    monitor: &Monitor,
) -> Result<Status, Failure> {
    require_apart(arguments)?;
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
    let is_taken = places(arguments).iter().any(|(_, path)| is_standard(path));
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
    if let Some(path) = &arguments.gap {
        let group = permutation_group(&report.prepared);
        let text = gap::write(&group, &report.document.model.path);
        Output::open(path)?.write(&text, console, Status::Fine)?;
    }
    match &arguments.proof {
        Some(path) => write_proof(arguments, &loaded, path, console),
        None => Ok(Status::Fine),
    }
}

/// Where results go, by the options that say so.
fn places(arguments: &SymmetryArguments) -> [(&'static str, Option<&Path>); 3] {
    [
        ("--json", arguments.json.as_deref()),
        ("--proof", arguments.proof.as_deref()),
        ("--gap", arguments.gap.as_deref()),
    ]
}

fn is_standard(path: &Option<&Path>) -> bool {
    *path == Some(Path::new("-"))
}

/// Refuses to write two results to one place.
fn require_apart(arguments: &SymmetryArguments) -> Result<(), Failure> {
    let places = places(arguments);
    for (index, (one, path)) in places.iter().enumerate() {
        let mut others = places[index + 1..].iter();
        if path.is_some()
            && let Some((other, _)) = others.find(|(_, other)| other == path)
        {
            return Err(Failure::Command(format!(
                "`{one}` and `{other}` cannot both go to the same place"
            )));
        }
    }
    Ok(())
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
    let mut text = text::fitted(
        &text::symmetry::whole(&report.document, colour),
        &console.view(),
    );
    for standing in Standing::ALL {
        let title = match standing {
            Standing::ToldApart => "Not interchangeable",
            Standing::NotProven => "Not proven",
            Standing::NotDecided => text::symmetry::NOT_DECIDED,
        };
        let notes = tell::notes(loaded, &report.prepared, standing);
        if !notes.is_empty() {
            let notes = diagnostics::notes(title, &notes, &loaded.sources, colour);
            text.push_str(&format!("\n{notes}"));
        }
    }
    text
}
