//! The shape of the states of one model: the number of points and the columns of each.

use std::fmt;
use std::ops::Range;

/// A point, or what a reference cell holds in the place of one: a *code*. The codes of a shape are its points, and behind them
/// values that are none ([`codes`]).
pub type Point = u16;

/// The most points that a shape may have: their codes fit in 15 bits, and leave one to whoever marks some.
pub const MAX_POINTS: usize = 32_000;

/// The most points whose codes are bytes.
const MOST_IN_BYTES: usize = 254;

/// How many codes a shape with so many points has: tables of that length cover whatever a reference cell may hold.
pub const fn codes(points: usize) -> usize {
    match points {
        ..=MOST_IN_BYTES => 256,
        _ => points + 256,
    }
}

/// The code of a reference that holds no point (an undefined id), in a shape with so many points: the last one.
pub const fn none(points: usize) -> Point {
    (codes(points) - 1) as Point
}

/// The code of a reference cell that does not exist in a state (behind the last message of a channel), in a shape with so many
/// points.
///
/// For the algorithms it is one more value that no permutation moves, like [`none`] and like every
/// other code that is not a point.
pub const fn absent(points: usize) -> Point {
    (codes(points) - 2) as Point
}

/// The most reference cells that all points together may have.
pub const MAX_REFERENCES: usize = 0xFFFE;

/// The most shared reference cells.
pub const MAX_SHARED: usize = 0xFFFE;

/// [`none`] in shapes with at most 254 points.
pub const NONE: Point = none(MOST_IN_BYTES);

/// [`absent`] in shapes with at most 254 points.
pub const ABSENT: Point = absent(MOST_IN_BYTES);

/// A set of interchangeable points, and the number of cells that each of them has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointDomain {
    /// How many points the domain has. They are numbered one after the other.
    pub points: usize,
    /// Plain cells per point: numbers that no permutation changes.
    pub plain: usize,
    /// Reference cells per point.
    pub references: usize,
}

/// What the entries of a relation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// Plain numbers. Zero should be the most frequent one: it is skipped.
    Number,
    /// Points, which move with the permutation; a number that is no point stays.
    Point,
}

/// A matrix with a row for each point of one domain and a column for each point of another, or the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The domain that indexes the rows.
    pub rows: usize,
    /// The domain that indexes the columns.
    pub columns: usize,
    /// What the entries are.
    pub entries: Entry,
}

/// The layout of the [views](crate::View) of one model's states, fixed once.
#[derive(Clone, Debug)]
pub struct Shape {
    blocks: Vec<Block>,
    relations: Vec<Matrix>,
    points: usize,
    plain: usize,
    references: usize,
    shared: usize,
    entries: usize,
    /// Point -> its block.
    block_of: Vec<u32>,
}

/// A domain with the places of its cells in the flat slices of a view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub first: usize,
    pub domain: PointDomain,
    pub plain_at: usize,
    pub references_at: usize,
}

/// A relation with the points that index it and the place of its entries.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    pub(crate) first_row: usize,
    pub(crate) rows: usize,
    pub(crate) first_column: usize,
    pub(crate) columns: usize,
    pub(crate) at: usize,
    pub(crate) entries: Entry,
}

