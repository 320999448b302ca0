//! Colour refinement: splitting cells until all vertices of a cell see every cell alike.
//!
//! A queue holds the cells that still have to be used as *splitters*. For a splitter, each vertex with
//! arcs into it gets the sum of their weights (exactly, see [`crate::graph`]), and cells fall apart by these sums. When a
//! cell falls apart that does not wait in the queue, all its parts but a largest are queued: what
//! vertices see of the last part follows from the rest (Hopcroft). Cells that no arc reaches are never
//! looked at, so the work is that of the arcs at the splitters.
//!
//! What happens is a sequence of numbers that does not depend on how vertices are numbered, the *trace*. Two
//! refinements that an automorphism could carry into each other have the same trace; comparing while the second one
//! runs lets it stop at the first difference.

use crate::graph::Graph;
use crate::partition::Partition;
use std::collections::VecDeque;

/// What to do with the trace of a refinement.
pub(crate) enum Trace<'t> {
    /// Nothing.
    Ignored,
    /// Keep it.
    Recorded(&'t mut Vec<u64>),
    /// Compare it with one that was kept.
    Followed { events: &'t [u64], next: usize },
}

impl Trace<'_> {
    /// Takes the next number. Answers whether all is as expected so far.
    fn note(&mut self, event: u64) -> bool {
        match self {
            Trace::Ignored => true,
            Trace::Recorded(events) => {
                events.push(event);
                true
            }
            Trace::Followed { events, next } => {
                let expected = events.get(*next) == Some(&event);
                *next += 1;
                expected
            }
        }
    }

    fn note_pair(&mut self, a: u32, b: u32) -> bool {
        self.note(u64::from(a) << 32 | u64::from(b))
    }

    /// Whether nothing more is expected.
    fn is_over(&self) -> bool {
        match self {
            Trace::Ignored | Trace::Recorded(_) => true,
            Trace::Followed { events, next } => *next == events.len(),
        }
    }
}

/// The queue, and the tables that every refinement needs and leaves empty.
#[derive(Clone, Debug)]
pub(crate) struct Refiner {
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    /// By vertex: the weights of its arcs into the splitter.
    sums: Vec<u64>,
    /// By cell: how many of its vertices have such arcs. These stand at its end.
    reached: Vec<u32>,
    reached_cells: Vec<u32>,
    splitter: Vec<u32>,
    keyed: Vec<(u64, u32)>,
    parts: Vec<u32>,
    arcs_seen: u64,
    splitters: u64,
}

impl Refiner {
    pub(crate) fn new(size: usize) -> Self {
        Refiner {
            queue: VecDeque::new(),
            queued: vec![false; size],
            sums: vec![0; size],
            reached: vec![0; size],
            reached_cells: Vec::new(),
            splitter: Vec::new(),
            keyed: Vec::new(),
            parts: Vec::new(),
            arcs_seen: 0,
            splitters: 0,
        }
    }

    /// How many arcs were looked at so far: the measure of work.
    pub(crate) fn arcs_seen(&self) -> u64 {
        self.arcs_seen
    }

    /// How many cells were used as splitters so far.
    pub(crate) fn splitters(&self) -> u64 {
        self.splitters
    }

    /// Refines a partition of which nothing is known.
    pub(crate) fn refine_all(&mut self, graph: &Graph, partition: &mut Partition) {
        for cell in partition.fronts() {
            self.enqueue(partition, cell);
        }
        self.run(graph, partition, &mut Trace::Ignored);
    }

    /// Splits a vertex off its cell of an equitable partition and refines. Answers whether the trace is as expected;
    /// if not, the partition is left anywhere on the way.
    pub(crate) fn individualise(
        &mut self,
        graph: &Graph,
        partition: &mut Partition,
        vertex: u32,
        mut trace: Trace<'_>,
    ) -> bool {
        let cell = partition.individualise(vertex);
        self.enqueue(partition, cell);
        self.run(graph, partition, &mut trace)
    }

    fn run(&mut self, graph: &Graph, partition: &mut Partition, trace: &mut Trace<'_>) -> bool {
        while let Some(cell) = self.queue.pop_front() {
            self.queued[cell as usize] = false;
            if !self.split_by(graph, partition, cell, trace) {
                self.drop_queue();
                return false;
            }
        }
        trace.is_over()
    }

    /// Single vertices are cheap and tell most: they go first.
    fn enqueue(&mut self, partition: &Partition, cell: u32) {
        self.queued[cell as usize] = true;
        if partition.length(cell) == 1 {
            self.queue.push_front(cell);
        } else {
            self.queue.push_back(cell);
        }
    }

