//! Coloured directed graphs, stored for refinement.
//!
//! # Normal form
//!
//! What is given is a list of labelled, directed edges. What is stored is, for each vertex and each of
//! its neighbours, **one** arc whose *class* says everything that lies between the two: the labels of the edges
//! there and of the edges back, each as often as it occurs. So one table of rows serves both directions, parallel
//! edges need no thought, and whether two sets of vertices are joined completely can be told by counting arcs.
//! Loops become part of the colour of their vertex.
//!
//! # Exact sums
//!
//! Refinement asks how many arcs of each class lead from a vertex into a set. All these numbers are
//! read off one sum: the classes get *weights*, the place values of a mixed radix system in which no digit can
//! overflow, because a vertex has no more arcs of a class than the largest number at any vertex. Equal sums
//! mean equal numbers, without any hashing. Classes that do not fit into one 64-bit sum go to further
//! *batches*, which are summed one after the other; hardly any graph needs two.

use crate::permutation::SparsePermutation;
use std::collections::HashMap;
use std::fmt;

/// One directed edge as it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: u32,
    /// Where it ends; may be where it starts.
    pub to: u32,
    /// What kind of edge it is: automorphisms preserve it.
    pub label: u32,
}

/// Why a graph could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// An edge names a vertex that does not exist.
    NoSuchVertex {
        /// The edge.
        edge: Edge,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Vertices are numbered with 32 bits.
    TooManyVertices {
        /// How many there would be.
        vertices: usize,
    },
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::NoSuchVertex { edge, vertices } => write!(
                f,
                "the edge from {} to {} leaves the {vertices} vertices of the graph",
                edge.from, edge.to
            ),
            GraphError::TooManyVertices { vertices } => {
                write!(f, "a graph of {vertices} vertices is too large")
            }
        }
    }
}

impl std::error::Error for GraphError {}

/// Collects vertices and edges.
///
/// ```
/// use mandala_graphs::{Budget, GraphBuilder, automorphisms};
/// let mut builder = GraphBuilder::new();
/// let hub = builder.vertex(0);
/// for _ in 0..4 {
///     let leaf = builder.vertex(1);
///     builder.edge(hub, leaf, 0);
/// }
/// let found = automorphisms(&builder.build()?, &Budget::unlimited());
/// assert!(found.complete);
/// assert_eq!(found.order.to_string(), "24");
/// # Ok::<(), mandala_graphs::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    colours: Vec<u32>,
    edges: Vec<Edge>,
}

impl GraphBuilder {
    /// No vertices, no edges.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a vertex; automorphisms preserve its colour. Answers its number; they count from 0.
    pub fn vertex(&mut self, colour: u32) -> u32 {
        let number = self.colours.len() as u32;
        self.colours.push(colour);
        number
    }

    /// Adds a directed edge. The same edge twice is not the same as once.
    pub fn edge(&mut self, from: u32, to: u32, label: u32) {
        self.edges.push(Edge { from, to, label });
    }

    /// Adds an edge without direction, that is, one each way (a single one for a loop).
    pub fn link(&mut self, a: u32, b: u32, label: u32) {
        self.edge(a, b, label);
        if a != b {
            self.edge(b, a, label);
        }
    }

    /// The graph.
    pub fn build(self) -> Result<Graph, GraphError> {
        Graph::new(&self.colours, &self.edges)
    }
}

/// What lies between a vertex and one of its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arc {
    pub(crate) target: u32,
    pub(crate) class: u32,
}

/// A coloured directed graph with labelled edges.
#[derive(Clone, Debug)]
pub struct Graph {
    edge_count: usize,
    /// Colour and loops of each vertex, as a number.
    kinds: Vec<u32>,
    /// Where the arcs of vertex v in batch b start: at v * batches + b.
    rows: Vec<usize>,
    arcs: Vec<Arc>,
    /// By class.
    weights: Vec<u64>,
    batches: usize,
}

impl Graph {
    /// The graph with one vertex for each colour, and these edges.
    pub fn new(colours: &[u32], edges: &[Edge]) -> Result<Graph, GraphError> {
        let vertices = colours.len();
        if vertices >= u32::MAX as usize {
            return Err(GraphError::TooManyVertices { vertices });
        }
        let outside = |end: u32| end as usize >= vertices;
        if let Some(&edge) = edges.iter().find(|e| outside(e.from) || outside(e.to)) {
            return Err(GraphError::NoSuchVertex { edge, vertices });
        }
        let joined = classify(edges);
        let places = Places::of(&joined);
        let mut graph = Graph {
            edge_count: edges.len(),
            kinds: kinds(colours, edges),
            rows: Vec::new(),
            arcs: Vec::new(),
            weights: places.weights,
            batches: places.batches,
        };
        graph.fill_rows(joined, &places.batch);
        Ok(graph)
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.kinds.len()
    }

