//! Walks over all expressions of a model.

use crate::expr::{Expr, ExprKind, Pattern, Place, Projection, Root};
use crate::model::UncheckedModel;
use crate::template::{Effect, Print, Routine, Step, Template};
use crate::types::{Initial, Variable};

impl UncheckedModel {
    /// Calls `visit` on every expression of the model, parts before wholes.
    pub fn each_expr_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        for record in &mut self.records {
            record.fields.iter_mut().for_each(|v| variable(v, visit));
        }
        self.globals.iter_mut().for_each(|v| variable(v, visit));
        for function in &mut self.functions {
            function.locals.iter_mut().for_each(|v| variable(v, visit));
            routine(&mut function.body, visit);
        }
        self.templates.iter_mut().for_each(|t| template(t, visit));
        for monitor in &mut self.monitors {
            step(&mut monitor.step, visit);
        }
        for start in &mut self.start {
            exprs(&mut start.arguments, visit);
        }
        for condition in &mut self.conditions {
            expr(&mut condition.condition, visit);
        }
        for rewards in &mut self.rewards {
            rewards.each_whole_mut(&mut |e| expr(e, visit));
        }
    }
}

impl Expr {
    /// Calls `visit` on every part of the expression and then on the whole.
    pub fn each_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        expr(self, visit);
    }
}

impl Template {
    /// Calls `visit` on every expression of the template, parts before wholes.
    pub fn each_expr_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        template(self, visit);
    }
}

impl Step {
    /// Calls `visit` on every expression of the step, parts before wholes.
    pub fn each_expr_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        step(self, visit);
    }
}

impl Step {
    /// Calls `visit` on every place that the step writes to or passes to a function. What is inside of indices is not visited.
    pub fn each_target_mut(&mut self, visit: &mut impl FnMut(&mut Place)) {
        match self {
            Step::Guarded { effects, .. } => effects.iter_mut().for_each(|e| targets(e, visit)),
            Step::Receive { patterns, .. } => {
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        visit(place);
                    }
                }
            }
            Step::Routine(routine) => {
                let choices = routine.nodes.iter_mut().flat_map(|n| &mut n.choices);
                choices.for_each(|c| c.step.each_target_mut(visit));
            }
            Step::Call(call) => {
                let places = call.references.iter_mut().chain(&mut call.result);
                places.for_each(visit);
            }
            Step::Else | Step::Send { .. } | Step::Exit => {}
        }
    }
}

/// The places that an effect writes to.
fn targets(effect: &mut Effect, visit: &mut impl FnMut(&mut Place)) {
    match effect {
        Effect::Assign { place, .. } => visit(place),
        Effect::Spawn { result, .. } => result.iter_mut().for_each(visit),
        Effect::Insert(insertion) => {
            visit(&mut insertion.position);
            insertion
                .cells
                .iter_mut()
                .for_each(|(place, _)| visit(place));
        }
        Effect::Assert { .. }
        | Effect::Print { .. }
        | Effect::SetPriority { .. }
        | Effect::Fail { .. }
        | Effect::Abandon => {}
    }
}

impl Effect {
    /// Calls `visit` on every expression of the effect, parts before wholes.
    pub fn each_expr_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        effect(self, visit);
    }
}

fn exprs(list: &mut [Expr], visit: &mut impl FnMut(&mut Expr)) {
    list.iter_mut().for_each(|e| expr(e, visit));
}

fn variable(variable: &mut Variable, visit: &mut impl FnMut(&mut Expr)) {
    match &mut variable.initial {
        Initial::Fill(e) => expr(e, visit),
        Initial::List(list) => exprs(list, visit),
        Initial::Default | Initial::NewChannel(_) => {}
    }
}

fn template(template: &mut Template, visit: &mut impl FnMut(&mut Expr)) {
    template.locals.iter_mut().for_each(|v| variable(v, visit));
    if let Some(e) = &mut template.provided {
        expr(e, visit);
    }
    for edge in &mut template.edges {
        step(&mut edge.step, visit);
        if let Some(outcome) = &mut edge.outcome {
            outcome.weight.each_whole_mut(&mut |e| expr(e, visit));
        }
    }
}

