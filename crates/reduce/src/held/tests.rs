//! Labellings under groups against all their elements.

use super::labelling;
use mandala_canon::{
    Budget, Entry, Exactness, NONE, OwnedView, Point, PointDomain, Relation, Shape, apply,
};
use mandala_groups::{Group, Permutation, Seeded};
use std::collections::HashSet;

fn generated(degree: usize, generators: &[&[&[u32]]]) -> Group {
    let generators = generators.iter();
    let generators = generators.map(|c| Permutation::from_cycles(degree, c).expect("cycles"));
    Group::new(degree, generators.collect()).expect("of one degree")
}

/// Groups whose orbits are one after the other.
fn groups() -> Vec<Group> {
    let pairs = Group::symmetric(2);
    vec![
        Group::cyclic(5),
        Group::dihedral(6),
        Group::hypercube(3),
        pairs.wreath(&Group::symmetric(3)),
        pairs
            .wreath(&Group::cyclic(3))
            .direct_product(&Group::cyclic(4)),
        Group::alternating(5),
        generated(6, &[&[&[0, 1], &[2, 3]], &[&[2, 3], &[4, 5]]]),
        generated(7, &[&[&[0, 1, 2, 3, 4, 5, 6]], &[&[1, 2], &[3, 6]]]),
        generated(6, &[&[&[0, 1, 2], &[3, 4, 5]], &[&[1, 2]]]),
    ]
}

/// Blocks for the orbits and for some points that may be permuted in all ways, with everything that a view can have.
fn shape(group: &Group, others: usize) -> Shape {
    let sizes = group.orbits().into_iter().map(|orbit| orbit.len());
    let sizes: Vec<usize> = sizes.chain((others > 0).then_some(others)).collect();
    let domain = |points: &usize| PointDomain {
        points: *points,
        plain: 1,
        references: 1,
    };
    let domains: Vec<PointDomain> = sizes.iter().map(domain).collect();
    let last = domains.len() - 1;
    let relation = |rows, columns, entries| Relation {
        rows,
        columns,
        entries,
    };
    let relations = [
        relation(0, last, Entry::Number),
        relation(last, 0, Entry::Point),
    ];
    Shape::new(&domains, 1, &relations).expect("small")
}

/// A view in which little happens, so that much of it is symmetric.
fn view(shape: &Shape, random: &mut Seeded) -> OwnedView {
    let points = shape.points();
    let mut mostly = |often: usize, usual: u32, bound: usize| match random.below(often) {
        0 => random.below(bound) as u32,
        _ => usual,
    };
    let none = u32::from(NONE);
    let mut references = |cells: usize| -> Vec<Point> {
        (0..cells)
            .map(|_| mostly(8, none, points) as Point)
            .collect()
    };
    let (own, shared) = (references(shape.reference_cells()), references(1));
    let plain = (0..shape.plain_cells()).map(|_| mostly(3, 0, 3)).collect();
    let mut relations = Vec::new();
    for matrix in shape.matrices() {
        let size = matrix.row_points().len() * matrix.column_points().len();
        let (usual, bound) = match matrix.entries() {
            Entry::Number => (0, 3),
            Entry::Point => (none, points),
        };
        relations.extend((0..size).map(|_| mostly(20, usual, bound)));
    }
    OwnedView {
        plain,
        references: own,
        shared,
        relations,
    }
}

/// An element of the group, and any permutation of the other points.
fn element(group: &Group, others: usize, random: &mut Seeded) -> Vec<Point> {
    let held = group.random_element(random);
    let free = Permutation::random(others, random);
    let free = free.images().iter().map(|p| p + group.degree() as u32);
    let all = held.images().iter().copied().chain(free);
    all.map(|point| point as Point).collect()
}

fn is_element(group: &Group, positions: &[Point]) -> bool {
    let (held, free) = positions.split_at(group.degree());
    let held = Permutation::from_images(held.iter().map(|p| u32::from(*p)).collect());
    held.is_ok_and(|held| group.contains(&held))
        && free.iter().all(|p| usize::from(*p) >= group.degree())
}

#[test]
fn all_images_of_a_state_get_the_same_form() {
    let mut random = Seeded::new(9);
    for group in groups() {
        for others in [0, 3] {
            let shape = shape(&group, others);
            let mut labeller = labelling(&shape, &group, Budget::UNLIMITED);
            for _ in 0..60 {
                let view = view(&shape, &mut random);
                let mut forms = HashSet::new();
                for _ in 0..12 {
                    let positions = element(&group, others, &mut random);
                    let image = apply(&shape, &view.as_view(), &positions);
                    let labelling = labeller.label(&image.as_view());
                    assert_eq!(labelling.exactness(), Exactness::Exact);
                    assert!(is_element(&group, labelling.positions()));
                    forms.insert(apply(&shape, &image.as_view(), labelling.positions()));
                }
                assert_eq!(forms.len(), 1, "{} {view:?}", group.structure());
            }
        }
    }
}

/// Of twelve points that all look alike no labelling is known to be canonical under the even permutations, and it is said.
#[test]
fn what_is_not_known_to_be_canonical_is_said() {
    let group = Group::alternating(12);
    let shape = Shape::single(12, 1, 0).expect("small");
    let mut labeller = labelling(&shape, &group, Budget::default());
    let mut exactness = |plain: Vec<u32>| {
        let view = OwnedView {
            plain,
            references: Vec::new(),
            shared: Vec::new(),
            relations: Vec::new(),
        };
        let labelling = labeller.label(&view.as_view());
        assert!(is_element(&group, labelling.positions()));
        labelling.exactness()
    };
    assert_eq!(exactness(vec![0; 12]), Exactness::Heuristic);
    assert_eq!(exactness((0..12).collect()), Exactness::Exact);
    assert_eq!(
        exactness((0..12).map(|p| p / 2).collect()),
        Exactness::Exact
    );
}
