//! `enumerate-swaps`: all permutations along a chain of exchanges of two names, each applied to the whole state.
//!
//! The way of SymmSpin (Bosnacki, Dams, Holenderski 2002): each permutation comes from the one before by exchanging two
//! neighbouring names, so the state at hand is changed in place, by a guarded assignment for each cell that holds
//! an id and by exchanging the cells of the two processes. In a group that has not all permutations, a step from one element to
//! the next may take several exchanges.

use super::bytes::{Layout, Route, Swaps};
use mandala_canon::walk::Walk;
use mandala_canon::{Effort, Exactness, Labeller, Labelling, Labels, Point, Shape, View};
use std::ops::Range;

/// Tries all elements of a group along a chain of exchanges, one cell after the other.
#[derive(Clone, Debug)]
pub struct EnumerateSwaps(Route<Chain<Scalar>>);

impl EnumerateSwaps {
    /// A labeller that gives up, with the best so far, after `limit` permutations of one state.
    pub fn new(walk: Walk, shape: &Shape, limit: u32) -> Self {
        Self(Route::new(walk, shape, limit, |layout, walk| {
            Chain::new(Scalar::new(&layout, &walk), layout, walk, limit)
        }))
    }
}

impl Labeller for EnumerateSwaps {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.0.label(view)
    }
}

/// The state at hand and the least so far, and how two names are exchanged in the former.
pub(super) trait Exchange: Send {
    /// Takes over the form of a state, as the one at hand and as the least.
    fn start(&mut self, form: &[u8]);
    /// Exchanges the names at two positions, with these codes.
    fn exchange(&mut self, positions: (usize, usize), codes: (u8, u8));
    /// Keeps the state at hand if it is the least so far, and returns whether it is.
    fn keep_if_least(&mut self) -> bool;
}

/// Walks through a group by exchanges of two names.
#[derive(Clone, Debug)]
pub(super) struct Chain<E> {
    layout: Layout,
    limit: u32,
    form: Vec<u8>,
    states: E,
    walk: Walk,
    at_hand: Labels,
    best: Labels,
}

impl<E> Chain<E> {
    pub fn new(states: E, layout: Layout, walk: Walk, limit: u32) -> Self {
        Self {
            limit,
            form: vec![0; layout.bytes()],
            states,
            walk,
            at_hand: Labels::identity(layout.points()),
            best: Labels::identity(layout.points()),
            layout,
        }
    }
}

impl<E: Exchange> Chain<E> {
    fn start(&mut self, view: &View) {
        self.layout.write(view, &mut self.form);
        self.states.start(&self.form);
        self.at_hand.reset();
        self.best.reset();
        self.walk.restart();
    }
}

impl<E: Exchange> Labeller for Chain<E> {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.start(view);
        let mut tried = 1;
        let mut exactness = Exactness::Exact;
        while self.walk.advance(|a, b| {
            self.at_hand.swap_positions(a, b);
            let codes = (self.layout.code(a as Point), self.layout.code(b as Point));
            self.states.exchange((a, b), codes);
        }) {
            if tried >= self.limit {
                exactness = Exactness::Heuristic;
                break;
            }
            tried += 1;
            if self.states.keep_if_least() {
                self.best.copy_from(&self.at_hand);
            }
        }
        Labelling::new(&self.best, exactness, Effort::of_permutations(tried))
    }
}

/// Exchanges cell by cell.
#[derive(Clone, Debug)]
struct Scalar {
    ids: Vec<Range<usize>>,
    swaps: Swaps,
    at_hand: Vec<u8>,
    least: Vec<u8>,
}

impl Scalar {
    fn new(layout: &Layout, walk: &Walk) -> Self {
        let form = vec![0; layout.bytes()];
        Self {
            ids: layout.ids(),
            swaps: layout.swaps(walk),
            at_hand: form.clone(),
            least: form,
        }
    }
}

impl Exchange for Scalar {
    fn start(&mut self, form: &[u8]) {
        self.at_hand.copy_from_slice(form);
        self.least.copy_from_slice(form);
    }

    fn exchange(&mut self, positions: (usize, usize), (a, b): (u8, u8)) {
        for range in &self.ids {
            for cell in &mut self.at_hand[range.clone()] {
                // Assigned in any case: a branch for each would be mispredicted, at twice the cost.
                let unless_a = if *cell == b { a } else { *cell };
                *cell = if *cell == a { b } else { unless_a };
            }
        }
        for &(one, other) in self.swaps.of(positions) {
            self.at_hand.swap(one, other);
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
