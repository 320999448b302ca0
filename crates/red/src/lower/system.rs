//! The process that makes the states to start in, and the monitors of what is asked.

use super::expr::{Binders, constant, join};
use super::{Lowering, guarded, location, pointer};
use crate::ast::{Ident, Quantifier, Scope};
use crate::initial::Cells;
use crate::limits;
use crate::typed::{Condition, Goal, GoalKind, VariableId};
use mandala_model::expr::{BinaryOp, Expr, Place, Projection, Root};
use mandala_model::ids::{GlobalId, LocalId, LocationId, MonitorId};
use mandala_model::model::UncheckedModel;
use mandala_model::monitor::Monitor;
use mandala_model::parameters::Parameter;
use mandala_model::property::{Demand, Property, PropertyKind};
use mandala_model::template::{Control, Edge, Effect, Role, Step, Template};
use mandala_model::types::{Initial, Storage, Type, Variable};

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
            outcome: None,
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
            let property = self.goal(goal, model);
            model.properties.push(property);
        }
    }

    /// Adds the monitors of a goal, and gives the property that names them.
    fn goal(&self, goal: &Goal, model: &mut UncheckedModel) -> Property {
        let checks = match goal.kind {
            GoalKind::Risk => self.risk(goal),
            GoalKind::Possible | GoalKind::AlwaysPossible => {
                let truth = Binders::none(self.program).truth(&goal.condition, goal.span);
                vec![monitor(goal, guarded(truth, Vec::new()))]
            }
        };
        let checks = checks.into_iter().map(|check| {
            self.make_room(&mut model.monitor_scratch, check.parameters.len());
            model.add_monitor(check)
        });
        let monitors: Vec<MonitorId> = checks.collect();
        let kind = match goal.kind {
            GoalKind::Risk => PropertyKind::Invariant { monitors },
            GoalKind::Possible => PropertyKind::Cover {
                monitors,
                nodes: Vec::new(),
            },
            GoalKind::AlwaysPossible => PropertyKind::Reachable {
                monitors,
                demand: Demand::One,
            },
        };
        Property {
            name: goal.name.clone(),
            kind,
            span: goal.span,
        }
    }

    /// Checks that fail where the condition is true, one for each part of a disjunction, and one that fails where it has no value: it
    /// stands at a place of its own, as messages are found by places.
    fn risk(&self, goal: &Goal) -> Vec<Monitor> {
        let needs = |span| Binders::none(self.program).has_value(&goal.condition, span);
        let parts = match &goal.condition {
            Condition::Or(parts) if parts.len() <= limits::CHECKS => parts,
            whole => std::slice::from_ref(whole),
        };
        let check = |part| self.part_of_risk(goal, part, needs(goal.span));
        let mut checks: Vec<Monitor> = parts.iter().map(check).collect();
        if !needs(goal.span).is_empty() {
            let missing = join(BinaryOp::And, needs(goal.inside), goal.inside).negated();
            let message = "the risk condition has no value: it follows NULL or divides by zero";
            let step = guarded(missing, vec![fail(message)]);
            checks.push(Monitor {
                span: goal.inside,
                ..monitor(goal, step)
            });
        }
        checks
    }

    /// A check that fails where one part of a disjunction is true. The processes of its outermost quantifiers are parameters, as long as these are few
    /// choices.
    fn part_of_risk(&self, goal: &Goal, part: &Condition, needs: Vec<Expr>) -> Monitor {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut inside = part;
        let mut choices = 1;
        while let Condition::Quantified(Quantifier::Some, name, body) = inside {
            choices *= self.program.processes as usize;
            if choices > limits::CHECKS {
                break;
            }
            parameters.push(self.parameter(parameters.len(), name));
            inside = body;
        }
        let binders = Binders::parameters(self.program, parameters.len() as u32);
        let mut guard = needs;
        guard.push(binders.plain(inside, goal.span));
        let guard = join(BinaryOp::And, guard, goal.span);
        let step = guarded(guard, vec![fail("the risk condition is true")]);
        Monitor {
            parameters,
            ..monitor(goal, step)
        }
    }

    /// A parameter that is the address of a process.
    fn parameter(&self, number: usize, name: &Ident) -> Parameter {
        Parameter {
            name: name.name.to_string(),
            local: LocalId::from(number),
            values: Binders::none(self.program).addresses(),
            positions_of: None,
            span: name.span,
        }
    }

    /// Sees to it that there are variables for as many parameters.
    fn make_room(&self, scratch: &mut Vec<Variable>, parameters: usize) {
        for number in scratch.len()..parameters {
            scratch.push(Variable {
                name: format!("parameter{number}"),
                ty: Type::Scalar(pointer(self.program)),
                indices: Vec::new(),
                initial: Initial::Default,
                storage: Storage::Scratch,
                span: self.program.span,
            });
        }
    }
}

/// A check of a goal, without parameters.
fn monitor(goal: &Goal, step: Step) -> Monitor {
    Monitor {
        parameters: Vec::new(),
        step,
        text: goal.name.clone(),
        statement: 0,
        span: goal.span,
        twin: false,
    }
}

fn fail(message: &str) -> Effect {
    Effect::Fail {
        message: message.to_string(),
    }
}
