//! `mandala check`: the main job.

use crate::args::{CheckArguments, ModelArguments, OutputArguments, SymmetryArguments};
use crate::chart::{ChartOutput, ChartPlace};
use crate::checkpoint::{self, EarlierSearch};
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::graph::{self as drawing, GraphOutput, GraphPlace};
use crate::monitor::Monitor;
use crate::output::Output;
use crate::pending::{Draft, Pending};
use crate::progress::{Line, Reporter};
use crate::shown::ShownArguments;
use crate::watcher::Watcher;
use crate::{every, failed, load, page, stated};
use mandala_checker::Refusal;
use mandala_checker::document::draft;
use mandala_checker::document::graph;
use mandala_checker::document::trail;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::CheckOptions;
use mandala_checker::run::{CheckError, EngineError};
use mandala_report::document::{FailureDocument, SCHEMA, StateGraph};
use mandala_report::{Document, json, sarif, text};
use std::fmt::Display;
use std::sync::Arc;

/// Where the results go, and how they are shown.
pub struct Outputs {
    /// The document.
    pub json: Option<Output>,
    sarif: Option<Output>,
    trail: Option<Output>,
    chart: Option<ChartOutput>,
    graph: Option<GraphOutput>,
    page: Option<Output>,
    /// What goes there, once it is made.
    graphs: Graphs,
    /// Where progress goes, until it is told.
    progress: Option<Output>,
    /// Whether that is standard output.
    progress_is_standard: bool,
    shown: ShownArguments,
    quiet: bool,
}

/// A model and what was found about it.
pub type Found = (Arc<LoadedModel>, Document);

/// What is asked for, as far as that is known before the model is read.
pub struct Request<'a> {
    /// Where the results go.
    pub outputs: &'a OutputArguments,
    /// Which model.
    pub model: &'a ModelArguments,
    /// What is asked.
    pub options: CheckOptions,
}

/// Checks, shows, writes.
pub fn run(
    arguments: &CheckArguments,
    console: &Console,
    monitor: &Monitor,
) -> Result<Status, Failure> {
    let request = Request {
        outputs: &arguments.outputs,
        model: &arguments.model,
        options: arguments.options(),
    };
    let constant = every::constant(arguments)?;
    deliver(&request, console, monitor, || match &constant {
        Some(constant) => every::search(arguments, constant, console, monitor),
        None if arguments.invariant.is_some() => Err(Failure::Command(
            "`--invariant` is for every number of members: add `--every NAME`".into(),
        )),
        None => search(arguments, None, console, monitor),
    })
}

/// Finds out, shows, writes. If there is nothing to show, the JSON document says why.
pub fn deliver(
    request: &Request<'_>,
    console: &Console,
    monitor: &Monitor,
    find: impl FnOnce() -> Result<Found, Failure>,
) -> Result<Status, Failure> {
    let document = draft::unread(failed::source(request.model), &request.options);
    if request.outputs.graph.is_some() {
        graph::require_possible(&request.options).map_err(Failure::Command)?;
    }
    let mut outputs = Outputs::open(request.outputs)?;
    let opened = outputs.open_others(request.outputs);
    let progress = outputs.progress.take();
    monitor.report_to(Reporter::new(
        *console,
        line(request.outputs, console),
        progress,
    ));
    monitor.open(Pending {
        outputs,
        draft: Draft::Check {
            document: Box::new(document),
            loaded: None,
        },
    });
    let found = opened.and_then(|()| find()).and_then(|(loaded, document)| {
        let graphs = draw(request, &loaded, monitor, console)?;
        Ok((loaded, document, graphs))
    });
    if let Ok((_, document, _)) = &found {
        monitor.sum_up(&document.stats);
    }
    let mut outputs = monitor.take();
    match found {
        Ok((loaded, document, graphs)) => {
            outputs.graphs = graphs;
            present(&mut outputs, Some(&loaded), &document, console)
        }
        Err(failure) => {
            let about = failed::source(request.model);
            outputs.write_failure(
                &failed::document(SCHEMA, about, &failure),
                console,
                failure.status(),
            )?;
            Err(failure)
        }
    }
}

/// Graphs of states.
#[derive(Debug, Default)]
struct Graphs {
    /// The one to be written.
    written: Option<StateGraph>,
    /// The one that a page shows, if there can be one.
    shown: Option<StateGraph>,
}

