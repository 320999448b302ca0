//! The action on the members of the active domains: the points, and the group that permutes them.
//!
//! A certificate has domains that are *full*, any two members of which may change places whatever the others do, and
//! *renamings*, which may move members of several domains together. In a state, a renaming may be used if every domain that it
//! touches is active and every process that it moves is there. What these generate is the group of the plan.
//!
//! Its orbits become blocks of points, so that nobody ever asks whether members of different orbits change places:
//!
//! - A member that nothing moves is no point. It is a value like any other.
//! - Orbits that are permuted *in step* (the philosophers of a ring and their forks) are one block: each of its points stands for
//!   a member of each of them. Two orbits are in step if what keeps a member of the one where it is keeps one of the other.
//! - A block is *full* if any two of its points may change places while nothing else moves. All strategies know what to do
//!   with it. Every full domain is such a block, and blocks that turn out to be full are treated in the same way.
//! - The other blocks are *held*: only some of their permutations may be used. They come first, and the group that acts on
//!   them is kept with the points.

use super::points::{Active, Part, Points, living};
use mandala_encoding::Places;
use mandala_groups::{Group, Permutation};
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{Certificate, Renaming};
use std::sync::Arc;

/// Finds the points of the states of one shape in which some domains are active.
pub(crate) fn points(certificate: &Certificate, active: Active, places: &Places) -> Points {
    let parts = living(certificate.domains(), active, places);
    let is_full = |part: &Part| certificate.is_full(part.domain);
    let (full, loose): (Vec<Part>, Vec<Part>) = parts.iter().cloned().partition(is_full);
    let mut blocks = Blocks::of(certificate, &parts, &loose);
    // A lone member has nobody to change places with, and is a value like any other.
    let full = full.into_iter().filter(|part| part.members.len() > 1);
    blocks.full.extend(full.map(|part| vec![part]));
    blocks.full.sort_by_key(|parts| parts[0].domain);
    blocks.into_points()
}

/// The members of all domains that a certificate may move.
pub(crate) fn movable(certificate: &Certificate) -> usize {
    let degree = certificate.domains().iter().map(|d| d.kind.size()).sum();
    let mut moved = vec![false; degree];
    let mut start = 0;
    for (index, domain) in certificate.domains().iter().enumerate() {
        let size = domain.kind.size();
        moved[start..start + size].fill(certificate.is_full(index) && size > 1);
        start += size;
    }
    let renamings = certificate.renamings().iter();
    for permutation in renamings.filter_map(|r| certificate.points(r)) {
        permutation.support().for_each(|p| moved[p as usize] = true);
    }
    moved.into_iter().filter(|moved| *moved).count()
}

/// Blocks of points, each with its parts.
struct Blocks {
    held: Vec<Vec<Part>>,
    full: Vec<Vec<Part>>,
    /// The group of those that are held, on their points one after the other.
    group: Group,
}

impl Blocks {
    /// The blocks of domains that are not full.
    fn of(certificate: &Certificate, parts: &[Part], loose: &[Part]) -> Self {
        let usable = certificate.renamings().iter();
        let usable = usable.filter(|renaming| is_usable(certificate, renaming, parts));
        let actions = usable.map(|renaming| action(renaming, loose));
        let actions: Vec<_> = actions.filter(|action| !action.is_identity()).collect();
        let members = loose.iter().map(|part| part.members.len()).sum();
        let group = Group::new(members, actions).expect("all act on these members");
        let bundles = in_step(&group);
        let group = on_bundles(&group, &bundles);
        Blocks::sorted_out(&bundles, &group, loose)
    }

    /// Tells apart which blocks are full.
    fn sorted_out(bundles: &[Bundle], group: &Group, loose: &[Part]) -> Self {
        let mut blocks = Blocks {
            held: Vec::new(),
            full: Vec::new(),
            group: Group::trivial(0),
        };
        let mut first = 0;
        let mut held_points = Vec::new();
        for bundle in bundles {
            let points = first..first + bundle[0].len() as u32;
            first = points.end;
            let parts = bundle.iter().map(|orbit| part_of(orbit, loose)).collect();
            match is_full(group, points.clone()) {
                true => blocks.full.push(parts),
                false => {
                    blocks.held.push(parts);
                    held_points.extend(points);
                }
            }
        }
        let restricted = group.restricted_to(&held_points);
        blocks.group = restricted.expect("blocks are mapped to themselves");
        blocks
    }

