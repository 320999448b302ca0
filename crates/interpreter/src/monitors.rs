//! Monitors: checks of states, which are no steps.
//!
//! A monitor sees a state as a claim does. So it is evaluated in a copy of the state in which its own variables are in the place of the claim.

use crate::call::Returned;
use crate::taking::Taken;
use crate::{Configuration, Interpreter};
use mandala_model::State;
use mandala_model::ids::{EdgeId, LocationId, MonitorId, TemplateId};
use mandala_model::state::ProcessState;
use mandala_model::step::{Actor, Turn, Violation};

/// What a monitor comes to in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The monitor.
    pub monitor: MonitorId,
    /// The choice of its parameters.
    pub choice: u32,
    /// Whether it holds: its code could be executed to its end.
    pub holds: bool,
    /// What went wrong in it.
    pub violations: Vec<Violation>,
    /// What the functions gave that it called, in order.
    pub returned: Vec<Returned>,
}

impl Interpreter<'_> {
    /// The monitors that hold here, or report something, in order.
    pub fn observations(&self, configuration: &Configuration) -> Vec<Observation> {
        let Some(id) = self.model.monitor_template() else {
            return Vec::new();
        };
        if configuration.turn != Turn::Free {
            return Vec::new();
        }
        let seen = self.seen_by_monitors(&configuration.state);
        let invariants = self.model.invariants_of_monitors();
        let mut all = Vec::new();
        for monitor in self.model.monitor_ids() {
            let own = |violation: Violation| violation.monitoring(invariants[monitor.index()]);
            for taken in self.evaluations(&seen, id, monitor) {
                all.push(Observation {
                    monitor,
                    choice: taken.label.choice,
                    holds: taken.state.is_some(),
                    violations: taken.violations.into_iter().map(own).collect(),
                    returned: taken.returned,
                });
            }
        }
        all
    }

    /// A monitor in a state, for each choice of its parameters for which something comes of it.
    fn evaluations(&self, seen: &State, template: TemplateId, monitor: MonitorId) -> Vec<Taken> {
        let index = monitor.0;
        let edge = &self.model.template(template).edges[monitor.index()];
        self.instances(seen, Actor::Claim, EdgeId { template, index }, edge, false)
    }

    /// A state as monitors see it: with their variables in the place of those of a claim. What no process does reads them there
    /// ([`Interpreter::readings`], [`Interpreter::reason`]).
    pub fn seen_by_monitors(&self, state: &State) -> State {
        let scratch = &self.model.monitor_scratch;
        let cells = self.model.cell_offset(scratch, scratch.len());
        let variables = |template| ProcessState {
            template,
            location: LocationId(0),
            priority: 1,
            locals: vec![0; cells],
        };
        State {
            claim: self.model.monitor_template().map(variables),
            ..state.clone()
        }
    }
}
