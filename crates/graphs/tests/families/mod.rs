//! Graphs whose automorphism groups are known, small and large.
#![allow(dead_code, reason = "an example uses a part of it")]

use mandala_graphs::{Edge, Graph, SparsePermutation};
use mandala_groups::Seeded;
use std::collections::BTreeMap;

/// A graph as colours and edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plain {
    pub(crate) colours: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
}

impl Plain {
    /// Vertices of colour 0 and nothing else.
    pub(crate) fn empty(vertices: u32) -> Plain {
        Plain {
            colours: vec![0; vertices as usize],
            edges: Vec::new(),
        }
    }

    pub(crate) fn vertices(&self) -> u32 {
        self.colours.len() as u32
    }

    pub(crate) fn vertex(&mut self, colour: u32) -> u32 {
        self.colours.push(colour);
        self.vertices() - 1
    }

    pub(crate) fn edge(&mut self, from: u32, to: u32, label: u32) {
        self.edges.push(Edge { from, to, label });
    }

    pub(crate) fn link(&mut self, a: u32, b: u32) {
        self.edge(a, b, 0);
        self.edge(b, a, 0);
    }

    pub(crate) fn graph(&self) -> Graph {
        Graph::new(&self.colours, &self.edges).unwrap()
    }

    /// The same graph with vertex v called `names[v]`.
    pub(crate) fn renamed(&self, names: &[u32]) -> Plain {
        let mut colours = vec![0; self.colours.len()];
        for (vertex, &colour) in self.colours.iter().enumerate() {
            colours[names[vertex] as usize] = colour;
        }
        let rename = |edge: &Edge| Edge {
            from: names[edge.from as usize],
            to: names[edge.to as usize],
            label: edge.label,
        };
        Plain {
            colours,
            edges: self.edges.iter().map(rename).collect(),
        }
    }

    /// With vertices numbered and edges listed in some other order.
    pub(crate) fn shuffled(&self, random: &mut Seeded) -> Plain {
        let names = shuffled_numbers(self.vertices(), random);
        let mut plain = self.renamed(&names);
        for at in (1..plain.edges.len()).rev() {
            plain.edges.swap(at, random.below(at + 1));
        }
        plain
    }

    /// Whether the edges, listed anew, are the same edges: the definition, without any cleverness.
    pub(crate) fn is_preserved_by(&self, permutation: &SparsePermutation) -> bool {
        let names: Vec<u32> = (0..self.vertices()).map(|v| permutation.image(v)).collect();
        let image = self.renamed(&names);
        image.colours == self.colours && sorted(&image.edges) == sorted(&self.edges)
    }

    /// Appends another graph, not connected. Answers by how much its vertices are shifted.
    pub(crate) fn append(&mut self, other: &Plain) -> u32 {
        let shift = self.vertices();
        self.colours.extend_from_slice(&other.colours);
        for edge in &other.edges {
            self.edge(edge.from + shift, edge.to + shift, edge.label);
        }
        shift
    }

    pub(crate) fn copies(&self, count: u32) -> Plain {
        let mut plain = Plain::default();
        for _ in 0..count {
            plain.append(self);
        }
        plain
    }

    /// All links that are not there.
    pub(crate) fn complement(&self) -> Plain {
        let linked = |a, b| self.edges.iter().any(|e| (e.from, e.to) == (a, b));
        linked_if(self.vertices(), |a, b| !linked(a, b))
    }
}

fn sorted(edges: &[Edge]) -> Vec<(u32, u32, u32)> {
    let mut list: Vec<_> = edges.iter().map(|e| (e.from, e.to, e.label)).collect();
    list.sort_unstable();
    list
}

pub(crate) fn shuffled_numbers(count: u32, random: &mut Seeded) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count).collect();
    for at in (1..numbers.len()).rev() {
        numbers.swap(at, random.below(at + 1));
    }
    numbers
}

/// Links between all a < b for which something holds.
pub(crate) fn linked_if(vertices: u32, linked: impl Fn(u32, u32) -> bool) -> Plain {
    let mut plain = Plain::empty(vertices);
    for a in 0..vertices {
        for b in a + 1..vertices {
            if linked(a, b) {
                plain.link(a, b);
            }
        }
    }
    plain
}

pub(crate) fn complete(n: u32) -> Plain {
    linked_if(n, |_, _| true)
}