/// Why a shape cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// More than [`MAX_POINTS`] points.
    TooManyPoints(usize),
    /// More than [`MAX_REFERENCES`] reference cells.
    TooManyReferences(usize),
    /// More than [`MAX_SHARED`] shared cells.
    TooManyShared(usize),
    /// More plain cells or matrix entries than can be addressed.
    TooManyCells,
    /// A relation names a domain that does not exist.
    NoSuchDomain(usize),
    /// The algorithm needs exactly one domain.
    NotOneDomain(usize),
    /// A main array is a plain column that the domain does not have.
    NoSuchColumn {
        /// The domain.
        domain: usize,
        /// The column that it does not have.
        column: usize,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyPoints(n) => write!(out, "{n} points, the limit is {MAX_POINTS}"),
            Self::TooManyReferences(n) => {
                write!(out, "{n} reference cells, the limit is {MAX_REFERENCES}")
            }
            Self::TooManyShared(n) => write!(out, "{n} shared cells, the limit is {MAX_SHARED}"),
            Self::TooManyCells => write!(out, "more cells than can be addressed"),
            Self::NoSuchDomain(d) => write!(out, "there is no domain {d}"),
            Self::NotOneDomain(d) => write!(out, "one domain is needed, not {d}"),
            Self::NoSuchColumn { domain, column } => {
                write!(out, "domain {domain} has no plain column {column}")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// A shape with these domains, so many shared reference cells, and these relations.
    pub fn new(
        domains: &[PointDomain],
        shared: usize,
        relations: &[Relation],
    ) -> Result<Self, ShapeError> {
        let mut shape = Self {
            blocks: Vec::with_capacity(domains.len()),
            relations: Vec::with_capacity(relations.len()),
            points: 0,
            plain: 0,
            references: 0,
            shared: 0,
            entries: 0,
            block_of: Vec::new(),
        };
        for &domain in domains {
            shape.add_domain(domain)?;
        }
        for &relation in relations {
            shape.add_relation(relation)?;
        }
        shape.add_shared(shared)?;
        Ok(shape)
    }

    /// One domain of `points`, each with `plain` numbers and `references` reference cells.
    pub fn single(points: usize, plain: usize, references: usize) -> Result<Self, ShapeError> {
        let domain = PointDomain {
            points,
            plain,
            references,
        };
        Self::new(&[domain], 0, &[])
    }

    fn add_domain(&mut self, domain: PointDomain) -> Result<(), ShapeError> {
        let points = self.points.saturating_add(domain.points);
        if points > MAX_POINTS {
            return Err(ShapeError::TooManyPoints(points));
        }
        let cells = domain.points.saturating_mul(domain.references);
        let references = self.references.saturating_add(cells);
        if references > MAX_REFERENCES {
            return Err(ShapeError::TooManyReferences(references));
        }
        let plain = domain
            .points
            .checked_mul(domain.plain)
            .and_then(|cells| self.plain.checked_add(cells))
            .ok_or(ShapeError::TooManyCells)?;
        // A domain without points changes nothing, but keeps its number for the relations.
        self.block_of.resize(points, self.blocks.len() as u32);
        self.blocks.push(Block {
            first: self.points,
            domain,
            plain_at: self.plain,
            references_at: self.references,
        });
        (self.points, self.plain, self.references) = (points, plain, references);
        Ok(())
    }

    fn add_relation(&mut self, relation: Relation) -> Result<(), ShapeError> {
        let block = |domain: usize| {
            let found = self.blocks.get(domain);
            found.ok_or(ShapeError::NoSuchDomain(domain))
        };
        let (rows, columns) = (block(relation.rows)?, block(relation.columns)?);
        let matrix = Matrix {
            first_row: rows.first,
            rows: rows.domain.points,
            first_column: columns.first,
            columns: columns.domain.points,
            at: self.entries,
            entries: relation.entries,
        };
        let size = matrix.rows * matrix.columns;
        self.entries = self
            .entries
            .checked_add(size)
            .ok_or(ShapeError::TooManyCells)?;
        self.relations.push(matrix);
        Ok(())
    }

    fn add_shared(&mut self, shared: usize) -> Result<(), ShapeError> {
        if shared > MAX_SHARED {
            return Err(ShapeError::TooManyShared(shared));
        }
        self.shared = shared;
        Ok(())
    }

    /// The number of points of all domains.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The number of domains.
    pub fn domains(&self) -> usize {
        self.blocks.len()
    }

    /// The points of one domain; empty if there is no such domain.
    pub fn domain_points(&self, domain: usize) -> Range<usize> {
        self.blocks.get(domain).map_or(0..0, Block::points)
    }

    /// How many codes its references may hold.
    pub fn codes(&self) -> usize {
        codes(self.points)
    }

    /// The length of the plain cells of a view: all rows, point after point.
    pub fn plain_cells(&self) -> usize {
        self.plain
    }

    /// The length of the reference cells of a view: those of each point together, point after point.
    pub fn reference_cells(&self) -> usize {
        self.references
    }

    /// The number of shared reference cells.
    pub fn shared_cells(&self) -> usize {
        self.shared
    }

    /// The length of the entries of all relations together, matrix after matrix, row after row.
    pub fn relation_entries(&self) -> usize {
        self.entries
    }

    /// What a domain was declared as, if there is one of this number.
    pub fn domain(&self, domain: usize) -> Option<PointDomain> {
        self.blocks.get(domain).map(|block| block.domain)
    }

    /// The relations, in the order of their entries in a view.
    pub fn matrices(&self) -> &[Matrix] {
        &self.relations
    }

    /// Where the plain row of a point lies in the plain cells of a view.
    ///
    /// # Panics
    ///
    /// Panics if there is no such point.
    pub fn row_of(&self, point: Point) -> Range<usize> {
        self.block_of(point).row_of(usize::from(point))
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub(crate) fn block_of(&self, point: Point) -> &Block {
        &self.blocks[self.block_of[usize::from(point)] as usize]
    }

    /// Where the reference cells of a point lie in those of a view.
    ///
    /// # Panics
    ///
    /// Panics if there is no such point.
    pub fn references_of(&self, point: Point) -> Range<usize> {
        self.block_of(point).references_of(usize::from(point))
    }

    /// Whether the points know of each other: by references of their own or by relations.
    pub fn is_linked(&self) -> bool {
        self.references > 0 || self.entries > 0
    }

    /// The most reference cells that a point of any domain has.
    pub(crate) fn widest_references(&self) -> usize {
        let widths = self.blocks.iter().map(|block| block.domain.references);
        widths.max().unwrap_or(0)
    }
}

impl Block {
    pub(crate) fn points(&self) -> Range<usize> {
        self.first..self.first + self.domain.points
    }

    /// Where the plain rows of all its points lie.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.plain_at..self.plain_at + self.domain.points * self.domain.plain
    }

    pub(crate) fn references_of(&self, point: usize) -> Range<usize> {
        let width = self.domain.references;
        let at = self.references_at + (point - self.first) * width;
        at..at + width
    }

    pub(crate) fn row_of(&self, point: usize) -> Range<usize> {
        let width = self.domain.plain;
        let at = self.plain_at + (point - self.first) * width;
        at..at + width
    }
}

impl Matrix {
    /// The points that index its rows.
    pub fn row_points(&self) -> Range<usize> {
        self.first_row..self.first_row + self.rows
    }

    /// The points that index its columns.
    pub fn column_points(&self) -> Range<usize> {
        self.first_column..self.first_column + self.columns
    }

    /// What its entries are.
    pub fn entries(&self) -> Entry {
        self.entries
    }

    /// Where the entry for a point of its rows and one of its columns lies in the relations of a view.
    pub fn entry(&self, row: usize, column: usize) -> usize {
        self.at + (row - self.first_row) * self.columns + (column - self.first_column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_lie_one_after_the_other() {
        let domains =
            [(2, 1, 3), (0, 5, 5), (3, 2, 0)].map(|(points, plain, references)| PointDomain {
                points,
                plain,
                references,
            });
        let relation = Relation {
            rows: 2,
            columns: 0,
            entries: Entry::Number,
        };
        let shape = Shape::new(&domains, 4, &[relation]).expect("within the limits");
        assert_eq!(shape.points(), 5);
        assert_eq!(shape.domain_points(2), 2..5);
        assert_eq!(shape.block_of(1).row_of(1), 1..2);
        assert_eq!(shape.block_of(4).row_of(4), 6..8);
        assert_eq!(shape.references_of(1), 3..6);
        assert_eq!(shape.references_of(4), 6..6);
        assert_eq!(shape.relation_entries(), 6);
        assert_eq!(shape.matrices()[0].entry(3, 1), 3);
    }

    #[test]
    fn codes_behind_the_points_are_there_for_any_number_of_points() {
        for points in [0, 1, 253, 254, 255, 1_000, MAX_POINTS] {
            let (codes, absent, none) = (codes(points), absent(points), none(points));
            assert!(points <= usize::from(absent) && absent < none);
            assert!(usize::from(none) < codes && codes <= 1 << 15);
        }
        assert_eq!((ABSENT, NONE), (254, 255));
    }

    #[test]
    fn limits_are_errors() {
        let too_many = Shape::single(MAX_POINTS + 1, 0, 0).expect_err("too many points");
        assert_eq!(too_many, ShapeError::TooManyPoints(MAX_POINTS + 1));
        assert!(matches!(
            Shape::single(254, 0, 259),
            Err(ShapeError::TooManyReferences(_))
        ));
        assert!(matches!(
            Shape::single(2, usize::MAX, 0),
            Err(ShapeError::TooManyCells)
        ));
        let relation = Relation {
            rows: 0,
            columns: 0,
            entries: Entry::Point,
        };
        assert_eq!(
            Shape::new(&[], 0, &[relation]).expect_err("no domain"),
            ShapeError::NoSuchDomain(0)
        );
    }
}
