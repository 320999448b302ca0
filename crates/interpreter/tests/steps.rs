//! The steps of processes: order, `else`, escapes, rendezvous, atomic sequences, time-outs.

use crate::common::*;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::expr::{ExprKind, Pattern};
use mandala_model::step::{Turn, Violation};
use mandala_model::template::Step;
use std::collections::HashSet;

/// How many configurations a search remembers.
fn remembered(interpreter: &Interpreter<'_>) -> usize {
    let mut seen = HashSet::from([start(interpreter)]);
    let mut work: Vec<Configuration> = seen.iter().cloned().collect();
    while let Some(configuration) = work.pop() {
        for chain in interpreter.macro_steps(&configuration) {
            if let Some(next) = chain.successor()
                && seen.insert(next.clone())
            {
                work.push(next.clone());
            }
        }
    }
    seen.len()
}

/// `x` goes up by one in each step, three times.
fn counter(sketch: &mut Sketch) -> Automaton {
    let x = sketch.global("x", BYTE);
    Automaton::new("counter")
        .edge(
            0,
            0,
            guarded(
                less(var(x), num(3)),
                vec![assign(place(x), plus(var(x), num(1)))],
            ),
        )
        .end(0)
}

#[test]
fn processes_interleave_from_the_highest_number_down() {
    let mut sketch = Sketch::new();
    let counter = counter(&mut sketch);
    let template = sketch.run(counter);
    sketch.start(template, 1);
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(
        labels(&interpreter, &first),
        ["counter(1) 0-0", "counter(0) 0-0"]
    );
    assert!(interpreter.moves(&first).iter().all(|m| m.remembered));
    assert_eq!(remembered(&interpreter), 4);
}

#[test]
fn else_is_taken_only_if_nothing_before_it_is() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    sketch.run(
        Automaton::new("p")
            .edge(0, 1, when(equal(var(x), num(1))))
            .edge(0, 2, Step::Else)
            .edge(2, 0, set(place(x), num(1))),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(labels(&interpreter, &first), ["p(0) 0-2"]);
    let later = step(&interpreter, &step(&interpreter, &first));
    assert_eq!(labels(&interpreter, &later), ["p(0) 0-1"]);
}

/// A sender that can also do something else, and a receiver that is there or not.
fn sender_with_else(receivers: usize) -> Vec<String> {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    let sender = Automaton::new("s")
        .edge(0, 1, send(var(r), vec![num(1)]))
        .edge(0, 2, Step::Else);
    sketch.run(sender);
    let receiver = Automaton::new("r").edge(0, 1, receive(var(r), vec![Pattern::Ignore]));
    let receiver = sketch.add(receiver);
    for _ in 0..receivers {
        sketch.start(receiver, 1);
    }
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    labels(&interpreter, &start(&interpreter))
}

#[test]
fn a_rendezvous_rules_out_else_only_if_somebody_accepts() {
    assert_eq!(sender_with_else(0), ["s(0) 0-2"]);
    assert_eq!(
        sender_with_else(2),
        ["s(0) 0-1 + r(2) 0-1", "s(0) 0-1 + r(1) 0-1"]
    );
}

#[test]
fn at_a_rendezvous_both_move_and_the_receiver_binds() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let r = sketch.channel("r", 0, &[BYTE]);
    sketch.run(Automaton::new("s").edge(0, 1, send(var(r), vec![num(300)])));
    sketch.run(
        Automaton::new("t")
            .edge(0, 1, receive(var(r), vec![Pattern::Match(num(7))]))
            .edge(0, 2, receive(var(r), vec![Pattern::Bind(place(x))])),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(labels(&interpreter, &first), ["s(0) 0-1 + t(1) 0-2"]);
    let state = step(&interpreter, &first).state;
    assert_eq!(state.globals[0], 300 - 256);
    assert_eq!(state.processes[0].location.0, 1);
    assert_eq!(state.processes[1].location.0, 2);
    assert!(state.channels[0].messages.is_empty());
}

#[test]
fn the_receiver_sees_the_sender_where_it_has_gone() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    let sender = Automaton::new("s").edge(0, 4, send(var(r), vec![num(5)]));
    sketch.run(sender);
    let number = expr(ExprKind::LocationNumber(Box::new(num(0))));
    sketch.run(Automaton::new("t").edge(0, 1, receive(var(r), vec![Pattern::Match(number)])));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    // The location after the send has the number 5, which is the message.
    assert_eq!(
        labels(&interpreter, &start(&interpreter)),
        ["s(0) 0-4 + t(1) 0-1"]
    );
}

#[test]
fn a_process_never_meets_itself() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    sketch.run(
        Automaton::new("p")
            .edge(0, 1, send(var(r), vec![num(1)]))
            .edge(0, 2, receive(var(r), vec![Pattern::Ignore])),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(interpreter.moves(&first), []);
    assert_eq!(interpreter.verdict_here(&first), Some(Violation::Deadlock));
}

