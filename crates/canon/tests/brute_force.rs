//! Canonical forms against all permutations: equal exactly for equivalent views.
//!
//! A form is an image of its view (the helper checks it), so views with equal forms are equivalent; what is left to test is that
//! all images of a view have the same form.

use crate::support::{Random, all_permutations, domain, form, lists, relation, shape};
use mandala_canon::{
    Budget, Canonicaliser, Entry, Exactness, NONE, OwnedView, Point, Shape, apply,
};

struct Checker {
    shape: Shape,
    canonicaliser: Canonicaliser,
    permutations: Vec<Vec<Point>>,
}

impl Checker {
    fn new(shape: Shape) -> Self {
        Self {
            canonicaliser: Canonicaliser::new(&shape, Budget::UNLIMITED),
            permutations: all_permutations(&shape),
            shape,
        }
    }

    fn check(&mut self, view: &OwnedView) {
        let expected = form(&self.shape, &mut self.canonicaliser, &view.as_view());
        for positions in &self.permutations {
            let image = apply(&self.shape, &view.as_view(), positions);
            let found = form(&self.shape, &mut self.canonicaliser, &image.as_view());
            assert_eq!(found, expected, "{view:?} by {positions:?}");
        }
        let labelling = self.canonicaliser.canonicalise(&view.as_view());
        assert_eq!(labelling.exactness(), Exactness::Exact);
    }

    /// All views with plain cells below `values`, points or nothing as references, relations below `entries`.
    fn check_all(&mut self, values: usize, entries: usize) {
        let points = self.shape.points();
        let reference = |&cell: &usize| if cell == points { NONE } else { cell as Point };
        let number = |&cell: &usize| cell as u32;
        for plain in lists(self.shape.plain_cells(), values) {
            for references in lists(self.shape.reference_cells(), points + 1) {
                for shared in lists(self.shape.shared_cells(), points + 1) {
                    for relations in lists(self.shape.relation_entries(), entries) {
                        self.check(&OwnedView {
                            plain: plain.iter().map(number).collect(),
                            references: references.iter().map(reference).collect(),
                            shared: shared.iter().map(reference).collect(),
                            relations: relations.iter().map(number).collect(),
                        });
                    }
                }
            }
        }
    }

    fn check_random(&mut self, cases: usize, seed: u64) {
        let mut random = Random::new(seed);
        for case in 0..cases {
            let values = 1 + case % 3;
            let nothing = [0, 30, 70, 95][case / 3 % 4];
            let view = random.view(&self.shape, values, nothing);
            self.check(&view);
        }
    }
}

#[test]
fn all_small_views_with_rows_only() {
    Checker::new(shape(&[domain(4, 1, 0)], 0, &[])).check_all(4, 1);
    Checker::new(shape(&[domain(3, 2, 0)], 0, &[])).check_all(3, 1);
    Checker::new(shape(&[domain(3, 1, 0), domain(2, 1, 0)], 0, &[])).check_all(3, 1);
}

#[test]
fn all_small_views_with_shared_references() {
    Checker::new(shape(&[domain(4, 1, 0)], 3, &[])).check_all(2, 1);
    Checker::new(shape(&[domain(2, 1, 0), domain(2, 0, 0)], 3, &[])).check_all(2, 1);
}

#[test]
fn all_small_views_with_references() {
    Checker::new(shape(&[domain(4, 0, 1)], 1, &[])).check_all(1, 1);
    Checker::new(shape(&[domain(3, 0, 2)], 0, &[])).check_all(1, 1);
    Checker::new(shape(&[domain(3, 1, 1)], 1, &[])).check_all(2, 1);
    Checker::new(shape(&[domain(5, 0, 1)], 0, &[])).check_all(1, 1);
}

#[test]
fn all_small_views_with_domains_that_refer_to_each_other() {
    Checker::new(shape(&[domain(2, 0, 1), domain(3, 0, 1)], 0, &[])).check_all(1, 1);
    Checker::new(shape(&[domain(2, 1, 1), domain(2, 0, 1)], 1, &[])).check_all(2, 1);
    Checker::new(shape(&[domain(3, 0, 2), domain(2, 1, 0)], 0, &[])).check_all(2, 1);
}

#[test]
fn all_small_views_with_relations() {
    Checker::new(shape(
        &[domain(3, 0, 0)],
        0,
        &[relation(0, 0, Entry::Number)],
    ))
    .check_all(1, 2);
    Checker::new(shape(
        &[domain(3, 0, 0), domain(3, 0, 0)],
        0,
        &[relation(0, 1, Entry::Number)],
    ))
    .check_all(1, 2);
    Checker::new(shape(
        &[domain(2, 1, 1)],
        1,
        &[relation(0, 0, Entry::Number)],
    ))
    .check_all(2, 2);
}

#[test]
fn all_small_views_with_relations_that_hold_points() {
    Checker::new(shape(
        &[domain(2, 1, 1)],
        0,
        &[relation(0, 0, Entry::Point)],
    ))
    .check_all(2, 3);
    Checker::new(shape(
        &[domain(2, 0, 0), domain(3, 0, 0)],
        0,
        &[relation(0, 1, Entry::Point)],
    ))
    .check_all(1, 5);
}

#[test]
fn random_views_of_one_domain() {
    Checker::new(shape(&[domain(6, 1, 1)], 0, &[])).check_random(100, 1);
    Checker::new(shape(&[domain(6, 0, 2)], 2, &[])).check_random(100, 2);
    Checker::new(shape(&[domain(5, 5, 2)], 1, &[])).check_random(200, 3);
    Checker::new(shape(&[domain(6, 1, 3)], 0, &[])).check_random(100, 4);
}

#[test]
fn random_views_of_several_domains() {
    let domains = [domain(4, 1, 2), domain(3, 0, 1), domain(1, 2, 1)];
    Checker::new(shape(&domains, 2, &[])).check_random(300, 5);
    let relations = [
        relation(0, 1, Entry::Number),
        relation(1, 0, Entry::Point),
        relation(0, 0, Entry::Number),
    ];
    Checker::new(shape(&[domain(4, 1, 1), domain(3, 0, 0)], 1, &relations)).check_random(300, 6);
}

#[test]
fn random_relations() {
    let number = [relation(0, 0, Entry::Number)];
    Checker::new(shape(&[domain(5, 0, 0)], 0, &number)).check_random(200, 7);
    let point = [relation(0, 0, Entry::Point)];
    Checker::new(shape(&[domain(5, 0, 0)], 0, &point)).check_random(200, 8);
    Checker::new(shape(&[domain(4, 0, 1)], 1, &[number[0], point[0]])).check_random(200, 9);
}

#[test]
fn nothing_at_all_has_a_form_too() {
    Checker::new(shape(&[], 0, &[])).check_all(1, 1);
    Checker::new(shape(&[domain(0, 3, 3)], 1, &[])).check_all(1, 1);
    Checker::new(shape(
        &[domain(1, 1, 1)],
        1,
        &[relation(0, 0, Entry::Point)],
    ))
    .check_all(2, 2);
}
