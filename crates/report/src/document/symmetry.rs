//! The part of the document about symmetry: which group, where it came from, what it was used for, and what is
//! not symmetric after all.

use super::{ModelSource, NamedValue, PropertyId, Tool};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of the form of a [`SymmetryDocument`].
pub const SYMMETRY_SCHEMA: &str = "mandala-symmetry/1";

/// Which symmetry was used, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Symmetry {
    /// How representatives are found: `off`, or the name of a strategy.
    pub strategy: String,
    /// What that strategy promises.
    #[serde(default)]
    pub guarantee: Guarantee,
    /// The size of the group, in decimal.
    pub order: String,
    /// Whether every orbit has exactly one representative.
    pub exact: bool,
    /// What the group is.
    pub structure: String,
    /// Generators of the group, in cycle notation with the names of the model.
    pub generators: Vec<String>,
    /// Where the symmetry comes from: `none`, `found`, `declared` or `declared and found`.
    pub source: String,
    /// The sets of interchangeable things.
    #[serde(default)]
    pub domains: Vec<Domain>,
    /// The array by which states are sorted, for the strategies that have one.
    #[serde(default)]
    pub main_array: Option<String>,
    /// Which states are expanded: `representatives` or `originals`; null if nothing is reduced.
    #[serde(default)]
    pub expand: Option<String>,
    /// How many times smaller the number of states can get at most, in decimal: the order of the group.
    #[serde(default = "one")]
    pub bound: String,
    /// How many times smaller it got, if the strategy knows: `images` divided by the number of representatives.
    #[serde(default)]
    pub achieved: Option<f64>,
    /// How many states the representatives stand for, if the strategy has stored them all.
    #[serde(default)]
    pub images: Option<u64>,
    /// Whether processes that have ended stay in the states, because the order in which they leave would tell them
    /// apart. Only where nobody can observe it.
    #[serde(default)]
    pub ended_stay: bool,
    /// In which other words the model is searched, because these have more symmetry. Only where nobody can observe it.
    #[serde(default)]
    pub restated: Vec<String>,
    /// What finding the representatives took; null if nothing is reduced.
    #[serde(default)]
    pub canonicalising: Option<Canonicalising>,
    /// What might have been interchangeable and is not, or cannot be proven to be.
    #[serde(default)]
    pub refused: Vec<Refused>,
    /// Why nothing is reduced, if something might have been.
    #[serde(default)]
    pub note: Option<String>,
    /// How much more would be interchangeable if nothing were checked; null if nothing would, or if there was no time to
    /// find out.
    #[serde(default)]
    pub property_cost: Option<PropertyCost>,
    /// What finding and proving the group took; null if none was looked for.
    #[serde(default)]
    pub detection: Option<Detection>,
    /// How far the model is from being symmetric; null where that was not looked at.
    #[serde(default)]
    pub asymmetry: Option<Asymmetry>,
}

/// How far a model is from being symmetric: how many of its statements treat members differently that might be interchangeable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asymmetry {
    /// With `virtual`, how symmetric the model turned out to be: `symmetric`, `nearly symmetric`, `roughly symmetric` or `virtually symmetric`.
    #[serde(default)]
    pub kind: Option<String>,
    /// How many statements there are.
    pub statements: u64,
    /// How many of them treat members differently; with `adaptive` and `virtual` they are in `refused`.
    pub breaking: u64,
    /// How many members there are.
    pub members: u64,
}

fn yes() -> bool {
    true
}

fn usual_effort() -> u32 {
    1
}

fn one() -> String {
    "1".into()
}

impl Symmetry {
    /// No symmetry was asked for: the trivial group, for which every state is its own representative.
    pub fn off() -> Self {
        Symmetry {
            strategy: "off".into(),
            guarantee: Guarantee::Canonical,
            order: one(),
            exact: true,
            structure: "trivial".into(),
            generators: Vec::new(),
            source: "none".into(),
            domains: Vec::new(),
            main_array: None,
            expand: None,
            bound: one(),
            achieved: None,
            images: None,
            ended_stay: false,
            restated: Vec::new(),
            canonicalising: None,
            refused: Vec::new(),
            note: None,
            property_cost: None,
            detection: None,
            asymmetry: None,
        }
    }

    /// Whether there is nothing but the identity.
    pub fn is_trivial(&self) -> bool {
        self.order == "1"
    }

    /// Whether it is the same group of the same things.
    pub fn has_group_of(&self, other: &Symmetry) -> bool {
        (&self.order, &self.domains) == (&other.order, &other.domains)
    }
}

/// What a strategy promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guarantee {
    /// One representative for each orbit.
    #[default]
    Canonical,
    /// An orbit may have several representatives: more states than necessary, the same verdict.
    Several,
    /// States of different orbits may be taken for one: a violation that is found is real, but one may be missed.
    MayMiss,
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Guarantee::Canonical => "canonical",
            Guarantee::Several => "may keep several",
            Guarantee::MayMiss => "may miss violations",
        })
    }
}

