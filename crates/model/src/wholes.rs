//! Walks over the outermost expressions of a model, which stand in no other one.

use crate::expr::{Expr, Pattern, Place};
use crate::ids::NodeId;
use crate::model::UncheckedModel;
use crate::source::Span;
use crate::template::{Effect, Print, Routine, Step, Template};
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

impl Step {
    /// What the statement evaluates that has that place in the source, each as a whole; an assignment with the places that it looks up. Nothing if none has.
    pub fn evaluated_at(&self, span: Span) -> Vec<Expr> {
        let nodes = match self {
            Step::Routine(routine) => routine.nodes.as_slice(),
            _ => &[],
        };
        let inner = nodes.iter().flat_map(|node| &node.choices);
        let mut steps = std::iter::once(self).chain(inner.map(|choice| &choice.step));
        steps
            .find_map(|step| step.evaluated_in_one(span))
            .unwrap_or_default()
    }

    fn evaluated_in_one(&self, span: Span) -> Option<Vec<Expr>> {
        let has_place = |wholes: &[Expr]| wholes.iter().any(|w| w.any(|part| part.span == span));
        if let Step::Guarded { guard, effects } = self {
            let assigns_there = |effect: &&Effect| match effect {
                Effect::Assign { place, .. } => place.span == span,
                _ => false,
            };
            if let Some(assignment) = effects.iter().find(assigns_there) {
                return Some(wholes(|visit| assignment.each_whole(visit)));
            }
            let guard = std::iter::once(vec![guard.clone()]);
            let effects = effects.iter().map(|e| wholes(|visit| e.each_whole(visit)));
            return guard.chain(effects).find(|wholes| has_place(wholes));
        }
        let all = match self {
            Step::Routine(_) => Vec::new(),
            _ => wholes(|visit| self.each_whole(visit)),
        };
        has_place(&all).then_some(all)
    }
}

/// What is visited.
fn wholes(each: impl FnOnce(&mut dyn FnMut(&Expr))) -> Vec<Expr> {
    let mut wholes = Vec::new();
    each(&mut |whole| wholes.push(whole.clone()));
    wholes
}

impl Routine {
    /// The conditions that lead to where the routine fails: those that were not true at that node, or else those by which the node is reached.
    pub fn conditions_of_failure(&self, span: Span) -> Vec<Expr> {
        let fails = |step: &Step| match step {
            Step::Guarded { effects, .. } => {
                let mut effects = effects.iter();
                effects.any(|effect| matches!(effect, Effect::Fail { .. } | Effect::Insert(_)))
            }
            _ => false,
        };
        let mut nodes = (0..).map(NodeId).zip(&self.nodes);
        let found = nodes.find_map(|(id, node)| {
            let mut choices = node.choices.iter();
            let failing = choices.position(|c| c.span == span && fails(&c.step))?;
            Some((id, &node.choices[..failing]))
        });
        let Some((id, before)) = found else {
            return Vec::new();
        };
        let guards = |step: &Step| match step {
            Step::Guarded { guard, .. } => Some(guard.clone()),
            _ => None,
        };
        if !before.is_empty() {
            return before.iter().filter_map(|c| guards(&c.step)).collect();
        }
        let choices = self.nodes.iter().flat_map(|node| &node.choices);
        let leading = choices.filter(|choice| choice.next == Some(id));
        leading.filter_map(|choice| guards(&choice.step)).collect()
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
