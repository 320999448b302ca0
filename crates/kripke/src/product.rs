//! A structure and an automaton that reads it, step by step.

use crate::automaton::{Accepting, Automaton, Choice};
use crate::error::KripkeError;
use crate::label::Label;
use crate::structure::Structure;
use std::sync::LazyLock;

/// Product nodes have numbers below this, so that a bit is left to mark them.
const MOST_NODES: usize = 1 << 31;

/// What a node without edges does for ever.
static STUTTER: LazyLock<Label> = LazyLock::new(Label::default);

/// The graph of pairs of a node and the state in which the automaton reads it. It is never written down.
///
/// From (*s*, *q*) a step leads to (*t*, *q'*) if the automaton, reading *s*, can go from *q* to *q'* and an edge
/// leads from *s* to *t*; where *s* has no edges, *t* is *s*.
#[derive(Clone, Copy)]
pub(crate) struct Product<'a> {
    pub structure: &'a Structure,
    pub automaton: &'a Automaton,
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
    pub fn new(
        structure: &'a Structure,
        automaton: &'a Automaton,
    ) -> Result<Product<'a>, KripkeError> {
        automaton.verify(structure)?;
        let product = Product {
            structure,
            automaton,
        };
        let nodes = structure.nodes().checked_mul(automaton.states().len());
        let choices = automaton.states().iter().map(|state| state.choices.len());
        let steps = structure.degree().checked_mul(choices.max().unwrap_or(0));
        let fits = nodes.is_some_and(|nodes| nodes < MOST_NODES)
            && steps.is_some_and(|steps| u32::try_from(steps).is_ok());
        fits.then_some(product).ok_or(KripkeError::TooLarge)
    }

    pub fn nodes(&self) -> usize {
        self.structure.nodes() * self.automaton.states().len()
    }

    /// Where runs begin.
    pub fn starts(&self) -> Vec<u32> {
        let starts = self.structure.starts().iter();
        starts.map(|&start| self.begin(start)).collect()
    }

    /// The automaton starts to read at a node.
    pub fn begin(&self, node: u32) -> u32 {
        node * self.width() + self.automaton.initial()
    }

    pub fn node(&self, place: u32) -> u32 {
        place / self.width()
    }

    pub fn state(&self, place: u32) -> u32 {
        place % self.width()
    }

    pub fn is_accepting(&self, place: u32) -> bool {
        match self.automaton.states()[self.state(place) as usize].accepting {
            Accepting::Never => false,
            Accepting::Always => true,
            Accepting::Where(proposition) => self.structure.holds(proposition, self.node(place)),
        }
    }

    pub fn label(&self, step: &Step) -> &'a Label {
        match step.edge {
            Some(edge) => self.structure.label(edge),
            None => &STUTTER,
        }
    }

    /// The steps from a product node.
    pub fn steps(self, source: u32) -> impl Iterator<Item = Step> {
        let mut position = 0;
        std::iter::from_fn(move || self.next_step(source, &mut position))
    }

    /// The next step from a product node at or after a position, which moves behind it. A position is a number, so that a stack
    /// of unfinished nodes takes little: the place of the choice of the automaton times the number of edges, plus the place of the edge.
    pub fn next_step(&self, source: u32, position: &mut u32) -> Option<Step> {
        let node = self.node(source);
        let edges = self.structure.edges(node);
        let degree = edges.len().max(1) as u32;
        loop {
            let choice = self.choice(source, *position / degree)?;
            if self.is_open(choice, node) {
                let edge = Some(edges.start + *position % degree).filter(|_| !edges.is_empty());
                *position += 1;
                let target = edge.map_or(node, |edge| self.structure.target(edge));
                let target = target * self.width() + choice.target;
                return Some(Step {
                    source,
                    target,
                    edge,
                });
            }
            *position = (*position / degree + 1) * degree;
        }
    }

    fn choice(&self, source: u32, number: u32) -> Option<&Choice> {
        let state = &self.automaton.states()[self.state(source) as usize];
        state.choices.get(number as usize)
    }

    fn is_open(&self, choice: &Choice, node: u32) -> bool {
        let holds = |guard| self.structure.holds(guard, node);
        choice.guard.is_none_or(holds)
    }

    fn width(&self) -> u32 {
        self.automaton.states().len() as u32
    }
}
