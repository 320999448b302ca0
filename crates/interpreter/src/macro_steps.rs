//! Chains of steps between configurations that a search remembers.
//!
//! An atomic sequence can be wide: twenty choices in a row have a million ways through. So chains are found one after the other, the
//! shorter before the longer, and who looks for one of them stops when it is there. What is passed through is passed through once, by a shortest way, so the
//! effort is bounded by the number of configurations on the way and not by the number of ways.

use crate::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::step::StepLabel;
use std::collections::HashSet;

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
        self.steps.last()?.remembered_next()
    }
}

impl Move {
    /// Where it leads, if a search remembers that.
    pub fn remembered_next(&self) -> Option<&Configuration> {
        self.next.as_ref().filter(|_| self.remembered)
    }

    /// Where it leads, if a search passes through that.
    pub fn passed_next(&self) -> Option<&Configuration> {
        self.next.as_ref().filter(|_| !self.remembered)
    }

    /// Whether a chain ends with it.
    fn ends_chain(&self) -> bool {
        self.passed_next().is_none() || !self.violations.is_empty()
    }
}

/// A step and the one before it in the chain, by their positions in the list of all.
#[derive(Debug)]
struct Link {
    before: Option<usize>,
    step: Move,
}

/// The chains from a configuration, one after the other, the shorter before the longer.
#[derive(Debug)]
pub struct Chains<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    links: Vec<Link>,
    seen: HashSet<Configuration>,
    /// The first link that has not been looked at.
    current: usize,
    /// How many links are looked at.
    most: usize,
}

/// The last step of a chain.
#[derive(Clone, Copy, Debug)]
pub struct ChainEnd(usize);

impl Chains<'_, '_> {
    /// The same chains, but only those that are found with so many steps in all.
    #[must_use]
    pub fn within(mut self, steps: usize) -> Self {
        self.most = steps;
        self
    }

    /// Whether there are steps that were not looked at, because there are too many.
    pub fn is_cut(&self) -> bool {
        self.current >= self.most && self.current < self.links.len()
    }

    /// Finds the next chain, without writing it out.
    pub fn next_end(&mut self) -> Option<ChainEnd> {
        while self.current < self.links.len().min(self.most) {
            let current = self.current;
            self.current += 1;
            self.pass_through(current);
            if self.links[current].step.ends_chain() {
                return Some(ChainEnd(current));
            }
        }
        None
    }

    /// The last step of a chain.
    pub fn last_step(&self, end: ChainEnd) -> &Move {
        &self.links[end.0].step
    }

    /// The steps of a chain.
    pub fn steps(&self, end: ChainEnd) -> Vec<&Move> {
        let before = |position: &usize| self.links[*position].before;
        let positions = std::iter::successors(Some(end.0), before);
        let mut steps: Vec<&Move> = positions.map(|p| &self.links[p].step).collect();
        steps.reverse();
        steps
    }

    /// The labels of a chain.
    pub fn labels(&self, end: ChainEnd) -> Vec<StepLabel> {
        self.steps(end).iter().map(|step| step.label).collect()
    }

    /// Adds the steps that follow one which leads to a configuration that is passed through, if it is the first that does.
    fn pass_through(&mut self, position: usize) {
        let step = &self.links[position].step;
        if let Some(next) = step.passed_next().cloned()
            && self.seen.insert(next.clone())
        {
            self.add(Some(position), &next);
        }
    }

    fn add(&mut self, before: Option<usize>, from: &Configuration) {
        self.add_moves(before, self.interpreter.moves(from));
    }

    fn add_moves(&mut self, before: Option<usize>, moves: Vec<Move>) {
        let moves = moves.into_iter();
        self.links.extend(moves.map(|step| Link { before, step }));
    }
}

impl Iterator for Chains<'_, '_> {
    type Item = MacroStep;

    fn next(&mut self) -> Option<MacroStep> {
        let end = self.next_end()?;
        let steps = self.steps(end).into_iter().cloned().collect();
        Some(MacroStep { steps })
    }
}

impl<'m> Interpreter<'m> {
    /// The chains from a remembered configuration. A step on which something went wrong ends a chain of its own, also if the run goes on
    /// after it.
    ///
    /// An atomic sequence may be so wide, or go on for so long, that nobody can wait for all of its chains: [`Chains::within`].
    pub fn chains<'i>(&'i self, from: &Configuration) -> Chains<'i, 'm> {
        let mut chains = self.no_chains();
        chains.add(None, from);
        chains
    }

    /// The chains from a state in which nobody holds control that one process begins, as far as it needs no time-out for that.
    pub fn chains_of<'i>(&'i self, state: &State, process: u32) -> Chains<'i, 'm> {
        let mut chains = self.no_chains();
        chains.add_moves(None, self.moves_of(state, process));
        chains
    }

    fn no_chains<'i>(&'i self) -> Chains<'i, 'm> {
        Chains {
            interpreter: self,
            links: Vec::new(),
            seen: HashSet::new(),
            current: 0,
            most: usize::MAX,
        }
    }

    /// All chains from a remembered configuration, for models whose atomic sequences are known to be narrow and to end.
    pub fn macro_steps(&self, from: &Configuration) -> Vec<MacroStep> {
        self.chains(from).collect()
    }
}
