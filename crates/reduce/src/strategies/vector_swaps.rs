//! `vector-swaps`: the chain of exchanges with vector instructions, as published for TopSPIN (Donaldson 2009).
//!
//! All ids lie together, and two of them are exchanged by comparing a vector of cells with either and choosing, 16 to 64 cells at
//! once. The cells of the two processes change places one by one, and the whole state is compared.

use super::bytes::{Layout, Route, Swaps, swap_bytes};
use super::enumerate_swaps::{Chain, Exchange};
use mandala_canon::walk::Walk;
use mandala_canon::{Labeller, Labelling, Shape, View};
use mandala_encoding::shuffle::{Chunk, Shuffler};

/// Tries all elements of a group along a chain of exchanges, many cells at once.
#[derive(Clone, Debug)]
pub struct VectorSwaps(Route<Chain<Vectors>>);

impl VectorSwaps {
    /// A labeller that gives up, with the best so far, after `limit` permutations of one state.
    pub fn new(walk: Walk, shape: &Shape, limit: u32) -> Self {
        Self::with(Shuffler::new(), walk, shape, limit)
    }

    /// The same with the instructions of a given shuffler.
    pub fn with(shuffler: Shuffler, walk: Walk, shape: &Shape, limit: u32) -> Self {
        Self(Route::new(walk, shape, limit, |layout, walk| {
            let vectors = Vectors::new(shuffler, &layout, &walk);
            Chain::new(vectors, layout, walk, limit)
        }))
    }
}

impl Labeller for VectorSwaps {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.0.label(view)
    }
}

/// Exchanges in whole vectors. Ranks and numbers are no codes of points, so they need not be left out.
#[derive(Clone, Debug)]
struct Vectors {
    shuffler: Shuffler,
    swaps: Swaps,
    at_hand: Vec<Chunk>,
    least: Vec<Chunk>,
}

impl Vectors {
    fn new(shuffler: Shuffler, layout: &Layout, walk: &Walk) -> Self {
        let form = vec![Chunk::ZERO; layout.chunks()];
        Self {
            shuffler,
            swaps: layout.swaps(walk),
            at_hand: form.clone(),
            least: form,
        }
    }
}

impl Exchange for Vectors {
    fn start(&mut self, form: &[u8]) {
        Chunk::fill(&mut self.at_hand, form);
        self.least.copy_from_slice(&self.at_hand);
    }

    fn exchange(&mut self, positions: (usize, usize), (a, b): (u8, u8)) {
        self.shuffler.exchange(&mut self.at_hand, a, b);
        for &(one, other) in self.swaps.of(positions) {
            swap_bytes(&mut self.at_hand, one, other);
        }
    }

    fn keep_if_least(&mut self) -> bool {
        let is_least = self.at_hand < self.least;
        if is_least {
            self.least.copy_from_slice(&self.at_hand);
        }
        is_least
    }
}
