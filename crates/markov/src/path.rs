//! Path formulas that are evaluated without an automaton.

use crate::error::MarkovError;
use dashu_ratio::RBig;
use mandala_temporal::pctl::{Interval, PathFormula, StateFormula};
use std::borrow::Cow;

/// A path formula with one temporal operator at most.
pub(crate) enum Path<'f> {
    /// The first state satisfies it.
    Now(Cow<'f, StateFormula>),
    /// The second one does.
    Next(Cow<'f, StateFormula>),
    /// Not.
    Not(Box<Path<'f>>),
    /// The left until the right.
    Until(Cow<'f, StateFormula>, Cow<'f, StateFormula>, Bounded<'f>),
}

/// When the right comes.
pub(crate) struct Bounded<'f> {
    pub from: &'f RBig,
    pub to: Option<&'f RBig>,
}

/// The formula as one with one temporal operator at most.
pub(crate) fn simple_path(formula: &PathFormula) -> Result<Path<'_>, MarkovError> {
    if let Some(state) = of_state(formula) {
        return Ok(Path::Now(state));
    }
    match formula {
        PathFormula::Not(inner) => Ok(Path::Not(Box::new(simple_path(inner)?))),
        PathFormula::Next(inner) => Ok(Path::Next(required(inner)?)),
        PathFormula::Until {
            left,
            right,
            within,
        } => {
            let Interval { from, to } = within;
            let to = to.as_ref();
            if to.is_some_and(|to| to < from) || *from < RBig::ZERO {
                return Err(MarkovError::Meaningless(
                    "the span of time of an operator is empty or begins before the start",
                ));
            }
            Ok(Path::Until(
                required(left)?,
                required(right)?,
                Bounded { from, to },
            ))
        }
        _ => Err(several()),
    }
}

fn several() -> MarkovError {
    MarkovError::Unsupported(
        "a path formula with several temporal operators (linear temporal logic inside of P)",
    )
}

fn required(formula: &PathFormula) -> Result<Cow<'_, StateFormula>, MarkovError> {
    of_state(formula).ok_or_else(several)
}

/// The state formula that it is about the first state of a run, if it says nothing of later ones.
fn of_state(formula: &PathFormula) -> Option<Cow<'_, StateFormula>> {
    let boxed = |formula| Some(Box::new(of_state(formula)?.into_owned()));
    Some(match formula {
        PathFormula::State(state) => Cow::Borrowed(state),
        PathFormula::Not(inner) => Cow::Owned(StateFormula::Not(boxed(inner)?)),
        PathFormula::And(left, right) => Cow::Owned(StateFormula::And(boxed(left)?, boxed(right)?)),
        PathFormula::Or(left, right) => Cow::Owned(StateFormula::Or(boxed(left)?, boxed(right)?)),
        PathFormula::Next(_) | PathFormula::Until { .. } => return None,
    })
}
