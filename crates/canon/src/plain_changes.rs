//! All arrangements of several segments, each from the one before by exchanging two neighbours.
//!
//! The chain for one segment is the plain changes of the bell ringers (Steinhaus, Johnson, Trotter; Knuth, The Art of
//! Computer Programming 7.2.1.2, algorithm P): the last item wanders through the others from end to end, then
//! the one before it makes a step, and so on. At the end of the chain all directions are reversed, so the same
//! segment can be run backwards while the next one makes a step: the product of the segments is walked through by
//! exchanges of neighbours too, and no arrangement comes twice.

use std::ops::Range;

/// Enumerates arrangements as exchanges of neighbouring positions.
#[derive(Clone, Debug, Default)]
pub struct PlainChanges {
    segments: Vec<Segment>,
    /// For each item of each segment: how far it has wandered, and which way it goes.
    wanderers: Vec<Wanderer>,
}

/// Neighbouring positions whose items are arranged in all ways that keep some of them in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The positions.
    pub positions: Range<usize>,
    /// How many of the items, from the first on, stay in their order. None and one are the same.
    pub in_order: usize,
}

#[derive(Clone, Copy, Debug)]
struct Wanderer {
    offset: usize,
    outward: bool,
}

impl PlainChanges {
    /// Begins anew, with all arrangements of these segments.
    pub fn restart(&mut self, segments: impl IntoIterator<Item = Range<usize>>) {
        self.restart_partly(segments.into_iter().map(|positions| Segment {
            positions,
            in_order: 0,
        }));
    }

    /// Begins anew, with those arrangements of the segments that keep their first items in order: one for each
    /// coset of the permutations of these.
    pub fn restart_partly(&mut self, segments: impl IntoIterator<Item = Segment>) {
        self.segments.clear();
        self.wanderers.clear();
        let start = Wanderer {
            offset: 0,
            outward: true,
        };
        for segment in segments {
            let items = self.wanderers.len() + segment.positions.len();
            self.wanderers.resize(items, start);
            self.segments.push(segment);
        }
    }

    /// The positions to exchange for the next arrangement, or none if all have been seen.
    pub fn next_exchange(&mut self) -> Option<(usize, usize)> {
        let mut items = &mut self.wanderers[..];
        for segment in &self.segments {
            let (own, others) = items.split_at_mut(segment.positions.len());
            if let Some(place) = step(own, segment.in_order.max(1)) {
                let position = segment.positions.start + place;
                return Some((position, position + 1));
            }
            items = others;
        }
        None
    }
}

/// Moves one of the items from a number on; if none can move, all directions are reversed.
fn step(items: &mut [Wanderer], first: usize) -> Option<usize> {
    // Items that have wandered to the front shift the place of those before them.
    let mut at_front = 0;
    for last in (first..items.len()).rev() {
        let item = &mut items[last];
        let blocked = item.offset == if item.outward { last } else { 0 };
        if blocked {
            at_front += usize::from(item.outward);
            item.outward = !item.outward;
            continue;
        }
        item.offset = if item.outward {
            item.offset + 1
        } else {
            item.offset - 1
        };
        let lower = if item.outward {
            item.offset
        } else {
            item.offset + 1
        };
        return Some(last - lower + at_front);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn arrangements(segments: &[Range<usize>], size: usize) -> usize {
        let mut chain = PlainChanges::default();
        let mut items: Vec<usize> = (0..size).collect();
        let mut seen = HashSet::from([items.clone()]);
        chain.restart(segments.iter().cloned());
        while let Some((a, b)) = chain.next_exchange() {
            items.swap(a, b);
            assert!(seen.insert(items.clone()), "{items:?} comes twice");
        }
        seen.len()
    }

    #[test]
    fn every_arrangement_comes_once() {
        let factorials = [1, 1, 2, 6, 24, 120, 720, 5040];
        for (size, factorial) in factorials.into_iter().enumerate() {
            let whole = std::slice::from_ref(&(0..size)).to_vec();
            assert_eq!(arrangements(&whole, size), factorial);
        }
    }

    #[test]
    fn items_that_stay_in_order_do() {
        let mut chain = PlainChanges::default();
        for (in_order, expected) in [(2, 360), (3, 120), (5, 6), (6, 1), (9, 1)] {
            let positions = 1..7;
            let mut items: Vec<usize> = (0..8).collect();
            let mut seen = HashSet::from([items.clone()]);
            chain.restart_partly([Segment {
                positions,
                in_order,
            }]);
            while let Some((a, b)) = chain.next_exchange() {
                items.swap(a, b);
                assert!(items.iter().filter(|&&item| item <= in_order).is_sorted());
                assert!(seen.insert(items.clone()), "{items:?} comes twice");
            }
            assert_eq!(seen.len(), expected);
        }
    }

    #[test]
    fn products_of_segments_too() {
        assert_eq!(arrangements(&[0..3, 3..7, 7..8, 9..11], 12), 6 * 24 * 2);
        assert_eq!(arrangements(&[2..5, 5..5, 0..2, 5..8], 8), 6 * 2 * 6);
        assert_eq!(arrangements(&[], 3), 1);
    }
}
