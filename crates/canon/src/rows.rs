//! The first colours: points sorted by their rows, and points with equal rows by first reference.
//!
//! Where points do not know of each other this is the whole canonical form. Two points with equal rows can
//! differ only by where they occur in the list of shared references; a point that does occur is told from
//! all others by the first place where it does. So the key of a point is (row, first place in the list,
//! if any), and points with equal keys are interchangeable. The rule must compare the *ids* in the
//! list; comparing the local states of the points they name (Wahl and Donaldson 2010, section 4.2, as
//! printed) merges states that are not equivalent.
//!
//! A key is one 64-bit integer: the row, the first place, the point itself. Control locations and locals are small
//! numbers in nearly all states, so a row is packed with as many bits per cell as the largest number in this
//! cell needs, *in this state*: that does not depend on the names of the points, keeps the order of rows, and
//! makes most rows of a dozen cells fit. No two keys are equal, so a [sorting network](crate::networks) sorts them.
//! Where rows do not fit, the cells left over are compared one by one if those in the key do not decide.
//!
//! How many bits the cells need is known from the states before: only where a number does not fit are the widths chosen again. As long as whole rows fit, their order is the
//! same whatever the widths are. Where points do not know of each other, nothing but the order of the keys is wanted, so no cells are cut.
//!
//! Rejected: to leave out cells that are the same in all rows of a state. To find them takes as long as they would: 126 ns
//! instead of 118 for a representative of Peterson's algorithm with 5 processes, 597 instead of 578 in a system of three tiers.

use crate::networks;
use crate::partition::Partition;
use crate::shape::{Block, Point, Shape};
use crate::view::View;

/// The place in the list of shared references of a point that does not occur there.
const NOWHERE: u16 = u16::MAX;

/// Where the parts of a key are: the row, the first place, the point.
#[derive(Clone, Copy, Debug)]
struct Bits {
    /// Of the point.
    point: u32,
    /// Of the point and the first place.
    tail: u32,
}

impl Bits {
    fn new(shape: &Shape) -> Self {
        // The fewer bits a point has, the more of a row there is room for.
        let point = match shape.points() {
            ..=256 => 8,
            _ => Point::BITS,
        };
        Self {
            point,
            tail: point + u16::BITS,
        }
    }

    /// Of the row.
    fn row(self) -> u32 {
        u64::BITS - self.tail
    }

    /// The point of a key.
    fn point_of(self, key: u64) -> Point {
        (key & !(u64::MAX << self.point)) as Point
    }
}

/// Scratch space for sorting.
#[derive(Clone, Debug)]
pub(crate) struct RowSorter {
    bits: Bits,
    keys: Vec<u64>,
    first_places: Vec<u16>,
    /// For each cell of a row, the bits in which numbers of this cell are set; then how many bits it gets.
    widths: Vec<u32>,
    /// For each block, widths in which whole rows have fitted so far; none if they have not.
    fitting: Vec<Vec<u32>>,
}

/// The rows of a domain and how many cells of each are in the keys.
#[derive(Clone, Copy)]
struct Rows<'a> {
    block: &'a Block,
    plain: &'a [u32],
    packed: usize,
    bits: Bits,
}

impl RowSorter {
    pub(crate) fn new(shape: &Shape) -> Self {
        let cells = shape.blocks().iter().map(|block| block.domain.plain);
        Self {
            bits: Bits::new(shape),
            keys: vec![0; shape.points().max(networks::WIDEST)],
            first_places: vec![NOWHERE; shape.codes()],
            widths: Vec::with_capacity(cells.max().unwrap_or(0)),
            fitting: shape
                .blocks()
                .iter()
                .map(|b| vec![0; b.domain.plain])
                .collect(),
        }
    }

    /// Makes the partition that the rows and the shared references give.
    pub(crate) fn sort(&mut self, shape: &Shape, view: &View, partition: &mut Partition) {
        self.sort_blocks(shape, view, partition, Self::cut_into_cells);
    }

    /// Puts the points of a partition in order and says how many cells there are, but not where they are.
    pub(crate) fn order(&mut self, shape: &Shape, view: &View, partition: &mut Partition) {
        self.sort_blocks(shape, view, partition, Self::put_in_order);
    }

    #[inline(always)]
    fn sort_blocks(
        &mut self,
        shape: &Shape,
        view: &View,
        partition: &mut Partition,
        take_over: impl Fn(&Self, Rows, &mut Partition),
    ) {
        self.note_first_places(view.shared);
        partition.cells = 0;
        for (number, block) in shape.blocks().iter().enumerate() {
            let rows = self.make_keys(number, block, view.plain);
            self.sort_keys(rows);
            take_over(self, rows, partition);
        }
        self.forget_first_places(view.shared);
    }

