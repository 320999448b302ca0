//! The tree over the bytes of a state: which node stands over which chunks.
//!
//! A state is cut into chunks of four bytes, the last one filled up with zeroes. Each *inner node* is a pair of
//! two numbers, each a chunk or the id of another node, and is kept once however many states contain it. The
//! *root* holds the ids of two nodes, 28 bits each, which together stand over all chunks. A state of at most
//! seven bytes is its own root.
//!
//! States of different lengths are different even if their roots are the same number, because the length is part
//! of a state's name, as its class. So it does no harm that zeroes are filled in.
//!
//! The numbers of a state are kept in one row: first its chunks, then the ids of its nodes, children before
//! parents.

use super::ROOT_SIDE_BITS;
use crate::MAX_STATE_LENGTH;

/// How many bytes a chunk has.
pub(crate) const CHUNK: usize = 4;
/// The longest state that is its own root.
const PLAIN: usize = 7;
/// The most nodes for which it is noted which of them stand over a chunk.
const NOTED: usize = 64;

/// An inner node: where its two parts stand in the row of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) left: u16,
    pub(crate) right: u16,
}

/// The tree over states of one length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    length: usize,
    chunks: usize,
    nodes: Box<[Node]>,
    /// Where the two sides of the root stand in the row. None for a state that is its own root.
    sides: Option<(u16, u16)>,
    /// By chunk, the nodes that stand over it, as bits. Empty if there are more nodes than bits.
    over: Box<[u64]>,
}

impl Shape {
    /// The tree for states of which nothing is known but the length: chunks of even numbers on one side, those of odd
    /// numbers on the other, halves of halves below.
    ///
    /// Neighbours have more to do with each other than chunks far apart, but how much of a state changes often
    /// differs from place to place. To deal the chunks out keeps the sides about as rich: on eleven models it
    /// took a seventh of a node to a state where the first half and the second took one half to two.
    pub(crate) fn dealt_out(length: usize) -> Self {
        if let Some(plain) = Self::plain(length) {
            return plain;
        }
        let chunks = length.div_ceil(CHUNK) as u16;
        let mut nodes = Vec::new();
        let even: Vec<u16> = (0..chunks).step_by(2).collect();
        let odd: Vec<u16> = (1..chunks).step_by(2).collect();
        let left = side(&even, chunks, &mut nodes);
        let right = side(&odd, chunks, &mut nodes);
        Self::with(length, nodes, Some((left, right)))
    }

    /// The tree that is none: for states that are their own roots.
    pub(crate) fn plain(length: usize) -> Option<Self> {
        (length <= PLAIN).then(|| Self::with(length, Vec::new(), None))
    }

    /// A tree with these nodes, if they are one over states of this length.
    pub(crate) fn from_nodes(length: usize, nodes: Vec<Node>, sides: (u16, u16)) -> Option<Self> {
        let chunks = length.div_ceil(CHUNK);
        let row = chunks + nodes.len();
        if length <= PLAIN || length > MAX_STATE_LENGTH || row > usize::from(u16::MAX) {
            return None;
        }
        let shape = Self::with(length, nodes, Some(sides));
        shape.is_tree().then_some(shape)
    }

    fn with(length: usize, nodes: Vec<Node>, sides: Option<(u16, u16)>) -> Self {
        let chunks = length.div_ceil(CHUNK);
        Self {
            length,
            chunks,
            over: ancestors(chunks, &nodes),
            nodes: nodes.into(),
            sides,
        }
    }

    /// Whether each number but the sides is part of one node, which comes later.
    fn is_tree(&self) -> bool {
        let mut used = vec![0; self.row()];
        for (place, node) in (self.chunks..).zip(&self.nodes) {
            let (left, right) = (usize::from(node.left), usize::from(node.right));
            if left >= place || right >= place {
                return false;
            }
            used[left] += 1;
            // A chunk alone is paired with itself.
            used[right] += usize::from(left != right);
        }
        let Some((left, right)) = self.sides else {
            return self.nodes.is_empty();
        };
        for side in [left, right].map(usize::from) {
            if side < self.chunks || side >= self.row() {
                return false;
            }
            used[side] += 1;
        }
        used.iter().all(|count| *count == 1)
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }

    pub(crate) fn chunks(&self) -> usize {
        self.chunks
    }

    /// The nodes, children before parents. The number of node `i` stands behind the chunks, at place `i`.
    #[inline]
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Where the two sides of the root stand in the row, unless a state is its own root.
    #[inline]
    pub(crate) fn sides(&self) -> Option<(u16, u16)> {
        self.sides
    }

