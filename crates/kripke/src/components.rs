//! Strongly connected components, one after the other.
//!
//! Tarjan's algorithm in the form of Pearce (*A space-efficient algorithm for finding strongly connected components*,
//! 2016), which needs one number for each node: the *rank*. Here it also says what belongs to the graph at all, so that
//! sub-graphs cost nothing:
//!
//! - 0: not seen yet;
//! - less than [`MARK`]: open, and the least such number that is known to be reached from the node;
//! - [`MARK`] + *i*: member *i* of the component that was found last;
//! - [`DONE`]: in an earlier component, or not in the sub-graph. The algorithm never looks behind such a node, and need not: nothing
//!   that is still open can be reached from an earlier component.
//!
//! So a search in a part of a graph that was searched before sets the ranks of that part to 0 and begins again.

use crate::bits::Bits;
use crate::product::{Product, Step};

/// Ranks from here on belong to nodes that are no longer open.
const MARK: u32 = 1 << 31;

/// The rank of a node that is of no interest any more.
const DONE: u32 = u32::MAX;

/// A directed graph whose nodes are the numbers below a bound, below 2^31.
pub trait Successors {
    /// The bound.
    fn nodes(&self) -> usize;

    /// The next node that an edge leads to from this one, at or after a position, which moves behind it. The first position is 0.
    fn next_successor(&self, node: u32, position: &mut u32) -> Option<u32>;
}

impl Successors for Product<'_> {
    fn nodes(&self) -> usize {
        Product::nodes(self)
    }

    fn next_successor(&self, node: u32, position: &mut u32) -> Option<u32> {
        self.next_step(node, position).map(|step| step.target)
    }
}

/// A search for strongly connected components in a part of a graph. A component is found after all those that can be reached from it.
pub struct Components<G> {
    graph: G,
    ranks: Vec<u32>,
    /// Where the search still has to begin.
    roots: Vec<u32>,
    /// Nodes whose steps are being followed.
    frames: Vec<Frame>,
    /// Nodes whose steps have been followed and whose component is still open.
    open: Vec<u32>,
    /// The rank of the next node.
    next: u32,
    members: Vec<u32>,
}

struct Frame {
    node: u32,
    position: u32,
    /// Whether no step leads before this node as far as is known.
    is_root: bool,
}

impl<'a> Components<Product<'a>> {
    /// A search from some product nodes, in those that stand for allowed nodes if a set is given.
    pub(crate) fn of_product(
        product: Product<'a>,
        roots: Vec<u32>,
        allowed: Option<&Bits>,
    ) -> Self {
        Components::within(product, roots, |place| {
            allowed.is_none_or(|allowed| allowed.has(product.node(place) as usize))
        })
    }

    /// The product whose components these are.
    pub(crate) fn product(&self) -> Product<'a> {
        self.graph
    }

    /// The steps from a member that stay in its component, with the member that they lead to.
    pub(crate) fn steps_inside(&self, node: u32) -> impl Iterator<Item = (Step, usize)> {
        let staying = |step: Step| self.place(step.target).map(|target| (step, target));
        self.graph.steps(node).filter_map(staying)
    }

    /// Whether there is a step inside the component.
    pub(crate) fn has_cycle(&self) -> bool {
        let back = |&node: &u32| self.graph.steps(node).any(|step| step.target == node);
        self.members.len() > 1 || self.members.iter().any(back)
    }
}

impl<G: Successors> Components<G> {
    /// A search from some nodes that are allowed, in the part of the graph whose nodes are.
    pub fn within(graph: G, roots: Vec<u32>, allowed: impl Fn(u32) -> bool) -> Self {
        let ranks = (0..graph.nodes() as u32).map(|node| if allowed(node) { 0 } else { DONE });
        Components {
            ranks: ranks.collect(),
            graph,
            roots,
            frames: Vec::new(),
            open: Vec::new(),
            next: 1,
            members: Vec::new(),
        }
    }

    /// Searches in some members of former components alone.
    pub(crate) fn restart(&mut self, part: Vec<u32>) {
        self.forget();
        part.iter().for_each(|&node| self.ranks[node as usize] = 0);
        self.roots = part;
    }

    /// Finds the next component.
    pub fn advance(&mut self) -> bool {
        self.forget();
        loop {
            let Some(frame) = self.frames.last_mut() else {
                match self.roots.pop() {
                    Some(root) if self.ranks[root as usize] == 0 => self.enter(root),
                    Some(_) => {}
                    None => return false,
                }
                continue;
            };
            let next = self.graph.next_successor(frame.node, &mut frame.position);
            match next {
                Some(target) if self.ranks[target as usize] == 0 => self.enter(target),
                Some(target) => self.note(target),
                None if self.leave() => return true,
                None => {}
            }
        }
    }

    /// The component that was found last.
    pub fn members(&self) -> &[u32] {
        &self.members
    }

    /// Which member of the component that was found last a node is.
    pub fn place(&self, node: u32) -> Option<usize> {
        let rank = self.ranks[node as usize];
        (rank >= MARK && rank != DONE).then(|| (rank - MARK) as usize)
    }

    fn forget(&mut self) {
        for node in self.members.drain(..) {
            self.ranks[node as usize] = DONE;
        }
    }

    fn enter(&mut self, node: u32) {
        self.ranks[node as usize] = self.next;
        self.next += 1;
        self.frames.push(Frame {
            node,
            position: 0,
            is_root: true,
        });
    }

    /// A step leads from the last node of the stack to a node with a rank.
    fn note(&mut self, target: u32) {
        let rank = self.ranks[target as usize];
        if let Some(frame) = self.frames.last_mut()
            && rank < self.ranks[frame.node as usize]
        {
            self.ranks[frame.node as usize] = rank;
            frame.is_root = false;
        }
    }

    /// All steps of the last node of the stack have been followed: says whether a component is complete.
    fn leave(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else {
            return false;
        };
        if frame.is_root {
            self.collect(frame.node);
        } else {
            self.open.push(frame.node);
        }
        self.note(frame.node);
        frame.is_root
    }

    /// Takes the component of its first node off the stack of open nodes.
    fn collect(&mut self, root: u32) {
        let rank = self.ranks[root as usize];
        self.members.push(root);
        while let Some(node) = self.open.pop_if(|node| rank <= self.ranks[*node as usize]) {
            self.members.push(node);
        }
        self.next -= self.members.len() as u32;
        for (place, node) in self.members.iter().enumerate() {
            self.ranks[*node as usize] = MARK + place as u32;
        }
    }
}
