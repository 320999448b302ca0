//! From what is asked for to what will be done: every combination that is not supported is refused
//! here, before any search starts, and none is quietly ignored.

mod judged;
mod partial_order;
mod properties;

use crate::options::{
    AfterViolation, BitField, CheckOptions, Checkpoints, Choice, CycleSearch, Deadlock,
    EngineChoice, Expansion, Fairness, Limits, PartialSymmetry, Precision, SearchOrder,
    StaticReductions, Store, Switch, SymmetryChoice, TraceStates,
};
use crate::symmetry::wish::{WITH_MAIN_ARRAY, wish};
use mandala_encoding::Obstacle;
use mandala_model::Model;
use mandala_model::model::Language;
use mandala_model::property::PropertyKind;
use mandala_model::source::Sources;
use mandala_reduce::Strategy;
use mandala_report::style::stated_bytes;
use mandala_store::StoreKind;
use std::fmt;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

pub use judged::{Judged, NotSelected};
pub use mandala_engine::{Decision, PartialOrder, Question, Scope, Subject, SymmetryUse};
pub(crate) use properties::no_such_property;
pub use properties::{check_of, named};

/// What will be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckPlan {
    /// One search each, in order.
    pub checks: Vec<Question>,
    /// What is judged by what the first search sees, without one of its own.
    pub judged: Vec<Judged>,
    /// What could be checked and is not.
    pub not_selected: Vec<NotSelected>,
    /// What does the search.
    pub engine: EngineChoice,
    /// In which order states are visited.
    pub order: SearchOrder,
    /// Where it gives up.
    pub limits: Limits,
    /// When the time that limits bound began.
    pub started: Instant,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
    /// How many violations are shown that differ in what they come from.
    pub bugs: NonZeroU32,
    /// How well values are computed.
    pub precision: Precision,
    /// How symmetry is used if there is any.
    pub symmetry: SymmetryUse,
    /// The factor of the budgets of proofs of symmetry.
    pub proof_effort: NonZeroU32,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// How they are looked for.
    pub cycles: CycleSearch,
    /// Whether one that violates a property is to be a shortest one.
    pub shortest: bool,
    /// Whether steps that are independent of others are left out.
    pub partial_order: PartialOrder,
    /// Which simplifications of the model are made beforehand.
    pub static_reductions: StaticReductions,
    /// How the machine is used.
    pub means: Means,
    /// Whether it is told how often each statement was executed.
    pub statement_counts: bool,
    /// Which states traces have.
    pub trace_states: TraceStates,
}

impl CheckPlan {
    /// The time that is left of what the user grants, if that is limited.
    pub fn time_left(&self) -> Option<Duration> {
        let spent = self.started.elapsed();
        self.limits.time.map(|time| time.saturating_sub(spent))
    }

    /// Whether the time that the user grants is over.
    pub fn is_over(&self) -> bool {
        self.time_left() == Some(Duration::ZERO)
    }
}

/// How the machine is used for a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Means {
    /// How many threads search.
    pub workers: NonZeroU32,
    /// What is remembered of a state.
    pub store: StoreKind,
    /// Whether successors are never found by native code.
    pub interpret: bool,
    /// Where the search writes down how far it is, if it does.
    pub checkpoint: Option<Checkpoints>,
}

