//! Rings: the least image under rotations (C_n), and under rotations and reflections (D_n).
//!
//! On a ring everything that a point knows can be said relative to it: its row, how far ahead each reference
//! points, at which places of the shared list it occurs, its relation to the point d steps ahead for each d. Seen
//! so, a state is a circular word with one letter a point, a rotation of the state is a rotation of
//! the word, and the least rotation of a word is found in linear time. For reflections the letters are also taken
//! with ahead and behind exchanged, and the lesser of two least rotations wins.
//!
//! Letters are bundles of cells; they are sorted once and stand for their ranks from then on. The rank of equal
//! letters is equal, so nothing is lost, and comparing is one instruction.
//!
//! The least rotation is the two-pointer method of Shiloach (1981) rather than Booth's (1980): the same linear
//! bound, and no failure table. Both candidates are kept and the one that loses a comparison after k equal letters
//! jumps k + 1 ahead.

use crate::labelling::{Effort, Exactness, Labeller, Labelling, Labels, Route};
use crate::shape::{Entry, Matrix, Point, Shape, ShapeError};
use crate::view::View;
use std::cmp::Ordering;

/// The place at which the least rotation of a word begins; the first one if several do.
pub fn least_rotation<T: Ord>(word: &[T]) -> usize {
    let size = word.len();
    let (mut best, mut rival, mut equal) = (0, 1, 0);
    while rival < size && best < size && equal < size {
        let letter = |start: usize| &word[(start + equal) % size];
        match letter(best).cmp(letter(rival)) {
            Ordering::Equal => {
                equal += 1;
                continue;
            }
            // Every start that the loser's equal letters cover loses too.
            Ordering::Less => rival += equal + 1,
            Ordering::Greater => best += equal + 1,
        }
        rival += usize::from(rival == best);
        equal = 0;
    }
    best.min(rival)
}

/// Which way a circular word is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// As the points are numbered.
    Forward,
    /// Against the numbers.
    Backward,
}

/// The least of all rotations of two words of the same length, and in which of them it begins where.
pub fn least_turn<T: Ord>(forward: &[T], backward: &[T]) -> (Direction, usize) {
    let (start, other) = (least_rotation(forward), least_rotation(backward));
    let (mine, theirs) = (rotated(forward, start), rotated(backward, other));
    match mine.cmp(theirs) {
        Ordering::Greater => (Direction::Backward, other),
        _ => (Direction::Forward, start),
    }
}

fn rotated<T>(word: &[T], start: usize) -> impl Iterator<Item = &T> {
    let (front, back) = word.split_at(start.min(word.len()));
    back.iter().chain(front)
}

/// The group that acts on the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turns {
    /// Rotations only: C_n.
    Rotations,
    /// Rotations and reflections: D_n.
    RotationsAndReflections,
}

/// Labels the states of a ring: points 0, 1, 2, ... of the only domain stand in a circle.
#[derive(Clone, Debug)]
pub struct Ring {
    shape: Shape,
    turns: Turns,
    order: Vec<Seat>,
    forward: Vec<u16>,
    backward: Vec<u16>,
    labels: Labels,
}

/// A point and the direction in which it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seat {
    point: Point,
    facing: Direction,
}

impl Ring {
    /// A labeller for rings of this shape, which must have exactly one domain.
    pub fn new(shape: &Shape, turns: Turns) -> Result<Self, ShapeError> {
        if shape.domains() != 1 {
            return Err(ShapeError::NotOneDomain(shape.domains()));
        }
        let seats = |facing| (0..shape.points() as Point).map(move |point| Seat { point, facing });
        let order = match turns {
            Turns::Rotations => seats(Direction::Forward).collect(),
            Turns::RotationsAndReflections => seats(Direction::Forward)
                .chain(seats(Direction::Backward))
                .collect(),
        };
        Ok(Self {
            shape: shape.clone(),
            turns,
            order,
            forward: vec![0; shape.points()],
            backward: vec![0; shape.points()],
            labels: Labels::identity(shape.points()),
        })
    }

    /// Ranks what is seen from all seats, and writes the ranks as words.
    fn write_words(&mut self, view: &View) {
        let outlook = Outlook {
            shape: &self.shape,
            view,
        };
        let by_number = |seat: &Seat| (seat.point, seat.facing == Direction::Backward);
        self.order.sort_unstable_by(|a, b| {
            let sights = outlook.compare(*a, *b);
            sights.then_with(|| by_number(a).cmp(&by_number(b)))
        });
        let size = self.shape.points();
        let mut rank = 0;
        let mut before = None;
        for &seat in &self.order {
            let differs = before.is_some_and(|other| outlook.compare(other, seat).is_ne());
            rank += u16::from(differs);
            before = Some(seat);
            let point = usize::from(seat.point);
            match seat.facing {
                Direction::Forward => self.forward[point] = rank,
                Direction::Backward => self.backward[(size - point) % size] = rank,
            }
        }
    }

    fn turn(&mut self, direction: Direction, start: usize) {
        let size = self.shape.points();
        for point in 0..size {
            let place = match direction {
                Direction::Forward => point,
                Direction::Backward => (size - point) % size,
            };
            let position = (place + size - start) % size;
            self.labels.positions[point] = position as Point;
            self.labels.points[position] = point as Point;
        }
    }
}

