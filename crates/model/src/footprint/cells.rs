//! Sets of cells of variables.

use std::collections::BTreeMap;
use std::ops::Range;

/// Some cells of one variable, as intervals: sorted, not empty, with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellSet {
    intervals: Vec<Range<u32>>,
}

impl CellSet {
    /// Adds the cells of an interval.
    pub fn insert(&mut self, cells: Range<u32>) {
        if cells.is_empty() {
            return;
        }
        // Most cells are added in order.
        match self.intervals.last_mut() {
            Some(last) if last.end == cells.start => return last.end = cells.end,
            Some(last) if last.end > cells.start => {}
            _ => return self.intervals.push(cells),
        }
        let first = self.intervals.partition_point(|i| i.end < cells.start);
        let end = self.intervals.partition_point(|i| i.start <= cells.end);
        match self.intervals.get(first..end) {
            Some([near, ..]) => {
                let last = self.intervals[end - 1].end;
                let joined = cells.start.min(near.start)..cells.end.max(last);
                self.intervals[first] = joined;
                self.intervals.drain(first + 1..end);
            }
            _ => self.intervals.insert(first, cells),
        }
    }

    /// True if the cell is one of them.
    pub fn contains(&self, cell: u32) -> bool {
        self.intervals.iter().any(|i| i.contains(&cell))
    }

    /// True if some cell is in both.
    pub fn overlaps(&self, other: &CellSet) -> bool {
        let meets = |a: &Range<u32>| {
            let mut others = other.intervals.iter();
            others.any(|b| a.start < b.end && b.start < a.end)
        };
        self.intervals.iter().any(meets)
    }

    /// The intervals, in order.
    pub fn intervals(&self) -> &[Range<u32>] {
        &self.intervals
    }
}

/// Some cells of several variables, which are known by `Id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells<Id> {
    variables: BTreeMap<Id, CellSet>,
}

impl<Id> Default for Cells<Id> {
    fn default() -> Self {
        Cells {
            variables: BTreeMap::new(),
        }
    }
}

impl<Id: Copy + Ord> Cells<Id> {
    /// Adds the cells of an interval of a variable.
    pub fn insert(&mut self, variable: Id, cells: Range<u32>) {
        if !cells.is_empty() {
            self.variables.entry(variable).or_default().insert(cells);
        }
    }

    /// Adds all of others.
    pub fn add(&mut self, other: &Cells<Id>) {
        for (variable, cells) in &other.variables {
            for interval in cells.intervals() {
                self.insert(*variable, interval.clone());
            }
        }
    }

    /// True if that cell of the variable is one of them.
    pub fn contains(&self, variable: Id, cell: u32) -> bool {
        let cells = self.variables.get(&variable);
        cells.is_some_and(|cells| cells.contains(cell))
    }

    /// True if some cell of some variable is in both.
    pub fn overlaps(&self, other: &Cells<Id>) -> bool {
        let meets = |(id, cells): (&Id, &CellSet)| {
            let others = other.variables.get(id);
            others.is_some_and(|others| cells.overlaps(others))
        };
        self.variables.iter().any(meets)
    }

    /// The variables with their cells, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Id, &CellSet)> {
        self.variables.iter().map(|(id, cells)| (*id, cells))
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(intervals: &[(u32, u32)]) -> CellSet {
        let mut set = CellSet::default();
        intervals
            .iter()
            .for_each(|(start, end)| set.insert(*start..*end));
        set
    }

    fn shown(set: &CellSet) -> String {
        format!("{:?}", set.intervals())
    }

    #[test]
    fn intervals_stay_sorted_and_apart() {
        assert_eq!(shown(&set(&[(5, 6), (1, 2)])), "[1..2, 5..6]");
        assert_eq!(shown(&set(&[(1, 2), (4, 5), (2, 4)])), "[1..5]");
        assert_eq!(shown(&set(&[(1, 9), (3, 4)])), "[1..9]");
        assert_eq!(shown(&set(&[(3, 3)])), "[]");
    }

    #[test]
    fn overlaps_need_a_common_cell() {
        assert!(set(&[(1, 3), (7, 9)]).overlaps(&set(&[(8, 9)])));
        assert!(!set(&[(1, 3)]).overlaps(&set(&[(3, 4)])));
        assert!(!set(&[]).overlaps(&set(&[(0, 9)])));
    }

    #[test]
    fn variables_are_told_apart() {
        let mut left = Cells::default();
        left.insert(1u8, 0..2);
        let mut right = Cells::default();
        right.insert(2u8, 0..2);
        assert!(!left.overlaps(&right));
        right.insert(1, 1..2);
        assert!(left.overlaps(&right));
        assert!(left.contains(1, 1) && !left.contains(1, 2) && !left.contains(2, 0));
    }
}
