//! The meaning of the values of cells: those that stand for points, and their images under a labelling.
//!
//! A view knows points by numbers from 0 on, and everything else that a reference may hold by codes above
//! them. So each sort of references has tables from values to codes. Values that nobody expects (30000 for "nobody") get
//! a code when they are first met, out of a small reserve; a code once given stays. A value that has none is *odd*: a state
//! with one is left as it is, which is sound.
//!
//! A reference to a channel becomes the point that the channel belongs to (two points for a channel in an array of two
//! dimensions), and where a point has several channels of the class, a number that says which. So does a number of a process
//! where a point stands for several processes.

use super::coordinates::{Cells, Coordinate, Step};
use super::points::{Block, Part, Points, origin};
use mandala_canon::{Point, absent, codes as codes_of};
use mandala_encoding::Places;
use mandala_symmetry::sorts::{Sort, Sorts};
use std::collections::{BTreeMap, BTreeSet};

/// Marks the code of a value that has none.
pub(crate) const ODD: u16 = 1 << 15;

/// From values to codes.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    /// The value that the first code belongs to.
    min: i64,
    codes: Vec<u16>,
    /// What all other values have.
    outside: u16,
    /// Values that were met although they are not in the table, and their codes.
    strangers: Vec<(i64, u16)>,
    /// Codes for more of them.
    reserve: Vec<Point>,
}

impl Codes {
    fn new(min: i64, length: usize) -> Self {
        Codes {
            min,
            codes: vec![ODD; length],
            outside: ODD,
            strangers: Vec::new(),
            reserve: Vec::new(),
        }
    }

    /// A table that says zero of every value.
    fn zeroes(min: i64, length: usize) -> Self {
        let mut table = Codes::new(min, length);
        table.codes.fill(0);
        table.outside = 0;
        table
    }

    fn set(&mut self, value: i64, code: Point) {
        self.codes[(value - self.min) as usize] = code;
    }

    fn has(&self, value: i64) -> bool {
        self.get(value) < ODD
    }

    /// The code of a value, or [`ODD`].
    #[inline]
    pub fn get(&self, value: i64) -> u16 {
        let index = value.wrapping_sub(self.min) as u64 as usize;
        match self.codes.get(index) {
            Some(code) if *code != ODD => *code,
            _ => self.unexpected(value),
        }
    }

    #[cold]
    fn unexpected(&self, value: i64) -> u16 {
        let known = self
            .strangers
            .iter()
            .find(|(stranger, _)| *stranger == value);
        known.map_or(self.outside, |(_, code)| *code)
    }

    /// Gives a code to a value that has none, if there is one left. Says whether it did.
    pub fn learn(&mut self, value: i64) -> bool {
        if self.has(value) {
            return false;
        }
        let code = self.reserve.pop();
        let learnt = code.map(|code| (value, code));
        self.strangers.extend(learnt);
        learnt.is_some()
    }
}

/// The points that a value refers to, and in which manner: those that refer to other points in the same manner become each other where those do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Referent {
    /// One, twice, or two.
    pub points: [Point; 2],
    pub manner: i32,
}

/// From values to the values that a labelling makes of them.
#[derive(Clone, Debug)]
pub(crate) struct Renamed {
    min: i64,
    values: Vec<i64>,
    movers: Vec<Mover>,
    /// What the movers become, by the positions of their points.
    targets: Vec<i64>,
}

/// A value that moves with one or two points.
#[derive(Clone, Copy, Debug)]
struct Mover {
    value: u32,
    /// Where the targets are, less what the first positions add.
    base: i32,
    row: Point,
    row_weight: i32,
    column: Point,
    column_weight: i32,
}

