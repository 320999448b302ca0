//! The strategies that try permutations, among each other and against `full`, and the form they share.

use super::super::enumerate::Enumerate;
use super::super::enumerate_swaps::EnumerateSwaps;
use super::super::local_search::LocalSearch;
use super::super::minimising_set::{MinimisingSet, all_pairs};
use super::super::shuffle::Shuffle;
use super::super::vector_swaps::VectorSwaps;
use super::Layout;
use mandala_canon::strategies::Full;
use mandala_canon::walk::Walk;
use mandala_canon::{
    ABSENT, Budget, Canonicaliser, Entry, Exactness, Labeller, Labels, NONE, OwnedView, Point,
    PointDomain, Relation, Shape, apply, compare,
};
use mandala_encoding::shuffle::{Chunk, Level, Shuffler};
use std::collections::{HashMap, HashSet};

/// A generator of numbers that look random and can be had again from the seed (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound.max(1)
    }

    fn labels(&mut self, shape: &Shape) -> Labels {
        let mut labels = Labels::identity(shape.points());
        for domain in 0..shape.domains() {
            let points = shape.domain_points(domain);
            for at in points.clone().skip(1).rev() {
                let other = points.start + self.below(at + 1 - points.start);
                labels.swap_positions(at, other);
            }
        }
        labels
    }

    /// A number, small or large, out of few.
    fn number(&mut self, values: usize) -> u32 {
        let small = self.below(values) as u32;
        match self.below(8) {
            0 => u32::MAX - small,
            1 => 250 + small,
            _ => small,
        }
    }

    /// A point, or one time out of three a value that is none.
    fn target(&mut self, points: usize) -> Point {
        match self.below(6) {
            0 => NONE,
            1 => [ABSENT, points as Point, 200][self.below(3)].max(points as Point),
            _ => self.below(points) as Point,
        }
    }

    fn entry(&mut self, entries: Entry, points: usize) -> u32 {
        match (entries, self.below(12)) {
            (Entry::Number, _) => self.number(3),
            (Entry::Point, 0) => 300 + self.below(3) as u32,
            (Entry::Point, _) => u32::from(self.target(points)),
        }
    }

    fn view(&mut self, shape: &Shape, values: usize) -> OwnedView {
        let points = shape.points();
        let mut relations = Vec::new();
        for matrix in shape.matrices() {
            let size = matrix.row_points().len() * matrix.column_points().len();
            relations.extend((0..size).map(|_| self.entry(matrix.entries(), points)));
        }
        let cells = |count, random: &mut Self| (0..count).map(|_| random.target(points)).collect();
        OwnedView {
            plain: (0..shape.plain_cells())
                .map(|_| self.number(values))
                .collect(),
            references: cells(shape.reference_cells(), self),
            shared: cells(shape.shared_cells(), self),
            relations,
        }
    }
}

fn domain(points: usize, plain: usize, references: usize) -> PointDomain {
    PointDomain {
        points,
        plain,
        references,
    }
}

fn relation(rows: usize, columns: usize, entries: Entry) -> Relation {
    Relation {
        rows,
        columns,
        entries,
    }
}

fn shape(domains: &[PointDomain], shared: usize, relations: &[Relation]) -> Shape {
    Shape::new(domains, shared, relations).expect("within the limits")
}

fn shapes() -> Vec<Shape> {
    let numbers = relation(0, 0, Entry::Number);
    let targets = relation(0, 0, Entry::Point);
    vec![
        shape(&[domain(1, 1, 1)], 1, &[]),
        shape(&[domain(5, 1, 1)], 0, &[]),
        shape(&[domain(6, 2, 2)], 3, &[]),
        shape(&[domain(4, 3, 0)], 5, &[]),
        shape(&[domain(3, 1, 2), domain(4, 0, 1)], 2, &[]),
        shape(&[domain(2, 0, 1); 4], 3, &[]),
        shape(
            &[domain(0, 1, 1), domain(3, 1, 1)],
            0,
            &[numbers, relation(0, 1, Entry::Point)],
        ),
        shape(&[domain(4, 1, 0)], 1, &[numbers, targets]),
        shape(
            &[domain(3, 0, 1), domain(2, 1, 0)],
            0,
            &[relation(1, 0, Entry::Point), relation(0, 1, Entry::Number)],
        ),
        shape(&[domain(5, 0, 0)], 0, &[targets, numbers]),
        shape(&[domain(2, 0, 1); 12], 70, &[]),
        shape(&[domain(1, 0, 3); 20], 2, &[]),
        // Matrices that need windows of 64 bytes, and tables of more than 64 values.
        shape(
            &[domain(5, 0, 0), domain(1, 0, 0)],
            0,
            &[numbers, relation(0, 1, Entry::Point)],
        ),
        shape(&[domain(1, 0, 1); 70], 0, &[]),
        shape(
            &[domain(2, 1, 1); 3],
            0,
            &[targets, relation(1, 2, Entry::Number)],
        ),
    ]
}

