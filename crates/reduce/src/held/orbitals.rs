//! Orbitals: which pairs of points a group takes to each other, as relations that go into a view.
//!
//! Within a block, and between two blocks, pairs with the same number can be taken to each other. Only as many numbers
//! are told apart as are needed: for a ring the pairs of neighbours say all, for a hypercube the edges. The fewer there
//! are, the less there is to look at in every state.

use super::closure::{is_closed, is_known_to_be_closed};
use crate::automorphisms::Marked;
use crate::reshape;
use mandala_canon::{Budget, Entry, PointDomain, Relation, Shape, View};
use mandala_groups::Group;
use mandala_groups::structure::Shape as Kind;
use std::ops::Range;

/// Whether only the elements of a group keep its orbitals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closure {
    /// Nothing else keeps them.
    Closed,
    /// Something else does, or it is too hard to tell.
    Open,
}

/// The orbitals of a group that acts on the first points of a shape.
#[derive(Clone, Debug)]
struct Orbitals {
    /// The relations to be added to a shape.
    relations: Vec<Relation>,
    /// Their entries, one after the other.
    entries: Vec<u32>,
    closure: Closure,
}

/// Adds the orbitals of a group to the views of states.
#[derive(Clone, Debug)]
pub(crate) struct WithOrbitals {
    shape: Shape,
    /// The relations of the state at hand, and behind them the orbitals.
    relations: Vec<u32>,
    /// How many entries the relations of a state have.
    own: usize,
    closure: Closure,
}

impl WithOrbitals {
    /// For views of a shape, the first points of which a group acts on.
    pub fn new(shape: &Shape, group: &Group) -> Self {
        let domains = (0..shape.domains()).map(|domain| shape.domain_points(domain));
        let held: Vec<_> = domains.take_while(|d| d.end <= group.degree()).collect();
        let orbitals = Orbitals::new(group, &held);
        let own = shape.relation_entries();
        let mut relations = vec![0; own];
        relations.extend(&orbitals.entries);
        WithOrbitals {
            shape: orbitals.added_to(shape),
            relations,
            own,
            closure: orbitals.closure,
        }
    }

    /// The shape of the views with orbitals.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether only the elements of the group keep the orbitals.
    pub fn closure(&self) -> Closure {
        self.closure
    }

    /// A view with orbitals.
    #[inline]
    pub fn view<'a>(&'a mut self, view: &View<'a>) -> View<'a> {
        self.relations[..self.own].copy_from_slice(view.relations());
        let (plain, references, shared) = (view.plain(), view.references(), view.shared());
        let view = View::new(&self.shape, plain, references, shared, &self.relations);
        view.expect("a view of the shape, and the orbitals")
    }
}

/// How much search the automorphisms of orbitals may take for each canonical form.
const BUDGET: Budget = Budget {
    nodes: 20_000,
    leaves: 5_000,
};

/// How many sets of orbitals are tried in order to find a small one.
const MOST_TRIALS: usize = 24;

impl Orbitals {
    /// The orbitals of a group that maps each of these blocks to itself. Factors that act on different blocks are looked at one
    /// by one, as what one of them does tells nothing of the others.
    fn new(group: &Group, blocks: &[Range<usize>]) -> Self {
        let mut all = Orbitals {
            relations: Vec::new(),
            entries: Vec::new(),
            closure: Closure::Closed,
        };
        for factor in group.structure().factors {
            let moved = |block: &usize| factor.points.contains(&(blocks[*block].start as u32));
            let own: Vec<usize> = (0..blocks.len()).filter(moved).collect();
            all.add(Self::of_factor(group, &factor.shape, blocks, &own), &own);
        }
        all
    }

    /// The orbitals of what a group does to some blocks, which are numbered anew.
    fn of_factor(group: &Group, kind: &Kind, blocks: &[Range<usize>], own: &[usize]) -> Self {
        let points = own.iter().flat_map(|block| blocks[*block].clone());
        let points: Vec<u32> = points.map(|point| point as u32).collect();
        let group = group.restricted_to(&points);
        let group = group.expect("blocks are mapped to themselves");
        let mut start = 0;
        let shifted = own.iter().map(|block| {
            start += blocks[*block].len();
            start - blocks[*block].len()..start
        });
        let blocks: Vec<Range<usize>> = shifted.collect();
        Self::of_one(&group, kind, &blocks)
    }

