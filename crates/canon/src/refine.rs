//! Colour refinement on the references and relations of one state.
//!
//! # Algorithm
//!
//! Points with equal colours are told apart by what they see: the colours of their targets, cell by
//! cell; how often each colour refers to them, through which cell; for each relation, which values they
//! have with which colours, as row and as column. Repeat until nothing is told apart any more, or
//! everything is. The result is the coarsest *equitable* partition finer than the first one, and depends
//! on nothing but the state up to renaming (Weisfeiler and Leman 1968; McKay 1981).
//!
//! What a point sees is summed up in a 64-bit [signature](crate::mixing). The first rounds go over all
//! references, each in both directions, as long as most points get new colours; two such rounds
//! tell all points apart in most states. Later rounds only add up what has changed: each point with a new
//! colour contributes to those it refers to and to those that refer to it. Of the parts of a split cell
//! the largest contributes nothing; what it would add is known from the other parts (Hopcroft 1971). So
//! a round costs as much as there are references at the points that changed, and individualising
//! one point costs what it brings about.
//!
//! A cell is split by sorting its signatures, each with the point in its low bits: plain integers, no
//! look-ups in the comparison, [no branches](crate::networks). Only touched cells are sorted.
//!
//! The rounds also add up a *trace* of all signatures met, in an order-free way. Two nodes of the
//! search tree with different traces are not equivalent; the search compares traces first.
//!
//! # Rejected
//!
//! Signatures as lists compared lexicographically: exact, but exactness is not needed here, and lists have no fixed
//! size. Following changes from the start: on states without symmetry, where nearly everything changes in the
//! first rounds, 360 ns instead of 200 at 8 points and 1250 instead of 690 at 20 (with the branches that went at the same
//! time). Looking at everything in all rounds: a chain of n pointers takes n/2 rounds. A queue of
//! cells instead of rounds (nauty): the result then depends on the order of the queue, which has to be
//! kept canonical with care; rounds make the order of the work irrelevant.

use crate::incoming::Incoming;
use crate::mixing::{ITSELF, Weight, number_of, scatter, stir};
use crate::networks;
use crate::partition::Partition;
use crate::relations::Lens;
use crate::shape::{Block, Entry, Point, Shape, codes};
use crate::view::View;
use crate::worklist::{Cells, Points};

/// Key bits that hold the point.
const POINT: u32 = Point::BITS;

/// A state with the shape that it has.
#[derive(Clone, Copy)]
pub(crate) struct State<'a> {
    pub shape: &'a Shape,
    pub view: &'a View<'a>,
}

/// Scratch space and tables for refinement.
#[derive(Clone, Debug)]
pub(crate) struct Refiner {
    weights: Vec<Weight>,
    incoming: Incoming,
    sights: Sights,
    /// Signatures of one cell with their points, while it is split.
    keys: Vec<u64>,
    /// Points with a new colour, to be followed in the next round.
    changed: Points,
    /// Points with a new colour, followed in this round.
    followed: Points,
}

/// What has been seen in this round.
#[derive(Clone, Debug)]
struct Sights {
    /// By each point; zero between rounds for all points in open cells.
    signatures: Vec<u64>,
    /// The open cells of the points that saw something.
    touched: Cells,
    /// By all points, in this round and earlier ones.
    trace: u64,
    /// The bits of signatures that count: all, but for tests of what happens if they tell little.
    clear_bits: u64,
}

impl Refiner {
    pub(crate) fn new(shape: &Shape) -> Self {
        let widest = shape.widest_references();
        Self {
            weights: (0..widest).map(Weight::of_cell).collect(),
            incoming: Incoming::new(shape),
            sights: Sights::new(shape.points()),
            keys: vec![0; shape.points().max(networks::WIDEST)],
            changed: Points::new(shape.points()),
            followed: Points::new(shape.points()),
        }
    }

    /// Who refers to whom in the state refined last.
    pub(crate) fn incoming(&self) -> &Incoming {
        &self.incoming
    }

