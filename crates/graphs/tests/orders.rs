//! Orders of groups that are known by other means, in several numberings of the vertices.

use crate::families::*;
use mandala_graphs::{Automorphisms, Budget, automorphisms, refine};
use mandala_groups::{BigUint, Seeded, factorial};

/// Up to this many vertices the group is built and its order compared.
const SMALL: u32 = 130;

fn big(number: u32) -> BigUint {
    BigUint::from(number)
}

/// Everything that must hold for any answer.
fn check(plain: &Plain, found: &Automorphisms) {
    for generator in &found.generators {
        assert!(!generator.moved().is_empty());
        assert!(plain.is_preserved_by(generator));
        assert!(plain.graph().is_automorphism(generator));
    }
    if plain.vertices() <= SMALL {
        let group = found.group().unwrap();
        assert_eq!(group.order(), found.order);
        let orbits = group.orbits().into_iter().filter(|orbit| orbit.len() > 1);
        assert_eq!(found.nontrivial_orbits(), orbits.collect::<Vec<_>>());
        let fixing_base = group.stabiliser(&found.base).unwrap();
        assert!(fixing_base.is_trivial());
    }
}

fn order_of(plain: &Plain) -> BigUint {
    let found = automorphisms(&plain.graph(), &Budget::unlimited());
    assert!(found.complete);
    check(plain, &found);
    found.order
}

/// Checks the order, also for other numberings.
#[track_caller]
fn expect(plain: &Plain, order: BigUint) {
    assert_eq!(order_of(plain), order);
    let mut random = Seeded::new(17);
    for _ in 0..4 {
        assert_eq!(order_of(&plain.shuffled(&mut random)), order);
    }
}

#[test]
fn nothing_and_next_to_nothing() {
    expect(&Plain::default(), big(1));
    expect(&Plain::empty(1), big(1));
    expect(&Plain::empty(2), big(2));
}

#[test]
fn all_permutations() {
    for n in [3, 5, 8, 20, 40] {
        expect(&Plain::empty(n), factorial(n as usize));
        expect(&complete(n), factorial(n as usize));
    }
}

#[test]
fn cycles_with_and_without_direction() {
    for n in [3, 4, 5, 6, 12, 35, 64, 97] {
        expect(&cycle(n), big(2 * n));
        expect(&directed_cycle(n), big(n));
    }
}

#[test]
fn one_marked_vertex_of_a_cycle() {
    let mut plain = cycle(12);
    plain.colours[4] = 1;
    expect(&plain, big(2));
    let mut plain = directed_cycle(12);
    plain.colours[4] = 1;
    expect(&plain, big(1));
}

#[test]
fn labels_and_directions_break_symmetry() {
    // Alternating labels: half of the dihedral group is left.
    let mut plain = cycle(12);
    for edge in &mut plain.edges {
        let first = if (edge.from + 1) % 12 == edge.to {
            edge.from
        } else {
            edge.to
        };
        edge.label = first % 2;
    }
    expect(&plain, big(12));
    let mut marked = cycle(12);
    marked.edge(3, 4, 9);
    expect(&marked, big(1));
    marked.edge(4, 3, 9);
    expect(&marked, big(2));
}

#[test]
fn loops_and_parallel_edges_count() {
    let mut plain = complete(6);
    plain.edge(0, 0, 3);
    plain.edge(1, 1, 3);
    plain.edge(2, 2, 4);
    expect(&plain, big(2 * 6));
    plain.edge(1, 1, 3);
    expect(&plain, big(6));
    // One of the links is there twice.
    let mut plain = complete(5);
    plain.link(1, 2);
    expect(&plain, big(2 * 6));
    // With another label the same, and two of one kind are not one of each.
    let mut plain = Plain::empty(4);
    for (from, to, label) in [(0, 1, 0), (0, 1, 1), (2, 3, 0), (2, 3, 0)] {
        plain.edge(from, to, label);
    }
    expect(&plain, big(1));
}

