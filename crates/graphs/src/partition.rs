//! Ordered partitions of the vertices that are refined and restored at the cost of what changes.
//!
//! The vertices stand in one array; a *cell* is a stretch of it, known by its first position, its *front*.
//! A cell is only ever split in two, the later part getting a front of its own, and each split is written to a trail.
//! Undoing it costs the size of the part that had come off, and does not restore the order *within* the
//! cell: a cell is a set.

/// One split: the cell `from` lost its later part, which became the cell `off`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) from: u32,
    pub(crate) off: u32,
}

/// An ordered partition with a trail.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    /// The vertices, cell by cell.
    order: Vec<u32>,
    /// Where each vertex stands.
    position: Vec<u32>,
    /// The cell of each vertex.
    front: Vec<u32>,
    /// The size of the cell with this front; meaningless elsewhere.
    length: Vec<u32>,
    /// How long the trail was once the cell with this front had come off another; 0 for those of the beginning.
    born: Vec<usize>,
    trail: Vec<Split>,
    open: OpenCells,
}

impl Partition {
    /// The partition by kinds, in their order.
    pub(crate) fn new(kinds: &[u32]) -> Self {
        let size = kinds.len();
        let mut order: Vec<u32> = (0..size as u32).collect();
        order.sort_by_key(|&vertex| kinds[vertex as usize]);
        let mut partition = Partition {
            position: vec![0; size],
            front: vec![0; size],
            length: vec![0; size],
            born: vec![0; size],
            trail: Vec::new(),
            open: OpenCells::new(size),
            order,
        };
        for at in 0..size {
            partition.position[partition.order[at] as usize] = at as u32;
        }
        partition.mark_cells(kinds);
        partition
    }

    fn mark_cells(&mut self, kinds: &[u32]) {
        let mut front = 0;
        for at in 0..self.order.len() {
            let vertex = self.order[at] as usize;
            if kinds[vertex] != kinds[self.order[front] as usize] {
                front = at;
            }
            self.front[vertex] = front as u32;
            self.length[front] += 1;
        }
        for front in self.fronts() {
            if self.length[front as usize] > 1 {
                self.open.push(front);
            }
        }
    }

    /// All fronts, in order.
    pub(crate) fn fronts(&self) -> Vec<u32> {
        let mut fronts = Vec::new();
        let mut at = 0;
        while at < self.order.len() as u32 {
            fronts.push(at);
            at += self.length[at as usize];
        }
        fronts
    }

    pub(crate) fn size(&self) -> usize {
        self.order.len()
    }

    /// The cell of a vertex.
    pub(crate) fn cell_of(&self, vertex: u32) -> u32 {
        self.front[vertex as usize]
    }

    /// How many vertices a cell has.
    pub(crate) fn length(&self, cell: u32) -> u32 {
        self.length[cell as usize]
    }

    /// Whether a cell came off another one since this mark. (What stays behind is the cell it was.)
    pub(crate) fn is_newer(&self, cell: u32, mark: usize) -> bool {
        self.born[cell as usize] > mark
    }

    /// The vertices of a cell.
    pub(crate) fn cell(&self, cell: u32) -> &[u32] {
        self.stretch(cell, cell + self.length(cell))
    }

    /// The vertices that stand from `start` to before `end`.
    pub(crate) fn stretch(&self, start: u32, end: u32) -> &[u32] {
        &self.order[start as usize..end as usize]
    }

    /// The first vertex of a cell.
    pub(crate) fn first(&self, cell: u32) -> u32 {
        self.order[cell as usize]
    }