impl Renamed {
    fn new(min: i64, length: usize) -> Self {
        Renamed {
            min,
            values: (min..).take(length).collect(),
            movers: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Adds the values that move with the points of a block, in the order of the points.
    fn add_row(&mut self, block: &Block, values: &[i64]) {
        let base = self.targets.len() as i32 - i32::from(block.first);
        self.targets.extend(values);
        for (point, value) in block.points().zip(values) {
            self.movers.push(Mover {
                value: (value - self.min) as u32,
                base,
                row: point as Point,
                row_weight: 1,
                column: point as Point,
                column_weight: 0,
            });
        }
    }

    /// Adds the values that move with the points of two blocks, row by row.
    fn add_matrix(&mut self, rows: &Block, columns: &Block, values: &[i64]) {
        let width = columns.size() as i32;
        let firsts = i32::from(rows.first) * width + i32::from(columns.first);
        let base = self.targets.len() as i32 - firsts;
        self.targets.extend(values);
        let pairs = rows
            .points()
            .flat_map(|r| columns.points().map(move |c| (r, c)));
        for ((row, column), value) in pairs.zip(values) {
            self.movers.push(Mover {
                value: (value - self.min) as u32,
                base,
                row: row as Point,
                row_weight: width,
                column: column as Point,
                column_weight: 1,
            });
        }
    }

    /// The least value in the table.
    pub fn least(&self) -> i64 {
        self.min
    }

    /// By value, from the least on, what it refers to.
    pub fn referents(&self) -> Vec<Option<Referent>> {
        let mut referents = vec![None; self.values.len()];
        for mover in &self.movers {
            referents[mover.value as usize] = Some(Referent {
                points: match mover.column_weight {
                    0 => [mover.row, mover.row],
                    _ => [mover.row, mover.column],
                },
                manner: mover.base,
            });
        }
        referents
    }

    /// Prepares for a labelling, given as a table of positions.
    #[inline]
    pub fn follow(&mut self, positions: &[Point]) {
        for mover in &self.movers {
            let row = i32::from(positions[usize::from(mover.row)]) * mover.row_weight;
            let column = i32::from(positions[usize::from(mover.column)]) * mover.column_weight;
            let target = (mover.base + row + column) as usize;
            self.values[mover.value as usize] = self.targets[target];
        }
    }

    /// What a value that has a code becomes.
    #[inline]
    pub fn image(&self, value: i64) -> i64 {
        let index = value.wrapping_sub(self.min) as u64 as usize;
        self.values.get(index).copied().unwrap_or(value)
    }
}

/// How references of one sort are read and written.
#[derive(Clone, Debug)]
pub(crate) struct Meaning {
    /// Tables to codes, one for each point that a value may stand for.
    pub codes: Vec<Codes>,
    /// A table to a number that says which of several things that a point stands for is meant.
    pub which: Option<Codes>,
    /// What the values become.
    pub renamed: Renamed,
}

/// Those sorts of cells whose values stand for points, and their meanings.
pub(crate) fn meanings(
    sorts: &Sorts,
    places: &Places,
    points: &Points,
    found: &Cells,
) -> BTreeMap<Sort, Meaning> {
    let channels = &found.channels;
    let mut meanings = BTreeMap::new();
    let sorts_found: BTreeSet<Sort> = found.cells.iter().map(|cell| cell.sort).collect();
    for sort in sorts_found {
        if points.parts_of(sort).next().is_some() {
            meanings.insert(sort, meaning_of_names(points, sort));
        }
    }
    for (class, kinds) in sorts.kinds.iter().enumerate() {
        let of_class = places.channels.iter().zip(channels).enumerate();
        let of_class = of_class.filter(|(_, (place, _))| kinds.contains(&place.kind));
        let of_class: Vec<_> = of_class.map(|(i, (_, c))| (i as i64 + 1, c)).collect();
        if of_class.iter().any(|(_, c)| !c.points.is_empty()) {
            let meaning = meaning_of_channels(points, channels.len(), &of_class);
            meanings.insert(Sort::Channel(class as u32), meaning);
        }
    }
    meanings
}

/// The least and the greatest value that a name or what stands for none is looked for among.
const LEAST: i64 = -1;
const GREATEST: i64 = 255;

fn meaning_of_names(points: &Points, sort: Sort) -> Meaning {
    let (_, offset) = origin(sort);
    let values = |part: &Part| -> Vec<i64> { part.members.iter().map(|m| m - offset).collect() };
    let all = || points.parts_of(sort).flat_map(|(_, part)| values(part));
    let min = all().fold(LEAST, |least, value| least.min(value - 1));
    let max = all().fold(GREATEST, |greatest, value| greatest.max(value + 1));
    let length = (max - min + 1) as usize;
    let (mut codes, mut renamed) = (Codes::new(min, length), Renamed::new(min, length));
    let mut which = Codes::zeroes(min, length);
    for (number, (block, part)) in (0..).zip(points.parts_of(sort)) {
        let values = values(part);
        renamed.add_row(block, &values);
        for (point, value) in block.points().zip(values) {
            codes.set(value, point as Point);
            which.set(value, number);
        }
    }
    let likely = [0, LEAST, GREATEST, min, max].into_iter().chain(min..=max);
    give_codes(&mut codes, points.total, likely);
    let firsts: BTreeSet<Point> = points
        .parts_of(sort)
        .map(|(block, _)| block.first)
        .collect();
    let ambiguous = firsts.len() < points.parts_of(sort).count();
    Meaning {
        codes: vec![codes],
        which: ambiguous.then_some(which),
        renamed,
    }
}

/// How many codes are kept for values that nobody expects.
const RESERVE: usize = 24;

/// Gives codes above the points to values that have none, as long as there are codes, and keeps some in reserve.
fn give_codes(codes: &mut Codes, points: usize, values: impl Iterator<Item = i64>) {
    let free = (points..codes_of(points)).map(|code| code as Point);
    let mut free: Vec<Point> = free.filter(|code| *code != absent(points)).collect();
    codes.reserve = free.split_off(free.len() - RESERVE.min(free.len() / 2));
    let mut free = free.into_iter();
    for value in values {
        if !codes.has(value) {
            let Some(code) = free.next() else { return };
            codes.set(value, code);
        }
    }
}

/// `channels` are the references and coordinates of those of one class; there are `count` in all.
fn meaning_of_channels(points: &Points, count: usize, channels: &[(i64, &Coordinate)]) -> Meaning {
    let moving = || channels.iter().filter(|(_, c)| !c.points.is_empty());
    let deepest = moving().map(|(_, c)| c.points.len()).max().unwrap_or(0);
    let codes = (0..deepest).map(|depth| codes_of_channels(points, count, channels, depth));
    let classes: BTreeSet<&[Step]> = moving().map(|(_, c)| c.class.as_slice()).collect();
    let classes: Vec<&[Step]> = classes.into_iter().collect();
    let mut renamed = Renamed::new(0, count + 1);
    let mut which = Codes::zeroes(0, count + 1);
    for (number, class) in classes.iter().enumerate() {
        let members: Vec<_> = moving().filter(|(_, c)| c.class == *class).collect();
        // A class that is numbered beyond all codes shares its number: that costs canonicity, no more.
        let number = number.min(usize::from(ODD) - 1) as Point;
        members.iter().for_each(|(v, _)| which.set(*v, number));
        add_class(&mut renamed, points, &members);
    }
    Meaning {
        codes: codes.collect(),
        which: (classes.len() > 1).then_some(which),
        renamed,
    }
}

/// Codes for the point at one place in the coordinates of channels.
fn codes_of_channels(
    points: &Points,
    count: usize,
    channels: &[(i64, &Coordinate)],
    depth: usize,
) -> Codes {
    let mut codes = Codes::new(0, count + 1);
    for (value, coordinate) in channels {
        match coordinate.points.get(depth) {
            Some(point) => codes.set(*value, *point),
            // The first code says that there is no point, the others need not say it again.
            None if depth > 0 => codes.set(*value, absent(points.total)),
            None => {}
        }
    }
    let resting = channels.iter().filter(|(_, c)| c.points.is_empty());
    let resting = resting.map(|(value, _)| *value);
    match depth {
        0 => give_codes(&mut codes, points.total, std::iter::once(0).chain(resting)),
        _ => codes.set(0, absent(points.total)),
    }
    codes
}

/// Adds the channels of one class, which move with the same blocks.
fn add_class(renamed: &mut Renamed, points: &Points, members: &[&(i64, &Coordinate)]) {
    let mut members: Vec<(&[Point], i64)> = members
        .iter()
        .map(|(value, c)| (c.points.as_slice(), *value))
        .collect();
    members.sort_unstable();
    let values: Vec<i64> = members.iter().map(|(_, value)| *value).collect();
    match members.first() {
        Some(([row], _)) => renamed.add_row(points.block_of(*row), &values),
        Some(([row, column], _)) => {
            let (rows, columns) = (points.block_of(*row), points.block_of(*column));
            renamed.add_matrix(rows, columns, &values);
        }
        // Channels at three points are an obstacle, and no plan is made.
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(first: Point, members: &[i64]) -> Block {
        let part = Part {
            domain: 0,
            sort: Sort::Process(0),
            first: 0,
            members: members.to_vec(),
        };
        Block {
            first,
            parts: vec![part],
        }
    }

    fn positions(moved: &[(usize, Point)]) -> Vec<Point> {
        let mut table: Vec<Point> = (0..256).collect();
        for (point, position) in moved {
            table[*point] = *position;
        }
        table
    }

    #[test]
    fn names_follow_their_points() {
        let mut renamed = Renamed::new(-1, 257);
        renamed.add_row(&block(0, &[4, 6]), &[4, 6]);
        renamed.add_row(&block(2, &[1, 2, 3]), &[1, 2, 3]);
        renamed.follow(&positions(&[(0, 1), (1, 0), (2, 3), (3, 4), (4, 2)]));
        let images = [4, 6, 1, 2, 3, 5, -1, 255].map(|v| renamed.image(v));
        assert_eq!(images, [6, 4, 2, 3, 1, 5, -1, 255]);
    }

    #[test]
    fn values_of_two_points_follow_both() {
        let mut renamed = Renamed::new(0, 8);
        let (rows, columns) = (block(0, &[0, 1]), block(2, &[0, 1, 2]));
        renamed.add_matrix(&rows, &columns, &[1, 2, 3, 4, 5, 6]);
        renamed.follow(&positions(&[(0, 1), (1, 0), (2, 3), (3, 2)]));
        let images = [0, 1, 2, 3, 4, 5, 6, 7].map(|v| renamed.image(v));
        assert_eq!(images, [0, 5, 4, 6, 2, 1, 3, 7]);
    }

    #[test]
    fn what_is_no_name_has_a_code_of_its_own() {
        let points = Points {
            blocks: vec![block(0, &[3, 4, 5])],
            total: 3,
            ..Points::default()
        };
        let off_by_one = meaning_of_names(&points, Sort::Process(1));
        assert_eq!([2, 3, 4].map(|v| off_by_one.codes[0].get(v)), [0, 1, 2]);
        let mut meaning = meaning_of_names(&points, Sort::Process(0));
        let codes = &mut meaning.codes[0];
        assert_eq!([3, 4, 5].map(|v| codes.get(v)), [0, 1, 2]);
        // Not expected, but met.
        for stranger in [252, -30_000, i64::MAX] {
            assert_eq!(codes.get(stranger), ODD);
            assert!(codes.learn(stranger));
            assert!(!codes.learn(stranger), "it has a code already");
        }
        let others = [-1, 0, 1, 2, 6, 7, 252, 255, -30_000, i64::MAX];
        let others: BTreeSet<u16> = others.map(|v| codes.get(v)).into();
        assert_eq!(others.len(), 10);
        assert!(
            others
                .iter()
                .all(|c| (3..256).contains(c) && *c != absent(3))
        );
        assert_eq!(codes.get(i64::MIN), ODD);
        let learnt = (1_000..2_000).filter(|v| codes.learn(*v)).count();
        assert_eq!(learnt, RESERVE - 3, "the reserve ends");
    }
}
