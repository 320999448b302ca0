//! Prints how long large graphs take, and how much work that is.
//!
//! ```sh
//! cargo run --release -p mandala-bench --example graphs_speed [part of a name]
//! ```

#![allow(clippy::print_stdout)]

#[path = "../../crates/graphs/tests/families/mod.rs"]
mod families;

use families::*;
use mandala_graphs::{Budget, automorphisms};
use mandala_groups::{BigUint, Seeded};
use std::time::Instant;

/// After so much work, about a minute, it is not worth waiting.
const MOST_ARCS: u64 = 10_000_000_000;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    println!(
        "{:<36}{:>9}{:>10}{:>8}{:>9}{:>12}{:>7}{:>11}{:>9}{:>12}",
        "graph", "vertices", "edges", "build", "search", "order", "gens", "moved", "nodes", "arcs"
    );
    for (name, make) in subjects() {
        if name.contains(&wanted) {
            report(name, &make().shuffled(&mut Seeded::new(3)));
        }
    }
}

fn report(name: &str, plain: &Plain) {
    let started = Instant::now();
    let graph = plain.graph();
    let build = started.elapsed();
    let started = Instant::now();
    let found = automorphisms(&graph, &Budget::of_arcs(MOST_ARCS));
    let search = started.elapsed();
    let moved = found.generators.iter().map(|g| g.moved().len());
    println!(
        "{:<36}{:>9}{:>10}{:>7.2}s{:>8.2}s{:>12}{:>7}{:>11}{:>9}{:>12}{}",
        name,
        graph.vertex_count(),
        graph.edge_count(),
        build.as_secs_f64(),
        search.as_secs_f64(),
        magnitude(&found.order),
        found.generators.len(),
        moved.sum::<usize>(),
        found.statistics.nodes,
        found.statistics.arcs,
        if found.complete { "" } else { "  incomplete" }
    );
}

/// The number, or the largest power of two that is not more.
fn magnitude(number: &BigUint) -> String {
    if number.bits() <= 30 {
        return number.to_string();
    }
    format!("2^{}", number.bits() - 1)
}

type Subject = (&'static str, fn() -> Plain);

fn subjects() -> Vec<Subject> {
    let mut all = symmetric_subjects();
    all.extend(regular_subjects());
    all.extend(rigid_subjects());
    all.extend(hard_subjects());
    all
}

/// Large parts that can be exchanged.
fn symmetric_subjects() -> Vec<Subject> {
    vec![
        ("100000 isolated vertices", || Plain::empty(100_000)),
        ("star of 100000 leaves", || tree(&[100_000])),
        ("tree 10 x 10 x 10 x 10 x 10", || tree(&[10; 5])),
        ("tree 2 x ... x 2, depth 16", || tree(&[2; 16])),
        ("tree 300 x 300", || tree(&[300, 300])),
        ("20000 directed rings of 5", || {
            directed_cycle(5).copies(20_000)
        }),
        ("10000 Petersen graphs", || petersen().copies(10_000)),
        ("50 copies, 2000 vertices, rigid", || {
            random_cubic(2000, &mut Seeded::new(1)).copies(50)
        }),
        ("50 copies, 2000 vertices, tree", || {
            tree(&[5, 4, 10, 9]).copies(50)
        }),
        ("50 cycles of 2000", || cycle(2000).copies(50)),
        ("100 hypercubes of dimension 10", || {
            hypercube(10).copies(100)
        }),
        ("complete graph of 1500", || complete(1500)),
        ("complete bipartite 700 + 700", || multipartite(2, 700)),
        ("multipartite 30 x 40", || multipartite(30, 40)),
    ]
}

/// Few generators that move everything.
fn regular_subjects() -> Vec<Subject> {
    vec![
        ("cycle of 100000", || cycle(100_000)),
        ("directed cycle of 100000", || directed_cycle(100_000)),
        ("ring of 1000 hypercubes (6)", || {
            ring_of(&hypercube(6), 1000)
        }),
        ("ring of 10000 Petersen graphs", || {
            ring_of(&petersen(), 10_000)
        }),
        ("torus 300 x 300", || grid(300, 300, true)),
        ("torus 250 x 400", || grid(250, 400, true)),
        ("grid 300 x 300", || grid(300, 300, false)),
        ("hypercube of dimension 12", || hypercube(12)),
        ("hypercube of dimension 16", || hypercube(16)),
        ("hypercube (10) of trees of 85", || {
            blown_up(&hypercube(10), &tree(&[4; 3]))
        }),
        ("hypercube (12) of rings of 24", || {
            blown_up(&hypercube(12), &directed_cycle(24))
        }),
        ("pairs of 200", || pairs(200)),
        ("pairs of 440", || pairs(440)),
    ]
}

/// Hardly any symmetry.
fn rigid_subjects() -> Vec<Subject> {
    vec![
        ("random, 100000 + 100000 links", || {
            random_links(100_000, 100_000, &mut Seeded::new(1))
        }),
        ("random, 100000 + 500000 links", || {
            random_links(100_000, 500_000, &mut Seeded::new(1))
        }),
        ("random cubic, 10000", || {
            random_cubic(10_000, &mut Seeded::new(1))
        }),
        ("random cubic, 100000", || {
            random_cubic(100_000, &mut Seeded::new(1))
        }),
        ("50 different cubic of 2000", || {
            let mut plain = Plain::default();
            for seed in 0..50 {
                plain.append(&random_cubic(2000, &mut Seeded::new(seed)));
            }
            plain
        }),
    ]
}

/// Refinement alone does not get far.
fn hard_subjects() -> Vec<Subject> {
    vec![
        ("CFI over Petersen, 200 of each", || {
            let mut plain = cfi(&petersen(), false).copies(200);
            plain.append(&cfi(&petersen(), true).copies(200));
            plain
        }),
        ("CFI over K6", || cfi(&complete(6), false)),
        ("CFI over a random cubic graph, 60", || {
            cfi(&random_cubic(60, &mut Seeded::new(4)), true)
        }),
        ("projective plane of order 13", || projective_plane(13)),
        ("projective plane of order 31", || projective_plane(31)),
        ("Paley graph of 997", || paley(997)),
        ("rook's graph 40 x 40", || rook(40)),
        ("Shrikhande and rook, 500 of each", || {
            let mut plain = shrikhande().copies(500);
            plain.append(&rook(4).copies(500));
            plain
        }),
    ]
}