fn shufflers() -> impl Iterator<Item = Shuffler> {
    Level::ALL.into_iter().filter_map(Shuffler::at)
}

fn exact(shape: &Shape, limit: u32) -> Vec<(String, Box<dyn Labeller>)> {
    let mut all: Vec<(String, Box<dyn Labeller>)> = vec![
        (
            "enumerate".into(),
            Box::new(Enumerate::new(Walk::of_all(shape), shape, limit)),
        ),
        (
            "enumerate-swaps".into(),
            Box::new(EnumerateSwaps::new(Walk::of_all(shape), shape, limit)),
        ),
    ];
    for shuffler in shufflers() {
        let level = shuffler.level();
        let vectors = VectorSwaps::with(shuffler, Walk::of_all(shape), shape, limit);
        all.push((format!("vector-swaps {level:?}"), Box::new(vectors)));
        let shuffle = Shuffle::with(shuffler, Walk::of_all(shape), shape, limit);
        all.push((format!("shuffle {level:?}"), Box::new(shuffle)));
    }
    all
}

fn local_search(shape: &Shape, limit: u32) -> LocalSearch {
    let pairs = all_pairs(shape).into_iter();
    let ways = pairs.map(|pair| vec![pair]).collect();
    LocalSearch::new(shape, ways, true, limit)
}

/// The image that a labeller chooses, after checking that it is one.
fn form(shape: &Shape, labeller: &mut dyn Labeller, view: &OwnedView) -> OwnedView {
    let labelling = labeller.label(&view.as_view());
    let mut seen = vec![false; shape.points()];
    for domain in 0..shape.domains() {
        let points = shape.domain_points(domain);
        for &position in &labelling.positions()[points.clone()] {
            assert!(points.contains(&usize::from(position)));
            seen[usize::from(position)] = true;
        }
    }
    assert!(seen.into_iter().all(|seen| seen), "a permutation");
    apply(shape, &view.as_view(), labelling.positions())
}

#[test]
fn exact_strategies_choose_the_image_that_full_chooses() {
    let mut random = Random(11);
    for shape in shapes() {
        let mut full = Full::new(&shape, u32::MAX);
        let mut strategies = exact(&shape, u32::MAX);
        for case in 0..40 {
            let view = random.view(&shape, 1 + case % 3);
            let least = form(&shape, &mut full, &view);
            let tried = full.label(&view.as_view()).effort().nodes;
            for (name, strategy) in &mut strategies {
                assert_eq!(
                    form(&shape, strategy.as_mut(), &view),
                    least,
                    "{name} {view:?}"
                );
                let labelling = strategy.label(&view.as_view());
                assert_eq!(labelling.exactness(), Exactness::Exact, "{name}");
                assert_eq!(labelling.effort().nodes, tried, "{name}");
            }
        }
    }
}

#[test]
fn forms_are_compared_like_images() {
    let mut random = Random(12);
    for shape in shapes() {
        let Some(mut layout) = Layout::new(&shape) else {
            continue;
        };
        let mut bytes = [vec![0; layout.bytes()], vec![0; layout.bytes()]];
        for case in 0..100 {
            let view = random.view(&shape, 1 + case % 3);
            let labels = [random.labels(&shape), random.labels(&shape)];
            for (labels, bytes) in labels.iter().zip(&mut bytes) {
                let image = apply(&shape, &view.as_view(), labels.positions());
                layout.write(&image.as_view(), bytes);
            }
            let expected = compare(&shape, &view.as_view(), &labels[0], &labels[1]);
            assert_eq!(bytes[0].cmp(&bytes[1]), expected, "{view:?} {labels:?}");
        }
    }
}

