//! The group that is reported as the symmetry of a model.
//!
//! The group that acts on states is mostly a product of full symmetric groups, one for each domain, and larger than what a
//! person means: it also permutes clients apart from the names that they were given. That is no mistake, because
//! two states that can be reached are in one orbit of the product exactly if they are in one orbit of the subgroup that
//! respects the links, and the links, such as a parameter that was given once and for all, are part of the
//! state. But its order promises more than a search can gain. The honest bound is the order of that subgroup: the
//! automorphisms of what is constant once the system has started, and the same however it was started.
//!
//! | module | what it does |
//! |---|---|
//! | `scout` | finds the states from which on all domains may be permuted |
//! | `constants` (of the crate) | finds the cells that nobody writes from then on |
//! | `automorphisms` (of the crate) | finds the permutations of the points that change none of these |
//! | `few` | finds a few of them that generate all |
//!
//! Where the certificate has a smaller group, only its elements count: the orbitals of the group are added to what is constant.

mod few;
mod scout;

use crate::automorphisms::automorphisms;
use crate::constants::constant_cells;
use crate::description::all_permutations;
use crate::held::{Closure, WithOrbitals, bytes};
use crate::plan::{Basis, Block, Plan};
use mandala_canon::{Point, Shape, View, apply};
use mandala_encoding::Program;
use mandala_groups::{BigUint, Group, Permutation, Structure};
use mandala_model::Model;
use mandala_model::function::CALL;
use mandala_model::ids::TemplateId;
use mandala_model::template::{Effect, Step, Template};
use mandala_symmetry::{Certificate, Renaming};
use scout::Found;

/// The symmetry of a model, as it is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymmetryGroup {
    /// The number of its elements.
    pub order: BigUint,
    /// Renamings that generate it.
    pub generators: Vec<Renaming>,
    /// What kind of group it is: `S4`, `S3 wr S2`, `S2 x S3`.
    pub structure: String,
}

impl SymmetryGroup {
    /// Nothing but the identity.
    fn trivial() -> Self {
        SymmetryGroup {
            order: BigUint::from(1u8),
            generators: Vec::new(),
            structure: Group::trivial(0).structure().to_string(),
        }
    }
}

/// The automorphisms of what is constant once all that is certified may be permuted.
///
/// The states with which that begins are looked for along the first steps of the program; if there is none in which
/// everything may be permuted, those are taken in which most may.
pub fn group(model: &Model, certificate: &Certificate, program: &Program) -> SymmetryGroup {
    let basis = Basis::new(model, certificate);
    let Some(found) = scout::scout(&basis, program) else {
        return SymmetryGroup::trivial();
    };
    let links = links(&basis, &found);
    let plan = Plan::of_some(&basis, &found.places, found.active, &links);
    let Some(mut plan) = plan else {
        return SymmetryGroup::trivial();
    };
    match plan.read(&found.cells) {
        true => describe(&plan, &found.cells),
        false => SymmetryGroup::trivial(),
    }
}

/// For each cell, whether it is the same in all states that the system has started in, and nobody writes it any more. If not
/// all such states are known, that is said of none, except where a single process makes all others.
fn links(basis: &Basis<'_>, found: &Found) -> Vec<bool> {
    let mut links = constant_cells(basis, &found.places, found.active);
    if !found.complete && !has_one_maker(basis.model) {
        links.fill(false);
    }
    for other in &found.others {
        for (at, link) in links.iter_mut().enumerate() {
            *link &= other.get(at) == found.cells.get(at);
        }
    }
    links
}

/// Whether all processes that are made after the start are made by one process, so that numbers and arguments are handed out in
/// its own order.
fn has_one_maker(model: &Model) -> bool {
    let spawned = |template: &Template| -> Vec<TemplateId> {
        let steps = template.edges.iter().map(|edge| &edge.step);
        let mut made = Vec::new();
        steps.for_each(|step| births(step, &mut made));
        made
    };
    let all = (0..).map(TemplateId).zip(&model.templates);
    let makers = all.map(|(id, template)| (id, spawned(template)));
    let makers: Vec<_> = makers.filter(|(_, made)| !made.is_empty()).collect();
    let [(maker, made)] = makers.as_slice() else {
        return makers.is_empty();
    };
    let instances = model.start.iter().filter(|s| s.template == *maker);
    instances.count() == 1 && !made.contains(maker)
}

