//! Violations of a configuration itself, rather than of a step.

use crate::view::View;
use crate::{Configuration, Interpreter};
use mandala_model::State;
use mandala_model::model::Deadlock;
use mandala_model::step::{Turn, Violation};
use mandala_model::template::{EventSense, Role};

impl Interpreter<'_> {
    /// What is wrong here, if anything is: the first of [`Self::verdicts_here`].
    pub fn verdict_here(&self, configuration: &Configuration) -> Option<Violation> {
        self.verdicts_here(configuration).into_iter().next()
    }

    /// What is wrong here: the claim is at its end, a monitor reports something, or nothing can
    /// happen any more and somebody or something is left unfinished. With a claim there is no deadlock: the
    /// claim says what is wrong.
    pub fn verdicts_here(&self, configuration: &Configuration) -> Vec<Violation> {
        let state = &configuration.state;
        match configuration.turn {
            Turn::Claim | Turn::Stutter => {
                let ended = self.claim_ended(state).then_some(Violation::ClaimEnded);
                ended.into_iter().collect()
            }
            Turn::Free if self.observers.claim.is_none() => {
                let seen = self.observations(configuration).into_iter();
                let seen = seen.flat_map(|observation| observation.violations);
                seen.chain(self.unfinished(configuration)).collect()
            }
            Turn::Free | Turn::Held(_) => Vec::new(),
        }
    }

    /// True if the claim is at a location that it must not reach.
    pub(crate) fn claim_ended(&self, state: &State) -> bool {
        let view = View::new(self.model, state, None, false);
        let claim = state.claim.as_ref();
        claim.is_some_and(|claim| view.location_of(claim).end)
    }

    fn unfinished(&self, configuration: &Configuration) -> Option<Violation> {
        let state = &configuration.state;
        if state.processes.is_empty() || self.goes_on(configuration) {
            return None;
        }
        let view = View::new(self.model, state, None, false);
        let all_ended = state.processes.iter().all(|p| view.location_of(p).end);
        if !all_ended {
            return Some(Violation::Deadlock);
        }
        (!self.events_complete(state)).then_some(Violation::EventsIncomplete)
    }

    /// Whether something can happen that counts.
    fn goes_on(&self, configuration: &Configuration) -> bool {
        match self.model.deadlock {
            Deadlock::NoMove => !self.system_steps(&configuration.state).is_empty(),
            Deadlock::NoChange => {
                let mut chains = self.chains(configuration);
                while let Some(end) = chains.next_end() {
                    let step = chains.last_step(end);
                    let counts = match step.remembered_next() {
                        Some(successor) => !self.is_same(successor, configuration),
                        // Something goes wrong halfway through, and the chain goes on: that comes separately.
                        None => step.next.is_none(),
                    };
                    if counts {
                        return true;
                    }
                }
                false
            }
        }
    }

    /// Whether two configurations differ in nothing, or in the order of what has none.
    fn is_same(&self, a: &Configuration, b: &Configuration) -> bool {
        let arranged = |c: &Configuration| Configuration {
            state: self.model.arranged(&c.state),
            ..c.clone()
        };
        a == b || !self.model.bags().is_empty() && arranged(a) == arranged(b)
    }

    fn events_complete(&self, state: &State) -> bool {
        let (Some(observer), Some(at)) = (self.observers.events, state.events) else {
            return true;
        };
        let observer = self.model.template(observer);
        observer.role != Role::Events(EventSense::Required) || observer.locations[at.index()].end
    }
}
