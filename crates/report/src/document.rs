//! The types of the document, in the order in which they are written.
//!
//! Fields may be added within one schema; a field that changes its meaning or goes away needs a
//! new [`SCHEMA`]. Every number that a person may want to compute with is a number, every place is
//! a file and a line, and the trace holds enough to be replayed without the document around it.

mod checkpoint;
mod decimal;
mod event;
mod every;
mod graph;
mod identity;
mod progress;
mod statements;
mod symmetry;
mod threads;
mod trace;
mod value;

pub use checkpoint::{CHECKPOINT_SCHEMA, CheckpointDescription};
pub use event::{Event, EventKind, Truncation};
pub use every::{Every, EveryAnswer, RefusedCondition, SearchedSize, TriedViews};
pub use graph::{
    GRAPH_SCHEMA, GraphEdge, GraphStart, GraphState, PermutationGroup, StateGraph, cycles,
};
pub use identity::PropertyId;
pub use progress::{LimitShares, PROGRESS_SCHEMA, ProgressPhase, ProgressReport, Trend};
pub use statements::StatementCount;
pub use symmetry::{
    Asymmetry, BudgetEnd, Canonicalising, DecidedParts, Detection, Domain, DomainKind,
    DomainSource, Guarantee, PropertyCost, PropertySymmetry, Refused, SYMMETRY_SCHEMA, Settled,
    SourceLine, StatePair, Symmetry, SymmetryDocument,
};
pub use threads::{ThreadRound, ThreadSource, Threads};
pub use trace::{
    Actor, Change, NamedValue, Parameter, Partner, Place, ProcessPlace, StateListing, Step, Trace,
    Waiting, WaitingGuard,
};

pub use value::{Bound, Chain, Value};

use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of this form of the document.
pub const SCHEMA: &str = "mandala-report/2";

/// The whole result of one check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Always [`SCHEMA`]; first, so that a reader can decide by the first line.
    pub schema: String,
    /// The program that wrote the document.
    pub tool: Tool,
    /// What was checked.
    pub model: ModelSource,
    /// All properties taken together: violated if one is, else unknown if one is, else a value if one has a value.
    pub verdict: Verdict,
    /// The properties one by one, in the order in which they were checked.
    pub properties: Vec<PropertyResult>,
    /// What could have been checked and was not, because it was not selected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_selected: Vec<NotSelected>,
    /// The first violation that was found.
    pub violation: Option<Violation>,
    /// A run of the model that leads to that violation.
    pub trace: Option<Trace>,
    /// The first violation of each further property that is violated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Counterexample>,
    /// Size and cost of the search, over all properties.
    pub stats: Stats,
    /// How the search was done.
    pub search: Search,
    /// Which symmetry was used: that of the first search, with what it took over all searches.
    pub symmetry: Symmetry,
    /// Which other reductions were used.
    pub reduction: Reduction,
    /// How much of the model's behaviour was looked at.
    pub coverage: Coverage,
    /// For how many threads the verdict is, if the language has threads of any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<Threads>,
    /// What was found about every size of a family, if that was asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Every>,
    /// Statements that no run executes.
    pub unreached: Vec<Unreached>,
    /// What the user should know besides.
    pub warnings: Vec<String>,
}

/// The program that wrote the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What is written instead of a [`Document`] or a [`SymmetryDocument`] when there is no result: the same schema, but
/// no verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureDocument {
    /// [`SCHEMA`], or [`SYMMETRY_SCHEMA`] if only the symmetry was asked for.
    pub schema: String,
    /// The program that wrote the document.
    pub tool: Tool,
    /// What was to be checked.
    pub model: ModelSource,
    /// Always null: nothing can be said.
    pub verdict: Option<Verdict>,
    /// Why.
    pub error: ErrorReport,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorReport {
    /// What kind of thing is wrong.
    pub kind: ErrorKind,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What is wrong with the text of the model, place by place.
    pub findings: Vec<Finding>,
}

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// The text of the model.
    Model,
    /// What was asked for.
    Command,
    /// A file that cannot be read or written.
    File,
    /// The user has interrupted the program.
    Interrupted,
    /// Mandala itself.
    Internal,
}

