//! The process that makes the states to start in and looks for what is asked.

use super::expr::{Binders, constant, join};
use super::{Lowering, SYSTEM, guarded, location, pointer};
use crate::ast::{Ident, Quantifier, Scope};
use crate::initial::Cells;
use crate::limits;
use crate::typed::{Condition, Goal, GoalKind, VariableId};
use mandala_model::expr::{BinaryOp, Expr, Place, Projection, Root};
use mandala_model::ids::{EdgeId, GlobalId, LocalId, LocationId};
use mandala_model::parameters::Parameter;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Effect, Role, Step, Template};
use mandala_model::types::{Initial, Storage, Type, Variable};

impl Lowering<'_> {
    /// The process, and what is asked.
    pub(super) fn system(&self, states: &[Cells]) -> (Template, Vec<Property>) {
        let span = self.program.span;
        let mut template = Template::empty("system", Role::Process, span);
        if let [_, _, ..] = states {
            template.edges = states.iter().map(|state| self.start(state)).collect();
            let edges = 0..states.len() as u32;
            let start = location(0, "start", edges, span);
            template.locations.push(start);
        }
        let first = template.edges.len() as u32;
        let goals = self.program.goals.iter();
        let properties = goals.map(|goal| self.goal(goal, &mut template)).collect();
        let number = template.locations.len() as u32;
        let edges = first..template.edges.len() as u32;
        let run = location(number, "run", edges, span);
        template.locations.push(run);
        (template, properties)
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
            target: LocationId(1),
            control: Control::Release,
            ..self.own_edge(0, guarded(always, effects), "initially")
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

    /// An edge that stays where it starts and only looks.
    fn own_edge(&self, location: u32, step: Step, text: &str) -> Edge {
        Edge {
            source: LocationId(location),
            target: LocationId(location),
            step,
            control: Control::Observe,
            escape: 0,
            text: text.to_string(),
            statement: 0,
            span: self.program.span,
            twin: false,
            parameters: Vec::new(),
        }
    }

    /// The edges that look for a goal, and what is asked of them.
    fn goal(&self, goal: &Goal, template: &mut Template) -> Property {
        let checks = match goal.kind {
            GoalKind::Risk => self.risk(goal),
            GoalKind::Possible | GoalKind::AlwaysPossible => {
                let truth = Binders::none(self.program).truth(&goal.condition, goal.span);
                vec![Look::new(guarded(truth, Vec::new()), goal.span)]
            }
        };
        let location = template.locations.len() as u32;
        let mut edges = Vec::new();
        for check in checks {
            self.make_room(template, check.parameters.len());
            edges.push(EdgeId {
                template: SYSTEM,
                index: template.edges.len() as u32,
            });
            template.edges.push(Edge {
                span: check.span,
                parameters: check.parameters,
                ..self.own_edge(location, check.step, &goal.name)
            });
        }
        let kind = match goal.kind {
            GoalKind::Risk => PropertyKind::Invariant { edges },
            GoalKind::Possible => PropertyKind::Cover {
                edges,
                nodes: Vec::new(),
            },
            GoalKind::AlwaysPossible => PropertyKind::Reachable { edges },
        };
        Property {
            name: goal.name.clone(),
            kind,
            span: goal.span,
        }
    }
}

/// An edge that looks for something.
struct Look {
    step: Step,
    span: Span,
    parameters: Vec<Parameter>,
}

impl Look {
    fn new(step: Step, span: Span) -> Look {
        Look {
            step,
            span,
            parameters: Vec::new(),
        }
    }
}

impl Lowering<'_> {
    /// Checks that fail where the condition is true, one for each part of a disjunction, and one that fails where it has no value: it
    /// stands at a place of its own, as messages are found by places.
    fn risk(&self, goal: &Goal) -> Vec<Look> {
        let needs = |span| Binders::none(self.program).has_value(&goal.condition, span);
        let parts = match &goal.condition {
            Condition::Or(parts) if parts.len() <= limits::CHECKS => parts,
            whole => std::slice::from_ref(whole),
        };
        let check = |part| self.part_of_risk(part, needs(goal.span), goal.span);
        let mut checks: Vec<Look> = parts.iter().map(check).collect();
        if !needs(goal.span).is_empty() {
            let missing = join(BinaryOp::And, needs(goal.inside), goal.inside).negated();
            let message = "the risk condition has no value: it follows NULL or divides by zero";
            let step = guarded(missing, vec![fail(message)]);
            checks.push(Look::new(step, goal.inside));
        }
        checks
    }

    /// A check that fails where one part of a disjunction is true. The processes of its outermost quantifiers are parameters, as long as these are few
    /// choices.
    fn part_of_risk(&self, part: &Condition, needs: Vec<Expr>, span: Span) -> Look {
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
        guard.push(binders.plain(inside, span));
        let guard = join(BinaryOp::And, guard, span);
        Look {
            step: guarded(guard, vec![fail("the risk condition is true")]),
            span,
            parameters,
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
    fn make_room(&self, template: &mut Template, parameters: usize) {
        for number in template.locals.len()..parameters {
            template.locals.push(Variable {
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

fn fail(message: &str) -> Effect {
    Effect::Fail {
        message: message.to_string(),
    }
}
