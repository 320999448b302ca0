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
pub(crate) struct PlainChanges {
    segments: Vec<Range<usize>>,
    /// For each item of each segment: how far it has wandered, and which way it goes.
    wanderers: Vec<Wanderer>,
}

#[derive(Clone, Copy, Debug)]
struct Wanderer {
    offset: usize,
    outward: bool,
}

impl PlainChanges {
    /// Begins anew, with these segments.
    pub fn restart(&mut self, segments: impl IntoIterator<Item = Range<usize>>) {
        self.segments.clear();
        self.wanderers.clear();
        let start = Wanderer {
            offset: 0,
            outward: true,
        };
        for segment in segments {
            let items = self.wanderers.len() + segment.len();
            self.wanderers.resize(items, start);
            self.segments.push(segment);
        }
    }

    /// The positions to exchange for the next arrangement, or none if all have been seen.
    pub fn next_exchange(&mut self) -> Option<(usize, usize)> {
        let mut items = &mut self.wanderers[..];
        for segment in &self.segments {
            let (own, others) = items.split_at_mut(segment.len());
            if let Some(place) = step(own) {
                return Some((segment.start + place, segment.start + place + 1));
            }
            items = others;
        }
        None
    }
}

/// Moves one item of a segment; if none can move, all directions are reversed.
fn step(items: &mut [Wanderer]) -> Option<usize> {
    // Items that have wandered to the front shift the place of those before them.
    let mut at_front = 0;
    for last in (1..items.len()).rev() {
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
    fn products_of_segments_too() {
        assert_eq!(arrangements(&[0..3, 3..7, 7..8, 9..11], 12), 6 * 24 * 2);
        assert_eq!(arrangements(&[2..5, 5..5, 0..2, 5..8], 8), 6 * 2 * 6);
        assert_eq!(arrangements(&[], 3), 1);
    }
}