/// Something wrong, or worth a warning, at one place of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: String,
    /// What.
    pub message: String,
    /// Where.
    pub place: Place,
}

/// Which model it is about, with all that is needed to read it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSource {
    /// The file, as the user named it.
    pub path: String,
    /// The language that it is written in.
    pub language: String,
    /// The macros that were defined from outside, as `NAME` or `NAME=VALUE`.
    #[serde(default)]
    pub defines: Vec<String>,
    /// The tool whose meaning a Murphi model has: `cmurphi` or `rumur`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// Of a language whose programs have any number of threads: how many there are, and what is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<ThreadSource>,
    /// The properties that were stated beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stated: Vec<StatedProperty>,
    /// A fingerprint of the text of all its files, to notice that it has changed since.
    #[serde(default)]
    pub digest: String,
}

/// A property that was stated beside the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedProperty {
    /// The option that it was given with, without the dashes.
    pub form: String,
    /// The name that it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its text.
    pub text: String,
}

/// What can be said of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every run satisfies it.
    Holds,
    /// Some run does not, and there is a trace of it.
    Violated,
    /// Not decided; a reason is given.
    Unknown,
    /// It was asked for a value, and that is known.
    Value,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
            Verdict::Value => "value",
        })
    }
}

/// What a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PropertyKind {
    /// Assertions, deadlock, run-time errors and observed messages.
    Safety,
    /// A never claim.
    Never,
    /// A formula of linear temporal logic.
    Ltl,
    /// A condition on all states.
    Invariant,
    /// Something that must happen in some run.
    Cover,
    /// Something that must stay possible.
    Reachable,
    /// A formula of computation tree logic.
    Ctl,
    /// A question about probabilities or expected rewards.
    Query,
    /// There is no non-progress cycle: every infinite run makes progress.
    NonProgress,
    /// No run is at an accepting place of a process again and again.
    Accept,
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PropertyKind::Safety => "assertions, deadlock, run-time errors",
            PropertyKind::Never => "never claim",
            PropertyKind::Ltl => "ltl formula",
            PropertyKind::Invariant => "invariant",
            PropertyKind::Cover => "cover",
            PropertyKind::Reachable => "liveness",
            PropertyKind::Ctl => "ctl formula",
            PropertyKind::Query => "probability query",
            PropertyKind::NonProgress => "no non-progress cycle",
            PropertyKind::Accept => "no accepting infinite runs",
        })
    }
}

/// What was found about one property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyResult {
    /// Which one it is, in this document.
    pub id: PropertyId,
    /// Its name, as `--property` takes it. Several properties may have the same.
    pub name: String,
    /// What it is.
    pub kind: PropertyKind,
    /// How many it is, if it is one for each choice of some parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instances: Option<u32>,
    /// What can be said of it.
    pub verdict: Verdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// The value that was asked for, as far as it is known; the least one, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The greatest one, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub greatest: Option<Value>,
    /// The Markov chain or decision process that it was computed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<Chain>,
    /// How many violations of it were met, be it by a search of its own or by that for safety. A search that stops at a violation
    /// tells of no other property.
    pub violations: u64,
    /// The search that was made for it, if one was.
    pub stats: Option<Stats>,
    /// How many states that search found on each level, if it went level by level: the first number is for the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<u64>,
    /// The symmetry of that search, if it differs from that of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<Symmetry>,
    /// A run that shows that it holds, if it is one that a run can show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Trace>,
}

/// Something that could have been checked and was not, because it was not selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotSelected {
    /// The property, or the one that it is a part of.
    pub id: PropertyId,
    /// `assertions` or `deadlock`, which are parts of safety; else the name of the property.
    pub name: String,
}

/// A violated property with its evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexample {
    /// What went wrong.
    pub violation: Violation,
    /// The run that leads there.
    pub trace: Trace,
}

