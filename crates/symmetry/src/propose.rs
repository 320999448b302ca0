//! Proposals of symmetries. They are guesses: nothing here is trusted.
//!
//! A *piece* is one domain: a family of processes, or a set of names. What stands to reason is
//! proposed: all processes of a template; values that do nothing but index arrays or get passed on;
//! global channels that are declared one by one instead of in an array. Where there are several ways to
//! put it, a *proposal* has them in the order in which they should be tried.

use crate::budget::ProofBudget;
use crate::certify::{data_classes, open_classes};
use crate::domain::{Candidate, Family, NameSet};
use crate::evidence::Evidence;
use crate::infer::OpenClass;
use crate::locations::{lasting, mentioned};
use crate::sorts::{Row, Sort};
use crate::unordered::name_set;
use mandala_model::Model;
use mandala_model::ids::{GlobalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef};
use mandala_model::types::{Initial, Scalar, Storage, Type};
use std::collections::{BTreeMap, BTreeSet};

/// One domain that may be certified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Which names.
    pub domain: Proposed,
    /// Global variables that belong to the names one by one, in their order.
    pub rows: Vec<Vec<GlobalId>>,
    /// Where numbers of processes are said to occur; where names are, they say themselves.
    pub numbers: Vec<ScalarsetUse>,
}

/// The names of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposed {
    /// Processes.
    Family(Family),
    /// Names.
    Names(NameSet),
}

/// Something that may be a symmetry, in one of several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What a person calls it.
    pub label: String,
    /// The declaration that asks for it, if there is one.
    pub declared: Option<Span>,
    /// The ways to put it, the best first.
    pub ways: Vec<Piece>,
}

/// What might be a symmetry of the model, of which `census` says what processes 0, 1, 2, .. are
/// instances of when it has started: first what is declared, then what is found.
pub fn propose(
    model: &Model,
    observers: Observers,
    census: &[TemplateId],
    budget: &ProofBudget,
) -> Vec<Proposal> {
    proposals(&Evidence::new(model, observers), census, budget)
}

/// The same for whom knows something of the model already.
pub(crate) fn proposals(
    evidence: &Evidence<'_>,
    census: &[TemplateId],
    budget: &ProofBudget,
) -> Vec<Proposal> {
    let model = evidence.model;
    let declared: Vec<Proposal> = model
        .scalarsets
        .iter()
        .flat_map(|set| declared_proposals(model, set, census))
        .collect();
    let known: BTreeSet<u32> = declared.iter().flat_map(numbers).collect();
    let families = family_proposals(model, census);
    let families = families
        .into_iter()
        .filter(|p| numbers(p).is_disjoint(&known));
    let mut proposals: Vec<Proposal> = declared.into_iter().chain(families).collect();
    let pieces: Vec<Piece> = proposals.iter().map(|p| p.ways[0].clone()).collect();
    let classes = open_classes(evidence, &assemble(&pieces), budget);
    let classes = classes.unwrap_or_default().0;
    let mentioned = mentioned(model);
    let guides = classes.iter().filter(|c| c.guides);
    let guides = guides.filter(|c| lasts(model, &c.seed.kind));
    let guides = guides.filter(|c| is_mentioned(&mentioned, &c.seed.kind));
    proposals.extend(guides.filter_map(name_proposal));
    let rows = channel_rows(model).into_iter();
    proposals.extend(rows.map(|row| row_proposal(model, row, &classes)));
    proposals
}

/// What is no part of the state is permuted in vain.
fn lasts(model: &Model, place: &UseKind) -> bool {
    match place {
        UseKind::Holds { variable, .. } | UseKind::Indexes { variable, .. } => {
            let variable = model.variable(*variable);
            variable.is_none_or(|v| v.storage == Storage::State)
        }
        UseKind::Processes(_) | UseKind::Message { .. } => true,
    }
}

