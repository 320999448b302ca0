//! Putting the recognisers together.

use super::direct::split;
use super::natural::natural;
use super::parallel::Reduced;
use super::wreath::wreaths;
use super::{Carrying, Factor, Natural, Shape, Structure};
use crate::families::Family;
use crate::group::{Group, restrict};
use crate::permutation::Permutation;
use std::collections::HashSet;

/// The structure of a group, certified.
pub(super) fn recognise(group: &Group) -> Structure {
    let reduced = Reduced::of(group);
    let factors = split(&reduced.group);
    let mut factors: Vec<_> = match factors.as_slice() {
        [generators] => vec![recognise_factor(&reduced.group, generators.clone())],
        _ => factors.into_iter().map(|generators| recognise_part(&reduced.group, generators)).collect(),
    };
    factors.sort_by_key(|factor| reduced.copies[factor.points[0] as usize][0]);
    let structure = Structure { degree: reduced.group.degree(), factors };
    certified(structure.expand(&reduced.copies, group.degree()), group)
}

/// The structure without the claims that do not stand up to the check.
fn certified(mut structure: Structure, group: &Group) -> Structure {
    for factor in &mut structure.factors {
        if factor.certify(group).is_err() {
            factor.shape = Shape::General;
        }
    }
    debug_assert_eq!(structure.certify(group), Ok(()));
    structure
}

/// One of several factors, which all act on the points of `whole`.
fn recognise_part(whole: &Group, generators: Vec<Permutation>) -> Factor {
    let is_moved = |point: &u32| generators.iter().any(|generator| generator.moves(*point));
    let points: Vec<u32> = (0..whole.degree() as u32).filter(is_moved).collect();
    let restricted = generators.iter().filter_map(|generator| restrict(generator, &points));
    let group = Group::from_trusted(points.len(), restricted.collect());
    let factor = recognise_factor(&group, group.generators().to_vec());
    let originals: Vec<Vec<u32>> = points.iter().map(|&point| vec![point]).collect();
    factor.expand(&originals, whole.degree())
}

/// A group without fixed points as one factor.
fn recognise_factor(group: &Group, generators: Vec<Permutation>) -> Factor {
    let points = (0..group.degree() as u32).collect();
    Factor { points, order: group.order(), generators, shape: recognise_shape(group) }
}

/// How a group without fixed points and without parallel orbits acts, as one factor: the
/// description that leaves the fewest points to be carried.
pub(super) fn recognise_shape(group: &Group) -> Shape {
    let natural_shapes = group
        .orbits()
        .into_iter()
        .filter_map(|orbit| natural_on(group, &orbit));
    let mut best: Option<(usize, Shape)> = None;
    for shape in natural_shapes.chain(wreaths(group).map(Shape::Wreath)) {
        let carried = group.degree() - shape.named_points().len();
        if best.as_ref().is_none_or(|(fewest, _)| carried < *fewest) {
            best = Some((carried, shape));
        }
        if carried == 0 {
            break;
        }
    }
    best.map_or(Shape::General, |(_, shape)| with_carried(group, shape))
}

/// The natural action on one orbit, if it is one and is faithful.
fn natural_on(group: &Group, orbit: &[u32]) -> Option<Shape> {
    // Restricting is costly on long orbits; most are ruled out by the order alone.
    let order = group.order();
    if !Family::ALL
        .iter()
        .any(|family| family.order(orbit.len()) == order)
    {
        return None;
    }
    let restricted = group.restricted_to(orbit)?;
    if restricted.order() != order {
        return None;
    }
    let (family, arrangement) = natural(&restricted)?;
    let bundles = arrangement
        .iter()
        .map(|&index| vec![orbit[index as usize]])
        .collect();
    Some(Shape::Natural(Natural { family, bundles }))
}

fn with_carried(group: &Group, shape: Shape) -> Shape {
    let named: HashSet<u32> = shape.named_points().into_iter().collect();
    let carried: Vec<u32> = (0..group.degree() as u32)
        .filter(|point| !named.contains(point))
        .collect();
    match carried.is_empty() {
        true => shape,
        false => Shape::Carrying(Carrying {
            names: Box::new(shape),
            carried,
        }),
    }
}