impl Labeller for Ring {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.write_words(view);
        let (direction, start) = match self.turns {
            Turns::Rotations => (Direction::Forward, least_rotation(&self.forward)),
            Turns::RotationsAndReflections => least_turn(&self.forward, &self.backward),
        };
        self.turn(direction, start);
        Labelling {
            labels: &self.labels,
            exactness: Exactness::Exact,
            effort: Effort {
                route: Route::Sorted,
                nodes: 0,
                leaves: 0,
            },
        }
    }
}

/// Compares what points see of the state.
#[derive(Clone, Copy)]
struct Outlook<'a> {
    shape: &'a Shape,
    view: &'a View<'a>,
}

impl Outlook<'_> {
    fn compare(&self, a: Seat, b: Seat) -> Ordering {
        self.compare_rows(a, b)
            .then_with(|| self.compare_references(a, b))
            .then_with(|| self.compare_shared(a, b))
            .then_with(|| self.compare_relations(a, b))
    }

    fn compare_rows(&self, a: Seat, b: Seat) -> Ordering {
        let row = |seat: Seat| {
            let range = self
                .shape
                .block_of(seat.point)
                .row_of(usize::from(seat.point));
            &self.view.plain[range]
        };
        row(a).cmp(row(b))
    }

    fn compare_references(&self, a: Seat, b: Seat) -> Ordering {
        let cells = |seat: Seat| {
            let range = self.shape.references_of(seat.point);
            let targets = self.view.references[range].iter();
            targets.map(move |&target| self.ahead(seat, u32::from(target)))
        };
        cells(a).cmp(cells(b))
    }

    /// At which places of the list each of the two occurs.
    fn compare_shared(&self, a: Seat, b: Seat) -> Ordering {
        let places = |seat: Seat| {
            let cells = self.view.shared.iter();
            cells.map(move |&target| target == seat.point)
        };
        places(a).cmp(places(b))
    }

    fn compare_relations(&self, a: Seat, b: Seat) -> Ordering {
        let orders = self.shape.matrices().iter().map(|matrix| {
            let mine = self.around(a, matrix);
            mine.cmp(self.around(b, matrix))
        });
        let mut different = orders.filter(|order| order.is_ne());
        different.next().unwrap_or(Ordering::Equal)
    }

    /// The relation of a point to itself, the next one, the one after it, all around.
    fn around(&self, seat: Seat, matrix: &Matrix) -> impl Iterator<Item = u32> {
        let matrix = *matrix;
        (0..self.shape.points()).map(move |steps| {
            let other = self.steps_from(seat, steps);
            let value = self.view.relations[matrix.entry(usize::from(seat.point), other)];
            match matrix.entries {
                Entry::Number => value,
                Entry::Point => self.ahead(seat, value),
            }
        })
    }

    fn steps_from(&self, seat: Seat, steps: usize) -> usize {
        let (size, point) = (self.shape.points(), usize::from(seat.point));
        match seat.facing {
            Direction::Forward => (point + steps) % size,
            Direction::Backward => (point + size - steps) % size,
        }
    }

    /// How far ahead a target is; what is no point stays what it is.
    fn ahead(&self, seat: Seat, target: u32) -> u32 {
        let (size, point) = (self.shape.points() as u32, u32::from(seat.point));
        if target >= size {
            return target;
        }
        match seat.facing {
            Direction::Forward => (target + size - point) % size,
            Direction::Backward => (point + size - target) % size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow_least<T: Ord + Clone>(word: &[T]) -> Vec<T> {
        let rotations = (0..word.len().max(1)).map(|start| rotate(word, start));
        rotations.min().unwrap_or_default()
    }

    fn rotate<T: Clone>(word: &[T], start: usize) -> Vec<T> {
        let mut rotated = word.to_vec();
        rotated.rotate_left(start.min(word.len()));
        rotated
    }

    /// All words of the given length over three letters.
    fn words(length: u32) -> impl Iterator<Item = Vec<u32>> {
        (0..3u32.pow(length)).map(move |number| {
            let letter = |place| number / 3u32.pow(place) % 3;
            (0..length).map(letter).collect()
        })
    }

    #[test]
    fn the_least_rotation_is_least() {
        for word in (0..=8).flat_map(words) {
            let start = least_rotation(&word);
            assert_eq!(rotate(&word, start), slow_least(&word), "{word:?}");
        }
    }

    #[test]
    fn the_least_turn_is_least() {
        for word in (0..=6).flat_map(words) {
            let mut backward = word.clone();
            backward.reverse();
            let expected = slow_least(&word).min(slow_least(&backward));
            let (direction, start) = least_turn(&word, &backward);
            let found = match direction {
                Direction::Forward => rotate(&word, start),
                Direction::Backward => rotate(&backward, start),
            };
            assert_eq!(found, expected, "{word:?}");
        }
    }

    #[test]
    fn two_domains_are_no_ring() {
        let domain = crate::shape::PointDomain {
            points: 3,
            plain: 0,
            references: 0,
        };
        let shape = Shape::new(&[domain, domain], 0, &[]).expect("small");
        let refused = Ring::new(&shape, Turns::Rotations).expect_err("two domains");
        assert_eq!(refused, ShapeError::NotOneDomain(2));
    }
}
