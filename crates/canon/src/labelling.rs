//! What an algorithm says about a state: where each point goes, how sure that is, what it took.

use crate::view::View;

/// Number of entries of the tables that are indexed by a byte: no index can be out of bounds.
pub(crate) const BYTES: usize = 256;

/// Whether equivalent states get equal images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// The image is the same for all states of the orbit.
    Exact,
    /// The image is a state of the orbit, but other states of the orbit may get other images.
    Heuristic,
}

/// How far an algorithm had to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Route {
    /// Sorting the rows (and the order of first reference) told all points apart that differ.
    Sorted,
    /// Refinement told them apart.
    Refined,
    /// Some points had to be told apart by trying.
    Searched,
}

/// The work spent on one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How far the algorithm went.
    pub route: Route,
    /// Nodes of the search tree below the root, or permutations tried.
    pub nodes: u32,
    /// Leaves of the search tree: complete labellings that were compared.
    pub leaves: u32,
}

/// A permutation of the points that maps each domain to itself.
#[derive(Clone, Copy, Debug)]
pub struct Labelling<'a> {
    pub(crate) labels: &'a Labels,
    pub(crate) exactness: Exactness,
    pub(crate) effort: Effort,
}

impl Labelling<'_> {
    /// Point -> where it goes. The first point of a domain is its first position.
    pub fn positions(&self) -> &[u8] {
        &self.labels.positions[..self.labels.size]
    }

    /// Position -> which point goes there: the inverse of [`positions`](Self::positions).
    pub fn points(&self) -> &[u8] {
        &self.labels.points[..self.labels.size]
    }

    /// The positions as a table over all bytes; what is not a point stays: ready for a byte shuffle.
    pub fn table(&self) -> &[u8; BYTES] {
        &self.labels.positions
    }

    /// Whether equivalent states get equal images.
    pub fn exactness(&self) -> Exactness {
        self.exactness
    }

    /// The work spent.
    pub fn effort(&self) -> Effort {
        self.effort
    }
}

/// A permutation and its inverse, as tables that no byte can miss.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    pub size: usize,
    /// Position -> point; a byte that is not a point stays.
    pub points: [u8; BYTES],
    /// Point -> position; a byte that is not a point stays.
    pub positions: [u8; BYTES],
}

impl Labels {
    pub fn identity(size: usize) -> Self {
        let identity = identity_table();
        Self {
            size,
            points: identity,
            positions: identity,
        }
    }

    /// Takes over which point stands at each position.
    pub fn set_points(&mut self, points: &[u8; BYTES]) {
        let size = self.size;
        self.points[..size].copy_from_slice(&points[..size]);
        for (position, &point) in points[..size].iter().enumerate() {
            self.positions[usize::from(point)] = position as u8;
        }
    }

    /// Exchanges the points at two positions.
    pub fn swap_positions(&mut self, a: usize, b: usize) {
        self.points.swap(a, b);
        self.positions[usize::from(self.points[a])] = a as u8;
        self.positions[usize::from(self.points[b])] = b as u8;
    }

    pub fn copy_from(&mut self, other: &Self) {
        let size = self.size;
        self.points[..size].copy_from_slice(&other.points[..size]);
        self.positions[..size].copy_from_slice(&other.positions[..size]);
    }

    pub fn reset(&mut self) {
        let identity = identity_table();
        (self.points, self.positions) = (identity, identity);
    }
}

/// The table that leaves every byte as it is.
pub(crate) fn identity_table() -> [u8; BYTES] {
    std::array::from_fn(|byte| byte as u8)
}

/// Something that can label states; what the strategies have in common.
pub trait Labeller {
    /// Labels one state.
    ///
    /// # Panics
    ///
    /// May panic if the view was made for another shape.
    fn label(&mut self, view: &View) -> Labelling<'_>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_their_inverse_move_together() {
        let mut labels = Labels::identity(5);
        labels.swap_positions(0, 3);
        labels.swap_positions(3, 4);
        for point in 0..5 {
            let position = labels.positions[point];
            assert_eq!(usize::from(labels.points[usize::from(position)]), point);
        }
        assert_eq!(labels.points[..5], [3, 1, 2, 4, 0]);
        assert_eq!(labels.positions[255], 255);
    }
}
