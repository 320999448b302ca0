//! Individualisation and refinement: the search for the least labelling of one state.
//!
//! # Algorithm
//!
//! If refinement leaves points with equal colours, take such a cell, give one of its points a colour of
//! its own, refine, and so on: a tree whose leaves are labellings (McKay 1981; McKay and Piperno 2014).
//! Which points are tried does not depend on their names, so the leaves of two equivalent states are the
//! same up to renaming, and the least leaf is a canonical form. Least means: by the traces of
//! refinement along the path, then by the references and relations of the image. Rows and shared
//! references are the same in all leaves.
//!
//! The tree is walked depth first, and most of it is not walked at all:
//!
//! - *Traces.* A node whose trace is larger than that of the best leaf at its depth is left.
//! - *Twins.* A cell of [twins](crate::twins) is never branched on; in other cells one of several twins is tried.
//! - *Automorphisms.* A leaf with the same image as the best one gives an automorphism, and so does a right
//!   [guess](crate::guess) at an inner node. At each node, one point of each orbit of the known automorphisms that
//!   fix the way to the node is tried.
//! - *Back-jumping.* Such a leaf or node also shows that the whole subtree it lies in, from where its path left that
//!   of the best leaf, is an image of one that is done: the search goes back to that node at once.
//!
//! Nothing of this relies on signatures: twins, automorphisms and leaves are compared on the state itself.
//!
//! The cell to branch on is the first of the smallest open ones, which bounds the number of branches. The largest
//! or simply the first open cell gave the same trees on all pointer states that were measured.
//!
//! # Rejected
//!
//! The least image in the order of the state (Linton 2004; Jefferson, Jonauskyte, Pfeiffer and Waldecker 2019): any
//! canonical form will do, and insisting on the least one forbids most of the choices that make the search short.
//! A stabiliser chain of the automorphisms found: more pruning in theory, but states have few generators and
//! shallow trees, and asking a generator whether it fixes the way here is a handful of instructions. Keeping the first
//! leaf beside the best one (nauty): finds some automorphisms earlier, but only if the best leaf changes.
//!
//! # Cost
//!
//! Nanoseconds per state, leaves and nodes on average, from the example `speed`; two reference cells a point:
//!
//! | states | ns | leaves | nodes | without automorphisms |
//! |---|---|---|---|---|
//! | 8 random pointers | 200 | 0 | 0 | 0 leaves |
//! | 20 random pointers | 590 | 0 | 0 | 0 leaves |
//! | 20, nine cells of ten empty | 870 | 0.9 | 1.3 | 2.3 leaves, 1390 ns |
//! | 20 in random cycles | 5200 | 4.1 | 10.9 | a few over 5000 leaves |
//! | 20 in one ring | 2800 | 2.7 | 2.7 | 20 leaves, 20 us |
//! | 8 in pairs | 1200 | 2 | 7 | 192 leaves, 46 us |
//! | 20 in pairs | 6500 | 2 | 19 | all over 5000 leaves |

use crate::automorphisms::{Automorphisms, Orbits};
use crate::guess::Guess;
use crate::image::Image;
use crate::labelling::Labels;
use crate::partition::Partition;
use crate::refine::{Refiner, State};
use crate::shape::{Point, Shape};
use crate::twins::{Pair, all_twins};
use std::cmp::Ordering;

/// How much work a state may take before any labelling is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Nodes of the search tree.
    pub nodes: u32,
    /// Leaves of the search tree.
    pub leaves: u32,
}

impl Budget {
    /// No limit: always exact, however long it takes.
    pub const UNLIMITED: Self = Self {
        nodes: u32::MAX,
        leaves: u32::MAX,
    };
}

