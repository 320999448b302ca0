//! The strategies among each other, and rings against brute force.

use crate::support;
use crate::support::{Random, domain, form, relation, shape};
use mandala_canon::rotation::{Ring, Turns};
use mandala_canon::strategies::{Full, Segmented, Sorted};
use mandala_canon::{
    Budget, Canonicaliser, Entry, Exactness, Labeller, OwnedView, Point, Shape, ShapeError, apply,
};
use std::collections::{HashMap, HashSet};

fn shapes() -> Vec<Shape> {
    let number = relation(0, 0, Entry::Number);
    vec![
        shape(&[domain(5, 1, 1)], 0, &[]),
        shape(&[domain(4, 2, 0)], 3, &[]),
        shape(&[domain(3, 1, 1), domain(3, 0, 1)], 1, &[]),
        shape(&[domain(4, 1, 0)], 1, &[number]),
        shape(&[domain(3, 4, 1)], 0, &[relation(0, 0, Entry::Point)]),
        shape(&[domain(0, 0, 0), domain(2, 1, 1)], 0, &[]),
    ]
}

#[test]
fn full_and_segmented_choose_the_same_image() {
    let mut random = Random::new(3);
    for shape in shapes() {
        let mut full = Full::new(&shape, u32::MAX);
        let mut segmented = Segmented::new(&shape, u32::MAX);
        for case in 0..300 {
            let view = random.view(&shape, 1 + case % 3, 40);
            let least = form(&shape, &mut full, &view.as_view());
            assert_eq!(form(&shape, &mut segmented, &view.as_view()), least);
            assert_eq!(full.label(&view.as_view()).exactness(), Exactness::Exact);
        }
    }
}

#[test]
fn exact_strategies_have_the_same_orbits() {
    let mut random = Random::new(4);
    for shape in shapes() {
        let mut full = Full::new(&shape, u32::MAX);
        let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
        let (mut there, mut back) = (HashMap::new(), HashMap::new());
        for _ in 0..500 {
            // Few values, so that views of one orbit meet.
            let view = random.view(&shape, 2, 60);
            let one = form(&shape, &mut full, &view.as_view());
            let two = form(&shape, &mut auto, &view.as_view());
            assert_eq!(there.entry(one.clone()).or_insert(two.clone()), &two);
            assert_eq!(back.entry(two).or_insert(one.clone()), &one);
        }
    }
}

/// Main arrays for a shape: each single column, the columns backwards, one domain only, none.
fn main_arrays(shape: &Shape) -> Vec<Vec<Vec<usize>>> {
    let widths: Vec<usize> = (0..shape.domains())
        .map(|number| shape.domain(number).map_or(0, |domain| domain.plain))
        .collect();
    let single = |column| {
        let of_domain = |&width: &usize| Vec::from_iter((column < width).then_some(column));
        widths.iter().map(of_domain).collect()
    };
    let mut all: Vec<Vec<Vec<usize>>> = (0..3).map(single).collect();
    all.push(widths.iter().map(|&w| (0..w).rev().collect()).collect());
    all.push(vec![(0..widths[0]).collect()]);
    all.push(vec![]);
    all
}

#[test]
fn segmented_is_canonical_whatever_the_main_array_is() {
    let mut random = Random::new(5);
    for shape in shapes() {
        for columns in main_arrays(&shape) {
            let mut segmented = Segmented::by(&shape, u32::MAX, &columns).expect("columns");
            for case in 0..40 {
                let view = random.view(&shape, 1 + case % 3, 40);
                let expected = form(&shape, &mut segmented, &view.as_view());
                let image = apply(&shape, &view.as_view(), &random.permutation(&shape));
                assert_eq!(form(&shape, &mut segmented, &image.as_view()), expected);
                let exactness = segmented.label(&view.as_view()).exactness();
                assert_eq!(exactness, Exactness::Exact);
            }
        }
    }
}

#[test]
fn sorting_by_the_first_columns_gives_the_least_image_of_all() {
    let mut random = Random::new(6);
    let shape = shape(&[domain(4, 2, 1), domain(3, 1, 1)], 1, &[]);
    let mut full = Full::new(&shape, u32::MAX);
    for columns in [vec![vec![0]], vec![vec![0, 1], vec![0]], vec![]] {
        let mut segmented = Segmented::by(&shape, u32::MAX, &columns).expect("columns");
        for _ in 0..100 {
            let view = random.view(&shape, 2, 40);
            let least = form(&shape, &mut full, &view.as_view());
            assert_eq!(form(&shape, &mut segmented, &view.as_view()), least);
        }
    }
}

