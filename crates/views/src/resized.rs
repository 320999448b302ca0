//! The same model with another number of members.
//!
//! Only what a type says to be of the family is changed: the set, arrays that it indexes, the values of parameters, quantifiers and loops that go through it, and how large
//! a member may be; or how often a process is made. If that makes of a model with one number of members what the front end makes for another number, nothing else
//! depends on the number.

use crate::family::{Family, SizedModel};
use crate::refusal::{Condition, Refused};
use mandala_model::UncheckedModel;
use mandala_model::expr::{Expr, ExprKind, Root};
use mandala_model::ids::LocalId;
use mandala_model::loops::Loop;
use mandala_model::parameters::{Parameter, Progression, Values};
use mandala_model::source::Span;
use mandala_model::template::{Effect, Routine, Step};
use mandala_model::types::{ArrayIndex, Scalar, Type, Variable};
use std::collections::BTreeSet;

/// Whether a cell may hold a member that is not among those that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    /// No: the model is one of the user.
    Never,
    /// Yes, and it is the number behind the last one. To follow it is an index outside of the array.
    Possible,
}

/// How much room the variable that counts the rounds of a loop has: front ends give it as much as its loops need, which depends on the family.
const ROUNDS: i64 = 1 << 20;

/// The model with so many members.
pub fn sized_model(base: SizedModel<'_>, family: &Family, size: u32) -> UncheckedModel {
    resized(base, family, size, Outside::Never)
}

/// The model whose states are the configurations of so many members: a cell that holds a member may hold one that is left out, the number behind the last one.
pub fn configuration_model(base: SizedModel<'_>, family: &Family, size: u32) -> UncheckedModel {
    resized(base, family, size, Outside::Possible)
}

struct Resizing<'f> {
    family: &'f Family,
    from: u32,
    to: u32,
    outside: Outside,
}

/// The model with another number of members.
pub(crate) fn resized(
    sized: SizedModel<'_>,
    family: &Family,
    to: u32,
    outside: Outside,
) -> UncheckedModel {
    let mut model = sized.model.clone();
    let resizing = Resizing {
        family,
        from: sized.size,
        to,
        outside,
    };
    match family {
        Family::Names { set, .. } => resizing.names(&mut model, *set),
        Family::Processes(template) => {
            let is_one = |p: &mandala_model::model::StartProcess| p.template == *template;
            let at = model.start.iter().position(is_one).unwrap_or(0);
            let one = model.start.get(at).cloned();
            model.start.retain(|process| !is_one(process));
            for _ in 0..to {
                model.start.splice(at..at, one.clone());
            }
        }
    }
    with_room(&mut model);
    model
}

impl Resizing<'_> {
    fn names(&self, model: &mut UncheckedModel, set: usize) {
        // Which values are members is read off types, so those of code come first.
        for template in &mut model.templates {
            let locals = &template.locals;
            for edge in &mut template.edges {
                self.parameters(&mut edge.parameters, locals);
                self.step(&mut edge.step, locals);
            }
        }
        for monitor in &mut model.monitors {
            self.parameters(&mut monitor.parameters, &model.monitor_scratch);
            self.step(&mut monitor.step, &model.monitor_scratch);
        }
        for function in &mut model.functions {
            self.routine(&mut function.body, &function.locals);
        }
        model.each_expr_mut(&mut |e| self.quantifier(e));
        each_variable(model, &mut |variable| {
            let Variable { ty, indices, .. } = variable;
            self.ty(ty, indices);
        });
        model.scalarsets[set].size = self.to;
    }

    fn ty(&self, ty: &mut Type, indices: &[ArrayIndex]) {
        match ty {
            Type::Scalar(scalar) => *scalar = self.scalar(*scalar),
            Type::Record(_) => {}
            Type::Array { element, length } => {
                if self.family.indexes(indices.first()) {
                    *length = *length + self.to - self.from;
                }
                self.ty(element, indices.get(1..).unwrap_or(&[]));
            }
        }
    }

    fn scalar(&self, scalar: Scalar) -> Scalar {
        match scalar {
            Scalar::Coded { coding, max }
                if self.family.is_member(scalar) && max == i64::from(self.from) =>
            {
                let more = i64::from(self.outside == Outside::Possible);
                let max = i64::from(self.to) + more;
                Scalar::Coded { coding, max }
            }
            other => other,
        }
    }

    fn values(&self, values: &mut Values) {
        if values.0 == [Progression::range(1, self.from)] {
            values.0 = vec![Progression::range(1, self.to)];
        }
    }

    fn parameters(&self, parameters: &mut [Parameter], locals: &[Variable]) {
        for parameter in parameters {
            if self.family.is_held_by(&locals[parameter.local.index()]) {
                self.values(&mut parameter.values);
            }
        }
    }

    fn quantifier(&self, e: &mut Expr) {
        if let ExprKind::Quantified(quantified) = &mut e.kind
            && self.family.is_member(quantified.variable.scalar)
        {
            self.values(&mut quantified.values);
            quantified.variable.scalar = self.scalar(quantified.variable.scalar);
        }
    }

    fn step(&self, step: &mut Step, locals: &[Variable]) {
        if let Step::Routine(routine) = step {
            self.routine(routine, locals);
        }
    }

    fn routine(&self, routine: &mut Routine, locals: &[Variable]) {
        for each in &mut routine.loops {
            if !self.family.is_held_by(&locals[each.variable.index()]) {
                continue;
            }
            self.values(&mut each.values);
            let head = &mut routine.nodes[each.head.index()];
            let choice = head.choices.first_mut();
            if let Some(Step::Guarded { guard, effects }) = choice.map(|choice| &mut choice.step) {
                rewrite_head(each, guard, effects);
            }
        }
    }
}