#[test]
fn more_labels_than_fit_into_one_sum() {
    let mut plain = Plain::empty(1);
    for label in 0..100 {
        for _ in 0..3 {
            let leaf = plain.vertex(0);
            plain.edge(0, leaf, label);
            plain.edge(leaf, 0, 1000 - label);
        }
    }
    expect(&plain, big(6).pow(100));
    // Two of these, joined at the hub, and then told apart by the last label alone.
    let mut twice = plain.copies(2);
    twice.link(0, plain.vertices());
    expect(&twice, big(6).pow(200) * big(2));
    let at = twice.edges.iter().rposition(|edge| edge.label == 99);
    twice.edges[at.unwrap()].label = 98;
    expect(&twice, big(6).pow(199) * big(2));
}

#[test]
fn hypercubes() {
    for d in 1..=7u32 {
        expect(&hypercube(d), factorial(d as usize) << d);
    }
}

#[test]
fn sets_of_things() {
    expect(&petersen(), big(120));
    for (n, k) in [(6, 2), (7, 2), (8, 2), (7, 3), (9, 3)] {
        expect(&set_graph(n, k, k - 1), factorial(n as usize));
        expect(&set_graph(n, k, 0), factorial(n as usize));
    }
    // Halves can be exchanged for their complements.
    expect(&set_graph(6, 3, 2), factorial(6) * big(2));
    expect(&set_graph(8, 4, 3), factorial(8) * big(2));
}

#[test]
fn multipartite_graphs_and_copies_are_wreath_products() {
    for (parts, size) in [(2, 3), (2, 9), (3, 4), (5, 5), (7, 2)] {
        let order = factorial(size as usize).pow(parts) * factorial(parts as usize);
        expect(&multipartite(parts, size), order.clone());
        expect(&complete(size).copies(parts), order);
    }
    expect(&petersen().copies(4), big(120).pow(4) * factorial(4));
    expect(&directed_cycle(5).copies(6), big(5).pow(6) * factorial(6));
    expect(&ring_of(&complete(4), 9), big(6).pow(9) * big(18));
    expect(&ring_of(&directed_cycle(4), 9), big(18));
    let mut rooted = complete(4);
    rooted.colours[0] = 1;
    let blown = blown_up(&hypercube(4), &rooted);
    expect(&blown, big(6).pow(16) * big(24 * 16));
}

#[test]
fn grids_and_tori() {
    expect(&grid(5, 5, false), big(8));
    expect(&grid(4, 7, false), big(4));
    expect(&grid(5, 5, true), big(8 * 25));
    expect(&grid(7, 5, true), big(4 * 35));
    // The 4 by 4 torus is the hypercube of dimension 4.
    expect(&grid(4, 4, true), big(384));
}

#[test]
fn trees() {
    expect(&tree(&[5]), factorial(5));
    expect(&tree(&[2, 2, 2, 2, 2]), big(1) << 31);
    expect(&tree(&[2, 3, 1, 3]), factorial(2) * factorial(3).pow(2 + 6));
    expect(
        &tree(&[4, 3, 2]),
        factorial(4) * factorial(3).pow(4) * big(1 << 12),
    );
}

#[test]
fn equal_parameters_different_groups() {
    expect(&shrikhande(), big(192));
    expect(&rook(4), big(1152));
    // Side by side.
    let mut both = shrikhande();
    both.append(&rook(4));
    expect(&both, big(192 * 1152));
    both.append(&shrikhande());
    expect(&both, big(192 * 192 * 2 * 1152));
    expect(&shrikhande().complement(), big(192));
    expect(&rook(5), factorial(5).pow(2) * big(2));
}

#[test]
fn paley_graphs() {
    for prime in [5, 13, 17, 29, 37, 61] {
        expect(&paley(prime), big(prime * (prime - 1) / 2));
    }
}

#[test]
fn named_graphs() {
    expect(&generalised_petersen(5, 2), big(120));
    expect(&generalised_petersen(10, 2), big(120)); // dodecahedron
    expect(&generalised_petersen(10, 3), big(240)); // Desargues
    expect(&generalised_petersen(8, 3), big(96)); // Möbius-Kantor
    expect(&generalised_petersen(12, 5), big(144)); // Nauru
    expect(&generalised_petersen(7, 2), big(14));
    expect(&generalised_petersen(13, 5), big(52));
    expect(&coxeter(), big(336));
}

