//! Claims about the labels of processes: runs without progress, and runs through `accept` labels.
//!
//! A run makes no progress if from some moment on no process is ever at a location with a `progress` label. The claim
//! guesses that moment, and accepts as long as it was right. A run that has come to its end is no such run.

use crate::expr::{Expr, ExprKind};
use crate::ids::ConditionId;
use crate::model::UncheckedModel;
use crate::property::{Condition, Property, PropertyKind, RunOrigin, RunQuestion};
use crate::source::Span;
use mandala_temporal::{Automaton, Guard, State, StateId, Transition};
use std::sync::Arc;

/// The name of the property that there is no non-progress cycle: that every infinite run makes progress.
pub const NON_PROGRESS: &str = "non-progress";

/// The name of the property that no run is at an `accept` label of a process again and again.
pub const ACCEPT: &str = "accept";

/// Adds the property that every run that goes on forever makes progress.
pub fn add_progress(model: &mut UncheckedModel, span: Span) {
    let condition = ask(model, ExprKind::NonProgress, "np_", span);
    add(
        model,
        NON_PROGRESS,
        (RunOrigin::NonProgress, no_progress(condition)),
        span,
    );
}

/// Adds the property that no run is at an `accept` label of a process again and again.
pub fn add_accept(model: &mut UncheckedModel, span: Span) {
    let condition = ask(model, ExprKind::Accepting, "accept", span);
    add(
        model,
        ACCEPT,
        (RunOrigin::Accept, again_and_again(condition)),
        span,
    );
}

fn ask(model: &mut UncheckedModel, kind: ExprKind, text: &str, span: Span) -> ConditionId {
    model.add_condition(Condition {
        condition: Expr::new(kind, span),
        text: text.into(),
    })
}

fn add(
    model: &mut UncheckedModel,
    name: &str,
    (origin, automaton): (RunOrigin, Automaton),
    span: Span,
) {
    model.properties.push(Property {
        name: name.into(),
        kind: PropertyKind::NoRun(RunQuestion::new(origin, Arc::new(automaton))),
        span,
    });
}

/// The two states of both automata: the second one accepts.
fn automaton(first: Vec<Transition>, second: Vec<Transition>) -> Automaton {
    let state = |name: &str, accepting, transitions| State {
        name: name.into(),
        labels: vec![name.into()],
        accepting,
        transitions,
    };
    Automaton {
        states: vec![
            state("T0_init", false, first),
            state("accept_S1", true, second),
        ],
        accept_all: None,
    }
}

/// In the accepting state whenever a process was at an accepting location.
fn again_and_again(accepting: ConditionId) -> Automaton {
    let from_both = || {
        let there = Guard::proposition(accepting.index());
        vec![
            Transition::new(there, StateId(1)),
            Transition::new(Guard::True, StateId(0)),
        ]
    };
    automaton(from_both(), from_both())
}

/// In the accepting state from a moment on after which no process is at a location with a progress label.
fn no_progress(stuck: ConditionId) -> Automaton {
    let stuck = || Transition::new(Guard::proposition(stuck.index()), StateId(1));
    let waiting = Transition::new(Guard::True, StateId(0));
    automaton(vec![waiting, stuck()], vec![stuck()])
}