/// `parts` parts of `size` vertices, linked across parts.
pub(crate) fn multipartite(parts: u32, size: u32) -> Plain {
    linked_if(parts * size, |a, b| a / size != b / size)
}

pub(crate) fn cycle(n: u32) -> Plain {
    let mut plain = Plain::empty(n);
    for at in 0..n {
        plain.link(at, (at + 1) % n);
    }
    plain
}

pub(crate) fn directed_cycle(n: u32) -> Plain {
    let mut plain = Plain::empty(n);
    for at in 0..n {
        plain.edge(at, (at + 1) % n, 0);
    }
    plain
}

pub(crate) fn hypercube(dimension: u32) -> Plain {
    let mut plain = Plain::empty(1 << dimension);
    for vertex in 0..1u32 << dimension {
        for bit in 0..dimension {
            if vertex >> bit & 1 == 0 {
                plain.link(vertex, vertex | 1 << bit);
            }
        }
    }
    plain
}

/// The sets of `k` of `n` things, by bits.
fn subsets(n: u32, k: u32) -> Vec<u32> {
    (0..1u32 << n).filter(|set| set.count_ones() == k).collect()
}

/// Sets of k of n, linked if they have so many things in common.
pub(crate) fn set_graph(n: u32, k: u32, common: u32) -> Plain {
    let sets = subsets(n, k);
    let meet = |a: u32, b: u32| (sets[a as usize] & sets[b as usize]).count_ones();
    linked_if(sets.len() as u32, |a, b| meet(a, b) == common)
}

pub(crate) fn petersen() -> Plain {
    set_graph(5, 2, 0)
}

/// Vertices `(i, j)` of an m by n field.
pub(crate) fn grid(m: u32, n: u32, around: bool) -> Plain {
    let mut plain = Plain::empty(m * n);
    for i in 0..m {
        for j in 0..n {
            if around || i + 1 < m {
                plain.link(i * n + j, (i + 1) % m * n + j);
            }
            if around || j + 1 < n {
                plain.link(i * n + j, i * n + (j + 1) % n);
            }
        }
    }
    plain
}

/// The vertices of a 4 by 4 torus linked if their difference is one of these.
fn on_the_small_torus(differences: &[(u32, u32)]) -> Plain {
    let mut plain = Plain::empty(16);
    for at in 0..16 {
        for &(i, j) in differences {
            let other = (at / 4 + i) % 4 * 4 + (at % 4 + j) % 4;
            plain.link(at, other);
        }
    }
    plain
}

/// Strongly regular (16, 6, 2, 2), as is the rook's graph.
pub(crate) fn shrikhande() -> Plain {
    on_the_small_torus(&[(0, 1), (1, 0), (1, 1)])
}

/// Two fields are linked if they share a row or a column.
pub(crate) fn rook(n: u32) -> Plain {
    linked_if(n * n, |a, b| a / n == b / n || a % n == b % n)
}

/// For a prime that leaves 1 when divided by 4.
pub(crate) fn paley(prime: u32) -> Plain {
    let squares: Vec<u32> = (1..prime).map(|x| x * x % prime).collect();
    linked_if(prime, |a, b| squares.contains(&(b - a)))
}

/// Two rings of n, of which the inner one jumps by k, and spokes.
pub(crate) fn generalised_petersen(n: u32, k: u32) -> Plain {
    let mut plain = Plain::empty(2 * n);
    for at in 0..n {
        plain.link(at, (at + 1) % n);
        plain.link(n + at, n + (at + k) % n);
        plain.link(at, n + at);
    }
    plain
}

/// Triples of seven points that are not lines of the Fano plane, linked if disjoint.
pub(crate) fn coxeter() -> Plain {
    let line = |at: u32| 1u32 << at | 1 << ((at + 1) % 7) | 1 << ((at + 3) % 7);
    let lines: Vec<u32> = (0..7).map(line).collect();
    let mut triples = subsets(7, 3);
    triples.retain(|set| !lines.contains(set));
    let disjoint = |a: u32, b: u32| triples[a as usize] & triples[b as usize] == 0;
    linked_if(triples.len() as u32, disjoint)
}

