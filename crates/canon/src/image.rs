//! Images of a view under a permutation: made for tests, compared without being made everywhere else.
//!
//! The order of images is lexicographic: all plain rows in the order of their positions, then the
//! references, then the shared references, then the relations. Rows come first so that the least image
//! has sorted rows, which `segmented` relies on. References come column by column (the first cells of all
//! points of a domain, then the second ones), so that whoever keeps them in columns can compare them as
//! they lie. A cell without a point comes before all with one: local search then has fewer dead ends
//! (48 instead of 55 on the partial maps of 4 points).

use crate::labelling::Labels;
use crate::shape::{Block, Entry, Matrix, Point, Shape};
use crate::view::{OwnedView, View};
use std::cmp::Ordering;

/// The image of a view under a permutation that is given as point -> position.
///
/// The positions must be those of a permutation that maps each domain to itself, as every
/// [`Labelling`](crate::Labelling) is.
pub fn apply(shape: &Shape, view: &View, positions: &[Point]) -> OwnedView {
    let mut labels = Labels::identity(shape.points());
    for (point, &position) in positions.iter().enumerate() {
        labels.points[usize::from(position)] = point as Point;
        labels.positions[point] = position;
    }
    Image::new(shape, view, &labels).to_owned_view()
}

/// Compares the images of a view under two labellings, in the order that all strategies share.
///
/// Rows come first, then references column by column, shared references, relations; a cell that
/// holds no point comes before all that do.
pub fn compare(shape: &Shape, view: &View, one: &Labels, other: &Labels) -> Ordering {
    Image::new(shape, view, one).compare(&Image::new(shape, view, other))
}

/// A view seen through a labelling.
#[derive(Clone, Copy)]
pub(crate) struct Image<'a> {
    shape: &'a Shape,
    view: &'a View<'a>,
    labels: &'a Labels,
}

impl<'a> Image<'a> {
    pub(crate) fn new(shape: &'a Shape, view: &'a View<'a>, labels: &'a Labels) -> Self {
        Self {
            shape,
            view,
            labels,
        }
    }

