//! The proof that a stabiliser chain is complete: Sims' *Verify*.
//!
//! # What is proved
//!
//! Level by level, from the last up. Let b be the base point of the level, O its orbit, K the group of
//! the levels below, already proved, T the few generators of this level that move b, and H = <K, T>.
//! K is in the stabiliser of b in H; the claim is that they are equal. Take for every point p of O a
//! permutation u_p that leads from b to p, with u_b = 1. The claim holds if the cosets K u_p are
//! permuted among themselves by K and by T: H then lies in their union, which has |K| * |O|
//! members, and H has at least as many. So H is that union, and contains the u_p, whatever they were
//! made of.
//!
//! *By K.* The representatives are made so that all points of one K-orbit hang below one of them,
//! d, by edges of K: u_p = u_d k. Then K u_p k' is one of the cosets for all k' in K as soon as
//! u_d K_d u_d^-1 lies in K, where K_d is the stabiliser of d in K. So there is one check for each generator of
//! K_d, for each K-orbit. That is where the algorithm wins: S_n has two such orbits, not n.
//! K_d is free when d can be chosen as the next base point, or is fixed by K; otherwise it comes from
//! changing the base of K, whose order is known.
//!
//! *By T.* u_p z u_q^-1 must sift into K for z in T and p in O, where q is the image of p under z.
//!
//! Strong generators of the level that were not needed in T may serve as edges to make the words
//! u_p short. Finally they are sifted with the same representatives. A check that fails hands back the
//! missing element.
//!
//! # The shortcut
//!
//! The product of orbit lengths never exceeds the true order. A group acts faithfully on some orbits,
//! so its order is at most the product of their factorials. Where the two agree the level and
//! all below it are complete, and nothing else needs to be checked; this settles natural
//! symmetric groups, products of them, and the tails of most other chains.

use crate::chain::{Sifted, StabiliserChain};
use crate::faithful::Faithful;
use crate::partition::orbit_partition;
use crate::permutation::Permutation;
use crate::random::Seeded;
use crate::tree::{SchreierTree, StrongGenerator};
use num_bigint::BigUint;

const SEED: u64 = 0x0076_6572_6966_7921;

/// Proves the chain complete, or gives an element of the group that it misses.
pub(crate) fn verify(chain: &mut StabiliserChain, faithful: &Faithful) -> Result<(), Sifted> {
    let bounded = first_level_at_its_bound(chain, faithful);
    (bounded..chain.len())
        .rev()
        .for_each(|level| chain.mark_lean(level));
    let mut random = Seeded::new(SEED);
    for level in (0..bounded).rev() {
        chain.mark_lean(level);
        LevelProof::new(chain, level).check(&mut random)?;
    }
    Ok(())
}

fn first_level_at_its_bound(chain: &StabiliserChain, faithful: &Faithful) -> usize {
    let at_bound = |&level: &usize| chain.order_from(level) == orbit_bound(chain, level, faithful);
    (0..chain.len()).find(at_bound).unwrap_or(chain.len())
}

/// The product of the factorials of the orbit lengths on the faithful points.
fn orbit_bound(chain: &StabiliserChain, level: usize, faithful: &Faithful) -> BigUint {
    let usable = chain.usable(level);
    let generators = usable.iter().map(|&index| &chain.pool()[index].forward);
    let mut orbits = orbit_partition(chain.degree(), generators);
    let mut sizes = vec![0usize; chain.degree()];
    let mut bound = BigUint::from(1u32);
    for point in faithful.points() {
        let size = &mut sizes[orbits.find(point) as usize];
        *size += 1;
        bound *= *size;
    }
    bound
}

struct LevelProof<'c> {
    chain: &'c StabiliserChain,
    level: usize,
    /// Representatives u_p, with the points of each K-orbit hanging below one of them.
    cosets: SchreierTree,
    /// Where the K-orbits start in the order of `cosets`.
    starts: Vec<usize>,
}

impl<'c> LevelProof<'c> {
    fn new(chain: &'c StabiliserChain, level: usize) -> Self {
        let cosets = SchreierTree::new(chain.base_point(level));
        let mut proof = LevelProof {
            chain,
            level,
            cosets,
            starts: Vec::new(),
        };
        proof.build_cosets();
        proof
    }

    fn build_cosets(&mut self) {
        let below = self.chain.usable(self.level + 1);
        let own = self.own_generators(|_| true);
        let mut index = 0;
        while let Some(&point) = self.cosets.orbit().get(index) {
            for &label in &own {
                let generator = &self.chain.pool()[label].forward;
                let image = generator.image(point);
                if !self.cosets.contains(image) {
                    let start = self.cosets.orbit().len();
                    self.starts.push(start);
                    self.cosets.add(image, label, generator.degree());
                    self.cosets.close(self.chain.pool(), &below, start);
                }
            }
            index += 1;
        }
    }

    /// Generators that move the base point of the level, if `wanted`.
    fn own_generators(&self, wanted: impl Fn(&StrongGenerator) -> bool) -> Vec<usize> {
        let pool = self.chain.pool();
        let own = |&index: &usize| pool[index].depth == self.level && wanted(&pool[index]);
        (0..pool.len()).filter(own).collect()
    }

    fn check(&self, random: &mut Seeded) -> Result<(), Sifted> {
        self.check_closed_under_stabiliser(random)?;
        self.check_closed_under_own_generators()?;
        self.check_left_out_generators()
    }

