//! From a state to its root and back.

use super::nodes::Nodes;
use super::shape::{CHUNK, Shape, join_sides, split_root};
use super::tree::Tree;

/// The root of a state. Its nodes are looked up with `intern`, except those that `near`, a tree of the same
/// shape and store, has in the same place with the same parts. `row` is left with the numbers of the state.
#[inline]
pub(crate) fn fold<E>(
    shape: &Shape,
    packed: &[u8],
    near: Option<&Tree>,
    row: &mut Vec<u32>,
    mut intern: impl FnMut(u32, u32) -> Result<u32, E>,
) -> Result<u64, E> {
    let Some((left, right)) = shape.sides() else {
        return Ok(plain_root(packed));
    };
    match near {
        Some(near) if !shape.over().is_empty() => {
            fold_changes(shape, packed, near, row, &mut intern)?;
        }
        _ => fold_all(shape, packed, near, row, &mut intern)?,
    }
    Ok(join_sides(row[usize::from(left)], row[usize::from(right)]))
}

/// Looks up the nodes over chunks that differ from those of `near`.
#[inline]
fn fold_changes<E>(
    shape: &Shape,
    packed: &[u8],
    near: &Tree,
    row: &mut Vec<u32>,
    intern: &mut impl FnMut(u32, u32) -> Result<u32, E>,
) -> Result<(), E> {
    let chunks = shape.chunks();
    if row.len() != shape.row() {
        row.resize(shape.row(), 0);
    }
    let (whole, rest) = packed.as_chunks::<CHUNK>();
    let mut changed = 0;
    // Which chunks differ cannot be foreseen, so there are no branches here.
    let known = near.row.iter().zip(shape.over());
    for ((number, chunk), (known, over)) in row.iter_mut().zip(whole).zip(known) {
        *number = u32::from_le_bytes(*chunk);
        changed |= over & u64::from(*number != *known).wrapping_neg();
    }
    if whole.len() < chunks {
        let last = tail(packed, rest.len());
        row[whole.len()] = last;
        changed |= shape.over()[whole.len()] * u64::from(last != near.row[whole.len()]);
    }
    for (number, known) in row[chunks..].iter_mut().zip(&near.row[chunks..]) {
        *number = *known;
    }
    while changed != 0 {
        let number = changed.trailing_zeros() as usize;
        changed &= changed - 1;
        let node = shape.nodes()[number];
        let id = intern(row[usize::from(node.left)], row[usize::from(node.right)])?;
        row[chunks + number] = id;
    }
    Ok(())
}

/// Goes through all nodes.
fn fold_all<E>(
    shape: &Shape,
    packed: &[u8],
    near: Option<&Tree>,
    row: &mut Vec<u32>,
    intern: &mut impl FnMut(u32, u32) -> Result<u32, E>,
) -> Result<(), E> {
    read_chunks(packed, row);
    for node in shape.nodes() {
        let (left, right) = (usize::from(node.left), usize::from(node.right));
        let same = |near: &&Tree| near.row[left] == row[left] && near.row[right] == row[right];
        let id = match near.filter(same) {
            Some(near) => near.row[row.len()],
            None => intern(row[left], row[right])?,
        };
        row.push(id);
    }
    Ok(())
}

/// The root of a state of at most seven bytes.
#[inline]
fn plain_root(packed: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..packed.len()].copy_from_slice(packed);
    u64::from_le_bytes(bytes)
}

/// The chunks of a state, the last one filled up with zeroes.
fn read_chunks(packed: &[u8], row: &mut Vec<u32>) {
    row.clear();
    let (whole, rest) = packed.as_chunks::<CHUNK>();
    row.extend(whole.iter().map(|chunk| u32::from_le_bytes(*chunk)));
    if !rest.is_empty() {
        row.push(tail(packed, rest.len()));
    }
}

/// The last `count` bytes, fewer than a chunk, of a state that is longer than a chunk, filled up with zeroes.
#[inline]
fn tail(packed: &[u8], count: usize) -> u32 {
    let last = packed
        .last_chunk()
        .map_or(0, |last| u32::from_le_bytes(*last));
    last >> (8 * (CHUNK - count))
}

/// The inverse of [`fold`]. What the tree holds of the same shape and store is not read again where it is the same.
pub(crate) fn unfold(shape: &Shape, nodes: &Nodes, root: u64, known: bool, tree: &mut Tree) {
    let Some((left, right)) = shape.sides() else {
        tree.row.clear();
        tree.bytes.clear();
        tree.bytes.extend_from_slice(&root.to_le_bytes());
        return;
    };
    if known && !shape.over().is_empty() {
        return unfold_changes(shape, nodes, root, (left, right), tree);
    }
    tree.row.clear();
    tree.row.resize(shape.row(), 0);
    let row = &mut tree.row;
    (row[usize::from(left)], row[usize::from(right)]) = split_root(root);
    for (place, node) in (shape.chunks()..shape.row()).zip(shape.nodes()).rev() {
        let (left, right) = nodes.pair(row[place]);
        row[usize::from(node.left)] = left;
        row[usize::from(node.right)] = right;
    }
    tree.bytes.clear();
    let chunks = tree.row[..shape.chunks()].iter();
    tree.bytes
        .extend(chunks.flat_map(|chunk| chunk.to_le_bytes()));
}

/// Reads the nodes below those that differ from what the tree holds.
fn unfold_changes(shape: &Shape, nodes: &Nodes, root: u64, sides: (u16, u16), tree: &mut Tree) {
    let chunks = shape.chunks();
    let (row, bytes) = (&mut tree.row, &mut tree.bytes);
    let mut changed = 0u64;
    let mut put = |changed: &mut u64, row: &mut [u32], place: u16, number: u32| {
        let place = usize::from(place);
        if row[place] == number {
            return;
        }
        row[place] = number;
        match place.checked_sub(chunks) {
            Some(node) => *changed |= 1 << node,
            None => bytes[place * CHUNK..][..CHUNK].copy_from_slice(&number.to_le_bytes()),
        }
    };
    let (left, right) = split_root(root);
    put(&mut changed, row, sides.0, left);
    put(&mut changed, row, sides.1, right);
    while changed != 0 {
        let number = changed.ilog2() as usize;
        changed &= !(1 << number);
        let node = shape.nodes()[number];
        let (left, right) = nodes.pair(row[chunks + number]);
        put(&mut changed, row, node.left, left);
        put(&mut changed, row, node.right, right);
    }
}

impl Nodes {
    /// The root of a state, if all its nodes are there.
    pub(crate) fn find_root(&self, shape: &Shape, packed: &[u8]) -> Option<u64> {
        let find = |left, right| self.find(left, right).ok_or(());
        fold(shape, packed, None, &mut Vec::new(), find).ok()
    }
}