/// A set of interchangeable things.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Domain {
    /// What they are called together.
    pub name: String,
    /// What they are.
    pub kind: DomainKind,
    /// Whether they may be permuted in all ways, whatever happens to the rest. If not, the generators say which ways there are.
    #[serde(default = "yes")]
    pub full: bool,
    /// How many there are.
    pub size: u32,
    /// Each of them, in the words of the model.
    pub members: Vec<String>,
    /// Where the set comes from.
    pub source: DomainSource,
    /// Where it is declared, if it is.
    pub declared: Option<SourceLine>,
    /// From when on its members are interchangeable: once each of these processes has come to its line. Empty if
    /// they are from the start.
    pub settled: Vec<Settled>,
}

/// What kind of things are interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DomainKind {
    /// Processes, known by their numbers.
    Processes,
    /// Values that name something: they index arrays, and stand in variables and messages.
    Names,
}

/// Who said that things are interchangeable. It is proven in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DomainSource {
    /// The model.
    Declared,
    /// Mandala.
    Found,
}

impl fmt::Display for DomainSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DomainSource::Declared => "declared",
            DomainSource::Found => "found",
        })
    }
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLine {
    /// The file, as the user named it.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// A process and the line that it must have come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// The name of the process.
    pub process: String,
    /// The file, if there is a line.
    pub file: Option<String>,
    /// The line, from 1; null if it must have come to its end.
    pub line: Option<u32>,
}

/// What finding representatives took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Canonicalising {
    /// For how many states the representative was looked for.
    pub states: u64,
    /// How many of the stored representatives may not be the only ones of their orbits.
    pub not_canonical: u64,
    /// How long it took: of all searches, the part [`TimeSplit::canonicalise`](super::TimeSplit::canonicalise) of their time. Nothing if none
    /// of them has such parts.
    pub seconds: Option<f64>,
    /// The share of that in the time of the searches, from 0 to 1.
    pub share: Option<f64>,
}

/// Something that is not interchangeable after all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// What might have been.
    pub what: String,
    /// Why it is not, or cannot be proven to be.
    pub reason: String,
    /// Whether that was found out. If not, the budget of a proof ended before.
    #[serde(default = "yes")]
    pub decided: bool,
    /// The file where that is, if it is at one place.
    pub file: Option<String>,
    /// The line there, from 1.
    pub line: Option<u32>,
    /// Two states that show that it is not; null if none were found, or nobody has looked for them.
    #[serde(default)]
    pub pair: Option<StatePair>,
}

/// Two states, of which the second is the first with two names exchanged, that go on differently. The interpreter has executed both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatePair {
    /// The names that are exchanged.
    pub exchanged: [String; 2],
    /// How many steps lead to the first state.
    pub depth: u64,
    /// What has a name in the first state.
    pub state: Vec<NamedValue>,
    /// What has another value in the second state.
    pub image: Vec<NamedValue>,
    /// All of it in words, with what happens in one of them alone.
    pub text: String,
}

/// What properties cost that tell apart what the system itself does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyCost {
    /// The size of the group of the system alone, in decimal.
    pub order: String,
    /// How many times as large that is as the group that is used, in decimal.
    pub times: String,
    /// The assertions that each make it smaller by themselves.
    pub assertions: Vec<SourceLine>,
    /// Whether the claim or the observer of messages does.
    pub observer: bool,
}

/// What finding and proving a group took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detection {
    /// How long it took.
    pub seconds: f64,
    /// How many vertices the graph of the model had whose automorphisms were proposed; null if it took none.
    pub vertices: Option<u64>,
    /// How many edges.
    pub edges: Option<u64>,
    /// Whether the budget was enough for everything that there was to try.
    pub complete: bool,
    /// How many steps of work it took: the same on every machine.
    #[serde(default)]
    pub steps: u64,
    /// The factor of the budget: `--proof-effort`.
    #[serde(default = "usual_effort")]
    pub proof_effort: u32,
    /// The part of a proof at which the budget ended, if it was not enough.
    #[serde(default)]
    pub ended_at: Option<BudgetEnd>,
    /// How many parts of the model its types decided; null if they were not asked.
    #[serde(default)]
    pub parts: Option<DecidedParts>,
}

/// The part of a proof at which a budget ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetEnd {
    /// A noun phrase for it.
    pub what: String,
    /// The file, if it is at one place.
    pub file: Option<String>,
    /// The line there, from 1.
    pub line: Option<u32>,
}

/// Parts of a model: edges, monitors, functions, conditions, first values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedParts {
    /// Those that types decide.
    pub decided: u64,
    /// All there are.
    pub all: u64,
}

/// What `mandala symmetry` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymmetryDocument {
    /// Always [`SYMMETRY_SCHEMA`].
    pub schema: String,
    /// The program that wrote the document.
    pub tool: Tool,
    /// Which model it is about.
    pub model: ModelSource,
    /// The property that `symmetry` is about.
    pub property_id: PropertyId,
    /// Its name.
    pub property: String,
    /// What can be exchanged without that property noticing.
    pub symmetry: Symmetry,
    /// The same for each further property that leaves another group.
    pub further: Vec<PropertySymmetry>,
}

/// What can be exchanged without one property noticing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertySymmetry {
    /// The property.
    pub property_id: PropertyId,
    /// Its name.
    pub property: String,
    /// The symmetry that it leaves.
    pub symmetry: Symmetry,
}