#[test]
fn projective_planes_with_their_dualities() {
    // |PGL(3, p)| and the exchange of points and lines.
    for prime in [2, 3, 5, 7] {
        let (p2, p3) = (prime * prime, prime * prime * prime);
        let order = big(p3 - 1) * big(p3 - prime) * big(p3 - p2) / big(prime - 1) * big(2);
        expect(&projective_plane(prime), order);
    }
}

#[test]
fn a_plane_that_needs_careful_choices() {
    // Three points of a line determine all others, which refinement cannot see.
    let plain = projective_plane(11);
    let found = automorphisms(&plain.graph(), &Budget::unlimited());
    check(&plain, &found);
    let order = big(1330) * big(1331 - 11) * big(1331 - 121) / big(10) * big(2);
    assert_eq!((found.complete, found.order), (true, order));
}

#[test]
fn twisted_gadgets() {
    // Of each link, both pairs of ends can be exchanged, as long as an even number are at each gadget: the cycles
    // of the base, 2^(links - vertices + 1), times what the base allows.
    for (base, links, symmetries) in [(complete(4), 6, 24), (petersen(), 15, 120)] {
        let cycles = big(1) << (links - base.vertices() + 1);
        let order = &cycles * big(symmetries);
        expect(&cfi(&base, false), order.clone());
        expect(&cfi(&base, true), order.clone());
        let mut pair = cfi(&base, false);
        pair.append(&cfi(&base, true));
        assert_eq!(refine(&pair.graph()).iter().max(), Some(&1));
        expect(&pair, &order * &order);
        let pair = cfi(&base, true).copies(2);
        expect(&pair, &order * &order * big(2));
    }
}

#[test]
fn independent_failures_do_not_multiply() {
    // Each component looks like every other one, and half of them are twisted. If a failure in one component
    // made the search try alternatives in others, this would not end.
    let mut plain = cfi(&complete(4), false).copies(12);
    plain.append(&cfi(&complete(4), true).copies(12));
    let one = big(24 * 8);
    let order = one.pow(24) * factorial(12).pow(2);
    let budget = Budget::of_nodes(300_000);
    let found = automorphisms(&plain.graph(), &budget);
    assert!(found.complete);
    assert_eq!(found.order, order);
}

/// A vertex that holds together several graphs, told apart by colours.
fn bundle(parts: &[Plain]) -> Plain {
    let mut plain = Plain::empty(1);
    for (colour, part) in (1..).zip(parts) {
        let shift = plain.append(part);
        for vertex in shift..plain.vertices() {
            plain.colours[vertex as usize] = colour;
            plain.edge(0, vertex, 1);
        }
    }
    plain
}

#[test]
fn failures_are_not_blamed_on_other_parts() {
    let (s, r) = (shrikhande(), rook(4));
    let mut plain = Plain::default();
    let mut order = big(1);
    for second in [&s, &r] {
        let parts = [&r, second, &s, &r, &s].map(Plain::clone);
        plain.append(&bundle(&parts).copies(3));
        let one = |part: &Plain| order_of(part);
        let all: BigUint = parts.iter().map(one).product();
        order *= all.pow(3) * big(6);
    }
    let mut random = Seeded::new(1);
    let mut jumps = 0;
    for _ in 0..6 {
        let graph = plain.shuffled(&mut random).graph();
        let found = automorphisms(&graph, &Budget::of_nodes(100_000));
        assert_eq!((found.complete, found.order), (true, order.clone()));
        jumps += found.statistics.jumps;
    }
    assert!(jumps > 0, "{jumps}");
}

#[test]
fn a_used_up_budget_leaves_a_group_with_the_right_order() {
    let mut plain = petersen().copies(4);
    plain.append(&hypercube(4));
    let all = order_of(&plain);
    let mut before = big(1);
    for nodes in (0..400).step_by(7) {
        let found = automorphisms(&plain.graph(), &Budget::of_nodes(nodes));
        assert!(found.statistics.nodes <= nodes);
        check(&plain, &found);
        assert!(found.order >= before && found.order <= all);
        assert!(!found.complete || found.order == all);
        before = found.order;
    }
    assert_eq!(before, all);
}

#[test]
fn no_time_no_answer() {
    let budget = Budget::of_arcs(0);
    let found = automorphisms(&cycle(10).graph(), &budget);
    assert!(!found.complete && found.generators.is_empty());
    assert_eq!(found.order, big(1));
}
