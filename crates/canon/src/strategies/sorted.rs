//! `sorted`: sort the rows, let everything else follow (Bosnacki, Dams, Holenderski 2002).

use super::least_image::effort;
use crate::labelling::{Exactness, Labeller, Labelling, Labels};
use crate::shape::Shape;
use crate::view::View;

/// Sorts points by their rows. Points with equal rows keep their order, so the image is not canonical.
#[derive(Clone, Debug)]
pub struct Sorted {
    shape: Shape,
    labels: Labels,
}

impl Sorted {
    /// A labeller for views of this shape.
    pub fn new(shape: &Shape) -> Self {
        Self {
            shape: shape.clone(),
            labels: Labels::identity(shape.points()),
        }
    }
}

impl Labeller for Sorted {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        sort_rows(&self.shape, view, &mut self.labels);
        Labelling {
            labels: &self.labels,
            exactness: Exactness::Heuristic,
            effort: effort(1),
        }
    }
}

/// The labelling that sorts the rows and keeps the order of equal ones.
pub(super) fn sort_rows(shape: &Shape, view: &View, labels: &mut Labels) {
    labels.reset();
    for block in shape.blocks() {
        let row = |point: u8| &view.plain[block.row_of(usize::from(point))];
        // The point decides between equal rows: what a stable sort would do, without its buffer.
        labels.points[block.points()]
            .sort_unstable_by(|&a, &b| row(a).cmp(row(b)).then_with(|| a.cmp(&b)));
    }
    let points = labels.points;
    labels.set_points(&points);
}