    /// Makes the keys of the points of a block.
    fn make_keys<'a>(&mut self, number: usize, block: &'a Block, plain: &'a [u32]) -> Rows<'a> {
        let whole = Rows {
            block,
            plain,
            packed: block.domain.plain,
            bits: self.bits,
        };
        if write_keys(
            &mut self.keys,
            &self.first_places,
            whole,
            &self.fitting[number],
        ) {
            return whole;
        }
        let packed = self.choose_widths(block, plain);
        let rows = Rows { packed, ..whole };
        if rows.are_packed() {
            self.fit(number);
        }
        write_keys(
            &mut self.keys,
            &self.first_places,
            rows,
            &self.widths[..packed],
        );
        rows
    }

    /// Remembers widths in which the rows of this state fit, and those before, if there are such.
    fn fit(&mut self, number: usize) {
        let fitting = &mut self.fitting[number];
        let both = fitting.iter_mut().zip(&self.widths);
        both.for_each(|(width, wanted)| *width = (*width).max(*wanted));
        if fitting.iter().sum::<u32>() > self.bits.row() {
            fitting.clone_from(&self.widths);
        }
    }

    fn note_first_places(&mut self, shared: &[Point]) {
        let first_places = &mut self.first_places[..];
        for (place, &point) in shared.iter().enumerate().rev() {
            first_places[usize::from(point)] = place as u16;
        }
    }

    fn forget_first_places(&mut self, shared: &[Point]) {
        let first_places = &mut self.first_places[..];
        for &point in shared {
            first_places[usize::from(point)] = NOWHERE;
        }
    }

    /// Gives each cell of the rows the bits it needs; returns how many cells fit.
    fn choose_widths(&mut self, block: &Block, plain: &[u32]) -> usize {
        let cells = block.domain.plain;
        self.widths.clear();
        self.widths.resize(cells, 0);
        if cells == 0 {
            return 0;
        }
        for row in plain[block.rows()].chunks_exact(cells) {
            for (width, &cell) in self.widths.iter_mut().zip(row) {
                *width |= cell;
            }
        }
        let mut left = self.bits.row();
        for (place, width) in self.widths.iter_mut().enumerate() {
            *width = u32::BITS - width.leading_zeros();
            if *width > left {
                return place;
            }
            left -= *width;
        }
        cells
    }

    fn sort_keys(&mut self, rows: Rows) {
        let length = rows.block.domain.points;
        if self.keys[..length].is_sorted() && rows.are_packed() {
            return;
        }
        if rows.are_packed() {
            return networks::sort(&mut self.keys, length);
        }
        self.keys[..length].sort_unstable_by(|&a, &b| {
            let cells = (a >> rows.bits.tail).cmp(&(b >> rows.bits.tail));
            cells
                .then_with(|| rows.rest(a).cmp(rows.rest(b)))
                .then_with(|| a.cmp(&b))
        });
    }

    /// Takes over the order of the points, and counts cells.
    fn put_in_order(&self, rows: Rows, partition: &mut Partition) {
        let block = rows.block;
        let keys = &self.keys[..block.domain.points];
        for (place, key) in partition.points[block.points()].iter_mut().zip(keys) {
            *place = rows.bits.point_of(*key);
        }
        let borders = keys
            .windows(2)
            .filter(|pair| !rows.are_alike(pair[0], pair[1]));
        partition.cells += usize::from(!keys.is_empty()) + borders.count();
    }

    /// Where cells begin is random: no branch depends on it.
    fn cut_into_cells(&self, rows: Rows, partition: &mut Partition) {
        let first = rows.block.first;
        let mut start = first;
        let mut before = !self.keys[0];
        // Slices, so that where they are need not be looked up again after every write.
        let points = &mut partition.points[rows.block.points()];
        let (colours, lengths) = (&mut partition.colours[..], &mut partition.lengths[..]);
        let mut cells = 0;
        for ((&key, place), position) in self.keys.iter().zip(points).zip(first..) {
            let begins = !rows.are_alike(before, key);
            before = key;
            start = if begins { position } else { start };
            cells += usize::from(begins);
            *place = rows.bits.point_of(key);
            colours[usize::from(*place)] = start as Point;
            lengths[start] = (position + 1 - start) as Point;
        }
        partition.cells += cells;
    }
}

/// Writes the keys of the points of a block, in which the first cells of each row have these widths. False if a number does not fit.
#[inline]
fn write_keys(keys: &mut [u64], first_places: &[u16], rows: Rows, widths: &[u32]) -> bool {
    let mut over = 0;
    let Bits { point: shift, tail } = rows.bits;
    for (key, point) in keys.iter_mut().zip(rows.block.points()) {
        let row = &rows.plain[rows.block.row_of(point)];
        let mut packed = 0;
        for (&cell, &width) in row.iter().zip(widths) {
            let cell = u64::from(cell);
            over |= cell >> width;
            packed = packed << width | cell;
        }
        let place = u64::from(first_places[point]);
        *key = packed << tail | place << shift | point as u64;
    }
    over == 0
}

