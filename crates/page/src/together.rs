//! Points that move together under a group.
//!
//! Two points belong together if whoever knows where the one is knows where the other is: the orbit of their pair is as large as the orbits of both. A client and its reply channel are such a pair,
//! and so a person thinks of them as one thing. Of each orbit a thing has one point at most: who knows where the one of two servers is knows where the other is, too, but two servers are two things. If a point has several
//! such partners in an orbit, it gets the first.

use mandala_report::document::PermutationGroup;
use serde::Serialize;
use std::collections::{HashSet, VecDeque};

/// Larger groups are told, not drawn.
const MOST_POINTS: usize = 240;

/// A group to be drawn.
#[derive(Debug, Serialize)]
pub struct GroupData<'a> {
    points: &'a [String],
    generators: &'a [Vec<u32>],
    /// Each generator in cycle notation.
    cycles: Vec<String>,
    /// What moves together, each orbit of it in a row.
    rows: Vec<Vec<Vec<u32>>>,
}

/// The group, unless it moves nothing or too much.
pub fn group(group: &PermutationGroup) -> Option<GroupData<'_>> {
    let drawn = !group.generators.is_empty() && group.points.len() <= MOST_POINTS;
    drawn.then(|| GroupData {
        points: &group.points,
        generators: &group.generators,
        cycles: group.generators.iter().map(|g| group.cycles(g)).collect(),
        rows: rows(group),
    })
}

/// The classes of points that move together, those of one orbit in one row.
fn rows(group: &PermutationGroup) -> Vec<Vec<Vec<u32>>> {
    let orbits = orbits(group);
    let mut rows: Vec<Vec<Vec<u32>>> = Vec::new();
    let mut done = vec![false; orbits.len()];
    for (number, orbit) in orbits.iter().enumerate() {
        if done[number] || orbit.len() < 2 {
            continue;
        }
        let first = orbit[0];
        let mut base = vec![first];
        for (other, partners) in orbits.iter().enumerate() {
            if other == number || done[other] || partners.len() != orbit.len() {
                continue;
            }
            let is_tied = |partner: &&u32| is_tied(group, (first, **partner), orbit.len());
            if let Some(partner) = partners.iter().find(is_tied) {
                base.push(*partner);
                done[other] = true;
            }
        }
        rows.push(images(group, base));
    }
    rows
}

/// Whether the orbit of a pair has no more members than that of its first point.
fn is_tied(group: &PermutationGroup, pair: (u32, u32), most: usize) -> bool {
    let mut seen: HashSet<(u32, u32)> = [pair].into();
    let mut waiting: VecDeque<(u32, u32)> = [pair].into();
    while let Some((a, b)) = waiting.pop_front() {
        for generator in &group.generators {
            let image = (generator[a as usize], generator[b as usize]);
            if seen.insert(image) {
                waiting.push_back(image);
            }
        }
        if seen.len() > most {
            return false;
        }
    }
    true
}

/// All images of a class, in the order of their first points.
fn images(group: &PermutationGroup, base: Vec<u32>) -> Vec<Vec<u32>> {
    let sorted = |mut class: Vec<u32>| {
        class.sort_unstable();
        class
    };
    let base = sorted(base);
    let mut seen: HashSet<Vec<u32>> = [base.clone()].into();
    let mut all = vec![base];
    let mut next = 0;
    while let Some(class) = all.get(next).cloned() {
        next += 1;
        for generator in &group.generators {
            let image = sorted(
                class
                    .iter()
                    .map(|point| generator[*point as usize])
                    .collect(),
            );
            if seen.insert(image.clone()) {
                all.push(image);
            }
        }
    }
    all.sort();
    all
}

fn orbits(group: &PermutationGroup) -> Vec<Vec<u32>> {
    let mut done = vec![false; group.points.len()];
    let mut orbits = Vec::new();
    for first in 0..group.points.len() {
        if std::mem::replace(&mut done[first], true) {
            continue;
        }
        let mut orbit = vec![first as u32];
        let mut next = 0;
        while let Some(&point) = orbit.get(next) {
            next += 1;
            for generator in &group.generators {
                let image = generator[point as usize];
                if !std::mem::replace(&mut done[image as usize], true) {
                    orbit.push(image);
                }
            }
        }
        orbit.sort_unstable();
        orbits.push(orbit);
    }
    orbits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: usize, generators: &[&[u32]]) -> PermutationGroup {
        PermutationGroup {
            points: (0..points).map(|point| point.to_string()).collect(),
            generators: generators.iter().map(|g| g.to_vec()).collect(),
            ..PermutationGroup::default()
        }
    }

    #[test]
    fn a_client_moves_with_its_channel_and_not_with_its_server() {
        // Two servers 0, 1; two clients of each, 2, 3 and 4, 5, with their channels 6, 7 and 8, 9. Point 10 stays.
        let inside = [0, 1, 3, 2, 4, 5, 7, 6, 8, 9, 10];
        let across = [1, 0, 4, 5, 2, 3, 8, 9, 6, 7, 10];
        let rows = rows(&of(11, &[&inside, &across]));
        let servers = vec![vec![0], vec![1]];
        let clients = vec![vec![2, 6], vec![3, 7], vec![4, 8], vec![5, 9]];
        assert_eq!(rows, [servers, clients]);
    }

    #[test]
    fn places_on_a_ring_are_several_things() {
        let rows = rows(&of(6, &[&[1, 2, 0, 4, 5, 3]]));
        assert_eq!(rows, [vec![vec![0, 3], vec![1, 4], vec![2, 5]]]);
    }
}
