//! Graphs of up to some thirty vertices, made of parts that look alike, against plain backtracking.

use crate::families::*;
use mandala_graphs::{Budget, automorphisms};
use mandala_groups::{BigUint, Seeded};

/// Adjacency as a table of sorted lists of (label, direction).
struct Table {
    size: usize,
    colours: Vec<u32>,
    between: Vec<Vec<(u32, bool)>>,
}

impl Table {
    fn of(plain: &Plain) -> Table {
        let size = plain.colours.len();
        let mut between = vec![Vec::new(); size * size];
        for edge in &plain.edges {
            let (from, to) = (edge.from as usize, edge.to as usize);
            between[from * size + to].push((edge.label, true));
            between[to * size + from].push((edge.label, false));
        }
        between.iter_mut().for_each(|list| list.sort_unstable());
        let colours = plain.colours.clone();
        Table {
            size,
            colours,
            between,
        }
    }

    /// Whether vertex number `images.len()` may go to `image`, given where those before it go.
    fn fits(&self, images: &[usize], image: usize) -> bool {
        let vertex = images.len();
        let alike = |(other, &target): (usize, &usize)| {
            self.between[vertex * self.size + other] == self.between[image * self.size + target]
        };
        let itself = |v: usize| &self.between[v * self.size + v];
        !images.contains(&image)
            && self.colours[vertex] == self.colours[image]
            && itself(vertex) == itself(image)
            && images.iter().enumerate().all(alike)
    }

    fn extends(&self, images: &mut Vec<usize>) -> bool {
        if images.len() == self.size {
            return true;
        }
        (0..self.size).any(|image| {
            self.fits(images, image) && {
                images.push(image);
                let found = self.extends(images);
                images.pop();
                found
            }
        })
    }

    /// For each vertex, how far it can go while all before it stay: the product is the order.
    fn order(&self) -> BigUint {
        let mut order = BigUint::from(1u32);
        for vertex in 0..self.size {
            let mut fixed: Vec<usize> = (0..vertex).collect();
            let goes = |&image: &usize| {
                self.fits(&fixed, image) && {
                    fixed.push(image);
                    let found = self.extends(&mut fixed);
                    fixed.pop();
                    found
                }
            };
            order *= (0..self.size).filter(goes).count();
        }
        order
    }
}

/// Vertices in an order in which each has a neighbour before it where possible: backtracking fails early then.
fn connected_order(plain: &Plain) -> Plain {
    let mut names = vec![u32::MAX; plain.colours.len()];
    let mut next = 0;
    for start in 0..plain.vertices() {
        let mut waiting = std::collections::VecDeque::from([start]);
        while let Some(vertex) = waiting.pop_front() {
            if names[vertex as usize] == u32::MAX {
                names[vertex as usize] = next;
                next += 1;
                let leaving = plain.edges.iter().filter(|e| e.from == vertex);
                waiting.extend(leaving.map(|e| e.to));
            }
        }
    }
    plain.renamed(&names)
}

/// Cubic graphs: refinement cannot tell their vertices apart.
fn cubic_part(random: &mut Seeded) -> Plain {
    match random.below(8) {
        0 => complete(4),
        1 => multipartite(2, 3),
        2 => generalised_petersen(3, 1),
        3 => hypercube(3),
        4 => generalised_petersen(5, 1),
        5 => petersen(),
        _ => random_cubic(6 + 2 * random.below(2) as u32, random),
    }
}

/// Adds a vertex linked to all.
fn with_hub(mut plain: Plain) -> Plain {
    let count = plain.vertices();
    let hub = plain.vertex(9);
    for vertex in 0..count {
        plain.edge(hub, vertex, 5);
    }
    plain
}

fn compare(plain: &Plain, random: &mut Seeded) -> u64 {
    let expected = Table::of(&connected_order(plain)).order();
    let graph = plain.shuffled(random).graph();
    let found = automorphisms(&graph, &Budget::unlimited());
    assert!(found.complete);
    assert_eq!(found.order, expected, "{plain:?}");
    assert_eq!(found.group().unwrap().order(), expected);
    found.statistics.mismatches
}

#[test]
fn unions_of_cubic_graphs() {
    let mut random = Seeded::new(5);
    let mut mismatches = 0;
    for round in 0..120 {
        let mut plain = cubic_part(&mut random);
        while plain.vertices() < 22 {
            plain.append(&cubic_part(&mut random));
        }
        if round % 3 == 0 {
            plain = with_hub(plain);
        }
        mismatches += compare(&plain, &mut random);
    }
    assert!(mismatches > 300);
}

#[test]
fn parts_within_parts() {
    let mut random = Seeded::new(6);
    for _ in 0..60 {
        let mut plain = Plain::default();
        for _ in 0..2 + random.below(2) {
            let mut part = cubic_part(&mut random);
            if part.vertices() < 8 {
                part.append(&cubic_part(&mut random));
            }
            plain.append(&with_hub(part));
        }
        compare(&plain, &mut random);
    }
}

#[test]
fn circulants_with_labels_and_damage() {
    let mut random = Seeded::new(8);
    for round in 0..200 {
        let n = 6 + random.below(9) as u32;
        let mut plain = Plain::empty(n);
        for jump in 1..n {
            let label = random.below(5) as u32;
            if label < 3 {
                (0..n).for_each(|at| plain.edge(at, (at + jump) % n, label));
            }
        }
        if round % 2 == 0 && !plain.edges.is_empty() {
            let at = random.below(plain.edges.len());
            plain.edges[at].label = 4;
        }
        compare(&plain, &mut random);
    }
}
