//! Reduction under any group: how a block of points is labelled of which only some permutations may be used.
//!
//! # How
//!
//! Let G be the group, s a state. Which element of G leads to the representative of s?
//!
//! Number the pairs of points by their *orbitals*: two pairs have the same number if an element of G takes the one to the
//! other. That gives a matrix R, which is the same for all states and which no element of G changes. Now label s and R
//! together, as if all permutations were allowed (`orbitals`, `labelled`). That gives a permutation p, most likely none of
//! G, such that the image of (s, R) under p is the same for all states of the orbit of s under G. Then take the element
//! of the coset p G that is least along a stabiliser chain of G (`chain`): c = p g. The representative is the image of s under
//! the inverse of g.
//!
//! *It is always sound*: g is a product of elements of G, whatever p is.
//!
//! *It is canonical* if no permutation but those of G keeps R as it is. For let t be the image of s under h, an element of G, and q
//! the labelling of t. The images of (s, R) under p, and under h and then q, are the same, because h does not change
//! R. So h followed by q and by the inverse of p keeps both s and R; it is an element of G, and so the cosets p G and q G
//! are the same. So is c, and the images of s and of t, from which c leads to the same image of (s, R), are the same state.
//!
//! Groups for which nothing else keeps R are called 2-closed. Those that people meet are: all permutations, rotations, with
//! and without reflections, hypercubes, wreath products, all permutations acting on pairs, products of these. Whether a group is, is
//! found out once. If it is not, the labelling is still canonical for every state whose points are all told apart, as then
//! only one p leads to its form. For the others `narrowed` looks for the least image along the stabiliser chain, following
//! all choices that are equally good so far. If they become too many, the labelling says that it may not be canonical.
//!
//! Points of blocks that are full need no orbitals: any permutation of them may be used, and so p does as it is.
//!
//! # Which way
//!
//! For small groups all this is not needed: one byte shuffle for each element finds the least image (`strategies::shuffle`), and
//! that is faster for a surprisingly long time. From the example `any_group`, nanoseconds for one representative, everything
//! included, of workers that are at one of eight locations each and of nodes that refer to a node or to nobody:
//!
//! | group | elements | workers tried | labelled | nodes tried | labelled |
//! |---|---|---|---|---|---|
//! | C5, 5 points | 5 | 200 | 760 | 200 | 410 |
//! | C10, 10 points | 10 | 200 | 710 | 240 | 870 |
//! | D10, 10 points | 20 | 230 | 1110 | 280 | 1020 |
//! | C120, 120 points | 120 | 660 | 65800 | 2340 | 54300 |
//! | cube of 3 dimensions, 8 points | 48 | 270 | 1480 | 310 | 780 |
//! | of 4, 16 points | 384 | 800 | 2860 | 930 | 2510 |
//! | of 5, 32 points | 3840 | 6700 | 6600 | 7500 | 8800 |
//! | A6, 6 points | 360 | 710 | 10500 | 780 | 650 |
//! | S5 x S5 x C5, 15 points | 72,000 | | 650 | | 770 |
//! | S2 wr S8, 16 points | 10,321,920 | | 6900 | | 4700 |
//!
//! So groups of up to [`FEW`] elements are tried element by element, and all others are labelled.
//!
//! # Rejected
//!
//! The least rotation of a word in linear time ([`mandala_canon::rotation`]) for rings: what is around a point has to be turned into
//! a letter first, and ten points took 410 ns, 120 points 12 us, where trying all rotations takes 200 ns and 0.7 us.

mod chain;
mod closure;
mod labelled;
mod narrowed;
mod orbitals;
#[cfg(test)]
mod tests;

pub(crate) use chain::{Chain, Level, back_and_forth, bytes};
pub(crate) use orbitals::{Closure, WithOrbitals};

use crate::plan::Plan;
use crate::settings::Settings;
use crate::strategies::Shuffle;
use labelled::Labelled;
use mandala_canon::{Budget, Labeller, Shape};
use mandala_groups::Group;
use narrowed::Narrowed;

/// Groups with more elements are not tried one by one.
const FEW: u32 = 2_000;

/// The labeller for a plan with blocks that are held.
pub(crate) fn labeller(plan: &Plan, group: &Group, settings: &Settings) -> Box<dyn Labeller> {
    if plan.points().order() <= FEW.into() {
        return Box::new(Shuffle::new(plan.walk(), plan.shape(), FEW));
    }
    labelling(plan.shape(), group, settings.budget)
}

/// A labeller for a group of the first points, however large, times all permutations of the others.
fn labelling(shape: &Shape, group: &Group, budget: Budget) -> Box<dyn Labeller> {
    let labelled = Labelled::new(shape, group, budget);
    match labelled.closure() {
        Closure::Closed => Box::new(labelled),
        Closure::Open => Box::new(Narrowed::new(shape, labelled, budget)),
    }
}
