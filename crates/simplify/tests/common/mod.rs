//! Models from texts, and all that can happen in them.

use mandala_interpreter::Interpreter;
use mandala_model::source::{SourceText, Sources};
use mandala_model::step::{Observers, Violation};
use mandala_model::verify::verify;
use mandala_model::{Model, State};
use mandala_promela::ParseOptions;
use mandala_simplify::RewriteDefect;
use std::collections::HashSet;

/// The model of a text.
pub(crate) fn model(text: &str) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("test.pml", text));
    let (model, diagnostics) = mandala_promela::load(&mut sources, file, &ParseOptions::default());
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    verify(model).expect("the front end makes verified models")
}

/// The model of a text in the form of the intermediate representation.
pub(crate) fn intermediate(text: &str) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("test.ir", text));
    let (model, diagnostics) = mandala_ir::load(&mut sources, file);
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    verify(model).expect("the reader has verified it")
}

/// What a rewrite gives; that it is verified goes without saying.
#[track_caller]
pub(crate) fn verified<T>(rewritten: Result<T, RewriteDefect>) -> T {
    rewritten.unwrap_or_else(|defect| panic!("{defect}"))
}

/// What a search finds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The states that it remembers.
    pub states: HashSet<State>,
    /// What goes wrong.
    pub violations: HashSet<Violation>,
}

/// Searches everything.
pub(crate) fn explore(model: &Model, observers: Observers) -> Found {
    let interpreter = Interpreter::new(model, observers);
    let start = interpreter.start().expect("the model starts");
    let mut found = Found::default();
    let mut seen = HashSet::from([start.clone()]);
    found.states.insert(start.state.clone());
    let mut open = vec![start];
    while let Some(from) = open.pop() {
        found.violations.extend(interpreter.verdict_here(&from));
        for step in interpreter.macro_steps(&from) {
            let wrong = step.steps.iter().flat_map(|m| m.violations.clone());
            found.violations.extend(wrong);
            let Some(next) = step.successor() else {
                continue;
            };
            found.states.insert(next.state.clone());
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

/// The same goes wrong in both, and the second has no more states; gives how many they have.
#[track_caller]
pub(crate) fn same_violations(
    before: &Model,
    after: &Model,
    observers: Observers,
) -> (usize, usize) {
    let (before, after) = (explore(before, observers), explore(after, observers));
    assert_eq!(before.violations, after.violations);
    assert!(after.states.len() <= before.states.len());
    (before.states.len(), after.states.len())
}
