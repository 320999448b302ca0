//! Walking through a model: a session that lists moves, takes one, takes it back; choices by chance
//! that a seed repeats; a guide along steps that are known.
//!
//! Nothing here reads or writes: that is for the command line to do.

use crate::{ChanceError, Change, Configuration, Interpreter, Move, StepText};
use dashu_ratio::RBig;
use mandala_model::step::{Fault, StepLabel, Violation};

/// A walk through a model, from its start to where it is now.
#[derive(Clone, Debug)]
pub struct Session<'m> {
    interpreter: Interpreter<'m>,
    start: Configuration,
    walked: Vec<Move>,
}

/// A move that can be taken now, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Who moves, and by what.
    pub step: StepText,
    /// The receiver at a rendezvous.
    pub partner: Option<StepText>,
    /// What goes wrong if it is taken.
    pub violations: Vec<Violation>,
}

impl<'m> Session<'m> {
    /// A walk that is still at the start. There is none if the start itself fails.
    pub fn new(interpreter: Interpreter<'m>) -> Result<Self, Fault> {
        Ok(Session {
            interpreter,
            start: interpreter.start()?,
            walked: Vec::new(),
        })
    }

    /// The interpreter that the walk is made on.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }

    /// Where the walk started.
    pub fn start(&self) -> &Configuration {
        &self.start
    }

    /// The moves taken so far.
    pub fn walked(&self) -> &[Move] {
        &self.walked
    }

    /// Where the walk is; nowhere after a fault.
    pub fn current(&self) -> Option<&Configuration> {
        match self.walked.last() {
            Some(last) => last.next.as_ref(),
            None => Some(&self.start),
        }
    }

    /// All moves from here, in a fixed order.
    pub fn moves(&self) -> Vec<Move> {
        let current = self.current();
        current.map_or_else(Vec::new, |current| self.interpreter.moves(current))
    }

    /// All moves from here, for people, in the same order.
    pub fn offered(&self) -> Vec<Offered> {
        let Some(current) = self.current() else {
            return Vec::new();
        };
        let offered = |taken: Move| {
            let (step, partner) = self.interpreter.step_text(&current.state, &taken.label);
            Offered {
                step,
                partner,
                violations: taken.violations,
            }
        };
        self.moves().into_iter().map(offered).collect()
    }

    /// Takes the move of that number in the list; `None` if the list is shorter.
    pub fn take(&mut self, index: usize) -> Option<&Move> {
        let taken = self.moves().into_iter().nth(index)?;
        self.walked.push(taken);
        self.walked.last()
    }

    /// Takes a move by chance; `None` if there is none. Where the model says how likely each move is, it is drawn by that; else all are equally likely.
    ///
    /// # Errors
    ///
    /// If what the model says makes no probabilities.
    pub fn take_any(&mut self, dice: &mut RandomSource) -> Result<Option<&Move>, ChanceError> {
        let moves = self.moves();
        let index = match (self.current(), self.interpreter.model().stochastic) {
            (Some(current), Some(_)) => {
                let likely = self.interpreter.likelihoods(&current.state, &moves)?;
                dice.draw(&likely)
            }
            _ => dice.below(moves.len()),
        };
        Ok(index.and_then(|index| self.take(index)))
    }

    /// Takes the last move back and says which it was; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        self.walked.pop()
    }

    /// Where the move of that number (from 0) was made.
    pub fn before(&self, index: usize) -> Option<&Configuration> {
        match index.checked_sub(1) {
            Some(previous) => self.walked.get(previous)?.next.as_ref(),
            None => Some(&self.start),
        }
    }

    /// What the last move has changed.
    pub fn changes(&self) -> Vec<Change> {
        let before = self.walked.len().checked_sub(1);
        let before = before.and_then(|last| self.before(last));
        match (before, self.current()) {
            (Some(before), Some(now)) => self.interpreter.changes(&before.state, &now.state),
            _ => Vec::new(),
        }
    }

    /// What is wrong with where the walk is, apart from what went wrong on the way.
    pub fn verdict(&self) -> Option<Violation> {
        self.interpreter.verdict_here(self.current()?)
    }
}

/// Chance that a seed repeats: the generator `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct RandomSource {
    state: u64,
}

impl RandomSource {
    /// The dice of that seed.
    pub fn new(seed: u64) -> Self {
        RandomSource { state: seed }
    }

    /// A number below `bound`, all about as likely; `None` if there is no such number.
    pub fn below(&mut self, bound: usize) -> Option<usize> {
        if bound == 0 {
            return None;
        }
        let product = u128::from(self.next()) * bound as u128;
        Some((product >> 64) as usize)
    }

    /// The number of one of some weights, each as likely as it is large; `None` if all are 0.
    pub fn draw(&mut self, weights: &[RBig]) -> Option<usize> {
        let sum = weights.iter().fold(RBig::ZERO, |sum, weight| sum + weight);
        if sum == RBig::ZERO {
            return None;
        }
        let mut left = sum * RBig::from(self.next()) / RBig::from(1_u128 << 64);
        for (index, weight) in weights.iter().enumerate() {
            if left < *weight {
                return Some(index);
            }
            left -= weight;
        }
        None
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Leads a session along steps that are known.
#[derive(Clone, Debug)]
pub struct Guide {
    steps: Vec<StepLabel>,
    done: usize,
}

/// What a guide says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guidance {
    /// Take the move of that number.
    Take(usize),
    /// All steps have been taken.
    Arrived,
    /// The step of that number (from 0) cannot be taken here.
    Lost(usize),
}

impl Guide {
    /// A guide along those steps.
    pub fn new(steps: Vec<StepLabel>) -> Self {
        Guide { steps, done: 0 }
    }

    /// Which move the next step is. The guide then takes that step as made.
    pub fn next(&mut self, session: &Session<'_>) -> Guidance {
        let Some(step) = self.steps.get(self.done) else {
            return Guidance::Arrived;
        };
        let moves = session.moves();
        match moves.iter().position(|m| m.label == *step) {
            Some(index) => {
                self.done += 1;
                Guidance::Take(index)
            }
            None => Guidance::Lost(self.done),
        }
    }
}
