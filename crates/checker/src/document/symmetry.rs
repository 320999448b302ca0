//! The part of a document about symmetry, and the document about symmetry alone: what is found, proven and used.

use super::present;
use crate::frontend::LoadedModel;
use crate::options::{Choice, SAFETY};
use crate::plan::{CheckPlan, Subject};
use crate::symmetry::{aims, budget, of_plan};
use mandala_engine::{
    Outcome, PartialSymmetry, ReductionStatistics, SymmetryUse, guarantee_on_sets,
};
use mandala_groups::BigUint;
use mandala_model::Diagnostic;
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_prepare::PropertyCost;
use mandala_prepare::{
    Asymmetry, Broken, DomainAccount, Effort, GroupAccount, MemberKind, Prepared, Rewrites,
    SettledAccount, StatePair, SymmetryError,
};
use mandala_reduce::Guarantee;
use mandala_report::document::{self, PropertySymmetry, SYMMETRY_SCHEMA, SymmetryDocument, Tool};
use mandala_report::style::grouped;
use mandala_symmetry::{ProofBudget, ProofPart};
use std::rc::Rc;
use std::time::Duration;

/// What searches made of a symmetry.
#[derive(Clone, Debug, Default)]
pub struct Total {
    /// What they took, if one of them reduced anything.
    pub reduction: Option<ReductionStatistics>,
    /// How many states they stored.
    pub states: u64,
    /// How long they took.
    pub time: Duration,
    /// Whether somebody looked where the time of one of them went.
    pub is_split: bool,
}

impl Total {
    /// Adds a search.
    pub fn add(&mut self, search: &Outcome) {
        self.states += search.statistics.states;
        self.time += search.statistics.time;
        self.is_split |= search.statistics.split.is_some();
        if let Some(one) = &search.reduction {
            let sum = self.reduction.get_or_insert_default();
            sum.states += one.states;
            sum.not_canonical += one.not_canonical;
            sum.time += one.time;
            let images = one.images.map(|images| images + sum.images.unwrap_or(0));
            sum.images = images.or(sum.images);
            sum.main_array = sum.main_array.take().or_else(|| one.main_array.clone());
            sum.left_out.extend(one.left_out.iter().cloned());
            sum.left_out.sort();
            sum.left_out.dedup();
            sum.asymmetry = sum.asymmetry.take().or_else(|| one.asymmetry.clone());
        }
    }
}

/// The symmetry that was wished for and found, and what came of it.
pub fn symmetry(
    loaded: &LoadedModel,
    wish: &SymmetryUse,
    prepared: &Prepared,
    total: &Total,
) -> document::Symmetry {
    let account = &prepared.account;
    let group = &account.group;
    let reduces = prepared.certificate.is_some();
    let reduction = total.reduction.as_ref().filter(|_| reduces);
    let (strategy, guarantee) = match wish {
        SymmetryUse::Off => return document::Symmetry::off(),
        SymmetryUse::Use { strategy, .. } => (strategy.name(), strategy.guarantee()),
        // What is left out on sets is left to itself: nothing else is done with those states.
        SymmetryUse::OnSets(manner) if reduction.is_some_and(|r| !r.left_out.is_empty()) => {
            (manner.name(), Guarantee::Sound)
        }
        SymmetryUse::OnSets(manner) => (manner.name(), guarantee_on_sets(*manner)),
        SymmetryUse::Partial(kind) => return partial(loaded, *kind, prepared, total),
        SymmetryUse::Counters => ("counters", Guarantee::Canonical),
    };
    let expand = match wish {
        SymmetryUse::Use { expand, .. } => Some(expand.name().into()),
        SymmetryUse::Off
        | SymmetryUse::OnSets(_)
        | SymmetryUse::Partial(_)
        | SymmetryUse::Counters => None,
    };
    let counted = reduction.filter(|r| r.states > 0);
    let images = reduction.and_then(|r| r.images);
    document::Symmetry {
        strategy: strategy.into(),
        guarantee: promise(guarantee),
        order: group.order.clone(),
        exact: !reduces || is_exact(guarantee, reduction),
        structure: group.structure.clone(),
        generators: group.generators.clone(),
        source: source(&group.domains).into(),
        domains: group.domains.iter().map(|d| domain(loaded, d)).collect(),
        main_array: reduction.and_then(|r| r.main_array.clone()),
        expand: expand.filter(|_| reduces),
        bound: group.order.clone(),
        achieved: images.map(|images| images as f64 / total.states.max(1) as f64),
        images,
        ended_stay: prepared.rewrites.ended_stay,
        restated: restated(&prepared.rewrites),
        canonicalising: counted.map(|r| canonicalising(r, total)),
        refused: all_refused(loaded, prepared, reduction),
        note: account.note.clone().filter(|_| !reduces),
        property_cost: account
            .property_cost
            .as_ref()
            .map(|c| cost(loaded, group, c)),
        detection: account.effort.as_ref().map(|e| detection(loaded, e)),
        asymmetry: account.asymmetry.as_ref().map(asymmetry),
    }
}

