//! Large graphs: the work, counted in refinements and arcs, stays in proportion to the size, and generators are sparse.

use crate::families::*;
use mandala_graphs::{Automorphisms, Budget, automorphisms, refine};
use mandala_groups::{BigUint, Seeded, factorial};

/// Searches in some numbering; checks every generator.
fn search(plain: &Plain) -> Automorphisms {
    let plain = plain.shuffled(&mut Seeded::new(11));
    let graph = plain.graph();
    let found = automorphisms(&graph, &Budget::of_nodes(2_000_000));
    assert!(found.complete);
    for generator in &found.generators {
        assert!(graph.is_automorphism(generator));
    }
    found
}

fn moved(found: &Automorphisms) -> usize {
    found.generators.iter().map(|g| g.moved().len()).sum()
}

#[test]
fn many_twins_cost_a_few_refinements_each() {
    let leaves = 30_000;
    let found = search(&tree(&[leaves]));
    assert_eq!(found.order, factorial(leaves as usize));
    assert!(found.statistics.nodes <= 4 * u64::from(leaves));
    assert!(found.statistics.arcs <= 10 * u64::from(leaves));
    assert_eq!(moved(&found), 2 * (leaves as usize - 1));
}

#[test]
fn trees_exchange_subtrees_and_nothing_else() {
    let found = search(&tree(&[8; 5]));
    let inner = 1 + 8 + 64 + 512 + 4096;
    assert_eq!(found.order, factorial(8).pow(inner));
    assert_eq!(found.generators.len(), 7 * inner as usize);
    // Two subtrees of h levels below each of the seven generators of a vertex.
    let sizes = [1, 9, 73, 585, 4681];
    let vertices = [4096, 512, 64, 8, 1];
    let expected: usize = sizes.iter().zip(vertices).map(|(s, v)| 2 * s * 7 * v).sum();
    assert_eq!(moved(&found), expected);
    assert!(found.statistics.arcs < 10_000_000);
}

#[test]
fn copies_of_a_large_gadget() {
    let mut gadget = random_cubic(2000, &mut Seeded::new(1));
    assert_eq!(search(&gadget.copies(8)).order, factorial(8));
    gadget.colours[0] = 1;
    let found = search(&gadget.copies(50));
    assert_eq!(found.order, factorial(50));
    assert_eq!(moved(&found), 49 * 2 * 2000);
    assert!(found.statistics.nodes < 200);
    assert!(found.statistics.arcs < 5_000_000);
}

#[test]
fn rings_cubes_and_pairs() {
    let ring = search(&ring_of(&petersen(), 2000));
    assert_eq!(
        ring.order,
        BigUint::from(12u32).pow(2000) * BigUint::from(4000u32)
    );
    let cube = search(&hypercube(12));
    assert_eq!(cube.order, factorial(12) << 12);
    let found = search(&pairs(100));
    assert_eq!(found.order, factorial(100));
    // Exchanging a and b exchanges {a, c} and {b, c} for 98 other things c.
    assert_eq!(moved(&found), 99 * (2 + 2 * 98));
    assert!(found.statistics.nodes < 1000);
}

#[test]
fn random_graphs_are_decided_at_once() {
    let plain = random_links(50_000, 400_000, &mut Seeded::new(2));
    let found = search(&plain);
    assert!(found.statistics.nodes < 100);
    let colours = refine(&plain.graph());
    let cells = colours.iter().max().map_or(0, |&most| most + 1);
    assert!(cells > 49_900);
    // Of a regular one, nothing is seen at first, and then every vertex must be tried.
    let found = search(&random_cubic(3000, &mut Seeded::new(2)));
    assert_eq!(found.order, BigUint::from(1u32));
    assert_eq!(found.statistics.mismatches, 2999);
}

#[test]
fn deep_searches_do_not_exhaust_the_stack() {
    let plain = tree(&[2; 14]);
    let graph = plain.graph();
    let deep = std::thread::Builder::new().stack_size(64 * 1024);
    let search = move || automorphisms(&graph, &Budget::unlimited()).order;
    let order = deep.spawn(search).unwrap().join().unwrap();
    assert_eq!(order, BigUint::from(1u32) << ((1 << 14) - 1));
}
