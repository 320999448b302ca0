//! The document of a finished check, made of the outcomes of all its properties.

use super::{coverage, present, run, statements, symmetry as tell};
use crate::checkpoint;
use crate::frontend::LoadedModel;
use crate::limits;
use crate::missed;
use crate::options::{Choice, Deadlock, SearchOrder, StaticReductions};
use crate::outcome::{PropertyOutcome, Verdict};
use crate::plan::{CheckPlan, PartialOrder, Scope, Subject};
use mandala_engine::{Amount, ChanceStatistics, DiagramStatistics, Extent, Statistics, TimeSplit};
use mandala_model::model::{self, Language};
use mandala_model::property::{PropertyKind, RunOrigin};
use mandala_prepare::Rewrites;
use mandala_report::document::{self, Document};
use mandala_report::style::counted;
use mandala_store::{OmissionBasis, Omissions};

/// The document of a finished check.
pub fn conclude(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    outcomes: Vec<PropertyOutcome>,
) -> Document {
    let verdict = overall(&outcomes);
    let stats = total(&outcomes);
    let coverage = coverage_of(loaded, plan, &outcomes);
    let search = search(loaded, plan, &outcomes);
    let unreached = coverage::unreached(loaded, &outcomes);
    let symmetry = symmetry_of(loaded, plan, &outcomes);
    let simplification = simplification(plan, &outcomes);
    let warnings = warnings(loaded, &symmetry, stats.states, &outcomes);
    let left_out = left_out(plan, &outcomes);
    let properties = outcomes
        .iter()
        .map(|o| property(loaded, plan, o, &symmetry));
    let properties = properties.collect();
    let mut found = counterexamples(loaded, plan, outcomes).into_iter();
    let first = found.next();
    let (violation, trace) = first.map(|c| (c.violation, c.trace)).unzip();
    Document {
        schema: document::SCHEMA.into(),
        tool: document::Tool::mandala(),
        model: present::model_source(loaded),
        verdict,
        properties,
        not_selected: not_selected(plan),
        violation,
        trace,
        further: found.collect(),
        stats,
        search,
        warnings,
        symmetry,
        reduction: document::Reduction {
            partial_order: plan.partial_order.name().into(),
            left_out,
            simplification,
        },
        coverage,
        threads: present::threads(loaded),
        every: None,
        unreached,
    }
}

/// The violations of all properties, one of each: those that their searches have met first, then the others, in the order of the properties; and behind them those
/// that come from something else.
fn counterexamples(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    mut outcomes: Vec<PropertyOutcome>,
) -> Vec<document::Counterexample> {
    outcomes.sort_by_key(|outcome| !outcome.met_first);
    let states = plan.trace_states;
    let (mut first, mut further) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        if let Verdict::Violated(found) = outcome.verdict {
            first.push(present::counterexample(loaded, &found, states));
        }
        let others = outcome.further.iter();
        further.extend(others.map(|found| present::counterexample(loaded, found, states)));
    }
    first.extend(further);
    first
}

fn not_selected(plan: &CheckPlan) -> Vec<document::NotSelected> {
    let left = plan.not_selected.iter();
    let left = left.map(|left| document::NotSelected {
        id: present::identity(left.subject),
        name: left.name.clone(),
    });
    left.collect()
}

/// What partial-order reduction has saved, if it was used.
fn left_out(plan: &CheckPlan, outcomes: &[PropertyOutcome]) -> Option<document::LeftOut> {
    if plan.partial_order == PartialOrder::Off {
        return None;
    }
    let mut sum = document::LeftOut::default();
    for search in outcomes.iter().filter_map(|o| o.search.as_ref()) {
        sum.states += search.statistics.expanded_partly;
        sum.steps += search.statistics.left_out;
    }
    Some(sum)
}

/// What was simplified for the first search. Others may see more, and leave less to be simplified.
fn simplification(plan: &CheckPlan, outcomes: &[PropertyOutcome]) -> String {
    match outcomes.first() {
        Some(first) if plan.static_reductions != StaticReductions::NONE => {
            rewrites(&first.prepared.rewrites)
        }
        _ => "off".into(),
    }
}

