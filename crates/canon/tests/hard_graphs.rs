//! Structures on which refinement alone tells nothing: the search has to, and must not take long.

use crate::support::{Random, domain, form, relation, shape};
use mandala_canon::{Budget, Canonicaliser, Entry, OwnedView, Shape, apply};

/// An undirected graph as a view with one relation and one colour per point.
struct Graph {
    shape: Shape,
    view: OwnedView,
}

impl Graph {
    fn new(points: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut relations = vec![0; points * points];
        for (a, b) in edges {
            relations[a * points + b] = 1;
            relations[b * points + a] = 1;
        }
        Self {
            shape: shape(&[domain(points, 1, 0)], 0, &[relation(0, 0, Entry::Number)]),
            view: OwnedView {
                plain: vec![0; points],
                references: vec![],
                shared: vec![],
                relations,
            },
        }
    }

    /// All pairs for which the rule holds.
    fn by_rule(points: usize, adjacent: impl Fn(usize, usize) -> bool) -> Self {
        let pairs = (0..points).flat_map(|a| (0..a).map(move |b| (a, b)));
        Self::new(points, pairs.filter(|&(a, b)| adjacent(a, b)))
    }

    /// The canonical form and the most leaves that renamed copies took to find it.
    fn form(&self) -> (OwnedView, u32) {
        let mut auto = Canonicaliser::new(&self.shape, Budget::default());
        let expected = form(&self.shape, &mut auto, &self.view.as_view());
        let mut random = Random::new(1);
        let mut leaves = 0;
        for _ in 0..50 {
            let positions = random.permutation(&self.shape);
            let renamed = apply(&self.shape, &self.view.as_view(), &positions);
            let found = form(&self.shape, &mut auto, &renamed.as_view());
            assert_eq!(found, expected);
            let effort = auto.canonicalise(&renamed.as_view()).effort();
            leaves = leaves.max(effort.leaves);
        }
        assert_eq!(auto.counters().heuristic, 0);
        (expected, leaves)
    }

    /// Checks that renaming does not matter and that it does not take more than so many leaves.
    fn check(&self, most: u32) -> OwnedView {
        let (form, leaves) = self.form();
        assert!(leaves <= most, "{leaves} leaves");
        form
    }
}

fn cycles(lengths: &[usize]) -> Graph {
    let mut edges = Vec::new();
    let mut first = 0;
    for &length in lengths {
        edges.extend((0..length).map(|at| (first + at, first + (at + 1) % length)));
        first += length;
    }
    Graph::new(first, edges)
}

#[test]
fn cycles_are_told_from_cycles() {
    let forms = [
        cycles(&[6]).check(4),
        cycles(&[3, 3]).check(6),
        cycles(&[3, 4, 5]).check(10),
        cycles(&[4, 4, 4]).check(10),
        cycles(&[12]).check(6),
        cycles(&[20, 20]).check(10),
        cycles(&[19, 21]).check(10),
        cycles(&[40]).check(6),
    ];
    for (at, form) in forms.iter().enumerate() {
        assert!(!forms[..at].contains(form));
    }
}

#[test]
fn strongly_regular_graphs_on_16_points() {
    let (row, column) = (|p: usize| p / 4, |p: usize| p % 4);
    let rook = Graph::by_rule(16, |a, b| row(a) == row(b) || column(a) == column(b));
    let shrikhande = Graph::by_rule(16, |a, b| {
        let step = |to: usize, from: usize| (to + 4 - from) % 4;
        let difference = (step(row(a), row(b)), step(column(a), column(b)));
        [(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)].contains(&difference)
    });
    assert_ne!(rook.check(10), shrikhande.check(20));
}