#[test]
fn an_escape_shuts_out_what_is_not_part_of_it() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    sketch.run(
        Automaton::new("p")
            .escape(2, 0, 1, when(equal(var(x), num(1))))
            .escape(2, 0, 2, when(less(num(0), var(x))))
            .escape(1, 0, 3, skip())
            .edge(0, 4, skip()),
    );
    sketch.run(Automaton::new("q").edge(0, 1, set(place(x), num(1))).end(1));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(labels(&interpreter, &first), ["q(1) 0-1", "p(0) 0-3"]);
    let moved = interpreter.moves(&first).remove(0).next.unwrap();
    assert_eq!(labels(&interpreter, &moved), ["p(0) 0-1", "p(0) 0-2"]);
}

#[test]
fn an_escape_by_a_rendezvous_that_fails_shuts_out_nothing() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    sketch.run(
        Automaton::new("p")
            .escape(1, 0, 1, skip())
            .escape(1, 0, 2, send(var(r), vec![num(1)]))
            .edge(0, 3, skip()),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    assert_eq!(
        labels(&interpreter, &start(&interpreter)),
        ["p(0) 0-1", "p(0) 0-3"]
    );
}

/// One process in an atomic sequence of three steps of which the last waits for `x`, and one that
/// sets `x`.
fn atomic_model() -> (Sketch, mandala_model::ids::GlobalId) {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    sketch.run(
        Automaton::new("a")
            .hold(0, 1, skip())
            .hold(1, 2, skip())
            .edge(2, 3, when(equal(var(x), num(1))))
            .end(3),
    );
    sketch.run(Automaton::new("b").edge(0, 1, set(place(x), num(1))).end(1));
    (sketch, x)
}

#[test]
fn control_is_held_and_lost() {
    let (sketch, _) = atomic_model();
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    let taken = interpreter.moves(&first).remove(1);
    assert!(!taken.remembered);
    let held = taken.next.unwrap();
    assert_eq!(held.turn, Turn::Held(0));
    assert_eq!(labels(&interpreter, &held), ["a(0) 1-2"]);
    // At its last step the process has to wait, so the state is an ordinary one after all.
    let taken = only(&interpreter, &held);
    assert!(taken.remembered);
    let lost = taken.next.unwrap();
    assert_eq!(lost.turn, Turn::Free);
    assert_eq!(labels(&interpreter, &lost), ["b(1) 0-1"]);
}

#[test]
fn a_chain_passes_through_what_is_not_remembered() {
    let (sketch, _) = atomic_model();
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let chains = interpreter.macro_steps(&start(&interpreter));
    let lengths: Vec<_> = chains.iter().map(|c| c.steps.len()).collect();
    assert_eq!(lengths, [1, 2]);
    assert!(chains.iter().all(|c| c.successor().is_some()));
    assert_eq!(remembered(&interpreter), 5);
}

#[test]
fn of_a_chain_without_end_as_much_is_looked_at_as_is_wanted() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", INT);
    sketch.run(
        Automaton::new("p")
            .hold(0, 0, set(place(x), plus(var(x), num(1))))
            .edge(0, 1, when(equal(var(x), num(3)))),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let mut chains = interpreter.chains(&start(&interpreter));
    // Nothing is looked at before it is asked for.
    assert_eq!(chains.next().map(|c| c.steps.len()), Some(4));
    let mut chains = chains.within(1_000);
    assert_eq!(chains.next(), None);
    assert!(chains.is_cut());
}