    /// How many edges were given.
    pub fn edge_count(&self) -> usize {
        self.edge_count
    }

    /// Whether this permutation of the vertices preserves colours and edges.
    pub fn is_automorphism(&self, permutation: &SparsePermutation) -> bool {
        let inside = |&(from, _): &(u32, u32)| (from as usize) < self.vertex_count();
        permutation.moved().iter().all(inside)
            && self.preserved_by(permutation.moved(), |vertex| permutation.image(vertex))
    }

    /// Whether a permutation, given by what it moves and as a function, preserves everything. Arcs between
    /// vertices that stay need no look, so the cost is that of the arcs at moved vertices.
    pub(crate) fn preserved_by(&self, moved: &[(u32, u32)], image: impl Fn(u32) -> u32) -> bool {
        let mut carried = Vec::new();
        moved.iter().all(|&(from, to)| {
            self.kinds[from as usize] == self.kinds[to as usize]
                && (0..self.batches).all(|batch| {
                    carried.clear();
                    carried.extend(self.row(from, batch).iter().map(|arc| Arc {
                        target: image(arc.target),
                        class: arc.class,
                    }));
                    carried.sort_unstable();
                    carried == self.row(to, batch)
                })
        })
    }

    pub(crate) fn kinds(&self) -> &[u32] {
        &self.kinds
    }

    pub(crate) fn batches(&self) -> usize {
        self.batches
    }

    pub(crate) fn weight(&self, class: u32) -> u64 {
        self.weights[class as usize]
    }

    /// The arcs of a vertex whose classes are in this batch, by target.
    pub(crate) fn row(&self, vertex: u32, batch: usize) -> &[Arc] {
        let at = vertex as usize * self.batches + batch;
        &self.arcs[self.rows[at]..self.rows[at + 1]]
    }

    /// All arcs of a vertex.
    pub(crate) fn arcs_of(&self, vertex: u32) -> &[Arc] {
        let at = vertex as usize * self.batches;
        &self.arcs[self.rows[at]..self.rows[at + self.batches]]
    }

    fn fill_rows(&mut self, mut joined: Vec<(u32, Arc)>, batch: &[usize]) {
        if self.batches > 1 {
            joined
                .sort_unstable_by_key(|(from, arc)| (*from, batch[arc.class as usize], arc.target));
        }
        let cells = self.vertex_count() * self.batches;
        let mut ends = vec![0; cells + 1];
        for (from, arc) in &joined {
            ends[*from as usize * self.batches + batch[arc.class as usize] + 1] += 1;
        }
        for at in 0..cells {
            ends[at + 1] += ends[at];
        }
        self.rows = ends;
        self.arcs = joined.into_iter().map(|(_, arc)| arc).collect();
    }
}

/// Numbers for colours together with loops, in an order that does not depend on how vertices are numbered.
fn kinds(colours: &[u32], edges: &[Edge]) -> Vec<u32> {
    let mut keys: Vec<Vec<u32>> = colours.iter().map(|&colour| vec![colour]).collect();
    for edge in edges.iter().filter(|edge| edge.from == edge.to) {
        keys[edge.from as usize].push(edge.label);
    }
    keys.iter_mut().for_each(|key| key[1..].sort_unstable());
    let mut distinct: Vec<&Vec<u32>> = keys.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let number = |key: &Vec<u32>| distinct.binary_search(&key).unwrap_or_default() as u32;
    keys.iter().map(number).collect()
}

/// One arc for each vertex and each neighbour, by vertex, then by neighbour.
fn classify(edges: &[Edge]) -> Vec<(u32, Arc)> {
    let halves = half_edges(edges);
    let mut numbers: HashMap<Vec<u64>, u32> = HashMap::new();
    let mut joined = Vec::new();
    let mut key = Vec::new();
    for run in halves.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        key.clear();
        key.extend(run.iter().map(|half| half.2));
        let class = number_of(&mut numbers, &key);
        let target = run[0].1;
        joined.push((run[0].0, Arc { target, class }));
    }
    let ranks = ranks(numbers);
    for (_, arc) in &mut joined {
        arc.class = ranks[arc.class as usize];
    }
    joined
}

/// Each edge as seen from either end: the end, the other end, and label with direction. Sorted.
fn half_edges(edges: &[Edge]) -> Vec<(u32, u32, u64)> {
    let mut halves = Vec::with_capacity(2 * edges.len());
    for edge in edges.iter().filter(|edge| edge.from != edge.to) {
        let label = u64::from(edge.label) << 1;
        halves.push((edge.from, edge.to, label));
        halves.push((edge.to, edge.from, label | 1));
    }
    halves.sort_unstable();
    halves
}