/// Points and lines of the plane over a prime field, linked if the point is on the line.
pub(crate) fn projective_plane(prime: u32) -> Plain {
    let mut points = vec![[0, 0, 1]];
    points.extend((0..prime).map(|z| [0, 1, z]));
    points.extend((0..prime * prime).map(|yz| [1, yz / prime, yz % prime]));
    let on = |p: &[u32; 3], l: &[u32; 3]| (0..3).map(|i| p[i] * l[i]).sum::<u32>() % prime == 0;
    let count = points.len() as u32;
    linked_if(2 * count, |a, b| {
        a < count && b >= count && on(&points[a as usize], &points[(b - count) as usize])
    })
}

/// A rooted tree in which a vertex at depth d has `arity[d]` children. Edges lead away from the root.
pub(crate) fn tree(arity: &[u32]) -> Plain {
    let mut plain = Plain::empty(1);
    let mut layer = vec![0];
    for &children in arity {
        let mut next = Vec::new();
        for &parent in &layer {
            for _ in 0..children {
                let child = plain.vertex(0);
                plain.edge(parent, child, 0);
                next.push(child);
            }
        }
        layer = next;
    }
    plain
}

/// The graphs of Cai, Fürer and Immerman over a base graph: gadgets that refinement cannot tell from their twisted
/// versions. `twisted` crosses the first link.
pub(crate) fn cfi(base: &Plain, twisted: bool) -> Plain {
    let mut plain = Plain::default();
    let mut ends = BTreeMap::new();
    for vertex in 0..base.vertices() {
        let mut neighbours: Vec<u32> = Vec::new();
        neighbours.extend(base.edges.iter().filter(|e| e.from == vertex).map(|e| e.to));
        for &other in &neighbours {
            ends.insert((vertex, other), [plain.vertex(1), plain.vertex(1)]);
        }
        for set in (0..1u32 << neighbours.len()).filter(|set| set.count_ones() % 2 == 0) {
            let middle = plain.vertex(0);
            for (at, &other) in neighbours.iter().enumerate() {
                plain.link(middle, ends[&(vertex, other)][(set >> at & 1) as usize]);
            }
        }
    }
    let mut cross = usize::from(twisted);
    for (&(a, b), near) in ends.iter().filter(|((a, b), _)| a < b) {
        let far = ends[&(b, a)];
        plain.link(near[0], far[cross]);
        plain.link(near[1], far[1 - cross]);
        cross = 0;
    }
    plain
}

/// Random links: `count` pairs.
pub(crate) fn random_links(vertices: u32, count: u32, random: &mut Seeded) -> Plain {
    let mut plain = Plain::empty(vertices);
    for _ in 0..count {
        let a = random.below(vertices as usize) as u32;
        let b = random.below(vertices as usize) as u32;
        if a != b {
            plain.link(a, b);
        }
    }
    plain
}

/// A ring through all vertices and a random matching that is not on the ring: hardly ever symmetric, and
/// refinement alone sees nothing.
pub(crate) fn random_cubic(vertices: u32, random: &mut Seeded) -> Plain {
    let on_the_ring = |pair: &[u32]| {
        let apart = pair[0].abs_diff(pair[1]);
        apart == 1 || apart == vertices - 1
    };
    loop {
        let numbers = shuffled_numbers(vertices, random);
        if !numbers.chunks_exact(2).any(on_the_ring) {
            let mut plain = cycle(vertices);
            for pair in numbers.chunks_exact(2) {
                plain.link(pair[0], pair[1]);
            }
            return plain;
        }
    }
}

/// Copies of a graph with the first vertices of them in a ring.
pub(crate) fn ring_of(gadget: &Plain, count: u32) -> Plain {
    let mut plain = gadget.copies(count);
    for at in 0..count {
        let next = (at + 1) % count;
        plain.link(at * gadget.vertices(), next * gadget.vertices());
    }
    plain
}

/// A graph in which each vertex has become a gadget, by its first vertex.
pub(crate) fn blown_up(base: &Plain, gadget: &Plain) -> Plain {
    let mut plain = gadget.copies(base.vertices());
    for edge in &base.edges {
        let size = gadget.vertices();
        plain.edge(edge.from * size, edge.to * size, edge.label + 1);
    }
    plain
}

/// The unordered pairs of n things, as vertices linked to the things.
pub(crate) fn pairs(n: u32) -> Plain {
    let mut plain = Plain::empty(n);
    for a in 0..n {
        for b in a + 1..n {
            let pair = plain.vertex(1);
            plain.edge(pair, a, 0);
            plain.edge(pair, b, 0);
        }
    }
    plain
}