/// How many steps of work it may take to find out what single statements keep that no search has asked about.
const STATEMENT_STEPS: u64 = 10_000_000;

/// What came of the symmetry of single statements.
fn partial(
    loaded: &LoadedModel,
    kind: PartialSymmetry,
    prepared: &Prepared,
    total: &Total,
) -> document::Symmetry {
    let found = total.reduction.as_ref().and_then(|r| r.asymmetry.clone());
    let budget = ProofBudget::of_steps(STATEMENT_STEPS);
    let look = || mandala_prepare::asymmetry(prepared, Observers::default(), &budget);
    let found = found.or_else(look);
    let found = found.as_ref();
    let place = |span: Span| present::place(&loaded.sources, span);
    let breaking = found.into_iter().flat_map(|found| &found.breaking);
    let refused = breaking.map(|(text, why, span)| document::Refused {
        what: format!("interchangeable under `{text}`"),
        reason: match why.is_empty() {
            true => "treats members differently".into(),
            false => why.clone(),
        },
        decided: true,
        line: Some(place(*span).line),
        file: Some(place(*span).file),
        pair: None,
    });
    document::Symmetry {
        strategy: kind.name().into(),
        guarantee: promise(kind.guarantee()),
        exact: kind == PartialSymmetry::Virtual,
        ended_stay: prepared.rewrites.ended_stay,
        restated: restated(&prepared.rewrites),
        refused: refused.collect(),
        asymmetry: found.map(asymmetry),
        ..document::Symmetry::off()
    }
}

/// How far a model is from being symmetric.
fn asymmetry(found: &Asymmetry) -> document::Asymmetry {
    document::Asymmetry {
        kind: found.kind.map(String::from),
        statements: found.statements as u64,
        breaking: found.breaking.len() as u64,
        members: found.members as u64,
    }
}

/// In which other words the model is searched.
fn restated(rewrites: &Rewrites) -> Vec<String> {
    let unread: Vec<&str> = rewrites.unread.iter().map(String::as_str).collect();
    let unread = (!unread.is_empty()).then(|| {
        let variables = unread.join(", ");
        format!("reset to a value that is no name, where it is not read: {variables}")
    });
    let gathered = (rewrites.gathered > 0).then(|| {
        let locations = rewrites.gathered;
        format!(
            "{locations} locations that differ in a number only are one location and a variable"
        )
    });
    unread.into_iter().chain(gathered).collect()
}

fn domain(loaded: &LoadedModel, domain: &DomainAccount) -> document::Domain {
    document::Domain {
        name: domain.name.clone(),
        kind: match domain.kind {
            MemberKind::Processes => document::DomainKind::Processes,
            MemberKind::Names => document::DomainKind::Names,
        },
        full: domain.full,
        size: domain.size,
        members: domain.members.clone(),
        source: match domain.declared {
            Some(_) => document::DomainSource::Declared,
            None => document::DomainSource::Found,
        },
        declared: domain.declared.map(|span| line(loaded, span)),
        settled: domain.settled.iter().map(|s| settled(loaded, s)).collect(),
    }
}

/// Where a process must have come to: the first line from which it never goes back, or its end.
fn settled(loaded: &LoadedModel, settled: &SettledAccount) -> document::Settled {
    let places = settled.places.iter().map(|span| line(loaded, *span));
    let first = places.min_by_key(|place| place.line);
    document::Settled {
        process: settled.process.clone(),
        line: first.as_ref().map(|place| place.line),
        file: first.map(|place| place.file),
    }
}

