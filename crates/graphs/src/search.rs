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
//! vertex is unsettled (`pair`), one is split off on the left and possible images for it are tried on the right. Only
//! vertices that differ are ever decided, so what an automorphism need not move costs nothing. A failure
//! goes back to the latest choice that it can be due to (`conflict`).
//!
//! Now and then all guesses are taken at once and the permutation is checked: that decides in one step where an exchange
//! carries a thousand other vertices along. And if guesses fail too often, the search starts again, with another
//! first path, and chooses the cells to split with more care.

use crate::budget::{Account, Budget};
use crate::conflict::Conflict;
use crate::graph::Graph;
use crate::images::Fusion;
use crate::joins::Joins;
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
    /// The budget is used up, or the search should start again.
    GivenUp,
}

/// Which cell to split next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taste {
    /// The latest one: costs nothing, and is right for most graphs.
    Latest,
    /// Of some of the latest, the one with most uneven joins: it tells most about the others. For graphs in which
    /// what was split off so far has more consequences than refinement can see, like points on a line.
    Joined,
}

/// Failures of guesses that are nothing to worry about.
const PATIENCE: u64 = 1000;

/// How many wrong leaps to put up with for each right one.
const LEAPS: u64 = 8;

/// Of how many open cells one is chosen for the first path.
const SAMPLE: usize = 32;

/// Generators of the automorphism group of a graph, its order and its orbits.
pub fn automorphisms(graph: &Graph, budget: &Budget) -> Automorphisms {
    let mut tools = Tools::new(graph, budget);
    let mut root = Partition::new(graph.kinds());
    tools.refiner.refine_all(graph, &mut root);
    let first = Search::run(tools, root.clone(), Taste::Latest);
    if first.complete || !first.is_exasperated() {
        return first.conclude();
    }
    let second = Search::run(first.tools.clone(), root, Taste::Joined).conclude();
    let first = first.conclude();
    if second.complete || second.order >= first.order {
        return second;
    }
    Automorphisms {
        statistics: second.statistics,
        ..first
    }
}

/// The stable colouring: the coarsest one that refines the given colours and in which vertices of a colour have
/// the same numbers of edges of each label, in each direction, to each colour, where several edges between the same
/// two vertices count as one of a kind of its own. Colours count from 0, and a graph with its vertices numbered
/// differently gets the same colours, moved accordingly.
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

/// What is passed on from one search to the next.
#[derive(Clone)]
struct Tools<'g> {
    graph: &'g Graph,
    refiner: Refiner,
    joins: Joins,
    account: Account,
    statistics: Statistics,
}

impl<'g> Tools<'g> {
    fn new(graph: &'g Graph, budget: &Budget) -> Self {
        let size = graph.vertex_count();
        Tools {
            graph,
            refiner: Refiner::new(size),
            joins: Joins::new(size),
            account: Account::start(budget),
            statistics: Statistics::default(),
        }
    }

    /// Asks for one more refinement.
    fn grants(&mut self) -> bool {
        let work = self.work();
        self.account.grants(work)
    }

    /// How much work there was: the arcs that were looked at, and something for each cell that others were split by, which may have none.
    fn work(&self) -> u64 {
        self.refiner.arcs_seen() + self.refiner.splitters()
    }

    /// Splits off vertices until all cells are single. Answers also whether the budget was enough.
    fn first_path(&mut self, partition: &mut Partition, taste: Taste) -> (Vec<Level>, bool) {
        let mut levels = Vec::new();
        while let Some(cell) = self.open_cell(partition, taste) {
            if !self.grants() {
                return (levels, false);
            }
            let vertex = partition.first(cell);
            levels.push(Level {
                vertex,
                mark: partition.mark(),
            });
            self.refiner
                .individualise(self.graph, partition, vertex, Trace::Ignored);
        }
        (levels, true)
    }

    fn open_cell(&mut self, partition: &Partition, taste: Taste) -> Option<u32> {
        let mut latest = partition.open_cells();
        match taste {
            Taste::Latest => latest.next(),
            Taste::Joined => self.joins.best(self.graph, partition, latest.take(SAMPLE)),
        }
    }
}

struct Search<'g> {
    tools: Tools<'g>,
    taste: Taste,
    pair: Pair,
    orbits: Orbits,
    blame: Conflict,
    fusion: Fusion,
    generators: Vec<SparsePermutation>,
    base: Vec<u32>,
    /// Sizes of the orbits of the base, level by level.
    factors: Vec<u32>,
    complete: bool,
    /// The identity, but while a permutation is being checked.
    image: Vec<u32>,
    /// Whether traces were equal by accident in the question at hand. Then blame could fall on the wrong cells.
    accident: bool,
    /// How often all guesses were taken at once, and how often they were right.
    leaps: u64,
    landings: u64,
    /// How many images failed that were chosen, not asked about.
    misled: u64,
}

impl<'g> Search<'g> {
    fn run(mut tools: Tools<'g>, mut partition: Partition, taste: Taste) -> Self {
        let (levels, reached_leaf) = tools.first_path(&mut partition, taste);
        tools.statistics.depth = levels.len() as u64;
        let mut search = Search::new(tools, partition, taste);
        if reached_leaf {
            search.climb(levels);
        }
        search
    }