impl Default for Budget {
    /// Enough for every state that is not built to defeat refinement; about 10 ms at 20 points.
    fn default() -> Self {
        Self {
            nodes: 20_000,
            leaves: 5_000,
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Complete,
    OverBudget,
}

/// The search tree of one state, with room for the deepest one so far.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    budget: Budget,
    size: usize,
    frames: Vec<Frame>,
    /// The points individualised on the way to the node at hand.
    path: Vec<Point>,
    /// The traces on the way to the node at hand.
    traces: Vec<u64>,
    best: Leaf,
    leaf: Labels,
    automorphisms: Automorphisms,
    guess: Guess,
    pub nodes: u32,
    pub leaves: u32,
}

/// An inner node on the way to the one at hand.
#[derive(Clone, Debug)]
struct Frame {
    partition: Partition,
    /// The first position of the cell that is branched on.
    cell: Point,
    /// How many points of the cell have been considered.
    considered: usize,
    /// Those of them that have been tried: the first ones of the list.
    tried: Vec<Point>,
    tried_count: usize,
    /// Orbits of the automorphisms that fix the way here.
    orbits: Orbits,
}

/// The best leaf so far and the way to it.
#[derive(Clone, Debug)]
struct Leaf {
    labels: Labels,
    path: Vec<Point>,
    traces: Vec<u64>,
}

/// How the node at hand compares with the best leaf, as far as traces tell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// The traces are equal so far.
    Level,
    /// Every leaf below is better, or there is none yet.
    Ahead,
}

impl Search {
    pub(crate) fn new(shape: &Shape, budget: Budget) -> Self {
        let size = shape.points();
        Self {
            budget,
            size,
            frames: Vec::new(),
            // Each step individualises one point, and the last one needs no step.
            path: vec![0; size],
            traces: vec![0; size],
            best: Leaf::new(size),
            leaf: Labels::identity(size),
            automorphisms: Automorphisms::new(size),
            guess: Guess::new(size),
            nodes: 0,
            leaves: 0,
        }
    }

    /// The labels of the best leaf.
    pub(crate) fn best(&self) -> &Labels {
        &self.best.labels
    }

    /// Takes a partition as it is: what it does not tell apart may come in any order.
    pub(crate) fn settle(&mut self, partition: &Partition) {
        (self.nodes, self.leaves) = (0, 0);
        self.best.labels.set_points(&partition.points);
    }

    /// Searches below a refined partition for the least labelling.
    pub(crate) fn run(
        &mut self,
        state: State,
        refiner: &mut Refiner,
        root: &mut Partition,
    ) -> Ending {
        let Some(cell) = cell_to_branch_on(state, refiner, root) else {
            self.settle(root);
            return Ending::Complete;
        };
        (self.nodes, self.leaves) = (0, 0);
        self.automorphisms.clear();
        self.open(0, root, cell);
        self.walk(state, refiner, root)
    }

    /// Opens the node at a depth, which is not behind those that have been open.
    fn open(&mut self, depth: usize, node: &Partition, cell: Point) {
        if depth == self.frames.len() {
            self.frames.push(Frame::new(self.size));
        }
        self.frames[depth].open(node, cell);
    }

    fn walk(&mut self, state: State, refiner: &mut Refiner, node: &mut Partition) -> Ending {
        let mut depth = 0;
        let mut standing = Standing::Ahead;
        loop {
            let Some(point) = self.next_point(state, refiner, depth) else {
                if depth == 0 {
                    return Ending::Complete;
                }
                depth -= 1;
                continue;
            };
            if self.is_over_budget() {
                return Ending::OverBudget;
            }
            self.nodes += 1;
            node.copy_from(&self.frames[depth].partition);
            self.path[depth] = point;
            let trace = refiner.refine_from(state, node, point);
            let cell = cell_to_branch_on(state, refiner, node);
            // Leaves come before inner nodes, so equal traces have equal kinds.
            self.traces[depth] = trace << 1 | u64::from(cell.is_some());
            match self.compare_trace(depth, standing) {
                Ordering::Greater => continue,
                Ordering::Less => standing = Standing::Ahead,
                Ordering::Equal => {}
            }
            (depth, standing) = match cell {
                None => self.visit_leaf(state, node, depth, standing),
                Some(cell) => self.enter(state, refiner, node, cell, depth, standing),
            };
        }
    }

    /// Goes on below an inner node, or back if it turns out to be an image of one that is done.
    fn enter(
        &mut self,
        state: State,
        refiner: &Refiner,
        node: &Partition,
        cell: Point,
        depth: usize,
        standing: Standing,
    ) -> (usize, Standing) {
        if standing == Standing::Level && self.guess_is_right(state, refiner, node) {
            self.automorphisms.add(self.guess.images(self.size));
            return (self.parting(depth), standing);
        }
        self.open(depth + 1, node, cell);
        (depth + 1, standing)
    }

    /// Whether the node is an image of one on the way to the best leaf, by the first guess.
    fn guess_is_right(&mut self, state: State, refiner: &Refiner, node: &Partition) -> bool {
        self.guess.make(&self.best.labels, node);
        self.guess.is_right(state, refiner.incoming())
    }

