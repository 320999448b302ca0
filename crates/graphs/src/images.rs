//! The images that remain to be tried for a vertex when the guess has failed: one of each orbit of the
//! known automorphisms that fix the images chosen before. If one vertex of such an orbit fails, all do.

use crate::partition::Partition;
use crate::permutation::SparsePermutation;

/// The tables for it.
#[derive(Clone, Debug)]
pub(crate) struct Fusion {
    parent: Vec<u32>,
    fixed: Vec<bool>,
    /// Moved vertices looked at so far.
    work: u64,
}

impl Fusion {
    pub(crate) fn new(size: usize) -> Self {
        Fusion {
            parent: (0..size as u32).collect(),
            fixed: vec![false; size],
            work: 0,
        }
    }

    /// Vertices of the cell of `tried`, one of each orbit that `tried` is not in. Generators are looked at as long as
    /// that has cost less than `allowance` in all: fewer generators, more to try, nothing wrong.
    pub(crate) fn others(
        &mut self,
        partition: &Partition,
        tried: u32,
        fixed: &[u32],
        generators: &[SparsePermutation],
        allowance: u64,
    ) -> Vec<u32> {
        let cell = partition.cell_of(tried);
        self.set_fixed(fixed, true);
        for generator in generators {
            if self.work > allowance {
                break;
            }
            self.work += generator.moved().len() as u64;
            if !self.moves_fixed(generator) {
                self.join_all(generator, |vertex| partition.cell_of(vertex) == cell);
            }
        }
        self.set_fixed(fixed, false);
        let others = self.roots_but(partition.cell(cell), tried);
        for &vertex in partition.cell(cell) {
            self.parent[vertex as usize] = vertex;
        }
        others
    }

    fn set_fixed(&mut self, fixed: &[u32], value: bool) {
        for &vertex in fixed {
            self.fixed[vertex as usize] = value;
        }
    }

    fn moves_fixed(&self, generator: &SparsePermutation) -> bool {
        let mut moved = generator.moved().iter();
        moved.any(|&(from, _)| self.fixed[from as usize])
    }

    /// The generator preserves the cell, so both ends are in it or neither.
    fn join_all(&mut self, generator: &SparsePermutation, inside: impl Fn(u32) -> bool) {
        for &(from, to) in generator.moved() {
            if inside(from) {
                let (a, b) = (self.root(from), self.root(to));
                self.parent[a.max(b) as usize] = a.min(b);
            }
        }
    }

    fn root(&self, mut vertex: u32) -> u32 {
        while self.parent[vertex as usize] != vertex {
            vertex = self.parent[vertex as usize];
        }
        vertex
    }

    fn roots_but(&self, cell: &[u32], tried: u32) -> Vec<u32> {
        let out = self.root(tried);
        let root = |&v: &u32| self.parent[v as usize] == v && v != out;
        cell.iter().copied().filter(root).collect()
    }
}
