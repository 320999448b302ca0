//! `enumerate`: every element of the group is applied to the state from scratch, the least image is kept.
//!
//! The plain form of the idea (Donaldson 2009, Algorithm 1, with the last assignment the right way round): cell by
//! cell, no vector instructions, nothing carried over from one permutation to the next.

use super::bytes::{Layout, Route};
use mandala_canon::walk::Walk;
use mandala_canon::{Effort, Exactness, Labeller, Labelling, Labels, Point, Shape, View};

/// Applies all elements of a group, each from scratch.
#[derive(Clone, Debug)]
pub struct Enumerate(Route<Scratch>);

impl Enumerate {
    /// A labeller that gives up, with the best so far, after `limit` permutations of one state.
    pub fn new(walk: Walk, shape: &Shape, limit: u32) -> Self {
        Self(Route::new(walk, shape, limit, |layout, walk| {
            Scratch::new(layout, walk, limit)
        }))
    }
}

impl Labeller for Enumerate {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.0.label(view)
    }
}

#[derive(Clone, Debug)]
struct Scratch {
    layout: Layout,
    limit: u32,
    original: Vec<u8>,
    image: Vec<u8>,
    least: Vec<u8>,
    /// Code of a point -> code of its position; everything else stays.
    codes: Vec<u8>,
    walk: Walk,
    at_hand: Labels,
    best: Labels,
}

impl Scratch {
    fn new(layout: Layout, walk: Walk, limit: u32) -> Self {
        let form = vec![0; layout.bytes()];
        let labels = Labels::identity(layout.points());
        Self {
            limit,
            original: form.clone(),
            image: form.clone(),
            least: form,
            codes: (0..=255).collect(),
            walk,
            at_hand: labels.clone(),
            best: labels,
            layout,
        }
    }

    fn start(&mut self, view: &View) {
        self.layout.write(view, &mut self.original);
        self.least.copy_from_slice(&self.original);
        self.image.copy_from_slice(&self.original);
        self.at_hand.reset();
        self.best.reset();
        self.walk.restart();
    }

    /// Writes the image under the labels at hand.
    fn apply(&mut self) {
        let layout = &self.layout;
        for (point, &position) in self.at_hand.positions().iter().enumerate() {
            let code = usize::from(layout.code(point as Point));
            self.codes[code] = layout.code(position);
        }
        layout.for_each_source(&self.at_hand, |to, from| {
            self.image[to] = self.codes[usize::from(self.original[from])];
        });
    }
}

impl Labeller for Scratch {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.start(view);
        let mut tried = 1;
        let mut exactness = Exactness::Exact;
        while self.walk.advance(|a, b| self.at_hand.swap_positions(a, b)) {
            if tried >= self.limit {
                exactness = Exactness::Heuristic;
                break;
            }
            tried += 1;
            self.apply();
            if self.image < self.least {
                self.least.copy_from_slice(&self.image);
                self.best.copy_from(&self.at_hand);
            }
        }
        Labelling::new(&self.best, exactness, Effort::of_permutations(tried))
    }
}
