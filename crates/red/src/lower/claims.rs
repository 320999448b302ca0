//! Lowering of properties of runs.

use super::expr::Binders;
use super::pointer;
use crate::ast::Ident;
use crate::typed::{Claim, ClaimKind, Program, Proposition};
use mandala_formulas::prefix::Logic;
use mandala_formulas::{Indices, Written, add_automaton, add_branching, add_linear};
use mandala_model::UncheckedModel;
use mandala_model::expr::Expr;
use mandala_model::findings::Fallible;
use mandala_model::property::Condition;
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_model::types::{Initial, Storage, Type, Variable};

/// Adds a claim of the program to the model.
pub(crate) fn add(model: &mut UncheckedModel, program: &Program, claim: &Claim) -> Fallible<()> {
    let span = claim.span;
    let name = claim.name.clone();
    match &claim.kind {
        ClaimKind::Formula(logic, formula) => {
            let formula = lowered(program, formula)?;
            add_formula(model, (name, *logic), &formula, Indices::default(), span)
        }
        ClaimKind::ForEach(logic, names, formula) => {
            let formula = lowered(program, formula)?;
            let all: Vec<i64> = (1..=i64::from(program.processes)).collect();
            let indices = Indices {
                variables: names.iter().map(|name| variable(program, name)).collect(),
                values: vec![all; names.len()],
            };
            add_formula(model, (name, *logic), &formula, indices, span)
        }
        ClaimKind::Automaton(automaton, conditions) => {
            let none = Binders::none(program);
            let conditions = conditions.iter().map(|p| none.truth(&p.condition, span));
            let conditions: Vec<Expr> = conditions.collect();
            add_automaton(model, name, automaton, &conditions, span)
        }
    }
}

fn add_formula(
    model: &mut UncheckedModel,
    (name, logic): (String, Logic),
    formula: &Written,
    indices: Indices,
    span: Span,
) -> Fallible<()> {
    match logic {
        Logic::Linear => add_linear(model, name, formula, indices, span),
        Logic::Branching => add_branching(model, name, StatedForm::Ctl, formula, indices),
    }
}

fn lowered(program: &Program, formula: &Written<Proposition>) -> Fallible<Written> {
    formula.try_map(&mut |proposition, span| Ok(written(program, proposition, span)))
}

fn written(program: &Program, proposition: &Proposition, span: Span) -> Condition {
    Condition {
        condition: Binders::none(program).truth(&proposition.condition, span),
        text: proposition.text.clone(),
    }
}

/// The variable for a process that is an index.
fn variable(program: &Program, name: &Ident) -> Variable {
    Variable {
        name: name.name.to_string(),
        ty: Type::Scalar(pointer(program)),
        indices: Vec::new(),
        initial: Initial::Default,
        storage: Storage::State,
        span: name.span,
    }
}