    /// Refines the first partition of a state.
    pub(crate) fn refine_all(&mut self, state: State, partition: &mut Partition) {
        // While most points get new colours, looking at all of them is faster than following each.
        let mut all = true;
        while all && !partition.is_discrete() {
            self.look_at_everything(state, partition);
            self.changed.clear();
            self.split_all(partition);
            all = 2 * self.changed.as_slice().len() >= partition.size();
        }
        if !partition.is_discrete() {
            self.incoming.collect(state.view.references);
            self.follow_changes(state, partition);
        }
    }

    /// Individualises a point, refines, and returns the trace of it.
    pub(crate) fn refine_from(
        &mut self,
        state: State,
        partition: &mut Partition,
        point: Point,
    ) -> u64 {
        partition.individualise(point);
        self.sights.trace = 0;
        self.changed.clear();
        self.changed.push(point);
        self.follow_changes(state, partition);
        let trace = self.sights.trace & self.sights.clear_bits;
        scatter(trace ^ partition.cells as u64)
    }

    /// Makes signatures tell less than they could.
    #[cfg(test)]
    pub(crate) fn blur(&mut self, clear_bits: u64) {
        self.sights.clear_bits = clear_bits;
    }

    fn split_all(&mut self, partition: &mut Partition) {
        let mut position = 0;
        while position < partition.size() {
            let length = partition.lengths[position];
            if length > 1 {
                self.split(partition, position);
            }
            position += usize::from(length);
        }
    }

    fn look_at_everything(&mut self, state: State, partition: &Partition) {
        self.sights.signatures[..partition.size()].fill(0);
        for block in state.shape.blocks() {
            self.look_at_references(block, state.view.references, partition);
        }
        for lens in Lens::all(state, partition) {
            lens.show_diagonal(|point, sight| self.sights.add(point, sight));
            lens.show_all(|point, sight| self.sights.add(point, sight));
        }
    }

    fn look_at_references(&mut self, block: &Block, references: &[Point], partition: &Partition) {
        // Slices, so that where they are need not be looked up again after every write.
        let colours = &partition.colours[..];
        let (signatures, weights) = (&mut self.sights.signatures[..], &self.weights[..]);
        for point in block.points() {
            let own = number_of(colours[point].into());
            let mut seen = 0u64;
            let targets = &references[block.references_of(point)];
            for (&target, weight) in targets.iter().zip(weights) {
                let target_at = usize::from(target);
                let colour = number_of(colours[target_at].into());
                let itself = if target_at == point { ITSELF } else { 0 };
                seen = seen.wrapping_add(weight.out.wrapping_mul(colour ^ itself));
                add(signatures, target_at, weight.into.wrapping_mul(own));
            }
            add(signatures, point, seen);
        }
    }

    /// Rounds until nothing changes or all points are told apart.
    fn follow_changes(&mut self, state: State, partition: &mut Partition) {
        while !self.changed.is_empty() && !partition.is_discrete() {
            self.sights.begin_round();
            std::mem::swap(&mut self.changed, &mut self.followed);
            self.changed.clear();
            self.follow_references(state, partition);
            for lens in Lens::all(state, partition) {
                self.follow_relation(lens, partition);
            }
            while let Some(start) = self.sights.touched.pop() {
                self.split(partition, usize::from(start));
            }
        }
    }

    fn follow_references(&mut self, state: State, partition: &Partition) {
        if state.shape.reference_cells() == 0 {
            return;
        }
        for &point in self.followed.as_slice() {
            let own = number_of(partition.colours[usize::from(point)].into());
            let targets = &state.view.references[state.shape.references_of(point)];
            for (&target, weight) in targets.iter().zip(&self.weights) {
                let sight = weight.into.wrapping_mul(own);
                self.sights.see(partition, usize::from(target), sight);
            }
            for source in self.incoming.of(point) {
                let sight = self.weights[usize::from(source.cell)].out.wrapping_mul(own);
                self.sights.see(partition, usize::from(source.point), sight);
            }
        }
    }

