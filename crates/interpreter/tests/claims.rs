//! Claims: turns, ends, time-outs, stuttering.

use crate::common::*;
use mandala_interpreter::Interpreter;
use mandala_model::step::{Turn, Violation};
use mandala_model::types::Initial;

/// `x` becomes 1, then 2, then nothing happens any more.
fn system() -> (Sketch, mandala_model::ids::GlobalId) {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    sketch.run(Automaton::new("p").edge(0, 1, set(place(x), num(1))).edge(
        1,
        2,
        set(place(x), num(2)),
    ));
    (sketch, x)
}

#[test]
fn claim_and_system_take_turns() {
    let (mut sketch, _) = system();
    let claim = sketch.add(Automaton::claim("never").edge(0, 0, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let first = start(&interpreter);
    assert_eq!(first.turn, Turn::Claim);
    assert_eq!(labels(&interpreter, &first), ["never 0-0"]);
    let taken = only(&interpreter, &first);
    assert!(!taken.remembered);
    let middle = taken.next.unwrap();
    assert_eq!(middle.turn, Turn::Free);
    let taken = only(&interpreter, &middle);
    assert!(taken.remembered);
    assert_eq!(taken.next.unwrap().turn, Turn::Claim);
}

#[test]
fn a_claim_that_cannot_follow_ends_the_run() {
    let (mut sketch, x) = system();
    let claim = sketch.add(Automaton::claim("never").edge(0, 0, when(equal(var(x), num(0)))));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let first = start(&interpreter);
    let second = step(&interpreter, &step(&interpreter, &first));
    assert_eq!(interpreter.moves(&second), []);
    assert_eq!(
        interpreter.verdict_here(&second),
        None,
        "there is no deadlock under a claim"
    );
}

#[test]
fn arriving_at_the_end_of_a_claim_is_reported() {
    let (mut sketch, x) = system();
    let claim = sketch.add(
        Automaton::claim("never")
            .edge(0, 0, when(equal(var(x), num(0))))
            .edge(0, 1, when(equal(var(x), num(1))))
            .edge(1, 1, skip())
            .end(1),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let second = step(&interpreter, &step(&interpreter, &start(&interpreter)));
    let taken = only(&interpreter, &second);
    assert_eq!(taken.violations, [Violation::ClaimEnded]);
    assert!(taken.next.is_some(), "the run goes on all the same");
}

#[test]
fn a_claim_may_be_at_its_end_from_the_start() {
    let (mut sketch, _) = system();
    let claim = sketch.add(Automaton::claim("never").edge(0, 1, skip()).end(0));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    assert_eq!(
        interpreter.verdict_here(&start(&interpreter)),
        Some(Violation::ClaimEnded)
    );
}

#[test]
fn a_claim_has_variables_and_may_hold_control() {
    let (mut sketch, _) = system();
    let claim = sketch.add(
        Automaton::claim("never")
            .local("n", BYTE, Initial::Fill(num(3)))
            .hold(0, 1, set(own(0), plus(read(own(0)), num(1))))
            .edge(1, 2, when(equal(read(own(0)), num(4)))),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let held = step(&interpreter, &start(&interpreter));
    assert_eq!(held.turn, Turn::Claim);
    let chains = interpreter.macro_steps(&start(&interpreter));
    assert_eq!(chains.len(), 1);
    assert_eq!(chains[0].steps.len(), 3);
    assert_eq!(
        chains[0]
            .successor()
            .unwrap()
            .state
            .claim
            .as_ref()
            .unwrap()
            .locals,
        [4]
    );
}

#[test]
fn where_the_system_has_stopped_the_claim_goes_on_alone() {
    let (mut sketch, x) = system();
    let claim = sketch.add(
        Automaton::claim("never")
            .edge(0, 0, when(less(var(x), num(2))))
            .edge(0, 1, when(equal(var(x), num(2))))
            .edge(1, 2, skip())
            .edge(2, 3, skip())
            .edge(3, 2, skip())
            .end(3),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let mut configuration = start(&interpreter);
    for _ in 0..4 {
        configuration = step(&interpreter, &configuration);
    }
    // The claim reacts to the last state, sees the system do nothing, and moves again.
    let chains = interpreter.macro_steps(&configuration);
    assert_eq!(chains.len(), 1);
    assert_eq!(chains[0].steps.len(), 2);
    let stopped = chains[0].successor().unwrap().clone();
    assert_eq!(stopped.turn, Turn::Stutter);
    let chains = interpreter.macro_steps(&stopped);
    assert_eq!(chains.len(), 1);
    assert_eq!(chains[0].steps.len(), 1);
    assert_eq!(chains[0].steps[0].violations, [Violation::ClaimEnded]);
    let ended = chains[0].successor().unwrap();
    assert_eq!(interpreter.macro_steps(ended).len(), 1);
}

#[test]
fn a_timeout_is_seen_by_the_claim_and_then_taken_by_the_system() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    sketch.run(Automaton::new("p").edge(0, 1, guarded(timeout(), vec![assign(place(x), num(1))])));
    let claim = sketch.add(
        Automaton::claim("never")
            .edge(0, 1, when(timeout()))
            .edge(0, 2, when(timeout().negated()))
            .edge(0, 3, when(timeout().negated()))
            .end(3),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let first = start(&interpreter);
    let moves = interpreter.moves(&first);
    // Without a time-out the system cannot follow the claim; that way only an end is worth a word.
    assert_eq!(labels(&interpreter, &first), ["never 0-1", "never 0-3"]);
    assert_eq!(moves[1].violations, [Violation::ClaimEnded]);
    assert_eq!(moves[1].next, None);
    let middle = moves[0].next.clone().unwrap();
    assert_eq!(middle.turn, Turn::Free);
    assert_eq!(step(&interpreter, &middle).state.globals, [1]);
}

#[test]
fn control_that_is_lost_goes_to_the_claim() {
    let mut sketch = Sketch::new();
    sketch.run(
        Automaton::new("p")
            .hold(0, 1, skip())
            .edge(1, 2, when(num(0))),
    );
    let claim = sketch.add(Automaton::claim("never").edge(0, 0, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let middle = step(&interpreter, &start(&interpreter));
    let taken = only(&interpreter, &middle);
    assert!(taken.remembered);
    assert_eq!(taken.next.unwrap().turn, Turn::Claim);
}
