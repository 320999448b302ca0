//! The flat byte form of a state's view: what the strategies that try permutations work on.
//!
//! One block of bytes that is compared as it lies, in the order in which images are compared everywhere
//! ([`mandala_canon::compare`]): the rank of each point's plain row, the references of all points column by column, the
//! shared references, the relations. A permutation only does two things to it, which is what makes vector
//! instructions fit: bytes change places, always within their *unit* (a column, a matrix), and ids change values.
//!
//! - A plain row becomes one byte: its cells one after the other if they fit, or its rank among the rows of its domain in this
//!   state. Comparing these is comparing rows, and no permutation changes them.
//! - An id becomes a code at the upper end of the bytes: with n points, point p is 256 - n + p. A value that is no point is
//!   below, so it comes before all points and cannot be taken for one; nor can a rank.
//! - A number in a relation is taken as it is if it is small enough, otherwise it becomes its rank in the relation.
//! - Units that bytes move in lie within windows of 16 bytes where they fit (then 64, 128, 256), so that moving them
//!   takes one instruction.
//!
//! Views that do not fit into bytes (more than 128 points, relations with about 256 entries or more) have groups so large that
//! no strategy tries all permutations; for them [`Route`] takes the least image without writing any, as `full` does.

use mandala_canon::strategies::Full;
use mandala_canon::walk::Walk;
use mandala_canon::{Entry, Labeller, Labelling, Labels, Point, Shape, View};
use mandala_encoding::shuffle::{Arrangement, CHUNK, Chunk, Reach, Rearrangement, Substitution};
use std::ops::Range;

#[cfg(test)]
mod tests;

/// So many rows are ranked by comparing each with each. When rows were always sorted, a representative of 12 philosophers took
/// 365 ns instead of 204.
const FEW_ROWS: usize = 24;

/// The most points of a view in bytes: then codes of points and ranks of rows do not meet.
pub(super) const MOST_POINTS: usize = 128;

/// Where everything lies in the byte form of the views of one shape.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    shape: Shape,
    units: Vec<Unit>,
    reach: Reach,
    chunks: usize,
    /// Points in the order of their rows.
    order: Vec<usize>,
    /// Values of a relation in their order, each once; or the bits in which the cells of rows differ.
    values: Vec<u32>,
    /// The cells in which rows differ, and how many bits it takes to tell them apart.
    varying: Vec<(usize, u32)>,
    /// Rows as numbers.
    keys: Vec<u64>,
}

/// A part of the form, from a byte on.
#[derive(Clone, Debug)]
struct Unit {
    at: usize,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// The ranks of the rows of a domain.
    Ranks { domain: usize },
    /// One reference cell of all points of a domain.
    Column { domain: usize, column: usize },
    /// The shared references.
    Shared,
    /// A relation.
    Matrix { number: usize },
}

impl Layout {
    /// The layout for the views of a shape, unless they do not fit into bytes.
    pub fn new(shape: &Shape) -> Option<Self> {
        let mut layout = Self {
            shape: shape.clone(),
            units: Vec::new(),
            reach: Reach::Lane,
            chunks: 0,
            order: Vec::with_capacity(shape.points()),
            values: Vec::new(),
            varying: Vec::new(),
            keys: Vec::new(),
        };
        let kinds = layout.kinds();
        let longest = kinds.iter().map(|kind| layout.bound_length(kind)).max();
        layout.reach = Reach::of(longest.unwrap_or(0))?;
        layout.place(kinds);
        layout.fits().then_some(layout)
    }

    /// The kinds of units in the order in which images are compared.
    fn kinds(&self) -> Vec<Kind> {
        let domains = 0..self.shape.domains();
        let mut kinds = Vec::new();
        kinds.extend(domains.clone().map(|domain| Kind::Ranks { domain }));
        for domain in domains {
            let columns = 0..self.shape.domain(domain).map_or(0, |d| d.references);
            kinds.extend(columns.map(|column| Kind::Column { domain, column }));
        }
        kinds.push(Kind::Shared);
        let matrices = 0..self.shape.matrices().len();
        kinds.extend(matrices.map(|number| Kind::Matrix { number }));
        kinds
    }

