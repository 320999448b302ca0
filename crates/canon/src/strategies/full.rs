//! `full`: the least image over all permutations (Bosnacki, Dams, Holenderski 2002).

use super::least_image::LeastImage;
use crate::labelling::{Labeller, Labelling};
use crate::refine::State;
use crate::shape::Shape;
use crate::view::View;
use crate::walk::Walk;

/// Tries all n! permutations, or all elements of another group.
#[derive(Clone, Debug)]
pub struct Full {
    shape: Shape,
    images: LeastImage,
}

impl Full {
    /// A labeller that gives up, with the best so far, after `limit` permutations of one state.
    pub fn new(shape: &Shape, limit: u32) -> Self {
        Self::along(Walk::of_all(shape), shape, limit)
    }

    /// The same for the group that a walk leads through.
    pub fn along(walk: Walk, shape: &Shape, limit: u32) -> Self {
        Self {
            shape: shape.clone(),
            images: LeastImage::new(shape.points(), walk, limit),
        }
    }
}

impl Labeller for Full {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        let shape = &self.shape;
        self.images.start().reset();
        let state = State { shape, view };
        self.images.search_all(state, |a, b| a.compare(b))
    }
}