    /// By chunk, the nodes that stand over it, as bits. Empty if there are too many nodes.
    #[inline]
    pub(crate) fn over(&self) -> &[u64] {
        &self.over
    }

    /// How many numbers a state has.
    #[inline]
    pub(crate) fn row(&self) -> usize {
        self.chunks + self.nodes.len()
    }

    /// The memory held on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.over)
    }
}

/// Two sides as a root.
#[inline]
pub(crate) fn join_sides(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << ROOT_SIDE_BITS
}

/// The two sides of a root.
#[inline]
pub(crate) fn split_root(root: u64) -> (u32, u32) {
    (
        root as u32 & ((1 << ROOT_SIDE_BITS) - 1),
        (root >> ROOT_SIDE_BITS) as u32,
    )
}

/// Adds a node over these parts, even if there is only one. Returns its place.
pub(crate) fn side(parts: &[u16], chunks: u16, nodes: &mut Vec<Node>) -> u16 {
    let (left, right) = match parts {
        // A chunk alone is paired with itself.
        [only] => (*only, *only),
        _ => {
            let (first, second) = parts.split_at(parts.len().div_ceil(2));
            (part(first, chunks, nodes), part(second, chunks, nodes))
        }
    };
    nodes.push(Node { left, right });
    chunks + nodes.len() as u16 - 1
}

/// The only part, or a node over several.
pub(crate) fn part(parts: &[u16], chunks: u16, nodes: &mut Vec<Node>) -> u16 {
    match parts {
        [only] => *only,
        _ => side(parts, chunks, nodes),
    }
}

/// By chunk, the nodes that stand over it, as bits.
fn ancestors(chunks: usize, nodes: &[Node]) -> Box<[u64]> {
    if nodes.len() > NOTED {
        return Box::default();
    }
    // From the last node down: who stands over a node stands over its parts.
    let mut over = vec![0; chunks + nodes.len()];
    for (number, node) in nodes.iter().enumerate().rev() {
        let above = over[chunks + number] | 1 << number;
        for part in [node.left, node.right] {
            if let Some(bits) = over.get_mut(usize::from(part)) {
                *bits |= above;
            }
        }
    }
    over.truncate(chunks);
    over.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_a_tree() {
        for length in (0..600).chain([65_533, 65_536]) {
            let shape = Shape::dealt_out(length);
            assert!(shape.is_tree() || length <= PLAIN, "length {length}");
            assert_eq!(shape.sides().is_some(), length > PLAIN);
            assert_eq!(shape.chunks(), length.div_ceil(4));
            let again = shape
                .sides()
                .map(|sides| Shape::from_nodes(length, shape.nodes().to_vec(), sides).unwrap());
            assert!(again.is_none_or(|again| again == shape));
        }
    }

    #[test]
    fn what_is_not_a_tree_is_refused() {
        let node = |left, right| Node { left, right };
        let shape = |nodes: &[Node], sides| Shape::from_nodes(16, nodes.to_vec(), sides);
        assert!(shape(&[node(0, 1), node(2, 3)], (4, 5)).is_some());
        assert!(shape(&[node(0, 0), node(1, 2), node(5, 3)], (4, 6)).is_some());
        assert!(
            shape(&[node(0, 1), node(2, 2)], (4, 5)).is_none(),
            "a chunk is missing"
        );
        assert!(
            shape(&[node(0, 1), node(1, 2)], (4, 5)).is_none(),
            "a chunk twice"
        );
        assert!(
            shape(&[node(0, 1), node(2, 3)], (4, 4)).is_none(),
            "a side twice"
        );
        assert!(
            shape(&[node(0, 5), node(2, 3)], (4, 5)).is_none(),
            "a later node"
        );
        assert!(
            shape(&[node(0, 1), node(2, 3)], (4, 9)).is_none(),
            "no such side"
        );
        assert!(shape(&[node(0, 1)], (2, 4)).is_none(), "a chunk as a side");
    }

    #[test]
    fn the_nodes_over_a_chunk_are_those_that_depend_on_it() {
        let shape = Shape::dealt_out(50);
        for chunk in 0..shape.chunks() {
            let mut touched = vec![false; shape.row()];
            touched[chunk] = true;
            let mut bits = 0;
            for (number, node) in shape.nodes().iter().enumerate() {
                if touched[usize::from(node.left)] || touched[usize::from(node.right)] {
                    touched[shape.chunks() + number] = true;
                    bits |= 1 << number;
                }
            }
            assert_eq!(shape.over()[chunk], bits);
        }
    }
}
