//! A view of a state: the process that looks at it, and the facts that are not in the state.

use crate::frame::Frame;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::state::{ProcessState, Value};
use mandala_model::template::Location;
use mandala_model::{Model, State};

/// A state as somebody sees it: a process, or with no process the claim (or nobody at all, where
/// there is no claim; the verifier sees to it that nobody asks for what only somebody has).
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub viewer: Option<u32>,
    /// Whether it is known that no process can move without a time-out.
    pub timeout: bool,
    /// The processes that wait for an answer to "is that process enabled?", which may lead to the
    /// same question about others.
    pub asking: &'a [u32],
    /// The values that the variables of the quantifiers around have at the moment, the outermost first.
    pub bound: &'a [Value],
    /// The calls that have not ended: in the innermost one, local variables are those of its frame.
    pub frames: &'a [Frame],
}

impl<'a> View<'a> {
    pub(crate) fn new(
        model: &'a Model,
        state: &'a State,
        viewer: Option<u32>,
        timeout: bool,
    ) -> Self {
        View {
            model,
            state,
            viewer,
            timeout,
            asking: &[],
            bound: &[],
            frames: &[],
        }
    }

    /// The same state as another process sees it.
    pub(crate) fn seen_by(self, process: u32) -> Self {
        View {
            viewer: Some(process),
            bound: &[],
            frames: &[],
            ..self
        }
    }

    /// The process of that number, if there is one.
    pub(crate) fn process(&self, number: i64) -> Option<&'a ProcessState> {
        let index = usize::try_from(number).ok()?;
        self.state.processes.get(index)
    }

    /// The row of the table of locations where that process is.
    pub(crate) fn location_of(&self, process: &ProcessState) -> &'a Location {
        self.location(process.template, process.location)
    }

    fn location(&self, template: TemplateId, location: LocationId) -> &'a Location {
        &self.model.template(template).locations[location.index()]
    }
}