/// The graphs of states that are asked for.
fn draw(
    request: &Request<'_>,
    loaded: &LoadedModel,
    monitor: &Monitor,
    console: &Console,
) -> Result<Graphs, Failure> {
    let make = |most| drawing::make(loaded, &request.options, most, monitor, console);
    let outputs = request.outputs;
    let written = outputs.graph.as_ref();
    // A page shows what there is.
    let is_shown = outputs.html.is_some()
        && graph::require_possible(&request.options).is_ok()
        && !loaded.has_every_number_of_threads();
    Ok(Graphs {
        written: written.map(|_| make(outputs.most_in_graph())).transpose()?,
        shown: is_shown
            .then(|| make(mandala_page::MOST_STATES as u64))
            .transpose()?,
    })
}

/// Shows a document, and writes it.
pub fn present(
    outputs: &mut Outputs,
    loaded: Option<&LoadedModel>,
    document: &Document,
    console: &Console,
) -> Result<Status, Failure> {
    let status = Status::from(document.verdict);
    let shown = match outputs.take_standard_output() {
        true => Ok(()),
        false => outputs.show(console, document, status),
    };
    outputs.write(loaded, document, console, status)?;
    shown.map(|()| status)
}

/// Searches: from the start, or from what an earlier search has written down.
pub fn search(
    arguments: &CheckArguments,
    earlier: Option<&EarlierSearch>,
    console: &Console,
    monitor: &Monitor,
) -> Result<Found, Failure> {
    monitor.limit(arguments.limits());
    let loaded = load::model(&arguments.model, arguments.stated.inputs()?, console)?;
    stated::require_selected(&loaded, &arguments.property)?;
    arguments.outputs.shown.require_known(&loaded)?;
    if arguments.outputs.trail.is_some() {
        trail::require_possible(&loaded, &arguments.options()).map_err(Failure::Command)?;
    }
    let options = CheckOptions {
        checkpoint: checkpoint::wish(arguments, &loaded, earlier)?,
        started: monitor.started(),
        ..arguments.options()
    };
    let loaded = Arc::new(loaded);
    let mut watcher = Watcher {
        monitor,
        loaded: Arc::clone(&loaded),
    };
    match mandala_checker::check(&loaded, &options, &mut watcher) {
        Ok(document) => Ok((loaded, document)),
        Err(refusal) => Err(refused(refusal, &loaded, console)),
    }
}

/// Whether progress is shown, and how.
fn line(arguments: &OutputArguments, console: &Console) -> Line {
    match console.is_watched() {
        _ if arguments.quiet => Line::Hidden,
        true => Line::OnTerminal,
        false => Line::InLog,
    }
}

/// Why there is no document.
pub fn refused(refusal: Refusal, loaded: &LoadedModel, console: &Console) -> Failure {
    match refusal {
        Refusal::Symmetry(refused) => {
            load::wrong_model(&refused.diagnostics, &loaded.sources, console)
        }
        Refusal::Check(CheckError::NoRun(why)) => {
            load::wrong_model(std::slice::from_ref(&why), &loaded.sources, console)
        }
        Refusal::Plan(error) => Failure::Command(error.to_string()),
        Refusal::Check(
            error @ (CheckError::Defect(_) | CheckError::Engine(EngineError::Defect(_))),
        ) => Failure::Defect(error.to_string()),
        Refusal::Check(error @ (CheckError::Engine(_) | CheckError::NotShown(_))) => {
            Failure::Command(error.to_string())
        }
    }
}

impl Outputs {
    /// Opens the place of the JSON document: what goes wrong from here on is told in it.
    fn open(arguments: &OutputArguments) -> Result<Self, Failure> {
        Ok(Outputs {
            json: arguments.json.as_deref().map(Output::open).transpose()?,
            sarif: None,
            trail: None,
            chart: None,
            graph: None,
            page: None,
            graphs: Graphs::default(),
            progress: None,
            progress_is_standard: false,
            shown: arguments.shown.clone(),
            quiet: arguments.quiet,
        })
    }

    /// Those of `mandala symmetry`.
    pub fn of_symmetry(arguments: &SymmetryArguments) -> Result<Self, Failure> {
        let json = arguments.json.as_deref().map(Output::open);
        Ok(Outputs {
            json: json.transpose()?,
            sarif: None,
            trail: None,
            chart: None,
            graph: None,
            page: None,
            graphs: Graphs::default(),
            progress: None,
            progress_is_standard: false,
            shown: ShownArguments::default(),
            quiet: false,
        })
    }

