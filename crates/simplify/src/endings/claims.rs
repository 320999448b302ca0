//! Claims that cannot tell whether a state is repeated.
//!
//! A run of the model is one of the rewritten model in which some states are repeated, finitely often: once for each process that leaves.
//! So it is enough that a claim which follows the longer run follows the shorter one. (The other way round nothing has to be shown: a run of the rewritten model
//! is one of the model as it stands.)
//!
//! - A formula of linear temporal logic without next cannot tell the two apart (Lamport 1983; Peled, Wilke 1997).
//! - Of an automaton or a claim that the user has written, it is asked that its steps on each letter are *transitive*: if the letter `a` leads
//!   from `q` to `r` and from `r` to `s`, then it leads from `q` to `s`. Then a repeated letter can be left out of every run of it. That takes finitely many
//!   visits of accepting states away, which does not matter. The conditions of the guards are taken to be independent of each other,
//!   so that there are more letters here than in the model.

use crate::endings::observed::Observed;
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use mandala_model::ids::LocationId;
use mandala_model::property::{PropertyKind, RunOrigin};
use mandala_model::template::{Control, Edge, Step, Template};
use std::collections::BTreeSet;

/// How many different conditions a claim may ask: there are two to this many letters.
const MOST_CONDITIONS: usize = 10;

/// How many locations a claim may have.
const MOST_LOCATIONS: usize = 64;

/// The claim must not be able to tell whether a state is repeated.
pub(super) fn check(model: &Model, claim: Claim) -> Result<(), Observed> {
    if let Claim::Automaton(id) = claim
        && let PropertyKind::NoRun(question) = &model.properties[id.index()].kind
        && let RunOrigin::Formula { says_next, .. } = &question.origin
    {
        let span = model.properties[id.index()].span;
        return match says_next {
            true => Err(Observed::at(
                span,
                "the formula says what comes next, so that it sees a process leave",
            )),
            false => Ok(()),
        };
    }
    let template = model.template(model.runnable(claim));
    match is_transitive(template) {
        true => Ok(()),
        false => Err(Observed::at(
            template.span,
            "the claim may count steps, so that it sees a process leave",
        )),
    }
}

/// Whether on each letter two steps of the claim in a row can be one. Nothing but tests of conditions is looked at.
fn is_transitive(template: &Template) -> bool {
    let plain = template.locals.is_empty() && template.edges.iter().all(is_test);
    let mut conditions = Vec::new();
    for edge in &template.edges {
        if let Step::Guarded { guard, .. } = &edge.step {
            collect(guard, &mut conditions);
        }
    }
    let small = conditions.len() <= MOST_CONDITIONS && template.locations.len() <= MOST_LOCATIONS;
    let mut letters = 0..1u32 << conditions.len().min(MOST_CONDITIONS);
    plain && small && letters.all(|letter| is_transitive_on(template, &conditions, letter))
}

/// Whether an edge of a claim does nothing but test a condition, in a step of its own.
fn is_test(edge: &Edge) -> bool {
    let tests = match &edge.step {
        Step::Guarded { effects, .. } => effects.is_empty(),
        Step::Else => true,
        _ => false,
    };
    tests && edge.control == Control::Release && edge.escape == 0
}

/// The conditions that a guard is put together of.
fn collect<'e>(guard: &'e Expr, conditions: &mut Vec<&'e Expr>) {
    match &guard.kind {
        ExprKind::Const(_) => {}
        ExprKind::Unary(UnaryOp::Not, inner) => collect(inner, conditions),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            collect(left, conditions);
            collect(right, conditions);
        }
        _ if conditions.iter().any(|known| known.kind == guard.kind) => {}
        _ => conditions.push(guard),
    }
}

/// Whether a guard holds where those conditions do whose bits are set.
fn holds(guard: &Expr, conditions: &[&Expr], letter: u32) -> bool {
    let of = |inner: &Expr| holds(inner, conditions, letter);
    match &guard.kind {
        ExprKind::Const(value) => *value != 0,
        ExprKind::Unary(UnaryOp::Not, inner) => !of(inner),
        ExprKind::Binary(BinaryOp::And, left, right) => of(left) && of(right),
        ExprKind::Binary(BinaryOp::Or, left, right) => of(left) || of(right),
        _ => {
            let mut known = conditions.iter();
            let number = known.position(|known| known.kind == guard.kind);
            number.is_some_and(|number| letter >> number & 1 == 1)
        }
    }
}

fn is_transitive_on(template: &Template, conditions: &[&Expr], letter: u32) -> bool {
    let locations = (0..template.locations.len()).map(LocationId::from);
    let next: Vec<BTreeSet<usize>> = locations
        .map(|at| successors(template, at, conditions, letter))
        .collect();
    let leads = |from: &BTreeSet<usize>| from.iter().all(|via| next[*via].is_subset(from));
    next.iter().all(leads)
}

/// Where a letter leads from a location. At its end the claim has caught the run, whatever comes then.
fn successors(
    template: &Template,
    at: LocationId,
    conditions: &[&Expr],
    letter: u32,
) -> BTreeSet<usize> {
    if template.locations[at.index()].end {
        return BTreeSet::from([at.index()]);
    }
    let mut found = BTreeSet::new();
    for (_, edge) in template.edges_from(at) {
        let taken = match &edge.step {
            Step::Guarded { guard, .. } => holds(guard, conditions, letter),
            _ => found.is_empty(),
        };
        if taken {
            found.insert(edge.target.index());
        }
    }
    found
}