fn line(loaded: &LoadedModel, span: Span) -> document::SourceLine {
    let place = present::place(&loaded.sources, span);
    document::SourceLine {
        file: place.file,
        line: place.line,
    }
}

fn cost(loaded: &LoadedModel, group: &GroupAccount, cost: &PropertyCost) -> document::PropertyCost {
    let own: BigUint = group.order.parse().unwrap_or_else(|_| BigUint::from(1u8));
    let places = cost.assertions.iter();
    document::PropertyCost {
        times: (&cost.order / own).to_string(),
        order: cost.order.to_string(),
        assertions: places.map(|span| line(loaded, *span)).collect(),
        observer: cost.observers,
    }
}

fn detection(loaded: &LoadedModel, effort: &Effort) -> document::Detection {
    document::Detection {
        seconds: effort.time.as_secs_f64(),
        vertices: effort.graph.map(|(vertices, _)| vertices as u64),
        edges: effort.graph.map(|(_, edges)| edges as u64),
        complete: effort.ended_at.is_none(),
        steps: effort.steps,
        proof_effort: effort.factor,
        ended_at: effort.ended_at.as_ref().map(|part| ended_at(loaded, part)),
        parts: effort.parts.map(|parts| document::DecidedParts {
            decided: parts.decided as u64,
            all: parts.all as u64,
        }),
    }
}

fn ended_at(loaded: &LoadedModel, part: &ProofPart) -> document::BudgetEnd {
    let place = part.span.map(|span| line(loaded, span));
    document::BudgetEnd {
        what: part.what.clone(),
        line: place.as_ref().map(|place| place.line),
        file: place.map(|place| place.file),
    }
}

fn promise(guarantee: Guarantee) -> document::Guarantee {
    match guarantee {
        Guarantee::Canonical => document::Guarantee::Canonical,
        Guarantee::Sound => document::Guarantee::Several,
        Guarantee::MayMiss => document::Guarantee::MayMiss,
    }
}

fn is_exact(guarantee: Guarantee, reduction: Option<&ReductionStatistics>) -> bool {
    let canonical = guarantee == Guarantee::Canonical;
    canonical && reduction.is_none_or(|r| r.not_canonical == 0 && r.left_out.is_empty())
}

fn source(domains: &[DomainAccount]) -> &'static str {
    let any = |declared| domains.iter().any(|d| d.declared.is_some() == declared);
    match (any(true), any(false)) {
        (true, true) => "declared and found",
        (true, false) => "declared",
        (false, true) => "found",
        (false, false) => "none",
    }
}

fn canonicalising(reduction: &ReductionStatistics, total: &Total) -> document::Canonicalising {
    let seconds = reduction.time.as_secs_f64();
    let seconds = total.is_split.then_some(seconds);
    let all = total.time.as_secs_f64();
    document::Canonicalising {
        states: reduction.states,
        not_canonical: reduction.not_canonical,
        seconds,
        share: seconds.filter(|_| all > 0.0).map(|seconds| seconds / all),
    }
}

/// What is not interchangeable, and what is but was not exchanged everywhere.
fn all_refused(
    loaded: &LoadedModel,
    prepared: &Prepared,
    reduction: Option<&ReductionStatistics>,
) -> Vec<document::Refused> {
    let broken = prepared.account.refused.iter();
    let broken = broken.map(|b| refused(loaded, b));
    let left_out = reduction.into_iter().flat_map(|r| &r.left_out);
    let left_out = left_out.map(|(what, why)| document::Refused {
        what: what.clone(),
        reason: format!("not exchanged in some states: {why}"),
        decided: true,
        file: None,
        line: None,
        pair: None,
    });
    broken.chain(left_out).collect()
}

fn refused(loaded: &LoadedModel, broken: &Broken) -> document::Refused {
    let place = broken.breach.span;
    let place = place.map(|span| present::place(&loaded.sources, span));
    document::Refused {
        what: broken.what.clone(),
        reason: broken.breach.message.clone(),
        decided: !broken.breach.undecided,
        line: place.as_ref().map(|p| p.line),
        file: place.map(|p| p.file),
        pair: broken.pair.as_ref().map(|shown| pair(loaded, shown)),
    }
}

