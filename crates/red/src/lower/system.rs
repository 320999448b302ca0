//! The process that makes the states to start in, and the monitors of what is asked.

use super::expr::{constant, has_value, join, plain, truth};
use super::{Lowering, guarded, location};
use crate::ast::Scope;
use crate::initial::Cells;
use crate::limits;
use crate::typed::{Condition, Goal, GoalKind, VariableId};
use mandala_model::expr::{BinaryOp, Place, Projection, Root};
use mandala_model::ids::{GlobalId, LocationId, MonitorId};
use mandala_model::model::UncheckedModel;
use mandala_model::monitor::Monitor;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Effect, Role, Step, Template};

impl Lowering<'_> {
    /// The process.
    pub(super) fn system(&self, states: &[Cells]) -> Template {
        let span = self.program.span;
        let mut template = Template::empty("system", Role::Process, span);
        if let [_, _, ..] = states {
            template.edges = states.iter().map(|state| self.start(state)).collect();
            let edges = 0..states.len() as u32;
            let start = location(0, "start", edges, span);
            template.locations.push(start);
        }
        let number = template.locations.len() as u32;
        let edges = template.edges.len() as u32;
        let run = location(number, "run", edges..edges, span);
        template.locations.push(run);
        template
    }

    /// Makes a state out of the one in which all variables are at rest.
    fn start(&self, state: &Cells) -> Edge {
        let variables = (0..).map(VariableId).zip(&self.program.variables);
        let mut effects = Vec::new();
        for (id, variable) in variables {
            let local = variable.scope == Scope::Local;
            for (process, value) in (1..).zip(state.of(id)) {
                if *value != variable.rest() {
                    let owner = local.then_some(process);
                    effects.push(self.assign(id, owner, *value));
                }
            }
        }
        let always = constant(1, self.program.span);
        Edge {
            source: LocationId(0),
            target: LocationId(1),
            step: guarded(always, effects),
            control: Control::Release,
            escape: 0,
            text: "initially".to_string(),
            statement: 0,
            span: self.program.span,
            twin: false,
            parameters: Vec::new(),
        }
    }

    fn assign(&self, id: VariableId, owner: Option<i64>, value: i64) -> Effect {
        let span = self.program.span;
        let mut place = Place::variable(Root::Global(GlobalId::from(id.0)), span);
        let index = owner.map(|process| Projection::Index(constant(process, span)));
        place.path.extend(index);
        Effect::Assign {
            place,
            value: constant(value, span),
        }
    }

    /// Adds the properties that the goals are, with their monitors.
    pub(super) fn goals(&self, model: &mut UncheckedModel) {
        for goal in &self.program.goals {
            let property = goal_property(goal, model);
            model.properties.push(property);
        }
    }
}

/// Adds the monitors of a goal, and gives the property that names them.
fn goal_property(goal: &Goal, model: &mut UncheckedModel) -> Property {
    let steps = match goal.kind {
        GoalKind::Risk => risk(goal),
        GoalKind::Possible | GoalKind::AlwaysPossible => {
            let step = guarded(truth(&goal.condition, goal.span), Vec::new());
            vec![(step, goal.span)]
        }
    };
    let monitors = steps.into_iter().map(|(step, span)| {
        model.add_monitor(Monitor {
            parameters: Vec::new(),
            step,
            text: goal.name.clone(),
            statement: 0,
            span,
            twin: false,
        })
    });
    let monitors: Vec<MonitorId> = monitors.collect();
    let kind = match goal.kind {
        GoalKind::Risk => PropertyKind::Invariant { monitors },
        GoalKind::Possible => PropertyKind::Cover {
            monitors,
            nodes: Vec::new(),
        },
        GoalKind::AlwaysPossible => PropertyKind::Reachable { monitors },
    };
    Property {
        name: goal.name.clone(),
        kind,
        span: goal.span,
    }
}

/// Checks that fail where the condition is true, one for each part of a disjunction, and one that fails where it has no value: it
/// stands at a place of its own, as messages are found by places.
fn risk(goal: &Goal) -> Vec<(Step, Span)> {
    let needs = || has_value(&goal.condition, goal.span);
    let parts = match &goal.condition {
        Condition::Or(parts) if parts.len() <= limits::CHECKS => parts,
        whole => std::slice::from_ref(whole),
    };
    let check = |part: &Condition| {
        let mut guard = needs();
        guard.push(plain(part, goal.span));
        let guard = join(BinaryOp::And, guard, goal.span);
        let step = guarded(guard, vec![fail("the risk condition is true")]);
        (step, goal.span)
    };
    let mut checks: Vec<(Step, Span)> = parts.iter().map(check).collect();
    if !needs().is_empty() {
        let missing = join(BinaryOp::And, needs(), goal.inside).negated();
        let message = "the risk condition has no value: it follows NULL or divides by zero";
        checks.push((guarded(missing, vec![fail(message)]), goal.inside));
    }
    checks
}

fn fail(message: &str) -> Effect {
    Effect::Fail {
        message: message.to_string(),
    }
}
