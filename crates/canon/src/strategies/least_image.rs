//! The least image along a walk of exchanges; what `full` and `segmented` share.
//!
//! Neither a state nor an image is ever written: an exchange moves two labels, and the comparison with the
//! least image so far looks up cells through both labellings and stops at the first difference.

use crate::image::Image;
use crate::labelling::{Effort, Exactness, Labelling, Labels};
use crate::refine::State;
use crate::walk::Walk;
use std::cmp::Ordering;
use std::ops::Range;

/// The least labelling found, the one at hand, and the walk.
#[derive(Clone, Debug)]
pub(super) struct LeastImage {
    least: Labels,
    at_hand: Labels,
    walk: Walk,
    /// How many permutations may be tried for one state.
    limit: u32,
}

impl LeastImage {
    pub(super) fn new(size: usize, walk: Walk, limit: u32) -> Self {
        Self {
            least: Labels::identity(size),
            at_hand: Labels::identity(size),
            walk,
            limit,
        }
    }

    /// The labelling from which the walk begins.
    pub(super) fn start(&mut self) -> &mut Labels {
        &mut self.at_hand
    }

    /// The least image over all elements of the walk.
    pub(super) fn search_all(
        &mut self,
        state: State,
        compare: impl Fn(&Image, &Image) -> Ordering,
    ) -> Labelling<'_> {
        self.walk.restart();
        self.search_on(state, compare)
    }

    /// The least image over all arrangements of the segments.
    pub(super) fn search(
        &mut self,
        state: State,
        segments: impl IntoIterator<Item = Range<usize>>,
        compare: impl Fn(&Image, &Image) -> Ordering,
    ) -> Labelling<'_> {
        self.walk.restart_with(segments);
        self.search_on(state, compare)
    }

    fn search_on(
        &mut self,
        state: State,
        compare: impl Fn(&Image, &Image) -> Ordering,
    ) -> Labelling<'_> {
        self.least.copy_from(&self.at_hand);
        let mut tried = 1;
        let mut exactness = Exactness::Exact;
        let at_hand = &mut self.at_hand;
        while self.walk.advance(|a, b| at_hand.swap_positions(a, b)) {
            if tried >= self.limit {
                exactness = Exactness::Heuristic;
                break;
            }
            tried += 1;
            let image = Image::new(state.shape, state.view, at_hand);
            let least = Image::new(state.shape, state.view, &self.least);
            if compare(&image, &least).is_lt() {
                self.least.copy_from(at_hand);
            }
        }
        Labelling {
            labels: &self.least,
            exactness,
            effort: Effort::of_permutations(tried),
        }
    }
}
