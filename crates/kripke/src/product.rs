//! A structure and an automaton that reads it, step by step.

use crate::acceptor::{Acceptor, target};
use crate::error::KripkeError;
use crate::label::Label;
use crate::pairs::Pairs;
use crate::structure::Structure;
use mandala_temporal::{Proposition, Transition};
use std::sync::LazyLock;

/// What a node without edges does for ever.
static STUTTER: LazyLock<Label> = LazyLock::new(Label::default);

/// The graph of pairs of a node and the state in which the automaton reads it. It is never written down.
///
/// From (*s*, *q*) a step leads to (*t*, *q'*) if the automaton, reading *s*, can go from *q* to *q'* and an edge
/// leads from *s* to *t*; where *s* has no edges, *t* is *s*.
#[derive(Clone, Copy)]
pub(crate) struct Product<'a> {
    pub structure: &'a Structure,
    pub acceptor: &'a Acceptor,
    pairs: &'a Pairs,
    nodes: usize,
}

/// A step of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub source: u32,
    pub target: u32,
    /// The edge of the structure; none where it repeats for ever.
    pub edge: Option<u32>,
}

impl<'a> Product<'a> {
    pub(crate) fn new(
        structure: &'a Structure,
        acceptor: &'a Acceptor,
        pairs: &'a Pairs,
    ) -> Result<Product<'a>, KripkeError> {
        acceptor.require(structure.propositions())?;
        let product = Product {
            structure,
            acceptor,
            pairs,
            nodes: pairs.count(structure).ok_or(KripkeError::TooLarge)?,
        };
        let steps = structure.degree().checked_mul(acceptor.degree());
        let fits = steps.is_some_and(|steps| u32::try_from(steps).is_ok());
        fits.then_some(product).ok_or(KripkeError::TooLarge)
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }

    /// Where runs begin.
    pub(crate) fn starts(&self) -> Vec<u32> {
        let starts = self.structure.starts().iter();
        starts
            .map(|&start| self.pairs.number((start, self.acceptor.initial())))
            .collect()
    }

    pub(crate) fn node(&self, place: u32) -> u32 {
        self.pairs.pair(place).0
    }

    pub(crate) fn state(&self, place: u32) -> u32 {
        self.pairs.pair(place).1
    }

    pub(crate) fn is_accepting(&self, place: u32) -> bool {
        let node = self.node(place);
        self.acceptor
            .is_accepting(self.state(place), |it| self.holds(it, node))
    }

    pub(crate) fn label(&self, step: &Step) -> &'a Label {
        match step.edge {
            Some(edge) => self.structure.label(edge),
            None => &STUTTER,
        }
    }

    /// The steps from a product node.
    pub(crate) fn steps(self, source: u32) -> impl Iterator<Item = Step> {
        let mut position = 0;
        std::iter::from_fn(move || self.next_step(source, &mut position))
    }

    /// The next step from a product node at or after a position, which moves behind it. A position is a number, so that a stack
    /// of unfinished nodes takes little: the place of the transition of the automaton times the number of edges, plus the place of the edge.
    pub(crate) fn next_step(&self, source: u32, position: &mut u32) -> Option<Step> {
        let node = self.node(source);
        let edges = self.structure.edges(node);
        let degree = edges.len().max(1) as u32;
        loop {
            let transition = self.transition(source, *position / degree)?;
            if transition.guard.holds(&|it| self.holds(it, node)) {
                let edge = Some(edges.start + *position % degree).filter(|_| !edges.is_empty());
                *position += 1;
                let next = edge.map_or(node, |edge| self.structure.target(edge));
                return Some(Step {
                    source,
                    target: self.pairs.number((next, target(transition))),
                    edge,
                });
            }
            *position = (*position / degree + 1) * degree;
        }
    }

    fn transition(&self, source: u32, number: u32) -> Option<&Transition> {
        let state = self.acceptor.state(self.state(source));
        state.transitions.get(number as usize)
    }

    fn holds(&self, proposition: Proposition, node: u32) -> bool {
        self.structure.holds(proposition.0 as u32, node)
    }
}
