//! The least image over a chain of exchanges; what `full` and `segmented` share.
//!
//! Neither a state nor an image is ever written: an exchange moves two labels, and the comparison with the
//! least image so far looks up cells through both labellings and stops at the first difference.

use crate::image::Image;
use crate::labelling::{Effort, Exactness, Labelling, Labels};
use crate::plain_changes::PlainChanges;
use crate::refine::State;
use std::cmp::Ordering;
use std::ops::Range;

/// The least labelling found, the one at hand, and the chain.
#[derive(Clone, Debug)]
pub(super) struct LeastImage {
    least: Labels,
    at_hand: Labels,
    chain: PlainChanges,
    /// How many permutations may be tried for one state.
    limit: u32,
}

impl LeastImage {
    pub fn new(size: usize, limit: u32) -> Self {
        Self {
            least: Labels::identity(size),
            at_hand: Labels::identity(size),
            chain: PlainChanges::default(),
            limit,
        }
    }

    /// The labelling from which the chain begins.
    pub fn start(&mut self) -> &mut Labels {
        &mut self.at_hand
    }

    /// The least image over all arrangements of the segments.
    pub fn search(
        &mut self,
        state: State,
        segments: impl IntoIterator<Item = Range<usize>>,
        compare: impl Fn(&Image, &Image) -> Ordering,
    ) -> Labelling<'_> {
        self.least.copy_from(&self.at_hand);
        self.chain.restart(segments);
        let mut tried = 1;
        let mut exactness = Exactness::Exact;
        while let Some((a, b)) = self.chain.next_exchange() {
            if tried >= self.limit {
                exactness = Exactness::Heuristic;
                break;
            }
            tried += 1;
            self.at_hand.swap_positions(a, b);
            let image = Image::new(state.shape, state.view, &self.at_hand);
            let least = Image::new(state.shape, state.view, &self.least);
            if compare(&image, &least).is_lt() {
                self.least.copy_from(&self.at_hand);
            }
        }
        Labelling {
            labels: &self.least,
            exactness,
            effort: Effort::of_permutations(tried),
        }
    }
}
