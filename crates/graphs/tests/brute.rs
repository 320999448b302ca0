//! Small random graphs against the definition: all permutations are tried.

use crate::families::{self, Plain};
use mandala_graphs::{Budget, SparsePermutation, automorphisms, refine};
use mandala_groups::Seeded;
use std::collections::BTreeSet;

/// Next arrangement in lexicographic order.
fn next_arrangement(items: &mut [u32]) -> bool {
    let Some(pivot) = (1..items.len()).rev().find(|&i| items[i - 1] < items[i]) else {
        return false;
    };
    let larger = (pivot..items.len())
        .rev()
        .find(|&i| items[i] > items[pivot - 1]);
    items.swap(pivot - 1, larger.unwrap());
    items[pivot..].reverse();
    true
}

fn all_automorphisms(plain: &Plain) -> BTreeSet<Vec<u32>> {
    let mut images: Vec<u32> = (0..plain.vertices()).collect();
    let mut all = BTreeSet::new();
    loop {
        if is_automorphism(plain, &images) {
            all.insert(images.clone());
        }
        if !next_arrangement(&mut images) {
            return all;
        }
    }
}

fn is_automorphism(plain: &Plain, images: &[u32]) -> bool {
    let colours = &plain.colours;
    let coloured = (0..images.len()).all(|v| colours[v] == colours[images[v] as usize]);
    coloured && {
        let image = plain.renamed(images);
        let sorted = |plain: &Plain| {
            let mut list: Vec<_> = plain
                .edges
                .iter()
                .map(|e| (e.from, e.to, e.label))
                .collect();
            list.sort_unstable();
            list
        };
        sorted(&image) == sorted(plain)
    }
}

fn random_digraph(random: &mut Seeded) -> Plain {
    let vertices = 1 + random.below(7) as u32;
    let (colours, labels) = (1 + random.below(3), 1 + random.below(3));
    let mut plain = Plain::empty(vertices);
    for colour in &mut plain.colours {
        *colour = (random.below(colours) * random.below(2)) as u32;
    }
    let undirected = random.below(2) == 0;
    for _ in 0..random.below(3 * vertices as usize + 1) {
        let from = random.below(vertices as usize) as u32;
        let to = random.below(vertices as usize) as u32;
        let label = random.below(labels) as u32;
        plain.edge(from, to, label);
        if undirected && from != to {
            plain.edge(to, from, label);
        }
    }
    plain
}

#[test]
fn random_digraphs_have_exactly_the_automorphisms_that_trying_all_finds() {
    let mut random = Seeded::new(2024);
    let mut nontrivial = 0;
    for _ in 0..1500 {
        let plain = random_digraph(&mut random);
        let expected = all_automorphisms(&plain);
        let found = automorphisms(&plain.graph(), &Budget::unlimited());
        assert!(found.complete);
        let group = found.group().unwrap();
        let elements = group.elements().map(|element| element.images().to_vec());
        assert_eq!(elements.collect::<BTreeSet<_>>(), expected, "{plain:?}");
        assert_eq!(found.order, group.order());
        nontrivial += usize::from(expected.len() > 1);
    }
    assert!(nontrivial > 300);
}

/// Circulant digraphs: rich groups, and refinement sees nothing.
#[test]
fn random_circulants() {
    let mut random = Seeded::new(7);
    for _ in 0..150 {
        let n = 3 + random.below(5) as u32;
        let mut plain = Plain::empty(n);
        for jump in 1..n {
            for label in 0..random.below(3) as u32 {
                for at in 0..n {
                    plain.edge(at, (at + jump) % n, label);
                }
            }
        }
        let found = automorphisms(&plain.graph(), &Budget::unlimited());
        let expected = all_automorphisms(&plain);
        assert_eq!(found.order, expected.len().into());
    }
}

#[test]
fn the_library_judges_permutations_as_the_definition_does() {
    let mut random = Seeded::new(99);
    for _ in 0..60 {
        let plain = random_digraph(&mut random);
        let graph = plain.graph();
        let mut images: Vec<u32> = (0..plain.vertices()).collect();
        loop {
            let pairs = (0..).zip(images.iter().copied()).collect();
            let permutation = SparsePermutation::from_pairs(pairs).unwrap();
            let expected = is_automorphism(&plain, &images);
            assert_eq!(graph.is_automorphism(&permutation), expected);
            if !next_arrangement(&mut images) {
                break;
            }
        }
    }
    let beyond = SparsePermutation::from_pairs(vec![(3, 70), (70, 3)]).unwrap();
    assert!(!families::cycle(9).graph().is_automorphism(&beyond));
}

/// What a vertex sees of each colour, for each label and direction.
fn views(plain: &Plain, colours: &[u32], vertex: u32) -> Vec<(u32, u32, bool)> {
    let mut seen = Vec::new();
    for edge in &plain.edges {
        if edge.from == vertex {
            seen.push((colours[edge.to as usize], edge.label, true));
        }
        if edge.to == vertex {
            seen.push((colours[edge.from as usize], edge.label, false));
        }
    }
    seen.sort_unstable();
    seen
}

#[test]
fn stable_colourings_are_stable_and_do_not_depend_on_numbers() {
    let mut random = Seeded::new(31);
    for _ in 0..300 {
        let mut plain = random_digraph(&mut random);
        plain.append(&random_digraph(&mut random));
        plain.edges.retain(|edge| edge.from != edge.to);
        let colours = refine(&plain.graph());
        for a in 0..plain.vertices() {
            for b in 0..a {
                if colours[a as usize] == colours[b as usize] {
                    assert_eq!(plain.colours[a as usize], plain.colours[b as usize]);
                    // Several edges between two vertices count as one kind of edge, which is finer.
                    assert_eq!(views(&plain, &colours, a), views(&plain, &colours, b));
                }
            }
        }
        let names = families::shuffled_numbers(plain.vertices(), &mut random);
        let renamed = refine(&plain.renamed(&names).graph());
        for (vertex, &name) in names.iter().enumerate() {
            assert_eq!(renamed[name as usize], colours[vertex]);
        }
    }
}
