//! Choosing a tree by looking at states.
//!
//! # The algorithm
//!
//! What a tree costs is the number of different nodes. A node over some chunks exists once for each combination
//! of values that they take, so chunks that change together, or not at all, belong under one node, and those
//! that change independently belong on different sides. On a sample of states the cost of a node can simply be
//! counted. So the tree is built from below: of all pairs of subtrees that there are, the two whose union takes
//! the fewest values on the sample become one, until two are left, the sides of the root. Of unions that take
//! about as many values the flatter one is taken: a changed chunk concerns all nodes above it. Chunks that
//! never change cost nothing and sink to the bottom; what changes most ends up next to the root, where a change
//! concerns the fewest nodes.
//!
//! # Measured
//!
//! Nodes to a state, with the tree chosen from the first 16,384 states of a breadth-first search, whose nodes
//! in the old tree are included:
//!
//! | model | states | bytes | halves | dealt out | chosen |
//! |---|---|---|---|---|---|
//! | leader election, five nodes, preprocessed | 1,200,002 | 153 | 1.66 | 0.86 | 0.20 |
//! | leader election in a ring of seven | 1,500,001 | 144 | 0.55 | | 0.12 |
//! | snooping cache | 123,139 | 90 | 1.29 | 1.21 | 0.49 |
//! | two servers, three clients | 103,105 | 56 | 0.25 | 0.30 | 0.24 |
//! | email, four clients | 852,641 | 44 | 0.22 | 0.10 | 0.04 |
//! | MCS lock, five processes | 1,500,002 | 21 | 1.74 | 0.14 | 0.16 |
//! | data base manager, eleven | 649,552 | 21 | 0.23 | 0.09 | 0.03 |
//! | Peterson, four processes | 542,921 | 18 | 0.14 | 0.07 | 0.11 |
//!
//! A node takes 14 bytes, so the first row is the difference between 34 and 14 bytes a state.
//!
//! # Several attempts
//!
//! The first merges decide about all others, and a small difference in the sample can lead to a tree that is
//! twice as good or half. So several trees are built, which weigh flatness differently, and the one with the
//! fewest nodes over a larger sample is taken. The number of nodes among the first states is no perfect sign of
//! what is to come, but a good one.
//!
//! # Bounds
//!
//! With `n` subtrees there are about `n * n` unions to count, each in a pass over the sample. Chunks that never
//! change in the sample are put under one node without counting, and if more than [`MOST`] others are left,
//! neighbours are paired until there are not. So the time is bounded: some 10 ms for 39 chunks, and as much
//! again to look up the first states in the new tree.

use super::shape::{Node, Shape, part, side};
use rapidhash::fast::RapidHasher;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// A fast hash for small keys, the same in every run.
type Mix = BuildHasherDefault<RapidHasher<'static>>;

/// How many subtrees are compared with each other at most.
const MOST: usize = 48;
/// From how many states trees are built; more are used to choose between trees.
const BUILT_FROM: usize = 1 << 10;
/// How little deep trees are disliked: a level more must save one in so many values.
const ATTEMPTS: [usize; 4] = [1000, 10, 4, 1];

/// A subtree and its value in each state of the sample.
#[derive(Clone)]
struct Subtree {
    place: u16,
    values: Vec<u32>,
    /// How many values there are.
    variety: usize,
    /// How many nodes that can change stand over one another in it.
    depth: usize,
}

/// Nodes and the places of the two sides.
type Draft = (Vec<Node>, (u16, u16));

/// A tree over states of this length that suits the sample: the chunks of each state, one state after the other.
pub(crate) fn choose(length: usize, chunks: usize, sample: &[u32]) -> Option<Shape> {
    let states = sample.len() / chunks;
    let step = (states / BUILT_FROM).max(1);
    let few = || sample.chunks_exact(chunks).step_by(step);
    let mut nodes = Vec::new();
    let trees = leaves(chunks, few);
    let trees = bury_constants(trees, chunks, &mut nodes);
    let trees = pair_neighbours(trees, chunks, &mut nodes);
    let drafts = ATTEMPTS
        .iter()
        .filter_map(|flat| merge(trees.clone(), chunks, nodes.clone(), *flat));
    let best = drafts.min_by_key(|draft| count_nodes(draft, chunks, sample));
    let (nodes, sides) = best?;
    Shape::from_nodes(length, nodes, sides)
}

/// How many different nodes a tree has over the sample.
fn count_nodes((nodes, _): &Draft, chunks: usize, sample: &[u32]) -> usize {
    let mut ids: HashMap<(u32, u32), u32, Mix> = HashMap::default();
    let mut row = Vec::new();
    for state in sample.chunks_exact(chunks) {
        row.clear();
        row.extend_from_slice(state);
        for node in nodes {
            let next = ids.len() as u32;
            let pair = (row[usize::from(node.left)], row[usize::from(node.right)]);
            row.push(*ids.entry(pair).or_insert(next));
        }
    }
    ids.len()
}

fn leaves<'s, S: Iterator<Item = &'s [u32]>>(
    chunks: usize,
    sample: impl Fn() -> S,
) -> Vec<Subtree> {
    let leaf = |chunk: usize| {
        let (values, variety) = number(sample().map(|state| (state[chunk], 0)));
        Subtree {
            place: chunk as u16,
            values,
            variety,
            depth: 0,
        }
    };
    (0..chunks).map(leaf).collect()
}