/// The templates of the processes that a step makes.
fn births(step: &Step, made: &mut Vec<TemplateId>) {
    match step {
        Step::Guarded { effects, .. } => made.extend(effects.iter().filter_map(|e| match e {
            Effect::Spawn { template, .. } => Some(*template),
            _ => None,
        })),
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.for_each(|c| births(&c.step, made));
        }
        Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit => {}
        Step::Call(_) => unreachable!("{CALL}"),
    }
}

/// The automorphisms of the view that was read last, which is that of these cells, as far as they are in the group that is certified.
fn describe(plan: &Plan, cells: &[i64]) -> SymmetryGroup {
    if let Some(structure) = all_of_each_block(plan, cells) {
        let generators = few::of_structure(&structure);
        return told(plan, (structure.order(), &structure), &generators);
    }
    let group = match &plan.points().held {
        None => kept(plan.shape(), &plan.view()),
        Some(held) => kept_by(plan, held),
    };
    let structure = group.structure();
    told(
        plan,
        (group.order(), &structure),
        &few::of_structure(&structure),
    )
}

/// Permutations of the points of a plan that generate the automorphisms of the view that was read last, as far as they are in the group that is certified.
pub(crate) fn automorphisms_of(plan: &Plan) -> Vec<Vec<Point>> {
    let group = match &plan.points().held {
        None => kept(plan.shape(), &plan.view()),
        Some(held) => kept_by(plan, held),
    };
    group.generators().iter().map(bytes).collect()
}

/// A group of the points of a plan, in the words of the model.
fn told(
    plan: &Plan,
    (order, structure): (BigUint, &Structure),
    generators: &[Permutation],
) -> SymmetryGroup {
    let images = |permutation: &Permutation| plan.renaming(&bytes(permutation));
    SymmetryGroup {
        order,
        generators: generators.iter().map(images).collect(),
        structure: structure.to_string(),
    }
}

/// All permutations of each block, if they are certified and the points of each block are alike in those cells that the plan looks at. To find that out takes one look
/// at each cell, whatever the number of points.
fn all_of_each_block(plan: &Plan, cells: &[i64]) -> Option<Structure> {
    let points = plan.points();
    let mut likeness = plan.likeness();
    likeness.note(cells);
    let looks_alike = |block: &Block| {
        let mut pairs = block.points().zip(block.points().skip(1));
        pairs.all(|(a, b)| likeness.are_alike(cells, a as Point, b as Point))
    };
    let all = points.held.is_none() && points.blocks.iter().all(looks_alike);
    let blocks = points.blocks.iter();
    all.then(|| Structure {
        degree: points.total,
        factors: blocks
            .map(|block| all_permutations(block.points()))
            .collect(),
    })
}

/// All automorphisms of a view.
fn kept(shape: &Shape, view: &View<'_>) -> Group {
    let found = automorphisms(shape, view);
    let permutation = |images: &Vec<Point>| {
        let images = images.iter().map(|image| u32::from(*image)).collect();
        Permutation::from_images(images).expect("an automorphism is a permutation")
    };
    let permutations = found.generators.iter().map(permutation).collect();
    let group = Group::new(shape.points(), permutations).expect("of the same degree");
    debug_assert_eq!(group.order(), found.order, "orbits are counted right");
    group
}

/// The automorphisms of the view that was read last that are in a group of the first points, times all permutations of the
/// others.
fn kept_by(plan: &Plan, held: &Group) -> Group {
    let full = plan.points().blocks.iter().skip(plan.points().held_blocks);
    let full = full.map(|block| Group::symmetric(block.size()));
    let all = full.fold(held.clone(), |all, full| all.direct_product(&full));
    let (shape, view) = (plan.shape(), plan.view());
    if shape.plain_cells() + shape.reference_cells() + shape.shared_cells() == 0
        && shape.relation_entries() == 0
    {
        return all;
    }
    if all.order() <= FEW.into() {
        return kept_of(&all, shape, &view);
    }
    let mut orbitals = WithOrbitals::new(shape, held);
    let shape = orbitals.shape().clone();
    let kept = kept(&shape, &orbitals.view(&view));
    match orbitals.closure() {
        Closure::Closed => kept,
        Closure::Open => kept.intersection(&all).expect("of the same degree"),
    }
}

/// How many elements are tried one by one.
const FEW: u32 = 2_000;

/// Those elements of a group that are automorphisms of a view, one by one.
fn kept_of(group: &Group, shape: &Shape, view: &View<'_>) -> Group {
    let keeps = |element: &Permutation| apply(shape, view, &bytes(element)).as_view() == *view;
    let mut kept = Group::trivial(group.degree());
    for element in group.elements().filter(keeps) {
        let more = kept.closure(&[element]);
        kept = more.expect("of the same degree");
    }
    kept
}