    fn follow_relation(&mut self, lens: Lens, partition: &Partition) {
        let sights = &mut self.sights;
        let mut see = |point, sight| sights.see(partition, point, sight);
        match lens.matrix.entries {
            Entry::Number => {
                for &point in self.followed.as_slice() {
                    lens.show_numbers_of(usize::from(point), &mut see);
                }
            }
            // An entry shows a colour to two points and two colours to a third: show all of them again.
            Entry::Point => lens.show_all(see),
        }
    }

    /// Splits a cell by the signatures of its points, and sets these to zero.
    fn split(&mut self, partition: &mut Partition, start: usize) {
        let length = usize::from(partition.lengths[start]);
        let (mut different, mut first) = (0, None);
        let clear_bits = self.sights.clear_bits;
        let signatures = &mut self.sights.signatures[..];
        for (&point, key) in partition.points[start..start + length]
            .iter()
            .zip(&mut self.keys)
        {
            let signature = std::mem::take(&mut signatures[usize::from(point)]) & clear_bits;
            *key = signature << POINT | u64::from(point);
            different |= *key ^ *first.get_or_insert(*key);
        }
        if different >> POINT == 0 {
            self.sights.note(start, self.keys[0]);
        } else {
            networks::sort(&mut self.keys, length);
            self.cut(partition, start, length);
        }
    }

    /// Makes the parts of a cell from its sorted keys. Where parts begin is random: no branch depends on it.
    fn cut(&mut self, partition: &mut Partition, start: usize, length: usize) {
        let mut from = 0;
        let mut before = self.keys[0];
        let mut largest = (0, 0);
        let points = &mut partition.points[start..start + length];
        let (colours, lengths) = (&mut partition.colours[..], &mut partition.lengths[start..]);
        let mut cells = 0;
        for ((&key, place), at) in self.keys.iter().zip(&mut *points).zip(0..) {
            let begins = (key ^ before) >> POINT != 0;
            before = key;
            from = if begins { at } else { from };
            cells += usize::from(begins);
            *place = key as Point;
            colours[usize::from(*place)] = (start + from) as Point;
            let size = at + 1 - from;
            lengths[from] = size as Point;
            largest = if size > largest.1 {
                (from, size)
            } else {
                largest
            };
            self.sights.note(start + from, key);
        }
        partition.cells += cells;
        self.changed.extend(&points[..largest.0]);
        self.changed.extend(&points[largest.0 + largest.1..]);
    }
}

impl Sights {
    fn new(points: usize) -> Self {
        Self {
            signatures: vec![0; codes(points)],
            touched: Cells::new(points),
            trace: 0,
            clear_bits: u64::MAX,
        }
    }

    fn begin_round(&mut self) {
        self.trace = stir(self.trace.wrapping_add(1));
    }

    /// A point sees something.
    fn add(&mut self, point: usize, sight: u64) {
        add(&mut self.signatures, point, sight);
    }

    /// A point sees something; if it is alone in its cell, only the trace takes notice.
    fn see(&mut self, partition: &Partition, point: usize, sight: u64) {
        let colour = partition.colours[point];
        if partition.lengths[usize::from(colour)] > 1 {
            self.touched.insert(colour);
            self.add(point, sight);
        } else {
            let seen = sight.wrapping_mul(number_of(colour.into()));
            self.trace = self.trace.wrapping_add(seen);
        }
    }

    /// The trace takes notice of a point that saw something, by its new colour.
    fn note(&mut self, colour: usize, key: u64) {
        let seen = (key >> POINT).wrapping_mul(number_of(colour));
        self.trace = self.trace.wrapping_add(seen);
    }
}

/// Adds to the signature of a point what it sees.
#[inline(always)]
fn add(signatures: &mut [u64], point: usize, sight: u64) {
    let signature = &mut signatures[point];
    *signature = signature.wrapping_add(sight);
}
