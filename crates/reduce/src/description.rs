//! A description of a reduction in words.

use crate::Reducer;
use crate::plan::{Block, MAX_DOMAINS, Main, Plan, Points};
use crate::plans::Plans;
use mandala_groups::{BigUint, Factor, Family, Natural, Permutation, Shape, Structure, factorial};
use mandala_model::UncheckedModel;
use mandala_symmetry::DomainKind;
use std::collections::BTreeMap;
use std::ops::Range;

/// A reducer that can say what it reduces.
pub trait Described: Reducer + Send {
    /// What is reduced. Domains that turn out not to be expressible are known once states with them have been met.
    fn description(&self) -> Description;
}

/// What a reducer reduces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The domains whose members are permuted.
    pub domains: Vec<ReducedDomain>,
    /// The groups that permute them, the largest first. There are several if not everything may be permuted in all
    /// states; they are known once states have been met.
    pub groups: Vec<UsedGroup>,
    /// Domains that are certified but not permuted in some states, and why.
    pub left_out: Vec<(String, String)>,
    /// How many states are kept by the reducer itself, beside those that the search keeps.
    pub kept_states: usize,
}

impl Description {
    /// Adds what another reducer of the same search has met.
    pub fn merge(&mut self, other: Description) {
        self.groups.extend(other.groups);
        self.groups
            .sort_by(|a, b| (&b.order, &b.structure).cmp(&(&a.order, &a.structure)));
        self.groups.dedup();
        self.left_out.extend(other.left_out);
        self.left_out.sort();
        self.left_out.dedup();
        self.kept_states += other.kept_states;
    }
}

/// A group that permutes the names in some states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedGroup {
    /// The number of its elements.
    pub order: BigUint,
    /// What kind of group it is: `S4`, `C5 x S2`. Names that are always permuted together count as one.
    pub structure: String,
}

/// A domain whose members are permuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducedDomain {
    /// The template of its processes, or what the names are called.
    pub name: String,
    /// How many members it has.
    pub size: usize,
    /// Whether any two of them may change places, whatever the members of other domains do.
    pub full: bool,
    /// The main array of a strategy that sorts by one.
    pub main_array: Option<String>,
}

/// What a person calls a domain.
pub(crate) fn domain_name(model: &UncheckedModel, kind: &DomainKind) -> String {
    match kind {
        DomainKind::Processes { template, .. } => model.template(*template).name.clone(),
        DomainKind::Names { label, .. } => label.clone(),
    }
}

fn main_name(model: &UncheckedModel, kind: &DomainKind, main: Main) -> String {
    match (main, kind) {
        (Main::Global(global), _) => model.globals[global].name.clone(),
        (Main::Local(local), DomainKind::Processes { template, .. }) => {
            let template = model.template(*template);
            format!("{}.{}", template.name, template.locals[local].name)
        }
        (Main::Local(_) | Main::Locations, _) => "control locations".to_string(),
    }
}

/// The group of a plan.
fn used_group(points: &Points) -> UsedGroup {
    let held = points.held.iter();
    let mut factors: Vec<Factor> = held.flat_map(|held| held.structure().factors).collect();
    let full = points.blocks.iter().skip(points.held_blocks);
    factors.extend(full.map(|block| all_permutations(block.points())));
    let structure = Structure {
        degree: points.total,
        factors,
    };
    UsedGroup {
        order: structure.order(),
        structure: structure.to_string(),
    }
}

/// The group of all permutations of some points.
pub(crate) fn all_permutations(points: Range<usize>) -> Factor {
    let points: Vec<u32> = points.map(|point| point as u32).collect();
    Factor {
        order: factorial(points.len()),
        generators: Vec::new(),
        shape: Shape::Natural(Natural {
            family: Family::Symmetric,
            bundles: points.iter().map(|point| vec![*point]).collect(),
        }),
        points,
    }
}

/// What the group of a plan depends on.
fn key(points: &Points) -> (Vec<usize>, Option<&[Permutation]>) {
    let full = points.blocks.iter().skip(points.held_blocks);
    let held = points.held.as_ref().map(|held| held.generators());
    (full.map(Block::size).collect(), held)
}

/// The groups of some plans, each once, the largest first.
fn groups<'p>(plans: impl Iterator<Item = &'p Plan>) -> Vec<UsedGroup> {
    let plans: BTreeMap<_, _> = plans.map(|plan| (key(plan.points()), plan)).collect();
    let groups = plans.values().map(|plan| used_group(plan.points()));
    let mut groups: Vec<UsedGroup> = groups.collect();
    groups.sort_by(|a, b| (&b.order, &b.structure).cmp(&(&a.order, &a.structure)));
    groups.dedup();
    groups
}

/// Describes what is reduced with some plans.
pub(crate) fn describe<T>(plans: &Plans<'_, T>) -> Description {
    let (basis, left_out) = (plans.basis(), plans.left_out());
    let name = |domain: usize| domain_name(basis.model, &basis.domains[domain].kind);
    let domains = basis.domains.iter().enumerate();
    let moved = domains.filter(|(index, _)| basis.certificate.moves(*index));
    let domains = moved.map(|(index, domain)| {
        let main = basis.main.get(index).copied().flatten();
        ReducedDomain {
            name: name(index),
            size: domain.kind.size(),
            full: basis.certificate.is_full(index),
            main_array: main.map(|main| main_name(basis.model, &domain.kind, main)),
        }
    });
    let beyond = (MAX_DOMAINS..basis.domains.len()).map(|domain| {
        let why = "there are too many domains".to_string();
        (name(domain), why)
    });
    let mut reasons: Vec<_> = left_out
        .iter()
        .map(|l| (name(l.domain), l.why.clone()))
        .collect();
    reasons.extend(beyond);
    reasons.sort();
    reasons.dedup();
    Description {
        domains: domains.collect(),
        groups: groups(plans.plans()),
        left_out: reasons,
        kept_states: 0,
    }
}
