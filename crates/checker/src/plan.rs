//! From what is asked for to what will be done: every combination that is not supported is refused
//! here, before any search starts, and none is quietly ignored.

mod partial_order;

use crate::assertions::assertions;
use crate::liveness::{Origin, has_accepting_cycle};
use crate::options::{
    AfterViolation, BitField, CheckOptions, CheckpointWish, Choice, CycleSearch, Deadlock, Engine,
    Expansion, Fairness, Limits, NEVER, SAFETY, SearchOrder, Selection, StaticReductions, Store,
    Switch, SymmetryChoice,
};
use crate::symmetry::wish::{SymmetryWish, WITH_MAIN_ARRAY, wish};
use mandala_encoding::Obstacle;
use mandala_model::Model;
use mandala_model::ids::{PropertyId, TemplateId};
use mandala_model::model::Language;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::{Sources, Span};
use mandala_model::step::{Observers, Violation};
use mandala_reduce::Strategy;
use mandala_report::style::stated_bytes;
use mandala_store::StoreKind;
use std::fmt;
use std::num::NonZeroU32;

/// What will be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckPlan {
    /// One search each, in order.
    pub checks: Vec<PlannedCheck>,
    /// What is judged by what the first search sees, without one of its own.
    pub judged: Vec<Judged>,
    /// What does the search.
    pub engine: Engine,
    /// In which order states are visited.
    pub order: SearchOrder,
    /// Where it gives up.
    pub limits: Limits,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
    /// How symmetry is used if there is any.
    pub symmetry: SymmetryWish,
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
}

/// Whether steps that are independent of others are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartialOrder {
    /// Every step is made.
    Off,
    /// In each state the steps of a closed set of processes are enough.
    StubbornSets,
}

impl PartialOrder {
    /// What it is called in reports.
    pub fn name(self) -> &'static str {
        match self {
            PartialOrder::Off => "off",
            PartialOrder::StubbornSets => "stubborn sets",
        }
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
    pub checkpoint: Option<CheckpointWish>,
}

/// One property and how it is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCheck {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: CheckKind,
    /// What runs along with the system.
    pub observers: Observers,
    /// The assertions that belong to the claim; those of the system are a matter of its safety.
    pub claim_assertions: Vec<Span>,
    /// Whether a search that finds no violation decides it.
    pub decision: Decision,
}

/// A property that the search for safety decides besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// Which one it is.
    pub property: PropertyId,
    /// What it is.
    pub kind: CheckKind,
}

/// What is checked, which decides what counts as a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckKind {
    /// Assertions, deadlock, run-time errors and observed messages.
    Safety(Deadlock),
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
    /// Runs that go on for ever make progress.
    Progress,
    /// No run is at an accepting place of a process again and again.
    Accept,
}

impl PlannedCheck {
    /// Whether that is what the check is about. To a claim the assertions of the system do not
    /// matter, which are a matter of its safety. A run-time error or a message that the model itself
    /// rules out always matters: no statement about the runs of a model stands if some of them break off.
    pub fn concerns(&self, violation: &Violation) -> bool {
        match (self.kind, violation) {
            (CheckKind::Safety(deadlock), Violation::Deadlock) => deadlock != Deadlock::Ignore,
            (CheckKind::Safety(_), _) => true,
            (_, Violation::Deadlock) => false,
            (_, Violation::Assertion { span }) => self.claim_assertions.contains(span),
            (_, _) => true,
        }
    }
}

/// Whether a search that finds no violation decides the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It does.
    Full,
    /// If it looks for runs that go round for ever as well: the claim may be violated by one.
    Cycles,
    /// It does not: the graph of all states decides. The claim only says what is asked of states, and does not run.
    Branching,
}

