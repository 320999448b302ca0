//! The search for generators.
//!
//! # The first path
//!
//! From the equitable partition by colours, a vertex is split off some cell, the partition is refined, and so on
//! until every cell is single. The vertices split off are the *base* b1, b2, ...: an automorphism that fixes all of them
//! is the identity.
//!
//! # Up again
//!
//! At level i, from the last to the first, the question is where automorphisms that fix b1 .. b(i-1) can take bi. Those that
//! fix bi as well are known by then. One image of each of their orbits in the cell of bi is tried; each success is a generator
//! and merges orbits, each failure rules out an orbit. When all are decided, the orbit of bi is complete, and the order of
//! the group at this level is its size times the order one level below. That holds as well for what was generated
//! when the budget ends in the middle of a level.
//!
//! # One question
//!
//! Whether b can go to w: b is split off on the left, w on the right, both are refined, and as long as some
//! vertex is [unsettled](crate::pair), one is split off on the left and possible images for it are tried on the right. Only
//! vertices that differ are ever decided, so what an automorphism need not move costs nothing. A failure
//! goes back to the latest choice that it [can be due to](crate::blame).

use crate::blame::Blame;
use crate::budget::{Budget, Clock};
use crate::graph::Graph;
use crate::images::Fusion;
use crate::orbits::Orbits;
use crate::pair::{Choice, Pair};
use crate::partition::Partition;
use crate::permutation::SparsePermutation;
use crate::refine::{Refiner, Trace};
use crate::{Automorphisms, Statistics};
use mandala_groups::BigUint;

/// A decision on the first path.
struct Level {
    /// The vertex that was split off.
    vertex: u32,
    /// The trail before.
    mark: usize,
}

/// A vertex that was split off on the left, and the images that are left for it on the right.
struct Node {
    cell: u32,
    left_mark: usize,
    right_mark: usize,
    trace: Vec<u64>,
    images: Images,
    /// The image that is being tried.
    taken: u32,
}

enum Images {
    /// This one first.
    Guess(u32),
    /// The guess failed; the others have not been listed.
    BeyondGuess(u32),
    /// These.
    Listed(Vec<u32>),
}

/// What came of one question.
enum Answer {
    Yes(SparsePermutation),
    No,
    OutOfBudget,
}

/// Generators of the automorphism group of a graph, its order and its orbits.
pub fn automorphisms(graph: &Graph, budget: &Budget) -> Automorphisms {
    let mut clock = Clock::start(budget);
    let mut refiner = Refiner::new(graph.vertex_count());
    let mut partition = Partition::new(graph.kinds());
    refiner.refine_all(graph, &mut partition);
    let (levels, complete) = first_path(graph, &mut refiner, &mut partition, &mut clock);
    let mut search = Search::new(graph, refiner, partition, clock);
    search.statistics.depth = levels.len() as u64;
    if complete {
        search.climb(levels);
    }
    search.conclude()
}

/// The stable colouring: the coarsest one that refines the given colours and in which vertices of a colour have
/// the same numbers of edges of each label, in each direction, to each colour. Colours count from 0, and a graph
/// with its vertices numbered differently gets the same colours, moved accordingly.
pub fn refine(graph: &Graph) -> Vec<u32> {
    let mut partition = Partition::new(graph.kinds());
    Refiner::new(graph.vertex_count()).refine_all(graph, &mut partition);
    let mut colours = vec![0; graph.vertex_count()];
    for (colour, cell) in partition.fronts().into_iter().enumerate() {
        for &vertex in partition.cell(cell) {
            colours[vertex as usize] = colour as u32;
        }
    }
    colours
}

/// Splits off vertices until all cells are single. Answers also whether the budget was enough.
fn first_path(
    graph: &Graph,
    refiner: &mut Refiner,
    partition: &mut Partition,
    clock: &mut Clock,
) -> (Vec<Level>, bool) {
    let mut levels = Vec::new();
    while let Some(cell) = partition.open_cell() {
        if !clock.grants() {
            return (levels, false);
        }
        let vertex = partition.first(cell);
        levels.push(Level {
            vertex,
            mark: partition.mark(),
        });
        refiner.individualise(graph, partition, vertex, Trace::Ignored);
    }
    (levels, true)
}

