//! `mandala symmetry`: what is interchangeable in a model, and what is not.

use crate::args::SymmetryArguments;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::output::Output;
use crate::{check, failed, load};
use mandala_checker::frontend::LoadedModel;
use mandala_checker::symmetry::{SymmetryReport, tell};
use mandala_report::document::SYMMETRY_SCHEMA;
use mandala_report::{diagnostics, json, text};

/// Finds the symmetry, shows it, writes it.
pub fn run(arguments: &SymmetryArguments, console: &Console) -> Result<Status, Failure> {
    let mut output = arguments.json.as_deref().map(Output::open).transpose()?;
    let (loaded, report) = match find(arguments, console) {
        Ok(found) => found,
        Err(failure) => {
            if let Some(json) = &mut output {
                let document = failed::document(SYMMETRY_SCHEMA, &arguments.model, &failure)?;
                json.write(&document, console, Status::Wrong)?;
            }
            return Err(failure);
        }
    };
    if !output.as_ref().is_some_and(Output::is_standard) {
        console.print(&shown(&loaded, &report, console), Status::Fine)?;
    }
    if let Some(json) = &mut output {
        let text = json::write_symmetry(&report.document);
        let text = text.map_err(|error| Failure::Defect(error.to_string()))?;
        json.write(&text, console, Status::Fine)?;
    }
    Ok(Status::Fine)
}

fn find(
    arguments: &SymmetryArguments,
    console: &Console,
) -> Result<(LoadedModel, SymmetryReport), Failure> {
    let loaded = load::model(&arguments.model, arguments.stated.inputs()?, console)?;
    match mandala_checker::symmetry(&loaded, &arguments.options(&loaded.stated_names)) {
        Ok(report) => Ok((loaded, report)),
        Err(refusal) => Err(check::refused(refusal, &loaded, console)),
    }
}

/// The group, and then the places that broke the rest of it.
fn shown(loaded: &LoadedModel, report: &SymmetryReport, console: &Console) -> String {
    let colour = console.output_colour();
    let mut text = text::symmetry::whole(&report.document, colour);
    let notes = tell::notes(&report.detected);
    if !notes.is_empty() {
        let notes = diagnostics::notes("Told apart", &notes, &loaded.sources, colour);
        text.push_str(&format!("\n{notes}"));
    }
    text
}
