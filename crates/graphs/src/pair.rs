//! Two partitions in step, and where they differ.
//!
//! The search for an automorphism refines two partitions, *left* and *right*, in the same way, so that
//! their cells have the same places and sizes; the automorphism is to take each left cell to the right
//! cell at the same place. A vertex *differs* if its left and its right cell have different places. A vertex that differs
//! is *unsettled* as long as its left cell has other vertices, because then it is open where it goes.
//!
//! Once nothing is unsettled, cells of several vertices have the same vertices left and right. Then the permutation is at
//! hand that takes single vertices to single vertices and leaves the rest alone: it moves exactly the vertices
//! that differ. Both partitions being equitable with equal traces, it is an automorphism, and usually a
//! sparse one. These sets are kept up to date at the cost of the cells that change.
//!
//! What to decide first: vertices in cells that came off others in the question at hand. The cells that they came off
//! often hold many parts of the graph that look alike; choosing among those before the part in hand is
//! settled would mean to try all ways of pairing them off only to find that the part in hand has no match.

use crate::graph::Graph;
use crate::partition::Partition;

/// How many vertices are looked at for a guess.
const GLANCE: usize = 32;

/// How many arcs of a common neighbour are looked at for a guess.
const LOOK: usize = 1024;

/// What to decide next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The cell in which something differs.
    pub(crate) cell: u32,
    /// A vertex of it on the left.
    pub(crate) vertex: u32,
    /// A vertex of it on the right where the other may well go.
    pub(crate) guess: u32,
}

/// Two partitions in step.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) left: Partition,
    pub(crate) right: Partition,
    differing: VertexSet,
    /// Unsettled vertices in cells that are newer than the question.
    near: VertexSet,
    /// The other unsettled vertices.
    far: VertexSet,
    /// The mark of the question.
    question: usize,
    changed: Vec<u32>,
}

impl Pair {
    /// Two copies.
    pub(crate) fn of(partition: Partition) -> Self {
        let size = partition.size();
        Pair {
            right: partition.clone(),
            left: partition,
            differing: VertexSet::new(size),
            near: VertexSet::new(size),
            far: VertexSet::new(size),
            question: 0,
            changed: Vec::new(),
        }
    }

    /// Takes note of all splits since these marks.
    pub(crate) fn compare_since(&mut self, left: usize, right: usize) {
        self.changed.clear();
        collect_changed(&self.left, left, &mut self.changed);
        collect_changed(&self.right, right, &mut self.changed);
        self.compare_changed();
    }

    /// Undoes splits on the left.
    pub(crate) fn undo_left(&mut self, mark: usize) {
        self.changed.clear();
        collect_changed(&self.left, mark, &mut self.changed);
        self.left.undo_to(mark);
        self.compare_changed();
    }

    /// Undoes splits on the right.
    pub(crate) fn undo_right(&mut self, mark: usize) {
        self.changed.clear();
        collect_changed(&self.right, mark, &mut self.changed);
        self.right.undo_to(mark);
        self.compare_changed();
    }

    /// Begins a question: splits on the left after this mark belong to it.
    pub(crate) fn begin_question(&mut self, mark: usize) {
        self.question = mark;
    }

    /// Undoes splits on both sides, to marks at which the partitions were the same.
    pub(crate) fn reunite(&mut self, left: usize, right: usize) {
        self.left.undo_to(left);
        self.right.undo_to(right);
        self.differing.clear();
        self.near.clear();
        self.far.clear();
    }

    fn compare_changed(&mut self) {
        for at in 0..self.changed.len() {
            let vertex = self.changed[at];
            let cell = self.left.cell_of(vertex);
            let differs = cell != self.right.cell_of(vertex);
            self.differing.set(vertex, differs);
            let open = differs && self.left.length(cell) > 1;
            let new = self.left.is_newer(cell, self.question);
            self.near.set(vertex, open && new);
            self.far.set(vertex, open && !new);
        }
    }

    /// Some vertices of which one should be decided next; none if nothing is unsettled.
    pub(crate) fn urgent(&self) -> &[u32] {
        let items = match self.near.items.is_empty() {
            false => &self.near.items,
            true => &self.far.items,
        };
        &items[items.len().saturating_sub(GLANCE)..]
    }