/// How a model was made smaller, in words.
fn rewrites(made: &Rewrites) -> String {
    let parts = [
        (made.dead.len(), "dead variable"),
        (made.merged.unwrap_or(0), "merged location"),
        (made.constants.len(), "constant"),
        (made.idle_edges, "idle statement"),
    ];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, what)| counted(*number as u64, what))
        .collect();
    match parts.is_empty() {
        true => "nothing".into(),
        false => parts.join(", "),
    }
}

fn overall(outcomes: &[PropertyOutcome]) -> document::Verdict {
    let verdicts = || outcomes.iter().map(|o| verdict(&o.verdict));
    let any = |wanted| verdicts().any(|v| v == wanted);
    if any(document::Verdict::Violated) {
        document::Verdict::Violated
    } else if any(document::Verdict::Unknown) {
        document::Verdict::Unknown
    } else if any(document::Verdict::Value) {
        document::Verdict::Value
    } else {
        document::Verdict::Holds
    }
}

fn verdict(verdict: &Verdict) -> document::Verdict {
    match verdict {
        Verdict::Holds => document::Verdict::Holds,
        Verdict::Violated(_) | Verdict::Missed(_) => document::Verdict::Violated,
        Verdict::Unknown(_) => document::Verdict::Unknown,
        Verdict::Value => document::Verdict::Value,
    }
}

/// The symmetry of the first search, with what it took in all of them.
fn symmetry_of(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    outcomes: &[PropertyOutcome],
) -> document::Symmetry {
    match outcomes.first() {
        Some(first) => tell::symmetry(
            loaded,
            &plan.symmetry,
            &first.prepared,
            &reduction(outcomes),
        ),
        None => document::Symmetry::off(),
    }
}

/// What the use of symmetry took in those searches.
fn reduction(outcomes: &[PropertyOutcome]) -> tell::Total {
    let mut total = tell::Total::default();
    for search in outcomes.iter().filter_map(|o| o.search.as_ref()) {
        total.add(search);
    }
    total
}

/// The symmetry of one search, if it differs from that of the first.
fn own_symmetry(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    outcome: &PropertyOutcome,
    first: &document::Symmetry,
) -> Option<document::Symmetry> {
    let total = reduction(std::slice::from_ref(outcome));
    let own = tell::symmetry(loaded, &plan.symmetry, &outcome.prepared, &total);
    (outcome.search.is_some() && !own.has_group_of(first)).then_some(own)
}

fn property(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    outcome: &PropertyOutcome,
    first: &document::Symmetry,
) -> document::PropertyResult {
    let search = outcome.search.as_ref();
    document::PropertyResult {
        id: present::identity(outcome.check.subject),
        name: outcome.check.name.clone(),
        kind: kind(outcome.check.property_kind(&loaded.model)),
        instances: instances(loaded, outcome.check.subject),
        verdict: verdict(&outcome.verdict),
        reason: match &outcome.verdict {
            Verdict::Missed(reason) | Verdict::Unknown(reason) => Some(reason.clone()),
            Verdict::Holds | Verdict::Violated(_) | Verdict::Value => None,
        },
        value: outcome.value.as_ref().map(|(least, _)| value(least)),
        greatest: outcome
            .value
            .as_ref()
            .and_then(|(_, greatest)| greatest.as_ref().map(value)),
        chain: search.and_then(|s| s.statistics.chance).map(chain),
        violations: outcome.violations,
        stats: search.map(|s| stats(&s.statistics, s.violations.total())),
        levels: search.map_or_else(Vec::new, |s| s.levels.clone()),
        symmetry: own_symmetry(loaded, plan, outcome, first),
        witness: outcome
            .witness
            .as_ref()
            .map(|w| run::trace(loaded, w, plan.trace_states)),
    }
}