struct Search<'g> {
    graph: &'g Graph,
    refiner: Refiner,
    pair: Pair,
    orbits: Orbits,
    blame: Blame,
    fusion: Fusion,
    clock: Clock,
    generators: Vec<SparsePermutation>,
    base: Vec<u32>,
    /// Sizes of the orbits of the base, level by level.
    factors: Vec<u32>,
    complete: bool,
    /// The identity, but while a permutation is being checked.
    image: Vec<u32>,
    /// Whether traces were equal by accident in the question at hand. Then blame could fall on the wrong cells.
    accident: bool,
    statistics: Statistics,
}

impl<'g> Search<'g> {
    fn new(graph: &'g Graph, refiner: Refiner, leaf: Partition, clock: Clock) -> Self {
        let size = graph.vertex_count();
        Search {
            graph,
            refiner,
            pair: Pair::of(leaf),
            orbits: Orbits::new(size),
            blame: Blame::new(size),
            fusion: Fusion::new(size),
            clock,
            generators: Vec::new(),
            base: Vec::new(),
            factors: Vec::new(),
            complete: false,
            image: (0..size as u32).collect(),
            accident: false,
            statistics: Statistics::default(),
        }
    }

    /// Decides the levels, last one first.
    fn climb(&mut self, levels: Vec<Level>) {
        for level in levels.into_iter().rev() {
            self.rise_to(level.mark);
            let decided = self.decide(&level);
            let size = self.orbits.size_of(level.vertex);
            if size > 1 {
                self.base.push(level.vertex);
                self.factors.push(size);
            }
            if !decided {
                return;
            }
        }
        self.complete = true;
    }

    /// Undoes the splits of a level on both sides, and lets the orbits of cells that become one meet.
    fn rise_to(&mut self, mark: usize) {
        let left = &self.pair.left;
        for split in left.trail()[mark..].iter().rev() {
            self.orbits
                .splice(left.first(split.from), left.first(split.off));
        }
        self.pair.reunite(mark, mark);
    }

    /// Finds the orbit of the vertex of a level. Answers whether the budget was enough.
    fn decide(&mut self, level: &Level) -> bool {
        let others = self.orbits.others(level.vertex);
        if others.is_empty() {
            return true;
        }
        self.orbits.begin_level();
        if !self.clock.grants() {
            return false;
        }
        self.pair.begin_question(level.mark);
        let trace = self.split_left(level.vertex);
        let decided = self.ask_about(others, level, trace);
        self.pair.reunite(level.mark, level.mark);
        decided
    }

    /// Asks for each of these whether the vertex of the level can go there, if that is not known.
    fn ask_about(&mut self, others: Vec<u32>, level: &Level, mut trace: Vec<u64>) -> bool {
        let left_mark = self.pair.left.mark();
        for other in others {
            let same = self.orbits.root(other) == self.orbits.root(level.vertex);
            if same || self.orbits.is_ruled_out(other) {
                continue;
            }
            let mut path = vec![Node {
                cell: self.pair.right.cell_of(other),
                left_mark: level.mark,
                right_mark: level.mark,
                trace,
                images: Images::Listed(vec![other]),
                taken: other,
            }];
            let answer = self.ask(&mut path);
            trace = std::mem::take(&mut path[0].trace);
            self.pair.reunite(left_mark, level.mark);
            match answer {
                Answer::Yes(automorphism) => self.add(automorphism),
                Answer::No => self.orbits.rule_out(other),
                Answer::OutOfBudget => return false,
            }
        }
        true
    }

    fn add(&mut self, automorphism: SparsePermutation) {
        for &(from, to) in automorphism.moved() {
            self.orbits.join(from, to);
        }
        self.generators.push(automorphism);
    }

    /// Looks for an automorphism below the only node of the path, which stays when all others are gone.
    fn ask(&mut self, path: &mut Vec<Node>) -> Answer {
        self.accident = false;
        loop {
            let Some(image) = self.next_image(path) else {
                if !self.retreat(path) {
                    return Answer::No;
                }
                continue;
            };
            if !self.clock.grants() {
                return Answer::OutOfBudget;
            }
            if !self.split_right(path, image) {
                continue;
            }
            if let Some(choice) = self.pair.next_choice() {
                let node = self.open(choice);
                path.push(node);
            } else if let Some(automorphism) = self.checked_mapping() {
                return Answer::Yes(automorphism);
            } else {
                self.give_up_image(path);
            }
        }
    }

    /// The next image to try for the last node.
    fn next_image(&mut self, path: &mut [Node]) -> Option<u32> {
        let (node, above) = path.split_last_mut()?;
        match &mut node.images {
            &mut Images::Guess(guess) => {
                node.images = Images::BeyondGuess(guess);
                Some(guess)
            }
            &mut Images::BeyondGuess(guess) => {
                let mut others = self.other_images(guess, above);
                let next = others.pop();
                node.images = Images::Listed(others);
                next
            }
            Images::Listed(images) => images.pop(),
        }
    }

