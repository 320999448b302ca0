//! Small lists of points and sets of cells, without allocation.

use crate::shape::{Point, codes};

/// A list of points, each at most once.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    items: Vec<Point>,
}

impl Points {
    /// Room for so many points.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            items: Vec::with_capacity(size),
        }
    }

    pub(crate) fn as_slice(&self) -> &[Point] {
        &self.items
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
    }

    pub(crate) fn push(&mut self, point: Point) {
        self.items.push(point);
    }

    pub(crate) fn extend(&mut self, points: &[Point]) {
        self.items.extend_from_slice(points);
    }
}

/// A set of cells, by their first positions, that can be listed.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    members: Vec<bool>,
    list: Points,
}

impl Cells {
    /// For partitions of so many points.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            members: vec![false; codes(size)],
            list: Points::new(size),
        }
    }

    pub(crate) fn insert(&mut self, cell: Point) {
        let member = &mut self.members[usize::from(cell)];
        if !*member {
            *member = true;
            self.list.push(cell);
        }
    }

    /// Takes out any one of the cells.
    pub(crate) fn pop(&mut self) -> Option<Point> {
        let cell = self.list.items.pop()?;
        self.members[usize::from(cell)] = false;
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_each_cell_once() {
        let mut cells = Cells::new(3);
        for round in 0..2 {
            for cell in [3, 255, 3, 0, 255] {
                cells.insert(cell);
            }
            let mut found: Vec<Point> = std::iter::from_fn(|| cells.pop()).collect();
            found.sort_unstable();
            assert_eq!(found, [0, 3, 255], "round {round}");
        }
    }
}