/// What went wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The property that is violated.
    pub property_id: PropertyId,
    /// Its name.
    pub property: String,
    /// What went wrong, for programs.
    pub kind: ViolationKind,
    /// What went wrong, for people: one sentence without a full stop.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// The text of the condition or statement that failed.
    pub text: Option<String>,
    /// Of a property that is several in one: the values of the parameters for which it is violated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The number of the choice of these, by which it is replayed.
    #[serde(default, skip_serializing_if = "trace::is_first")]
    pub choice: u32,
    /// The values that made it fail.
    pub values: Vec<NamedValue>,
    /// At a deadlock: where the processes wait.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
    /// What else explains it, and what can be done about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViolationKind {
    /// An assertion failed.
    Assertion,
    /// A condition on all states does not hold.
    Invariant,
    /// No process can move, and one should be able to.
    Deadlock,
    /// A never claim, or the observer of an ltl formula, reached its end.
    Claim,
    /// A message was not allowed by the observer of messages, or one was missing.
    Events,
    /// What must stay possible is possible no more.
    Liveness,
    /// A step failed at run time.
    RuntimeError,
}

/// Size and cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// States stored.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// How many steps were made; others lead to the same representatives as one that was. Null if the engine does not tell.
    #[serde(default)]
    pub fired: Option<u64>,
    /// The length of the longest path that the search went, or of its last level.
    pub depth: u64,
    /// Time spent.
    pub seconds: f64,
    /// Most memory in use by the search.
    pub peak_bytes: u64,
    /// Memory for the stored states, divided by their number.
    pub bytes_per_state: f64,
    /// Violations met.
    pub violations: u64,
    /// States whose successors were looked for.
    #[serde(default)]
    pub expanded: u64,
    /// Those of them whose successors were found by native code.
    #[serde(default)]
    pub expanded_natively: u64,
    /// States stored in a second.
    #[serde(default)]
    pub states_per_second: f64,
    /// Steps made in a second.
    #[serde(default)]
    pub transitions_per_second: f64,
    /// Successors of a state, on average.
    #[serde(default)]
    pub branching: f64,
    /// Where the time went, if the engine tells and the search took long enough to be looked at.
    #[serde(default)]
    pub split: Option<TimeSplit>,
    /// What decision diagrams say, if the engine has them.
    #[serde(default)]
    pub diagrams: Option<DiagramStats>,
}

/// What decision diagrams say about the states, of which there may be more than other numbers of a document can hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagramStats {
    /// States stored; the largest number there is stands for all that are larger.
    #[serde(with = "decimal")]
    pub states: u128,
    /// Steps between them, likewise.
    #[serde(with = "decimal")]
    pub transitions: u128,
    /// How many bits a state has.
    pub bits: u64,
    /// How many nodes the diagram of all states has.
    pub nodes: u64,
}

/// Where the time of the workers went, estimated from samples: shares of the time of all workers, as seconds of [`Stats::seconds`]. So all
/// parts together are not longer than the search, whatever the number of workers; what is missing went into waiting, into
/// looking after limits and into what comes after the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeSplit {
    /// Finding successors.
    pub expand: f64,
    /// Finding representatives.
    pub canonicalise: f64,
    /// Looking states up and remembering them.
    pub store: f64,
}

impl TimeSplit {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.expand + self.canonicalise + self.store
    }
}

/// How the search was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// Which engine.
    pub engine: String,
    /// In which order.
    pub order: String,
    /// With how many workers.
    pub workers: u32,
    /// What is remembered of a state, by the name that `--store` takes.
    #[serde(default)]
    pub store: String,
    /// Whether native code was ruled out by who asked for the search.
    #[serde(default)]
    pub interpret: bool,
    /// What counted as a deadlock, by the name that `--deadlock` takes.
    #[serde(default)]
    pub deadlock: String,
    /// Where the search has written down how far it was, if it has.
    #[serde(default)]
    pub checkpoint: Option<CheckpointUse>,
}

/// What was done about checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointUse {
    /// The folder, as the user named it.
    pub folder: String,
    /// Whether the search went on from one.
    pub resumed: bool,
    /// Whether `mandala resume` can go on where this search has ended.
    pub can_go_on: bool,
    /// Whether it goes on exactly there, rather than from the checkpoint before.
    #[serde(default)]
    pub at_the_end: bool,
}