fn number_of(numbers: &mut HashMap<Vec<u64>, u32>, key: &[u64]) -> u32 {
    if let Some(&number) = numbers.get(key) {
        return number;
    }
    let number = numbers.len() as u32;
    numbers.insert(key.to_vec(), number);
    number
}

/// From numbers in the order of discovery to numbers in the order of the keys, which does not depend on how
/// the vertices are numbered.
fn ranks(numbers: HashMap<Vec<u64>, u32>) -> Vec<u32> {
    let mut sorted: Vec<(Vec<u64>, u32)> = numbers.into_iter().collect();
    sorted.sort_unstable();
    let mut ranks = vec![0; sorted.len()];
    for (rank, (_, number)) in sorted.iter().enumerate() {
        ranks[*number as usize] = rank as u32;
    }
    ranks
}

/// The place values of the classes.
struct Places {
    weights: Vec<u64>,
    batch: Vec<usize>,
    batches: usize,
}

impl Places {
    fn of(joined: &[(u32, Arc)]) -> Places {
        let mut places = Places {
            weights: Vec::new(),
            batch: Vec::new(),
            batches: 1,
        };
        let mut weight: u64 = 1;
        for most in largest_numbers(joined) {
            // The digit takes values up to `most`, and the sum up to this weight times most + 1, less one.
            let next = weight.checked_mul(most + 1).unwrap_or_else(|| {
                places.batches += 1;
                weight = 1;
                most + 1
            });
            places.weights.push(weight);
            places.batch.push(places.batches - 1);
            weight = next;
        }
        places
    }
}

/// For each class, the largest number of its arcs that lead to one vertex: so many may be summed up there.
fn largest_numbers(joined: &[(u32, Arc)]) -> Vec<u64> {
    let mut arcs: Vec<Arc> = joined.iter().map(|(_, arc)| *arc).collect();
    arcs.sort_unstable();
    let classes = arcs.iter().map(|arc| arc.class + 1).max();
    let mut most = vec![0; classes.unwrap_or(0) as usize];
    for alike in arcs.chunk_by(|a, b| a == b) {
        let most = &mut most[alike[0].class as usize];
        *most = (alike.len() as u64).max(*most);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_between_the_same_vertices_become_one_arc_each_way() {
        let mut builder = GraphBuilder::new();
        let (a, b) = (builder.vertex(0), builder.vertex(0));
        builder.edge(a, b, 1);
        builder.edge(a, b, 1);
        builder.edge(b, a, 7);
        let graph = builder.build().unwrap();
        assert_eq!((graph.arcs_of(a).len(), graph.arcs_of(b).len()), (1, 1));
        assert_ne!(graph.arcs_of(a)[0].class, graph.arcs_of(b)[0].class);
        assert_eq!(graph.edge_count(), 3);
    }

    #[test]
    fn many_classes_spread_over_batches_and_sums_stay_exact() {
        let mut builder = GraphBuilder::new();
        let hub = builder.vertex(0);
        for label in 0..100 {
            for _ in 0..3 {
                let leaf = builder.vertex(1);
                builder.edge(hub, leaf, label);
            }
        }
        let graph = builder.build().unwrap();
        // 100 classes with up to three arcs, 100 with one: 300 bits.
        assert_eq!(graph.batches(), 5);
        let rows = (0..5).map(|batch| graph.row(hub, batch).len());
        assert_eq!(rows.sum::<usize>(), 300);
        assert_eq!(graph.arcs_of(hub).len(), 300);
    }

    #[test]
    fn sums_stay_exact_where_many_arcs_of_a_class_meet() {
        let mut builder = GraphBuilder::new();
        let hubs = [builder.vertex(0), builder.vertex(0)];
        for (label, _) in (0..10).flat_map(|label| (0..100).map(move |leaf| (label, leaf))) {
            for hub in hubs {
                let leaf = builder.vertex(1);
                builder.edge(leaf, hub, label);
            }
        }
        let graph = builder.build().unwrap();
        // As many as there are at a hub, of each class that is summed up together.
        for batch in 0..graph.batches() {
            let arriving = (2..graph.vertex_count() as u32).flat_map(|leaf| graph.row(leaf, batch));
            let weights = arriving
                .filter(|arc| arc.target == hubs[0])
                .map(|arc| graph.weight(arc.class));
            assert!(weights.map(u128::from).sum::<u128>() <= u128::from(u64::MAX));
        }
        let refined = crate::refine(&graph);
        assert_eq!(refined[0], refined[1]);
    }

    #[test]
    fn an_edge_out_of_range_is_an_error() {
        let mut builder = GraphBuilder::new();
        builder.vertex(0);
        builder.edge(0, 1, 0);
        let error = builder.build().unwrap_err();
        assert!(error.to_string().contains("from 0 to 1"));
    }
}
