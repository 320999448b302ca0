//! The cost of properties in symmetry: an assertion that names a single process leaves only the permutations that fix it.
//!
//! The system alone, with nothing asserted and nobody watching, may have a larger group than the one that a check can
//! use. Here the two are compared, and the assertions are found that make the difference by themselves. Nothing depends on it
//! but what people are told.

use crate::compiled::CompiledModel;
use crate::effort::PropertyCost;
use crate::found::{Aim, Found};
use crate::prepared::Prepared;
use mandala_groups::BigUint;
use mandala_model::expr::Expr;
use mandala_model::function::CALL;
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::template::{Effect, Role, Step};
use mandala_model::{Model, UncheckedModel};
use mandala_simplify::{RewriteDefect, reverify};
use mandala_symmetry::ProofBudget;
use std::sync::Arc;

/// How many assertions are looked at one by one.
const MOST_ASSERTIONS: usize = 16;

/// What the properties cost that leave what is found of a model; nothing if the system alone has no more. `system` is what is known of the same model where nobody watches.
///
/// # Errors
///
/// If the verifier refuses the model without its assertions.
pub fn cost(
    model: &Model,
    aim: Aim,
    found: &Found,
    system: Option<&Prepared>,
    budget: &ProofBudget,
) -> Result<Option<PropertyCost>, RewriteDefect> {
    let nobody = Aim {
        observers: Observers::default(),
        ..aim
    };
    let spans = assertions(model);
    if spans.is_empty() && aim == nobody {
        return Ok(None);
    }
    // Who watches may keep a model from being put into other words, assertions do not.
    let (model, order_of): (&Model, OrderOf) = match aim == nobody {
        true => (&found.freest.model, order_on),
        false => (model, order_of_best),
    };
    let bare = compiled(asserting(model, &[])?);
    let system = system.filter(|_| Aim::plain(Observers::default()) == nobody);
    let alone = match system {
        Some(system) => system.order_alone(),
        None => order_of(&bare, nobody, budget)?,
    };
    if alone <= found.order() {
        return Ok(None);
    }
    let mut blamed = Vec::new();
    match system {
        Some(system) => {
            let known = system.account.property_cost.iter();
            blamed.extend(known.flat_map(|cost| &cost.assertions));
        }
        None => {
            for span in spans.into_iter().take(MOST_ASSERTIONS) {
                let one = asserting(model, &[span])?;
                if order_of(&compiled(one), nobody, budget)? < alone {
                    blamed.push(span);
                }
            }
        }
    }
    // If no assertion costs anything, those who watch do.
    let observers = aim != nobody && (blamed.is_empty() || order_of(&bare, aim, budget)? < alone);
    Ok(Some(PropertyCost {
        assertions: blamed,
        observers,
        order: alone,
    }))
}

/// How many elements the group of a model has.
type OrderOf = fn(&Arc<CompiledModel>, Aim, &ProofBudget) -> Result<BigUint, RewriteDefect>;

fn compiled(model: Model) -> Arc<CompiledModel> {
    Arc::new(CompiledModel::new(Arc::new(model)))
}

/// Of exactly that one.
fn order_on(
    model: &Arc<CompiledModel>,
    aim: Aim,
    budget: &ProofBudget,
) -> Result<BigUint, RewriteDefect> {
    Ok(Found::on(Arc::clone(model), aim, budget).order())
}

/// Of that one, or of the same in other words.
fn order_of_best(
    model: &Arc<CompiledModel>,
    aim: Aim,
    budget: &ProofBudget,
) -> Result<BigUint, RewriteDefect> {
    Ok(Found::best(model, aim, budget)?.order())
}

/// The model with these assertions and no others: in place of the others nothing is asserted.
fn asserting(model: &Model, kept: &[Span]) -> Result<Model, RewriteDefect> {
    let mut model = UncheckedModel::clone(model);
    each_assertion(&mut model, &mut |condition| {
        if !kept.contains(&condition.span) {
            *condition = Expr::constant(1, condition.span);
        }
    });
    reverify("the removal of assertions", model)
}

/// Where the assertions of processes and monitors are.
fn assertions(model: &Model) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut model = UncheckedModel::clone(model);
    each_assertion(&mut model, &mut |condition| {
        if !spans.contains(&condition.span) {
            spans.push(condition.span);
        }
    });
    spans
}

fn each_assertion(model: &mut UncheckedModel, visit: &mut impl FnMut(&mut Expr)) {
    let templates = model.templates.iter_mut();
    let processes = templates.filter(|t| t.role == Role::Process);
    let edges = processes.flat_map(|t| &mut t.edges);
    let monitors = model.monitors.iter_mut().map(|monitor| &mut monitor.step);
    for step in edges.map(|edge| &mut edge.step).chain(monitors) {
        asserted(step, visit);
    }
}

fn asserted(step: &mut Step, visit: &mut impl FnMut(&mut Expr)) {
    match step {
        Step::Guarded { effects, .. } => {
            for effect in effects {
                if let Effect::Assert { condition } = effect {
                    visit(condition);
                }
            }
        }
        Step::Routine(routine) => {
            let choices = routine.nodes.iter_mut().flat_map(|n| &mut n.choices);
            choices.for_each(|choice| asserted(&mut choice.step, visit));
        }
        Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit => {}
        Step::Call(_) => unreachable!("{CALL}"),
    }
}
