//! `shuffle`: the least image over all elements of the group, one byte shuffle for each of them.
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
//!
//! Of a group that has not all permutations of its points, every element is a product of one choice for each level of a
//! stabiliser chain ([`mandala_canon::walk`]). The choices of the first levels, made last, belong to the inner permutations.

use super::bytes::{Layout, MOST_POINTS, Route, swap_bytes};
use mandala_canon::plain_changes::{PlainChanges, Segment};
use mandala_canon::walk::{Walk, Wheel, reset, turn};
use mandala_canon::{Effort, Exactness, Labeller, Labelling, Labels, Point, Shape, View};
use mandala_encoding::shuffle::{Chunk, Repertoire, Shuffler};
use std::ops::Range;

/// The most inner permutations.
const MOST_INNER: usize = 120;
/// The most chunks that their places take, so that they stay in the fastest cache.
const MOST_CHUNKS: usize = 256;
/// The most inner permutations that are products of choices along a stabiliser chain. An outer one takes many exchanges
/// there, so that a table in the second fastest cache is the lesser evil.
const MOST_TURNS: usize = 1024;
/// The most chunks that their places take.
const MOST_TURNED_CHUNKS: usize = 4096;

/// Tries all elements of a group, one byte shuffle each.
#[derive(Clone, Debug)]
pub struct Shuffle(Route<Cosets>);

impl Shuffle {
    /// A labeller that gives up, with the best so far, after `limit` permutations of one state.
    pub fn new(walk: Walk, shape: &Shape, limit: u32) -> Self {
        Self::with(Shuffler::new(), walk, shape, limit)
    }

    /// The same with the instructions of a given shuffler.
    pub fn with(shuffler: Shuffler, walk: Walk, shape: &Shape, limit: u32) -> Self {
        Self(Route::new(walk, shape, limit, |layout, walk| {
            Cosets::new(shuffler, layout, &walk, limit)
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
    /// The choices that the inner permutations do not make.
    wheels: Vec<Wheel>,
    places: Vec<usize>,
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
    fn new(layout: &Layout, mut walk: Walk) -> Self {
        let mut labels = Labels::identity(layout.points());
        let mut inner = Self {
            labels: vec![labels.clone()],
            rearrangements: Repertoire::new(&layout.rearrangement(&labels)),
        };
        while walk.advance(|a, b| labels.swap_positions(a, b)) {
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

/// Takes as many wheels, from the first on, and as many positions of each segment for the inner permutations as there may be
/// permutations. Gives the number of the wheels.
fn choose_inner(layout: &Layout, walk: &Walk) -> (usize, Vec<Segment>) {
    let most = MOST_TURNS.min(MOST_TURNED_CHUNKS / layout.chunks());
    let mut permutations = 1;
    let fits = |wheel: &&Wheel| {
        let more = permutations * (wheel.turns.len() + 1);
        let fits = more <= most;
        permutations = if fits { more } else { permutations };
        fits
    };
    let wheels = walk.wheels().iter().take_while(fits).count();
    let most = MOST_INNER.min(MOST_CHUNKS / layout.chunks());
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
    let segments = walk.segments().iter().cloned().map(segment);
    (wheels, segments.collect())
}

impl Cosets {
    fn new(shuffler: Shuffler, layout: Layout, walk: &Walk, limit: u32) -> Self {
        let (inside, segments) = choose_inner(&layout, walk);
        let (inside, wheels) = walk.wheels().split_at(inside);
        let permuted = segments.iter().map(permuted_positions).collect();
        let inner = Walk::new(permuted, inside.to_vec());
        let block = vec![Chunk::ZERO; layout.chunks()];
        let labels = Labels::identity(layout.points());
        Self {
            limit: limit.max(1) as usize,
            shuffler,
            inner: Inner::new(&layout, inner),
            segments,
            places: vec![0; wheels.len()],
            wheels: wheels.to_vec(),
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
        reset(&mut self.places);
    }

    /// Tries so many of the inner permutations, each after the outer one at hand.
    fn try_inner(&mut self, permutations: usize) {
        let by = &self.inner.rearrangements;
        let found = self
            .shuffler
            .keep_least(by, permutations, &self.image, &mut self.least);
        if let Some(number) = found {
            let mut points = [0; MOST_POINTS];
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
            return self.turn_wheels();
        };
        // Neighbours in the inverse are points with neighbouring numbers, wherever they stand.
        let positions = self.outer.positions();
        let (a, b) = (positions[one], positions[other]);
        self.exchange(usize::from(a), usize::from(b));
        true
    }

    fn turn_wheels(&mut self) -> bool {
        let mut exchanges = Vec::new();
        let turned = turn(&self.wheels, &mut self.places, |a, b| {
            exchanges.push((a, b));
        });
        exchanges.iter().for_each(|&(a, b)| self.exchange(a, b));
        turned
    }

    /// Exchanges what stands at two positions.
    fn exchange(&mut self, a: usize, b: usize) {
        self.outer.swap_positions(a, b);
        let codes = (self.layout.code(a as Point), self.layout.code(b as Point));
        self.shuffler.exchange(&mut self.image, codes.0, codes.1);
        self.layout.for_each_swap((a, b), |one, other| {
            swap_bytes(&mut self.image, one, other);
        });
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
