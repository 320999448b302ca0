//! Numbers of orbits that are known: one canonical form for each.

use crate::support::{domain, form, lists, relation, shape};
use mandala_canon::strategies::{Full, Segmented};
use mandala_canon::{Budget, Canonicaliser, Entry, Labeller, NONE, OwnedView, Point, Shape};
use std::collections::HashSet;

/// The number of different images that a labeller gives to these views.
fn count(
    shape: &Shape,
    labeller: &mut dyn Labeller,
    views: impl Iterator<Item = OwnedView>,
) -> usize {
    let images: HashSet<OwnedView> = views
        .map(|view| form(shape, labeller, &view.as_view()))
        .collect();
    images.len()
}

fn view(plain: Vec<u32>, references: Vec<Point>, relations: Vec<u32>) -> OwnedView {
    OwnedView {
        plain,
        references,
        shared: Vec::new(),
        relations,
    }
}

/// All functions from n points to n points or nothing.
fn partial_maps(points: usize) -> impl Iterator<Item = OwnedView> {
    lists(points, points + 1).map(move |list| {
        let reference = |cell| if cell == points { NONE } else { cell as Point };
        view(vec![], list.into_iter().map(reference).collect(), vec![])
    })
}

fn partial_map_shape(points: usize) -> Shape {
    shape(&[domain(points, 0, 1)], 0, &[])
}

#[test]
fn partial_maps_up_to_renaming() {
    for (points, orbits) in (1..=7).zip([2, 6, 16, 45, 121, 338, 929]) {
        let shape = partial_map_shape(points);
        let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
        assert_eq!(count(&shape, &mut auto, partial_maps(points)), orbits);
        assert_eq!(auto.counters().heuristic, 0);
    }
}

#[test]
fn enumerating_strategies_agree_on_partial_maps() {
    for (points, orbits) in (1..=5).zip([2, 6, 16, 45, 121]) {
        let shape = partial_map_shape(points);
        let mut full = Full::new(&shape, u32::MAX);
        assert_eq!(count(&shape, &mut full, partial_maps(points)), orbits);
        let mut segmented = Segmented::new(&shape, u32::MAX);
        assert_eq!(count(&shape, &mut segmented, partial_maps(points)), orbits);
    }
}

#[test]
fn free_processes_are_multisets_of_local_states() {
    for (points, values, orbits) in [(1, 5, 5), (3, 4, 20), (5, 3, 21), (6, 4, 84), (8, 3, 45)] {
        let shape = shape(&[domain(points, 1, 0)], 0, &[]);
        let mut auto = Canonicaliser::new(&shape, Budget::default());
        let views = lists(points, values).map(|list| {
            let row = list.into_iter().map(|value| value as u32).collect();
            view(row, vec![], vec![])
        });
        assert_eq!(count(&shape, &mut auto, views), orbits);
        assert_eq!(auto.counters().sorted, auto.counters().states());
    }
}

/// All matrices over the given values, with zeros in the diagonal if there are to be no loops.
fn matrices(points: usize, values: usize, loops: Loops) -> impl Iterator<Item = OwnedView> {
    let free = match loops {
        Loops::Allowed => points * points,
        Loops::None => points * (points - 1),
    };
    lists(free, values).map(move |list| {
        let mut given = list.into_iter();
        let entry = |at: usize| match (loops, at % (points + 1)) {
            (Loops::None, 0) => 0,
            _ => given.next().unwrap_or(0) as u32,
        };
        view(vec![], vec![], (0..points * points).map(entry).collect())
    })
}

#[derive(Clone, Copy)]
enum Loops {
    Allowed,
    None,
}

fn count_matrices(points: usize, values: usize, loops: Loops) -> usize {
    let shape = shape(&[domain(points, 0, 0)], 0, &[relation(0, 0, Entry::Number)]);
    let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
    count(&shape, &mut auto, matrices(points, values, loops))
}

#[test]
fn directed_graphs() {
    // OEIS A000273, A000595 (with loops).
    for (points, graphs) in (1..=4).zip([1, 3, 16, 218]) {
        assert_eq!(count_matrices(points, 2, Loops::None), graphs);
    }
    for (points, relations) in (1..=4).zip([2, 10, 104, 3044]) {
        assert_eq!(count_matrices(points, 2, Loops::Allowed), relations);
    }
}

#[test]
fn directed_graphs_with_two_kinds_of_edges() {
    // Burnside: 3^6/6 + 3 * 3^3/6 + 2 * 3^2/6.
    assert_eq!(count_matrices(3, 3, Loops::None), 138);
}

#[test]
fn undirected_graphs() {
    // OEIS A000088.
    for (points, graphs) in (1..=6).zip([1, 2, 4, 11, 34, 156]) {
        let shape = shape(&[domain(points, 0, 0)], 0, &[relation(0, 0, Entry::Number)]);
        let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
        let pairs: Vec<(usize, usize)> = (0..points)
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .collect();
        let views = lists(pairs.len(), 2).map(|edges| {
            let mut matrix = vec![0; points * points];
            for (&(a, b), edge) in pairs.iter().zip(edges) {
                matrix[a * points + b] = edge as u32;
                matrix[b * points + a] = edge as u32;
            }
            view(vec![], vec![], matrix)
        });
        assert_eq!(count(&shape, &mut auto, views), graphs);
    }
}

#[test]
fn binary_matrices_up_to_rows_and_columns() {
    // OEIS A002724: both sides renamed independently.
    for (points, classes) in (1..=4).zip([2, 7, 36, 317]) {
        let domains = [domain(points, 0, 0), domain(points, 0, 0)];
        let shape = shape(&domains, 0, &[relation(0, 1, Entry::Number)]);
        let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
        let views = matrices(points, 2, Loops::Allowed);
        assert_eq!(count(&shape, &mut auto, views), classes);
    }
}

#[test]
fn groupoids() {
    // OEIS A001329: binary operations, relations that hold points.
    for (points, operations) in (1..=3).zip([1, 10, 3330]) {
        let shape = shape(&[domain(points, 0, 0)], 0, &[relation(0, 0, Entry::Point)]);
        let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
        let views = matrices(points, points, Loops::Allowed);
        assert_eq!(count(&shape, &mut auto, views), operations);
    }
}

#[test]
fn maps_between_two_domains() {
    // Functions from m points to n points, both renamed: partitions of m into at most n parts.
    for (from, to, partitions) in [(5, 5, 7), (6, 3, 7), (7, 2, 4), (4, 6, 5)] {
        let shape = shape(&[domain(from, 0, 1), domain(to, 0, 0)], 0, &[]);
        let mut auto = Canonicaliser::new(&shape, Budget::UNLIMITED);
        let views = lists(from, to).map(|list| {
            let references = list.into_iter().map(|target| (from + target) as Point);
            view(vec![], references.collect(), vec![])
        });
        assert_eq!(count(&shape, &mut auto, views), partitions);
    }
}
