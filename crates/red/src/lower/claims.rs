//! What is claimed of runs.

use super::expr::truth;
use super::{pointer, types};
use crate::ast::Ident;
use crate::typed::{Claim, ClaimKind, Program, Proposition};
use mandala_formulas::prefix::Logic;
use mandala_formulas::{
    Written, add_automaton, add_branching, add_linear, choose_first, new_observer,
};
use mandala_model::UncheckedModel;
use mandala_model::claim::WrittenCondition;
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::findings::Fallible;
use mandala_model::ids::{LocalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_model::types::{Initial, Storage, Type};

/// Where a claim keeps the process that it has chosen.
const CHOSEN: LocalId = LocalId(0);

/// Adds a claim of the program to the model.
pub(crate) fn add(model: &mut UncheckedModel, program: &Program, claim: &Claim) -> Fallible<()> {
    let span = claim.span;
    let observer = new_observer(model, &claim.name, span)?;
    let named = (claim.name.clone(), observer);
    match &claim.kind {
        ClaimKind::Formula(logic, formula) => {
            let formula = lowered(formula, &written)?;
            match logic {
                Logic::Linear => add_linear(model, named, &formula, span),
                Logic::Branching => add_branching(model, named, StatedForm::Ctl, &formula),
            }
        }
        ClaimKind::ForEach(name, formula) => {
            let formula = lowered(formula, &chosen)?;
            declare(model, program, observer, name);
            add_linear(model, named, &formula, span)?;
            let all: Vec<i64> = (1..=i64::from(program.processes)).collect();
            choose_first(&mut model.templates[observer.index()], CHOSEN, &all);
            Ok(())
        }
        ClaimKind::Automaton(automaton, conditions) => {
            let conditions = conditions.iter().map(|p| truth(&p.condition, span));
            let conditions: Vec<Expr> = conditions.collect();
            add_automaton(model, named, automaton, &conditions, span);
            Ok(())
        }
    }
}

fn lowered(
    formula: &Written<Proposition>,
    written: &dyn Fn(&Proposition, Span) -> WrittenCondition,
) -> Fallible<Written> {
    formula.try_map(&mut |proposition, span| Ok(written(proposition, span)))
}

fn written(proposition: &Proposition, span: Span) -> WrittenCondition {
    WrittenCondition {
        condition: truth(&proposition.condition, span),
        text: proposition.text.clone(),
    }
}

/// The same where the process that evaluates is the one that the claim has chosen.
fn chosen(proposition: &Proposition, span: Span) -> WrittenCondition {
    let mut written = written(proposition, span);
    written.condition.each_mut(&mut |e| {
        if e.kind == ExprKind::SelfId {
            e.kind = ExprKind::Read(Place::variable(Root::Local(CHOSEN), e.span));
        }
    });
    written
}

/// Gives the claim a variable for the process that it chooses.
fn declare(model: &mut UncheckedModel, program: &Program, claim: TemplateId, name: &Ident) {
    let locals = &mut model.templates[claim.index()].locals;
    locals.push(types::Variable {
        name: name.name.to_string(),
        ty: Type::Scalar(pointer(program)),
        indices: Vec::new(),
        initial: Initial::Default,
        storage: Storage::State,
        span: name.span,
    });
}
