//! Automorphism groups of coloured directed graphs, large and sparse.
//!
//! | question | answer |
//! |---|---|
//! | which permutations of the vertices preserve colours, edges and labels | [`automorphisms`]: generators, exact order, orbits, base |
//! | which vertices cannot be told apart by counting neighbours, again and again | [`refine`] |
//! | does this permutation preserve everything | [`Graph::is_automorphism`] |
//!
//! ```
//! use mandala_graphs::{Budget, GraphBuilder, automorphisms};
//!
//! // A ring of five with a direction: it can be turned, but not turned over.
//! let mut builder = GraphBuilder::new();
//! let ring: Vec<u32> = (0..5).map(|_| builder.vertex(0)).collect();
//! for at in 0..5 {
//!     builder.edge(ring[at], ring[(at + 1) % 5], 0);
//! }
//! let graph = builder.build()?;
//! let found = automorphisms(&graph, &Budget::unlimited());
//! assert_eq!(found.order.to_string(), "5");
//! assert!(found.generators.iter().all(|g| graph.is_automorphism(g)));
//! # Ok::<(), mandala_graphs::GraphError>(())
//! ```
//!
//! # What is certain
//!
//! Every generator has been checked against the edges. If [`Automorphisms::complete`], the generators generate
//! *all* automorphisms. Complete or not, [`Automorphisms::order`] is the order of the group they generate. Nothing is
//! probable, nothing depends on hashing or on random numbers; only a limit on time can make two runs differ.
//!
//! # Cost
//!
//! Everything is proportional to what changes: refinement looks at the arcs of the splitters only, partitions are restored
//! from a trail, candidates are enumerated by orbits and not by vertices, and only vertices that an automorphism has to
//! move are decided. Exchanging two of 100,000 twins costs the same as exchanging two of three. There is no recursion
//! in depth. Graphs that defeat refinement (from finite geometry, say, or built to defeat it) can take
//! exponential time as with any tool of this kind: that is what the [`Budget`] is for.
//!
//! # Map
//!
//! [`graph`] stores graphs, with one arc for all edges between two vertices; `partition` and `refine` do colour
//! refinement with undo and traces; `pair` keeps two partitions in step and knows where they differ; `orbits` lists
//! the orbits in each cell; `joins` knows which cells depend on which; `conflict` and `images` prune; [`search`] puts it together and explains the method.

mod budget;
mod conflict;
pub mod graph;
mod images;
mod joins;
mod orbits;
mod pair;
mod partition;
mod permutation;
mod refine;
pub mod search;

pub use budget::Budget;
pub use graph::{Edge, Graph, GraphBuilder, GraphError};
use mandala_groups::{BigUint, Group, GroupError, Permutation};
pub use permutation::SparsePermutation;
pub use search::{automorphisms, refine};

/// What is known of the automorphisms of a graph.
#[derive(Clone, Debug)]
pub struct Automorphisms {
    /// Generators; none is redundant in the order in which they were found, each merges orbits.
    pub generators: Vec<SparsePermutation>,
    /// The order of the group that they generate.
    pub order: BigUint,
    /// For each vertex, the least vertex of its orbit.
    pub orbits: Vec<u32>,
    /// Vertices such that only the identity of the group fixes them all. The generators are strong for it: those that
    /// fix the first so many of these vertices generate all that fixes them.
    pub base: Vec<u32>,
    /// Whether these are all automorphisms. If not, the budget was used up.
    pub complete: bool,
    /// How much work it was.
    pub statistics: Statistics,
}

impl Automorphisms {
    /// The orbits of two or more vertices, each in increasing order, by their least vertices.
    pub fn nontrivial_orbits(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.orbits.len()];
        for (vertex, &least) in self.orbits.iter().enumerate() {
            members[least as usize].push(vertex as u32);
        }
        members.retain(|orbit| orbit.len() > 1);
        members
    }

    /// The group, with a stabiliser chain. For graphs of up to some thousand vertices: the tables are not sparse.
    pub fn group(&self) -> Result<Group, GroupError> {
        let degree = self.orbits.len();
        let tables = self.generators.iter().map(|generator| {
            let table = generator.to_permutation(degree);
            table.unwrap_or_else(|| Permutation::identity(degree))
        });
        Group::new(degree, tables.collect())
    }
}

/// How much work a search was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Refinements after splitting off a vertex.
    pub nodes: u64,
    /// Vertices split off on the first path.
    pub depth: u64,
    /// Cells used as splitters.
    pub splitters: u64,
    /// Arcs looked at in refinements.
    pub arcs: u64,
    /// Images given up because the refinements differ.
    pub mismatches: u64,
    /// Choices whose alternatives were skipped because a failure could not be due to them.
    pub jumps: u64,
}

impl Statistics {
    /// The work that [`Budget::arcs`] limits: the arcs that were looked at, and something for each splitter, which may have none.
    pub fn work(&self) -> u64 {
        self.arcs + self.splitters
    }
}
