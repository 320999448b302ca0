//! Recognising the well-known groups in their natural action.

use crate::families::Family;
use crate::group::Group;
use crate::permutation::Permutation;

/// A family, and the points in the order in which its definition numbers them.
pub(super) type Arrangement = (Family, Vec<u32>);

/// What a transitive group is, if it is one of the [`Family`] in its natural action.
///
/// Groups that belong to several go by the first that fits: two names make S_2, three S_3 (not D_3)
/// or C_3 (not A_3), the square is D_4.
pub(super) fn natural(group: &Group) -> Option<Arrangement> {
    let n = group.degree();
    let order = group.order();
    if n < 2 {
        return None;
    }
    let fits = |family: Family| family.acts_on(n) && order == family.order(n);
    if fits(Family::Symmetric) {
        return Some((Family::Symmetric, (0..n as u32).collect()));
    }
    if n >= 4 && fits(Family::Alternating) {
        return Some((Family::Alternating, (0..n as u32).collect()));
    }
    if fits(Family::Cyclic) {
        return ring(group).map(|ring| (Family::Cyclic, ring));
    }
    if fits(Family::Dihedral) {
        return dihedral(group);
    }
    if n >= 8 && fits(Family::Hypercube) {
        return hypercube(group).map(|corners| (Family::Hypercube, corners));
    }
    None
}

/// An element that takes all points round in one cycle. In a cyclic or dihedral group at least
/// one element in 2 n is such, and these groups are small.
fn ring(group: &Group) -> Option<Vec<u32>> {
    let whole = |element: &Permutation| element.cycle_of(0).len() == group.degree();
    group
        .elements()
        .find(whole)
        .map(|element| element.cycle_of(0))
}

/// A group of order 2 n that keeps a ring of n points a ring is the dihedral group.
fn dihedral(group: &Group) -> Option<Arrangement> {
    let ring = ring(group)?;
    let n = ring.len();
    let mut place = vec![0; n];
    ring.iter()
        .enumerate()
        .for_each(|(index, &point)| place[point as usize] = index);
    let are_neighbours = |a: u32, b: u32| {
        let distance = (place[a as usize] + n - place[b as usize]) % n;
        distance == 1 || distance == n - 1
    };
    let keeps_ring = |generator: &Permutation| {
        (0..n).all(|index| {
            are_neighbours(
                generator.image(ring[index]),
                generator.image(ring[(index + 1) % n]),
            )
        })
    };
    group
        .generators()
        .iter()
        .all(keeps_ring)
        .then_some((Family::Dihedral, ring))
}

/// The corners in the order of their coordinates. The neighbours of a corner are an orbit of its
/// stabiliser; the graph that this gives must be the hypercube.
fn hypercube(group: &Group) -> Option<Vec<u32>> {
    let dimension = group.degree().ilog2() as usize;
    let suborbits = group.stabiliser(&[0]).ok()?.orbits();
    let sized = suborbits
        .iter()
        .filter(|suborbit| suborbit.len() == dimension);
    sized
        .filter_map(|neighbours| corners(&neighbour_lists(group, neighbours)?))
        .next()
}

/// By point, the images of `neighbours`, those of point 0.
fn neighbour_lists(group: &Group, neighbours: &[u32]) -> Option<Vec<Vec<u32>>> {
    let orbit = group.orbit(0).ok()?;
    let list = |point| {
        let there = orbit.representative(point)?;
        Some(
            neighbours
                .iter()
                .map(|&neighbour| there.image(neighbour))
                .collect(),
        )
    };
    (0..group.degree() as u32).map(list).collect()
}

/// Coordinates for a graph that may be a hypercube: the neighbours of 0 get one bit each, and every
/// further corner the bits of its neighbours that are nearer to 0.
fn corners(neighbours: &[Vec<u32>]) -> Option<Vec<u32>> {
    let mut coordinates: Vec<Option<u32>> = vec![None; neighbours.len()];
    coordinates[0] = Some(0);
    for (bit, &neighbour) in neighbours[0].iter().enumerate() {
        coordinates[neighbour as usize] = Some(1 << bit);
    }
    let mut layer = neighbours[0].clone();
    while !layer.is_empty() {
        layer = next_layer(neighbours, &layer, &mut coordinates);
    }
    let coordinates: Option<Vec<u32>> = coordinates.into_iter().collect();
    let numbering = Permutation::from_images(coordinates?).ok()?;
    is_hypercube(neighbours, &numbering).then(|| numbering.inverse().images().to_vec())
}

fn next_layer(neighbours: &[Vec<u32>], layer: &[u32], coordinates: &mut [Option<u32>]) -> Vec<u32> {
    let mut next = Vec::new();
    let mut bits = vec![0; neighbours.len()];
    for &corner in layer {
        for &beyond in &neighbours[corner as usize] {
            if coordinates[beyond as usize].is_none() {
                bits[beyond as usize] |= coordinates[corner as usize].unwrap_or(0);
                next.push(beyond);
            }
        }
    }
    next.sort_unstable();
    next.dedup();
    next.iter()
        .for_each(|&corner| coordinates[corner as usize] = Some(bits[corner as usize]));
    next
}

fn is_hypercube(neighbours: &[Vec<u32>], numbering: &Permutation) -> bool {
    let differ_in_one_bit =
        |a: u32, b: u32| (numbering.image(a) ^ numbering.image(b)).is_power_of_two();
    let lists = neighbours.iter().zip(0..);
    lists
        .into_iter()
        .all(|(list, corner)| list.iter().all(|&other| differ_in_one_bit(corner, other)))
}
