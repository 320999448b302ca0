//! From a path of counted states to the states of a run.

use crate::program::{Counted, MOST_STEPS, Program, free};
use mandala_model::State;

/// No run goes along a path, or too many steps follow each other to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

impl Program<'_> {
    /// The states of a run whose states are counted like that, from the start on.
    ///
    /// # Errors
    ///
    /// If the interpreter finds none.
    pub fn run_along(&mut self, way: &[Counted]) -> Result<Vec<State>, Lost> {
        let mut states: Vec<State> = Vec::new();
        for counted in way {
            let next = match states.last().cloned() {
                None => self.first_start(counted)?,
                Some(last) => self.step_into(&last, counted)?,
            };
            states.push(next);
        }
        Ok(states)
    }

    fn first_start(&mut self, counted: &Counted) -> Result<State, Lost> {
        for start in self.starts().to_vec() {
            if self.counted(&start).as_ref() == Some(counted) {
                return Ok(start);
            }
        }
        Err(Lost)
    }

    /// What some step from there leads to that is counted like that.
    fn step_into(&mut self, from: &State, counted: &Counted) -> Result<State, Lost> {
        let interpreter = *self.interpreter();
        let mut chains = interpreter.chains(&free(from)).within(MOST_STEPS);
        while let Some(end) = chains.next_end() {
            if let Some(next) = chains.last_step(end).remembered_next()
                && self.counted(&next.state).as_ref() == Some(counted)
            {
                return Ok(next.state.clone());
            }
        }
        Err(Lost)
    }
}