/// What is known of something that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Two states show that it is not interchangeable.
    ToldApart,
    /// Nothing shows that, and there is no proof that it is.
    NotProven,
    /// A budget ended before that was found out.
    NotDecided,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ToldApart, Self::NotProven, Self::NotDecided];

    fn of(broken: &Broken) -> Self {
        match broken {
            _ if broken.breach.undecided => Standing::NotDecided,
            _ if broken.pair.is_some() => Standing::ToldApart,
            _ => Standing::NotProven,
        }
    }
}

/// What broke a symmetry, for showing it in the source, as far as it is at one place and that much is known of it.
pub fn notes(loaded: &LoadedModel, prepared: &Prepared, standing: Standing) -> Vec<Diagnostic> {
    let broken = prepared.account.refused.iter();
    broken
        .filter(|broken| Standing::of(broken) == standing)
        .filter_map(|broken| {
            let mut note = broken.breach.to_diagnostic()?;
            note.message = format!("{}: {}", broken.what, note.message);
            let pair = broken.pair.as_ref();
            note.help = pair
                .map(|pair| pair.describe(&loaded.sources))
                .or(note.help);
            Some(note)
        })
        .collect()
}

fn pair(loaded: &LoadedModel, pair: &StatePair) -> document::StatePair {
    let values = |values: &[(String, String)]| {
        let values = values.iter();
        values
            .map(|(name, value)| document::NamedValue {
                name: name.clone(),
                value: value.clone(),
            })
            .collect()
    };
    document::StatePair {
        exchanged: pair.exchanged.clone(),
        depth: pair.depth as u64,
        state: values(&pair.state),
        image: values(&pair.image),
        text: pair.describe(&loaded.sources),
    }
}

/// What a user should know of a result that is not exact though the strategy is.
pub fn warning(symmetry: &document::Symmetry, states: u64) -> Option<String> {
    let canonicalising = symmetry.canonicalising.as_ref()?;
    let several = canonicalising.not_canonical;
    (several > 0 && symmetry.guarantee == document::Guarantee::Canonical).then(|| {
        format!(
            "{} of {} representatives may not be the only ones of their orbits: too many images to look \
             at; the verdict stands, but there may be fewer orbits than states",
            grouped(several),
            grouped(states)
        )
    })
}

/// What is interchangeable in a model.
#[derive(Clone, Debug)]
pub struct SymmetryReport {
    /// For programs and people.
    pub document: SymmetryDocument,
    /// What it is about: the symmetry that the first property leaves.
    pub prepared: Rc<Prepared>,
}

/// Tells the symmetry that each property of a plan leaves.
///
/// # Errors
///
/// If the model declares a symmetry that it does not have, or a rewrite is wrong.
pub fn report(loaded: &LoadedModel, plan: &CheckPlan) -> Result<SymmetryReport, SymmetryError> {
    let told = |p: &Prepared| symmetry(loaded, &plan.symmetry, p, &Total::default());
    let mut first: Option<document::Symmetry> = None;
    let mut shown = Vec::new();
    for ((prepared, aim), check) in of_plan(loaded, plan)?
        .iter()
        .zip(aims(plan))
        .zip(&plan.checks)
    {
        // What is told once is not told again.
        let plain = told(prepared);
        if first
            .as_ref()
            .is_some_and(|first| plain.has_group_of(first))
        {
            continue;
        }
        first.get_or_insert(plain);
        shown.push((check, Rc::new(prepared.with_pairs(aim, &budget(plan)))));
    }
    let prepared = shown.first().map(|(_, prepared)| Rc::clone(prepared));
    let mut all = shown.into_iter().map(|(check, prepared)| PropertySymmetry {
        property_id: present::identity(check.subject),
        property: check.name.clone(),
        symmetry: told(&prepared),
    });
    let first = all.next().unwrap_or_else(|| PropertySymmetry {
        property_id: present::identity(Subject::Safety),
        property: SAFETY.into(),
        symmetry: told(&Prepared::plain(&loaded.model)),
    });
    let none = || Rc::new(Prepared::plain(&loaded.model));
    Ok(SymmetryReport {
        document: SymmetryDocument {
            schema: SYMMETRY_SCHEMA.into(),
            tool: Tool::mandala(),
            model: present::model_source(loaded),
            further: all.collect(),
            property_id: first.property_id,
            property: first.property,
            symmetry: first.symmetry,
        },
        prepared: prepared.unwrap_or_else(none),
    })
}