    fn other_images(&mut self, guess: u32, above: &[Node]) -> Vec<u32> {
        let fixed: Vec<u32> = above.iter().map(|node| node.taken).collect();
        let allowance = self.refiner.arcs_seen();
        let right = &self.pair.right;
        self.fusion
            .others(right, guess, &fixed, &self.generators, allowance)
    }

    fn open(&mut self, choice: Choice) -> Node {
        Node {
            cell: choice.cell,
            left_mark: self.pair.left.mark(),
            right_mark: self.pair.right.mark(),
            trace: self.split_left(choice.vertex),
            images: Images::Guess(choice.guess),
            taken: choice.guess,
        }
    }

    /// Splits off a vertex on the left and refines. Answers the trace.
    fn split_left(&mut self, vertex: u32) -> Vec<u64> {
        let mut trace = Vec::new();
        let recorded = Trace::Recorded(&mut trace);
        self.refiner
            .individualise(self.graph, &mut self.pair.left, vertex, recorded);
        trace
    }

    /// The same for an image on the right. If it does not go as on the left, it is undone.
    fn split_right(&mut self, path: &mut [Node], image: u32) -> bool {
        let Some(node) = path.last_mut() else {
            return false;
        };
        node.taken = image;
        let trace = Trace::Followed {
            events: &node.trace,
            next: 0,
        };
        let right = &mut self.pair.right;
        let alike = self.refiner.individualise(self.graph, right, image, trace);
        if alike {
            self.pair.compare_since(node.left_mark, node.right_mark);
        } else {
            self.statistics.mismatches += 1;
            right.undo_to(node.right_mark);
        }
        alike
    }

    /// The permutation at hand, if it is an automorphism. It is, unless traces were equal by accident.
    fn checked_mapping(&mut self) -> Option<SparsePermutation> {
        let moved = self.pair.mapping();
        for &(from, to) in &moved {
            self.image[from as usize] = to;
        }
        let image = &self.image;
        let preserved = self
            .graph
            .preserved_by(&moved, |vertex| image[vertex as usize]);
        for &(from, _) in &moved {
            self.image[from as usize] = from;
        }
        let permutation = SparsePermutation::from_pairs(moved);
        permutation.filter(|_| preserved)
    }

    /// Both sides look alike and are not: then no automorphism takes one to the other, because it would carry over
    /// the traces in full.
    fn give_up_image(&mut self, path: &[Node]) {
        self.accident = true;
        if let Some(node) = path.last() {
            self.pair.undo_right(node.right_mark);
        }
    }

    /// Leaves the last node, all of whose images failed, and all nodes before it that this cannot be due
    /// to. Answers whether there is still something to try.
    fn retreat(&mut self, path: &mut Vec<Node>) -> bool {
        // Without the first node there would be no question: if the failure comes back to it, the answer is no.
        if path.len() <= 2 {
            path.truncate(1);
            return false;
        }
        if let Some(failed) = path.pop() {
            self.pair.undo_left(failed.left_mark);
            self.blame.put_on(self.graph, &self.pair.left, failed.cell);
        }
        while path.len() > 1 {
            let node = &path[path.len() - 1];
            self.pair.undo_right(node.right_mark);
            let splits = &self.pair.left.trail()[node.left_mark..];
            if self.accident || self.blame.concerns(splits) {
                return true;
            }
            self.statistics.jumps += 1;
            self.pair.undo_left(node.left_mark);
            path.pop();
        }
        false
    }

    fn conclude(mut self) -> Automorphisms {
        self.base.reverse();
        Automorphisms {
            order: product(&self.factors),
            orbits: self.orbits.least(),
            generators: self.generators,
            base: self.base,
            complete: self.complete,
            statistics: Statistics {
                nodes: self.clock.nodes(),
                splitters: self.refiner.splitters(),
                arcs: self.refiner.arcs_seen(),
                ..self.statistics
            },
        }
    }
}

/// The product, by halves: large numbers meet numbers of their size.
fn product(factors: &[u32]) -> BigUint {
    match factors {
        [] => BigUint::from(1u32),
        [factor] => BigUint::from(*factor),
        _ => {
            let (low, high) = factors.split_at(factors.len() / 2);
            product(low) * product(high)
        }
    }
}