    fn length(&self, kind: &Kind) -> usize {
        match kind {
            Kind::Ranks { domain } | Kind::Column { domain, .. } => {
                self.shape.domain_points(*domain).len()
            }
            Kind::Shared => self.shape.shared_cells(),
            Kind::Matrix { number } => {
                let matrix = &self.shape.matrices()[*number];
                matrix.row_points().len() * matrix.column_points().len()
            }
        }
    }

    /// The length within which bytes of a unit move. Shared references do not.
    fn bound_length(&self, kind: &Kind) -> usize {
        match kind {
            Kind::Shared => 0,
            _ => self.length(kind),
        }
    }

    /// Lays the units one after the other, none across the border of a window if its bytes move.
    fn place(&mut self, kinds: Vec<Kind>) {
        let window = self.reach.bytes();
        let mut next: usize = 0;
        for kind in kinds {
            if next % window + self.bound_length(&kind) > window {
                next = next.next_multiple_of(window);
            }
            let at = next;
            next += self.length(&kind);
            self.units.push(Unit { at, kind });
        }
        let chunks = next.div_ceil(CHUNK).max(1);
        self.chunks = chunks.next_multiple_of(self.reach.chunks());
    }

    /// Whether there are enough codes whatever the view holds.
    fn fits(&self) -> bool {
        let points = self.shape.points();
        let has_codes = |unit: &Unit| match unit.kind {
            Kind::Matrix { .. } => self.length(&unit.kind) + points <= 256,
            _ => true,
        };
        (1..=MOST_POINTS).contains(&points) && self.units.iter().all(has_codes)
    }

    /// The length of the form in chunks.
    pub fn chunks(&self) -> usize {
        self.chunks
    }

    /// The length of the form in bytes.
    pub fn bytes(&self) -> usize {
        self.chunks * CHUNK
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.shape.points()
    }

    /// The code of a point. What is not a point has a smaller one.
    pub fn code(&self, point: Point) -> u8 {
        (point as u8).wrapping_sub(self.points() as u8)
    }

    /// The smallest code of a point.
    fn lowest(&self) -> u8 {
        self.code(0)
    }

    /// Where ids are: the strategies that go from cell to cell look at nothing else.
    pub fn ids(&self) -> Vec<Range<usize>> {
        let holds_ids = |unit: &&Unit| match unit.kind {
            Kind::Ranks { .. } => false,
            Kind::Column { .. } | Kind::Shared => true,
            Kind::Matrix { number } => self.shape.matrices()[number].entries() == Entry::Point,
        };
        let units = self.units.iter().filter(holds_ids);
        let range = |unit: &Unit| unit.at..unit.at + self.length(&unit.kind);
        units.map(range).filter(|range| !range.is_empty()).collect()
    }
}

/// From views to forms.
impl Layout {
    /// Writes the form of a view; bytes between the units are left as they are.
    pub fn write(&mut self, view: &View, form: &mut [u8]) {
        for number in 0..self.units.len() {
            let unit = &self.units[number];
            let end = unit.at + self.length(&unit.kind);
            let bytes = &mut form[unit.at..end];
            match unit.kind {
                Kind::Ranks { domain } => self.write_ranks(view, domain, bytes),
                Kind::Column { domain, column } => self.write_column(view, domain, column, bytes),
                Kind::Shared => self.write_codes(view.shared().iter(), bytes),
                Kind::Matrix { number } => self.write_matrix(view, number, bytes),
            }
        }
    }

