//! The points of a state: the members of the domains that may be permuted in it, numbered one after the other.

use mandala_encoding::Places;
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{Domain, DomainKind};

/// Which domains are active, one bit each.
pub(crate) type Active = u64;

/// The most domains that are looked at; further ones are never active.
pub(crate) const MAX_DOMAINS: usize = Active::BITS as usize;

/// The members of one domain that are there.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The domain's index in the certificate.
    pub domain: usize,
    /// The sort of cells that hold its members themselves, off by nothing.
    pub sort: Sort,
    /// The point of the first member.
    pub first: u8,
    /// The values by which the members are known, in order.
    pub members: Vec<i64>,
}

impl Block {
    /// Its points.
    pub fn points(&self) -> std::ops::Range<usize> {
        let first = usize::from(self.first);
        first..first + self.members.len()
    }
}

/// The points of the states of one shape in which the same domains are active.
#[derive(Clone, Debug, Default)]
pub(crate) struct Points {
    /// One for each active domain that has at least two members.
    pub blocks: Vec<Block>,
    /// How many points there are.
    pub total: usize,
}

impl Points {
    /// The points of all active domains.
    pub fn new(domains: &[Domain], active: Active, places: &Places) -> Self {
        let mut points = Points::default();
        for (domain, (kind, sort)) in kinds(domains).enumerate().take(MAX_DOMAINS) {
            let members = members(kind, places);
            // A lone member has nobody to change places with, and is a value like any other.
            if active >> domain & 1 == 1 && members.len() > 1 {
                points.push(domain, sort, members);
            }
        }
        points
    }

    fn push(&mut self, domain: usize, sort: Sort, members: Vec<i64>) {
        let first = self.total as u8;
        self.total += members.len();
        self.blocks.push(Block {
            domain,
            sort,
            first,
            members,
        });
    }

    /// The block and the point that a value of a sort stands for.
    pub fn of(&self, sort: Sort, value: i64) -> Option<(usize, u8)> {
        let (sort, offset) = origin(sort);
        let name = value.checked_add(offset)?;
        let mut blocks = self.blocks.iter().enumerate();
        blocks.find_map(|(index, block)| {
            let position = block.members.iter().position(|member| *member == name)?;
            (block.sort == sort).then_some((index, block.first + position as u8))
        })
    }

    /// The blocks whose members are meant by values of a sort.
    pub fn blocks_of(&self, sort: Sort) -> impl Iterator<Item = &Block> {
        let (sort, _) = origin(sort);
        self.blocks.iter().filter(move |block| block.sort == sort)
    }

    /// The block that a point is in.
    pub fn block_of(&self, point: u8) -> &Block {
        let inside = |block: &&Block| block.points().contains(&usize::from(point));
        self.blocks.iter().find(inside).expect("a point of a block")
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

/// The kinds of the domains, with the sorts of the cells that hold their members.
fn kinds(domains: &[Domain]) -> impl Iterator<Item = (&DomainKind, Sort)> {
    let mut names = 0..;
    domains.iter().map(move |domain| {
        let sort = match domain.kind {
            DomainKind::Processes { .. } => Sort::Process(0),
            DomainKind::Names { .. } => Sort::Name(names.next().unwrap_or(u32::MAX), 0),
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
            numbers.iter().filter(lives).map(|n| i64::from(*n)).collect()
        }
        DomainKind::Names { first, size, .. } => (*first..).take(*size as usize).collect(),
    }
}
