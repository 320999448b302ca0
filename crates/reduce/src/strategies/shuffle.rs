//! `shuffle`: the least image over all permutations, one byte shuffle for each of them.
//!
//! The image of a state under a permutation is not made by a chain of exchanges but at once: one instruction gives
//! the bytes of a vector their new places, another gives ids their new values, and a comparison stops at the first
//! byte that is too large ([`mandala_encoding::shuffle`]).
//!
//! No table of n! permutations is stored. The group is walked through as products of an *outer* and an *inner*
//! permutation. The inner ones, at most 120, permute the first few positions of the domains; they are a table that is
//! made once. The outer ones put points into order at those positions, one for each coset, and each comes from the
//! one before by an exchange of two points, applied to the state at hand. So the loop over the table does
//! nearly all the work, and for groups of up to 120 elements it is all there is.

use super::bytes::{Layout, Route, swap_bytes};
use mandala_canon::plain_changes::{PlainChanges, Segment};
use mandala_canon::{Effort, Exactness, Labeller, Labelling, Labels, Shape, View};
use mandala_encoding::shuffle::{Chunk, Repertoire, Shuffler};
use std::ops::Range;

/// The most inner permutations.
const MOST_INNER: usize = 120;
/// The most chunks that their places take, so that they stay in the fastest cache.
const MOST_CHUNKS: usize = 256;

/// Tries all permutations, one byte shuffle each.
#[derive(Clone, Debug)]
pub struct Shuffle(Route<Cosets>);

impl Shuffle {
    /// A labeller that gives up, with the best so far, after `limit` permutations of one state.
    pub fn new(shape: &Shape, limit: u32) -> Self {
        Self::with(Shuffler::new(), shape, limit)
    }

    /// The same with the instructions of a given shuffler.
    pub fn with(shuffler: Shuffler, shape: &Shape, limit: u32) -> Self {
        Self(Route::new(shape, limit, |layout| {
            Cosets::new(shuffler, layout, limit)
        }))
    }
}

impl Labeller for Shuffle {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.0.label(view)
    }
}

#[derive(Clone, Debug)]
struct Cosets {
    layout: Layout,
    limit: usize,
    shuffler: Shuffler,
    inner: Inner,
    /// How many positions of each domain the inner permutations permute.
    segments: Vec<Segment>,
    /// Walks through the inverses of the outer permutations.
    chain: PlainChanges,
    form: Vec<u8>,
    /// The outer permutation at hand, and the image of the state under it.
    outer: Labels,
    image: Vec<Chunk>,
    least: Vec<Chunk>,
    best: Labels,
}

/// The inner permutations.
#[derive(Clone, Debug)]
struct Inner {
    labels: Vec<Labels>,
    rearrangements: Repertoire,
}

impl Inner {
    fn new(layout: &Layout, segments: &[Segment]) -> Self {
        let mut labels = Labels::identity(layout.points());
        let mut inner = Self {
            labels: vec![labels.clone()],
            rearrangements: Repertoire::new(&layout.rearrangement(&labels)),
        };
        let mut chain = PlainChanges::default();
        chain.restart(segments.iter().map(permuted_positions));
        while let Some((a, b)) = chain.next_exchange() {
            labels.swap_positions(a, b);
            inner.rearrangements.push(&layout.rearrangement(&labels));
            inner.labels.push(labels.clone());
        }
        inner
    }
}

fn permuted_positions(segment: &Segment) -> Range<usize> {
    let start = segment.positions.start;
    start..start + segment.in_order
}

/// Takes as many positions of each domain for the inner permutations as there may be permutations.
fn choose_segments(layout: &Layout) -> Vec<Segment> {
    let most = MOST_INNER.min(MOST_CHUNKS / layout.chunks());
    let mut permutations = 1;
    let segment = |positions: Range<usize>| {
        let mut in_order = positions.len().min(1);
        while in_order < positions.len() && permutations * (in_order + 1) <= most {
            in_order += 1;
            permutations *= in_order;
        }
        Segment {
            positions,
            in_order,
        }
    };
    layout.domains().map(segment).collect()
}

impl Cosets {
    fn new(shuffler: Shuffler, layout: Layout, limit: u32) -> Self {
        let segments = choose_segments(&layout);
        let block = vec![Chunk::ZERO; layout.chunks()];
        let labels = Labels::identity(layout.points());
        Self {
            limit: limit.max(1) as usize,
            shuffler,
            inner: Inner::new(&layout, &segments),
            segments,
            chain: PlainChanges::default(),
            form: vec![0; layout.bytes()],
            outer: labels.clone(),
            image: block.clone(),
            least: block,
            best: labels,
            layout,
        }
    }

    fn start(&mut self, view: &View) {
        self.layout.write(view, &mut self.form);
        Chunk::fill(&mut self.image, &self.form);
        self.least.copy_from_slice(&self.image);
        self.outer.reset();
        self.best.reset();
        self.chain.restart_partly(self.segments.iter().cloned());
    }

    /// Tries so many of the inner permutations, each after the outer one at hand.
    fn try_inner(&mut self, permutations: usize) {
        let by = &self.inner.rearrangements;
        let found = self
            .shuffler
            .keep_least(by, permutations, &self.image, &mut self.least);
        if let Some(number) = found {
            let mut points = [0; 256];
            let between = self.inner.labels[number].points();
            for (point, &between) in points.iter_mut().zip(between) {
                *point = self.outer.points()[usize::from(between)];
            }
            self.best.set_points(&points);
        }
    }

    /// Goes to the next outer permutation, if there is one.
    fn next_outer(&mut self) -> bool {
        let Some((one, other)) = self.chain.next_exchange() else {
            return false;
        };
        // Neighbours in the inverse are points with neighbouring numbers, wherever they stand.
        let positions = self.outer.positions();
        let (a, b) = (positions[one], positions[other]);
        let pair = (usize::from(a), usize::from(b));
        self.outer.swap_positions(pair.0, pair.1);
        let (code_a, code_b) = (self.layout.code(a), self.layout.code(b));
        self.shuffler.exchange(&mut self.image, code_a, code_b);
        self.layout
            .for_each_swap(pair, |one, other| swap_bytes(&mut self.image, one, other));
        true
    }
}

impl Labeller for Cosets {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.start(view);
        let inner = self.inner.labels.len();
        let mut tried = 0;
        let exactness = loop {
            let batch = inner.min(self.limit - tried);
            self.try_inner(batch);
            tried += batch;
            if batch < inner {
                break Exactness::Heuristic;
            }
            if !self.next_outer() {
                break Exactness::Exact;
            }
            if tried == self.limit {
                break Exactness::Heuristic;
            }
        };
        Labelling::new(&self.best, exactness, Effort::of_permutations(tried as u32))
    }
}
