//! Conditions without each of which an edge cannot be taken.
//!
//! Where a guard is false, it is enough that one part of it is false and stays so. `a && b` has two parts, and who may make
//! the false one true is often fewer than who may change either. What the process is provided with is a part as well, and so is the body of an ordered `forall` for each of a
//! few values of its variable. (A strict one is evaluated as a whole: what fails for one value is met though the body is false for another.)

use crate::code::{Code, Entry};
use crate::compile::compile_conditions;
use crate::layout::Layout;
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind};
use mandala_model::ids::TemplateId;
use mandala_model::quantified::{Evaluation, Quantified, Quantifier};
use mandala_model::template::{Edge, Role, Step, Template};

/// A condition, and code that asks it.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub entry: Entry,
    pub expr: Expr,
}

/// The conditions of all edges of all templates. Adds the code that asks them.
pub(crate) fn conditions(
    model: &Model,
    layout: &Layout,
    code: &mut Code,
) -> Vec<Vec<Vec<Condition>>> {
    let conditions = model.runnables().map(|(id, template)| match template.role {
        Role::Process => of_template(model, layout, code, (id, template)),
        Role::Claim | Role::Events(_) | Role::Monitors => Vec::new(),
    });
    conditions.collect()
}

fn of_template(
    model: &Model,
    layout: &Layout,
    code: &mut Code,
    (id, template): (TemplateId, &Template),
) -> Vec<Vec<Condition>> {
    let edges = template.edges.iter();
    edges
        .map(|edge| {
            let exprs = parts(template, edge);
            let all: Vec<&Expr> = exprs.iter().collect();
            let entries = compile_conditions(model, layout, code, id, &all);
            let pairs = entries.into_iter().zip(exprs);
            let known =
                pairs.filter_map(|(entry, expr)| entry.map(|entry| Condition { entry, expr }));
            known.collect()
        })
        .collect()
}

/// Quantifiers over more values are one part.
const MOST_VALUES: u64 = 64;

/// What must hold for an edge to be possible, part by part, in the order in which they are asked.
fn parts(template: &Template, edge: &Edge) -> Vec<Expr> {
    let mut parts = Vec::new();
    let guards = template.provided.iter().chain(guard(&edge.step));
    guards.for_each(|guard| split(guard, &mut parts));
    parts
}

/// The guard of a step, if it has one that it cannot be taken without.
fn guard(step: &Step) -> Option<&Expr> {
    match step {
        Step::Guarded { guard, .. } => Some(guard),
        Step::Routine(routine) => match routine.nodes.first()?.choices.as_slice() {
            [only] => guard(&only.step),
            _ => None,
        },
        Step::Send { .. } | Step::Receive { .. } | Step::Else | Step::Exit | Step::Call(_) => None,
    }
}

fn split(guard: &Expr, parts: &mut Vec<Expr>) {
    let mut waiting = vec![guard];
    while let Some(part) = waiting.pop() {
        match &part.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => waiting.extend([&**right, &**left]),
            ExprKind::Quantified(quantified) if has_parts(quantified) => {
                let values = quantified.values.iter();
                values.for_each(|value| split(&quantified.member(value), parts));
            }
            _ => parts.push(part.clone()),
        }
    }
}

fn has_parts(quantified: &Quantified) -> bool {
    let stops = quantified.evaluation == Evaluation::Ordered;
    quantified.quantifier == Quantifier::ForAll && stops && quantified.members() <= MOST_VALUES
}