#[test]
fn strongly_regular_graphs_on_28_points() {
    // The triangular graph T(8) and one of the Chang graphs: T(8) switched with respect to a perfect matching.
    let pairs: Vec<(usize, usize)> = (0..8).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let meet = |p: usize, q: usize| {
        let ((a, b), (c, d)) = (pairs[p], pairs[q]);
        a == c || a == d || b == c || b == d
    };
    let in_matching = |p: usize| pairs[p].1.is_multiple_of(2) && pairs[p].0 == pairs[p].1 + 1;
    let triangular = Graph::by_rule(28, meet);
    let chang = Graph::by_rule(28, |p, q| meet(p, q) != (in_matching(p) != in_matching(q)));
    assert_ne!(triangular.check(20), chang.check(60));
}

#[test]
fn petersen_and_the_pentagonal_prism() {
    let spokes = |step: usize| {
        let outer = (0..5).map(|at| (at, (at + 1) % 5));
        let inner = (0..5).map(move |at| (5 + at, 5 + (at + step) % 5));
        outer.chain(inner).chain((0..5).map(|at| (at, 5 + at)))
    };
    let petersen = Graph::new(10, spokes(2));
    let prism = Graph::new(10, spokes(1));
    assert_ne!(petersen.check(10), prism.check(10));
}

#[test]
fn hypercubes() {
    for dimension in 2..=6 {
        let cube = Graph::by_rule(1 << dimension, |a, b| (a ^ b).is_power_of_two());
        cube.check(12);
    }
}

#[test]
fn complete_and_empty_graphs_need_no_search() {
    Graph::by_rule(40, |_, _| true).check(0);
    Graph::by_rule(40, |_, _| false).check(0);
    // Complete bipartite: twins within the sides, and the sides themselves change places.
    Graph::by_rule(20, |a, b| a % 2 != b % 2).check(4);
}

#[test]
fn disjoint_copies() {
    let triangles = Graph::by_rule(30, |a, b| a / 3 == b / 3);
    triangles.check(30);
    let paths = Graph::by_rule(30, |a, b| a / 3 == b / 3 && a.abs_diff(b) == 1);
    paths.check(30);
}

/// The graphs of Cai, Fürer and Immerman over K4: a gadget for each point, pairs of wires for each edge, and
/// one edge crossed or not.
fn wired(crossed: bool) -> Graph {
    let ends: Vec<(usize, usize)> = (0..4)
        .flat_map(|a| (0..4).map(move |b| (a, b)))
        .filter(|(a, b)| a != b)
        .collect();
    let wire = |a: usize, b: usize, value: usize| {
        2 * ends.iter().position(|&end| end == (a, b)).unwrap_or(0) + value
    };
    let mut edges = Vec::new();
    for a in 0..4 {
        let others: Vec<usize> = (0..4).filter(|&b| b != a).collect();
        // A middle point for each even set of neighbours.
        for (at, set) in [0b000, 0b011, 0b101, 0b110].into_iter().enumerate() {
            for (place, &b) in others.iter().enumerate() {
                edges.push((24 + 4 * a + at, wire(a, b, set >> place & 1)));
            }
        }
    }
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        for value in 0..2 {
            let twist = usize::from(crossed && (a, b) == (0, 1));
            edges.push((wire(a, b, value), wire(b, a, value ^ twist)));
        }
    }
    Graph::new(40, edges)
}

#[test]
fn graphs_that_defeat_refinement() {
    assert_ne!(wired(false).check(60), wired(true).check(60));
}

#[test]
fn a_small_budget_gives_an_image_all_the_same() {
    let cube = Graph::by_rule(32, |a, b| (a ^ b).is_power_of_two());
    let budget = Budget {
        nodes: 3,
        leaves: 1,
    };
    let mut auto = Canonicaliser::new(&cube.shape, budget);
    let labelling = auto.canonicalise(&cube.view.as_view());
    assert_eq!(labelling.exactness(), mandala_canon::Exactness::Heuristic);
    assert_eq!(auto.counters().heuristic, 1);
    // Being an image is checked by the helper.
    form(&cube.shape, &mut auto, &cube.view.as_view());
}