#[test]
fn a_rearranged_form_is_the_form_of_the_image() {
    let mut random = Random(13);
    for shape in shapes() {
        let Some(mut layout) = Layout::new(&shape) else {
            continue;
        };
        for _ in 0..20 {
            let view = random.view(&shape, 2);
            let labels = random.labels(&shape);
            let mut bytes = vec![0; layout.bytes()];
            let mut blocks = [0; 3].map(|_| vec![Chunk::ZERO; layout.chunks()]);
            let [of_view, moved, of_image] = &mut blocks;
            layout.write(&view.as_view(), &mut bytes);
            Chunk::fill(of_view, &bytes);
            let image = apply(&shape, &view.as_view(), labels.positions());
            layout.write(&image.as_view(), &mut bytes);
            Chunk::fill(of_image, &bytes);
            Shuffler::new().rearrange(&layout.rearrangement(&labels), of_view, moved);
            assert_eq!(moved, of_image, "{view:?} {labels:?}");
        }
    }
}

#[test]
fn shapes_that_do_not_fit_into_bytes_are_labelled_all_the_same() {
    let large = [
        shape(&[domain(1, 0, 1); 130], 1, &[]),
        shape(&[domain(20, 1, 1)], 0, &[relation(0, 0, Entry::Number)]),
        shape(&[], 3, &[]),
    ];
    let mut random = Random(14);
    for shape in large {
        assert!(Layout::new(&shape).is_none());
        let view = random.view(&shape, 2);
        let expected = form(&shape, &mut Full::new(&shape, 50), &view);
        for (name, mut strategy) in exact(&shape, 50) {
            assert_eq!(form(&shape, strategy.as_mut(), &view), expected, "{name}");
        }
    }
}

#[test]
fn large_domains_need_large_windows() {
    let mut random = Random(15);
    for points in [16, 17, 40, 64, 65, 100, 128] {
        let shape = shape(&[domain(points, 1, 2)], 3, &[]);
        let view = random.view(&shape, 2);
        let mut chain = EnumerateSwaps::new(Walk::of_all(&shape), &shape, 30);
        let by_chain = form(&shape, &mut chain, &view);
        for (name, mut strategy) in exact(&shape, 30) {
            let image = form(&shape, strategy.as_mut(), &view);
            // The order in which permutations are tried is that of the chain, but for `shuffle`.
            if !name.starts_with("shuffle") {
                assert_eq!(image, by_chain, "{name} with {points} points");
            }
            let labelling = strategy.label(&view.as_view());
            assert_eq!(labelling.exactness(), Exactness::Heuristic);
            assert_eq!(labelling.effort().nodes, 30);
        }
        let of_levels: HashSet<OwnedView> = shufflers()
            .map(|shuffler| {
                form(
                    &shape,
                    &mut Shuffle::with(shuffler, Walk::of_all(&shape), &shape, 2000),
                    &view,
                )
            })
            .collect();
        assert_eq!(of_levels.len(), 1, "all levels agree on {points} points");
    }
}

#[test]
fn limits_end_the_enumeration_and_are_said() {
    let shape = shape(&[domain(6, 0, 1), domain(3, 1, 0)], 1, &[]);
    let view = Random(16).view(&shape, 1);
    let order = 720 * 6;
    for limit in [0, 1, 2, 119, 120, 121, 240, order - 1, order, order + 1] {
        for (name, mut strategy) in exact(&shape, limit) {
            let labelling = strategy.label(&view.as_view());
            let expected = match limit >= order {
                true => Exactness::Exact,
                false => Exactness::Heuristic,
            };
            assert_eq!(labelling.exactness(), expected, "{name} with {limit}");
            assert_eq!(labelling.effort().nodes, limit.clamp(1, order), "{name}");
        }
    }
}

/// All functions from n points to n points or nothing.
fn partial_maps(points: usize) -> impl Iterator<Item = OwnedView> {
    let base = points + 1;
    (0..base.pow(points as u32)).map(move |number| {
        let cell = |place| match number / base.pow(place as u32) % base {
            target if target == points => NONE,
            target => target as Point,
        };
        OwnedView {
            plain: vec![],
            references: (0..points).map(cell).collect(),
            shared: vec![],
            relations: vec![],
        }
    })
}

