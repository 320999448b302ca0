//! Automata over the conditions of a model.

use crate::property;
use mandala_model::UncheckedModel;
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::ConditionId;
use mandala_model::property::{Condition, PropertyKind, RunOrigin, RunQuestion};
use mandala_model::source::{FileId, Span};
use mandala_temporal::{Automaton, Guard, Hoa, Names};
use std::collections::HashMap;
use std::sync::Arc;

/// Reads an automaton in the HOA format. The propositions are texts of the language of the model.
///
/// # Errors
///
/// What is wrong with it, with its place.
pub fn read_automaton(file: FileId, text: &str) -> Fallible<Hoa> {
    Hoa::parse(text).map_err(|wrong| {
        let place = Span::new(file, wrong.place.start, wrong.place.end);
        error(place, wrong.message)
    })
}

/// Adds the property that no run is accepted by an automaton, whose propositions are those expressions.
///
/// # Errors
///
/// If there is a property of that name.
pub fn add_automaton(
    model: &mut UncheckedModel,
    name: String,
    hoa: &Hoa,
    propositions: &[Expr],
    span: Span,
) -> Fallible<()> {
    property::require_new(model, &name, span)?;
    let automaton = hoa.automaton.clone();
    let automaton = over_conditions(model, automaton, (&hoa.names, propositions), span);
    let question = RunQuestion::new(RunOrigin::Automaton, Arc::new(automaton));
    property::add(model, name, PropertyKind::NoRun(question), span)
}

/// The automaton over conditions of the model, given how its propositions are spelled and what they are.
///
/// Each different guard is one condition, as large as it can be: a renaming may preserve it though it preserves none of its parts, and parts
/// that have no value in some state are asked only where the others leave it open.
pub(crate) fn over_conditions(
    model: &mut UncheckedModel,
    automaton: Automaton,
    (names, propositions): (&Names, &[Expr]),
    span: Span,
) -> Automaton {
    let mut known: HashMap<Guard, ConditionId> = HashMap::new();
    automaton.map_guards(|guard| {
        if matches!(guard, Guard::True | Guard::False) {
            return guard.clone();
        }
        let id = known.entry(guard.clone()).or_insert_with(|| {
            model.add_condition(Condition {
                condition: expression(guard, propositions, span),
                text: guard.named(names).to_string(),
            })
        });
        Guard::proposition(id.index())
    })
}

/// A guard as an expression of the model.
fn expression(guard: &Guard, propositions: &[Expr], span: Span) -> Expr {
    let of = |guard| expression(guard, propositions, span);
    match guard {
        Guard::True => Expr::constant(1, span),
        Guard::False => Expr::constant(0, span),
        Guard::Literal(literal) => {
            let condition = propositions[literal.proposition.0].clone();
            match literal.positive {
                true => condition,
                false => condition.negated(),
            }
        }
        Guard::And(a, b) => Expr::binary(BinaryOp::And, of(a), of(b)),
        Guard::Or(a, b) => Expr::binary(BinaryOp::Or, of(a), of(b)),
    }
}
