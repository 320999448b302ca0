//! Lassos: accepting runs as a prefix and a cycle.

use crate::acceptor::Acceptor;
use crate::bits::Bits;
use crate::error::KripkeError;
use crate::fairness::Fairness;
use crate::hunt::Hunt;
use crate::pairs::Pairs;
use crate::product::{Product, Step};
use crate::round::round;
use crate::shortest::shortest;
use crate::shortest_paths::way;
use crate::structure::Structure;

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The node from which it leads.
    pub node: u32,
    /// The state in which the automaton reads that node.
    pub state: u32,
    /// The edge; none at a node without edges, which repeats.
    pub edge: Option<u32>,
}

/// A run that repeats itself: the moves of the prefix, then those of the cycle again and again.
///
/// The cycle leads back to the node where it begins, in the same state of the automaton, but the names of actors may have changed on the way: the next
/// time round it is walked with other names. Each round on its own has an accepting node and is fair to every actor, so the run is
/// accepting and fair wherever it closes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// How the run gets to the cycle.
    pub prefix: Vec<Move>,
    /// One round. It has at least one move.
    pub cycle: Vec<Move>,
}

/// How much trouble is taken over the length of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// A shortest way to the nearest accepting node of some component, and a shortest cycle through it where it need not be fair.
    Short,
    /// The least sum of prefix and cycle of all accepting runs. That takes time in proportion to the number of accepting nodes.
    /// With fairness it is the same as [`Length::Short`]: to find a shortest fair cycle is NP-hard.
    Shortest,
}

/// Finds a run from a start of the structure that the automaton accepts and that is fair.
///
/// # Errors
/// When the automaton reads propositions that the structure does not have, or their product is too large.
pub fn find_lasso(
    structure: &Structure,
    acceptor: &Acceptor,
    fairness: Fairness,
    length: Length,
) -> Result<Option<Lasso>, KripkeError> {
    let pairs = Pairs::of(structure, acceptor)?;
    let product = Product::new(structure, acceptor, &pairs)?;
    let starts = product.starts();
    let mut hunt = Hunt::new(product, fairness, starts.clone(), None);
    if length == Length::Shortest && fairness == Fairness::None {
        return Ok(shortest(hunt));
    }
    Ok(hunt.advance().then(|| lasso(&hunt, &starts, |_| true)))
}

/// As [`find_lasso`], but the run is a short one and stays in some of the nodes.
///
/// # Errors
/// As [`find_lasso`].
pub fn find_lasso_within(
    structure: &Structure,
    acceptor: &Acceptor,
    fairness: Fairness,
    allowed: &Bits,
) -> Result<Option<Lasso>, KripkeError> {
    let pairs = Pairs::of(structure, acceptor)?;
    let product = Product::new(structure, acceptor, &pairs)?;
    let starts = product.starts();
    let open = |place| allowed.has(product.node(place) as usize);
    let mut hunt = Hunt::new(product, fairness, starts.clone(), Some(allowed));
    Ok(hunt.advance().then(|| lasso(&hunt, &starts, open)))
}

/// A run from one of some product nodes, through open nodes, to the component that a hunt has found, and round in it. There must be a way.
pub(crate) fn lasso(hunt: &Hunt<'_>, sources: &[u32], open: impl Fn(u32) -> bool) -> Lasso {
    let product = hunt.product;
    let home = |node| hunt.components.place(node).is_some() && product.is_accepting(node);
    let way = way(product, sources, open, home).expect("what is found can be reached");
    Lasso {
        prefix: moves(product, &way.steps),
        cycle: moves(product, &round(hunt, way.end())),
    }
}

pub(crate) fn moves(product: Product<'_>, steps: &[Step]) -> Vec<Move> {
    let shown = |step: &Step| Move {
        node: product.node(step.source),
        state: product.state(step.source),
        edge: step.edge,
    };
    steps.iter().map(shown).collect()
}