    fn into_points(self) -> Points {
        let mut points = Points {
            held_blocks: self.held.len(),
            held: (!self.held.is_empty()).then(|| Arc::new(self.group)),
            ..Points::default()
        };
        let blocks = self.held.into_iter().chain(self.full);
        blocks.for_each(|parts| points.push(parts));
        points
    }
}

/// Where a renaming takes a member of a part.
fn image(renaming: &Renaming, part: &Part, member: i64) -> i64 {
    let image = |permutation: &mandala_symmetry::Permutation, number: i64| {
        permutation.image_of_value(number - part.first) + part.first
    };
    match part.sort {
        Sort::Name(set, _) => image(renaming.names(set), member),
        _ => image(renaming.processes(), member),
    }
}

/// Whether everything that a renaming moves is there and stays in its domain.
fn is_usable(certificate: &Certificate, renaming: &Renaming, parts: &[Part]) -> bool {
    let stays_inside = |part: &Part| {
        let mut images = part.members.iter().map(|m| image(renaming, part, *m));
        images.all(|image| part.members.contains(&image))
    };
    let is_active = |domain: usize| parts.iter().any(|part| part.domain == domain);
    let mut domains = 0..certificate.domains().len();
    let is_process = |part: &&Part| part.sort == Sort::Process(0);
    let is_there = |process: u32| {
        let mut families = parts.iter().filter(is_process);
        families.any(|part| part.members.contains(&i64::from(process)))
    };
    domains.all(|domain| !certificate.touches(renaming, domain) || is_active(domain))
        && renaming.processes().moved().all(is_there)
        && parts.iter().all(stays_inside)
}

/// What a renaming does to the members of some parts, one after the other.
fn action(renaming: &Renaming, parts: &[Part]) -> Permutation {
    let mut images: Vec<u32> = Vec::new();
    for part in parts {
        let start = images.len() as u32;
        for member in &part.members {
            let image = image(renaming, part, *member);
            let place = part.members.iter().position(|m| *m == image);
            images.push(start + place.expect("it is usable") as u32);
        }
    }
    Permutation::from_images(images).expect("a renaming is a permutation")
}

/// Orbits that are permuted in step: the first points of all go together, the second ones, and so on.
type Bundle = Vec<Vec<u32>>;

/// The orbits of what a group moves, those in step together.
fn in_step(group: &Group) -> Vec<Bundle> {
    let mut orbits = group.orbits();
    orbits.retain(|orbit| orbit.len() > 1);
    let mut bundles = Vec::new();
    while !orbits.is_empty() {
        let leader = orbits.remove(0);
        let keepers = group.stabiliser(&leader[..1]).expect("a point of it");
        let stays = |point: &&u32| keepers.generators().iter().all(|g| !g.moves(**point));
        let mut bundle = vec![leader.clone()];
        orbits.retain(|orbit| {
            let fits = orbit.len() == leader.len();
            let first = fits.then(|| orbit.iter().find(stays)).flatten();
            bundle.extend(first.map(|first| followers(group, &leader, *first)));
            first.is_none()
        });
        bundles.push(bundle);
    }
    bundles
}

/// The points that go with those of an orbit if one of them goes with the first.
fn followers(group: &Group, leader: &[u32], first: u32) -> Vec<u32> {
    let orbit = group.orbit(leader[0]).expect("a point of the group");
    let follower = |point: &u32| {
        let taking = orbit.representative(*point).expect("a point of the orbit");
        taking.image(first)
    };
    leader.iter().map(follower).collect()
}

/// What a group does to bundles: they are moved as their first orbits are.
fn on_bundles(group: &Group, bundles: &[Bundle]) -> Group {
    let leaders: Vec<u32> = bundles.iter().flat_map(|b| b[0].clone()).collect();
    let restricted = group.restricted_to(&leaders);
    restricted.expect("orbits are mapped to themselves")
}

/// Whether any two of these points may change places while nothing else moves.
fn is_full(group: &Group, points: std::ops::Range<u32>) -> bool {
    points.clone().zip(points.skip(1)).all(|(a, b)| {
        let exchange = Permutation::transposition(group.degree(), a, b);
        exchange.is_ok_and(|exchange| group.contains(&exchange))
    })
}

/// The part that an orbit of members is.
fn part_of(orbit: &[u32], parts: &[Part]) -> Part {
    let mut start = 0;
    let holds = |part: &&Part| {
        start += part.members.len();
        start > orbit[0] as usize
    };
    let part = parts.iter().find(holds).expect("a member of a part");
    let first = start - part.members.len();
    let member = |number: &u32| part.members[*number as usize - first];
    Part {
        members: orbit.iter().map(member).collect(),
        ..part.clone()
    }
}
