//! The main array: the plain columns by which `sorted` and `segmented` sort the points of each domain.

use crate::labelling::Labels;
use crate::shape::{Block, Point, Shape, ShapeError};
use crate::view::View;
use std::cmp::Ordering;
use std::ops::Range;

/// For each domain, the plain columns that decide the order of its points, the first one first.
#[derive(Clone, Debug)]
pub(super) struct MainArray {
    columns: Vec<Vec<usize>>,
    /// Whether points that agree in the columns have equal rows.
    is_whole: bool,
}

impl MainArray {
    /// All columns of all domains, in their order.
    pub(super) fn whole(shape: &Shape) -> Self {
        let width = |block: &Block| (0..block.domain.plain).collect();
        Self {
            columns: shape.blocks().iter().map(width).collect(),
            is_whole: true,
        }
    }

    /// These columns; a domain for which none are given has none.
    pub(super) fn new(shape: &Shape, given: &[Vec<usize>]) -> Result<Self, ShapeError> {
        let mut columns = given.to_vec();
        if columns.len() > shape.domains() {
            return Err(ShapeError::NoSuchDomain(shape.domains()));
        }
        columns.resize(shape.domains(), Vec::new());
        let mut is_whole = true;
        for (domain, (block, columns)) in shape.blocks().iter().zip(&columns).enumerate() {
            let width = block.domain.plain;
            if let Some(&column) = columns.iter().find(|&&column| column >= width) {
                return Err(ShapeError::NoSuchColumn { domain, column });
            }
            is_whole &= (0..width).all(|column| columns.contains(&column));
        }
        Ok(Self { columns, is_whole })
    }

    /// Whether points that agree in the columns have equal rows.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The labelling that sorts the columns and keeps the order of points that agree in them.
    pub(super) fn sort(&self, shape: &Shape, view: &View, labels: &mut Labels) {
        labels.reset();
        for (block, columns) in shape.blocks().iter().zip(&self.columns) {
            let order = Order {
                block,
                columns,
                view,
            };
            // The point decides between equals: what a stable sort would do, without its buffer.
            labels.points[block.points()]
                .sort_unstable_by(|&a, &b| order.of(a, b).then_with(|| a.cmp(&b)));
        }
        labels.follow_points();
    }

    /// The positions, under a labelling that sorts, of points that agree in the columns.
    pub(super) fn find_segments(
        &self,
        shape: &Shape,
        view: &View,
        labels: &Labels,
        segments: &mut Vec<Range<usize>>,
    ) {
        segments.clear();
        for (block, columns) in shape.blocks().iter().zip(&self.columns) {
            let order = Order {
                block,
                columns,
                view,
            };
            let mut start = block.first;
            let alike = |a: &Point, b: &Point| order.of(*a, *b).is_eq();
            for segment in labels.points[block.points()].chunk_by(alike) {
                segments.push(start..start + segment.len());
                start += segment.len();
            }
        }
    }
}

/// How the columns order the points of a domain in one state.
struct Order<'a> {
    block: &'a Block,
    columns: &'a [usize],
    view: &'a View<'a>,
}

impl Order<'_> {
    fn of(&self, a: Point, b: Point) -> Ordering {
        let row = |point: Point| &self.view.plain[self.block.row_of(usize::from(point))];
        let (a, b) = (row(a), row(b));
        let orders = self.columns.iter().map(|&column| a[column].cmp(&b[column]));
        orders
            .into_iter()
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}