    /// The orbitals of a group of a kind: few of them if they tell as much as all.
    fn of_one(group: &Group, kind: &Kind, blocks: &[Range<usize>]) -> Self {
        let all = Pairs::new(group, blocks);
        let whole = all.orbitals(|_| true);
        let known = is_known_to_be_closed(kind);
        let marked = whole.entries.iter().filter(|entry| **entry != 0);
        if known && marked.count() * 4 <= whole.entries.len() {
            return whole.of(Closure::Closed);
        }
        let sizes: Vec<usize> = blocks.iter().map(ExactSizeIterator::len).collect();
        let closed = |orbitals: &Orbitals| is_closed(group, orbitals.marked(&sizes));
        match all.few(closed) {
            Some(few) => few.of(Closure::Closed),
            None if known || closed(&whole) => whole.of(Closure::Closed),
            None => whole,
        }
    }

    fn of(self, closure: Closure) -> Self {
        Orbitals { closure, ..self }
    }

    /// Adds the orbitals of another factor, given which blocks they are about.
    fn add(&mut self, other: Orbitals, blocks: &[usize]) {
        self.relations
            .extend(other.relations.iter().map(|relation| Relation {
                rows: blocks[relation.rows],
                columns: blocks[relation.columns],
                ..*relation
            }));
        self.entries.extend(other.entries);
        if other.closure == Closure::Open {
            self.closure = Closure::Open;
        }
    }

    /// A shape with the orbitals added to it.
    fn added_to(&self, shape: &Shape) -> Shape {
        let (domains, mut relations) = reshape::parts(shape);
        relations.extend(&self.relations);
        Shape::new(&domains, shape.shared_cells(), &relations).expect("no more points than before")
    }

    /// A view with nothing but the orbitals.
    fn marked(&self, sizes: &[usize]) -> Marked {
        let domains = sizes.iter().map(|points| PointDomain {
            points: *points,
            plain: 0,
            references: 0,
        });
        let domains: Vec<PointDomain> = domains.collect();
        let shape = Shape::new(&domains, 0, &self.relations).expect("points of a shape");
        let view = View::new(&shape, &[], &[], &[], &self.entries);
        Marked::new(&shape, &view.expect("made for the shape"), BUDGET)
    }
}

/// All pairs of points with their orbitals.
struct Pairs<'a> {
    blocks: &'a [Range<usize>],
    points: usize,
    /// By pair, the first pair of its orbital.
    firsts: Vec<usize>,
}

impl<'a> Pairs<'a> {
    fn new(group: &Group, blocks: &'a [Range<usize>]) -> Self {
        let points = group.degree();
        let mut pairs = Pairs {
            blocks,
            points,
            firsts: vec![usize::MAX; points * points],
        };
        for pair in 0..points * points {
            if pairs.firsts[pair] == usize::MAX {
                pairs.follow(group, pair);
            }
        }
        pairs
    }

    /// Finds all pairs that a pair can be taken to.
    fn follow(&mut self, group: &Group, first: usize) {
        let mut waiting = vec![first];
        self.firsts[first] = first;
        while let Some(pair) = waiting.pop() {
            for generator in group.generators() {
                let image = |point: usize| generator.image(point as u32) as usize;
                let next = image(pair / self.points) * self.points + image(pair % self.points);
                if self.firsts[next] == usize::MAX {
                    self.firsts[next] = first;
                    waiting.push(next);
                }
            }
        }
    }

    /// The orbitals of different points that tell something, the smallest first: pairs of their first pairs and sizes.
    fn telling(&self) -> Vec<(usize, usize)> {
        let mut sizes = vec![0; self.firsts.len()];
        self.firsts.iter().for_each(|first| sizes[*first] += 1);
        let all = sizes.iter().enumerate().filter(|(_, size)| **size > 0);
        let differ = all.filter(|(pair, _)| pair / self.points != pair % self.points);
        let mut telling: Vec<_> = differ.map(|(pair, size)| (*size, pair)).collect();
        telling.sort_unstable();
        telling
    }

    /// A few orbitals that nothing keeps but the group: a single one, or the smallest ones.
    fn few(&self, closed: impl Fn(&Orbitals) -> bool) -> Option<Orbitals> {
        let telling = self.telling();
        let telling: Vec<usize> = telling.iter().map(|(_, first)| *first).collect();
        let most = telling.len().min(MOST_TRIALS);
        let single = |first: &usize| self.orbitals(|other| other == *first);
        let smallest = |count: usize| self.orbitals(|other| telling[..count].contains(&other));
        let mut few = telling[..most]
            .iter()
            .map(single)
            .chain((2..=most).map(smallest));
        few.find(closed)
    }

    /// The relations that tell the chosen orbitals apart from each other and from the rest.
    fn orbitals(&self, chosen: impl Fn(usize) -> bool) -> Orbitals {
        let mut orbitals = Orbitals {
            relations: Vec::new(),
            entries: Vec::new(),
            closure: Closure::Open,
        };
        for rows in 0..self.blocks.len() {
            for columns in 0..self.blocks.len() {
                let entries = self.matrix(rows, columns, &chosen);
                if entries.iter().any(|entry| *entry != 0) {
                    orbitals.entries.extend(entries);
                    orbitals.relations.push(Relation {
                        rows,
                        columns,
                        entries: Entry::Number,
                    });
                }
            }
        }
        orbitals
    }