#[test]
fn the_main_array_is_sorted_and_the_rest_keeps_its_order() {
    let shape = shape(&[domain(4, 2, 0), domain(2, 1, 0)], 0, &[]);
    let plain = [1, 5, 0, 7, 9, 5, 0, 6, 3, 2];
    let view = mandala_canon::View::new(&shape, &plain, &[], &[], &[]).expect("fits");
    let order = |columns: &[Vec<usize>]| {
        let mut sorted = Sorted::by(&shape, columns).expect("columns");
        sorted.label(&view).points().to_vec()
    };
    assert_eq!(order(&[vec![1]]), [0, 2, 3, 1, 4, 5]);
    assert_eq!(order(&[vec![1, 0], vec![0]]), [0, 2, 3, 1, 5, 4]);
    assert_eq!(order(&[vec![0], vec![0]]), [1, 3, 0, 2, 5, 4]);
    assert_eq!(order(&[]), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_main_array_that_is_not_there_is_an_error() {
    let shape = shape(&[domain(2, 1, 0)], 0, &[]);
    let missing = Sorted::by(&shape, &[vec![0, 1]]).expect_err("one column");
    let (domain, column) = (0, 1);
    assert_eq!(missing, ShapeError::NoSuchColumn { domain, column });
    assert_eq!(missing.to_string(), "domain 0 has no plain column 1");
    let too_many = Segmented::by(&shape, 9, &[vec![], vec![]]).expect_err("one domain");
    assert_eq!(too_many, ShapeError::NoSuchDomain(1));
}

#[test]
fn sorted_is_between_the_orbits_and_all_views() {
    let shape = shape(&[domain(4, 1, 1)], 0, &[]);
    let mut random = Random::new(5);
    let mut all = HashSet::new();
    let mut images: [HashSet<OwnedView>; 2] = Default::default();
    let mut labellers: [Box<dyn Labeller>; 2] = [
        Box::new(Full::new(&shape, u32::MAX)),
        Box::new(Sorted::new(&shape)),
    ];
    for _ in 0..20_000 {
        let view = random.view(&shape, 2, 50);
        for (labeller, images) in labellers.iter_mut().zip(&mut images) {
            images.insert(form(&shape, labeller.as_mut(), &view.as_view()));
        }
        all.insert(view);
    }
    let [orbits, sorted] = images.map(|images| images.len());
    assert!(orbits < sorted && sorted < all.len(), "{orbits} {sorted}");
}

#[test]
fn limits_end_the_enumeration() {
    let shape = shape(&[domain(40, 0, 1)], 0, &[]);
    let view = Random::new(7).view(&shape, 1, 10);
    let mut labellers: [Box<dyn Labeller>; 2] = [
        Box::new(Full::new(&shape, 1000)),
        Box::new(Segmented::new(&shape, 1000)),
    ];
    for labeller in &mut labellers {
        form(&shape, labeller.as_mut(), &view.as_view());
        let labelling = labeller.label(&view.as_view());
        assert_eq!(labelling.exactness(), Exactness::Heuristic);
        assert!(labelling.effort().nodes <= 1000);
    }
}

/// All rotations, and reflections if asked for, as point -> position.
fn turns(points: usize, turns: Turns) -> Vec<Vec<Point>> {
    let rotation = |start: usize| (0..points).map(move |point| ((point + start) % points) as Point);
    let mut all: Vec<Vec<Point>> = (0..points).map(|start| rotation(start).collect()).collect();
    if turns == Turns::RotationsAndReflections {
        let mut reflected: Vec<Vec<Point>> = all.clone();
        reflected.iter_mut().for_each(|turn| turn.reverse());
        all.extend(reflected);
    }
    all
}

#[test]
fn rings_have_one_form_for_all_turns_and_no_other() {
    let relations = [relation(0, 0, Entry::Number), relation(0, 0, Entry::Point)];
    let shapes = [
        shape(&[domain(1, 1, 1)], 1, &[]),
        shape(&[domain(2, 1, 1)], 1, &relations),
        shape(&[domain(5, 1, 0)], 0, &[]),
        shape(&[domain(5, 1, 1)], 2, &[]),
        shape(&[domain(6, 0, 1)], 1, &[]),
        shape(&[domain(4, 0, 1)], 0, &relations),
        shape(&[domain(7, 2, 2)], 1, &relations[..1]),
    ];
    let mut random = Random::new(8);
    for kind in [Turns::Rotations, Turns::RotationsAndReflections] {
        for shape in &shapes {
            let mut ring = Ring::new(shape, kind).expect("one domain");
            let turns = turns(shape.points(), kind);
            for case in 0..200 {
                let view = random.view(shape, 1 + case % 2, 60);
                let chosen = ring.label(&view.as_view()).positions().to_vec();
                assert!(turns.contains(&chosen), "{chosen:?} is a turn");
                let expected = form(shape, &mut ring, &view.as_view());
                for turn in &turns {
                    let turned = apply(shape, &view.as_view(), turn);
                    assert_eq!(form(shape, &mut ring, &turned.as_view()), expected);
                }
            }
        }
    }
}

#[test]
fn necklaces_and_bracelets() {
    // OEIS A000031 and A000029: two colours, 10 beads.
    let shape = shape(&[domain(10, 1, 0)], 0, &[]);
    for (kind, expected) in [
        (Turns::Rotations, 108),
        (Turns::RotationsAndReflections, 78),
    ] {
        let mut ring = Ring::new(&shape, kind).expect("one domain");
        let forms: HashSet<OwnedView> = support::lists(10, 2)
            .map(|list| {
                let view = OwnedView {
                    plain: list.into_iter().map(|value| value as u32).collect(),
                    references: vec![],
                    shared: vec![],
                    relations: vec![],
                };
                form(&shape, &mut ring, &view.as_view())
            })
            .collect();
        assert_eq!(forms.len(), expected);
    }
}
