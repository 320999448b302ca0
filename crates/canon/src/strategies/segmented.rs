//! `segmented`: the least image over all permutations that sort the main array (Bosnacki, Dams, Holenderski 2002).

use super::least_image::LeastImage;
use super::main_array::MainArray;
use crate::labelling::{Labeller, Labelling};
use crate::refine::State;
use crate::shape::{Shape, ShapeError};
use crate::view::View;
use crate::walk::Walk;
use std::ops::Range;

/// Sorts points by their rows, or by some columns of them, then tries all arrangements of each segment of points that agree
/// in these.
///
/// The permutations that sort the columns of a state and those that sort the columns of an equivalent one
/// give the same images, so the least of these is canonical whatever the columns are.
#[derive(Clone, Debug)]
pub struct Segmented {
    shape: Shape,
    main: MainArray,
    images: LeastImage,
    segments: Vec<Range<usize>>,
}

impl Segmented {
    /// A labeller that sorts by whole rows and gives up, with the best so far, after `limit` permutations of one state.
    /// The image is the one that [`Full`](super::Full) finds, because rows come first in the order of images.
    pub fn new(shape: &Shape, limit: u32) -> Self {
        Self::with(shape, limit, MainArray::whole(shape))
    }

    /// A labeller that sorts by some plain columns of each domain, the first one first, and gives up, with the best so
    /// far, after `limit` permutations of one state. Of a domain without columns all permutations are tried.
    pub fn by(shape: &Shape, limit: u32, columns: &[Vec<usize>]) -> Result<Self, ShapeError> {
        MainArray::new(shape, columns).map(|main| Self::with(shape, limit, main))
    }

    fn with(shape: &Shape, limit: u32, main: MainArray) -> Self {
        Self {
            shape: shape.clone(),
            main,
            images: LeastImage::new(shape.points(), Walk::default(), limit),
            segments: Vec::with_capacity(shape.points()),
        }
    }
}

impl Labeller for Segmented {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        let shape = &self.shape;
        let start = self.images.start();
        self.main.sort(shape, view, start);
        self.main
            .find_segments(shape, view, start, &mut self.segments);
        let segments = self.segments.iter().cloned();
        let state = State { shape, view };
        if self.main.is_whole() {
            // Permutations within segments do not change the rows.

            self.images
                .search(state, segments, |a, b| a.compare_behind_rows(b))
        } else {
            self.images.search(state, segments, |a, b| a.compare(b))
        }
    }
}