/// The name of the engine that answered the first question, or would have.
fn engine(plan: &CheckPlan, outcomes: &[PropertyOutcome]) -> &'static str {
    let first = outcomes.first();
    first
        .map_or(plan.engine, |first| plan.engine.answering(&first.check))
        .name()
}

/// A value.
fn value(amount: &Amount) -> document::Value {
    document::Value {
        lower: document::Bound(amount.lower),
        upper: document::Bound(amount.upper),
        exact: amount.exact.clone(),
    }
}

/// Numbers about a Markov chain or decision process.
fn chain(chance: ChanceStatistics) -> document::Chain {
    document::Chain {
        choices: chance.choices,
        branches: chance.branches,
        starts: chance.starts,
    }
}

/// How many a property is, if it is several in one.
fn instances(loaded: &LoadedModel, subject: Subject) -> Option<u32> {
    loaded.model.instance_count(subject.property()?)
}

/// What a property is, in the words of the document. What is no property, and messages that are observed, are matters of safety. (Remarks have
/// no row.)
fn kind(property: Option<&PropertyKind>) -> document::PropertyKind {
    match property {
        None | Some(PropertyKind::Events { .. } | PropertyKind::Remark { .. }) => {
            document::PropertyKind::Safety
        }
        Some(PropertyKind::Never { .. }) => document::PropertyKind::Never,
        Some(PropertyKind::NoRun(question)) => match question.origin {
            RunOrigin::Formula { .. } => document::PropertyKind::Ltl,
            RunOrigin::Automaton => document::PropertyKind::Never,
            RunOrigin::NonProgress => document::PropertyKind::NonProgress,
            RunOrigin::Accept => document::PropertyKind::Accept,
        },
        Some(PropertyKind::Ctl { .. }) => document::PropertyKind::Ctl,
        Some(PropertyKind::Query { .. }) => document::PropertyKind::Query,
        Some(PropertyKind::Invariant { .. }) => document::PropertyKind::Invariant,
        Some(PropertyKind::Cover { .. }) => document::PropertyKind::Cover,
        Some(PropertyKind::Reachable { .. }) => document::PropertyKind::Reachable,
    }
}

fn stats(stats: &Statistics, violations: u64) -> document::Stats {
    rated(document::Stats {
        states: stats.states,
        transitions: stats.transitions,
        fired: stats.diagrams.is_none().then_some(stats.fired),
        depth: stats.depth,
        seconds: stats.time.as_secs_f64(),
        peak_bytes: stats.peak_bytes,
        bytes_per_state: stats.bytes_per_state,
        violations,
        expanded: stats.expanded,
        expanded_natively: stats.expanded_natively,
        split: stats.split.map(split),
        diagrams: stats.diagrams.map(diagrams),
        ..document::Stats::default()
    })
}

fn split(split: TimeSplit) -> document::TimeSplit {
    document::TimeSplit {
        expand: split.expand,
        canonicalise: split.canonicalise,
        store: split.store,
    }
}

fn diagrams(numbers: DiagramStatistics) -> document::DiagramStats {
    document::DiagramStats {
        states: numbers.states,
        transitions: numbers.transitions,
        bits: numbers.bits,
        nodes: numbers.nodes,
    }
}

/// With the numbers that follow from others.
fn rated(stats: document::Stats) -> document::Stats {
    let per_second = |number: u64| match stats.seconds > 0.0 {
        true => number as f64 / stats.seconds,
        false => 0.0,
    };
    document::Stats {
        states_per_second: per_second(stats.states),
        transitions_per_second: per_second(stats.transitions),
        branching: stats.transitions as f64 / stats.expanded.max(1) as f64,
        ..stats
    }
}

