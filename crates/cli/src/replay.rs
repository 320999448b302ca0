//! `mandala replay`: executes the run of a counterexample once more.

use crate::args::{ModelArguments, ReplayArguments, ThreadArguments};
use crate::chart::ChartPlace;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::output::Output;
use crate::{load, page, stated};
use mandala_checker::document::retrace::{self, Resemblance, RetraceError};
use mandala_checker::frontend::{Dialect, LoadedModel};
use mandala_report::document::{Counterexample, ModelSource};
use mandala_report::style::{Tone, counted, tame};
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
    arguments.shown.require_known(&loaded)?;
    let mut traces = document.counterexamples().peekable();
    if traces.peek().is_none() {
        return Err(failed(&RetraceError::NoTrace, &loaded, &document));
    }
    let resemblance = retrace::resemblance(&loaded, &document);
    let mut page = arguments.html.as_deref().map(Output::open).transpose()?;
    let is_taken = page.as_ref().is_some_and(Output::is_standard);
    let mut retraced = Vec::new();
    let mut chart = arguments.msc.as_ref().map(ChartPlace::open).transpose()?;
    for (violation, trace) in traces {
        let made = retrace::retrace(&loaded, trace, violation, resemblance)
            .map_err(|error| failed(&error, &loaded, &document))?;
        let claim_steps = document.claim_steps(violation.property_id);
        let view = arguments.shown.view(console);
        let mut text = text::fitted(&headline(&loaded, &made, console), &view);
        if !arguments.quiet {
            let run = text::run(&made.violation, &made.trace, claim_steps, &view);
            text.push_str(&format!("\n{run}"));
        }
        if !is_taken {
            console.print(&text, Status::Fine)?;
        }
        // The first one alone.
        if let Some(mut chart) = chart.take() {
            chart.write(&made.trace, Some(&made.violation), console, Status::Fine)?;
        }
        retraced.push(made);
    }
    if let Some(page) = &mut page {
        let document = document.clone().with_counterexamples(retraced);
        page::write(page, (&loaded, &document), None, console, Status::Fine)?;
    }
    if resemblance == Resemblance::Changed && !is_taken {
        console.print(&note_of_change(&document), Status::Fine)?;
    }
    Ok(Status::Fine)
}

fn headline(loaded: &LoadedModel, made: &Counterexample, console: &Console) -> String {
    let steps = counted(made.trace.system_steps() as u64, "step");
    let good = console.output_colour().paint(Tone::Good, "✓ replayed");
    let path = tame(&loaded.path.display().to_string());
    format!("{good}  {path}, {steps}: {}\n", made.violation.message)
}

fn note_of_change(document: &Document) -> String {
    format!(
        "note: this is not the text of `{}` that the trace was written for, but the run is possible \
         and ends in the same violation\n",
        tame(&document.model.path)
    )
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
    if model.as_os_str() == load::STANDARD_INPUT {
        let what = "the model was read from standard input; `--model FILE` says where it is now";
        return Err(Failure::Command(what.into()));
    }
    let unusable = |what: String| {
        let document = beside.display();
        Failure::Command(format!("cannot use `{document}`: {what}"))
    };
    let arguments = ModelArguments {
        model,
        define: document.model.defines.clone(),
        dialect: dialect(&document.model).map_err(unusable)?,
        threads: threads(&document.model),
    };
    let properties = stated::of_document(&document.model).map_err(unusable)?;
    load::model(&arguments, properties, console)
}

/// The dialect that the model of a document was read in.
fn dialect(model: &ModelSource) -> Result<Option<Dialect>, String> {
    let named = |name: &String| {
        Dialect::named(name).ok_or_else(|| format!("there is no dialect `{}`", tame(name)))
    };
    model.dialect.as_ref().map(named).transpose()
}

/// How many threads the model of a document has, and what was asked of them.
fn threads(model: &ModelSource) -> ThreadArguments {
    let source = model.threads.clone().unwrap_or_default();
    ThreadArguments {
        max_threads: source.at_most,
        target: source.target,
        start: source.start,
    }
}

fn existing(told: &Path, beside: &Path) -> PathBuf {
    let neighbour = || Some(beside.parent()?.join(told.file_name()?));
    match neighbour().filter(|path| !told.exists() && path.exists()) {
        Some(path) => path,
        None => told.to_path_buf(),
    }
}

fn failed(error: &RetraceError, loaded: &LoadedModel, document: &Document) -> Failure {
    let hint = match retrace::resemblance(loaded, document) {
        Resemblance::Changed => " (the model has changed since the trace was written)",
        Resemblance::Same => "",
    };
    Failure::Command(format!("the trace does not replay: {error}{hint}"))
}