    fn drop_queue(&mut self) {
        for cell in self.queue.drain(..) {
            self.queued[cell as usize] = false;
        }
    }

    /// Splits all cells by what they see of one. It may fall apart itself, hence the copy.
    fn split_by(
        &mut self,
        graph: &Graph,
        partition: &mut Partition,
        cell: u32,
        trace: &mut Trace<'_>,
    ) -> bool {
        self.splitters += 1;
        self.splitter.clear();
        self.splitter.extend_from_slice(partition.cell(cell));
        let mut expected = trace.note_pair(cell, partition.length(cell));
        for batch in 0..graph.batches() {
            let singles = self.sum_up(graph, partition, batch);
            expected = expected && trace.note(singles);
            self.reached_cells.sort_unstable();
            for at in 0..self.reached_cells.len() {
                let reached = self.reached_cells[at];
                let end = reached + partition.length(reached);
                let start = end - std::mem::take(&mut self.reached[reached as usize]);
                expected = expected && self.fall_apart(partition, reached, start, trace);
                for &vertex in partition.stretch(start, end) {
                    self.sums[vertex as usize] = 0;
                }
            }
            self.reached_cells.clear();
        }
        expected
    }

    /// Sums up weights for one batch, and gathers the vertices reached at the ends of their cells. Vertices that
    /// are alone in their cells cannot be split, only compared: for them, a number that depends on all their arcs
    /// will do. (If two such numbers are equal by accident, the final check of the permutation finds out.)
    fn sum_up(&mut self, graph: &Graph, partition: &mut Partition, batch: usize) -> u64 {
        let mut singles: u64 = 0;
        for &vertex in &self.splitter {
            let row = graph.row(vertex, batch);
            self.arcs_seen += row.len() as u64;
            for arc in row {
                let cell = partition.cell_of(arc.target);
                let length = partition.length(cell);
                if length == 1 {
                    singles = singles.wrapping_add(scatter(cell, arc.class));
                    continue;
                }
                let sum = &mut self.sums[arc.target as usize];
                if *sum == 0 {
                    let reached = &mut self.reached[cell as usize];
                    if *reached == 0 {
                        self.reached_cells.push(cell);
                    }
                    *reached += 1;
                    partition.bring(arc.target, cell + length - *reached);
                }
                *sum += graph.weight(arc.class);
            }
        }
        singles
    }

    /// Splits a cell by the sums of its vertices: those not reached first, the others by increasing sums.
    fn fall_apart(
        &mut self,
        partition: &mut Partition,
        cell: u32,
        start: u32,
        trace: &mut Trace<'_>,
    ) -> bool {
        let end = cell + partition.length(cell);
        self.sort_by_sums(partition, start, end);
        self.parts.clear();
        if start > cell {
            self.parts.push(cell);
        }
        let mut expected = true;
        let mut before = 0;
        for (place, &vertex) in (start..).zip(partition.stretch(start, end)) {
            let sum = self.sums[vertex as usize];
            if sum != before {
                expected = expected && trace.note_pair(cell, place) && trace.note(sum);
                self.parts.push(place);
                before = sum;
            }
        }
        if expected && self.parts.len() > 1 {
            self.separate(partition, cell);
        }
        expected
    }

    fn sort_by_sums(&mut self, partition: &mut Partition, start: u32, end: u32) {
        let reached = partition.stretch(start, end);
        self.keyed.clear();
        self.keyed
            .extend(reached.iter().map(|&v| (self.sums[v as usize], v)));
        if self.keyed.windows(2).all(|two| two[0].0 <= two[1].0) {
            return;
        }
        self.keyed.sort_unstable();
        for (place, &(_, vertex)) in (start..).zip(&self.keyed) {
            partition.put(vertex, place);
        }
    }

    /// Splits a cell at the parts found, from the end, and queues what must be.
    fn separate(&mut self, partition: &mut Partition, cell: u32) {
        for at in (1..self.parts.len()).rev() {
            partition.split(cell, self.parts[at]);
        }
        let spared = if self.queued[cell as usize] {
            cell
        } else {
            self.largest_part(partition)
        };
        for at in 0..self.parts.len() {
            let part = self.parts[at];
            if part != spared {
                self.enqueue(partition, part);
            }
        }
    }

    /// The first of the largest parts.
    fn largest_part(&self, partition: &Partition) -> u32 {
        let mut largest = self.parts[0];
        for &part in &self.parts[1..] {
            if partition.length(part) > partition.length(largest) {
                largest = part;
            }
        }
        largest
    }
}

/// A number that has nothing to do with the numbers for other arguments.
fn scatter(a: u32, b: u32) -> u64 {
    let mut x = (u64::from(a) << 32 | u64::from(b)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
