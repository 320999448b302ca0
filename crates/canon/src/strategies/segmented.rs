//! `segmented`: the least image over all permutations that sort the rows (Bosnacki, Dams, Holenderski 2002).

use super::least_image::LeastImage;
use super::sorted::sort_rows;
use crate::labelling::{Labeller, Labelling};
use crate::refine::State;
use crate::shape::Shape;
use crate::view::View;
use std::ops::Range;

/// Sorts points by their rows, then tries all arrangements of each segment of equal rows. The image is
/// the one that [`Full`](super::Full) finds, because rows come first in the order of images.
#[derive(Clone, Debug)]
pub struct Segmented {
    shape: Shape,
    images: LeastImage,
    segments: Vec<Range<usize>>,
}

impl Segmented {
    /// A labeller that gives up, with the best so far, after `limit` permutations of one state.
    pub fn new(shape: &Shape, limit: u32) -> Self {
        Self {
            shape: shape.clone(),
            images: LeastImage::new(shape.points(), limit),
            segments: Vec::with_capacity(shape.points()),
        }
    }

    fn find_segments(&mut self, view: &View) {
        let points = &self.images.start().points;
        self.segments.clear();
        for block in self.shape.blocks() {
            let row = |position: usize| &view.plain[block.row_of(usize::from(points[position]))];
            let mut positions = block.points();
            while let Some(start) = positions.next() {
                let mut end = start + 1;
                while end < block.points().end && row(end) == row(start) {
                    end += 1;
                }
                self.segments.push(start..end);
                positions.start = end;
            }
        }
    }
}

impl Labeller for Segmented {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        sort_rows(&self.shape, view, self.images.start());
        self.find_segments(view);
        let shape = &self.shape;
        let segments = self.segments.iter().cloned();
        // Permutations within segments do not change the rows.
        let state = State { shape, view };
        self.images
            .search(state, segments, |a, b| a.compare_behind_rows(b))
    }
}
