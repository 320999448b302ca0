//! Whose turn it is: control that is held, the claim, time-outs, stuttering.
//!
//! Without a claim every configuration that nobody holds is [`Turn::Free`] and is remembered. With
//! one, claim and system take turns: [`Turn::Claim`] is remembered, the [`Turn::Free`] after it is
//! not. Where the system has stopped for ever, the claim goes on alone: [`Turn::Stutter`].

use crate::taking::Taken;
use crate::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::step::{Actor, Turn, Violation};

impl Interpreter<'_> {
    /// All ways to go on, in a fixed order: processes from the highest number down, the edges of each in
    /// order.
    pub fn moves(&self, configuration: &Configuration) -> Vec<Move> {
        let state = &configuration.state;
        match configuration.turn {
            Turn::Free => self.settle_all(self.system_steps(state)),
            Turn::Held(process) => self.held_moves(state, process),
            Turn::Claim => self.claim_moves(state),
            Turn::Stutter => self.stutter_moves(state),
        }
    }

    /// The ways to go on of one process where no process holds control, as far as it needs no time-out.
    pub fn moves_of(&self, state: &State, process: u32) -> Vec<Move> {
        self.settle_all(self.process_steps(state, process, false))
    }

    /// True if no process can ever move again.
    pub fn has_stopped(&self, state: &State) -> bool {
        !self.system_steps(state).iter().any(Taken::counts)
    }

    /// True if no process can move without a time-out.
    pub(crate) fn is_stuck(&self, state: &State) -> bool {
        !self.steps_of_all(state, false).iter().any(Taken::counts)
    }

    /// The steps of the system; a time-out comes true where there would be none.
    pub(crate) fn system_steps(&self, state: &State) -> Vec<Taken> {
        let steps = self.steps_of_all(state, false);
        if steps.is_empty() {
            self.steps_of_all(state, true)
        } else {
            steps
        }
    }

    fn steps_of_all(&self, state: &State, timeout: bool) -> Vec<Taken> {
        let processes = (0..state.processes.len() as u32).rev();
        processes
            .flat_map(|process| self.process_steps(state, process, timeout))
            .collect()
    }

    /// A configuration that somebody holds who cannot move does not come out of [`Self::moves`]; asked
    /// about one all the same, we take control as lost. Only at a start that is held is there nothing then.
    fn held_moves(&self, state: &State, process: u32) -> Vec<Move> {
        let steps = self.process_steps(state, process, false);
        if !steps.is_empty() {
            return self.settle_all(steps);
        }
        if self.model.start_held {
            return Vec::new();
        }
        self.moves(&Configuration {
            state: state.clone(),
            turn: self.open_turn(),
        })
    }

    fn settle_all(&self, steps: Vec<Taken>) -> Vec<Move> {
        steps.into_iter().map(|step| self.settle(step)).collect()
    }

    /// Says whose turn it is after a step of the system: its holder's, if that one can go on.
    fn settle(&self, step: Taken) -> Move {
        let held_by = match (&step.state, step.holder) {
            (Some(state), Some(Actor::Process(holder))) => {
                let steps = self.process_steps(state, holder, false);
                (!steps.is_empty()).then_some(holder)
            }
            _ => None,
        };
        match held_by {
            Some(holder) => step.leads_to(Turn::Held(holder), false),
            None => step.leads_to(self.open_turn(), true),
        }
    }

    fn claim_moves(&self, state: &State) -> Vec<Move> {
        if !self.is_stuck(state) {
            return self.after_claim(self.claim_steps(state, false), Turn::Free);
        }
        let goes_on = self.steps_of_all(state, true).iter().any(Taken::counts);
        let then = if goes_on { Turn::Free } else { Turn::Stutter };
        let mut moves = self.after_claim(self.claim_steps(state, true), then);
        for dead_end in self.dead_ends(state) {
            if moves.iter().all(|m| m.label != dead_end.label) {
                moves.push(dead_end);
            }
        }
        moves
    }

    /// In a state where the system needs a time-out, the steps that the claim could make only
    /// without one lead nowhere. They count only for what goes wrong on them.
    fn dead_ends(&self, state: &State) -> Vec<Move> {
        let moves = self.after_claim(self.claim_steps(state, false), Turn::Free);
        let wrong = moves.into_iter().filter(|m| !m.violations.is_empty());
        wrong.map(|m| Move { next: None, ..m }).collect()
    }

    fn stutter_moves(&self, state: &State) -> Vec<Move> {
        let steps = self.claim_steps(state, true);
        let moves = self.after_claim(steps, Turn::Stutter);
        let remember = |m: Move| Move {
            remembered: m.next.as_ref().is_some_and(|c| c.turn == Turn::Stutter),
            ..m
        };
        moves.into_iter().map(remember).collect()
    }

    /// Says whose turn it is after steps of the claim: its own, if it keeps control.
    fn after_claim(&self, steps: Vec<Taken>, then: Turn) -> Vec<Move> {
        let finish = |step: Taken| {
            let turn = match step.holder {
                Some(_) => Turn::Claim,
                None => then,
            };
            let mut taken = step.leads_to(turn, false);
            let ended = taken
                .next
                .as_ref()
                .is_some_and(|c| self.claim_ended(&c.state));
            if ended {
                taken.violations.push(Violation::ClaimEnded);
            }
            taken
        };
        steps.into_iter().map(finish).collect()
    }
}

impl Taken {
    fn leads_to(self, turn: Turn, remembered: bool) -> Move {
        Move {
            label: self.label,
            remembered: remembered && self.state.is_some(),
            next: self.state.map(|state| Configuration { state, turn }),
            violations: self.violations,
            printed: self.printed,
            events: self.events,
            nodes: self.nodes,
        }
    }
}