/// What partial-order reduction has left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How many states were not expanded fully.
    pub states: u64,
    /// How many steps from those states were not made.
    pub steps: u64,
}

/// Which other reductions were used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reduction {
    /// `off`, or how partial-order reduction was done.
    pub partial_order: String,
    /// What partial-order reduction has left out, if it was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// `off`, or which simplifications of the model were made beforehand.
    #[serde(rename = "static")]
    pub simplification: String,
}

/// How much of the model's behaviour was looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// Whether every reachable state was visited, as far as is known for certain.
    pub complete: bool,
    /// Why not.
    pub reason: Option<String>,
    /// With a store that is not exact: how much it may have passed over.
    #[serde(default)]
    pub omissions: Option<Omissions>,
    /// How many states there may be in all, if not all were visited and something can be said about it.
    #[serde(default)]
    pub estimate: Option<Estimate>,
    /// How often each statement was executed; absent unless asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<Vec<StatementCount>>,
}

/// How many states there may be in all, judged from those that were met. It is no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimate {
    /// At least so many.
    pub least: u64,
    /// Probably not more than these.
    pub most: u64,
}

/// How much a store that is not exact may have passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Omissions {
    /// How many times a new state was taken for a known one, as expected from what the store has seen.
    pub expected: f64,
    /// How likely it is that this happened at all, from 0 to 1.
    pub probability: f64,
    /// How likely it would be to happen to one more new state, from 0 to 1.
    pub chance: f64,
    /// How many bits of a hash tell states apart, if that is what does.
    pub hash_bits: Option<u32>,
    /// The field of bits, if there is one.
    pub field: Option<BitField>,
}

/// A field of bits, some of which are set for each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitField {
    /// How many there are.
    pub bits: u64,
    /// How many of them are set.
    pub set: u64,
    /// How many are set for each state.
    pub hashes: u32,
}

/// A statement that no run executes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreached {
    /// The process or claim that it is a statement of.
    pub process: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The number of the location where the statement starts, in the source language's own count.
    pub state: u32,
    /// The statement.
    pub statement: String,
}

impl Tool {
    /// Mandala itself, in this version.
    pub fn mandala() -> Self {
        Tool {
            name: "mandala".into(),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }
}

/// Whether the steps of a claim tell a person something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimSteps {
    /// They do: the user has written the claim.
    Shown,
    /// They do not: the claim was made from a formula.
    Hidden,
}

/// How many of these steps the system makes: moves of the claim do not count.
pub fn system_steps(steps: &[Step]) -> usize {
    let steps = steps.iter();
    steps.filter(|step| step.actor == Actor::Process).count()
}

impl Trace {
    /// How many steps the system makes: moves of the claim do not count.
    pub fn system_steps(&self) -> usize {
        system_steps(&self.steps)
    }
}

impl Document {
    /// Whether the steps of the claim in a trace for that property tell a person something.
    pub fn claim_steps(&self, property: PropertyId) -> ClaimSteps {
        let found = self.properties.iter().find(|p| p.id == property);
        match found.map(|p| p.kind) {
            Some(PropertyKind::Ltl | PropertyKind::NonProgress | PropertyKind::Accept) => {
                ClaimSteps::Hidden
            }
            _ => ClaimSteps::Shown,
        }
    }

    /// The violations with their traces, the first one first.
    pub fn counterexamples(&self) -> impl Iterator<Item = (&Violation, &Trace)> {
        let first = self.violation.as_ref().zip(self.trace.as_ref());
        let further = self.further.iter().map(|c| (&c.violation, &c.trace));
        first.into_iter().chain(further)
    }

    /// The same document with these violations and traces in the place of its own.
    #[must_use]
    pub fn with_counterexamples(mut self, found: Vec<Counterexample>) -> Self {
        let mut found = found.into_iter();
        let first = found.next();
        (self.violation, self.trace) = first.map(|c| (c.violation, c.trace)).unzip();
        self.further = found.collect();
        self
    }
}
