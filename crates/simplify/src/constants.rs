//! Variables that are never assigned become numbers, and what can never happen is taken out.
//!
//! A scalar variable that no step writes to and that starts with a number holds that number for ever, so reading it is the same as
//! writing the number. Then more operations have known results, conditions among them. An edge whose condition is the number 0
//! is never taken. Neither is one that starts at a location to which no edge leads that can be taken, nor an
//! `else` behind an edge that can always be. Edges that are never taken keep their places, but lose what they would have done;
//! so what they alone assigned to is never assigned, and it goes on from there until nothing changes.
//!
//! # Why verdicts carry over
//!
//! The states are the same, cell by cell, and so are the steps between them: an expression is replaced by a number only if it has that
//! value in every state of every run and cannot fail. What divides by zero or shifts too far is left alone, and of
//! `a && b` the right side goes only if the left one is false by itself.
//!
//! # Symmetry
//!
//! A variable that holds a name, like the process that is the leader for ever, is a cell that can be renamed with the process; a number in
//! the text cannot. So the caller says of each variable whether it may be replaced. Arrays are left as they are:
//! an element for each process is what symmetry lives from.

use crate::reverify::{RewriteDefect, reverify};
use crate::slots::first_value;
use crate::visits::{is_never_taken, step_targets};
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::fold::fold;
use mandala_model::ids::{GlobalId, LocalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::symmetry::VariableRef;
use mandala_model::template::{Role, Step, Template};
use mandala_model::types::{Scalar, Storage, Type, Variable};
use mandala_model::{Model, UncheckedModel};
use std::collections::{BTreeMap, BTreeSet};

/// A model with fewer variables to read and fewer things to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplified {
    /// The model.
    pub model: Model,
    /// The variables that were replaced by numbers, as a person names them.
    pub constants: BTreeSet<String>,
    /// How many edges can be seen never to be taken, and monitors never to hold or fail, which could not be seen before.
    pub idle_edges: usize,
}

/// The values of variables that never change.
type Constants = BTreeMap<VariableRef, Value>;

/// The model with numbers in place of variables that never change, or nothing if there are none and nothing more can be seen never
/// to happen. Only variables that `may_replace` admits are replaced.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn replace_constants(
    model: &Model,
    may_replace: &dyn Fn(VariableRef) -> bool,
) -> Result<Option<Simplified>, RewriteDefect> {
    let mut constants = constants(model, may_replace);
    if !reads_one(model, &constants) && !has_known_guard(model) && !has_idle_code(model) {
        return Ok(None);
    }
    let mut rewritten = UncheckedModel::clone(model);
    let idle_before = idle_edges(&rewritten);
    let mut replaced = BTreeSet::new();
    loop {
        let templates = (0..).map(TemplateId).zip(&mut rewritten.templates);
        let mut changed = false;
        // What an observer of messages waits for is written in edges that are never taken as such.
        for (id, template) in templates.filter(|(_, t)| !matches!(t.role, Role::Events(_))) {
            changed |= simplify(id, template, &constants, &mut replaced);
        }
        for condition in &mut rewritten.conditions {
            let known = |expr: &Expr| known_global(expr, &constants);
            let mut put_in = PutIn::new(&known, &mut replaced);
            condition.condition.each_mut(&mut |expr| put_in.visit(expr));
            changed |= put_in.changed;
        }
        for monitor in &mut rewritten.monitors {
            let known = |expr: &Expr| known_global(expr, &constants);
            let mut put_in = PutIn::new(&known, &mut replaced);
            monitor.step.each_expr_mut(&mut |expr| put_in.visit(expr));
            changed |= put_in.changed;
            if is_never_taken(&monitor.step) {
                changed |= disable(&mut monitor.step, monitor.span);
            }
        }
        if !changed {
            break;
        }
        constants = self::constants(&rewritten, may_replace);
    }
    let idle_edges = idle_edges(&rewritten).saturating_sub(idle_before);
    if replaced.is_empty() && idle_edges == 0 {
        return Ok(None);
    }
    let constants = replaced.into_iter().map(|v| name(model, v)).collect();
    Ok(Some(Simplified {
        model: reverify("the replacement of constants", rewritten)?,
        constants,
        idle_edges,
    }))
}