#[test]
fn what_is_passed_through_in_many_ways_is_passed_through_once() {
    const CHOICES: u32 = 40;
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let mut automaton = Automaton::new("p");
    for at in 0..CHOICES {
        automaton = automaton
            .hold(at, at + 1, skip())
            .hold(at, at + 1, set(place(x), num(0)));
    }
    sketch.run(automaton.edge(CHOICES, CHOICES + 1, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let mut chains = interpreter.chains(&start(&interpreter));
    let lengths: Vec<_> = chains.by_ref().map(|c| c.steps.len()).collect();
    assert_eq!(lengths, [CHOICES as usize + 1]);
    assert!(!chains.is_cut());
}

#[test]
fn a_chain_that_goes_in_circles_is_cut() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    sketch.run(
        Automaton::new("p")
            .hold(0, 0, set(place(x), num(0)))
            .hold(0, 0, set(place(x), num(1)))
            .edge(0, 1, skip()),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let chains = interpreter.macro_steps(&start(&interpreter));
    let values: Vec<_> = chains
        .iter()
        .filter_map(|c| c.successor())
        .map(|c| c.state.globals[0])
        .collect();
    assert_eq!(values, [0, 0, 1]);
}

#[test]
fn a_failed_assertion_ends_a_chain_of_its_own_and_the_run_goes_on() {
    let mut sketch = Sketch::new();
    let wrong = guarded(num(1), vec![assertion(num(0))]);
    sketch.run(Automaton::new("p").hold(0, 1, wrong).edge(1, 2, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let chains = interpreter.macro_steps(&start(&interpreter));
    assert_eq!(chains.len(), 2);
    assert_eq!(chains[0].successor(), None);
    assert!(matches!(
        chains[0].steps[0].violations[..],
        [Violation::Assertion { .. }]
    ));
    assert_eq!(chains[1].steps.len(), 2);
}

#[test]
fn after_a_rendezvous_the_receivers_edge_decides_who_holds() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    sketch.run(
        Automaton::new("s")
            .hold(0, 1, send(var(r), vec![num(1)]))
            .edge(1, 2, skip()),
    );
    sketch.run(
        Automaton::new("t")
            .edge(0, 1, receive(var(r), vec![Pattern::Ignore]))
            .hold(0, 2, receive(var(r), vec![Pattern::Ignore]))
            .edge(1, 3, skip())
            .edge(2, 3, skip()),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let moves = interpreter.moves(&start(&interpreter));
    let turns: Vec<_> = moves
        .iter()
        .map(|m| (m.next.as_ref().unwrap().turn, m.remembered))
        .collect();
    assert_eq!(turns, [(Turn::Free, true), (Turn::Held(1), false)]);
}

#[test]
fn a_timeout_comes_true_when_nothing_else_can_happen() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    sketch.run(Automaton::new("p").edge(0, 1, when(timeout())).end(1));
    sketch.run(Automaton::new("q").edge(0, 1, set(place(x), num(1))).end(1));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(labels(&interpreter, &first), ["q(1) 0-1"]);
    let stuck = step(&interpreter, &first);
    assert_eq!(labels(&interpreter, &stuck), ["p(0) 0-1"]);
    assert_eq!(interpreter.verdict_here(&stuck), None);
    assert_eq!(interpreter.evaluate(&first.state, None, &timeout()), Ok(0));
    assert_eq!(interpreter.evaluate(&stuck.state, None, &timeout()), Ok(1));
    let done = step(&interpreter, &stuck);
    assert_eq!(interpreter.moves(&done), []);
    assert_eq!(interpreter.verdict_here(&done), None);
}

#[test]
fn who_is_not_provided_with_what_it_needs_cannot_move_or_meet() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let r = sketch.channel("r", 0, &[BYTE]);
    sketch.run(
        Automaton::new("s")
            .edge(0, 1, send(var(r), vec![num(1)]))
            .edge(0, 0, set(place(x), num(1))),
    );
    sketch.run(
        Automaton::new("t")
            .provided(equal(var(x), num(1)))
            .edge(0, 1, receive(var(r), vec![Pattern::Ignore]))
            .edge(0, 2, skip()),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(labels(&interpreter, &first), ["s(0) 0-0"]);
    assert_eq!(
        labels(&interpreter, &step(&interpreter, &first)),
        ["t(1) 0-2", "s(0) 0-1 + t(1) 0-1", "s(0) 0-0"]
    );
}

#[test]
fn nobody_accepts_its_own_offer() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    let p = Automaton::new("p")
        .edge(0, 1, send(var(r), vec![num(1)]))
        .edge(1, 2, receive(var(r), vec![Pattern::Ignore]));
    let template = sketch.run(p);
    let alone = sketch.model.clone();
    sketch.start(template, 1);
    let moves = |model| {
        let model = mandala_model::verify::verify(model).expect("a valid model");
        let interpreter = Interpreter::new(&model, ALONE);
        interpreter.moves(&start(&interpreter)).len()
    };
    assert_eq!(moves(alone), 0);
    // Nor does one that has not yet sent: both are senders.
    assert_eq!(moves(sketch.model), 0);
}

#[test]
fn a_second_way_of_a_deterministic_process_is_a_violation() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let template = sketch.run(
        Automaton::new("p")
            .edge(0, 1, when(less(var(x), num(2))))
            .edge(0, 2, when(less(num(0), var(x))))
            .edge(0, 3, Step::Else),
    );
    sketch.model.templates[template.index()].deterministic = true;
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let violations = |x: i64| -> Vec<usize> {
        let mut configuration = start(&interpreter);
        configuration.state.globals[0] = x;
        let moves = interpreter.moves(&configuration);
        moves.iter().map(|m| m.violations.len()).collect()
    };
    assert_eq!(violations(0), [0]);
    // The first way is as right as if it were the only one.
    assert_eq!(violations(1), [0, 1]);
    assert_eq!(violations(2), [0]);
}

#[test]
fn an_escape_that_accepts_an_offer_closes_what_it_escapes_from() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    let take = |wanted| receive(var(r), vec![Pattern::Match(num(wanted))]);
    sketch.run(Automaton::new("receiver").escape(1, 0, 1, take(1)).edge(
        0,
        2,
        receive(var(r), vec![Pattern::Ignore]),
    ));
    let x = sketch.global("x", BYTE);
    sketch.run(Automaton::new("sender").edge(0, 1, send(var(r), vec![var(x)])));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let accepted = |x: i64| {
        let mut configuration = start(&interpreter);
        configuration.state.globals[1] = x;
        let moves = interpreter.moves(&configuration);
        let targets = moves.iter().filter_map(|m| m.next.as_ref());
        let targets = targets.map(|next| next.state.processes[0].location.index());
        targets.collect::<Vec<_>>()
    };
    assert_eq!(accepted(1), [1]);
    assert_eq!(accepted(2), [2]);
}
