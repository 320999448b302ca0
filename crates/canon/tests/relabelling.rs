//! Renaming a view does not change its canonical form: random shapes, up to 64 points, and large special ones.

use crate::support;
use crate::support::{Random, domain, form, lists, relation, shape};
use mandala_canon::{
    Budget, Canonicaliser, Entry, Exactness, NONE, Point, PointDomain, Relation, Route, Shape,
    View, apply, none,
};
use proptest::prelude::*;
use std::collections::HashSet;

fn domains() -> impl Strategy<Value = Vec<PointDomain>> {
    let one = (0..=22usize, 0..=5usize, 0..=3usize);
    let any = one.prop_map(|(points, plain, references)| domain(points, plain, references));
    prop::collection::vec(any, 1..=3)
}

fn relations() -> impl Strategy<Value = Vec<Relation>> {
    let entries = prop_oneof![3 => Just(Entry::Number), 1 => Just(Entry::Point)];
    let one = (0..3usize, 0..3usize, entries);
    let any = one.prop_map(|(rows, columns, entries)| relation(rows, columns, entries));
    prop_oneof![3 => Just(vec![]), 1 => prop::collection::vec(any, 0..=2)]
}

fn shapes() -> impl Strategy<Value = Shape> {
    (domains(), 0..=4usize, relations()).prop_map(|(domains, shared, mut relations)| {
        for relation in &mut relations {
            relation.rows %= domains.len();
            relation.columns %= domains.len();
        }
        shape(&domains, shared, &relations)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_renamed_view_has_the_same_form(
        shape in shapes(),
        seed in any::<u64>(),
        values in 1..4usize,
        nothing in prop_oneof![Just(0), Just(50), Just(90), Just(98)],
    ) {
        let mut random = Random::new(seed);
        let mut auto = Canonicaliser::new(&shape, Budget::default());
        let view = random.view(&shape, values, nothing);
        let expected = form(&shape, &mut auto, &view.as_view());
        for _ in 0..3 {
            let positions = random.permutation(&shape);
            let renamed = apply(&shape, &view.as_view(), &positions);
            prop_assert_eq!(&form(&shape, &mut auto, &renamed.as_view()), &expected);
        }
        prop_assert_eq!(auto.counters().heuristic, 0);
    }

    #[test]
    fn states_with_much_symmetry_have_one_form(
        copies in 1..8usize,
        size in 1..8usize,
        seed in any::<u64>(),
    ) {
        // Copies of one random component, renamed: the group has at least copies! elements.
        let shape = shape(&[domain(copies * size, 1, 2)], 0, &[]);
        let mut random = Random::new(seed);
        let part = random.view(&support::shape(&[domain(size, 1, 2)], 0, &[]), 2, 40);
        let mut whole = part.clone();
        for copy in 1..copies {
            let moved = |&target: &Point| match usize::from(target) < size {
                true => target + (copy * size) as Point,
                false => target,
            };
            whole.plain.extend(&part.plain);
            whole.references.extend(part.references.iter().map(moved));
        }
        let mut auto = Canonicaliser::new(&shape, Budget::default());
        let expected = form(&shape, &mut auto, &whole.as_view());
        for _ in 0..3 {
            let renamed = apply(&shape, &whole.as_view(), &random.permutation(&shape));
            prop_assert_eq!(&form(&shape, &mut auto, &renamed.as_view()), &expected);
        }
        prop_assert_eq!(auto.counters().heuristic, 0);
    }
}

/// Forms of random views of a shape, of which so many in a hundred references refer to nothing.
fn check_forms(shape: &Shape, nothings: &[usize]) {
    let mut auto = Canonicaliser::new(shape, Budget::default());
    let mut random = Random::new(9);
    for nothing in nothings {
        let view = random.view(shape, 2, *nothing);
        let expected = form(shape, &mut auto, &view.as_view());
        let renamed = apply(shape, &view.as_view(), &random.permutation(shape));
        assert_eq!(form(shape, &mut auto, &renamed.as_view()), expected);
        let exactness = auto.canonicalise(&view.as_view()).exactness();
        assert_eq!(exactness, Exactness::Exact);
    }
}

#[test]
fn the_largest_shape_of_bytes_works() {
    let shape = shape(&[domain(200, 1, 1), domain(54, 0, 2)], 3, &[]);
    check_forms(&shape, &[0, 20, 60, 95, 100]);
}

/// Around the number from which codes are no bytes any more, and the one from which points have more bits in keys.
#[test]
fn points_need_not_be_bytes() {
    for points in [253, 254, 255, 256, 257, 600] {
        check_forms(&shape(&[domain(points, 1, 0)], 3, &[]), &[0, 50]);
        check_forms(&shape(&[domain(points, 2, 1)], 2, &[]), &[0, 60, 100]);
        let domains = [domain(points - 4, 1, 1), domain(4, 0, 0)];
        let relations = [relation(0, 1, Entry::Number), relation(1, 1, Entry::Point)];
        check_forms(&shape(&domains, 1, &relations), &[0, 60]);
    }
}

/// All ways in which a few points can refer to each other, among many that do nothing: there are as many forms as without these.
#[test]
fn idle_points_make_no_forms() {
    let forms = |idle: usize| {
        let shape = shape(&[domain(4 + idle, 1, 1)], 0, &[]);
        let nobody = none(shape.points());
        let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
        let mut forms = HashSet::new();
        for targets in lists(4, 5) {
            let target = |cell: &usize| match cell {
                4 => nobody,
                point => (idle + point) as Point,
            };
            let plain: Vec<u32> = (0..shape.points()).map(|p| u32::from(p < idle)).collect();
            let mut references = vec![nobody; idle];
            references.extend(targets.iter().map(target));
            let view = View::new(&shape, &plain, &references, &[], &[]).expect("fits");
            forms.insert(form(&shape, &mut auto, &view));
        }
        forms.len()
    };
    assert_eq!(forms(0), 45);
    assert_eq!(forms(300), 45);
}

#[test]
fn a_row_that_fits_beside_a_byte_need_not_fit_beside_a_longer_name() {
    // 40 bits of row: the second cell decides, whether or not it is in the key.
    for points in [250, 300] {
        let shape = shape(&[domain(points, 2, 0)], 0, &[]);
        let mut auto = Canonicaliser::new(&shape, Budget::default());
        let cell = |at: usize| match at % 2 {
            0 => u32::MAX,
            _ => (at / 2 * 7 % points) as u32 % 200,
        };
        let plain: Vec<u32> = (0..2 * points).map(cell).collect();
        let view = View::new(&shape, &plain, &[], &[], &[]).expect("fits");
        let sorted = form(&shape, &mut auto, &view).plain;
        let seconds = sorted.chunks_exact(2).map(|row| row[1]);
        assert!(seconds.is_sorted());
    }
}

#[test]
fn pointer_states_of_20_points_need_few_leaves() {
    let shape = shape(&[domain(20, 1, 2)], 0, &[]);
    let mut random = Random::new(20);
    for (nothing, mean) in [(0, 0.1), (50, 0.3), (80, 0.8), (90, 2.0), (95, 3.0)] {
        let mut auto = Canonicaliser::new(&shape, Budget::default());
        for _ in 0..2000 {
            let view = random.view(&shape, 1, nothing);
            let leaves = auto.canonicalise(&view.as_view()).effort().leaves;
            assert!(leaves <= 20, "{leaves} leaves for {view:?}");
        }
        let counters = auto.counters();
        let found = counters.leaves as f64 / counters.states() as f64;
        assert!(found < mean, "{found} leaves on average with {nothing}%");
    }
}

#[test]
fn symmetric_pointer_states_of_20_points_need_about_a_leaf_per_generator() {
    let shape = shape(&[domain(20, 1, 1)], 0, &[]);
    let mut auto = Canonicaliser::new(&shape, Budget::default());
    let ring =
        |length: Point| move |point: Point| point / length * length + (point % length + 1) % length;
    for length in [1, 2, 4, 5, 10, 20] {
        let references: Vec<Point> = (0..20).map(ring(length)).collect();
        let view = View::new(&shape, &[0; 20], &references, &[], &[]).expect("fits");
        let leaves = auto.canonicalise(&view).effort().leaves;
        // One generator exchanges neighbouring rings, one turns a ring; 20/length rings.
        assert!(
            leaves <= 2 * (20 / u32::from(length)) + 4,
            "{leaves} at {length}"
        );
    }
    let star: Vec<Point> = (0..20)
        .map(|point| if point == 7 { NONE } else { 7 })
        .collect();
    let view = View::new(&shape, &[0; 20], &star, &[], &[]).expect("fits");
    assert_eq!(auto.canonicalise(&view).effort().leaves, 0, "all twins");
}

#[test]
fn a_point_that_refers_to_itself_is_told_from_a_pair() {
    let shape = shape(&[domain(3, 0, 1)], 0, &[]);
    let mut auto = Canonicaliser::new(&shape, Budget::default());
    let view = View::new(&shape, &[], &[2, 1, 0], &[], &[]).expect("fits");
    let effort = auto.canonicalise(&view).effort();
    assert_eq!((effort.route, effort.nodes), (Route::Refined, 0));
}
