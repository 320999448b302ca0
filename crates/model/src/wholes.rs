//! Walks over the outermost expressions of a model, which stand in no other one.

use crate::expr::{Expr, Pattern, Place};
use crate::model::UncheckedModel;
use crate::template::{Effect, Print, Step, Template};
use crate::types::{Initial, Variable};

impl UncheckedModel {
    /// Calls `visit` on every outermost expression of the model.
    pub fn each_whole(&self, visit: &mut dyn FnMut(&Expr)) {
        let fields = self.records.iter().flat_map(|record| &record.fields);
        fields.chain(&self.globals).for_each(|v| variable(v, visit));
        self.templates.iter().for_each(|t| t.each_whole(visit));
        self.monitors.iter().for_each(|m| m.step.each_whole(visit));
        let bodies = self.function_nodes().flat_map(|node| &node.choices);
        bodies.for_each(|choice| choice.step.each_whole(visit));
        let arguments = self.start.iter().flat_map(|start| &start.arguments);
        arguments.for_each(&mut *visit);
        let conditions = self.conditions.iter().map(|c| &c.condition);
        conditions.for_each(&mut *visit);
        self.rewards.iter().for_each(|r| r.each_whole(visit));
    }
}

impl Template {
    /// Calls `visit` on every outermost expression of the template.
    pub fn each_whole(&self, visit: &mut dyn FnMut(&Expr)) {
        self.locals.iter().for_each(|v| variable(v, visit));
        self.provided.iter().for_each(&mut *visit);
        for edge in &self.edges {
            edge.step.each_whole(visit);
            if let Some(outcome) = &edge.outcome {
                outcome.weight.each_whole(visit);
            }
        }
    }
}

impl Step {
    /// Calls `visit` on every outermost expression of the step.
    pub fn each_whole(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Step::Guarded { guard, effects } => {
                visit(guard);
                effects.iter().for_each(|e| e.each_whole(visit));
            }
            Step::Send {
                channel, message, ..
            } => {
                visit(channel);
                message.iter().for_each(visit);
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                visit(channel);
                patterns.iter().for_each(|p| pattern(p, visit));
            }
            Step::Routine(routine) => {
                let choices = routine.nodes.iter().flat_map(|n| &n.choices);
                choices.for_each(|c| c.step.each_whole(visit));
            }
            Step::Call(call) => {
                call.arguments.iter().for_each(&mut *visit);
                let passed = call.references.iter().chain(&call.result);
                passed.for_each(|p| place(p, visit));
            }
            Step::Else | Step::Exit => {}
        }
    }
}

impl Effect {
    /// Calls `visit` on every outermost expression of the effect.
    pub fn each_whole(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Effect::Assign { place: p, value } => {
                place(p, visit);
                visit(value);
            }
            Effect::Assert { condition } => visit(condition),
            Effect::Print {
                text: Print::Format { arguments, .. },
            } => arguments.iter().for_each(visit),
            Effect::Print {
                text: Print::Name(e),
            } => visit(e),
            Effect::Spawn {
                arguments, result, ..
            } => {
                arguments.iter().for_each(&mut *visit);
                result.iter().for_each(|p| place(p, visit));
            }
            Effect::SetPriority { process, priority } => {
                visit(process);
                visit(priority);
            }
            Effect::Fail { .. } | Effect::Abandon => {}
            Effect::Insert(insertion) => {
                visit(&insertion.has_room);
                visit(&insertion.first_free);
                place(&insertion.position, visit);
                for (p, value) in &insertion.cells {
                    visit(value);
                    place(p, visit);
                }
            }
        }
    }
}

fn variable(variable: &Variable, visit: &mut dyn FnMut(&Expr)) {
    match &variable.initial {
        Initial::Fill(e) => visit(e),
        Initial::List(list) => list.iter().for_each(visit),
        Initial::Default | Initial::NewChannel(_) => {}
    }
}

fn pattern(pattern: &Pattern, mut visit: &mut dyn FnMut(&Expr)) {
    pattern.each_part(&mut visit);
}

fn place(place: &Place, mut visit: &mut dyn FnMut(&Expr)) {
    place.each_part(&mut visit);
}