    fn write_codes<'a>(&self, targets: impl Iterator<Item = &'a Point>, bytes: &mut [u8]) {
        for (byte, &target) in bytes.iter_mut().zip(targets) {
            *byte = self.code(target);
        }
    }

    fn write_column(&self, view: &View, domain: usize, column: usize, bytes: &mut [u8]) {
        let points = self.shape.domain_points(domain);
        let width = self.shape.domain(domain).map_or(1, |d| d.references);
        if !points.is_empty() {
            let first = self.shape.references_of(points.start as Point).start;
            let cells = view.references()[first + column..].iter();
            self.write_codes(cells.step_by(width), bytes);
        }
    }

    fn write_ranks(&mut self, view: &View, domain: usize, bytes: &mut [u8]) {
        let width = self.shape.domain(domain).map_or(0, |d| d.plain);
        if width == 0 || bytes.is_empty() {
            return bytes.fill(0);
        }
        let first = self.shape.domain_points(domain).start;
        let start = self.shape.row_of(first as Point).start;
        let rows = &view.plain()[start..start + bytes.len() * width];
        if width == 1 && rows.iter().all(|&cell| cell < u32::from(self.lowest())) {
            // Numbers that are bytes already.
            return write_numbers(rows, bytes);
        }
        if !self.pack_rows(rows, width) {
            return self.rank_by_comparing(rows, width, bytes);
        }
        if self.keys.iter().all(|&key| key < u64::from(self.lowest())) {
            return write_numbers(&self.keys, bytes);
        }
        match self.keys.len() {
            ..=FEW_ROWS => self.rank_by_counting(bytes),
            _ => self.rank_by_comparing(rows, width, bytes),
        }
    }

    /// Makes one number of each row, in the order of the rows: each cell gets as many bits as it takes to tell the rows of this
    /// state apart by it, and none if it is the same in all of them. False if that is more than a number has.
    fn pack_rows(&mut self, rows: &[u32], width: usize) -> bool {
        self.find_differences(rows, width);
        let bits = self.varying.iter().map(|(_, bits)| bits).sum::<u32>();
        if bits > u64::BITS {
            return false;
        }
        let varying = &self.varying;
        let key = |row: &[u32]| {
            varying.iter().fold(0, |key, &(cell, bits)| {
                key << bits | u64::from(row[cell]) & !(u64::MAX << bits)
            })
        };
        self.keys.clear();
        self.keys.extend(rows.chunks_exact(width).map(key));
        true
    }

    /// Finds the cells in which rows differ. Most do not in most states: the messages of channels that are empty.
    fn find_differences(&mut self, rows: &[u32], width: usize) {
        self.values.clear();
        self.values.resize(width, 0);
        for row in rows.chunks_exact(width) {
            for ((differs, first), cell) in self.values.iter_mut().zip(rows).zip(row) {
                *differs |= first ^ cell;
            }
        }
        let bits = |differs: u32| u32::BITS - differs.leading_zeros();
        let cells = self.values.iter().enumerate();
        let varying = cells.filter(|(_, differs)| **differs != 0);
        self.varying.clear();
        let varying = varying.map(|(cell, &differs)| (cell, bits(differs)));
        self.varying.extend(varying);
    }

    /// The rank of a row is the number of rows that are less: no branch depends on what is in them.
    fn rank_by_counting(&self, bytes: &mut [u8]) {
        for (byte, key) in bytes.iter_mut().zip(&self.keys) {
            let less = |other: &u64| u8::from(other < key);
            *byte = self.keys.iter().map(less).sum();
        }
    }

    fn rank_by_comparing(&mut self, rows: &[u32], width: usize, bytes: &mut [u8]) {
        let row = |point: usize| &rows[point * width..(point + 1) * width];
        self.order.clear();
        self.order.extend(0..bytes.len());
        self.order.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
        let (mut rank, mut before) = (0, self.order[0]);
        for &point in &self.order {
            rank += u8::from(row(before) != row(point));
            bytes[point] = rank;
            before = point;
        }
    }

    fn write_matrix(&mut self, view: &View, number: usize, bytes: &mut [u8]) {
        let matrix = self.shape.matrices()[number];
        if bytes.is_empty() {
            return;
        }
        let start = matrix.entry(matrix.row_points().start, matrix.column_points().start);
        let entries = &view.relations()[start..start + bytes.len()];
        match matrix.entries() {
            Entry::Number => self.write_plain_matrix(entries, bytes),
            Entry::Point => self.write_id_matrix(entries, bytes),
        }
    }

    fn write_plain_matrix(&mut self, entries: &[u32], bytes: &mut [u8]) {
        if entries
            .iter()
            .all(|&entry| entry < u32::from(self.lowest()))
        {
            return write_numbers(entries, bytes);
        }
        self.sort_values(entries, 0);
        for (byte, entry) in bytes.iter_mut().zip(entries) {
            *byte = self.rank_of_value(entry);
        }
    }

    fn write_id_matrix(&mut self, entries: &[u32], bytes: &mut [u8]) {
        let points = self.points() as u32;
        let are_small = entries.iter().all(|&entry| entry < 256);
        if !are_small {
            self.sort_values(entries, points);
        }
        for (byte, entry) in bytes.iter_mut().zip(entries) {
            *byte = if are_small || *entry < points {
                self.code(*entry as Point)
            } else {
                self.rank_of_value(entry)
            };
        }
    }

    /// Collects the values from a lowest one on.
    fn sort_values(&mut self, entries: &[u32], lowest: u32) {
        self.values.clear();
        let values = entries.iter().filter(|&&entry| entry >= lowest);
        self.values.extend(values);
        self.values.sort_unstable();
        self.values.dedup();
    }

    fn rank_of_value(&self, value: &u32) -> u8 {
        self.values.binary_search(value).unwrap_or(0) as u8
    }
}

