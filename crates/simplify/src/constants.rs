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
use crate::visits::{Access, is_never_taken, step_accesses};
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::fold::fold;
use mandala_model::ids::{GlobalId, LocalId, TemplateId};
use mandala_model::state::Value;
use mandala_model::symmetry::VariableRef;
use mandala_model::template::{Edge, Role, Step, Template};
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
    /// How many edges can be seen never to be taken, which could not be seen before.
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
    let mut rewritten = UncheckedModel::clone(model);
    let idle_before = idle_edges(&rewritten);
    let mut replaced = BTreeSet::new();
    loop {
        let mut constants = constants(&rewritten);
        constants.retain(|variable, _| may_replace(*variable));
        let templates = (0..).map(TemplateId).zip(&mut rewritten.templates);
        let mut changed = false;
        // What an observer of messages waits for is written in edges that are never taken as such.
        for (id, template) in templates.filter(|(_, t)| !matches!(t.role, Role::Events(_))) {
            changed |= simplify(id, template, &constants, &mut replaced);
        }
        for condition in &mut rewritten.conditions {
            changed |= put_in(&mut condition.condition, &constants, &mut replaced);
        }
        if !changed {
            break;
        }
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

fn idle_edges(model: &UncheckedModel) -> usize {
    model.templates.iter().map(|t| idle(t).len()).sum()
}

fn name(model: &Model, variable: VariableRef) -> String {
    match variable {
        VariableRef::Global(id) => model.global(id).name.clone(),
        VariableRef::Local(template, id) => {
            let template = model.template(template);
            format!("{}:{}", template.name, template.locals[id.index()].name)
        }
    }
}

/// The variables that no step assigns to, with the numbers that they hold.
fn constants(model: &UncheckedModel) -> Constants {
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
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        for edge in &template.edges {
            step_accesses(&edge.step, &mut |access, place| {
                if access == Access::Write {
                    written(id, place).map(|variable| constants.remove(&variable));
                }
            });
        }
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

fn written(by: TemplateId, place: &Place) -> Option<VariableRef> {
    match &place.root {
        Root::Global(id) => Some(VariableRef::Global(*id)),
        Root::Local(id) => Some(VariableRef::Local(by, *id)),
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
    let mut changed = false;
    template.each_expr_mut(&mut |expr| {
        if let Some((variable, value)) = known(id, expr, constants) {
            expr.kind = ExprKind::Const(value);
            replaced.insert(variable);
            changed = true;
        }
        changed |= fold(expr);
    });
    for index in idle(template) {
        changed |= disable(&mut template.edges[index]);
    }
    changed
}

/// Puts numbers into a condition, whose local variables are no constants: an automaton chooses their values. Notes the variables
/// that were replaced, and says whether the condition is another.
fn put_in(
    condition: &mut Expr,
    constants: &Constants,
    replaced: &mut BTreeSet<VariableRef>,
) -> bool {
    let mut changed = false;
    condition.each_mut(&mut |expr| {
        if let ExprKind::Read(place) = &expr.kind
            && let Root::Global(id) = place.root
            && let Some(value) = constants.get(&VariableRef::Global(id))
        {
            replaced.insert(VariableRef::Global(id));
            expr.kind = ExprKind::Const(*value);
            changed = true;
        }
        changed |= fold(expr);
    });
    changed
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
            certain |= edge.escape == 0 && !edge.observes() && is_always_taken(&edge.step);
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

/// Takes out what an edge would do; says whether there was anything.
fn disable(edge: &mut Edge) -> bool {
    let nothing = Step::Guarded {
        guard: Expr::constant(0, edge.span),
        effects: Vec::new(),
    };
    let changed = edge.step != nothing;
    edge.step = nothing;
    changed
}
