//! The least image along the stabiliser chain: for groups that their orbitals do not tell from larger ones.
//!
//! Points are coloured in a way that does not depend on names (`signature`). Then the base points of the chain are dealt with one
//! after the other: of all points that may come to the place of the base point those with the least colour are taken, and all
//! of them are followed (Linton 2004). What is left are the elements of the group that put the colours into their least
//! order; of these, the one with the least image is taken. If there are points besides that may be permuted in all
//! ways, they are labelled for each of the elements anew.
//!
//! Where nearly all points look alike, there may be too many elements to follow. Then the state is labelled with the
//! orbitals, which may not be canonical.

use super::chain::{Chain, Level};
use super::labelled::Labelled;
use crate::reshape::with_marks;
use crate::signature::Signature;
use mandala_canon::{
    Budget, Canonicaliser, Effort, Exactness, Labeller, Labelling, Labels, Point, Shape, View,
    compare,
};

/// How many elements of the group are followed.
const MOST: usize = 1 << 14;
/// How many bytes their images may take.
const MOST_BYTES: usize = 1 << 18;

/// How long a list of elements may become, each given by the images of so many points.
fn longest(size: usize) -> usize {
    MOST_BYTES.min(MOST * size)
}

/// Finds least images along a stabiliser chain.
pub(super) struct Narrowed {
    shape: Shape,
    signature: Signature,
    /// By position, which point comes there: one reading after the other.
    readings: Vec<Point>,
    longer: Vec<Point>,
    others: Option<Others>,
    at_hand: Labels,
    best: Labels,
    /// What is done with states for which this takes too long.
    otherwise: Labelled,
}

impl Narrowed {
    pub fn new(shape: &Shape, otherwise: Labelled, budget: Budget) -> Self {
        let held = otherwise.chain().points();
        let labels = Labels::identity(shape.points());
        Narrowed {
            shape: shape.clone(),
            signature: Signature::new(shape),
            readings: Vec::new(),
            longer: Vec::new(),
            others: (held < shape.points()).then(|| Others::new(shape, held, budget)),
            at_hand: labels.clone(),
            best: labels,
            otherwise,
        }
    }

    /// Finds all elements that put the colours into their least order. False if there are too many.
    fn find_readings(&mut self) -> bool {
        let chain: &Chain = self.otherwise.chain();
        let size = chain.points();
        self.readings.clear();
        self.readings.extend(0..size as Point);
        let colours = self.signature.colours();
        for level in chain.levels() {
            self.longer.clear();
            extend(level, &self.readings, size, colours, &mut self.longer);
            std::mem::swap(&mut self.readings, &mut self.longer);
            if self.readings.len() > longest(size) {
                return false;
            }
        }
        true
    }

    /// Takes the element with the least image.
    fn choose(&mut self, view: &View) -> Exactness {
        let mut exactness = Exactness::Exact;
        let size = self.otherwise.chain().points();
        for (number, reading) in self.readings.chunks_exact(size).enumerate() {
            self.at_hand.set_points(reading);
            if let Some(others) = &mut self.others {
                exactness = others.arrange(view, &mut self.at_hand, exactness);
            }
            let is_better = |best| compare(&self.shape, view, &self.at_hand, best).is_lt();
            if number == 0 || is_better(&self.best) {
                self.best.copy_from(&self.at_hand);
            }
        }
        exactness
    }
}

/// All readings that go on with the least colour.
fn extend(
    level: &Level,
    readings: &[Point],
    size: usize,
    colours: &[u64],
    longer: &mut Vec<Point>,
) {
    let mut least = u64::MAX;
    for reading in readings.chunks_exact(size) {
        for (point, taking) in level.choices() {
            let colour = colours[usize::from(reading[usize::from(point)])];
            if colour < least {
                longer.clear();
                least = colour;
            }
            if colour == least && longer.len() <= longest(size) {
                longer.extend(taking.iter().map(|point| reading[usize::from(*point)]));
            }
        }
    }
}

impl Labeller for Narrowed {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.signature.colour(&self.shape, view);
        if !self.find_readings() {
            return self.otherwise.label(view);
        }
        let exactness = self.choose(view);
        let tried = self.readings.len() / self.otherwise.chain().points();
        Labelling::new(&self.best, exactness, Effort::of_permutations(tried as u32))
    }
}

/// Labels the points that may be permuted in all ways, while the others have their places.
struct Others {
    /// How many points have their places.
    held: usize,
    /// The plain cells of the state at hand, with marks.
    plain: Vec<u32>,
    /// By point, where its mark is.
    marks: Vec<usize>,
    shape: Shape,
    canonicaliser: Canonicaliser,
    points: Vec<Point>,
}

impl Others {
    fn new(shape: &Shape, held: usize, budget: Budget) -> Self {
        let marked = with_marks(shape);
        let points = 0..shape.points() as Point;
        Others {
            held,
            plain: vec![0; marked.plain_cells()],
            marks: points.clone().map(|p| marked.row_of(p).end - 1).collect(),
            canonicaliser: Canonicaliser::new(&marked, budget),
            shape: marked,
            points: points.collect(),
        }
    }

    /// Gives the points behind the held ones their places.
    fn arrange(&mut self, view: &View, labels: &mut Labels, so_far: Exactness) -> Exactness {
        self.mark(view, labels);
        let (references, shared) = (view.references(), view.shared());
        let view = View::new(
            &self.shape,
            &self.plain,
            references,
            shared,
            view.relations(),
        );
        let found = self
            .canonicaliser
            .canonicalise(&view.expect("of the shape"));
        self.points[..self.held].copy_from_slice(&labels.points()[..self.held]);
        self.points[self.held..].copy_from_slice(&found.points()[self.held..]);
        labels.set_points(&self.points);
        match found.exactness() {
            Exactness::Exact => so_far,
            Exactness::Heuristic => Exactness::Heuristic,
        }
    }

    /// Marks each held point with its place.
    fn mark(&mut self, view: &View, labels: &Labels) {
        let mut cells = view.plain().iter();
        let mut start = 0;
        for (point, mark) in self.marks.iter().enumerate() {
            for cell in &mut self.plain[start..*mark] {
                *cell = cells.next().copied().unwrap_or(0);
            }
            let place = u32::from(labels.positions()[point]);
            self.plain[*mark] = if point < self.held { place + 1 } else { 0 };
            start = mark + 1;
        }
    }
}