/// What nobody reads or writes is permuted in vain.
pub(crate) fn is_mentioned(mentioned: &BTreeSet<VariableRef>, place: &UseKind) -> bool {
    match place {
        UseKind::Holds { variable, .. } | UseKind::Indexes { variable, .. } => {
            mentioned.contains(variable)
        }
        UseKind::Processes(_) | UseKind::Message { .. } => true,
    }
}

fn numbers(proposal: &Proposal) -> BTreeSet<u32> {
    match &proposal.ways[0].domain {
        Proposed::Family(family) => family.numbers.iter().copied().collect(),
        Proposed::Names(_) => BTreeSet::new(),
    }
}

/// The candidate that is made of some pieces.
pub(crate) fn assemble(pieces: &[Piece]) -> Candidate {
    let mut candidate = Candidate::default();
    for piece in pieces {
        let (index, first) = match &piece.domain {
            Proposed::Family(family) => {
                candidate.families.push(family.clone());
                let first = family.numbers.iter().min();
                (Sort::Process(0), first.map_or(0, |n| i64::from(*n)))
            }
            Proposed::Names(names) => {
                candidate.names.push(names.clone());
                let domain = candidate.names.len() as u32 - 1;
                (Sort::Name(domain, 0), names.first)
            }
        };
        let rows = piece.rows.iter().map(|variables| Row {
            index,
            first,
            variables: variables.clone(),
        });
        candidate.rows.extend(rows);
        candidate.numbers.extend(piece.numbers.iter().cloned());
    }
    candidate
}

/// What a declaration asks for: a family for each template that it mentions, or a set of names.
fn declared_proposals(model: &Model, set: &Scalarset, census: &[TemplateId]) -> Vec<Proposal> {
    let templates = set.uses.iter().filter_map(|u| match u.kind {
        UseKind::Processes(template) => Some(template),
        _ => None,
    });
    let templates: BTreeSet<TemplateId> = templates.collect();
    let proposal = |piece: Piece| Proposal {
        label: set.name.clone(),
        declared: Some(set.span),
        ways: vec![piece],
    };
    if templates.is_empty() {
        return vec![proposal(Piece {
            domain: Proposed::Names(name_set(set)),
            rows: Vec::new(),
            numbers: Vec::new(),
        })];
    }
    let places = set.uses.iter().cloned();
    let places: Vec<_> = places
        .filter(|u| !matches!(u.kind, UseKind::Processes(_)))
        .collect();
    let families = templates.into_iter().filter_map(|template| {
        let numbers = instances(template, census).into_iter();
        let numbers = numbers.filter(|n| set.contains(i64::from(*n)));
        let family = family(template, numbers.collect())?;
        Some(Piece {
            numbers: places.clone(),
            ..family
        })
    });
    let rows = families.map(|f| {
        let ways = with_rows(model, &f);
        Proposal {
            ways,
            ..proposal(f)
        }
    });
    rows.collect()
}

fn instances(template: TemplateId, census: &[TemplateId]) -> Vec<u32> {
    let all = (0..).zip(census);
    let all = all.filter(|(_, t)| **t == template);
    all.map(|(n, _)| n).collect()
}

fn family(template: TemplateId, numbers: Vec<u32>) -> Option<Piece> {
    (numbers.len() > 1).then_some(Piece {
        domain: Proposed::Family(Family { template, numbers }),
        rows: Vec::new(),
        numbers: Vec::new(),
    })
}

fn family_proposals(model: &Model, census: &[TemplateId]) -> Vec<Proposal> {
    let templates: BTreeSet<TemplateId> = census.iter().copied().collect();
    let proposal = |template: TemplateId| {
        let piece = family(template, instances(template, census))?;
        Some(Proposal {
            label: model.template(template).name.clone(),
            declared: None,
            ways: with_rows(model, &piece),
        })
    };
    templates.into_iter().filter_map(proposal).collect()
}

