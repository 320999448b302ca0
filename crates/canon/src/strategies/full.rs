//! `full`: the least image over all permutations (Bosnacki, Dams, Holenderski 2002).

use super::least_image::LeastImage;
use crate::labelling::{Labeller, Labelling};
use crate::refine::State;
use crate::shape::{Block, Shape};
use crate::view::View;

/// Tries all n! permutations.
#[derive(Clone, Debug)]
pub struct Full {
    shape: Shape,
    images: LeastImage,
}

impl Full {
    /// A labeller that gives up, with the best so far, after `limit` permutations of one state.
    pub fn new(shape: &Shape, limit: u32) -> Self {
        Self {
            shape: shape.clone(),
            images: LeastImage::new(shape.points(), limit),
        }
    }
}

impl Labeller for Full {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        let shape = &self.shape;
        self.images.start().reset();
        let segments = shape.blocks().iter().map(Block::points);
        self.images
            .search(State { shape, view }, segments, |a, b| a.compare(b))
    }
}
