//! One chain of moves, by name.
//!
//! A search asks which states follow, not by which moves. Who has to tell the moves, because a counterexample is to be shown, looks for
//! one chain: the chains from a state are walked as in an expansion, and the walk ends when the goal is met. So to find a chain again takes no longer than
//! the expansion in which it was found.

use super::collect::{Kind, Move};
use super::{Incomplete, PATROL, Sink, Stepper};
use mandala_model::step::Turn;

/// One move of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainMove {
    /// The process that moves; the claim if there is none.
    pub process: Option<u32>,
    /// Its edge, by its place among those of the template.
    pub edge: u32,
    /// The choice of the parameters of the edge.
    pub choice: u32,
    /// The receiver at a rendezvous, and its edge.
    pub partner: Option<(u32, u32)>,
}

impl From<&Move> for ChainMove {
    fn from(step: &Move) -> Self {
        ChainMove {
            process: (step.kind == Kind::Process).then_some(step.process),
            edge: step.edge,
            choice: step.choice,
            partner: step.partner,
        }
    }
}

/// Somebody who looks for one chain.
pub trait Goal: Sink {
    /// Whether it has been told what it looks for.
    fn is_met(&self) -> bool;
}

impl Stepper<'_> {
    /// The moves from a remembered state to where the goal is met first; nothing if it is met nowhere. A step that fails while it is found out whether it
    /// can be taken is no move: what is wrong with it is met where the moves lead. For a stepper without machine
    /// code ([`crate::Program::interpreting_stepper`]), which knows its moves.
    ///
    /// # Errors
    ///
    /// If the goal is not met and a successor is too large, or the goal did not want to go on.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program.
    pub fn chain_to(
        &mut self,
        packed: &[u8],
        turn: Turn,
        goal: &mut impl Goal,
    ) -> Result<Option<Vec<ChainMove>>, Incomplete> {
        self.load(packed);
        self.expansion.forget();
        self.begin_progress();
        self.enter(turn, 0, goal);
        let mut moves = 0u32;
        while !goal.is_met()
            && let Some(step) = self.next_move()
        {
            moves = moves.wrapping_add(1);
            if moves.is_multiple_of(PATROL) && self.patrol(goal).is_err() {
                break;
            }
            self.take(step, goal);
        }
        let chain = goal.is_met().then(|| self.current_chain());
        self.expansion.abandon();
        let verdict = self.verdict_on_expansion();
        match chain {
            Some(chain) => Ok(Some(chain)),
            None => verdict.map(|()| None),
        }
    }

    /// The moves of the current chain. A configuration of which no move was tried is the last one.
    fn current_chain(&self) -> Vec<ChainMove> {
        let expansion = &self.expansion;
        let tried = expansion.open.iter().filter(|open| open.next > open.first);
        let made = tried.filter_map(|open| expansion.moves.get(open.next - 1));
        made.map(ChainMove::from).collect()
    }
}
