//! Enabledness of steps.
//!
//! This is what `enabled(p)` and the rule of priorities ask. A send at a rendezvous counts as possible
//! and a receive there does not, whoever else there is; nothing is asked about what the step would
//! do beyond its guard.

use crate::evaluate::fault;
use crate::view::View;
use mandala_model::source::Span;
use mandala_model::state::{ProcessState, Value};
use mandala_model::step::{Fault, FaultKind};
use mandala_model::template::{Keep, Step};

impl View<'_> {
    /// The viewer asks whether a process is enabled. To ask about oneself is a fault, also if the
    /// question comes round through the guards of others.
    pub(crate) fn ask_enabled(&self, number: Value, span: Span) -> Result<bool, Fault> {
        let asking: Vec<u32> = self.asking.iter().copied().chain(self.viewer).collect();
        if asking.iter().any(|p| Value::from(*p) == number) {
            return Err(fault(FaultKind::EnabledOfSelf, span));
        }
        let Some(process) = self.process(number) else {
            return Ok(false);
        };
        let theirs = View {
            asking: &asking,
            ..self.seen_by(number as u32)
        };
        theirs.some_step_possible(process)
    }

    /// Whether the viewer, a process, is free to move at all: what it is provided with holds, and
    /// no process of a higher priority could move instead.
    pub(crate) fn may_move(&self, own: &ProcessState) -> Result<bool, Fault> {
        if !self.is_provided(own)? {
            return Ok(false);
        }
        if !self.model.prioritised {
            return Ok(true);
        }
        for (number, other) in self.state.processes.iter().enumerate() {
            let theirs = self.seen_by(number as u32);
            if other.priority > own.priority
                && theirs.is_provided(other)?
                && theirs.some_step_possible(other)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_provided(&self, own: &ProcessState) -> Result<bool, Fault> {
        match &self.model.template(own.template).provided {
            Some(condition) => self.holds(condition),
            None => Ok(true),
        }
    }

    fn some_step_possible(&self, own: &ProcessState) -> Result<bool, Fault> {
        for (_, edge) in self.model.template(own.template).edges_from(own.location) {
            if self.is_possible(&edge.step, edge.span)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_possible(&self, step: &Step, span: Span) -> Result<bool, Fault> {
        match step {
            // Asked only after all steps before it have turned out impossible.
            Step::Else => Ok(true),
            Step::Guarded { guard, .. } => self.holds(guard),
            Step::Send { channel, .. } => Ok(!self.is_full(self.channel(channel)?)),
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => {
                let index = self.channel(channel)?;
                if self.is_rendezvous(index) && *keep == Keep::Stay {
                    return Err(fault(FaultKind::PollAtRendezvous, channel.span));
                }
                Ok(self.receivable(index, *order, patterns, span)?.is_some())
            }
            Step::Exit => {
                let last = self.state.processes.len().checked_sub(1);
                Ok(self.viewer.map(|p| p as usize) == last)
            }
            Step::Call(_) => Ok(true),
            Step::Routine(routine) => {
                for choice in &routine.nodes[0].choices {
                    if self.is_possible(&choice.step, choice.span)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}
