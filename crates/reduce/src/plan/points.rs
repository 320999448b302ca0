//! The points of a state: the members of the domains that may be permuted in it, numbered one after the other.

use mandala_canon::Point;
use mandala_encoding::Places;
use mandala_groups::{BigUint, Group, factorial};
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{Domain, DomainKind};
use std::sync::Arc;

/// Which domains are active, one bit each.
pub(crate) type Active = u64;

/// The most domains that are looked at; further ones are never active.
pub(crate) const MAX_DOMAINS: usize = Active::BITS as usize;

/// Members of one domain that are there.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The domain's index in the certificate.
    pub domain: usize,
    /// The sort of cells that hold its members themselves, off by nothing.
    pub sort: Sort,
    /// The value of the name that is counted as 0 in its set of names. Processes are known by their numbers.
    pub first: i64,
    /// The values by which the members are known, in the order of their points.
    pub members: Vec<i64>,
}

/// Points that may come to each other's places. Each stands for a member of a domain, or for one of each of several domains
/// that are permuted together.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The first point.
    pub first: Point,
    /// The domains, all with equally many members.
    pub parts: Vec<Part>,
}

/// Where a value leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub block: usize,
    pub part: usize,
    pub point: Point,
}

impl Block {
    /// How many points it has.
    pub fn size(&self) -> usize {
        self.parts[0].members.len()
    }

    /// Its points.
    pub fn points(&self) -> std::ops::Range<usize> {
        let first = usize::from(self.first);
        first..first + self.size()
    }
}

/// The points of the states of one shape in which the same domains are active.
#[derive(Clone, Debug, Default)]
pub(crate) struct Points {
    pub blocks: Vec<Block>,
    /// How many points there are.
    pub total: usize,
    /// How many of the blocks, from the first on, are held.
    pub held_blocks: usize,
    /// What acts on their points, the first ones.
    pub held: Option<Arc<Group>>,
}

impl Points {
    /// Whether any two points of a block may change places while nothing else moves.
    pub fn is_full(&self, block: usize) -> bool {
        block >= self.held_blocks
    }

    /// How many elements the group has that permutes the points.
    pub fn order(&self) -> BigUint {
        let full = self.blocks.iter().skip(self.held_blocks);
        let full: BigUint = full.map(|block| factorial(block.size())).product();
        self.held
            .iter()
            .map(|group| group.order())
            .product::<BigUint>()
            * full
    }

    /// How many members of domains the points stand for.
    pub fn members(&self) -> usize {
        let blocks = self.blocks.iter();
        blocks.map(|block| block.size() * block.parts.len()).sum()
    }

    /// Without the blocks that are held.
    pub fn without_held(self) -> Self {
        let mut points = Points::default();
        let full = self.blocks.into_iter().skip(self.held_blocks);
        full.for_each(|block| points.push(block.parts));
        points
    }

    /// Adds a block.
    pub fn push(&mut self, parts: Vec<Part>) {
        let block = Block {
            first: self.total as Point,
            parts,
        };
        self.total += block.size();
        self.blocks.push(block);
    }

    /// What a value of a sort stands for.
    pub fn of(&self, sort: Sort, value: i64) -> Option<Target> {
        let (sort, offset) = origin(sort);
        let name = value.checked_add(offset)?;
        self.parts().find_map(|(block, part)| {
            let found = &self.blocks[block].parts[part];
            let position = found.members.iter().position(|member| *member == name)?;
            (found.sort == sort).then_some(Target {
                block,
                part,
                point: self.blocks[block].first + position as Point,
            })
        })
    }

    /// The numbers of all parts with those of their blocks.
    fn parts(&self) -> impl Iterator<Item = (usize, usize)> {
        let blocks = self.blocks.iter().enumerate();
        blocks.flat_map(|(index, block)| (0..block.parts.len()).map(move |part| (index, part)))
    }

    /// The parts whose members are meant by values of a sort, with their blocks.
    pub fn parts_of(&self, sort: Sort) -> impl Iterator<Item = (&Block, &Part)> {
        let (sort, _) = origin(sort);
        let parts = self
            .blocks
            .iter()
            .flat_map(|b| b.parts.iter().map(move |p| (b, p)));
        parts.filter(move |(_, part)| part.sort == sort)
    }

    /// The number of the block that a point is in.
    pub fn of_point(&self, point: Point) -> usize {
        let inside = |block: &Block| block.points().contains(&usize::from(point));
        let found = self.blocks.iter().position(inside);
        found.expect("a point of a block")
    }

    /// The block that a point is in.
    pub fn block_of(&self, point: Point) -> &Block {
        &self.blocks[self.of_point(point)]
    }
}

/// A sort of names that is off by nothing, and by how much a sort is off it.
pub(crate) fn origin(sort: Sort) -> (Sort, i64) {
    match sort {
        Sort::Process(offset) => (Sort::Process(0), offset),
        Sort::Name(set, offset) => (Sort::Name(set, 0), offset),
        other => (other, 0),
    }
}

/// The members of all active domains that are there, domain by domain.
pub(crate) fn living(domains: &[Domain], active: Active, places: &Places) -> Vec<Part> {
    let all = kinds(domains).enumerate().take(MAX_DOMAINS);
    let active = all.filter(|(domain, _)| active >> domain & 1 == 1);
    let parts = active.map(|(domain, (kind, sort))| Part {
        domain,
        sort,
        first: match kind {
            DomainKind::Processes { .. } => 0,
            DomainKind::Names { first, start, .. } => *first - i64::from(*start),
        },
        members: members(kind, places),
    });
    parts.collect()
}

/// The kinds of the domains, with the sorts of the cells that hold their members.
fn kinds(domains: &[Domain]) -> impl Iterator<Item = (&DomainKind, Sort)> {
    domains.iter().map(|domain| {
        let sort = match domain.kind {
            DomainKind::Processes { .. } => Sort::Process(0),
            DomainKind::Names { set, .. } => Sort::Name(set, 0),
        };
        (&domain.kind, sort)
    })
}

/// The values of the members that are there in a shape.
fn members(kind: &DomainKind, places: &Places) -> Vec<i64> {
    match kind {
        DomainKind::Processes { template, numbers } => {
            let lives = |number: &&u32| {
                let process = places.processes.get(**number as usize);
                process.is_some_and(|process| process.template == *template)
            };
            numbers
                .iter()
                .filter(lives)
                .map(|n| i64::from(*n))
                .collect()
        }
        DomainKind::Names { first, size, .. } => (*first..).take(*size as usize).collect(),
    }
}
