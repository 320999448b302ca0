//! A search for accepting components while the graph is built.
//!
//! # The algorithm
//!
//! That of Couvreur (*On-the-fly verification of linear temporal logic*, 1999): one depth-first search finds strongly connected components and
//! remembers of each what has been seen in it. A weakly fair run is one on which for each actor a step comes up again and again that *serves* it:
//! the actor is not enabled before it, or takes part in it. So there are as many things to be seen as there are actors, and one more,
//! an accepting node; each is a bit of a *mark*. A component in which all bits have been seen has a run that sees all of them for
//! ever: round through the steps in question. And a run that is accepted and fair stays in one component in the end, whose mark has all bits.
//!
//! The search knows parts of components before it knows them whole. Parts that turn out to belong together are joined, marks and all, when a
//! step leads back. So a run is found when the last step is met that it takes, and what need not be looked at for that is never
//! written down.
//!
//! Where no actor matters there is one bit, and this takes the place of a nested search: no node is expanded twice, and a
//! cycle is found no later.
//!
//! # Memory
//!
//! Four bytes for each pair of a node and a state of the automaton (of an automaton with many states some twenty for each pair that is met), eight more
//! if its component is still open, and up to forty more on the path of the search.
//!
//! # Rejected
//!
//! - Strong fairness: it has to take nodes away and begin again, for which the whole graph has to be there.
//! - Graphs in which names change ([`crate::Label`]): whether an actor is served is known of a class of pairs only when the
//!   component is complete.

use crate::acceptor::{Acceptor, target};
use crate::error::KripkeError;
use crate::growing::{EVERYBODY, Growing, MOST_ACTORS};
use crate::pairs::{FEW_STATES, Pair};
use mandala_temporal::Proposition;
use std::collections::HashMap;

/// Somebody who knows what follows a node.
pub trait Unfold {
    /// Why it is not told.
    type Stop: From<KripkeError>;

    /// Writes down what holds in a node and what follows it ([`Growing::edge`], [`Growing::close`]). The search comes to the node by `depth` steps,
    /// and holds so many bytes.
    ///
    /// # Errors
    /// When the search is to end here.
    fn unfold(
        &mut self,
        node: u32,
        depth: u32,
        graph: &mut Growing,
        held: usize,
    ) -> Result<(), Self::Stop>;
}

/// Whether some run from a start is accepted, and weakly fair if the graph says who acts. Writes down as much of the graph as that takes.
///
/// # Errors
/// When whoever unfolds nodes says so, or there is too much to be numbered.
pub fn has_run<U: Unfold>(
    graph: &mut Growing,
    acceptor: &Acceptor,
    unfolder: &mut U,
) -> Result<bool, U::Stop> {
    acceptor.require(graph.propositions())?;
    let mut search = Search::new(acceptor);
    for start in graph.starts().to_vec() {
        if search.from(start, graph, unfolder)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The bit of a mark that says that a node is accepting.
const ACCEPTING: u64 = 1 << MOST_ACTORS;

/// A mark on which nothing is missing.
const FULL: u64 = ACCEPTING | EVERYBODY;

/// The rank of a pair that has not been met.
const NEW: u32 = 0;

/// The rank of a pair in a component that is complete.
const DONE: u32 = u32::MAX;

/// A pair of a node and a state of the automaton whose steps are being followed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: u32,
    state: u32,
    /// The transition of the automaton and the edge, counted from the first of the node, that come next.
    transition: u32,
    edge: u32,
}

/// A part of a component.
#[derive(Clone, Copy, Debug)]
struct Root {
    /// The rank of the pair that was met first.
    rank: u32,
    /// What has been seen inside.
    mark: u64,
    /// What was seen on the step that led here.
    entry: u64,
}

/// A step of the product.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: u32,
    state: u32,
    mark: u64,
}

impl Step {
    fn pair(&self) -> Pair {
        (self.node, self.state)
    }
}

/// The ranks of pairs.
enum Ranks {
    /// Of all pairs of known nodes, by node and state.
    All { states: usize, ranks: Vec<u32> },
    /// Of those that have been met, where there are too many states for all.
    Met(HashMap<Pair, u32>),
}

impl Ranks {
    fn new(states: usize) -> Self {
        match states <= FEW_STATES {
            true => Ranks::All {
                states,
                ranks: Vec::new(),
            },
            false => Ranks::Met(HashMap::new()),
        }
    }

    /// Gives every node that is known by now its ranks.
    fn make_room(&mut self, graph: &Growing) -> Result<(), KripkeError> {
        match self {
            Ranks::All { states, ranks } => {
                let pairs = graph.nodes().checked_mul(*states);
                let pairs = pairs.filter(|pairs| *pairs < DONE as usize);
                ranks.resize(pairs.ok_or(KripkeError::TooLarge)?, NEW);
                Ok(())
            }
            Ranks::Met(met) if met.len() < DONE as usize - 1 => Ok(()),
            Ranks::Met(_) => Err(KripkeError::TooLarge),
        }
    }

