//! The orbits of the generators found so far, and for each cell the list of the orbits in it.
//!
//! On the way up from the first leaf, the orbits lie within the cells of the partition of the current level, and
//! cells only grow. Each cell has a circular list of the roots of its orbits: when a split is undone, two lists
//! are spliced, and when two orbits become one, a root leaves its list. So all levels together enumerate their
//! candidates at the cost of the orbits that are left, however large the cells are.

/// Orbits as a union-find structure whose roots are linked by cells.
#[derive(Clone, Debug)]
pub(crate) struct Orbits {
    parent: Vec<u32>,
    size: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// By root: the latest level that found the orbit out of reach.
    barren: Vec<u32>,
    level: u32,
}

impl Orbits {
    /// Every vertex an orbit and alone in its cell.
    pub(crate) fn new(size: usize) -> Self {
        let each: Vec<u32> = (0..size as u32).collect();
        Orbits {
            parent: each.clone(),
            size: vec![1; size],
            next: each.clone(),
            previous: each,
            barren: vec![0; size],
            level: 0,
        }
    }

    /// Forgets which orbits are out of reach.
    pub(crate) fn begin_level(&mut self) {
        self.level += 1;
    }

    /// Notes that no automorphism of this level takes its vertex into the orbit of `vertex`.
    pub(crate) fn rule_out(&mut self, vertex: u32) {
        let root = self.root(vertex);
        self.barren[root as usize] = self.level;
    }

    /// Whether that is known of the orbit of a vertex.
    pub(crate) fn is_ruled_out(&mut self, vertex: u32) -> bool {
        let root = self.root(vertex);
        self.barren[root as usize] == self.level
    }

    /// The root of the orbit of a vertex.
    pub(crate) fn root(&mut self, mut vertex: u32) -> u32 {
        while self.parent[vertex as usize] != vertex {
            let above = self.parent[self.parent[vertex as usize] as usize];
            self.parent[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }

    /// How many vertices are in the orbit of a vertex.
    pub(crate) fn size_of(&mut self, vertex: u32) -> u32 {
        let root = self.root(vertex);
        self.size[root as usize]
    }

    /// Makes the orbits of two vertices one. They must be of the same cell.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let larger = self.size[a as usize] >= self.size[b as usize];
        let (kept, absorbed) = if larger { (a, b) } else { (b, a) };
        self.parent[absorbed as usize] = kept;
        self.size[kept as usize] += self.size[absorbed as usize];
        let barren = self.barren[absorbed as usize];
        self.barren[kept as usize] = barren.max(self.barren[kept as usize]);
        self.unlink(absorbed);
    }

    fn unlink(&mut self, root: u32) {
        let (next, previous) = (self.next[root as usize], self.previous[root as usize]);
        self.next[previous as usize] = next;
        self.previous[next as usize] = previous;
    }

    /// Makes the lists of the cells of two vertices one. They must be of different cells.
    pub(crate) fn splice(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (after_a, after_b) = (self.next[a as usize], self.next[b as usize]);
        self.next[a as usize] = after_b;
        self.previous[after_b as usize] = a;
        self.next[b as usize] = after_a;
        self.previous[after_a as usize] = b;
    }

    /// The roots of the other orbits in the cell of a vertex.
    pub(crate) fn others(&mut self, vertex: u32) -> Vec<u32> {
        let root = self.root(vertex);
        let mut others = Vec::new();
        let mut at = self.next[root as usize];
        while at != root {
            others.push(at);
            at = self.next[at as usize];
        }
        others
    }

    /// For each vertex, the least vertex of its orbit.
    pub(crate) fn least(&mut self) -> Vec<u32> {
        let size = self.parent.len();
        let mut least = vec![u32::MAX; size];
        (0..size as u32)
            .map(|vertex| {
                let slot = &mut least[self.root(vertex) as usize];
                *slot = vertex.min(*slot);
                *slot
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_list_their_orbits() {
        let mut orbits = Orbits::new(6);
        orbits.splice(0, 1);
        orbits.splice(2, 3);
        orbits.join(2, 3);
        orbits.splice(1, 3);
        let mut others = orbits.others(0);
        others.sort_unstable();
        assert_eq!(others, vec![1, 2]);
        orbits.join(1, 3);
        assert_eq!(orbits.others(0).len(), 1);
        assert_eq!((orbits.size_of(3), orbits.size_of(4)), (3, 1));
        assert_eq!(orbits.least(), vec![0, 1, 1, 1, 4, 5]);
        assert!(orbits.others(5).is_empty());
    }

    #[test]
    fn what_is_ruled_out_spreads_and_ends_with_the_level() {
        let mut orbits = Orbits::new(4);
        orbits.begin_level();
        orbits.rule_out(2);
        orbits.join(1, 2);
        assert!(orbits.is_ruled_out(1) && !orbits.is_ruled_out(0));
        orbits.begin_level();
        assert!(!orbits.is_ruled_out(1));
    }
}