/// Sizes and times in sum; depth and memory at their most, as the searches run one after the other.
fn total(outcomes: &[PropertyOutcome]) -> document::Stats {
    let mut total = document::Stats::default();
    let mut stored = 0.0;
    for search in outcomes.iter().filter_map(|o| o.search.as_ref()) {
        let one = stats(&search.statistics, search.violations.total());
        // Sets of states may be larger than any number here.
        total.states = total.states.saturating_add(one.states);
        total.transitions = total.transitions.saturating_add(one.transitions);
        total.fired = sum_of(total.fired, one.fired);
        total.seconds += one.seconds;
        total.violations = total.violations.saturating_add(one.violations);
        total.expanded = total.expanded.saturating_add(one.expanded);
        total.expanded_natively += one.expanded_natively;
        total.split = sum(total.split, one.split);
        total.diagrams = together(total.diagrams, one.diagrams);
        total.depth = total.depth.max(one.depth);
        total.peak_bytes = total.peak_bytes.max(one.peak_bytes);
        stored += one.bytes_per_state * one.states as f64;
    }
    if total.states > 0 {
        total.bytes_per_state = stored / total.states as f64;
    }
    rated(total)
}

fn sum_of(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    }
}

fn sum(
    one: Option<document::TimeSplit>,
    other: Option<document::TimeSplit>,
) -> Option<document::TimeSplit> {
    match (one, other) {
        (Some(one), Some(other)) => Some(document::TimeSplit {
            expand: one.expand + other.expand,
            canonicalise: one.canonicalise + other.canonicalise,
            store: one.store + other.store,
        }),
        (one, other) => one.or(other),
    }
}

/// States and steps in sum, diagrams at their largest.
fn together(
    one: Option<document::DiagramStats>,
    other: Option<document::DiagramStats>,
) -> Option<document::DiagramStats> {
    match (one, other) {
        (Some(one), Some(other)) => Some(document::DiagramStats {
            states: one.states.saturating_add(other.states),
            transitions: one.transitions.saturating_add(other.transitions),
            bits: one.bits.max(other.bits),
            nodes: one.nodes.max(other.nodes),
        }),
        (one, other) => one.or(other),
    }
}

fn search(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    outcomes: &[PropertyOutcome],
) -> document::Search {
    let searches = outcomes.iter().filter_map(|o| o.search.as_ref());
    document::Search {
        engine: engine(plan, outcomes).into(),
        order: match plan.order {
            SearchOrder::BreadthFirst if !is_deepest_first(outcomes) => "breadth first".into(),
            SearchOrder::BreadthFirst | SearchOrder::DepthFirst => "depth first".into(),
        },
        workers: searches.map(|s| s.statistics.workers).max().unwrap_or(0),
        store: missed::store_name(plan.means.store).into(),
        interpret: plan.means.interpret,
        deadlock: deadlock(loaded, plan).name().into(),
        checkpoint: checkpoint_use(plan, outcomes),
    }
}

/// Whether every search went deepest first, whatever was asked for.
fn is_deepest_first(outcomes: &[PropertyOutcome]) -> bool {
    let mut searches = outcomes.iter().filter_map(|o| o.search.as_ref()).peekable();
    searches.peek().is_some() && searches.all(|search| search.depth_first)
}

/// What counted as a deadlock.
fn deadlock(loaded: &LoadedModel, plan: &CheckPlan) -> Deadlock {
    let ignored = Scope::System(Deadlock::Ignore);
    match loaded.model.deadlock {
        _ if plan.checks.iter().any(|check| check.scope == ignored) => Deadlock::Ignore,
        // A state without a transition is the end of a run there.
        _ if loaded.model.language == Language::Cubicle => Deadlock::Ignore,
        model::Deadlock::NoMove => Deadlock::Stuck,
        model::Deadlock::NoChange => Deadlock::Stuttering,
    }
}

/// What became of checkpoints.
fn checkpoint_use(
    plan: &CheckPlan,
    outcomes: &[PropertyOutcome],
) -> Option<document::CheckpointUse> {
    let wish = plan.means.checkpoint.as_ref()?;
    let searches = || outcomes.iter().filter_map(|o| o.search.as_ref());
    Some(document::CheckpointUse {
        folder: wish.folder.display().to_string(),
        resumed: wish.resume,
        can_go_on: searches().any(|s| s.extent.is_resumable()) && checkpoint::exists(&wish.folder),
        at_the_end: searches().any(|s| s.is_written_down),
    })
}

