//! Putting the recognisers together.

use super::direct::split;
use super::natural::natural;
use super::parallel::Reduced;
use super::wreath::wreaths;
use super::{Carrying, Factor, Natural, Shape, Structure};
use crate::faithful::Faithful;
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
        _ => factors
            .into_iter()
            .map(|generators| recognise_part(&reduced.group, generators))
            .collect(),
    };
    factors.sort_by_key(|factor| reduced.copies[factor.points[0] as usize][0]);
    let structure = Structure {
        degree: reduced.group.degree(),
        factors,
    };
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
    let restricted = generators
        .iter()
        .filter_map(|generator| restrict(generator, &points));
    let group = Group::from_trusted(points.len(), restricted.collect());
    let factor = recognise_factor(&group, group.generators().to_vec());
    let originals: Vec<Vec<u32>> = points.iter().map(|&point| vec![point]).collect();
    factor.expand(&originals, whole.degree())
}

/// A group without fixed points as one factor.
fn recognise_factor(group: &Group, generators: Vec<Permutation>) -> Factor {
    let points = (0..group.degree() as u32).collect();
    Factor {
        points,
        order: group.order(),
        generators,
        shape: recognise_shape(group),
    }
}

/// How a group without fixed points and without parallel orbits acts, as one factor: the
/// description that leaves the fewest points to be carried.
pub(super) fn recognise_shape(group: &Group) -> Shape {
    let natural_shapes = group
        .orbits()
        .into_iter()
        .filter_map(|orbit| natural_on(group, &orbit));
    let mut best: Option<Structure> = None;
    for shape in natural_shapes.chain(wreaths(group).map(Shape::Wreath)) {
        let names = names_of_shape(group, shape);
        if is_complete(group, &names) {
            return names
                .factors
                .into_iter()
                .next()
                .map_or(Shape::General, |factor| factor.shape);
        }
        best = better(best, names);
    }
    if let Some(names) = names_on_faithful_orbits(group) {
        best = better(best, names);
    }
    best.map_or(Shape::General, |names| carrying(group, names))
}

fn is_complete(group: &Group, names: &Structure) -> bool {
    names.named_points().len() == group.degree()
}

/// The structure that names more points, the first if there is no difference.
fn better(best: Option<Structure>, other: Structure) -> Option<Structure> {
    let more = |best: &Structure| other.named_points().len() > best.named_points().len();
    if best.as_ref().is_none_or(more) {
        Some(other)
    } else {
        best
    }
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

/// What the group does to the points of a shape, as a structure of one factor.
fn names_of_shape(group: &Group, shape: Shape) -> Structure {
    let mut points = shape.named_points();
    points.sort_unstable();
    let generators = group
        .generators()
        .iter()
        .map(|generator| only_on(generator, &points))
        .collect();
    let factor = Factor {
        points,
        order: group.order(),
        generators,
        shape,
    };
    Structure {
        degree: group.degree(),
        factors: vec![factor],
    }
}

/// The permutation that does what `generator` does to `points`, which it permutes, and nothing else.
fn only_on(generator: &Permutation, points: &[u32]) -> Permutation {
    let mut images: Vec<u32> = (0..generator.degree() as u32).collect();
    points
        .iter()
        .for_each(|&point| images[point as usize] = generator.image(point));
    Permutation::from_trusted(images)
}

/// What the group does to orbits that determine the others, if that is a product of known groups. The rows
/// and columns of a matrix determine its cells.
fn names_on_faithful_orbits(group: &Group) -> Option<Structure> {
    let mut points: Vec<u32> = Faithful::find(group.degree(), group.generators())
        .points()
        .collect();
    points.sort_unstable();
    if points.len() == group.degree() {
        return None;
    }
    let restricted = group
        .generators()
        .iter()
        .map(|generator| restrict(generator, &points));
    let restricted = restricted.collect::<Option<Vec<_>>>()?;
    let names = recognise(&Group::of_known_order(
        points.len(),
        restricted,
        &group.order(),
    ));
    let is_known = |factor: &Factor| matches!(factor.shape, Shape::Natural(_) | Shape::Wreath(_));
    let originals: Vec<Vec<u32>> = points.iter().map(|&point| vec![point]).collect();
    names
        .factors
        .iter()
        .all(is_known)
        .then(|| names.expand(&originals, group.degree()))
}

fn carrying(group: &Group, names: Structure) -> Shape {
    let named: HashSet<u32> = names.named_points().into_iter().collect();
    let carried = (0..group.degree() as u32)
        .filter(|point| !named.contains(point))
        .collect();
    Shape::Carrying(Carrying { names, carried })
}