/// Whether an expression of the model reads one of the variables.
fn reads_one(model: &Model, constants: &Constants) -> bool {
    let mut found = false;
    if constants.is_empty() {
        return found;
    }
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        template.each_whole(&mut |whole| {
            whole.walk(&mut |expr| found |= known(id, expr, constants).is_some());
        });
    }
    let mut look = |whole: &Expr| {
        whole.walk(&mut |expr| found |= known_global(expr, constants).is_some());
    };
    for condition in &model.conditions {
        look(&condition.condition);
    }
    for monitor in &model.monitors {
        monitor.step.each_whole(&mut look);
    }
    found
}

/// Whether the guard of an edge or a monitor is a number once it is folded, which it is not yet. Where that is not so, nothing is taken out and no
/// variable is replaced, nothing more can be seen never to happen, however much is folded elsewhere.
fn has_known_guard(model: &Model) -> bool {
    let edges = model.templates.iter().flat_map(|t| &t.edges);
    let steps = edges.map(|edge| &edge.step);
    let mut steps = steps.chain(model.monitors.iter().map(|monitor| &monitor.step));
    steps.any(|step| match step {
        Step::Guarded { guard, .. } if guard.as_constant().is_none() => {
            let mut folded = guard.clone();
            folded.each_mut(&mut |expr| {
                fold(expr);
            });
            folded.as_constant().is_some()
        }
        _ => false,
    })
}

/// Whether an edge or a monitor would do something but never does. What it alone assigns to may be a constant.
fn has_idle_code(model: &Model) -> bool {
    let templates = model.templates.iter();
    let mut templates = templates.filter(|t| !matches!(t.role, Role::Events(_)));
    let mut monitors = model.monitors.iter().map(|monitor| &monitor.step);
    templates.any(|t| {
        idle(t)
            .into_iter()
            .any(|edge| !is_empty(&t.edges[edge].step))
    }) || monitors.any(|step| is_never_taken(step) && !is_empty(step))
}

/// How many edges are never taken, and how many monitors never hold or fail.
fn idle_edges(model: &UncheckedModel) -> usize {
    let edges: usize = model.templates.iter().map(|t| idle(t).len()).sum();
    let monitors = model.monitors.iter();
    edges + monitors.filter(|m| is_never_taken(&m.step)).count()
}

fn name(model: &Model, variable: VariableRef) -> String {
    match variable {
        VariableRef::Global(id) => model.global(id).name.clone(),
        VariableRef::Local(template, id) => {
            let template = model.template(template);
            format!("{}:{}", template.name, template.locals[id.index()].name)
        }
        VariableRef::Monitor(id) => model.monitor_scratch[id.index()].name.clone(),
    }
}

/// The variables that may be replaced and no step assigns to, with the numbers that they hold.
fn constants(model: &UncheckedModel, may_replace: &dyn Fn(VariableRef) -> bool) -> Constants {
    let mut constants = Constants::new();
    for (id, global) in (0..).map(GlobalId).zip(&model.globals) {
        let value = first_number(global);
        constants.extend(value.map(|value| (VariableRef::Global(id), value)));
    }
    for (template_id, template) in (0..).map(TemplateId).zip(&model.templates) {
        let locals = (0..).map(LocalId).zip(&template.locals);
        for (id, local) in locals.skip(template.parameters as usize) {
            let value = first_number(local);
            let variable = VariableRef::Local(template_id, id);
            constants.extend(value.map(|value| (variable, value)));
        }
    }
    constants.retain(|variable, _| may_replace(*variable));
    let templates = (0..).map(TemplateId).zip(&model.templates);
    let edges = templates.flat_map(|(id, t)| t.edges.iter().map(move |e| (Some(id), &e.step)));
    let monitors = model.monitors.iter().map(|monitor| (None, &monitor.step));
    for (by, step) in edges.chain(monitors) {
        // Most models have none, and the first few edges say so.
        if constants.is_empty() {
            break;
        }
        remove_written(step, by, &mut constants);
    }
    constants
}

/// The number that a scalar variable starts with. One that is no part of the state is set before it is read.
fn first_number(variable: &Variable) -> Option<Value> {
    let Type::Scalar(scalar) = variable.ty else {
        return None;
    };
    if variable.storage != Storage::State || matches!(scalar, Scalar::Channel | Scalar::Id(_)) {
        return None;
    }
    first_value(&variable.initial, scalar)
}

/// A variable that a step of a template, or of a monitor, assigns to is no constant.
fn remove_written(step: &Step, by: Option<TemplateId>, constants: &mut Constants) {
    step_targets(step, &mut |place| {
        written(by, place).map(|variable| constants.remove(&variable));
    });
}