    /// A first leaf is reached in any case.
    fn is_over_budget(&self) -> bool {
        let spent = self.nodes >= self.budget.nodes || self.leaves >= self.budget.leaves;
        spent && self.leaves > 0
    }

    fn compare_trace(&self, depth: usize, standing: Standing) -> Ordering {
        match standing {
            Standing::Ahead => Ordering::Equal,
            Standing::Level => self.traces[depth].cmp(&self.best.traces[depth]),
        }
    }

    /// The next point to try at a node: not equivalent to one that has been tried.
    fn next_point(&mut self, state: State, refiner: &Refiner, depth: usize) -> Option<Point> {
        let frame = &mut self.frames[depth];
        loop {
            let cell = frame.partition.cell(frame.cell);
            let &point = cell.get(frame.considered)?;
            frame.considered += 1;
            if frame.tried_count > 0 {
                let path = &self.path[..depth];
                self.automorphisms.tell(&mut frame.orbits, path);
                if frame.has_tried_like(state, refiner, point) {
                    continue;
                }
            }
            frame.tried[frame.tried_count] = point;
            frame.tried_count += 1;
            return Some(point);
        }
    }

    /// Compares a leaf with the best one; returns where the search goes on, and how it stands there.
    fn visit_leaf(
        &mut self,
        state: State,
        node: &Partition,
        depth: usize,
        standing: Standing,
    ) -> (usize, Standing) {
        self.leaves += 1;
        self.leaf.set_points(&node.points);
        let mut next = depth;
        match self.compare_leaf(state, standing) {
            Ordering::Greater => {}
            Ordering::Less => self.keep_leaf(depth),
            Ordering::Equal => {
                let (from, to) = (self.best.labels.points(), self.leaf.points());
                self.automorphisms.add_between(from, to);
                next = self.parting(depth);
            }
        }
        (next, Standing::Level)
    }

    fn compare_leaf(&self, state: State, standing: Standing) -> Ordering {
        if standing == Standing::Ahead {
            return Ordering::Less;
        }
        let mine = Image::new(state.shape, state.view, &self.leaf);
        let best = Image::new(state.shape, state.view, &self.best.labels);
        mine.compare_links(&best)
    }

    /// The depth at which the path at hand left that of the best leaf.
    fn parting(&self, depth: usize) -> usize {
        let both = self.path[..=depth].iter().zip(&self.best.path);
        let common = both.take_while(|(mine, best)| mine == best);
        common.count().min(depth)
    }

    fn keep_leaf(&mut self, depth: usize) {
        self.best.labels.copy_from(&self.leaf);
        self.best.path[..=depth].copy_from_slice(&self.path[..=depth]);
        self.best.traces[..=depth].copy_from_slice(&self.traces[..=depth]);
    }
}

/// The first of the smallest open cells that are not all twins; none in a leaf.
fn cell_to_branch_on(state: State, refiner: &Refiner, partition: &Partition) -> Option<Point> {
    if partition.is_discrete() {
        return None;
    }
    let mut smallest = None;
    let mut least = usize::MAX;
    for start in partition.open_cells() {
        let cell = partition.cell(start);
        if cell.len() < least && !all_twins(state, refiner.incoming(), cell) {
            smallest = Some(start);
            least = cell.len();
        }
    }
    smallest
}

impl Frame {
    fn new(size: usize) -> Self {
        Self {
            partition: Partition::discrete(size),
            cell: 0,
            considered: 0,
            tried: vec![0; size],
            tried_count: 0,
            orbits: Orbits::new(size),
        }
    }

    fn open(&mut self, partition: &Partition, cell: Point) {
        self.partition.copy_from(partition);
        self.cell = cell;
        self.considered = 0;
        self.tried_count = 0;
        self.orbits.reset();
    }

    /// Whether a point that was tried is known to be equivalent to this one.
    fn has_tried_like(&mut self, state: State, refiner: &Refiner, point: Point) -> bool {
        let orbit = self.orbits.find(point);
        let tried = &self.tried[..self.tried_count];
        tried.iter().any(|&a| self.orbits.find(a) == orbit)
            || tried
                .iter()
                .any(|&a| Pair { a, b: point }.are_twins(state, refiner.incoming()))
    }
}

impl Leaf {
    fn new(size: usize) -> Self {
        Self {
            labels: Labels::identity(size),
            path: vec![0; size],
            traces: vec![0; size],
        }
    }
}