    /// The decision about an unsettled vertex.
    pub(crate) fn choice(&self, graph: &Graph, vertex: u32) -> Choice {
        let cell = self.left.cell_of(vertex);
        Choice {
            cell,
            vertex,
            guess: self.guess(graph, vertex, cell),
        }
    }

    /// The guess tries to keep the automorphism sparse: so that neighbours can stay where they are, or else as the
    /// exchange with what comes to `vertex`, or at least so that something that differs is settled.
    fn guess(&self, graph: &Graph, vertex: u32, cell: u32) -> u32 {
        let coming = self.left.cell(self.right.cell_of(vertex));
        let goes_here = |&&v: &&u32| self.right.cell_of(v) == cell;
        let exchange = || coming.iter().take(GLANCE).find(goes_here).copied();
        let going = self.right.cell(cell).iter().take(GLANCE);
        let differing = || going.copied().find(|&v| self.left.cell_of(v) != cell);
        let certain = if coming.len() == 1 { exchange() } else { None };
        certain
            .or_else(|| self.beside_neighbour(graph, vertex, cell))
            .or_else(exchange)
            .or_else(differing)
            .unwrap_or_else(|| self.right.first(cell))
    }

    /// A vertex of the right cell, not of the left one, that has a neighbour in common with `vertex` that need not move.
    fn beside_neighbour(&self, graph: &Graph, vertex: u32, cell: u32) -> Option<u32> {
        let stays = |v: u32| {
            let place = self.left.cell_of(v);
            place == self.right.cell_of(v) && self.left.length(place) > 1
        };
        let arcs = graph.arcs_of(vertex).iter().take(GLANCE);
        let neighbour = arcs.map(|arc| arc.target).find(|&v| stays(v))?;
        let arcs = graph.arcs_of(neighbour).iter().take(LOOK);
        arcs.map(|arc| arc.target)
            .find(|&v| self.right.cell_of(v) == cell && self.left.cell_of(v) != cell)
    }

    /// What moves if all guesses are right at once. They often are where each vertex that moves is bound to some that
    /// stay, as the pairs of things are to the things. It need not be a permutation.
    pub(crate) fn guessed_mapping(&self, graph: &Graph) -> Vec<(u32, u32)> {
        let image = |&vertex: &u32| {
            let cell = self.left.cell_of(vertex);
            let image = match self.left.length(cell) {
                1 => self.right.first(cell),
                _ => self.guess(graph, vertex, cell),
            };
            (vertex, image)
        };
        self.differing.items.iter().map(image).collect()
    }

    /// What the permutation at hand moves. Only when nothing is unsettled.
    pub(crate) fn mapping(&self) -> Vec<(u32, u32)> {
        let image = |&vertex: &u32| (vertex, self.right.first(self.left.cell_of(vertex)));
        self.differing.items.iter().map(image).collect()
    }
}

/// The vertices whose cells are other ones, or have become single, since the mark.
fn collect_changed(partition: &Partition, mark: usize, changed: &mut Vec<u32>) {
    for split in &partition.trail()[mark..] {
        changed.extend_from_slice(partition.cell(split.off));
        if partition.length(split.from) == 1 {
            changed.push(partition.first(split.from));
        }
    }
}

/// A set of vertices that is cheap to change and to empty.
#[derive(Clone, Debug)]
struct VertexSet {
    items: Vec<u32>,
    /// By vertex: its place among the items, or past all places.
    place: Vec<u32>,
}

impl VertexSet {
    fn new(size: usize) -> Self {
        VertexSet {
            items: Vec::new(),
            place: vec![u32::MAX; size],
        }
    }

    fn set(&mut self, vertex: u32, present: bool) {
        let place = self.place[vertex as usize];
        if present && place == u32::MAX {
            self.place[vertex as usize] = self.items.len() as u32;
            self.items.push(vertex);
        } else if !present && place != u32::MAX {
            self.place[vertex as usize] = u32::MAX;
            self.items.swap_remove(place as usize);
            if let Some(&moved) = self.items.get(place as usize) {
                self.place[moved as usize] = place;
            }
        }
    }

    fn clear(&mut self) {
        for vertex in self.items.drain(..) {
            self.place[vertex as usize] = u32::MAX;
        }
    }
}