/// A family alone, and with every row of channels that has one for each member.
fn with_rows(model: &Model, piece: &Piece) -> Vec<Piece> {
    let mut ways = vec![piece.clone()];
    let Proposed::Family(family) = &piece.domain else {
        return ways;
    };
    let neighbours = family.numbers.windows(2).all(|w| w[1] == w[0] + 1);
    let rows = channel_rows(model).into_iter();
    let rows: Vec<_> = rows.filter(|r| r.len() == family.numbers.len()).collect();
    if neighbours && !rows.is_empty() {
        ways.push(Piece {
            rows,
            ..piece.clone()
        });
    }
    ways
}

/// Global channels that are declared one by one, always refer to the same channel, and are alike: in
/// their names, or else in their messages alone.
fn channel_rows(model: &Model) -> Vec<Vec<GlobalId>> {
    let channels = lasting_channels(model);
    let stems = grouped(&channels, |(id, kind)| {
        let name = &model.global(*id).name;
        let letters = name.chars().filter(|c| !c.is_ascii_digit());
        (kind.clone(), letters.collect::<String>())
    });
    let (mut rows, single): (Vec<_>, Vec<_>) = stems.into_iter().partition(|r| r.len() > 1);
    let single: Vec<_> = single.into_iter().flatten().collect();
    let kinds = grouped(&single, |(_, kind)| kind.clone());
    rows.extend(kinds.into_iter().filter(|r| r.len() > 1));
    let ids = |row: Vec<(GlobalId, String)>| row.into_iter().map(|(id, _)| id).collect();
    rows.into_iter().map(ids).collect()
}

/// Whether there are global channels that are alike and declared one by one.
pub(crate) fn has_rows(model: &Model) -> bool {
    !channel_rows(model).is_empty()
}

fn grouped<T: Clone, K: Ord>(list: &[T], key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    for item in list {
        groups.entry(key(item)).or_default().push(item.clone());
    }
    groups.into_values().collect()
}

/// The global variables that always refer to the channel that was made for them, with what channels
/// that are alike have in common.
fn lasting_channels(model: &Model) -> Vec<(GlobalId, String)> {
    let lasting = lasting(model);
    let globals = (0..).zip(&model.globals);
    let channels = globals.filter_map(|(id, variable)| {
        let Initial::NewChannel(kind) = variable.initial else {
            return None;
        };
        let kind = model.channel_kind(kind);
        let one = variable.ty == Type::Scalar(Scalar::Channel);
        let lasts = one && lasting.globals.contains(&id);
        lasts.then(|| (GlobalId(id), format!("{} {:?}", kind.capacity, kind.fields)))
    });
    channels.collect()
}

/// Channels that are declared one by one: names of their own, or of values that are used with them.
fn row_proposal(model: &Model, row: Vec<GlobalId>, classes: &[OpenClass]) -> Proposal {
    let names: Vec<&str> = row.iter().map(|v| model.global(*v).name.as_str()).collect();
    let label = names.join(", ");
    let alone = NameSet {
        label: label.clone(),
        first: 0,
        size: row.len() as u32,
        seeds: Vec::new(),
        unordered: false,
        mixed: false,
    };
    let used = classes.iter().filter_map(|class| {
        let (low, high) = hull(class.constants.iter())?;
        // The least one often stands for nobody.
        let mut lows = [low, low + 1].into_iter();
        let low = lows.find(|low| high - low + 1 == row.len() as i64)?;
        Some(names_of(class, low, high))
    });
    let way = |names| Piece {
        domain: Proposed::Names(names),
        rows: vec![row.clone()],
        numbers: Vec::new(),
    };
    Proposal {
        declared: None,
        ways: std::iter::once(alone).chain(used).map(way).collect(),
        label,
    }
}

fn hull<'c>(constants: impl DoubleEndedIterator<Item = &'c i64> + Clone) -> Option<(i64, i64)> {
    let low = constants.clone().next()?;
    constants.last().map(|high| (*low, *high))
}

