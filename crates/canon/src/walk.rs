//! All elements of a group, each from the one before by exchanges of two positions.
//!
//! A group that is a product of full symmetric groups is walked through by [plain changes](crate::plain_changes): one
//! exchange of neighbours leads to the next element. Of any other group, every element is a product of one choice for each
//! of several *wheels*, the last wheel's first. So the walk is that of an odometer: the first wheel turns by one place, and
//! when it has gone around, it is put back and the next one turns. A turn is a permutation of positions that is known
//! beforehand, and it is made by exchanges of two positions, because that is what those who follow can do.
//!
//! Where a group is a product of both kinds, each turn of a wheel is followed by all plain changes, forth or back.

use crate::plain_changes::PlainChanges;
use crate::shape::{Block, Shape};
use std::ops::Range;

/// The exchanges of two positions that make up a permutation of positions, in the order in which they are made.
pub type Exchanges = Vec<(usize, usize)>;

/// Takes a permutation of positions apart: what stands at `p` goes to `images[p]`.
pub fn exchanges(images: &[usize]) -> Exchanges {
    let mut done = vec![false; images.len()];
    let mut exchanges = Vec::new();
    for first in 0..images.len() {
        let mut next = images[first];
        while !done[first] && next != first {
            done[next] = true;
            exchanges.push((first, next));
            next = images[next];
        }
        done[first] = true;
    }
    exchanges
}

/// One of the choices that make up an element.
#[derive(Clone, Debug, Default)]
pub struct Wheel {
    /// From each place to the next one. Place 0 is the identity.
    pub turns: Vec<Exchanges>,
    /// From the last place to place 0.
    pub back: Exchanges,
}

/// Walks through all elements of a group.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    segments: Vec<Range<usize>>,
    wheels: Vec<Wheel>,
    plain: PlainChanges,
    /// The place of each wheel.
    places: Vec<usize>,
}

impl Walk {
    /// A walk through all permutations of each segment, times all products of the wheels.
    pub fn new(segments: Vec<Range<usize>>, wheels: Vec<Wheel>) -> Self {
        let mut walk = Self {
            segments,
            places: vec![0; wheels.len()],
            wheels,
            plain: PlainChanges::default(),
        };
        walk.restart();
        walk
    }

    /// A walk through all permutations of the points of each domain.
    pub fn of_all(shape: &Shape) -> Self {
        let segments = shape.blocks().iter().map(Block::points);
        Self::new(segments.collect(), Vec::new())
    }

    /// Begins anew, with the permutation that moves nothing.
    pub fn restart(&mut self) {
        self.plain.restart(self.segments.iter().cloned());
        reset(&mut self.places);
    }

    /// Begins anew, with other segments.
    pub fn restart_with(&mut self, segments: impl IntoIterator<Item = Range<usize>>) {
        self.plain.restart(segments);
        reset(&mut self.places);
    }

    /// The segments all permutations of which are taken.
    pub fn segments(&self) -> &[Range<usize>] {
        &self.segments
    }

    /// The wheels.
    pub fn wheels(&self) -> &[Wheel] {
        &self.wheels
    }

    /// Goes to the next element, if there is one: calls the function with the pairs of positions to be exchanged, one
    /// after the other.
    #[inline]
    pub fn advance(&mut self, mut exchange: impl FnMut(usize, usize)) -> bool {
        if let Some((a, b)) = self.plain.next_exchange() {
            exchange(a, b);
            return true;
        }
        turn(&self.wheels, &mut self.places, exchange)
    }
}

/// Puts all wheels back to place 0. Mostly there is none, and to fill a list of unknown length takes longer than all
/// the rest that has to be done for a small state.
pub fn reset(places: &mut [usize]) {
    if !places.is_empty() {
        places.fill(0);
    }
}

/// Turns the first wheel that is not at its last place, and puts those before it back. False if there is none.
pub fn turn(
    wheels: &[Wheel],
    places: &mut [usize],
    mut exchange: impl FnMut(usize, usize),
) -> bool {
    let mut both = wheels.iter().zip(places.iter());
    let Some(turning) = both.position(|(wheel, place)| *place < wheel.turns.len()) else {
        return false;
    };
    for (wheel, place) in wheels.iter().zip(places.iter_mut()).take(turning) {
        wheel.back.iter().for_each(|&(a, b)| exchange(a, b));
        *place = 0;
    }
    let next = &wheels[turning].turns[places[turning]];
    next.iter().for_each(|&(a, b)| exchange(a, b));
    places[turning] += 1;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn exchanges_make_up_the_permutation() {
        let images = [2, 0, 4, 3, 1, 6, 5];
        let mut items: Vec<usize> = (0..7).collect();
        for (a, b) in exchanges(&images) {
            items.swap(a, b);
        }
        for (item, &image) in images.iter().enumerate() {
            assert_eq!(items[image], item);
        }
    }

    /// The wheel of a rotation of some positions.
    fn rotation(positions: Range<usize>, size: usize) -> Wheel {
        let length = positions.len();
        let by = |steps: usize| {
            let image = |p: usize| match positions.contains(&p) {
                true => positions.start + (p - positions.start + steps) % length,
                false => p,
            };
            exchanges(&(0..size).map(image).collect::<Vec<_>>())
        };
        Wheel {
            turns: vec![by(1); length - 1],
            back: by(1),
        }
    }

    #[test]
    fn every_element_comes_once() {
        let wheels = vec![rotation(0..4, 9), rotation(4..6, 9)];
        let mut walk = Walk::new(vec![6..9, 0..0], wheels);
        for _ in 0..2 {
            let mut items: Vec<usize> = (0..9).collect();
            let mut seen = HashSet::from([items.clone()]);
            walk.restart();
            while walk.advance(|a, b| items.swap(a, b)) {
                assert!(seen.insert(items.clone()), "{items:?} comes twice");
            }
            assert_eq!(seen.len(), 4 * 2 * 6);
        }
    }
}