/// Writes numbers that are small enough.
fn write_numbers<T: Copy + TryInto<u8>>(numbers: &[T], bytes: &mut [u8]) {
    for (byte, &number) in bytes.iter_mut().zip(numbers) {
        *byte = number.try_into().unwrap_or(u8::MAX);
    }
}

/// What a permutation does to forms.
impl Layout {
    /// Calls the function with each byte of the units and the byte that comes there.
    pub fn for_each_source(&self, labels: &Labels, mut see: impl FnMut(usize, usize)) {
        let points = labels.points();
        for unit in &self.units {
            match unit.kind {
                Kind::Ranks { domain } | Kind::Column { domain, .. } => {
                    let positions = self.shape.domain_points(domain);
                    let first = positions.start;
                    for (at, &point) in (unit.at..).zip(&points[positions]) {
                        see(at, unit.at + usize::from(point) - first);
                    }
                }
                Kind::Shared => {
                    let cells = unit.at..unit.at + self.shape.shared_cells();
                    cells.for_each(|at| see(at, at));
                }
                Kind::Matrix { number } => {
                    self.for_each_entry(points, number, |to, from| {
                        see(unit.at + to, unit.at + from)
                    });
                }
            }
        }
    }

    fn for_each_entry(&self, points: &[Point], number: usize, mut see: impl FnMut(usize, usize)) {
        let matrix = &self.shape.matrices()[number];
        let (rows, columns) = (matrix.row_points(), matrix.column_points());
        let mut to = 0;
        for &row in &points[rows.clone()] {
            let start = (usize::from(row) - rows.start) * columns.len();
            for &column in &points[columns.clone()] {
                see(to, start + usize::from(column) - columns.start);
                to += 1;
            }
        }
    }

    /// The rearrangement that does nothing.
    pub fn identity(&self) -> Rearrangement {
        Rearrangement {
            places: Arrangement::identity(self.reach, self.chunks),
            values: Substitution::identity(self.lowest()),
        }
    }

    /// The rearrangement of forms that a labelling is.
    pub fn rearrangement(&self, labels: &Labels) -> Rearrangement {
        let mut by = self.identity();
        self.for_each_source(labels, |to, from| by.places.set(to, from));
        for (point, &position) in labels.positions().iter().enumerate() {
            by.values
                .set(self.code(point as Point), self.code(position));
        }
        by
    }

