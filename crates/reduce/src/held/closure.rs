//! The test whether a group is all that keeps its orbitals.
//!
//! What keeps them is a group that contains the given one, so it is enough to compare the two along a base: the points that the
//! first base point can be taken to, those that the second one can be taken to while the first stays, and so on. A
//! point that no element takes the base point to is marked in its stead; if the canonical form of the orbitals is the same,
//! something else does. At the end of the base all points must be told apart.
//!
//! That takes long for a long base. But rings, hypercubes and wreath products are known to be closed.

use crate::automorphisms::Marked;
use mandala_groups::structure::Shape as Kind;
use mandala_groups::{Family, Group, Permutation};

/// Whether only the elements of a group keep a view that all of them keep. False if that is too hard to tell.
pub(super) fn is_closed(group: &Group, mut marked: Marked) -> bool {
    let mut marks = Vec::new();
    let chain = group.chain();
    for level in 0..chain.len() {
        let generators: Vec<&Permutation> = chain.generators_from(level).collect();
        let base = chain.base_point(level) as usize;
        let others = strangers(group.degree(), &generators, base);
        if !marked.keeps(&mut marks, base, &others) {
            return false;
        }
    }
    for base in 0..group.degree() {
        if marked.tells_all_apart(&marks) {
            break;
        }
        let others: Vec<usize> = (0..group.degree()).filter(|p| !marks.contains(p)).collect();
        if others.contains(&base) && !marked.keeps(&mut marks, base, &others) {
            return false;
        }
    }
    marked.is_certain()
}

/// Whether all groups of a kind are closed: the natural ones but the even permutations, and wreath products of such (Kaluznin
/// and Klin).
pub(super) fn is_known_to_be_closed(kind: &Kind) -> bool {
    match kind {
        Kind::Natural(natural) => natural.family != Family::Alternating,
        Kind::Wreath(wreath) => {
            let mut inner = wreath.inner.factors.iter();
            inner.all(|factor| is_known_to_be_closed(&factor.shape))
                && is_known_to_be_closed(&wreath.top)
        }
        Kind::Carrying(_) | Kind::General => false,
    }
}

/// A point of each orbit but that of the given point.
fn strangers(points: usize, generators: &[&Permutation], point: usize) -> Vec<usize> {
    let mut seen = vec![false; points];
    let mut firsts = Vec::new();
    for first in [point].into_iter().chain(0..points) {
        if seen[first] {
            continue;
        }
        firsts.push(first);
        let mut waiting = vec![first];
        seen[first] = true;
        while let Some(next) = waiting.pop() {
            let images = generators.iter().map(|g| g.image(next as u32) as usize);
            waiting.extend(images.filter(|image| !std::mem::replace(&mut seen[*image], true)));
        }
    }
    firsts.split_off(1)
}

impl Marked {
    /// Whether a point can be taken to none of the others while those that are marked stay. Marks it.
    fn keeps(&mut self, marks: &mut Vec<usize>, point: usize, others: &[usize]) -> bool {
        marks.push(point);
        let own = self.form_of(marks).image;
        for other in others.iter().filter(|other| **other != point) {
            *marks.last_mut().expect("one was added") = *other;
            if self.form_of(marks).image == own {
                return false;
            }
        }
        *marks.last_mut().expect("one was added") = point;
        true
    }
}