/// Puts all chunks that never change under one node.
fn bury_constants(trees: Vec<Subtree>, chunks: usize, nodes: &mut Vec<Node>) -> Vec<Subtree> {
    let (constant, mut others): (Vec<_>, Vec<_>) =
        trees.into_iter().partition(|tree| tree.variety <= 1);
    let places: Vec<u16> = constant.iter().map(|tree| tree.place).collect();
    if let Some(first) = constant.into_iter().next() {
        let place = part(&places, chunks as u16, nodes);
        others.insert(0, Subtree { place, ..first });
    }
    others
}

/// Pairs neighbours until there are few enough subtrees.
fn pair_neighbours(mut trees: Vec<Subtree>, chunks: usize, nodes: &mut Vec<Node>) -> Vec<Subtree> {
    while trees.len() > MOST {
        let mut rest = trees.into_iter();
        let mut paired = Vec::new();
        while let Some(first) = rest.next() {
            paired.push(match rest.next() {
                Some(second) => unite(&first, &second, chunks, nodes),
                None => first,
            });
        }
        trees = paired;
    }
    trees
}

/// Merges the two subtrees that go together best, until two are left, and makes these the sides.
fn merge(
    mut trees: Vec<Subtree>,
    chunks: usize,
    mut nodes: Vec<Node>,
    flat: usize,
) -> Option<Draft> {
    // By the places of two subtrees, how many values they take together.
    let mut varieties: HashMap<(u16, u16), usize, Mix> = HashMap::default();
    let mut bits = Vec::new();
    while trees.len() > 2 {
        let pairs =
            (1..trees.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
        let (first, second) = pairs.min_by_key(|&(first, second)| {
            let (a, b) = (&trees[first], &trees[second]);
            let variety = varieties
                .entry((a.place, b.place))
                .or_insert_with(|| variety_together(a, b, &mut bits));
            *variety * (flat + a.depth.max(b.depth))
        })?;
        let later = trees.remove(second);
        let earlier = trees.remove(first);
        trees.push(unite(&earlier, &later, chunks, &mut nodes));
    }
    let mut as_side = |tree: &Subtree| match usize::from(tree.place) < chunks {
        true => side(&[tree.place], chunks as u16, &mut nodes),
        false => tree.place,
    };
    match &trees[..] {
        [left, right] => {
            let sides = (as_side(left), as_side(right));
            Some((nodes, sides))
        }
        _ => None,
    }
}

/// Adds a node over two subtrees.
fn unite(left: &Subtree, right: &Subtree, chunks: usize, nodes: &mut Vec<Node>) -> Subtree {
    let (values, variety) = number(pairs(left, right));
    nodes.push(Node {
        left: left.place,
        right: right.place,
    });
    Subtree {
        place: (chunks + nodes.len() - 1) as u16,
        values,
        variety,
        depth: 1 + left.depth.max(right.depth),
    }
}

/// How many values two subtrees take together. `bits` is room to count them in.
fn variety_together(left: &Subtree, right: &Subtree, bits: &mut Vec<u64>) -> usize {
    bits.clear();
    bits.resize((left.variety * right.variety).div_ceil(64), 0);
    for (a, b) in pairs(left, right) {
        let place = a as usize * right.variety + b as usize;
        bits[place / 64] |= 1 << (place % 64);
    }
    bits.iter().map(|word| word.count_ones() as usize).sum()
}

fn pairs(left: &Subtree, right: &Subtree) -> impl Iterator<Item = (u32, u32)> {
    left.values
        .iter()
        .copied()
        .zip(right.values.iter().copied())
}

/// Numbers values in the order in which they come up, and says how many there are.
fn number(values: impl Iterator<Item = (u32, u32)>) -> (Vec<u32>, usize) {
    let mut numbers: HashMap<(u32, u32), u32, Mix> = HashMap::default();
    let numbered = values
        .map(|value| {
            let next = numbers.len() as u32;
            *numbers.entry(value).or_insert(next)
        })
        .collect();
    (numbered, numbers.len())
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Three pairs of chunks, far apart, that change together, and chunks that do not change.
    fn sample() -> Vec<u32> {
        let state = |number: u32| {
            let (a, b, c) = (number % 13, number / 13 % 11, number / 143);
            [a, 7, b, 7, c, 7, a + 100, b * 5, 7, c + 9]
        };
        (0..13 * 11 * 12).flat_map(state).collect()
    }

    #[test]
    fn chunks_that_change_together_are_found() {
        let shape = choose(40, 10, &sample()).unwrap();
        let draft = (shape.nodes().to_vec(), shape.sides().unwrap());
        let dealt_out = Shape::dealt_out(40);
        let other = (dealt_out.nodes().to_vec(), dealt_out.sides().unwrap());
        let sample = sample();
        assert!(4 * count_nodes(&draft, 10, &sample) < count_nodes(&other, 10, &sample));
    }

    #[test]
    fn states_of_any_length_get_a_tree() {
        for chunks in [3, 4, 17, 100, 1000] {
            let states = 0..50u32;
            let sample: Vec<u32> = states
                .flat_map(|state| (0..chunks as u32).map(move |chunk| state * chunk % 5))
                .collect();
            assert!(choose(4 * chunks, chunks, &sample).is_some(), "{chunks}");
        }
    }

    #[test]
    fn states_that_are_all_alike_get_none() {
        assert!(choose(12, 3, &[1, 2, 3, 1, 2, 3]).is_none());
    }
}
