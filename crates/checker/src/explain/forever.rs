//! The explanation of an infinite run that violates a property: where it repeats, what never happens, and which process never moves.

use mandala_evidence::lasso::{PassedOver, passed_over};
use mandala_evidence::replay::{ReplayedRun, ReplayedStep};
use mandala_interpreter::Interpreter;
use mandala_model::State;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use mandala_model::ids::PropertyId;
use mandala_model::source::Sources;
use mandala_model::step::Actor;
use std::collections::BTreeSet;

/// More conditions or processes than these do not help anybody.
const SHOWN: usize = 6;

/// What is to be said of the formula of a property: where the cycle's obligation begins, and which of its conditions never come true.
pub fn of_formula(
    sources: &Sources,
    interpreter: &Interpreter<'_>,
    property: PropertyId,
    run: &ReplayedRun,
) -> Vec<String> {
    let Some((prefix, cycle)) = parts(run) else {
        return Vec::new();
    };
    let states = states(run, cycle);
    let model = interpreter.model();
    let conditions = model.properties[property.index()].kind.conditions();
    let mut answers: Vec<(&str, BTreeSet<bool>)> = Vec::new();
    for part in conditions
        .iter()
        .flat_map(|condition| parts_of(&model.condition(*condition).condition))
    {
        let text = sources.snippet(part.span).trim();
        let held = states.iter().map(|state| holds(interpreter, state, part));
        let held: Option<BTreeSet<bool>> = held.collect();
        let known = text.is_empty() || answers.iter().any(|(known, _)| *known == text);
        answers.extend(held.filter(|_| !known).map(|held| (text, held)));
    }
    let with = |wanted: &[bool]| {
        let wanted: BTreeSet<bool> = wanted.iter().copied().collect();
        let found = answers.iter().filter(|(_, answers)| *answers == wanted);
        let found: Vec<String> = found
            .map(|(text, _)| format!("`{}`", without_parentheses(text)))
            .take(SHOWN)
            .collect();
        (!found.is_empty()).then(|| found.join(", "))
    };
    let never = with(&[false]).map(|found| format!("never true: {found}"));
    let always = with(&[true]).map(|found| format!("always true: {found}"));
    let changing = with(&[false, true]).map(|found| format!("true and false again: {found}"));
    let facts: Vec<String> = never.into_iter().chain(always).chain(changing).collect();
    let begins = match obligation(interpreter, prefix, cycle) {
        Some(0) => Some("the obligation that is not met stands from the start".to_owned()),
        Some(step) => Some(format!(
            "the obligation that is not met begins after step {step}"
        )),
        None => None,
    };
    let facts = (!facts.is_empty()).then(|| format!("on the cycle: {}", facts.join("; ")));
    begins.into_iter().chain(facts).collect()
}

/// Who could move on the cycle and never does.
pub fn unfairness(interpreter: &Interpreter<'_>, run: &ReplayedRun) -> Vec<String> {
    let Some((_, cycle)) = parts(run) else {
        return Vec::new();
    };
    let Some(state) = states(run, cycle).first().copied() else {
        return Vec::new();
    };
    let PassedOver { always, sometimes } = passed_over(interpreter, cycle);
    let told = |processes: &BTreeSet<u32>| {
        let names = processes.iter().take(SHOWN);
        let names: Vec<String> = names
            .map(|process| interpreter.process_name(state, *process))
            .collect();
        names.join(", ")
    };
    let verb = |processes: &BTreeSet<u32>| if processes.len() == 1 { "does" } else { "do" };
    match (always.is_empty(), sometimes.is_empty()) {
        (false, _) => vec![format!(
            "{} could move in every state of the cycle and never {}; `--fair weak` leaves such runs out",
            told(&always),
            verb(&always)
        )],
        (true, false) => vec![format!(
            "{} could move in some states of the cycle and never {}; `--fair strong` leaves such runs out",
            told(&sometimes),
            verb(&sometimes)
        )],
        (true, true) => Vec::new(),
    }
}

/// The steps before the cycle and those of it.
fn parts(run: &ReplayedRun) -> Option<(&[ReplayedStep], &[ReplayedStep])> {
    let before = run.before_cycle()?;
    run.steps().split_at_checked(before)
}

/// The states of the cycle, as a claim reads them: those after steps of the system.
fn states<'r>(run: &'r ReplayedRun, cycle: &'r [ReplayedStep]) -> Vec<&'r State> {
    let made = cycle
        .iter()
        .filter(|step| step.remembered && step.label.actor != Actor::Claim);
    let states = made.filter_map(|step| Some(&step.after.as_ref()?.state));
    let states: Vec<&State> = states.collect();
    match states.is_empty() {
        true => run.last().map(|last| &last.before).into_iter().collect(),
        false => states,
    }
}

fn holds(interpreter: &Interpreter<'_>, state: &State, condition: &Expr) -> Option<bool> {
    let value = interpreter.evaluate(state, None, condition).ok()?;
    Some(value != 0)
}

/// The conditions that a condition is put together of: the automaton of a formula asks for several of the user's at once.
fn parts_of(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => parts_of(inner),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            [parts_of(left), parts_of(right)].concat()
        }
        _ => vec![condition],
    }
}

/// After how many steps the claim comes to the locations that it is at on the cycle, if it was elsewhere before.
fn obligation(
    interpreter: &Interpreter<'_>,
    prefix: &[ReplayedStep],
    cycle: &[ReplayedStep],
) -> Option<usize> {
    let model = interpreter.model();
    let edge = |step: &ReplayedStep| {
        let id = step.label.edge;
        &model.template(id.template).edges[id.index as usize]
    };
    let by_claim = |step: &&ReplayedStep| step.label.actor == Actor::Claim;
    let on_cycle = cycle.iter().filter(by_claim);
    let on_cycle: BTreeSet<_> = on_cycle.map(|step| edge(step).source.index()).collect();
    let moves = prefix.iter().enumerate();
    let mut moves = moves.filter(|(_, step)| step.label.actor == Actor::Claim);
    let enters = |(_, step): &(usize, &ReplayedStep)| {
        let edge = edge(step);
        on_cycle.contains(&edge.target.index()) && !on_cycle.contains(&edge.source.index())
    };
    let (at, _) = moves.rfind(enters)?;
    let before = prefix[..at].iter();
    Some(
        before
            .filter(|step| step.label.actor != Actor::Claim)
            .count(),
    )
}

/// A text without parentheses around all of it.
pub fn without_parentheses(text: &str) -> &str {
    let Some(inside) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_i32;
    for letter in inside.chars() {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text;
        }
    }
    without_parentheses(inside.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parentheses_around_all_are_taken_away() {
        for (text, bare) in [
            ("((q))", "q"),
            ("(a) && (b)", "(a) && (b)"),
            ("((a) && (b))", "(a) && (b)"),
            ("x", "x"),
            ("", ""),
        ] {
            assert_eq!(without_parentheses(text), bare);
        }
    }
}