    fn get(&self, (node, state): Pair) -> u32 {
        match self {
            Ranks::All { states, ranks } => ranks[node as usize * states + state as usize],
            Ranks::Met(met) => met.get(&(node, state)).copied().unwrap_or(NEW),
        }
    }

    fn set(&mut self, (node, state): Pair, rank: u32) {
        match self {
            Ranks::All { states, ranks } => ranks[node as usize * *states + state as usize] = rank,
            Ranks::Met(met) => {
                met.insert((node, state), rank);
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Ranks::All { ranks, .. } => ranks.capacity() * size_of::<u32>(),
            // With the room that tables leave empty.
            Ranks::Met(met) => met.capacity() * (size_of::<(Pair, u32)>() + 1),
        }
    }
}

struct Search<'a> {
    acceptor: &'a Acceptor,
    ranks: Ranks,
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// All pairs whose component is open, in the order in which they were met.
    open: Vec<Pair>,
    next: u32,
}

impl<'a> Search<'a> {
    fn new(acceptor: &'a Acceptor) -> Self {
        Search {
            acceptor,
            ranks: Ranks::new(acceptor.width()),
            frames: Vec::new(),
            roots: Vec::new(),
            open: Vec::new(),
            next: NEW + 1,
        }
    }

    /// Whether some run from a node is accepted.
    fn from<U: Unfold>(
        &mut self,
        start: u32,
        graph: &mut Growing,
        unfolder: &mut U,
    ) -> Result<bool, U::Stop> {
        let begin = Step {
            node: start,
            state: self.acceptor.initial(),
            mark: 0,
        };
        self.ranks.make_room(graph)?;
        if self.ranks.get(begin.pair()) == NEW {
            self.enter(begin, graph, unfolder)?;
        }
        while let Some(frame) = self.frames.last_mut() {
            let Some(step) = next_step(self.acceptor, graph, frame) else {
                self.leave();
                continue;
            };
            let rank = self.ranks.get(step.pair());
            match rank {
                NEW => self.enter(step, graph, unfolder)?,
                DONE => {}
                _ if self.join(rank, step.mark) => return Ok(true),
                _ => {}
            }
        }
        Ok(false)
    }

    /// A step leads to a pair that has not been met.
    fn enter<U: Unfold>(
        &mut self,
        step: Step,
        graph: &mut Growing,
        unfolder: &mut U,
    ) -> Result<(), U::Stop> {
        if !graph.is_unfolded(step.node) {
            let depth = self.frames.len() as u32;
            unfolder.unfold(step.node, depth, graph, self.bytes())?;
            self.ranks.make_room(graph)?;
        }
        self.ranks.set(step.pair(), self.next);
        self.open.push(step.pair());
        self.roots.push(Root {
            rank: self.next,
            mark: 0,
            entry: step.mark,
        });
        self.next += 1;
        self.frames.push(Frame {
            node: step.node,
            state: step.state,
            transition: 0,
            edge: 0,
        });
        Ok(())
    }

    /// A step leads back to a pair of an open component: all parts from there on are one. Says whether nothing is missing on its mark.
    fn join(&mut self, rank: u32, mark: u64) -> bool {
        let mut mark = mark;
        while let Some(part) = self.roots.pop_if(|part| part.rank > rank) {
            mark |= part.mark | part.entry;
        }
        let Some(whole) = self.roots.last_mut() else {
            return false;
        };
        whole.mark |= mark;
        whole.mark == FULL
    }

    /// All steps of the last pair have been followed. If its component begins with it, that is complete.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let pair = (frame.node, frame.state);
        let rank = self.ranks.get(pair);
        if self.roots.pop_if(|root| root.rank == rank).is_some() {
            while let Some(done) = self.open.pop() {
                self.ranks.set(done, DONE);
                if done == pair {
                    break;
                }
            }
            self.next = rank;
        }
    }

    fn bytes(&self) -> usize {
        self.ranks.bytes()
            + self.open.capacity() * size_of::<Pair>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.roots.capacity() * size_of::<Root>()
    }
}

/// The next step of a pair.
fn next_step(acceptor: &Acceptor, graph: &Growing, frame: &mut Frame) -> Option<Step> {
    let state = acceptor.state(frame.state);
    let edges = graph.span(frame.node);
    let holds = |proposition: Proposition| graph.holds(proposition.0 as u32, frame.node);
    loop {
        let transition = state.transitions.get(frame.transition as usize)?;
        // A node without edges repeats.
        let is_left = frame.edge < (edges.len() as u32).max(1);
        if is_left && (frame.edge > 0 || transition.guard.holds(&holds)) {
            let edge = Some(edges.start + frame.edge).filter(|_| !edges.is_empty());
            frame.edge += 1;
            let accepting = match acceptor.is_accepting(frame.state, holds) {
                true => ACCEPTING,
                false => 0,
            };
            return Some(Step {
                node: edge.map_or(frame.node, |edge| graph.target(edge)),
                state: target(transition),
                mark: accepting | graph.served(frame.node, edge),
            });
        }
        frame.transition += 1;
        frame.edge = 0;
    }
}
