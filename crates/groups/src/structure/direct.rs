//! Splitting a group into factors that act on disjoint sets of points, as finely as possible.
//!
//! Chang and Jefferson, *Disjoint direct product decompositions of permutation groups* (2022), in its
//! incremental form. Orbits are added one by one. So far the group, restricted to the orbits
//! seen, is a product of *cells*; each cell comes with elements of the whole group that act on its
//! own orbits and on no other seen one. Let N be what fixes all seen orbits. A cell stays apart
//! from the next orbit O exactly if each of its elements does to O what some element of N does, and
//! can so be corrected to leave O alone. Whatever cannot be corrected is joined with O.
//!
//! With a base that runs through the orbits one after the other, N is a stabiliser of the chain, and
//! correcting is sifting through the levels that belong to O.

use crate::chain::StabiliserChain;
use crate::group::Group;
use crate::permutation::Permutation;
use std::ops::Range;

/// Generators for each factor. Each factor moves points that no other does.
pub(super) fn split(group: &Group) -> Vec<Vec<Permutation>> {
    let orbits: Vec<_> = group
        .orbits()
        .into_iter()
        .filter(|orbit| orbit.len() > 1)
        .collect();
    if orbits.len() == 1 {
        return vec![group.generators().to_vec()];
    }
    let mut chain = group
        .with_base(&orbits.concat())
        .expect("orbits consist of points");
    chain.drop_redundant_levels();
    let mut cells: Vec<Vec<Permutation>> = Vec::new();
    let mut start = 0;
    for orbit in &orbits {
        let levels = start..first_level_beyond(&chain, orbit, start);
        start = levels.end;
        let stage = Stage {
            chain: &chain,
            orbit,
            levels,
        };
        cells = stage.add_to(cells);
    }
    cells
}

fn first_level_beyond(chain: &StabiliserChain, orbit: &[u32], start: usize) -> usize {
    let beyond = |&level: &usize| orbit.binary_search(&chain.base_point(level)).is_err();
    (start..chain.len()).find(beyond).unwrap_or(chain.len())
}

/// The step for one orbit.
struct Stage<'c> {
    chain: &'c StabiliserChain,
    orbit: &'c [u32],
    /// The levels whose base points are in the orbit.
    levels: Range<usize>,
}

impl Stage<'_> {
    fn add_to(&self, cells: Vec<Vec<Permutation>>) -> Vec<Vec<Permutation>> {
        let mut joined = self.own_generators();
        let mut apart = Vec::new();
        for cell in cells {
            let corrected: Option<Vec<_>> =
                cell.iter().map(|element| self.corrected(element)).collect();
            match corrected {
                Some(elements) => apart.push(elements),
                None => joined.extend(cell),
            }
        }
        apart.push(joined);
        apart
    }

    /// Elements that fix the orbits before and, with those that fix this orbit too, generate all
    /// that do.
    fn own_generators(&self) -> Vec<Permutation> {
        let own = self
            .chain
            .pool()
            .iter()
            .filter(|strong| strong.lean && self.levels.contains(&strong.depth));
        own.map(|strong| strong.forward.clone()).collect()
    }

    /// `element` times something that fixes the orbits before, such that this orbit is fixed.
    fn corrected(&self, element: &Permutation) -> Option<Permutation> {
        let mut corrected = element.clone();
        for level in self.levels.clone() {
            let tree = self.chain.tree(level);
            let image = corrected.image(tree.root());
            if !tree.contains(image) {
                return None;
            }
            tree.strip(self.chain.pool(), &mut corrected, image);
        }
        self.orbit
            .iter()
            .all(|&point| !corrected.moves(point))
            .then_some(corrected)
    }
}
