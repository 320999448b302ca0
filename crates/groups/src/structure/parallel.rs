//! Orbits that are permuted alike, and maps between orbits that commute with the group.

use crate::group::{Group, restrict};
use crate::permutation::Permutation;

/// A map f with f(p^s) = f(p)^s for all generators s, from the orbit of `start` under `domain`, with
/// f(`start`) = `image`, to the points of `codomain`, whose generators correspond one to one. By
/// point of the domain; none if there is no such map.
pub(super) fn equivariant_map(
    domain: &[Permutation],
    start: u32,
    codomain: &[Permutation],
    image: u32,
) -> Option<Vec<Option<u32>>> {
    let mut map = vec![None; domain.first()?.degree()];
    map[start as usize] = Some(image);
    let mut queue = vec![(start, image)];
    while let Some((point, image)) = queue.pop() {
        for (generator, counterpart) in domain.iter().zip(codomain) {
            let (target, its_image) = (generator.image(point), counterpart.image(image));
            match map[target as usize] {
                None => {
                    map[target as usize] = Some(its_image);
                    queue.push((target, its_image));
                }
                Some(known) if known == its_image => {}
                Some(_) => return None,
            }
        }
    }
    Some(map)
}

/// A group without its fixed points, and with one orbit kept for all that move in parallel.
pub(super) struct Reduced {
    pub(super) group: Group,
    /// By point of the reduced group, the points of the original that move with it.
    pub(super) copies: Vec<Vec<u32>>,
}

impl Reduced {
    pub(super) fn of(group: &Group) -> Reduced {
        let mut copies: Vec<Vec<u32>> = Vec::new();
        // Where in `copies` each kept orbit starts, and how long it is.
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for orbit in group.orbits().into_iter().filter(|orbit| orbit.len() > 1) {
            let same_size = kept.iter().filter(|&&(_, length)| length == orbit.len());
            let parallel = same_size.copied().find_map(|(start, _)| {
                Some((start, correspondence(group, copies[start][0], &orbit)?))
            });
            match parallel {
                Some((start, map)) => add_copy(&mut copies[start..start + orbit.len()], &map),
                None => {
                    kept.push((copies.len(), orbit.len()));
                    copies.extend(orbit.iter().map(|&point| vec![point]));
                }
            }
        }
        Reduced {
            group: on_representatives(group, &copies),
            copies,
        }
    }
}

/// The group on the first of each copies, renumbered. The others follow, so the order is the same.
fn on_representatives(group: &Group, copies: &[Vec<u32>]) -> Group {
    let representatives: Vec<u32> = copies.iter().map(|copies| copies[0]).collect();
    if representatives.iter().copied().eq(0..group.degree() as u32) {
        return group.clone();
    }
    let restricted = group
        .generators()
        .iter()
        .filter_map(|generator| restrict(generator, &representatives));
    Group::of_known_order(representatives.len(), restricted.collect(), &group.order())
}

/// A one-to-one map from the orbit of `start` to `orbit`, equally long, that commutes with the group.
fn correspondence(group: &Group, start: u32, orbit: &[u32]) -> Option<Vec<Option<u32>>> {
    let generators = group.generators();
    orbit
        .iter()
        .find_map(|&image| equivariant_map(generators, start, generators, image))
}

fn add_copy(copies: &mut [Vec<u32>], map: &[Option<u32>]) {
    for copies in copies {
        let image = map[copies[0] as usize].expect("the map covers the orbit");
        copies.push(image);
    }
}