fn written(by: Option<TemplateId>, place: &Place) -> Option<VariableRef> {
    match &place.root {
        Root::Global(id) => Some(VariableRef::Global(*id)),
        Root::Local(id) => by.map(|by| VariableRef::Local(by, *id)),
        Root::Remote {
            template, local, ..
        } => Some(VariableRef::Local(*template, *local)),
        Root::OwnPriority | Root::Reference(_) => None,
    }
}

/// Puts numbers in and takes out what can never happen; notes the variables that were replaced. Says whether anything is another.
fn simplify(
    id: TemplateId,
    template: &mut Template,
    constants: &Constants,
    replaced: &mut BTreeSet<VariableRef>,
) -> bool {
    let known = |expr: &Expr| known(id, expr, constants);
    let mut put_in = PutIn::new(&known, replaced);
    template.each_expr_mut(&mut |expr| put_in.visit(expr));
    let mut changed = put_in.changed;
    for index in idle(template) {
        let edge = &mut template.edges[index];
        changed |= disable(&mut edge.step, edge.span);
    }
    changed
}

/// Puts numbers into expressions, and notes the variables that were replaced.
struct PutIn<'a> {
    /// The variable that an expression is, and its value, if that is known.
    known: &'a dyn Fn(&Expr) -> Option<(VariableRef, Value)>,
    replaced: &'a mut BTreeSet<VariableRef>,
    /// Whether an expression is another.
    changed: bool,
}

impl<'a> PutIn<'a> {
    fn new(
        known: &'a dyn Fn(&Expr) -> Option<(VariableRef, Value)>,
        replaced: &'a mut BTreeSet<VariableRef>,
    ) -> Self {
        PutIn {
            known,
            replaced,
            changed: false,
        }
    }

    /// Looks at an expression whose parts have been visited.
    fn visit(&mut self, expr: &mut Expr) {
        if let Some((variable, value)) = (self.known)(expr) {
            self.replaced.insert(variable);
            expr.kind = ExprKind::Const(value);
            self.changed = true;
        }
        self.changed |= fold(expr);
    }
}

/// The value of a global. Local variables of conditions and monitors are no constants: an automaton chooses their values, or they hold something
/// only during the evaluation.
fn known_global(expr: &Expr, constants: &Constants) -> Option<(VariableRef, Value)> {
    let ExprKind::Read(place) = &expr.kind else {
        return None;
    };
    let Root::Global(id) = place.root else {
        return None;
    };
    let variable = VariableRef::Global(id);
    constants.get(&variable).map(|value| (variable, *value))
}

fn known(id: TemplateId, expr: &Expr, constants: &Constants) -> Option<(VariableRef, Value)> {
    let ExprKind::Read(place) = &expr.kind else {
        return None;
    };
    let variable = match place.root {
        Root::Global(id) => VariableRef::Global(id),
        Root::Local(local) => VariableRef::Local(id, local),
        // That reads as 0 if there is no such process.
        Root::Remote { .. } | Root::OwnPriority | Root::Reference(_) => return None,
    };
    let value = constants.get(&variable)?;
    Some((variable, *value))
}

/// The edges that are never taken, for all that can be seen.
fn idle(template: &Template) -> Vec<usize> {
    let mut reached = BTreeSet::from([template.entry]);
    let mut open = vec![template.entry];
    let mut possible = vec![false; template.edges.len()];
    while let Some(location) = open.pop() {
        let mut certain = false;
        for (index, edge) in template.edges_from(location) {
            if is_never_taken(&edge.step) || (certain && edge.step == Step::Else) {
                continue;
            }
            certain |= edge.escape == 0 && is_always_taken(&edge.step);
            possible[index as usize] = true;
            if reached.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    let edges = 0..template.edges.len();
    edges.filter(|index| !possible[*index]).collect()
}

fn is_always_taken(step: &Step) -> bool {
    matches!(step, Step::Guarded { guard, .. } if guard.as_constant().is_some_and(|v| v != 0))
}

/// Whether nothing of what an edge or a monitor would do is left.
fn is_empty(step: &Step) -> bool {
    is_never_taken(step) && matches!(step, Step::Guarded { effects, .. } if effects.is_empty())
}

/// Takes out what an edge or a monitor would do; says whether there was anything.
fn disable(step: &mut Step, span: Span) -> bool {
    if is_empty(step) {
        return false;
    }
    *step = Step::Guarded {
        guard: Expr::constant(0, span),
        effects: Vec::new(),
    };
    true
}
