//! Models in which processes that have ended stay, compared with the models themselves state by state.

use crate::common::verified;
use mandala_interpreter::Interpreter;
use mandala_model::source::{SourceText, Sources};
use mandala_model::step::Observers;
use mandala_model::template::Step;
use mandala_model::verify::verify;
use mandala_model::{Model, State};
use mandala_promela::ParseOptions;
use mandala_simplify::{Endings, keep_ended};
use std::collections::HashSet;

fn model(text: &str) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("test.pml", text));
    let (model, diagnostics) = mandala_promela::load(&mut sources, file, &ParseOptions::default());
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    verify(model).expect("the front end makes verified models")
}

/// All states that a search remembers, and those of them that are deadlocks.
fn states(model: &Model) -> (HashSet<State>, HashSet<State>) {
    let interpreter = Interpreter::new(model, Observers::default());
    let start = interpreter.start().expect("the model starts");
    let mut seen = HashSet::from([start.state.clone()]);
    let mut deadlocks = HashSet::new();
    let mut open = vec![start];
    while let Some(from) = open.pop() {
        if interpreter.verdict_here(&from).is_some() {
            deadlocks.insert(from.state.clone());
        }
        for step in interpreter.macro_steps(&from) {
            let Some(next) = step.successor() else {
                continue;
            };
            if seen.insert(next.state.clone()) {
                open.push(next.clone());
            }
        }
    }
    (seen, deadlocks)
}

fn has_ended(model: &Model, state: &State) -> bool {
    let last = state.processes.last();
    last.is_some_and(|process| {
        let template = model.template(process.template);
        let mut edges = template.edges_from(process.location);
        edges.any(|(_, edge)| edge.step == Step::Exit)
    })
}

/// The state after all leavings that are possible.
fn left(model: &Model, mut state: State) -> State {
    while has_ended(model, &state) {
        state.processes.pop();
    }
    state
}

/// The states of the rewritten model are those of the model in which nobody can leave.
fn same_behaviour(text: &str) {
    let model = model(text);
    let kept = match verified(keep_ended(&model, Observers::default())) {
        Endings::Kept(kept) => *kept,
        other => panic!("{other:?}"),
    };
    let (all, deadlocks) = states(&model);
    let waiting: HashSet<State> = all.into_iter().filter(|s| !has_ended(&model, s)).collect();
    let (found, found_deadlocks) = states(&kept);
    let mapped: HashSet<State> = found.into_iter().map(|s| left(&model, s)).collect();
    assert_eq!(mapped, waiting);
    let mapped: HashSet<State> = found_deadlocks
        .into_iter()
        .map(|s| left(&model, s))
        .collect();
    assert_eq!(mapped, deadlocks);
}

/// The rewriting is refused, with a reason that contains these words.
fn refused(text: &str, words: &str) {
    match verified(keep_ended(&model(text), Observers::default())) {
        Endings::Observed(observed) => {
            assert!(observed.how.contains(words), "{}", observed.how);
        }
        other => panic!("{other:?}"),
    }
}

const LOCK: &str = "bool lock;
    active [3] proctype P() { atomic { !lock -> lock = true }; lock = false }";

#[test]
fn processes_that_exist_from_the_start() {
    same_behaviour(LOCK);
}

#[test]
fn processes_that_wait_for_ever() {
    same_behaviour(
        "byte n; active [3] proctype P() { n++; (n == 2) } active proctype Q() { n == 3 }",
    );
}

#[test]
fn time_outs_come_when_all_others_are_done() {
    same_behaviour(
        "byte n; active proctype T() { timeout -> n = 7; timeout -> n = 8 }
         active [2] proctype P() { n++ }",
    );
    same_behaviour("byte n; active [2] proctype P() { n++; if :: timeout -> n = 9 :: n == 9 fi }");
}

#[test]
fn processes_that_init_makes_in_one_go() {
    same_behaviour(
        "byte n; proctype P(byte id) { n = n + id; n > 2 }
         init { atomic { run P(1); run P(2); run P(3) }; n = 0 }",
    );
    same_behaviour(
        "byte n; proctype P(byte id) { n = n + id }
         init { byte i; atomic { do :: i < 3 -> run P(i); i++ :: else -> break od } }",
    );
}

#[test]
fn messages_between_processes_that_end() {
    same_behaviour(
        "chan c = [1] of { byte }; chan d = [0] of { byte };
         active [2] proctype P() { c ! _pid; d ! 1 } active [2] proctype Q() { byte x; c ? x; d ? x }",
    );
}

#[test]
fn nothing_is_to_be_done_where_nobody_ends() {
    let endless = model("bool b; active [2] proctype P() { do :: b = !b od }");
    let kept = keep_ended(&endless, Observers::default());
    assert_eq!(kept, Ok(Endings::Never));
}

#[test]
fn questions_about_processes_are_refused() {
    refused(
        "active [2] proctype P() { _nr_pr == 1 }",
        "number of processes",
    );
    refused(
        "active proctype P() { L: skip } active proctype Q() { P@L }",
        "where a process is",
    );
    refused(
        "active proctype P() { byte x = 1; x = 2 } active proctype Q() { P:x == 2 }",
        "where a process is",
    );
    refused(
        "active [2] proctype P() { chan c = [1] of { bit }; c ! 1 }",
        "channel goes",
    );
    refused(
        "bool b; active [2] proctype P() provided (b) { skip }",
        "condition",
    );
}

/// Numbers that would be given again.
#[test]
fn births_after_somebody_may_have_left_are_refused() {
    refused(
        "byte n; proctype P() { n = _pid } init { run P(); run P() }",
        "number of one that has left",
    );
    refused(
        "byte n; proctype P() { n = _pid; if :: n < 3 -> run P() :: else fi } init { atomic { run P() } }",
        "number of one that has left",
    );
    // Whoever starts before init does and has a greater number may leave before init's first step.
    refused(
        "byte n; proctype P() { n = _pid } init { atomic { run P() } } active proctype Q() { skip }",
        "number of one that has left",
    );
    // Between two atomic sequences others can move.
    refused(
        "byte n; proctype P() { n = _pid } init { atomic { run P() }; atomic { run P() } }",
        "number of one that has left",
    );
    // A blocked atomic sequence lets others move.
    refused(
        "byte n; proctype P() { n++ } init { atomic { run P(); n == 1; run P() } }",
        "number of one that has left",
    );
}