    /// Calls the function with the pairs of bytes that change places, one pair after the other, when the points at two
    /// positions of a domain do.
    pub fn for_each_swap(&self, (a, b): (usize, usize), mut swap: impl FnMut(usize, usize)) {
        for unit in &self.units {
            match unit.kind {
                Kind::Ranks { domain } | Kind::Column { domain, .. } => {
                    let positions = self.shape.domain_points(domain);
                    if positions.contains(&a) {
                        let start = unit.at;
                        swap(start + a - positions.start, start + b - positions.start);
                    }
                }
                Kind::Shared => {}
                Kind::Matrix { number } => {
                    self.for_each_swapped_entry((a, b), number, |one, other| {
                        swap(unit.at + one, unit.at + other);
                    });
                }
            }
        }
    }

    fn for_each_swapped_entry(
        &self,
        (a, b): (usize, usize),
        number: usize,
        mut swap: impl FnMut(usize, usize),
    ) {
        let matrix = &self.shape.matrices()[number];
        let (rows, columns) = (matrix.row_points(), matrix.column_points());
        let place = |row, column| (row - rows.start) * columns.len() + column - columns.start;
        if rows.contains(&a) {
            columns
                .clone()
                .for_each(|column| swap(place(a, column), place(b, column)));
        }
        if columns.contains(&a) {
            rows.clone()
                .for_each(|row| swap(place(row, a), place(row, b)));
        }
    }

    /// What changes places with the points at two positions, for all pairs that a walk exchanges.
    pub fn swaps(&self, walk: &Walk) -> Swaps {
        let neighbours = walk.segments().iter();
        let neighbours = neighbours.flat_map(|s| s.clone().zip(s.clone().skip(1)));
        let mut pairs: Vec<_> = neighbours.collect();
        for wheel in walk.wheels() {
            pairs.extend(wheel.turns.iter().flatten().chain(&wheel.back));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let size = self.points();
        let mut bytes = vec![Vec::new(); size * size];
        for (a, b) in pairs {
            let own = &mut bytes[a * size + b];
            self.for_each_swap((a, b), |one, other| own.push((one, other)));
        }
        Swaps { size, bytes }
    }
}

/// The pairs of bytes that change places with the points at two positions.
#[derive(Clone, Debug)]
pub(super) struct Swaps {
    size: usize,
    /// By pair of positions.
    bytes: Vec<Vec<(usize, usize)>>,
}

impl Swaps {
    #[inline]
    pub fn of(&self, (a, b): (usize, usize)) -> &[(usize, usize)] {
        &self.bytes[a * self.size + b]
    }
}

/// Exchanges two bytes of a form.
pub(super) fn swap_bytes(form: &mut [Chunk], one: usize, other: usize) {
    let first = form[one / CHUNK].0[one % CHUNK];
    let second = std::mem::replace(&mut form[other / CHUNK].0[other % CHUNK], first);
    form[one / CHUNK].0[one % CHUNK] = second;
}

/// A strategy on bytes, or for views that do not fit into them one that does without.
#[derive(Clone, Debug)]
pub(super) enum Route<T> {
    /// The strategy.
    Bytes(Box<T>),
    /// All permutations, without writing images.
    Wide(Box<Full>),
}

impl<T> Route<T> {
    /// The strategy, for the group that a walk leads through, if there is a layout.
    pub fn new(
        walk: Walk,
        shape: &Shape,
        limit: u32,
        strategy: impl FnOnce(Layout, Walk) -> T,
    ) -> Self {
        match Layout::new(shape) {
            Some(layout) => Self::Bytes(Box::new(strategy(layout, walk))),
            None => Self::Wide(Box::new(Full::along(walk, shape, limit))),
        }
    }
}

impl<T: Labeller> Labeller for Route<T> {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        match self {
            Self::Bytes(strategy) => strategy.label(view),
            Self::Wide(full) => full.label(view),
        }
    }
}