/// A combination that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// Every number of threads is decided without a search of single states.
    EveryNumber(&'static str),
    /// Every size of a family is not decided by a search that does that.
    EverySize(&'static str),
    /// Models of that language have no families of any size.
    NoFamilies(Language),
    /// That constant is the size of nothing.
    NoFamily(String),
    /// Nothing that is selected is something that views decide.
    NothingByViews,
    /// That engine has no symmetry reduction.
    Symmetry(Strategy, EngineChoice),
    /// That engine uses symmetry in other ways.
    SymmetryOfEngine(SymmetryChoice, EngineChoice),
    /// That property is not decided with the symmetry of single statements.
    Partial(String, PartialSymmetry),
    /// That property is not decided by counting.
    Counters(String),
    /// That way of using symmetry has no main array.
    MainArray(SymmetryChoice),
    /// The model has no such array to sort by.
    NoSuchArray {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// Without a reduction there are no representatives that could be expanded or not.
    Detail(&'static str, SymmetryChoice, EngineChoice),
    /// Moves cannot be made once with that option.
    FireOnce(String),
    /// Something in the model makes every step depend on every other.
    PartialOrder {
        /// What it is.
        obstacle: Obstacle,
        /// Where it stands, in words.
        place: Option<String>,
    },
    /// That engine does not have what the option is for.
    NotOfEngine(&'static str, EngineChoice),
    /// A store that is not exact has no way back to a violation breadth first.
    BreadthFirst(Store),
    /// That store has no field of bits.
    NoField(Store),
    /// The field would take all the memory that there is.
    FieldSize {
        /// What was asked for.
        field: u64,
        /// What there is.
        memory: u64,
    },
    /// So many bits to a state are too few or too many.
    FieldHashes(u32),
    /// Checkpoints are of one search, and there would be several.
    SeveralChecks(Vec<String>),
    /// That strategy keeps states of its own, which checkpoints do not contain.
    CheckpointStrategy(Strategy),
    /// Nothing that is checked is about whole runs, which that option is for.
    NoInfiniteRuns(&'static str),
    /// A nested search does not do that.
    NotNested(String),
    /// That property is about runs that go on for ever, which that option does not go with.
    Cycles(String, String),
    /// In that language a step always counts as something that happens.
    Stuttering(Language),
    /// Positions in multisets are never told apart, and with them the rules that choose an element.
    FairToElements,
    /// That property asks for probabilities, for which there is no such option.
    Chance(String, &'static str),
    /// No property asks for probabilities, and it is said how they are to be computed.
    NoChance,
    /// The model has no property of that name.
    NoSuchProperty {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// No property is selected: whoever checks nothing learns nothing.
    NothingSelected,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::EveryNumber(option) => write!(
                f,
                "`{option}` is for a search of states, but every number of threads is decided without one; add `--max-threads N`"
            ),
            PlanError::EverySize(option) => write!(
                f,
                "`{option}` is not available with `--every`, which searches small numbers completely and decides the others by views"
            ),
            PlanError::NoFamilies(language) => write!(
                f,
                "`--every` is for models of Promela, Murphi and Cubicle; this one is read as {language}"
            ),
            PlanError::NoFamily(constant) => write!(
                f,
                "`--every {constant}`: `{constant}` is the size of no scalarset and of no family of processes (`active [{constant}] proctype`)"
            ),
            PlanError::NothingByViews => f.write_str(
                "`--every` decides assertions, run-time errors and invariants, and none of these is selected",
            ),
            PlanError::Symmetry(strategy, engine) => write!(
                f,
                "`--symmetry {strategy}` is not available with `--engine {}`, which has no symmetry reduction",
                engine.name()
            ),
            PlanError::SymmetryOfEngine(choice, engine) => write!(
                f,
                "`--symmetry {}` is not available with `--engine {}`, which uses symmetry in other ways",
                choice.name(),
                engine.name()
            ),
            PlanError::Partial(name, kind) => write!(
                f,
                "`--symmetry {}` decides {}, and `{name}` is something else; choose other properties with `--property`, or use `--symmetry auto`",
                kind.name(),
                match kind {
                    PartialSymmetry::Adaptive => "assertions, deadlocks, run-time errors and invariants",
                    PartialSymmetry::Virtual => "assertions, deadlocks, run-time errors, invariants and formulas of branching time",
                }
            ),
            PlanError::Counters(name) => write!(
                f,
                "`--symmetry counters` decides assertions, deadlocks, run-time errors and invariants, and `{name}` is something else; choose other properties with `--property`, or use `--symmetry auto`"
            ),
            PlanError::MainArray(choice) => write!(
                f,
                "`--main-array` is for `--symmetry {}`; `--symmetry {}` does not sort by an array",
                WITH_MAIN_ARRAY.map(Strategy::name).join("` and `--symmetry "),
                choice.name()
            ),
            PlanError::NoSuchArray { name, known } => no_such_array(f, name, known),
            PlanError::Detail(option, SymmetryChoice::Off, _) => write!(
                f,
                "`{option}` says how a search with symmetry goes on; with `--symmetry off` there is none",
            ),
            PlanError::Detail(option, SymmetryChoice::OnSets(_), engine) => write!(
                f,
                "`{option}` is not available with `--engine {}`, which expands sets of states",
                engine.name()
            ),
            PlanError::Detail(option, SymmetryChoice::Partial(kind), _) => write!(
                f,
                "`{option}` is not available with `--symmetry {}`, which has a search of its own",
                kind.name()
            ),
            PlanError::Detail(option, SymmetryChoice::Counters, _) => write!(
                f,
                "`{option}` is not available with `--symmetry counters`, which stores no states with names"
            ),
            PlanError::Detail(option, _, engine) => write!(
                f,
                "`{option}` is not available with `--engine {}`, which has no symmetry reduction",
                engine.name()
            ),
            PlanError::FireOnce(obstacle) => write!(
                f,
                "`--fire once` is not available with `{obstacle}`: moves that lead to one orbit may lead to several stored states there"
            ),
            PlanError::PartialOrder { obstacle, place } => {
                write!(f, "`--por on` is not possible with {obstacle}")?;
                if let Some(place) = place {
                    write!(f, " ({place})")?;
                }
                f.write_str(
                    ": every step may matter to it; leave `--por on` out, or choose what is checked with `--property`",
                )
            }
            PlanError::NotOfEngine(option, engine) => {
                let other = match EngineChoice::ALL.contains(engine) {
                    true => "--engine explicit",
                    false => "--symmetry auto",
                };
                let own = engine.option();
                write!(f, "`{option}` is not available with `{own}`; `{other}` has it")
            }
            PlanError::BreadthFirst(store) => write!(
                f,
                "`--store {0}` does not remember enough to find the way to a violation breadth first; leave \
                 `--search bfs` out, or say `--search dfs`, or `--store exact`",
                store.name()
            ),
            PlanError::NoField(store) => write!(
                f,
                "`--store-size` and `--store-hashes` are for `--store bitstate`; `--store {}` has no field of bits",
                store.name()
            ),
            PlanError::FieldSize { field, memory } => write!(
                f,
                "a field of {} leaves nothing of {} of memory; give a smaller `--store-size` or more `--memory`",
                stated_bytes(*field),
                stated_bytes(*memory)
            ),
            PlanError::FieldHashes(hashes) => write!(
                f,
                "`--store-hashes {hashes}` is not possible; it is 1 to {MOST_HASHES}"
            ),
            PlanError::SeveralChecks(names) => write!(
                f,
                "`--checkpoint` is for one search, and here is one for each of `{}`; choose one with `--property`",
                names.join("`, `")
            ),
            PlanError::CheckpointStrategy(strategy) => write!(
                f,
                "`--symmetry {strategy}` keeps states of its own, which checkpoints do not contain; \
                 `--symmetry auto` and most others do not"
            ),
            PlanError::NoInfiniteRuns(option) => write!(
                f,
                "`{option}` is about runs that go on for ever, and nothing that is checked is: state a formula (`--ltl`, `--ctl`), \
                 `--non-progress` or `--accept`, or leave it out"
            ),
            PlanError::NotNested(wish) => write!(
                f,
                "`--cycles nested` does not go with `{wish}`; `--cycles graph` does"
            ),
            PlanError::Cycles(name, option) => write!(
                f,
                "`{name}` is about whole runs, which are not looked at with `{option}`; leave it out, or \
                 choose other properties with `--property`"
            ),
            PlanError::Stuttering(language) => write!(
                f,
                "`--deadlock stuttering` is for systems of rules, as in Murphi; the language of this model is {language}"
            ),
            PlanError::FairToElements => f.write_str(
                "the model has multisets, and which rule chooses which of their elements is not followed, so fairness to rules \
                 cannot be decided; `--engine reference` follows it",
            ),
            PlanError::Chance(name, option) => write!(
                f,
                "`{name}` asks for probabilities, which `{option}` has no part in; leave it out, or choose other properties with `--property`"
            ),
            PlanError::NoChance => f.write_str(
                "`--precision` and `--exact` say how probabilities are computed, and no property asks for any; leave them out, or choose other properties with `--property`",
            ),
            PlanError::NoSuchProperty { name, known } => write!(
                f,
                "the model has no property `{name}`; it has `{}`",
                known.join("`, `")
            ),
            PlanError::NothingSelected => f.write_str("no property is selected, so there is nothing to check"),
        }
    }
}

fn no_such_array(f: &mut fmt::Formatter<'_>, name: &str, known: &[String]) -> fmt::Result {
    write!(f, "the model has no array `{name}` to sort by")?;
    match known {
        [] => f.write_str("; it has none at all"),
        known => write!(f, "; it has `{}`", known.join("`, `")),
    }
}

impl std::error::Error for PlanError {}

impl PlanError {
    /// The same with places in words.
    pub(crate) fn located(self, sources: &Sources) -> Self {
        match self {
            PlanError::PartialOrder { obstacle, .. } => PlanError::PartialOrder {
                place: obstacle.span.map(|span| sources.location(span).to_string()),
                obstacle,
            },
            other => other,
        }
    }
}

/// Decides what will be done for `options` on `model`.
pub fn plan(model: &Model, options: &CheckOptions) -> Result<CheckPlan, PlanError> {
    let symmetry = wish(model, options)?;
    let options = &with_engine_of(&symmetry, options);
    require_available(options)?;
    if options.deadlock == Deadlock::Stuttering && !model.is_system_of_rules() {
        return Err(PlanError::Stuttering(model.language));
    }
    let has_elements = model.scalarsets.iter().any(|set| set.unordered);
    if options.fairness.is_per_action()
        && has_elements
        && !options.engine.engine().capabilities().multiset_elements
    {
        return Err(PlanError::FairToElements);
    }
    let (checks, judged) = properties::selected(model, options)?;
    require_plain_chance(&checks, options)?;
    let not_selected = properties::not_selected(model, &checks, &judged);
    let partial_order = partial_order::partial_order(model, options, &checks, &judged);
    let partial_order = partial_order.map_err(|obstacle| PlanError::PartialOrder {
        obstacle,
        place: None,
    })?;
    let checks = match partial_order {
        PartialOrder::Off => checks,
        PartialOrder::StubbornSets => {
            let checks = checks.into_iter();
            checks.map(partial_order::on_the_graph).collect()
        }
    };
    let plan = CheckPlan {
        partial_order,
        checks,
        judged,
        not_selected,
        engine: options.engine,
        order: options.order,
        limits: options.limits,
        started: options.started,
        after_violation: options.after_violation,
        bugs: options.bugs,
        precision: options.precision,
        symmetry,
        proof_effort: options.proof_effort,
        fairness: options.fairness,
        cycles: cycle_search(options)?,
        shortest: options.shortest,
        static_reductions: options.static_reductions,
        means: means(options)?,
        statement_counts: options.statement_counts,
        trace_states: options.trace_states,
    };
    require_resumable(&plan)?;
    require_partial(&plan, model)?;
    require_static_of_partial(&plan, options)?;
    require_cycles(&plan, options)?;
    require_infinite_runs(&plan, options)?;
    Ok(plan)
}

/// Whether no option is set that questions about probabilities have no use for, if there are some.
fn require_plain_chance(checks: &[Question], options: &CheckOptions) -> Result<(), PlanError> {
    let mut asked = checks
        .iter()
        .filter(|check| check.decision == Decision::Value);
    let Some(check) = asked.next() else {
        return match options.precision == Precision::default() {
            true => Ok(()),
            false => Err(PlanError::NoChance),
        };
    };
    let symmetry = options.symmetry;
    let is_chosen = symmetry != SymmetryChoice::Off && symmetry != SymmetryChoice::default();
    let rewrites = options.static_reductions;
    let is_rewritten =
        rewrites != StaticReductions::default() && rewrites != StaticReductions::NONE;
    let set = [
        (is_chosen, "--symmetry"),
        (options.fairness != Fairness::Off, "--fair"),
        (options.partial_order == Switch::On, "--por on"),
        (options.checkpoint.is_some(), "--checkpoint"),
        (options.statement_counts, "--coverage"),
        (options.store != Store::Exact, "--store"),
        (options.shortest, "--shortest"),
        (options.cycles != CycleSearch::Auto, "--cycles"),
        (options.main_array.is_some(), "--main-array"),
        (is_rewritten, "--static"),
        (options.order != SearchOrder::default(), "--search"),
    ];
    match set.into_iter().find(|(is_set, _)| *is_set) {
        Some((_, option)) => Err(PlanError::Chance(check.name.clone(), option)),
        None => Ok(()),
    }
}

/// The same options with the engine that symmetry is used by in a search of its own, if that is wished for.
fn with_engine_of(symmetry: &SymmetryUse, options: &CheckOptions) -> CheckOptions {
    let engine = match symmetry {
        SymmetryUse::Partial(PartialSymmetry::Adaptive) => EngineChoice::ADAPTIVE,
        SymmetryUse::Partial(PartialSymmetry::Virtual) => EngineChoice::VIRTUAL,
        SymmetryUse::Counters if options.engine == EngineChoice::EXPLICIT => EngineChoice::COUNTERS,
        SymmetryUse::Off
        | SymmetryUse::Use { .. }
        | SymmetryUse::OnSets(_)
        | SymmetryUse::Counters => options.engine,
    };
    CheckOptions {
        engine,
        ..options.clone()
    }
}

/// With the symmetry of single statements and with counters safety is decided, and formulas of branching time on a bisimilar quotient.
fn require_partial(plan: &CheckPlan, model: &Model) -> Result<(), PlanError> {
    let kind = match plan.symmetry {
        SymmetryUse::Partial(kind) => Some(kind),
        SymmetryUse::Counters => None,
        SymmetryUse::Off | SymmetryUse::Use { .. } | SymmetryUse::OnSets(_) => return Ok(()),
    };
    let refused = |name: &str| {
        Err(match kind {
            Some(kind) => PlanError::Partial(name.to_string(), kind),
            None => PlanError::Counters(name.to_string()),
        })
    };
    let is_decided = |check: &&Question| match check.decision {
        Decision::Full => check.observers.claim.is_none(),
        Decision::Branching => kind == Some(PartialSymmetry::Virtual),
        Decision::Cycles | Decision::Value => false,
    };
    if let Some(check) = plan.checks.iter().find(|check| !is_decided(check)) {
        return refused(&check.name);
    }
    let stays = |judged: &&Judged| {
        let kind = &model.properties[judged.property.index()].kind;
        matches!(kind, PropertyKind::Reachable { .. })
    };
    match plan.judged.iter().find(stays) {
        Some(judged) => refused(&judged.name),
        None => Ok(()),
    }
}

/// With the symmetry of single statements dead variables are not reset, so asking for that by name is an error.
fn require_static_of_partial(plan: &CheckPlan, options: &CheckOptions) -> Result<(), PlanError> {
    let wished = options.static_reductions;
    let is_named = wished != StaticReductions::default() && wished.dead;
    match plan.symmetry {
        SymmetryUse::Partial(_) if is_named => Err(PlanError::Detail(
            "--static dead",
            options.symmetry,
            options.engine,
        )),
        _ => Ok(()),
    }
}

fn require_available(options: &CheckOptions) -> Result<(), PlanError> {
    if options.store != Store::Exact && options.order == SearchOrder::BreadthFirst {
        return Err(PlanError::BreadthFirst(options.store));
    }
    match beyond(options).into_iter().find(|(wished, _)| *wished) {
        Some((_, option)) => Err(PlanError::NotOfEngine(option, options.engine)),
        None => Ok(()),
    }
}

/// What is asked for beyond the capabilities of the engine.
fn beyond(options: &CheckOptions) -> [(bool, &'static str); 12] {
    let engine = options.engine.engine().capabilities();
    let deep = options.order == SearchOrder::DepthFirst && options.limits.depth.is_some();
    [
        (
            deep && !engine.depth_first_depth,
            "--depth` with `--search dfs",
        ),
        (
            options.fairness != Fairness::Off && !engine.cycles,
            "--fair",
        ),
        (options.shortest && !engine.shortest_cycles, "--shortest"),
        (
            options.cycles != CycleSearch::Auto && !engine.cycles,
            "--cycles",
        ),
        (
            options.limits.memory.is_some() && !engine.memory,
            "--memory",
        ),
        (
            options.statement_counts && !engine.statement_counts,
            "--coverage",
        ),
        (
            options.workers != NonZeroU32::MIN && !engine.workers,
            "--workers",
        ),
        (
            options.store != Store::Exact && !engine.lossy_stores,
            "--store",
        ),
        (options.interpret && !engine.native_code, "--interpret"),
        (options.bugs != NonZeroU32::MIN && !engine.causes, "--bugs"),
        (
            options.checkpoint.is_some() && !engine.checkpoints,
            "--checkpoint",
        ),
        (
            options.partial_order == Switch::On && !engine.partial_order,
            "--por on",
        ),
    ]
}

fn means(options: &CheckOptions) -> Result<Means, PlanError> {
    Ok(Means {
        workers: options.workers,
        store: store(options)?,
        interpret: options.interpret,
        checkpoint: options.checkpoint.clone(),
    })
}

/// The store with all its details.
fn store(options: &CheckOptions) -> Result<StoreKind, PlanError> {
    match options.store {
        Store::Bitstate => bit_field(options),
        store if options.field != BitField::default() => Err(PlanError::NoField(store)),
        Store::Exact => Ok(StoreKind::Exact),
        Store::HashCompact => Ok(StoreKind::HashCompact),
    }
}

/// The size of a field of bits if nobody says: room for a hundred million states with little loss.
const USUAL_FIELD: u64 = 128 << 20;

/// How many bits are set for a state if nobody says.
const USUAL_HASHES: u32 = 3;

/// How many bits can be set for a state at most.
const MOST_HASHES: u32 = 10;

/// What the program takes beside the search, about.
const PROGRAM: u64 = 12_000_000;

fn bit_field(options: &CheckOptions) -> Result<StoreKind, PlanError> {
    let memory = options.limits.memory.unwrap_or(u64::MAX);
    let room = memory.saturating_sub(PROGRAM);
    let field = options.field.bytes;
    let field = field.unwrap_or_else(|| USUAL_FIELD.min(room / 2));
    let hashes = options.field.hashes.unwrap_or(USUAL_HASHES);
    if !(1..=MOST_HASHES).contains(&hashes) {
        return Err(PlanError::FieldHashes(hashes));
    }
    match usize::try_from(field) {
        Ok(bytes) if field < room => Ok(StoreKind::Bitstate { bytes, hashes }),
        _ => Err(PlanError::FieldSize { field, memory }),
    }
}

/// A checkpoint is of one search, and has all that this search remembers.
fn require_resumable(plan: &CheckPlan) -> Result<(), PlanError> {
    if plan.means.checkpoint.is_none() {
        return Ok(());
    }
    if plan.checks.len() > 1 {
        let names = plan.checks.iter().map(|check| check.name.clone());
        return Err(PlanError::SeveralChecks(names.collect()));
    }
    match plan.symmetry {
        SymmetryUse::Use { strategy, .. } if KEEPING.contains(&strategy) => {
            Err(PlanError::CheckpointStrategy(strategy))
        }
        _ => Ok(()),
    }
}

/// How runs are looked for that go on for ever.
fn cycle_search(options: &CheckOptions) -> Result<CycleSearch, PlanError> {
    let leaves_out = options.partial_order == Switch::On;
    let wish = (options.fairness != Fairness::Off)
        .then(|| format!("--fair {}", options.fairness.name()))
        .or(options.shortest.then(|| "--shortest".into()))
        .or(leaves_out.then(|| "--por on".into()));
    match (options.cycles, wish) {
        (CycleSearch::Nested, Some(wish)) => Err(PlanError::NotNested(wish)),
        (cycles, _) => Ok(cycles),
    }
}

/// What is said of infinite runs must matter to something that is checked.
fn require_infinite_runs(plan: &CheckPlan, options: &CheckOptions) -> Result<(), PlanError> {
    let wishes = [
        (options.fairness != Fairness::Off, "--fair"),
        (options.shortest, "--shortest"),
        (options.cycles != CycleSearch::Auto, "--cycles"),
    ];
    match wishes.into_iter().find(|(wished, _)| *wished) {
        Some((_, option)) if plan.checks.iter().all(Question::is_of_system) => {
            Err(PlanError::NoInfiniteRuns(option))
        }
        _ => Ok(()),
    }
}

/// Runs that go round for ever are found in an exact store of representatives that do not depend on what was met before.
fn require_cycles(plan: &CheckPlan, options: &CheckOptions) -> Result<(), PlanError> {
    let finds_cycles = options.engine.engine().capabilities().cycles;
    // An engine that finds none decides formulas of branching time by fixpoints of sets of states.
    let is_refused = |check: &&Question| match finds_cycles {
        false => check.decision == Decision::Cycles,
        true => check.decision != Decision::Full,
    };
    let Some(check) = plan.checks.iter().find(is_refused) else {
        return Ok(());
    };
    let refused = |option: String| Err(PlanError::Cycles(check.name.clone(), option));
    if !finds_cycles {
        return refused(format!("--engine {}", options.engine.name()));
    }
    if options.store != Store::Exact {
        return refused(format!("--store {}", options.store.name()));
    }
    if options.expand == Some(Expansion::Originals) {
        return refused("--expand originals".into());
    }
    if options.checkpoint.is_some() {
        return refused("--checkpoint".into());
    }
    match plan.symmetry {
        SymmetryUse::Use { strategy, .. } if KEEPING.contains(&strategy) => {
            refused(format!("--symmetry {strategy}"))
        }
        _ => Ok(()),
    }
}

/// The strategies that keep states of their own.
pub(crate) const KEEPING: [Strategy; 3] = [Strategy::Flood, Strategy::Markers, Strategy::FirstMet];
