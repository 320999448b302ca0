//! What is wrong with a configuration itself, rather than with a step.

use crate::view::View;
use crate::{Configuration, Interpreter};
use mandala_model::State;
use mandala_model::step::{Turn, Violation};
use mandala_model::template::{EventSense, Role};

impl Interpreter<'_> {
    /// What is wrong here: the claim is at its end, or nothing can happen any more and somebody or
    /// something is left unfinished. With a claim there is no deadlock: the claim says what is wrong.
    pub fn verdict_here(&self, configuration: &Configuration) -> Option<Violation> {
        let state = &configuration.state;
        match configuration.turn {
            Turn::Claim | Turn::Stutter => self.claim_ended(state).then_some(Violation::ClaimEnded),
            Turn::Free if self.observers.claim.is_none() => self.unfinished(state),
            Turn::Free | Turn::Held(_) => None,
        }
    }

    /// True if the claim is at a location that it must not reach.
    pub(crate) fn claim_ended(&self, state: &State) -> bool {
        let view = View::new(self.model, state, None, false);
        let claim = state.claim.as_ref();
        claim.is_some_and(|claim| view.location_of(claim).end)
    }

    fn unfinished(&self, state: &State) -> Option<Violation> {
        if state.processes.is_empty() || !self.system_steps(state).is_empty() {
            return None;
        }
        let view = View::new(self.model, state, None, false);
        let all_ended = state.processes.iter().all(|p| view.location_of(p).end);
        if !all_ended {
            return Some(Violation::Deadlock);
        }
        (!self.events_complete(state)).then_some(Violation::EventsIncomplete)
    }

    fn events_complete(&self, state: &State) -> bool {
        let (Some(observer), Some(at)) = (self.observers.events, state.events) else {
            return true;
        };
        let observer = self.model.template(observer);
        observer.role != Role::Events(EventSense::Required) || observer.locations[at.index()].end
    }
}