    fn new(tools: Tools<'g>, leaf: Partition, taste: Taste) -> Self {
        let size = leaf.size();
        Search {
            tools,
            taste,
            pair: Pair::of(leaf),
            orbits: Orbits::new(size),
            blame: Conflict::new(size),
            fusion: Fusion::new(size),
            generators: Vec::new(),
            base: Vec::new(),
            factors: Vec::new(),
            complete: false,
            image: (0..size as u32).collect(),
            accident: false,
            leaps: 0,
            landings: 0,
            misled: 0,
        }
    }

    /// Whether so many choices were wrong that it is better to start again and choose more carefully.
    fn is_exasperated(&self) -> bool {
        let often = 2 * self.misled > self.tools.account.nodes();
        self.taste == Taste::Latest && self.misled > PATIENCE && often
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
        if !self.tools.grants() {
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
                Answer::GivenUp => return false,
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
            if self.is_exasperated() || !self.tools.grants() {
                return Answer::GivenUp;
            }
            if !self.split_right(path, image) {
                continue;
            }
            if let Some(automorphism) = self.leap(path.len()) {
                return Answer::Yes(automorphism);
            } else if let Some(choice) = self.next_choice() {
                let node = self.open(choice);
                path.push(node);
            } else if let Some(automorphism) = self.checked(self.pair.mapping()) {
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
        let allowance = self.tools.refiner.arcs_seen();
        let right = &self.pair.right;
        self.fusion
            .others(right, guess, &fixed, &self.generators, allowance)
    }

    /// What to decide next; none if nothing is unsettled.
    fn next_choice(&mut self) -> Option<Choice> {
        let Tools { graph, joins, .. } = &mut self.tools;
        let (left, urgent) = (&self.pair.left, self.pair.urgent());
        let vertex = match self.taste {
            Taste::Latest => urgent.last().copied(),
            Taste::Joined => {
                let cells = urgent.iter().map(|&vertex| left.cell_of(vertex));
                let best = joins.best(graph, left, cells);
                let inside = |&&v: &&u32| Some(left.cell_of(v)) == best;
                urgent.iter().rev().find(inside).copied()
            }
        };
        vertex.map(|vertex| self.pair.choice(graph, vertex))
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
        let Tools { refiner, graph, .. } = &mut self.tools;
        refiner.individualise(graph, &mut self.pair.left, vertex, recorded);
        trace
    }

    /// The same for an image on the right. If it does not go as on the left, it is undone.
    fn split_right(&mut self, path: &mut [Node], image: u32) -> bool {
        let asked = path.len() == 1;
        let Some(node) = path.last_mut() else {
            return false;
        };
        node.taken = image;
        let trace = Trace::Followed {
            events: &node.trace,
            next: 0,
        };
        let right = &mut self.pair.right;
        let Tools { refiner, graph, .. } = &mut self.tools;
        let alike = refiner.individualise(graph, right, image, trace);
        if alike {
            self.pair.compare_since(node.left_mark, node.right_mark);
        } else {
            self.tools.statistics.mismatches += 1;
            self.misled += u64::from(!asked);
            right.undo_to(node.right_mark);
        }
        alike
    }

    /// Takes all guesses at once, now and then, as long as that is of use.
    fn leap(&mut self, depth: usize) -> Option<SparsePermutation> {
        let useful = self.leaps <= LEAPS + LEAPS * self.landings;
        if !depth.is_power_of_two() || !useful {
            return None;
        }
        self.leaps += 1;
        let landed = self.checked(self.pair.guessed_mapping(self.tools.graph));
        self.landings += u64::from(landed.is_some());
        landed
    }

    /// The permutation that moves so, if it is one and an automorphism. The [mapping](Pair::mapping) of a pair in which nothing
    /// is unsettled is, unless traces were equal by accident.
    fn checked(&mut self, moved: Vec<(u32, u32)>) -> Option<SparsePermutation> {
        let permutation = SparsePermutation::from_pairs(moved)?;
        let moved = permutation.moved();
        for &(from, to) in moved {
            self.image[from as usize] = to;
        }
        let image = &self.image;
        let graph = self.tools.graph;
        let preserved = graph.preserved_by(moved, |vertex| image[vertex as usize]);
        for &(from, _) in moved {
            self.image[from as usize] = from;
        }
        preserved.then_some(permutation)
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
            let Tools { graph, joins, .. } = &mut self.tools;
            self.blame
                .put_on(graph, &self.pair.left, joins, failed.cell);
        }
        while path.len() > 1 {
            let node = &path[path.len() - 1];
            self.pair.undo_right(node.right_mark);
            let splits = &self.pair.left.trail()[node.left_mark..];
            if self.accident || self.blame.concerns(splits) {
                return true;
            }
            self.tools.statistics.jumps += 1;
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
                nodes: self.tools.account.nodes(),
                splitters: self.tools.refiner.splitters(),
                arcs: self.tools.refiner.arcs_seen(),
                ..self.tools.statistics
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
