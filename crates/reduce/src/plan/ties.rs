//! Ties: members of different domains that belong together for good.
//!
//! Where `run Client(3)` gives process 4 the name 3, both are points of their own, and nothing but a parameter that is never
//! written again says that they belong together. Of the n! times n! ways to permute processes and names apart only n!
//! leave such ties as they are, and two states that agree in their ties are equivalent under all permutations exactly
//! if they are under these. So tied members are made one point: a canonicaliser has fewer points to look at, and a strategy
//! that tries permutations one by one has a chance.
//!
//! # How
//!
//! A *tie* is a reference from each member of one domain to a member of another, one to one, in cells that nobody writes
//! any more. It is *straight* where the k-th member refers to the k-th member. A state whose ties are straight is taken as
//! it is. Another one is *crossed*: its ties are made straight first, by permuting one of the two domains. Permuting tied members
//! together keeps ties straight, so that all states after the first are taken as they are. That ties never change makes this
//! fast; that it is right does not depend on it, as every state is looked at anew. If a tie is not one to one in some
//! state, that state gets a plan without ties.
//!
//! Making ties straight takes any permutation of a domain, and so only blocks that are full are joined. Members that a smaller
//! group permutes in step are one point already (`acting`).

use super::Plan;
use super::classes::Class;
use super::coordinates::Cells;
use super::points::{Points, origin};
use mandala_canon::Point;
use mandala_symmetry::sorts::Sort;

/// References from the members of one block, one to one, to those of another.
#[derive(Clone, Debug)]
pub(crate) struct Tie {
    from: usize,
    to: usize,
    /// The cells of the members of the first block, in order.
    pub cells: Vec<u32>,
    /// What they hold if the tie is straight.
    straight: Vec<i64>,
    /// The points that values refer to.
    targets: Vec<(i64, Point)>,
}

impl Tie {
    /// The tie that a class of constant cells is, if it is one in a state.
    pub fn of(class: &Class<'_>, found: &Cells, points: &Points, cells: &[i64]) -> Option<Tie> {
        let [from] = *class.blocks.as_slice() else {
            return None;
        };
        let value = |cell: &&super::coordinates::Cell| cells[cell.at];
        let mut targets = targets(class.sort, value(class.cells.first()?), found, points)?;
        targets.sort_unstable_by_key(|(_, point)| *point);
        let to = points.of_point(targets.first()?.1);
        let tie = Tie {
            from,
            to,
            cells: class.cells.iter().map(|cell| cell.at as u32).collect(),
            straight: targets.iter().map(|(value, _)| *value).collect(),
            targets,
        };
        let fits = from != to && tie.straight.len() == tie.cells.len();
        (fits && tie.is_one_to_one(cells)).then_some(tie)
    }

    /// Whether both ends may be permuted in all ways.
    pub fn joins_full_blocks(&self, points: &Points) -> bool {
        points.is_full(self.from) && points.is_full(self.to)
    }

    fn is_straight(&self, cells: &[i64]) -> bool {
        let mut held = self.cells.iter().zip(&self.straight);
        held.all(|(cell, straight)| cells[*cell as usize] == *straight)
    }

    /// The point that the k-th member refers to.
    fn target(&self, k: usize, cells: &[i64]) -> Option<Point> {
        let value = cells[self.cells[k] as usize];
        let mut targets = self.targets.iter();
        targets.find(|(v, _)| *v == value).map(|(_, point)| *point)
    }

    fn is_one_to_one(&self, cells: &[i64]) -> bool {
        let mut hit = vec![
            false;
            self.targets
                .iter()
                .map(|(_, point)| usize::from(*point) + 1)
                .max()
                .unwrap_or(0)
        ];
        (0..self.cells.len()).all(|k| {
            let target = self.target(k, cells);
            target.is_some_and(|point| !std::mem::replace(&mut hit[usize::from(point)], true))
        })
    }
}

/// All values that mean the same kind of thing as a value of a sort, with their points: the members of its domain, or the
/// channels of its class.
fn targets(sort: Sort, value: i64, found: &Cells, points: &Points) -> Option<Vec<(i64, Point)>> {
    if let Sort::Channel(_) = sort {
        let channel = found.channels.get(usize::try_from(value - 1).ok()?)?;
        let alike = found.channels.iter().zip(1..);
        let alike = alike.filter(|(other, _)| other.class == channel.class);
        let point = |(other, value): (&super::coordinates::Coordinate, i64)| match *other.points {
            [point] => Some((value, point)),
            _ => None,
        };
        return alike.map(point).collect();
    }
    let target = points.of(sort, value)?;
    let block = &points.blocks[target.block];
    let (_, offset) = origin(sort);
    let members = block.parts[target.part].members.iter().map(|m| m - offset);
    Some(members.zip(block.points().map(|p| p as Point)).collect())
}

/// How the ties of a state are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Straight,
    Crossed,
    Broken,
}

/// The ties of a plan, and what is needed to make them straight.
#[derive(Clone, Debug)]
pub(crate) struct Ties {
    /// Each joins one more block to those before it; whether the first block of the tie is the one that was there.
    ties: Vec<(Tie, bool)>,
    /// The plan without ties.
    apart: Plan,
    /// The labelling of the plan without ties that makes the ties of the last state straight.
    positions: Vec<Point>,
    /// The last state with straight ties, if it had to be changed for that.
    crossed: bool,
    straightened: Vec<i64>,
}

