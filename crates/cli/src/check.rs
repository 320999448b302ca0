//! `mandala check`: the main job.

use crate::args::{CheckArguments, ModelArguments, OutputArguments};
use crate::checkpoint::{self, EarlierSearch};
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::output::Output;
use crate::progress::{Line, ProgressLine};
use crate::{failed, interrupt, load};
use mandala_checker::Refusal;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::CheckOptions;
use mandala_checker::run::CheckError;
use mandala_checker::trail;
use mandala_report::document::SCHEMA;
use mandala_report::{Document, json, text};

/// Where the results go besides the report.
struct Outputs {
    json: Option<Output>,
    trail: Option<Output>,
}

/// A model and what was found about it.
pub type Found = (LoadedModel, Document);

/// Checks, shows, writes.
pub fn run(arguments: &CheckArguments, console: &Console) -> Result<Status, Failure> {
    deliver(&arguments.outputs, &arguments.model, console, || {
        search(arguments, None, console)
    })
}

/// Finds out, shows, writes. If there is nothing to show, the JSON document says why.
pub fn deliver(
    arguments: &OutputArguments,
    model: &ModelArguments,
    console: &Console,
    find: impl FnOnce() -> Result<Found, Failure>,
) -> Result<Status, Failure> {
    let mut outputs = Outputs::open(arguments)?;
    let (loaded, document) = match find() {
        Ok(found) => found,
        Err(failure) => {
            if let Some(json) = &mut outputs.json {
                let document = failed::document(SCHEMA, model, &failure)?;
                json.write(&document, console, Status::Wrong)?;
            }
            return Err(failure);
        }
    };
    let status = Status::from(document.verdict);
    let shown = match outputs.take_standard_output() {
        true => Ok(()),
        false => show(arguments, console, &document, status),
    };
    outputs.write(&loaded, &document, console, status)?;
    shown.map(|()| status)
}

/// Searches: from the start, or from what an earlier search has written down.
pub fn search(
    arguments: &CheckArguments,
    earlier: Option<&EarlierSearch>,
    console: &Console,
) -> Result<Found, Failure> {
    let loaded = load::model(&arguments.model, arguments.stated.inputs()?, console)?;
    if arguments.outputs.trail.is_some() {
        trail::require_possible(&loaded).map_err(Failure::Command)?;
    }
    let options = CheckOptions {
        checkpoint: checkpoint::wish(arguments, &loaded, earlier)?,
        ..arguments.options(&loaded.stated_names)
    };
    interrupt::install()?;
    let mut progress = ProgressLine::new(console, line(&arguments.outputs, console));
    let document = mandala_checker::check(&loaded, &options, &mut progress);
    progress.clear();
    match document {
        Ok(document) => Ok((loaded, document)),
        Err(refusal) => Err(refused(refusal, &loaded, console)),
    }
}

fn line(arguments: &OutputArguments, console: &Console) -> Line {
    match !arguments.quiet && console.is_watched() {
        true => Line::Shown,
        false => Line::Hidden,
    }
}

/// Why there is no document.
pub fn refused(refusal: Refusal, loaded: &LoadedModel, console: &Console) -> Failure {
    match refusal {
        Refusal::Symmetry(refused) => {
            load::wrong_model(&refused.diagnostics, &loaded.sources, console)
        }
        Refusal::Plan(error) => Failure::Command(error.to_string()),
        Refusal::Check(
            error @ (CheckError::Unsupported(_)
            | CheckError::NotTaken { .. }
            | CheckError::Strategy(_)
            | CheckError::Search(_)),
        ) => Failure::Command(error.to_string()),
        Refusal::Check(error @ CheckError::Defect(_)) => Failure::Defect(error.to_string()),
    }
}

/// Shows the report.
fn show(
    arguments: &OutputArguments,
    console: &Console,
    document: &Document,
    status: Status,
) -> Result<(), Failure> {
    let colour = console.output_colour();
    let text = match arguments.quiet {
        true => text::headline(document, colour),
        false => text::render(document, colour),
    };
    console.print(&text, status)
}

impl Outputs {
    fn open(arguments: &OutputArguments) -> Result<Self, Failure> {
        if arguments.json.is_some() && arguments.json == arguments.trail {
            let what = "`--json` and `--trail` cannot both go to the same place";
            return Err(Failure::Command(what.into()));
        }
        let open = |path: &Option<_>| path.as_deref().map(Output::open).transpose();
        Ok(Outputs {
            json: open(&arguments.json)?,
            trail: open(&arguments.trail)?,
        })
    }

    /// Whether standard output is for one of them, and not for the report.
    fn take_standard_output(&self) -> bool {
        let mut all = self.json.iter().chain(&self.trail);
        all.any(Output::is_standard)
    }

    fn write(
        &mut self,
        loaded: &LoadedModel,
        document: &Document,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        if let Some(output) = &mut self.json {
            let text = json::write(document).map_err(|error| Failure::Defect(error.to_string()))?;
            output.write(&text, console, status)?;
        }
        match &mut self.trail {
            Some(output) if document.trace.is_some() => {
                let trail = trail::export(loaded, document).map_err(Failure::Command)?;
                output.write(&trail, console, status)
            }
            _ => Ok(()),
        }
    }
}