impl<'a> Rows<'a> {
    fn are_packed(&self) -> bool {
        self.packed == self.block.domain.plain
    }

    /// The cells of a row that are not in its key.
    fn rest(&self, key: u64) -> &'a [u32] {
        let row = self.block.row_of(self.bits.point_of(key).into());
        &self.plain[row.start + self.packed..row.end]
    }

    /// Whether two keys differ in nothing but the point.
    fn are_alike(&self, a: u64, b: u64) -> bool {
        a >> self.bits.point == b >> self.bits.point
            && (self.are_packed() || self.rest(a) == self.rest(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(shape: &Shape, plain: &[u32], shared: &[Point]) -> Vec<Vec<Point>> {
        let view = View::new(shape, plain, &[], shared, &[]).expect("fits");
        let mut partition = Partition::discrete(shape.points());
        RowSorter::new(shape).sort(shape, &view, &mut partition);
        let mut ordered = Partition::discrete(shape.points());
        RowSorter::new(shape).order(shape, &view, &mut ordered);
        assert_eq!(
            (ordered.points, ordered.cells),
            (partition.points.clone(), partition.cells)
        );
        let mut cells = Vec::new();
        let mut start = 0;
        while start < shape.points() {
            cells.push(partition.cell(start as Point).to_vec());
            start += cells.last().map_or(1, Vec::len);
        }
        assert_eq!(partition.cells, cells.len());
        cells
    }

    #[test]
    fn rows_are_sorted_cell_by_cell() {
        let shape = Shape::single(4, 2, 0).expect("small");
        let plain = [2, 0, 1, 9, 2, 0, 1, 8];
        assert_eq!(cells(&shape, &plain, &[]), [vec![3], vec![1], vec![0, 2]]);
    }

    #[test]
    fn what_states_before_had_in_their_rows_does_not_matter() {
        let shape = Shape::single(4, 3, 0).expect("small");
        let mut sorter = RowSorter::new(&shape);
        let big = 1 << 20;
        let states: [[u32; 12]; 5] = [
            [1, 0, 0, 0, 0, 1, 0, 2, 0, 1, 0, 0],
            [1, big, 0, 0, big, 1, 0, 2, 0, 1, 0, 0],
            [big, 0, 0, 0, 0, big, 0, 2, 0, big, 0, 0],
            [u32::MAX, 1, 2, 3, u32::MAX, 2, 1, 1, u32::MAX, 9, 9, 9],
            [1, 0, 0, 0, 0, 1, 0, 2, 0, 1, 0, 0],
        ];
        for plain in states.iter().cycle().take(15) {
            let view = View::new(&shape, plain, &[], &[], &[]).expect("fits");
            let (mut met, mut fresh) = (Partition::discrete(4), Partition::discrete(4));
            sorter.sort(&shape, &view, &mut met);
            RowSorter::new(&shape).sort(&shape, &view, &mut fresh);
            assert_eq!(
                (&met.points, met.cells),
                (&fresh.points, fresh.cells),
                "{plain:?}"
            );
            assert_eq!(met.colours, fresh.colours);
        }
    }

    #[test]
    fn long_rows_are_told_apart_by_their_ends() {
        let shape = Shape::single(3, 5, 0).expect("small");
        let plain = [1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2];
        assert_eq!(cells(&shape, &plain, &[]), [vec![1], vec![0, 2]]);
        // Too large to be packed: the second cell decides, then the third.
        let big = u32::MAX;
        let plain = [1, big, 9, 0, 0, 1, big, 8, 0, 0, 1, 7, big, 0, 0];
        assert_eq!(cells(&shape, &plain, &[]), [vec![2], vec![1], vec![0]]);
        let plain = [big, big, 9, 0, 0, big, big, 9, 0, 0, big, 7, big, 0, 0];
        assert_eq!(cells(&shape, &plain, &[]), [vec![2], vec![0, 1]]);
        let plain = [2, big, big, 0, 0, 1, big, big, 0, 0, 1, big, big, 0, 0];
        assert_eq!(cells(&shape, &plain, &[]), [vec![1, 2], vec![0]]);
    }

    #[test]
    fn the_first_reference_decides_between_equal_rows() {
        let domain = crate::shape::PointDomain {
            points: 5,
            plain: 1,
            references: 0,
        };
        let shape = Shape::new(&[domain], 4, &[]).expect("small");
        let found = cells(&shape, &[0, 0, 0, 0, 7], &[3, 255, 1, 3]);
        assert_eq!(found, [vec![3], vec![1], vec![0, 2], vec![4]]);
    }
}
