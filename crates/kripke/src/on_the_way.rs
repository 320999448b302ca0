//! Whether some run is accepted, found out while the graph is written down.
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
//! Four bytes for each pair of a node and a state of the automaton, four more if its component is still open, and up to forty more on the path of the search.
//!
//! # Rejected
//!
//! - Strong fairness: it has to take nodes away and begin again, for which the whole graph has to be there.
//! - Graphs in which names change ([`crate::Label`]): whether an actor is served is known of a class of pairs only when the
//!   component is complete.

use crate::automaton::{Accepting, Automaton, Choice};
use crate::error::KripkeError;
use crate::growing::{EVERYBODY, Growing, MOST_ACTORS};

/// Somebody who knows what follows a node.
pub trait Unfold {
    /// Why it is not told.
    type Stop: From<KripkeError>;

    /// Writes down what holds in a node and what follows it ([`Growing::edge`], [`Growing::close`]).
    ///
    /// # Errors
    /// When the search is to end here.
    fn unfold(&mut self, node: u32, graph: &mut Growing, held: usize) -> Result<(), Self::Stop>;
}

/// Whether some run from a start is accepted, and weakly fair if the graph says who acts. Writes down as much of the graph as that takes.
///
/// # Errors
/// When whoever unfolds nodes says so, or there is too much to be numbered.
pub fn has_run<U: Unfold>(
    graph: &mut Growing,
    automaton: &Automaton,
    unfolder: &mut U,
) -> Result<bool, U::Stop> {
    let mut search = Search::new(automaton);
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
    /// The choice of the automaton and the edge, counted from the first of the node, that come next.
    choice: u32,
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

struct Search<'a> {
    automaton: &'a Automaton,
    /// By node and state.
    ranks: Vec<u32>,
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// All pairs whose component is open, in the order in which they were met, by their places among the ranks.
    open: Vec<u32>,
    next: u32,
}

impl<'a> Search<'a> {
    fn new(automaton: &'a Automaton) -> Self {
        Search {
            automaton,
            ranks: Vec::new(),
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
            state: self.automaton.initial(),
            mark: 0,
        };
        self.make_room(graph)?;
        if self.ranks[self.place(begin)] == NEW {
            self.enter(begin, graph, unfolder)?;
        }
        while let Some(frame) = self.frames.last_mut() {
            let Some(step) = next_step(self.automaton, graph, frame) else {
                self.leave();
                continue;
            };
            let rank = self.ranks[self.place(step)];
            match rank {
                NEW => self.enter(step, graph, unfolder)?,
                DONE => {}
                _ if self.join(rank, step.mark) => return Ok(true),
                _ => {}
            }
        }
        Ok(false)
    }

    fn place(&self, step: Step) -> usize {
        step.node as usize * self.automaton.states().len() + step.state as usize
    }

    /// Gives every node that is known by now its ranks.
    fn make_room(&mut self, graph: &Growing) -> Result<(), KripkeError> {
        let pairs = graph.nodes().checked_mul(self.automaton.states().len());
        let pairs = pairs.filter(|pairs| *pairs < DONE as usize);
        self.ranks.resize(pairs.ok_or(KripkeError::TooLarge)?, NEW);
        Ok(())
    }

    /// A step leads to a pair that has not been met.
    fn enter<U: Unfold>(
        &mut self,
        step: Step,
        graph: &mut Growing,
        unfolder: &mut U,
    ) -> Result<(), U::Stop> {
        if !graph.is_unfolded(step.node) {
            unfolder.unfold(step.node, graph, self.bytes())?;
            self.make_room(graph)?;
        }
        let place = self.place(step);
        self.ranks[place] = self.next;
        self.open.push(place as u32);
        self.roots.push(Root {
            rank: self.next,
            mark: 0,
            entry: step.mark,
        });
        self.next += 1;
        self.frames.push(Frame {
            node: step.node,
            state: step.state,
            choice: 0,
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
        let place = self.place(Step {
            node: frame.node,
            state: frame.state,
            mark: 0,
        });
        let rank = self.ranks[place];
        if self.roots.pop_if(|root| root.rank == rank).is_some() {
            while let Some(done) = self.open.pop() {
                self.ranks[done as usize] = DONE;
                if done as usize == place {
                    break;
                }
            }
            self.next = rank;
        }
    }

    fn bytes(&self) -> usize {
        (self.ranks.capacity() + self.open.capacity()) * size_of::<u32>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.roots.capacity() * size_of::<Root>()
    }
}

/// The next step of a pair.
fn next_step(automaton: &Automaton, graph: &Growing, frame: &mut Frame) -> Option<Step> {
    let state = &automaton.states()[frame.state as usize];
    let edges = graph.span(frame.node);
    loop {
        let choice = state.choices.get(frame.choice as usize)?;
        // Who has no edges repeats.
        let is_left = frame.edge < (edges.len() as u32).max(1);
        if is_left && (frame.edge > 0 || is_open(graph, choice, frame.node)) {
            let edge = Some(edges.start + frame.edge).filter(|_| !edges.is_empty());
            frame.edge += 1;
            return Some(Step {
                node: edge.map_or(frame.node, |edge| graph.target(edge)),
                state: choice.target,
                mark: accepting(graph, state.accepting, frame.node)
                    | graph.served(frame.node, edge),
            });
        }
        frame.choice += 1;
        frame.edge = 0;
    }
}

fn is_open(graph: &Growing, choice: &Choice, node: u32) -> bool {
    choice.guard.is_none_or(|guard| graph.holds(guard, node))
}

fn accepting(graph: &Growing, accepting: Accepting, node: u32) -> u64 {
    let is_accepting = match accepting {
        Accepting::Never => false,
        Accepting::Always => true,
        Accepting::Where(proposition) => graph.holds(proposition, node),
    };
    if is_accepting { ACCEPTING } else { 0 }
}
