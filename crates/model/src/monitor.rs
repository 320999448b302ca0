//! Monitors: checks of single states, which properties name.
//!
//! A monitor is no step and belongs to no process. It is evaluated in every state that is remembered: it *holds* there if its code can be
//! executed to its end, it may report what goes wrong on the way, and whatever its code changes is undone. It sees a state as a claim does,
//! so there is no process whose number or priority it could ask for.
//!
//! The monitors of a model share its scratch variables for monitors ([`UncheckedModel::monitor_scratch`]), because one monitor is evaluated
//! at a time. They hold nothing before, and nothing that is left in them afterwards can be read.
//!
//! A monitor with [parameters](Monitor::parameters) is as many monitors as there are choices of their values, in the order of the choices.
//!
//! Proofs and engines that work with the code of edges get the monitors of a verified model as a view ([`as_template`]): a template with one
//! location and an edge for each monitor, under a number behind those of all templates and automata ([`crate::Model::monitor_template`]). No
//! process is an instance of it, so nothing that makes steps ever meets these edges.

use crate::ids::{LocationId, MonitorId};
use crate::model::UncheckedModel;
use crate::parameters::Parameter;
use crate::source::Span;
use crate::template::{Control, Edge, Location, Role, Step, Template};

/// A check of one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// Its parameters: it is evaluated once for each choice of their values.
    pub parameters: Vec<Parameter>,
    /// The check: a guarded step or a routine.
    pub step: Step,
    /// The check as a person would write it.
    pub text: String,
    /// Its number in the source language's own count of statements.
    pub statement: u32,
    /// Where it stands.
    pub span: Span,
    /// It checks what another monitor checks, but for positions of elements without [order](crate::symmetry::Scalarset::unordered), which are
    /// others. A proof about the other one need not look at it.
    pub twin: bool,
}

impl Monitor {
    /// The monitor as an edge of the view.
    fn as_edge(&self) -> Edge {
        Edge {
            source: LocationId(0),
            target: LocationId(0),
            step: self.step.clone(),
            control: Control::Release,
            escape: 0,
            text: self.text.clone(),
            statement: self.statement,
            span: self.span,
            twin: self.twin,
            parameters: self.parameters.clone(),
            outcome: None,
        }
    }

    /// A monitor for the check that an edge of the view makes.
    pub(crate) fn of_edge(edge: Edge) -> Self {
        Monitor {
            parameters: edge.parameters,
            step: edge.step,
            text: edge.text,
            statement: edge.statement,
            span: edge.span,
            twin: edge.twin,
        }
    }
}

/// The monitors of a model as a template with one location; nothing if there are none.
pub(crate) fn as_template(model: &UncheckedModel) -> Option<Template> {
    let first = model.monitors.first()?;
    let mut template = Template::empty("monitors", Role::Monitors, first.span);
    template.locals.clone_from(&model.monitor_scratch);
    template.edges = model.monitors.iter().map(Monitor::as_edge).collect();
    template.locations.push(Location {
        number: 0,
        labels: Vec::new(),
        end: true,
        progress: false,
        accept: false,
        silent: true,
        edges: 0..template.edges.len() as u32,
        span: first.span,
    });
    Some(template)
}

impl UncheckedModel {
    /// The monitor.
    pub fn monitor(&self, id: MonitorId) -> &Monitor {
        &self.monitors[id.index()]
    }

    /// Adds a monitor, for a property to name.
    pub fn add_monitor(&mut self, monitor: Monitor) -> MonitorId {
        self.monitors.push(monitor);
        MonitorId::from(self.monitors.len() - 1)
    }
}
