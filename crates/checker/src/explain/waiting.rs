//! Who waits for what at a deadlock.

use crate::frontend::LoadedModel;
use mandala_evidence::replay::ReplayedRun;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::state::ProcessState;
use mandala_model::template::Step;

/// A process that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingProcess {
    /// Its number.
    pub pid: u32,
    /// The template that it is an instance of.
    pub template: TemplateId,
    /// The place of its location in the source.
    pub span: Span,
    /// The statements that it waits to execute: one of these.
    pub statements: Vec<String>,
    /// Whether it may stay there forever.
    pub allowed: bool,
}

/// The processes in the last state of the run, but for those that only wait to end.
pub fn at_the_end(loaded: &LoadedModel, run: &ReplayedRun) -> Vec<WaitingProcess> {
    // The one process of a system of rules waits for all of them.
    let Some(last) = run.last().filter(|_| !loaded.model.is_system_of_rules()) else {
        return Vec::new();
    };
    let state = last.after.as_ref().unwrap_or(&last.before);
    let processes = state.processes.iter().enumerate();
    processes
        .filter_map(|(pid, process)| waiting(loaded, pid as u32, process))
        .collect()
}

fn waiting(loaded: &LoadedModel, pid: u32, process: &ProcessState) -> Option<WaitingProcess> {
    let template = loaded.model.template(process.template);
    let location = &template.locations[process.location.index()];
    let edges = || template.edges_from(process.location).map(|(_, edge)| edge);
    if edges().all(|edge| edge.step == Step::Exit) {
        return None;
    }
    let mut statements: Vec<String> = edges().map(|edge| edge.text.clone()).collect();
    statements.dedup();
    Some(WaitingProcess {
        pid,
        template: process.template,
        span: location.span,
        statements,
        allowed: location.end,
    })
}
