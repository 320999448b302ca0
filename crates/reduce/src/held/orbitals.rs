//! Orbitals: which pairs of points a group takes to each other, as relations that go into a view.
//!
//! Within a block, and between two blocks, pairs with the same number can be taken to each other. Only as many numbers
//! are told apart as are needed: for a ring the pairs of neighbours say all, for a hypercube the edges. The fewer there
//! are, the less there is to look at in every state.

use super::closure::is_closed;
use crate::automorphisms::Marked;
use crate::reshape;
use mandala_canon::{Budget, Domain, Entry, Relation, Shape, View};
use mandala_groups::Group;
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
    /// The orbitals of a group that maps each of these blocks to itself.
    fn new(group: &Group, blocks: &[Range<usize>]) -> Self {
        let all = Pairs::new(group, blocks);
        let sizes: Vec<usize> = blocks.iter().map(ExactSizeIterator::len).collect();
        let closed = |orbitals: &Orbitals| is_closed(group, orbitals.marked(&sizes));
        let few = all.few(closed);
        let few = few.or_else(|| Some(all.orbitals(|_| true)).filter(closed));
        match few {
            Some(few) => Orbitals {
                closure: Closure::Closed,
                ..few
            },
            None => all.orbitals(|_| true),
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
        let domains = sizes.iter().map(|points| Domain {
            points: *points,
            plain: 0,
            references: 0,
        });
        let domains: Vec<Domain> = domains.collect();
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
        match numbers.len() {
            1 if is_uniform(&entries, rows == columns) => vec![0; entries.len()],
            _ => entries,
        }
    }
}

/// Whether a matrix with one number tells nothing, because it is everywhere, but on the diagonal.
fn is_uniform(entries: &[u32], diagonal: bool) -> bool {
    let zeroes = entries.iter().filter(|entry| **entry == 0).count();
    match diagonal {
        true => zeroes * zeroes == entries.len(),
        false => zeroes == 0,
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