fn names_of(class: &OpenClass, low: i64, high: i64) -> NameSet {
    NameSet {
        label: class.label.clone(),
        first: low - class.offset,
        size: (high - low + 1) as u32,
        seeds: vec![class.seed.clone()],
        unordered: false,
        mixed: false,
    }
}

/// The longest row of neighbours among some values in order. What stands apart from them, as 255 often does, stands for nobody.
fn longest_run(values: &[i64]) -> Option<(i64, i64)> {
    let runs = values.chunk_by(|a, b| a + 1 == *b);
    let ends = runs.filter_map(|run| run.first().copied().zip(run.last().copied()));
    // Of runs that are equally long, the first one.
    ends.min_by_key(|(low, high)| low - high)
}

/// Names for a class of values; which values they are is not always clear.
pub(crate) fn name_proposal(class: &OpenClass) -> Option<Proposal> {
    let lows = class.arrays.iter().map(|a| a.0);
    let highs = class.arrays.iter().map(|a| a.1);
    let array = lows.max().zip(highs.min());
    let inside = |c: &&i64| array.is_none_or(|(low, high)| (low..=high).contains(*c));
    let constants: Vec<i64> = class.constants.iter().filter(inside).copied().collect();
    // A few names may be missing among those that are written down; but where most are, something else is meant.
    let seen = hull(constants.iter());
    let dense = |(low, high): &(i64, i64)| high - low < 2 * constants.len() as i64;
    let row = longest_run(&constants).filter(|_| !seen.as_ref().is_some_and(dense));
    let mut ranges = Vec::new();
    for (low, high) in row.into_iter().chain(seen).chain(array) {
        // The least one often stands for nobody.
        for low in [low, low + 1] {
            if low < high && high - low < MOST && !ranges.contains(&(low, high)) {
                ranges.push((low, high));
            }
        }
    }
    let ways = ranges.into_iter().map(|(low, high)| Piece {
        domain: Proposed::Names(names_of(class, low, high)),
        rows: Vec::new(),
        numbers: Vec::new(),
    });
    let ways: Vec<Piece> = ways.collect();
    (!ways.is_empty()).then(|| Proposal {
        label: class.label.clone(),
        declared: None,
        ways,
    })
}

/// Values that are computed with, but might be names all the same: few, and in cells that nothing is known of.
pub(crate) fn data_proposals(
    evidence: &Evidence<'_>,
    candidate: &Candidate,
    budget: &ProofBudget,
) -> Vec<Proposal> {
    // What is no part of the state moves nothing.
    let kept = |place: &UseKind| is_kept(evidence.model, place);
    let classes = data_classes(evidence, candidate, budget, kept);
    let classes = classes.unwrap_or_default();
    classes.iter().filter_map(data_proposal).collect()
}

/// Arrays that have an element for each process, as if it were not for the process but for something of its own: the
/// fork to the left of a philosopher.
pub(crate) fn thing_proposals(
    evidence: &Evidence<'_>,
    candidate: &Candidate,
    budget: &ProofBudget,
) -> Vec<Proposal> {
    let classes = open_classes(evidence, candidate, budget);
    let things = classes.unwrap_or_default().1;
    let things = things.iter().filter(|class| !class.arrays.is_empty());
    things.filter_map(name_proposal).collect()
}

fn is_kept(model: &Model, place: &UseKind) -> bool {
    let UseKind::Holds { variable, .. } = place else {
        return false;
    };
    let variable = model.variable(*variable);
    variable.is_some_and(|variable| variable.storage == Storage::State)
}

fn data_proposal(class: &OpenClass) -> Option<Proposal> {
    let (low, high) = class.range?;
    (low < high && high - low < MOST_DATA).then(|| Proposal {
        label: class.label.clone(),
        declared: None,
        ways: vec![Piece {
            domain: Proposed::Names(names_of(class, low, high)),
            rows: Vec::new(),
            numbers: Vec::new(),
        }],
    })
}

/// More values than this are hardly interchangeable data.
const MOST_DATA: i64 = 16;

/// More names than this are hardly names.
const MOST: i64 = 255;