/// A combination that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// That engine has no symmetry reduction.
    Symmetry(Strategy, Engine),
    /// That engine uses symmetry in other ways.
    SymmetryOfEngine(SymmetryChoice, Engine),
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
    Expand(SymmetryChoice, Engine),
    /// Something in the model makes every step depend on every other.
    PartialOrder {
        /// What it is.
        obstacle: Obstacle,
        /// Where it stands, in words.
        place: Option<String>,
    },
    /// That engine does not have what the option is for.
    NotOfEngine(&'static str, Engine),
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
    /// The model has no property of that name.
    NoSuchProperty {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
            PlanError::MainArray(choice) => write!(
                f,
                "`--main-array` is for `--symmetry {}`; `--symmetry {}` does not sort by an array",
                WITH_MAIN_ARRAY.map(Strategy::name).join("` and `--symmetry "),
                choice.name()
            ),
            PlanError::NoSuchArray { name, known } => no_such_array(f, name, known),
            PlanError::Expand(SymmetryChoice::Off, _) => f.write_str(
                "`--expand` says how a search with symmetry goes on; with `--symmetry off` there is none",
            ),
            PlanError::Expand(SymmetryChoice::OnSets(_), engine) => write!(
                f,
                "`--expand` is not available with `--engine {}`, which expands sets of states",
                engine.name()
            ),
            PlanError::Expand(_, engine) => write!(
                f,
                "`--expand` is not available with `--engine {}`, which has no symmetry reduction",
                engine.name()
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
            PlanError::NotOfEngine(option, engine) => write!(
                f,
                "`{option}` is not available with `--engine {}`; `--engine explicit` has it",
                engine.name()
            ),
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
                 `--progress` or `--accept`, or leave it out"
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
            PlanError::NoSuchProperty { name, known } => write!(
                f,
                "the model has no property `{name}`; it has `{}`",
                known.join("`, `")
            ),
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
    require_available(options)?;
    if options.deadlock == Deadlock::Stuttering && !model.is_system_of_rules() {
        return Err(PlanError::Stuttering(model.language));
    }
    let has_elements = model.scalarsets.iter().any(|set| set.unordered);
    if options.fairness.is_per_action() && has_elements && options.engine != Engine::Reference {
        return Err(PlanError::FairToElements);
    }
    let (checks, judged) = select(
        checks(model, options.deadlock),
        judged(model),
        &options.properties,
    )?;
    let partial_order = partial_order::partial_order(model, options, &checks, &judged)?;
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
        engine: options.engine,
        order: options.order,
        limits: options.limits,
        after_violation: options.after_violation,
        symmetry: wish(model, options)?,
        fairness: options.fairness,
        cycles: cycle_search(options)?,
        shortest: options.shortest,
        static_reductions: options.static_reductions,
        means: means(options)?,
        statement_counts: options.statement_counts,
    };
    require_resumable(&plan)?;
    require_cycles(&plan, options)?;
    require_infinite_runs(&plan, options)?;
    Ok(plan)
}

fn require_available(options: &CheckOptions) -> Result<(), PlanError> {
    if options.store != Store::Exact && options.order == SearchOrder::BreadthFirst {
        return Err(PlanError::BreadthFirst(options.store));
    }
    match options.engine {
        Engine::Explicit => Ok(()),
        Engine::Symbolic => require_of_symbolic(options),
        Engine::Reference => require_plain(options),
    }
}

/// The symbolic engine has one thread, and does not look at one state or one step at a time.
fn require_of_symbolic(options: &CheckOptions) -> Result<(), PlanError> {
    let chains = options.order == SearchOrder::DepthFirst;
    let limited = options.limits.depth.is_some();
    let wishes = [
        (chains && limited, "--depth` with `--search dfs"),
        (options.fairness != Fairness::Off, "--fair"),
        (options.shortest, "--shortest"),
        (options.cycles != CycleSearch::Auto, "--cycles"),
    ];
    refuse(options, &wishes)?;
    refuse(options, &of_single_states(options))
}

/// The reference engine has one thread, and nothing that makes it fast.
fn require_plain(options: &CheckOptions) -> Result<(), PlanError> {
    let wishes = [
        (options.limits.memory.is_some(), "--memory"),
        (options.statement_counts, "--coverage"),
    ];
    refuse(options, &wishes)?;
    refuse(options, &of_single_states(options))
}

/// What only the engine has that handles one state at a time and is fast.
fn of_single_states(options: &CheckOptions) -> [(bool, &'static str); 5] {
    [
        (options.workers != NonZeroU32::MIN, "--workers"),
        (options.store != Store::Exact, "--store"),
        (options.interpret, "--interpret"),
        (options.checkpoint.is_some(), "--checkpoint"),
        (options.partial_order == Switch::On, "--por on"),
    ]
}

/// Refuses the first wish that the engine does not fulfil.
fn refuse(options: &CheckOptions, wishes: &[(bool, &'static str)]) -> Result<(), PlanError> {
    match wishes.iter().find(|(wished, _)| *wished) {
        Some((_, option)) => Err(PlanError::NotOfEngine(option, options.engine)),
        None => Ok(()),
    }
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
        SymmetryWish::Use { strategy, .. } if KEEPING.contains(&strategy) => {
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
    let is_safety = |check: &PlannedCheck| matches!(check.kind, CheckKind::Safety(_));
    let wishes = [
        (options.fairness != Fairness::Off, "--fair"),
        (options.shortest, "--shortest"),
        (options.cycles != CycleSearch::Auto, "--cycles"),
    ];
    match wishes.into_iter().find(|(wished, _)| *wished) {
        Some((_, option)) if plan.checks.iter().all(is_safety) => {
            Err(PlanError::NoInfiniteRuns(option))
        }
        _ => Ok(()),
    }
}

/// Runs that go round for ever are found in an exact store of representatives that do not depend on what was met before.
fn require_cycles(plan: &CheckPlan, options: &CheckOptions) -> Result<(), PlanError> {
    // On diagrams formulas of branching time are fixpoints of sets of states.
    let is_refused = |check: &&PlannedCheck| match options.engine {
        Engine::Symbolic => check.decision == Decision::Cycles,
        Engine::Explicit | Engine::Reference => check.decision != Decision::Full,
    };
    let Some(check) = plan.checks.iter().find(is_refused) else {
        return Ok(());
    };
    let refused = |option: String| Err(PlanError::Cycles(check.name.clone(), option));
    if options.engine == Engine::Symbolic {
        return refused("--engine symbolic".into());
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
        SymmetryWish::Use { strategy, .. } if KEEPING.contains(&strategy) => {
            refused(format!("--symmetry {strategy}"))
        }
        _ => Ok(()),
    }
}

/// The strategies that keep states of their own.
const KEEPING: [Strategy; 3] = [Strategy::Flood, Strategy::Markers, Strategy::FirstMet];

/// Everything that the model states: its safety first, then its claims in order.
fn checks(model: &Model, deadlock: Deadlock) -> Vec<PlannedCheck> {
    let events = model.properties.iter().find_map(|p| match p.kind {
        PropertyKind::Events { observer } => Some(observer),
        _ => None,
    });
    let safety = PlannedCheck {
        name: SAFETY.into(),
        kind: CheckKind::Safety(deadlock),
        observers: Observers {
            claim: None,
            events,
        },
        claim_assertions: Vec::new(),
        decision: Decision::Full,
    };
    let claims = model.properties.iter();
    let claims = claims.filter_map(|p| claim_check(model, p, events));
    std::iter::once(safety).chain(claims).collect()
}

fn claim_check(
    model: &Model,
    property: &Property,
    events: Option<TemplateId>,
) -> Option<PlannedCheck> {
    let (kind, claim, decision) = match property.kind {
        PropertyKind::Never { claim } => {
            let decision = of_claim(model, claim, Origin::Written);
            (CheckKind::Never, claim, decision)
        }
        PropertyKind::Ltl { claim, .. } => {
            let decision = of_claim(model, claim, Origin::Formula);
            (CheckKind::Ltl, claim, decision)
        }
        PropertyKind::Ctl { watch, .. } => (CheckKind::Ctl, watch, Decision::Branching),
        PropertyKind::Progress { claim } => (CheckKind::Progress, claim, Decision::Cycles),
        PropertyKind::Accept { claim } => (CheckKind::Accept, claim, Decision::Cycles),
        PropertyKind::Events { .. }
        | PropertyKind::Invariant { .. }
        | PropertyKind::Cover { .. }
        | PropertyKind::Reachable { .. } => return None,
    };
    let edges = model.template(claim).edges.iter();
    let assertions = edges.flat_map(|edge| assertions(edge).map(|(condition, _)| condition.span));
    Some(PlannedCheck {
        name: property.name.clone(),
        kind,
        observers: Observers {
            claim: Some(claim),
            events,
        },
        claim_assertions: assertions.collect(),
        decision,
    })
}

/// How a claim is decided.
fn of_claim(model: &Model, claim: TemplateId, origin: Origin) -> Decision {
    match has_accepting_cycle(model.template(claim), origin) {
        true => Decision::Cycles,
        false => Decision::Full,
    }
}

/// The properties that need no search of their own.
fn judged(model: &Model) -> Vec<Judged> {
    let properties = (0..).map(PropertyId).zip(&model.properties);
    let judged = properties.filter_map(|(property, stated)| {
        let kind = match stated.kind {
            PropertyKind::Invariant { .. } => CheckKind::Invariant,
            PropertyKind::Cover { .. } => CheckKind::Cover,
            PropertyKind::Reachable { .. } => CheckKind::Reachable,
            PropertyKind::Never { .. }
            | PropertyKind::Ltl { .. }
            | PropertyKind::Ctl { .. }
            | PropertyKind::Progress { .. }
            | PropertyKind::Accept { .. }
            | PropertyKind::Events { .. } => return None,
        };
        Some(Judged {
            name: stated.name.clone(),
            property,
            kind,
        })
    });
    judged.collect()
}

/// What is wanted of all that can be checked. Who wants what is judged by the search for safety gets that search, too.
fn select(
    checks: Vec<PlannedCheck>,
    judged: Vec<Judged>,
    selection: &Selection,
) -> Result<(Vec<PlannedCheck>, Vec<Judged>), PlanError> {
    let Selection::Named(names) = selection else {
        return Ok((checks, judged));
    };
    let is_named = |j: &&Judged| names.contains(&j.name);
    let kept: Vec<Judged> = judged.iter().filter(is_named).cloned().collect();
    let others = names
        .iter()
        .filter(|name| kept.iter().all(|j| j.name != **name));
    let named = others.map(|name| position(&checks, &judged, name));
    let mut wanted = named.collect::<Result<Vec<usize>, PlanError>>()?;
    if !kept.is_empty() {
        wanted.extend(checks.iter().position(|check| check.name == SAFETY));
    }
    let checks = checks.into_iter().enumerate();
    let checks = checks.filter(|(index, _)| wanted.contains(index));
    Ok((checks.map(|(_, check)| check).collect(), kept))
}

/// The check of that name. [`NEVER`] also names the only never claim, whatever its name is.
fn position(checks: &[PlannedCheck], judged: &[Judged], name: &str) -> Result<usize, PlanError> {
    let mut indices = 0..checks.len();
    if let Some(index) = indices.find(|&i| checks[i].name == name) {
        return Ok(index);
    }
    let is_never = |i: &usize| checks[*i].kind == CheckKind::Never;
    let nevers: Vec<usize> = (0..checks.len()).filter(is_never).collect();
    match nevers.as_slice() {
        [only] if name == NEVER => Ok(*only),
        _ => Err(PlanError::NoSuchProperty {
            name: name.to_string(),
            known: {
                let judged = judged.iter().map(|j| j.name.clone());
                checks
                    .iter()
                    .map(|c| c.name.clone())
                    .chain(judged)
                    .collect()
            },
        }),
    }
}