    /// The chosen orbitals between two blocks, by number. The diagonal and the rest are zero.
    fn matrix(&self, rows: usize, columns: usize, chosen: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut numbers = Vec::new();
        let mut entries = Vec::new();
        for row in self.blocks[rows].clone() {
            for column in self.blocks[columns].clone() {
                let first = self.firsts[row * self.points + column];
                if row == column || !chosen(first) {
                    entries.push(0);
                    continue;
                }
                if !numbers.contains(&first) {
                    numbers.push(first);
                }
                let number = numbers.iter().position(|n| *n == first);
                entries.push(number.map_or(0, |n| n as u32 + 1));
            }
        }
        without_the_most_frequent(&mut entries, rows == columns, numbers.len());
        entries
    }
}

/// If a matrix has a number everywhere, but for the diagonal of one block with itself, then the most frequent number tells
/// nothing that the others do not.
fn without_the_most_frequent(entries: &mut [u32], diagonal: bool, numbers: usize) {
    let mut counts = vec![0; numbers + 1];
    entries.iter().for_each(|n| counts[*n as usize] += 1);
    let zeroes: usize = counts[0];
    let is_everywhere = match diagonal {
        true => zeroes * zeroes == entries.len(),
        false => zeroes == 0,
    };
    let most = (1..=numbers).max_by_key(|number| counts[*number]);
    if let (true, Some(most)) = (is_everywhere, most) {
        let those = entries.iter_mut().filter(|n| **n == most as u32);
        those.for_each(|n| *n = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_groups::Permutation;

    fn whole(group: &Group) -> Orbitals {
        let orbits = group.orbits();
        let mut start = 0;
        let blocks: Vec<_> = orbits
            .iter()
            .map(|orbit| {
                start += orbit.len();
                start - orbit.len()..start
            })
            .collect();
        Orbitals::new(group, &blocks)
    }

    #[test]
    fn rings_and_cubes_are_told_by_their_neighbours() {
        let cases = [
            (Group::cyclic(7), 7),
            (Group::dihedral(7), 14),
            (Group::hypercube(3), 24),
            (Group::symmetric(2).wreath(&Group::symmetric(3)), 6),
        ];
        for (group, marked) in cases {
            let orbitals = whole(&group);
            assert_eq!(orbitals.closure, Closure::Closed, "{}", group.structure());
            let entries = orbitals.entries.iter().filter(|entry| **entry != 0);
            assert_eq!(entries.count(), marked, "{}", group.structure());
        }
    }

    /// What is believed of some kinds of groups is found out to be so for small ones.
    #[test]
    fn kinds_that_are_known_to_be_closed_are() {
        let pairs = Group::symmetric(2);
        let groups = [
            Group::cyclic(6),
            Group::dihedral(5),
            Group::hypercube(3),
            pairs.wreath(&Group::symmetric(4)),
            Group::symmetric(3).wreath(&Group::cyclic(3)),
            Group::cyclic(3).wreath(&Group::dihedral(4)),
            pairs.wreath(&pairs).wreath(&Group::symmetric(3)),
        ];
        for group in groups {
            let structure = group.structure();
            let kind = &structure.factors[0].shape;
            assert!(is_known_to_be_closed(kind), "{structure}");
            let block = 0..group.degree();
            let all = Pairs::new(&group, std::slice::from_ref(&block)).orbitals(|_| true);
            assert!(
                is_closed(&group, all.marked(&[group.degree()])),
                "{structure}"
            );
        }
        let open = Group::alternating(5).structure();
        assert!(!is_known_to_be_closed(&open.factors[0].shape));
        let open = pairs.wreath(&Group::alternating(4)).structure();
        assert!(!is_known_to_be_closed(&open.factors[0].shape));
    }

    #[test]
    fn what_pairs_do_not_tell_is_not_closed() {
        assert_eq!(whole(&Group::alternating(5)).closure, Closure::Open);
        // Of three pairs, two at a time change places.
        let flips = |cycles: &[&[u32]]| Permutation::from_cycles(6, cycles).expect("cycles");
        let even = vec![flips(&[&[0, 1], &[2, 3]]), flips(&[&[2, 3], &[4, 5]])];
        let even = Group::new(6, even).expect("six points");
        assert_eq!(whole(&even).closure, Closure::Open);
        assert_eq!(whole(&Group::symmetric(4)).closure, Closure::Closed);
    }
}
