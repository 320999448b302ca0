//! Small lists of points and sets of cells, without allocation.

use crate::labelling::BYTES;

/// A list of points, each at most once.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    items: [u8; BYTES],
    length: usize,
}

impl Points {
    pub fn new() -> Self {
        Self {
            items: [0; BYTES],
            length: 0,
        }
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.items[..self.length]
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn clear(&mut self) {
        self.length = 0;
    }

    pub fn push(&mut self, point: u8) {
        self.items[self.length] = point;
        self.length += 1;
    }

    pub fn extend(&mut self, points: &[u8]) {
        for &point in points {
            self.push(point);
        }
    }
}

/// A set of cells, by their first positions, that can be listed.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    members: [bool; BYTES],
    list: Points,
}

impl Cells {
    pub fn new() -> Self {
        Self {
            members: [false; BYTES],
            list: Points::new(),
        }
    }

    pub fn insert(&mut self, cell: u8) {
        let member = &mut self.members[usize::from(cell)];
        if !*member {
            *member = true;
            self.list.push(cell);
        }
    }

    /// Takes out any one of the cells.
    pub fn pop(&mut self) -> Option<u8> {
        let last = self.list.length.checked_sub(1)?;
        self.list.length = last;
        let cell = self.list.items[last];
        self.members[usize::from(cell)] = false;
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_each_cell_once() {
        let mut cells = Cells::new();
        for round in 0..2 {
            for cell in [3, 255, 3, 0, 255] {
                cells.insert(cell);
            }
            let mut found: Vec<u8> = std::iter::from_fn(|| cells.pop()).collect();
            found.sort_unstable();
            assert_eq!(found, [0, 3, 255], "round {round}");
        }
    }
}