/// The head of a loop for the values that it has now, at the places in the source that it had.
fn rewrite_head(each: &Loop, guard: &mut Expr, effects: &mut [Effect]) {
    *guard = each.goes_on();
    let next = each.takes_next();
    for (effect, next) in effects.iter_mut().zip(next) {
        *effect = next;
    }
}

/// Calls `visit` on all variables, parameters and fields of records.
fn each_variable(model: &mut UncheckedModel, visit: &mut impl FnMut(&mut Variable)) {
    let fields = model.records.iter_mut().flat_map(|r| &mut r.fields);
    let globals = model.globals.iter_mut();
    fields.chain(globals).for_each(&mut *visit);
    for function in &mut model.functions {
        let all = function.locals.iter_mut().chain(&mut function.references);
        all.for_each(&mut *visit);
    }
    let locals = model.templates.iter_mut().flat_map(|t| &mut t.locals);
    locals.chain(&mut model.monitor_scratch).for_each(visit);
}

/// Gives the variables that count rounds all the same room, and those that nothing uses.
fn with_room(model: &mut UncheckedModel) {
    for template in &mut model.templates {
        let steps = template.edges.iter().map(|edge| &edge.step);
        give_room(&steps.cloned().collect::<Vec<_>>(), &mut template.locals);
    }
    let steps = model.monitors.iter().map(|monitor| &monitor.step);
    give_room(
        &steps.cloned().collect::<Vec<_>>(),
        &mut model.monitor_scratch,
    );
    for function in &mut model.functions {
        give_room(
            &[Step::Routine(function.body.clone())],
            &mut function.locals,
        );
    }
}

fn give_room(steps: &[Step], locals: &mut [Variable]) {
    let mut used: BTreeSet<LocalId> = BTreeSet::new();
    let mut counts: BTreeSet<LocalId> = BTreeSet::new();
    for step in steps {
        let mut step = step.clone();
        step.each_expr_mut(&mut |e| {
            if let ExprKind::Read(place) = &e.kind
                && let Root::Local(local) = place.root
            {
                used.insert(local);
            }
        });
        step.each_target_mut(&mut |place| {
            if let Root::Local(local) = place.root {
                used.insert(local);
            }
        });
        if let Step::Routine(routine) = &step {
            counts.extend(routine.loops.iter().map(|each| each.position));
        }
    }
    for (local, variable) in (0..).map(LocalId).zip(locals) {
        let is_free = counts.contains(&local) || !used.contains(&local);
        if let (true, Type::Scalar(Scalar::Range { min: 0, max })) = (is_free, &mut variable.ty) {
            *max = ROUNDS;
        }
    }
}

/// Refuses models that differ in more than the number of members. `constant` is the name of what says it.
///
/// # Errors
///
/// The first place where they do.
pub fn require_alike(
    models: &[SizedModel<'_>],
    family: &Family,
    constant: &str,
) -> Result<(), Refused> {
    let Some((first, others)) = models.split_first() else {
        return Ok(());
    };
    for other in others {
        let expected = resized(*first, family, other.size, Outside::Never);
        let mut found = other.model.clone();
        with_room(&mut found);
        if expected != found {
            let (what, span) = difference(&expected, &found);
            let message = format!("{what} depends on `{constant}`");
            return Err(Refused {
                condition: Condition::Size,
                message,
                span,
            });
        }
    }
    Ok(())
}

/// What two models differ in first, and where it stands.
fn difference(one: &UncheckedModel, other: &UncheckedModel) -> (String, Option<Span>) {
    let variables = |model: &UncheckedModel| -> Vec<Variable> {
        let mut all = Vec::new();
        each_variable(&mut model.clone(), &mut |v| all.push(v.clone()));
        all
    };
    let (ours, theirs) = (variables(one), variables(other));
    if let Some((variable, _)) = ours.iter().zip(&theirs).find(|(a, b)| a != b) {
        return (format!("`{}`", variable.name), Some(variable.span));
    }
    for (ours, theirs) in one.channel_kinds.iter().zip(&other.channel_kinds) {
        if ours != theirs {
            return ("a channel".into(), Some(ours.span));
        }
    }
    let (ours, theirs) = (code(one), code(other));
    for ((step, span, text), (their_step, their_span, _)) in ours.iter().zip(&theirs) {
        if (step, span) != (their_step, their_span) {
            let at = first_constant(step, their_step).unwrap_or(*span);
            return (format!("`{text}`"), Some(at));
        }
    }
    ("the model".into(), ours.first().map(|(_, span, _)| *span))
}

/// All code of a model, with its place and its text.
fn code(model: &UncheckedModel) -> Vec<(Step, Span, String)> {
    let edges = model.templates.iter().flat_map(|t| &t.edges);
    let edges = edges.map(|e| (e.step.clone(), e.span, e.text.clone()));
    let monitors = model.monitors.iter();
    let monitors = monitors.map(|m| (m.step.clone(), m.span, m.text.clone()));
    let functions = model.functions.iter();
    let functions = functions.map(|f| (Step::Routine(f.body.clone()), f.span, f.name.clone()));
    functions.chain(edges).chain(monitors).collect()
}

/// The place of the first number that differs.
fn first_constant(one: &Step, other: &Step) -> Option<Span> {
    let constants = |step: &Step| {
        let mut found = Vec::new();
        step.clone().each_expr_mut(&mut |e| {
            if let ExprKind::Const(value) = e.kind {
                found.push((value, e.span));
            }
        });
        found
    };
    let (ours, theirs) = (constants(one), constants(other));
    let differing = ours.iter().zip(&theirs).find(|(a, b)| a.0 != b.0);
    differing.map(|((_, span), _)| *span)
}