fn coverage_of(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    outcomes: &[PropertyOutcome],
) -> document::Coverage {
    let incomplete = outcomes.iter().find_map(|o| match &o.search {
        None if o.judged => None,
        None => Some("not every property was checked".to_string()),
        Some(search) => match &search.extent {
            Extent::Complete => missed::reason(plan, search),
            Extent::FirstViolation => Some("the search stopped at the first violation".into()),
            Extent::Limited(limit) => Some(limits::told(*limit, &plan.limits, &loaded.model)),
        },
    });
    let searches = || outcomes.iter().filter_map(|o| o.search.as_ref());
    let omissions = searches().filter_map(|search| search.omissions.as_ref());
    let most = omissions.max_by(|a, b| a.expected.total_cmp(&b.expected));
    document::Coverage {
        complete: incomplete.is_none(),
        reason: incomplete,
        omissions: most.map(omitted),
        estimate: estimate(outcomes),
        statements: plan
            .statement_counts
            .then(|| statements::counts(loaded, outcomes)),
    }
}

/// States that the store may have left out.
fn omitted(omissions: &Omissions) -> document::Omissions {
    let (hash_bits, field) = match omissions.basis {
        OmissionBasis::HashBits(bits) => (Some(bits), None),
        OmissionBasis::Field { bits, set, hashes } => {
            (None, Some(document::BitField { bits, set, hashes }))
        }
    };
    document::Omissions {
        expected: omissions.expected,
        probability: missed::probability(omissions),
        chance: omissions.chance,
        hash_bits,
        field,
    }
}

/// How many states there may be in all, if there was one search and it has not seen them all.
fn estimate(outcomes: &[PropertyOutcome]) -> Option<document::Estimate> {
    let [only] = outcomes else {
        return None;
    };
    let (least, most) = only.search.as_ref()?.estimate?;
    most.map(|most| document::Estimate { least, most })
}

/// What the model has to say about what the searches have met, each once.
fn remarks<'a>(
    loaded: &'a LoadedModel,
    outcomes: &'a [PropertyOutcome],
) -> impl Iterator<Item = String> + 'a {
    let met = |index: usize| {
        let mut searches = outcomes.iter().filter_map(|o| o.search.as_ref());
        searches.any(|search| search.reached.covered.get(index) == Some(&Some(true)))
    };
    let properties = loaded.model.properties.iter().enumerate();
    properties
        .filter(|(_, property)| matches!(property.kind, PropertyKind::Remark { .. }))
        .filter(move |(index, _)| met(*index))
        .map(|(_, p)| format!("{}: {}", loaded.sources.location(p.span), p.name))
}

fn warnings(
    loaded: &LoadedModel,
    symmetry: &document::Symmetry,
    states: u64,
    outcomes: &[PropertyOutcome],
) -> Vec<String> {
    let warnings = loaded.warnings.iter();
    let warnings = warnings.map(|w| format!("{}: {}", loaded.sources.location(w.span), w.message));
    let searches = outcomes.iter().filter_map(|o| o.search.as_ref());
    let failed = searches.filter_map(|search| search.no_checkpoint.clone());
    warnings
        .chain(remarks(loaded, outcomes))
        .chain(tell::warning(symmetry, states))
        .chain(failed)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_left_out_is_told_with_its_basis() {
        let omissions = |basis| Omissions {
            expected: 0.5,
            chance: 0.0,
            states: 1,
            basis,
        };
        let compact = omitted(&omissions(OmissionBasis::HashBits(44)));
        assert_eq!((compact.hash_bits, compact.field), (Some(44), None));
        let (bits, set, hashes) = (64, 8, 3);
        let bitstate = omitted(&omissions(OmissionBasis::Field { bits, set, hashes }));
        let field = document::BitField { bits, set, hashes };
        assert_eq!((bitstate.hash_bits, bitstate.field), (None, Some(field)));
    }
}