impl Ties {
    /// These ties, of states that a plan without ties is made for.
    pub fn new(found: Vec<Tie>, apart: Plan) -> Self {
        Ties {
            ties: from_the_first(found, apart.points.blocks.len()),
            positions: (0..apart.shape.codes() as Point).collect(),
            apart,
            crossed: false,
            straightened: Vec::new(),
        }
    }

    /// The points with tied members made one.
    pub fn joined_points(&self) -> Points {
        let blocks = &self.apart.points.blocks;
        let mut roots: Vec<usize> = (0..blocks.len()).collect();
        for (tie, forward) in &self.ties {
            let (known, new) = tie.ends(*forward);
            roots[new] = roots[known];
        }
        // Blocks that are held are never joined, and so they stay the first ones.
        let mut points = Points {
            held_blocks: self.apart.points.held_blocks,
            held: self.apart.points.held.clone(),
            ..Points::default()
        };
        for root in 0..blocks.len() {
            let members = (0..blocks.len()).filter(|block| roots[*block] == root);
            let parts = members.flat_map(|block| blocks[block].parts.clone());
            let parts: Vec<_> = parts.collect();
            if !parts.is_empty() {
                points.push(parts);
            }
        }
        points
    }

    /// The cells of all ties.
    pub fn cells(&self) -> Vec<u32> {
        let cells = self.ties.iter().flat_map(|(tie, _)| &tie.cells);
        cells.copied().collect()
    }

    /// Prepares a state. False if its ties are not one to one.
    #[inline]
    pub fn straighten(&mut self, cells: &[i64]) -> bool {
        match self.condition(cells) {
            Condition::Broken => return false,
            Condition::Straight => self.crossed = false,
            Condition::Crossed => self.uncross(cells),
        }
        true
    }

    #[inline]
    fn condition(&self, cells: &[i64]) -> Condition {
        let mut ties = self.ties.iter();
        if ties.clone().all(|(tie, _)| tie.is_straight(cells)) {
            return Condition::Straight;
        }
        match ties.all(|(tie, _)| tie.is_one_to_one(cells)) {
            true => Condition::Crossed,
            false => Condition::Broken,
        }
    }

    #[cold]
    fn uncross(&mut self, cells: &[i64]) {
        for (code, position) in (0..).zip(&mut self.positions) {
            *position = code;
        }
        let blocks = &self.apart.points.blocks;
        for (tie, forward) in &self.ties {
            let (from, to) = (blocks[tie.from].first, blocks[tie.to].first);
            for k in 0..tie.cells.len() {
                let member = usize::from(from) + k;
                let Some(target) = tie.target(k, cells) else {
                    continue;
                };
                let target = usize::from(target);
                match forward {
                    true => self.positions[target] = self.positions[member] - from + to,
                    false => self.positions[member] = self.positions[target] - to + from,
                }
            }
        }
        let image = self.apart.scatter.image(cells, &self.positions);
        self.straightened.clear();
        self.straightened.extend_from_slice(image);
        self.crossed = true;
    }

    /// The cells of the state that was prepared last, with straight ties.
    #[inline]
    pub fn source<'a>(&'a self, cells: &'a [i64]) -> &'a [i64] {
        if self.crossed {
            &self.straightened
        } else {
            cells
        }
    }

    /// The plan without ties and the labelling that has made the last state straight, if that was necessary.
    pub fn crossing(&self) -> Option<(&Plan, &[Point])> {
        self.crossed.then_some((&self.apart, &self.positions[..]))
    }
}

impl Tie {
    /// The block that was there and the one that is joined to it.
    fn ends(&self, forward: bool) -> (usize, usize) {
        match forward {
            true => (self.from, self.to),
            false => (self.to, self.from),
        }
    }
}

/// Those ties that join blocks which are not joined by ties before them.
pub(crate) fn joining(found: Vec<Tie>, blocks: usize) -> Vec<Tie> {
    let mut groups: Vec<usize> = (0..blocks).collect();
    let mut chosen = found;
    chosen.retain(|tie| {
        let (a, b) = (groups[tie.from], groups[tie.to]);
        let joined = groups.iter_mut().filter(|group| **group == a.max(b));
        joined.for_each(|group| *group = a.min(b));
        a != b
    });
    chosen
}

/// Puts ties that form trees in an order in which each joins a new block to one that is known, from the first block of each
/// tree on.
fn from_the_first(mut ties: Vec<Tie>, blocks: usize) -> Vec<(Tie, bool)> {
    let mut known = vec![false; blocks];
    let mut ordered = Vec::new();
    while !ties.is_empty() {
        let next = ties.iter().position(|tie| known[tie.from] != known[tie.to]);
        match next {
            Some(index) => {
                let tie = ties.remove(index);
                let forward = known[tie.from];
                (known[tie.from], known[tie.to]) = (true, true);
                ordered.push((tie, forward));
            }
            None => {
                // Another tree begins.
                let first = ties.iter().map(|tie| tie.from.min(tie.to)).min();
                known[first.unwrap_or(0)] = true;
            }
        }
    }
    ordered
}
