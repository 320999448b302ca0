//! Claims that are automata: a location for each state, an edge for each transition.

use mandala_model::UncheckedModel;
use mandala_model::claim::{ClaimBuilder, WrittenCondition};
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::{FileId, Span};
use mandala_temporal::{Automaton, Guard, Hoa, StateId};

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

/// Adds the property that no run is followed by an automaton, whose propositions are those conditions. The claim has no body so far.
pub fn add_automaton(
    model: &mut UncheckedModel,
    (name, claim): (String, TemplateId),
    automaton: &Automaton,
    conditions: &[Expr],
    span: Span,
) {
    install(model, claim, automaton, conditions, span);
    let kind = PropertyKind::Never { claim };
    model.properties.push(Property { name, kind, span });
}

/// Makes an automaton the body of a claim. An asserting transition is two steps that hold control, the second of which fails.
pub(crate) fn install(
    model: &mut UncheckedModel,
    template: TemplateId,
    automaton: &Automaton,
    conditions: &[Expr],
    span: Span,
) {
    let mut claim = ClaimBuilder::new(span);
    for state in &automaton.states {
        claim.location(state.labels.clone(), state.accepting);
    }
    for (number, state) in automaton.states.iter().enumerate() {
        let from = LocationId::from(number);
        if automaton.accept_all == Some(StateId(number)) {
            let end = claim.end();
            claim.edge(from, end, always(span));
            continue;
        }
        for transition in &state.transitions {
            let guard = WrittenCondition {
                condition: guard(&transition.guard, conditions, span),
                text: transition.guard.named(&automaton.names).to_string(),
            };
            match transition.asserts {
                true => claim.assertion(from, guard),
                false => claim.edge(from, transition.target.0.into(), guard),
            }
        }
    }
    claim.install(&mut model.templates[template.index()]);
}

fn always(span: Span) -> WrittenCondition {
    WrittenCondition {
        condition: Expr::constant(1, span),
        text: "1".to_owned(),
    }
}

/// The condition of a transition as an expression of the model.
fn guard(of: &Guard, conditions: &[Expr], span: Span) -> Expr {
    let both = |op, a, b| Expr::binary(op, guard(a, conditions, span), guard(b, conditions, span));
    match of {
        Guard::True => Expr::constant(1, span),
        Guard::False => Expr::constant(0, span),
        Guard::Literal(literal) => {
            let condition = conditions[literal.proposition.0].clone();
            match literal.positive {
                true => condition,
                false => condition.negated(),
            }
        }
        Guard::And(a, b) => both(BinaryOp::And, a, b),
        Guard::Or(a, b) => both(BinaryOp::Or, a, b),
    }
}
