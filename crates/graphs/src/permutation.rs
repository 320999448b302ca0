//! Permutations that move few vertices of many.

use mandala_groups::Permutation;
use std::fmt;

/// A permutation, as the list of what it moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SparsePermutation {
    /// From, to; by from; never equal.
    moved: Box<[(u32, u32)]>,
}

impl SparsePermutation {
    /// The permutation that moves exactly these vertices so; pairs of equals are dropped. Nothing if that is not
    /// a permutation: each vertex that is moved to must be moved, and none twice.
    pub fn from_pairs(mut pairs: Vec<(u32, u32)>) -> Option<Self> {
        pairs.retain(|(from, to)| from != to);
        pairs.sort_unstable();
        let mut images: Vec<u32> = pairs.iter().map(|pair| pair.1).collect();
        images.sort_unstable();
        let once = pairs.windows(2).all(|two| two[0].0 != two[1].0);
        let closed = pairs.iter().map(|pair| pair.0).eq(images);
        (once && closed).then(|| SparsePermutation {
            moved: pairs.into_boxed_slice(),
        })
    }

    /// What is moved, and where to, in increasing order.
    pub fn moved(&self) -> &[(u32, u32)] {
        &self.moved
    }

    /// Where a vertex goes.
    pub fn image(&self, vertex: u32) -> u32 {
        match self.moved.binary_search_by_key(&vertex, |pair| pair.0) {
            Ok(at) => self.moved[at].1,
            Err(_) => vertex,
        }
    }

    /// The cycles, each from its least vertex, by these.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut cycles = Vec::new();
        let mut seen = vec![false; self.moved.len()];
        for start in 0..self.moved.len() {
            if !seen[start] {
                cycles.push(self.cycle_from(start, &mut seen));
            }
        }
        cycles
    }

    fn cycle_from(&self, start: usize, seen: &mut [bool]) -> Vec<u32> {
        let mut cycle = Vec::new();
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            let (from, to) = self.moved[at];
            cycle.push(from);
            // Closed by construction, so the search finds it.
            at = self.moved.partition_point(|pair| pair.0 < to);
        }
        cycle
    }

    /// The same, as a table of `degree` images; nothing if a vertex moved is not below `degree`.
    pub fn to_permutation(&self, degree: usize) -> Option<Permutation> {
        let mut images: Vec<u32> = (0..degree as u32).collect();
        for &(from, to) in &self.moved {
            *images.get_mut(from as usize)? = to;
        }
        Permutation::from_images(images).ok()
    }
}

impl fmt::Display for SparsePermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moved.is_empty() {
            return f.write_str("()");
        }
        for cycle in self.cycles() {
            let names: Vec<String> = cycle.iter().map(u32::to_string).collect();
            write!(f, "({})", names.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_must_be_a_permutation() {
        assert!(SparsePermutation::from_pairs(vec![(1, 2)]).is_none());
        assert!(SparsePermutation::from_pairs(vec![(1, 2), (2, 1), (1, 2)]).is_none());
        assert!(SparsePermutation::from_pairs(vec![(1, 3), (2, 3), (3, 1)]).is_none());
        let kept = SparsePermutation::from_pairs(vec![(7, 7)]).unwrap();
        assert_eq!(kept.to_string(), "()");
    }

    #[test]
    fn cycles_images_and_tables_agree() {
        let pairs = vec![(9, 2), (2, 5), (5, 9), (3, 4), (4, 3)];
        let permutation = SparsePermutation::from_pairs(pairs).unwrap();
        assert_eq!(permutation.to_string(), "(2 5 9)(3 4)");
        assert_eq!((permutation.image(9), permutation.image(8)), (2, 8));
        assert!(permutation.to_permutation(9).is_none());
        let table = permutation.to_permutation(10).unwrap();
        assert!((0..10).all(|point| table.image(point) == permutation.image(point)));
    }
}
