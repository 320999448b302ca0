//! Chains of steps between configurations that a search remembers.

use crate::{Configuration, Interpreter, Move};
use std::collections::HashSet;

/// How many steps are looked at in search of the chains from one configuration, and how many there may be in all
/// chains together.
pub const CHAIN_LIMIT: usize = 1 << 19;

/// A chain of steps from a remembered configuration to where a search would look next: the next
/// remembered configuration, or a step on which something went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroStep {
    /// The steps, at least one.
    pub steps: Vec<Move>,
}

impl MacroStep {
    /// The configuration that a search remembers, if the chain leads to one.
    pub fn successor(&self) -> Option<&Configuration> {
        let last = self.steps.last()?;
        last.next.as_ref().filter(|_| last.remembered)
    }
}

/// A step and the one before it in the chain, by their positions in the list of all.
struct Link {
    before: Option<usize>,
    step: Move,
}

impl Interpreter<'_> {
    /// All chains from a remembered configuration, the shorter before the longer. A step on which
    /// something went wrong ends a chain of its own, also if the run goes on after it. What is
    /// passed through is passed through once, by a shortest way: an atomic sequence may go in circles.
    ///
    /// An atomic sequence may also go on for ever without one, so the search ends after [`CHAIN_LIMIT`] steps;
    /// longer chains are left out.
    pub fn macro_steps(&self, from: &Configuration) -> Vec<MacroStep> {
        let mut links = Vec::new();
        let mut seen = HashSet::new();
        let mut chains = Vec::new();
        add(&mut links, None, self.moves(from));
        let mut current = 0;
        let mut told = 0;
        while current < links.len().min(CHAIN_LIMIT) && told < CHAIN_LIMIT {
            let step = &links[current].step;
            if step.next.is_none() || step.remembered || !step.violations.is_empty() {
                let found = chain(&links, current);
                told += found.steps.len();
                chains.push(found);
            }
            if let Some(next) = step.next.clone().filter(|_| !step.remembered)
                && seen.insert(next.clone())
            {
                add(&mut links, Some(current), self.moves(&next));
            }
            current += 1;
        }
        chains
    }
}

fn add(links: &mut Vec<Link>, before: Option<usize>, moves: Vec<Move>) {
    links.extend(moves.into_iter().map(|step| Link { before, step }));
}

fn chain(links: &[Link], last: usize) -> MacroStep {
    let before = |position: &usize| links[*position].before;
    let positions = std::iter::successors(Some(last), before);
    let mut steps: Vec<Move> = positions.map(|p| links[p].step.clone()).collect();
    steps.reverse();
    MacroStep { steps }
}