    fn check_closed_under_stabiliser(&self, random: &mut Seeded) -> Result<(), Sifted> {
        let ends = self
            .starts
            .iter()
            .skip(1)
            .copied()
            .chain([self.cosets.orbit().len()]);
        for (&start, end) in self.starts.iter().zip(ends) {
            let (point, generators) =
                self.stabiliser_of_some(&self.cosets.orbit()[start..end], random);
            let back = self.representative(point).inverse();
            for generator in generators {
                self.check_in_stabiliser(generator.conjugate(&back))?;
            }
        }
        Ok(())
    }

    /// A point of a K-orbit, the one with the cheapest stabiliser in K, and generators of that.
    fn stabiliser_of_some(&self, orbit: &[u32], random: &mut Seeded) -> (u32, Vec<Permutation>) {
        let next = self.level + 1;
        let generators_from = |level| self.chain.generators_from(level).cloned().collect();
        if orbit.len() == 1 {
            return (orbit[0], generators_from(next));
        }
        let next_base_point = self.chain.base_point(next);
        if orbit.contains(&next_base_point) {
            return (next_base_point, generators_from(next + 1));
        }
        let rebased = self.chain.rebased(next, &orbit[..1], random);
        (orbit[0], rebased.generators_from(1).cloned().collect())
    }

    fn check_closed_under_own_generators(&self) -> Result<(), Sifted> {
        for &label in &self.own_generators(|strong| strong.lean) {
            let generator = &self.chain.pool()[label].forward;
            for &point in self.cosets.orbit() {
                if self.cosets.label(generator.image(point)) != Some(label) {
                    self.check_coset(self.representative(point).then(generator))?;
                }
            }
        }
        Ok(())
    }

    fn check_left_out_generators(&self) -> Result<(), Sifted> {
        let left_out = self.own_generators(|strong| !strong.lean);
        left_out
            .iter()
            .try_for_each(|&label| self.check_coset(self.chain.pool()[label].forward.clone()))
    }

    fn representative(&self, point: u32) -> Permutation {
        self.cosets
            .representative(self.chain.pool(), self.chain.degree(), point)
    }

    /// Checks that `element` is in one of the cosets K u_p.
    fn check_coset(&self, mut element: Permutation) -> Result<(), Sifted> {
        let image = element.image(self.cosets.root());
        self.cosets.strip(self.chain.pool(), &mut element, image);
        self.check_in_stabiliser(element)
    }

    fn check_in_stabiliser(&self, element: Permutation) -> Result<(), Sifted> {
        let sifted = self.chain.sift_from(self.level + 1, element);
        if sifted.residue.is_identity() {
            Ok(())
        } else {
            Err(sifted)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Family;

    /// Schreier-Sims by failed proofs alone: nothing random is sifted in, so every element that is
    /// missing has to be found by the proof. Answers the order and how many proofs failed.
    fn order_by_proofs(degree: usize, generators: &[Permutation]) -> (BigUint, usize) {
        let faithful = Faithful::find(degree, generators);
        let mut chain = StabiliserChain::with_base(degree, &[]);
        let insert = |chain: &mut StabiliserChain, sifted: Sifted| {
            let fresh = faithful.first_moved(&sifted.residue);
            chain.insert(sifted.residue, sifted.level, fresh);
        };
        for generator in generators {
            let sifted = chain.sift(generator);
            if !sifted.residue.is_identity() {
                insert(&mut chain, sifted);
            }
        }
        let mut failures = 0;
        while let Err(missing) = verify(&mut chain, &faithful) {
            insert(&mut chain, missing);
            failures += 1;
        }
        (chain.order(), failures)
    }

    #[test]
    fn proofs_alone_find_whole_families() {
        for n in [8, 16] {
            for family in Family::ALL {
                let (order, _) = order_by_proofs(n, &family.generators(n));
                assert_eq!(order, family.order(n), "{family:?} on {n}");
            }
        }
    }

    #[test]
    fn proofs_alone_find_the_mathieu_groups() {
        let m11 = ["(0 1 2 3 4 5 6 7 8 9 10)", "(2 6 10 7)(3 9 4 5)"];
        let m12 = [
            "(0 1 2 3 4 5 6 7 8 9 10)",
            "(2 6 10 7)(3 9 4 5)",
            "(0 11)(1 10)(2 5)(3 7)(4 8)(6 9)",
        ];
        let parse = |texts: &[&str]| -> Vec<_> {
            texts
                .iter()
                .map(|text| Permutation::parse(text, 12).unwrap())
                .collect()
        };
        assert_eq!(order_by_proofs(12, &parse(&m11)).0, BigUint::from(7920u32));
        assert_eq!(order_by_proofs(12, &parse(&m12)).0, BigUint::from(95040u32));
    }

    #[test]
    fn proofs_alone_agree_with_the_whole_algorithm() {
        let mut random = Seeded::new(3);
        let mut failures = 0;
        for _ in 0..300 {
            let degree = 2 + random.below(10);
            let generators: Vec<_> = (0..1 + random.below(3))
                .map(|_| Permutation::random(degree, &mut random).power(1 + random.below(3) as i64))
                .filter(|generator| !generator.is_identity())
                .collect();
            let (order, failed) = order_by_proofs(degree, &generators);
            assert_eq!(
                order,
                crate::schreier_sims::chain_of(degree, &generators).order(),
                "{generators:?}"
            );
            failures += failed;
        }
        assert!(
            failures > 300,
            "only {failures} proofs failed: the test tests nothing"
        );
    }
}
