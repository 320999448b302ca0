//! `mandala check`: the main job.

use crate::args::CheckArguments;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::progress::{Line, ProgressLine};
use crate::{interrupt, load};
use mandala_checker::Refusal;
use mandala_checker::run::CheckError;
use mandala_checker::trail;
use mandala_report::{Document, json, text};
use std::path::Path;

/// Checks, shows, writes.
pub fn run(arguments: &CheckArguments, console: &Console) -> Result<Status, Failure> {
    let loaded = load::model(&arguments.model, console)?;
    if arguments.trail.is_some() {
        trail::require_possible(&loaded).map_err(Failure::Command)?;
    }
    interrupt::install()?;
    let mut progress = ProgressLine::new(console, line(arguments, console));
    let document = mandala_checker::check(&loaded, &arguments.options(), &mut progress);
    progress.clear();
    let document = document.map_err(refused)?;
    let status = Status::from(document.verdict);
    let shown = show(arguments, console, &document, status);
    if let Some(path) = &arguments.json {
        write_json(path, &document, console, status)?;
    }
    if let Some(path) = arguments
        .trail
        .as_deref()
        .filter(|_| document.trace.is_some())
    {
        let trail = trail::export(&loaded, &document).map_err(Failure::Command)?;
        write_file(path, &trail)?;
    }
    shown.map(|()| status)
}

fn line(arguments: &CheckArguments, console: &Console) -> Line {
    match !arguments.quiet && console.is_watched() {
        true => Line::Shown,
        false => Line::Hidden,
    }
}

fn refused(refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Plan(error) => Failure::Command(error.to_string()),
        Refusal::Check(error @ CheckError::Unsupported(_)) => Failure::Command(error.to_string()),
        Refusal::Check(error @ CheckError::Defect(_)) => Failure::Defect(error.to_string()),
    }
}

/// Shows the report, unless standard output is for the document.
fn show(
    arguments: &CheckArguments,
    console: &Console,
    document: &Document,
    status: Status,
) -> Result<(), Failure> {
    if arguments.json.as_deref().is_some_and(is_standard_output) {
        return Ok(());
    }
    let colour = console.output_colour();
    let text = match arguments.quiet {
        true => text::headline(document, colour),
        false => text::render(document, colour),
    };
    console.print(&text, status)
}

fn write_json(
    path: &Path,
    document: &Document,
    console: &Console,
    status: Status,
) -> Result<(), Failure> {
    let text = json::write(document).map_err(|error| Failure::Defect(error.to_string()))?;
    if is_standard_output(path) {
        return console.print(&text, status);
    }
    write_file(path, &text)
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::Io(format!("cannot write `{}`: {error}", path.display())))
}

fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}
