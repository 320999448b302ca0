//! Labellings: where each point goes, whether that is canonical, and what it took.

use crate::shape::{Point, codes};
use crate::view::View;

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

impl Effort {
    /// The effort of trying so many permutations one after the other.
    pub fn of_permutations(tried: u32) -> Self {
        Self {
            route: if tried > 1 {
                Route::Searched
            } else {
                Route::Sorted
            },
            nodes: tried,
            leaves: tried,
        }
    }
}

/// A permutation of the points that maps each domain to itself.
#[derive(Clone, Copy, Debug)]
pub struct Labelling<'a> {
    pub(crate) labels: &'a Labels,
    pub(crate) exactness: Exactness,
    pub(crate) effort: Effort,
}

impl<'a> Labelling<'a> {
    /// What a labeller says: these labels, which map each domain to itself, found with this effort.
    pub fn new(labels: &'a Labels, exactness: Exactness, effort: Effort) -> Self {
        Self {
            labels,
            exactness,
            effort,
        }
    }

    /// Point -> where it goes. The first point of a domain is its first position.
    #[inline]
    pub fn positions(&self) -> &[Point] {
        &self.labels.positions[..self.labels.size]
    }

    /// Position -> which point goes there: the inverse of [`positions`](Self::positions).
    #[inline]
    pub fn points(&self) -> &[Point] {
        &self.labels.points[..self.labels.size]
    }

    /// The positions as a table over all codes; what is not a point stays.
    #[inline]
    pub fn table(&self) -> &[Point] {
        &self.labels.positions
    }

    /// Whether equivalent states get equal images.
    #[inline]
    pub fn exactness(&self) -> Exactness {
        self.exactness
    }

    /// The work spent.
    #[inline]
    pub fn effort(&self) -> Effort {
        self.effort
    }
}

/// A permutation of points and its inverse, as tables that no code can miss: what a [`Labeller`] works on.
#[derive(Clone, Debug)]
pub struct Labels {
    pub(crate) size: usize,
    /// Position -> point; a code that is not a point stays.
    pub(crate) points: Vec<Point>,
    /// Point -> position; a code that is not a point stays.
    pub(crate) positions: Vec<Point>,
}

impl Labels {
    /// The labels that leave each of so many points where it is, at most [`MAX_POINTS`](crate::MAX_POINTS).
    pub fn identity(size: usize) -> Self {
        let identity = identity_table(size);
        Self {
            size,
            points: identity.clone(),
            positions: identity,
        }
    }

    /// Position -> which point stands there.
    pub fn points(&self) -> &[Point] {
        &self.points[..self.size]
    }

    /// Point -> where it stands.
    pub fn positions(&self) -> &[Point] {
        &self.positions[..self.size]
    }

    /// Takes over which point stands at each position: each of the points once, and no others.
    pub fn set_points(&mut self, points: &[Point]) {
        let places = self.points[..self.size].iter_mut();
        places
            .zip(points)
            .for_each(|(place, point)| *place = *point);
        self.follow_points();
    }

    /// Takes over where each point stands: each of the positions once, and no others.
    pub fn set_positions(&mut self, positions: &[Point]) {
        for (point, &position) in positions.iter().enumerate().take(self.size) {
            self.positions[point] = position;
            self.points[usize::from(position)] = point as Point;
        }
    }

    /// Makes the positions follow from which point stands where.
    pub(crate) fn follow_points(&mut self) {
        let positions = &mut self.positions[..];
        for (&point, position) in self.points[..self.size].iter().zip(0..) {
            positions[usize::from(point)] = position;
        }
    }

    /// Exchanges the points at two positions.
    ///
    /// # Panics
    ///
    /// Panics if there is no such position.
    pub fn swap_positions(&mut self, a: usize, b: usize) {
        self.points.swap(a, b);
        self.positions[usize::from(self.points[a])] = a as Point;
        self.positions[usize::from(self.points[b])] = b as Point;
    }

    /// Becomes equal to others of the same size.
    pub fn copy_from(&mut self, other: &Self) {
        let size = self.size;
        self.points[..size].copy_from_slice(&other.points[..size]);
        self.positions[..size].copy_from_slice(&other.positions[..size]);
    }

    /// Puts each point back to where it was.
    pub fn reset(&mut self) {
        for (point, place) in self.points[..self.size].iter_mut().enumerate() {
            *place = point as Point;
        }
        self.positions[..self.size].copy_from_slice(&self.points[..self.size]);
    }
}

/// The table that leaves every code of a shape with so many points as it is.
pub(crate) fn identity_table(points: usize) -> Vec<Point> {
    (0..codes(points) as Point).collect()
}

/// Something that can label states; what the strategies have in common.
pub trait Labeller: Send {
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
        let mut same = Labels::identity(5);
        same.set_points(&[3, 1, 2, 4, 0]);
        assert_eq!(same.positions(), labels.positions());
        let mut back = Labels::identity(5);
        back.set_positions(same.positions());
        assert_eq!(back.points(), same.points());
        same.reset();
        assert_eq!(same.points(), [0, 1, 2, 3, 4]);
    }
}
