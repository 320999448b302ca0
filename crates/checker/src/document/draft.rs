//! The document of a check that is ended before it is done: what is known so far, and the limit and the phase that ended it.
//!
//! The check tells whoever watches it what is known ([`crate::watch::Watch::learn`]) whenever that is more. So a document can be
//! written at any moment, even while a phase runs that looks neither at the clock nor at the wish to stop.

use super::conclude::conclude;
use crate::checkpoint;
use crate::limits;
use crate::options::{CheckOptions, Choice, SearchOrder};
use crate::outcome::{Interim, PENDING};
use crate::watch::{Phase, Progress};
use mandala_report::document::{self, Document, PropertyResult};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// The reason for ending a check before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The time that the user grants is over.
    Time(Duration),
    /// The program holds more memory than the user grants.
    Memory(u64),
    /// The user has interrupted the program.
    Interrupt,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Time(time) => f.write_str(&limits::limit_of_time(*time)),
            Cause::Memory(bytes) => f.write_str(&limits::limit_of_memory(*bytes)),
            Cause::Interrupt => f.write_str("interrupted"),
        }
    }
}

/// The end of a check that is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutoff {
    /// The reason.
    pub cause: Cause,
    /// The phase that was running.
    pub phase: Phase,
    /// How far the search was, if one was running.
    pub progress: Progress,
    /// For how long the phase had been running.
    pub time: Duration,
}

impl Cutoff {
    /// The end of a check between two phases.
    pub fn after(phase: Phase, cause: Cause) -> Self {
        Cutoff {
            cause,
            phase,
            progress: Progress::default(),
            time: Duration::ZERO,
        }
    }

    /// The reason with the phase, in words.
    fn reason(&self) -> String {
        format!("{} while {}", self.cause, self.phase)
    }

    /// The size of the search that was running, if one was.
    fn stats(&self) -> Option<document::Stats> {
        let searched = matches!(self.phase, Phase::Searching | Phase::Replaying);
        searched.then(|| document::Stats {
            states: self.progress.states,
            transitions: self.progress.transitions,
            depth: self.progress.depth,
            seconds: self.time.as_secs_f64(),
            peak_bytes: self.progress.bytes,
            ..document::Stats::default()
        })
    }
}

/// The draft before the model is read: there are no properties yet.
pub fn unread(model: document::ModelSource, options: &CheckOptions) -> Document {
    Document {
        schema: document::SCHEMA.into(),
        tool: document::Tool::mandala(),
        model,
        verdict: document::Verdict::Unknown,
        properties: Vec::new(),
        not_selected: Vec::new(),
        violation: None,
        trace: None,
        further: Vec::new(),
        stats: document::Stats::default(),
        search: search(options),
        warnings: Vec::new(),
        symmetry: document::Symmetry {
            strategy: options.symmetry.name().into(),
            ..document::Symmetry::off()
        },
        reduction: document::Reduction {
            partial_order: "off".into(),
            left_out: None,
            simplification: "off".into(),
        },
        coverage: document::Coverage::default(),
        threads: None,
        every: None,
        unreached: Vec::new(),
    }
}

fn search(options: &CheckOptions) -> document::Search {
    document::Search {
        engine: options.engine.name().into(),
        order: match options.order {
            SearchOrder::BreadthFirst => "breadth first".into(),
            SearchOrder::DepthFirst => "depth first".into(),
        },
        store: options.store.name().into(),
        interpret: options.interpret,
        deadlock: options.deadlock.name().into(),
        ..document::Search::default()
    }
}

/// The draft of a check of which that is known.
pub fn draft(interim: Interim<'_>) -> Document {
    Document {
        // A statement that was not reached yet may be reached by what was not done any more.
        unreached: Vec::new(),
        ..conclude(interim.loaded, interim.plan, interim.outcomes)
    }
}

/// The draft as an answer.
pub fn cut_off(mut draft: Document, cutoff: &Cutoff) -> Document {
    let reason = cutoff.reason();
    let is_pending = |p: &&mut PropertyResult| p.reason.as_deref() == Some(PENDING);
    let mut stats = cutoff.stats();
    for property in draft.properties.iter_mut().filter(is_pending) {
        property.reason = Some(reason.clone());
        property.stats = stats.take();
        if let Some(stats) = &property.stats {
            add(&mut draft.stats, stats);
        }
    }
    if matches!(
        cutoff.phase,
        Phase::Reading | Phase::Planning | Phase::Preparing
    ) {
        draft.symmetry.note = Some(reason.clone());
    }
    if let Some(checkpoints) = &mut draft.search.checkpoint {
        checkpoints.can_go_on = checkpoint::exists(Path::new(&checkpoints.folder));
    }
    draft.coverage.complete = false;
    draft.coverage.reason = Some(reason);
    draft
}

/// Sizes and times in sum, depth and memory at their most, as in the document of a check that is done.
fn add(total: &mut document::Stats, one: &document::Stats) {
    total.states = total.states.saturating_add(one.states);
    total.transitions = total.transitions.saturating_add(one.transitions);
    total.seconds += one.seconds;
    total.depth = total.depth.max(one.depth);
    total.peak_bytes = total.peak_bytes.max(one.peak_bytes);
}