    /// Opens the other places.
    fn open_others(&mut self, arguments: &OutputArguments) -> Result<(), Failure> {
        self.sarif = arguments.sarif.as_deref().map(Output::open).transpose()?;
        self.trail = arguments.trail.as_deref().map(Output::open).transpose()?;
        self.chart = arguments.msc.as_ref().map(ChartPlace::open).transpose()?;
        self.graph = arguments.graph.as_ref().map(GraphPlace::open).transpose()?;
        self.page = arguments.html.as_deref().map(Output::open).transpose()?;
        let progress = arguments.progress_json.as_deref();
        self.progress = progress.map(Output::open).transpose()?;
        let Some((one, other)) = self.clash() else {
            self.progress_is_standard = self.progress.as_ref().is_some_and(Output::is_standard);
            return self.progress.iter_mut().try_for_each(Output::begin);
        };
        self.sarif = None;
        self.trail = None;
        self.chart = None;
        self.graph = None;
        self.page = None;
        self.progress = None;
        Err(Failure::Command(format!(
            "`{one}` and `{other}` cannot both go to the same place"
        )))
    }

    /// Two options whose results would go to one place.
    fn clash(&self) -> Option<(&'static str, &'static str)> {
        let chart = self.chart.as_ref().map(|chart| &chart.output);
        let named = [
            ("--json", self.json.as_ref()),
            ("--sarif", self.sarif.as_ref()),
            ("--trail", self.trail.as_ref()),
            ("--msc", chart),
            ("--graph", self.graph.as_ref().map(|graph| &graph.output)),
            ("--html", self.page.as_ref()),
            ("--progress-json", self.progress.as_ref()),
        ];
        let open = named
            .iter()
            .filter_map(|(name, place)| Some((*name, (*place)?)));
        let open: Vec<(&str, &Output)> = open.collect();
        open.iter().enumerate().find_map(|(index, (one, place))| {
            let mut later = open[index + 1..].iter();
            let (other, _) = later.find(|(_, other)| place.is_same_as(other))?;
            Some((*one, *other))
        })
    }

    /// Shows the report.
    fn show(&self, console: &Console, document: &Document, status: Status) -> Result<(), Failure> {
        let view = self.shown.view(console);
        let text = match self.quiet {
            true => text::fitted(&text::headline(document, view.colour), &view),
            false => text::render(document, &view),
        };
        console.print(&text, status)
    }

    /// Whether standard output is for one of them, and not for the report.
    fn take_standard_output(&self) -> bool {
        let all = self.json.iter().chain(&self.sarif).chain(&self.trail);
        let mut all = all.chain(&self.page);
        self.progress_is_standard || all.any(Output::is_standard)
    }

    /// Writes all of them, also if one of them cannot be written.
    fn write(
        &mut self,
        loaded: Option<&LoadedModel>,
        document: &Document,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        let json = self.write_json(document, console, status);
        let sarif = match &mut self.sarif {
            Some(output) => output.write(&sarif::write(document).map_err(defect)?, console, status),
            None => Ok(()),
        };
        let trail = self.write_trail(loaded, document, console, status);
        let chart = match &mut self.chart {
            Some(chart) => chart.write_first(document, console, status),
            None => Ok(()),
        };
        let graph = match (&mut self.graph, &self.graphs.written) {
            (Some(output), Some(graph)) => output.write(graph, console, status),
            _ => Ok(()),
        };
        let page = self.write_page(loaded, document, console, status);
        json.and(sarif).and(trail).and(chart).and(graph).and(page)
    }

    fn write_json(
        &mut self,
        document: &Document,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        let Some(output) = &mut self.json else {
            return Ok(());
        };
        output.write(&json::write(document).map_err(defect)?, console, status)
    }

    /// Writes that there is no result.
    pub fn write_failure(
        &mut self,
        document: &FailureDocument,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        if let Some(output) = &mut self.json {
            output.write(
                &json::write_failure(document).map_err(defect)?,
                console,
                status,
            )?;
        }
        match &mut self.sarif {
            Some(output) => output.write(
                &sarif::write_failure(document).map_err(defect)?,
                console,
                status,
            ),
            None => Ok(()),
        }
    }

    fn write_page(
        &mut self,
        loaded: Option<&LoadedModel>,
        document: &Document,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        match (&mut self.page, loaded) {
            (Some(output), Some(loaded)) => {
                let graph = self.graphs.shown.as_ref();
                page::write(output, (loaded, document), graph, console, status)
            }
            _ => Ok(()),
        }
    }

    fn write_trail(
        &mut self,
        loaded: Option<&LoadedModel>,
        document: &Document,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        match (&mut self.trail, loaded) {
            (Some(output), Some(loaded)) if document.trace.is_some() => {
                let trail = trail::export(loaded, document).map_err(Failure::Command)?;
                output.write(&trail, console, status)
            }
            _ => Ok(()),
        }
    }
}

fn defect(error: impl Display) -> Failure {
    Failure::Defect(error.to_string())
}