fn count(points: usize, mut labeller: Box<dyn Labeller>) -> usize {
    let shape = shape(&[domain(points, 0, 1)], 0, &[]);
    let images: HashSet<OwnedView> = partial_maps(points)
        .map(|view| form(&shape, labeller.as_mut(), &view))
        .collect();
    images.len()
}

#[test]
fn partial_maps_up_to_renaming() {
    for (points, orbits) in (1..=5).zip([2, 6, 16, 45, 121]) {
        let shape = shape(&[domain(points, 0, 1)], 0, &[]);
        for (name, strategy) in exact(&shape, u32::MAX) {
            assert_eq!(count(points, strategy), orbits, "{name}");
        }
    }
}

#[test]
fn exchanges_downhill_end_in_local_minima() {
    for (points, minima) in (1..=5).zip([2, 6, 16, 48, 150]) {
        let shape = shape(&[domain(points, 0, 1)], 0, &[]);
        let minimising = MinimisingSet::new(&shape, u32::MAX);
        assert_eq!(count(points, Box::new(minimising)), minima);
        let local = local_search(&shape, u32::MAX);
        assert_eq!(count(points, Box::new(local)), minima);
    }
}

#[test]
fn without_links_between_points_going_downhill_is_exact() {
    let unlinked = [
        shape(&[domain(6, 2, 0)], 3, &[]),
        shape(&[domain(4, 1, 0), domain(3, 0, 0)], 4, &[]),
        shape(&[domain(5, 0, 0)], 6, &[]),
        shape(&[domain(2, 0, 0); 3], 5, &[]),
    ];
    let mut random = Random(17);
    for shape in unlinked {
        let mut full = Full::new(&shape, u32::MAX);
        let mut downhill: [Box<dyn Labeller>; 2] = [
            Box::new(MinimisingSet::new(&shape, u32::MAX)),
            Box::new(local_search(&shape, u32::MAX)),
        ];
        for case in 0..100 {
            let view = random.view(&shape, 1 + case % 3);
            let least = form(&shape, &mut full, &view);
            for labeller in &mut downhill {
                assert_eq!(form(&shape, labeller.as_mut(), &view), least);
                let exactness = labeller.label(&view.as_view()).exactness();
                assert_eq!(exactness, Exactness::Exact);
            }
        }
    }
}

#[test]
fn going_downhill_says_when_it_does_not_know() {
    let linked = [
        shape(&[domain(5, 1, 1)], 0, &[]),
        shape(&[domain(5, 1, 0)], 0, &[relation(0, 0, Entry::Number)]),
    ];
    let unlinked = shape(&[domain(9, 1, 0)], 0, &[]);
    let mut random = Random(18);
    for (shape, limit) in [
        (&linked[0], u32::MAX),
        (&linked[1], u32::MAX),
        (&unlinked, 7),
    ] {
        let view = random.view(shape, 3);
        let downhill: [Box<dyn Labeller>; 2] = [
            Box::new(MinimisingSet::new(shape, limit)),
            Box::new(local_search(shape, limit)),
        ];
        for mut labeller in downhill {
            let labelling = labeller.label(&view.as_view());
            assert_eq!(labelling.exactness(), Exactness::Heuristic);
            assert!(labelling.effort().nodes <= limit);
        }
    }
}

#[test]
fn orbits_are_those_of_the_canonicaliser() {
    let mut random = Random(19);
    for shape in shapes() {
        let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
        let mut shuffle = Shuffle::new(Walk::of_all(&shape), &shape, u32::MAX);
        let (mut there, mut back) = (HashMap::new(), HashMap::new());
        for _ in 0..100 {
            let view = random.view(&shape, 1);
            let moved = random.labels(&shape);
            let moved = apply(&shape, &view.as_view(), moved.positions());
            for view in [view, moved] {
                let one = form(&shape, &mut auto, &view);
                let two = form(&shape, &mut shuffle, &view);
                assert_eq!(there.entry(one.clone()).or_insert(two.clone()), &two);
                assert_eq!(back.entry(two).or_insert(one.clone()), &one);
            }
        }
    }
}