    /// Compares everything.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        self.compare_rows(other)
            .then_with(|| self.compare_behind_rows(other))
    }

    /// Compares everything but the rows, for images that have the same rows.
    pub(crate) fn compare_behind_rows(&self, other: &Self) -> Ordering {
        self.compare_references(other)
            .then_with(|| self.shared_ranks().cmp(other.shared_ranks()))
            .then_with(|| self.compare_relations(other))
    }

    /// Compares what links points with each other: all that is left if rows and shared references agree.
    pub(crate) fn compare_links(&self, other: &Self) -> Ordering {
        self.compare_references(other)
            .then_with(|| self.compare_relations(other))
    }

    fn compare_rows(&self, other: &Self) -> Ordering {
        for block in self.shape.blocks() {
            for position in block.points() {
                let row = |image: &Self| {
                    let point = usize::from(image.labels.points[position]);
                    &self.view.plain[block.row_of(point)]
                };
                let order = row(self).cmp(row(other));
                if order.is_ne() {
                    return order;
                }
            }
        }
        Ordering::Equal
    }

    fn compare_references(&self, other: &Self) -> Ordering {
        for block in self.shape.blocks() {
            for column in 0..block.domain.references {
                let mine = self.reference_column(block, column);
                let order = mine.cmp(other.reference_column(block, column));
                if order.is_ne() {
                    return order;
                }
            }
        }
        Ordering::Equal
    }

    /// One reference cell of all points of a domain, as numbers in the order of images.
    fn reference_column(
        &self,
        block: &Block,
        column: usize,
    ) -> impl Iterator<Item = Point> + use<'a> {
        let (image, block) = (*self, *block);
        self.labels.points[block.points()]
            .iter()
            .map(move |&point| {
                let cells = block.references_of(usize::from(point));
                image.rank(image.view.references[cells.start + column])
            })
    }

    fn shared_ranks(&self) -> impl Iterator<Item = Point> + use<'a> {
        let image = *self;
        self.view
            .shared
            .iter()
            .map(move |&target| image.rank(target))
    }

    /// Where a target stands in the order of images: what is no point wraps around to the front.
    fn rank(&self, target: Point) -> Point {
        self.target(target).wrapping_sub(self.labels.size as Point)
    }

    fn target(&self, target: Point) -> Point {
        self.labels.positions[usize::from(target)]
    }

    fn compare_relations(&self, other: &Self) -> Ordering {
        for matrix in self.shape.matrices() {
            for row in matrix.row_points() {
                let mine = self.ranked_row(matrix, row);
                let order = mine.cmp(other.ranked_row(matrix, row));
                if order.is_ne() {
                    return order;
                }
            }
        }
        Ordering::Equal
    }

    /// The entries of a row of the image, as numbers in the order of images.
    fn ranked_row(&self, matrix: &Matrix, row: usize) -> impl Iterator<Item = u64> + use<'a> {
        let points = self.labels.size as u64;
        let holds_points = matrix.entries == Entry::Point;
        self.relation_row(matrix, row)
            .map(u64::from)
            .map(move |entry| {
                let is_point = holds_points && entry < points;
                // Points come after everything that is none, as in references.
                entry | u64::from(is_point) << u32::BITS
            })
    }

    /// The entries of a row of the image.
    fn relation_row(&self, matrix: &Matrix, row: usize) -> impl Iterator<Item = u32> + use<'a> {
        let (image, matrix) = (*self, *matrix);
        let point = usize::from(image.labels.points[row]);
        matrix.column_points().map(move |column| {
            let other = usize::from(image.labels.points[column]);
            image.entry(&matrix, matrix.entry(point, other))
        })
    }

    fn entry(&self, matrix: &Matrix, at: usize) -> u32 {
        let value = self.view.relations[at];
        let moved = match matrix.entries {
            Entry::Point => self.labels.positions.get(value as usize),
            Entry::Number => None,
        };
        moved.map_or(value, |position| u32::from(*position))
    }

    fn to_owned_view(self) -> OwnedView {
        let target = |&target: &Point| self.target(target);
        let mut owned = OwnedView {
            plain: Vec::with_capacity(self.view.plain.len()),
            references: Vec::with_capacity(self.view.references.len()),
            shared: self.view.shared.iter().map(target).collect(),
            relations: Vec::with_capacity(self.view.relations.len()),
        };
        for block in self.shape.blocks() {
            for position in block.points() {
                let point = usize::from(self.labels.points[position]);
                owned.plain.extend(&self.view.plain[block.row_of(point)]);
                let cells = &self.view.references[block.references_of(point)];
                owned.references.extend(cells.iter().map(target));
            }
        }
        for matrix in self.shape.matrices() {
            for row in matrix.row_points() {
                owned.relations.extend(self.relation_row(matrix, row));
            }
        }
        owned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{NONE, PointDomain, Relation};

    fn shape() -> Shape {
        let domain = |points, plain, references| PointDomain {
            points,
            plain,
            references,
        };
        let relation = |rows, columns, entries| Relation {
            rows,
            columns,
            entries,
        };
        let relations = [relation(0, 1, Entry::Number), relation(0, 0, Entry::Point)];
        Shape::new(&[domain(3, 1, 1), domain(2, 0, 2)], 2, &relations).expect("small")
    }

    #[test]
    fn rows_move_and_references_follow() {
        let shape = shape();
        let matrices = [1, 2, 3, 4, 5, 6, 0, 1, 2, 255, 255, 0, 3, 4, 300];
        let (plain, references) = ([7, 8, 9], [1, 3, NONE, 0, 4, 2, 200]);
        let view = View::new(&shape, &plain, &references, &[2, NONE], &matrices).expect("fits");
        // 0 -> 1 -> 2 -> 0 and 3 <-> 4.
        let image = apply(&shape, &view, &[1, 2, 0, 4, 3]);
        assert_eq!(image.plain, [9, 7, 8]);
        assert_eq!(image.references, [NONE, 2, 4, 0, 200, 1, 3]);
        assert_eq!(image.shared, [0, NONE]);
        assert_eq!(image.relations[..6], [6, 5, 2, 1, 4, 3]);
        assert_eq!(image.relations[6..], [300, 4, 3, 0, 1, 2, 1, 255, 255]);
        let back = apply(&shape, &image.as_view(), &[2, 0, 1, 4, 3]);
        assert_eq!(back.as_view(), view);
    }

    /// The image as a list in which nothing comes before everything.
    fn in_order(image: Image) -> Vec<i64> {
        let owned = image.to_owned_view();
        let target = |cell: u32| i64::from(cell) - if cell < 5 { 0 } else { 1000 };
        let [of_first, of_second] = owned.references.split_at(3).into();
        let columns = of_first
            .iter()
            .chain(of_second.iter().step_by(2))
            .chain(of_second.iter().skip(1).step_by(2));
        let (numbers, points) = owned.relations.split_at(6);
        owned
            .plain
            .iter()
            .map(|&cell| i64::from(cell))
            .chain(
                columns
                    .chain(&owned.shared)
                    .map(|&cell| target(cell.into())),
            )
            .chain(numbers.iter().map(|&cell| i64::from(cell)))
            .chain(points.iter().map(|&cell| target(cell)))
            .collect()
    }

    #[test]
    fn comparing_images_is_comparing_what_they_show() {
        let shape = shape();
        let matrices = [0, 0, 1, 0, 0, 0, 0, 1, 2, 255, 255, 0, 1, 1, 0];
        let view = View::new(
            &shape,
            &[7, 7, 7],
            &[1, NONE, 2, 4, 0, 4, 1],
            &[2, NONE],
            &matrices,
        )
        .expect("fits");
        let images = |swaps: &[(usize, usize)]| {
            let mut labels = Labels::identity(5);
            swaps.iter().for_each(|&(a, b)| labels.swap_positions(a, b));
            labels
        };
        let all = [
            images(&[]),
            images(&[(0, 1)]),
            images(&[(0, 2), (3, 4)]),
            images(&[(0, 1), (1, 2)]),
            images(&[(3, 4)]),
        ];
        for one in &all {
            for two in &all {
                let (a, b) = (
                    Image::new(&shape, &view, one),
                    Image::new(&shape, &view, two),
                );
                let expected = in_order(a).cmp(&in_order(b));
                assert_eq!(a.compare(&b), expected);
            }
        }
    }
}
