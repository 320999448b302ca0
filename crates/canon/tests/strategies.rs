//! The strategies among each other, and rings against brute force.

mod support;

use mandala_canon::rotation::{Ring, Turns};
use mandala_canon::strategies::{Full, LocalSearch, Segmented, Sorted};
use mandala_canon::{Budget, Canonicaliser, Entry, Exactness, Labeller, OwnedView, Shape, apply};
use std::collections::{HashMap, HashSet};
use support::{Random, domain, form, relation, shape};

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

#[test]
fn heuristics_are_between_the_orbits_and_all_views() {
    let shape = shape(&[domain(4, 1, 1)], 0, &[]);
    let mut random = Random::new(5);
    let mut all = HashSet::new();
    let mut images: [HashSet<OwnedView>; 3] = Default::default();
    let mut labellers: [Box<dyn Labeller>; 3] = [
        Box::new(Full::new(&shape, u32::MAX)),
        Box::new(LocalSearch::new(&shape, u32::MAX)),
        Box::new(Sorted::new(&shape)),
    ];
    for _ in 0..20_000 {
        let view = random.view(&shape, 2, 50);
        for (labeller, images) in labellers.iter_mut().zip(&mut images) {
            images.insert(form(&shape, labeller.as_mut(), &view.as_view()));
        }
        all.insert(view);
    }
    let [orbits, local, sorted] = images.map(|images| images.len());
    let counts = [orbits, local, sorted, all.len()];
    assert!(
        counts.is_sorted() && orbits < local && sorted < all.len(),
        "{counts:?}"
    );
}

#[test]
fn local_search_sorts_where_there_are_no_references() {
    let shape = shape(&[domain(6, 2, 0)], 2, &[]);
    let mut random = Random::new(6);
    let mut local = LocalSearch::new(&shape, u32::MAX);
    let mut full = Full::new(&shape, u32::MAX);
    for _ in 0..100 {
        let view = random.view(&shape, 3, 20);
        let least = form(&shape, &mut full, &view.as_view());
        assert_eq!(form(&shape, &mut local, &view.as_view()), least);
        let exactness = local.label(&view.as_view()).exactness();
        assert_eq!(exactness, Exactness::Heuristic, "it does not know");
    }
}

#[test]
fn limits_end_the_enumeration() {
    let shape = shape(&[domain(40, 0, 1)], 0, &[]);
    let view = Random::new(7).view(&shape, 1, 10);
    let mut labellers: [Box<dyn Labeller>; 3] = [
        Box::new(Full::new(&shape, 1000)),
        Box::new(Segmented::new(&shape, 1000)),
        Box::new(LocalSearch::new(&shape, 1000)),
    ];
    for labeller in &mut labellers {
        form(&shape, labeller.as_mut(), &view.as_view());
        let labelling = labeller.label(&view.as_view());
        assert_eq!(labelling.exactness(), Exactness::Heuristic);
        assert!(labelling.effort().nodes <= 1000);
    }
}

/// All rotations, and reflections if asked for, as point -> position.
fn turns(points: usize, turns: Turns) -> Vec<Vec<u8>> {
    let rotation = |start: usize| (0..points).map(move |point| ((point + start) % points) as u8);
    let mut all: Vec<Vec<u8>> = (0..points).map(|start| rotation(start).collect()).collect();
    if turns == Turns::RotationsAndReflections {
        let mut reflected: Vec<Vec<u8>> = all.clone();
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