fn step(step_: &mut Step, visit: &mut impl FnMut(&mut Expr)) {
    match step_ {
        Step::Guarded { guard, effects } => {
            expr(guard, visit);
            effects.iter_mut().for_each(|e| effect(e, visit));
        }
        Step::Send {
            channel, message, ..
        } => {
            expr(channel, visit);
            exprs(message, visit);
        }
        Step::Receive {
            channel, patterns, ..
        } => {
            expr(channel, visit);
            patterns.iter_mut().for_each(|p| pattern(p, visit));
        }
        Step::Routine(inner) => routine(inner, visit),
        Step::Call(call) => {
            exprs(&mut call.arguments, visit);
            let places = call.references.iter_mut().chain(&mut call.result);
            places.for_each(|p| place(p, visit));
        }
        Step::Else | Step::Exit => {}
    }
}

fn routine(routine: &mut Routine, visit: &mut impl FnMut(&mut Expr)) {
    let choices = routine.nodes.iter_mut().flat_map(|n| &mut n.choices);
    choices.for_each(|c| step(&mut c.step, visit));
}

fn effect(effect: &mut Effect, visit: &mut impl FnMut(&mut Expr)) {
    match effect {
        Effect::Assign { place: p, value } => {
            place(p, visit);
            expr(value, visit);
        }
        Effect::Assert { condition } => expr(condition, visit),
        Effect::Print {
            text: Print::Format { arguments, .. },
        } => exprs(arguments, visit),
        Effect::Print {
            text: Print::Name(e),
        } => expr(e, visit),
        Effect::Spawn {
            arguments, result, ..
        } => {
            exprs(arguments, visit);
            if let Some(p) = result {
                place(p, visit);
            }
        }
        Effect::SetPriority { process, priority } => {
            expr(process, visit);
            expr(priority, visit);
        }
        Effect::Fail { .. } | Effect::Abandon => {}
        Effect::Insert(insertion) => {
            expr(&mut insertion.has_room, visit);
            expr(&mut insertion.first_free, visit);
            place(&mut insertion.position, visit);
            for (p, value) in &mut insertion.cells {
                expr(value, visit);
                place(p, visit);
            }
        }
    }
}

fn pattern(pattern: &mut Pattern, visit: &mut impl FnMut(&mut Expr)) {
    match pattern {
        Pattern::Match(e) => expr(e, visit),
        Pattern::Bind(p) => place(p, visit),
        Pattern::Ignore => {}
    }
}

fn place(place: &mut Place, visit: &mut impl FnMut(&mut Expr)) {
    if let Root::Remote { process, .. } = &mut place.root {
        expr(process, visit);
    }
    for projection in &mut place.path {
        if let Projection::Index(index) = projection {
            expr(index, visit);
        }
    }
}

fn expr(e: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    match &mut e.kind {
        ExprKind::Const(_)
        | ExprKind::SelfId
        | ExprKind::ProcessCount
        | ExprKind::FirstInstance(_)
        | ExprKind::LastMover
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Accepting
        | ExprKind::Bound(_) => {}
        ExprKind::Read(p) => place(p, visit),
        ExprKind::Unary(_, a)
        | ExprKind::Enabled(a)
        | ExprKind::LocationNumber(a)
        | ExprKind::Priority(a)
        | ExprKind::Channel(_, a)
        | ExprKind::At { process: a, .. } => expr(a, visit),
        ExprKind::Binary(_, a, b) => {
            expr(a, visit);
            expr(b, visit);
        }
        ExprKind::Conditional(a, b, c) => {
            expr(a, visit);
            expr(b, visit);
            expr(c, visit);
        }
        ExprKind::Poll {
            channel, patterns, ..
        } => {
            expr(channel, visit);
            patterns.iter_mut().for_each(|p| pattern(p, visit));
        }
        ExprKind::Quantified(quantified) => expr(&mut quantified.body, visit),
    }
    visit(e);
}