    /// The cells of two or more vertices, those that became cells last first.
    pub(crate) fn open_cells(&self) -> impl Iterator<Item = u32> + '_ {
        self.open.iter()
    }

    /// The splits made so far and not undone.
    pub(crate) fn trail(&self) -> &[Split] {
        &self.trail
    }

    /// A point on the trail to return to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Brings a vertex to a place within its cell, in exchange for the one there.
    pub(crate) fn bring(&mut self, vertex: u32, place: u32) {
        let old = self.position[vertex as usize];
        let other = self.order[place as usize];
        self.put(vertex, place);
        self.put(other, old);
    }

    /// Writes a vertex at a place. The caller sees to it that the cell stays a rearrangement.
    pub(crate) fn put(&mut self, vertex: u32, place: u32) {
        self.order[place as usize] = vertex;
        self.position[vertex as usize] = place;
    }

    /// Makes what stands from `off` on a cell of its own.
    pub(crate) fn split(&mut self, from: u32, off: u32) {
        let end = from + self.length[from as usize];
        self.length[from as usize] = off - from;
        self.length[off as usize] = end - off;
        self.claim(off, off);
        self.trail.push(Split { from, off });
        self.born[off as usize] = self.trail.len();
        if end - off > 1 {
            self.open.push(off);
        }
        if off - from == 1 {
            self.open.remove(from);
        }
    }

    /// Splits a vertex off its cell, which has others. Answers the new cell.
    pub(crate) fn individualise(&mut self, vertex: u32) -> u32 {
        let from = self.cell_of(vertex);
        let last = from + self.length(from) - 1;
        self.bring(vertex, last);
        self.split(from, last);
        last
    }

    /// Undoes all splits since the mark.
    pub(crate) fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some(split) = self.trail.pop() {
                self.undo(split);
            }
        }
    }

    fn undo(&mut self, Split { from, off }: Split) {
        if self.length[from as usize] == 1 {
            self.open.restore(from);
        }
        if self.length[off as usize] > 1 {
            self.open.remove(off);
        }
        self.claim(off, from);
        self.length[from as usize] += self.length[off as usize];
    }

    /// Notes for all vertices in the stretch of `cell` that their front is `front`.
    fn claim(&mut self, cell: u32, front: u32) {
        let stretch = cell as usize..(cell + self.length[cell as usize]) as usize;
        for &vertex in &self.order[stretch] {
            self.front[vertex as usize] = front;
        }
    }
}

/// The fronts of the cells of two or more vertices, newest first: a linked list in which what was taken out
/// last can be put back where it was, because its own links are left alone.
#[derive(Clone, Debug)]
struct OpenCells {
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl OpenCells {
    /// The place past the last position is where the circle is entered.
    fn new(size: usize) -> Self {
        OpenCells {
            next: vec![size as u32; size + 1],
            previous: vec![size as u32; size + 1],
        }
    }

    fn entry(&self) -> usize {
        self.next.len() - 1
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let entry = self.entry() as u32;
        let after = move |at: &u32| Some(self.next[*at as usize]).filter(|&next| next != entry);
        std::iter::successors(after(&entry), after)
    }

    fn push(&mut self, cell: u32) {
        let entry = self.entry();
        self.next[cell as usize] = self.next[entry];
        self.previous[cell as usize] = entry as u32;
        self.restore(cell);
    }

    fn remove(&mut self, cell: u32) {
        let (next, previous) = (self.next[cell as usize], self.previous[cell as usize]);
        self.next[previous as usize] = next;
        self.previous[next as usize] = previous;
    }

    fn restore(&mut self, cell: u32) {
        let (next, previous) = (self.next[cell as usize], self.previous[cell as usize]);
        self.next[previous as usize] = cell;
        self.previous[next as usize] = cell;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_groups::Seeded;

    fn open_cells(partition: &Partition) -> Vec<u32> {
        partition.open_cells().collect()
    }

    fn check(partition: &Partition) {
        let fronts = partition.fronts();
        for &front in &fronts {
            for &vertex in partition.cell(front) {
                assert_eq!(partition.cell_of(vertex), front);
                let place = partition.position[vertex as usize];
                assert_eq!(partition.order[place as usize], vertex);
            }
        }
        let mut open = open_cells(partition);
        open.sort_unstable();
        let large = fronts.into_iter().filter(|&f| partition.length(f) > 1);
        assert_eq!(open, large.collect::<Vec<u32>>());
    }

    #[test]
    fn splits_are_undone_as_sets() {
        let mut random = Seeded::new(5);
        let kinds: Vec<u32> = (0..60).map(|v| v % 3).collect();
        let mut partition = Partition::new(&kinds);
        let mut marks = vec![(0, partition.fronts(), open_cells(&partition))];
        for _ in 0..400 {
            if random.below(3) > 0 {
                let Some(cell) = partition.open_cells().next() else {
                    continue;
                };
                let off = cell + 1 + random.below(partition.length(cell) as usize - 1) as u32;
                partition.split(cell, off);
                marks.push((partition.mark(), partition.fronts(), open_cells(&partition)));
            } else {
                let (mark, fronts, open) = marks[random.below(marks.len())].clone();
                partition.undo_to(mark);
                marks.retain(|known| known.0 <= mark);
                assert_eq!((partition.fronts(), open_cells(&partition)), (fronts, open));
            }
            check(&partition);
        }
    }
}
