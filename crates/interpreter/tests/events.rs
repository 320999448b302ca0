//! Observers of messages.

use crate::common::*;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::expr::{Expr, Pattern};
use mandala_model::ids::GlobalId;
use mandala_model::step::{FaultKind, Violation};
use mandala_model::template::{EventSense, Step};

fn q() -> Expr {
    var(GlobalId(0))
}

/// What goes wrong while a process makes those steps under the observer, and where that gets to.
fn violations(observer: Automaton, steps: Vec<Step>) -> (Vec<Violation>, Configuration) {
    let mut sketch = Sketch::new();
    sketch.channel("q", 3, &[BYTE]);
    sketch.channel("other", 3, &[BYTE]);
    let count = steps.len() as u32;
    let mut process = Automaton::new("p").end(count);
    for (at, step) in (0..).zip(steps) {
        process = process.edge(at, at + 1, step);
    }
    sketch.run(process);
    let observer = sketch.add(observer);
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, observed(observer));
    let mut configuration = start(&interpreter);
    let mut all = Vec::new();
    for _ in 0..count {
        let taken = only(&interpreter, &configuration);
        all.extend(taken.violations);
        match taken.next {
            Some(next) => configuration = next,
            None => return (all, configuration),
        }
    }
    all.extend(interpreter.verdict_here(&configuration));
    (all, configuration)
}

fn sends(values: &[i64]) -> Vec<Step> {
    values.iter().map(|v| send(q(), vec![num(*v)])).collect()
}

/// An observer of the sends of 1 and then 2.
fn one_then_two(sense: EventSense) -> Automaton {
    Automaton::events(sense)
        .edge(0, 1, send(q(), vec![num(1)]))
        .edge(1, 2, send(q(), vec![num(2)]))
        .end(2)
}

fn unexpected() -> Violation {
    Violation::UnexpectedEvent { span: nowhere() }
}

#[test]
fn required_events_must_come_and_nothing_else() {
    let run = |values: &[i64]| violations(one_then_two(EventSense::Required), sends(values)).0;
    assert_eq!(run(&[1, 2]), []);
    assert_eq!(run(&[1, 3]), [unexpected(), Violation::EventsIncomplete]);
    assert_eq!(run(&[1]), [Violation::EventsIncomplete]);
    assert_eq!(run(&[1, 2, 2]), [unexpected()], "also after the end");
}

#[test]
fn forbidden_events_must_not_all_come() {
    let run = |values: &[i64]| violations(one_then_two(EventSense::Forbidden), sends(values));
    let forbidden = [Violation::ForbiddenEvents { span: nowhere() }];
    assert_eq!(run(&[1, 2]).0, forbidden);
    assert_eq!(run(&[1, 2, 7]).0, forbidden, "once");
    assert_eq!(run(&[1]).0, []);
    // The first that does not fit ends the observation: the observer is at its end.
    let (none, configuration) = run(&[3, 1, 2]);
    assert_eq!(none, []);
    assert_eq!(configuration.state.events.map(|at| at.0), Some(2));
}

#[test]
fn only_events_of_a_kind_and_channel_that_are_mentioned_count() {
    let other = var(GlobalId(1));
    let steps = vec![
        send(other, vec![num(7)]),
        send(q(), vec![num(1)]),
        receive(q(), vec![Pattern::Ignore]),
        send(q(), vec![num(2)]),
    ];
    assert_eq!(violations(one_then_two(EventSense::Required), steps).0, []);
}

#[test]
fn values_that_are_not_fixed_match_anything() {
    let observer = Automaton::events(EventSense::Required)
        .edge(0, 1, send(q(), vec![length(q())]))
        .edge(1, 2, receive(q(), vec![Pattern::Ignore]))
        .end(2);
    let steps = vec![send(q(), vec![num(9)]), receive(q(), vec![Pattern::Ignore])];
    assert_eq!(violations(observer, steps).0, []);
}

#[test]
fn to_look_at_a_message_is_no_event_but_a_send_in_a_routine_is() {
    let receives = Automaton::events(EventSense::Required)
        .edge(0, 1, receive(q(), vec![Pattern::Match(num(1))]))
        .end(1);
    let steps = vec![
        send(q(), vec![num(1)]),
        peek(q(), vec![Pattern::Ignore]),
        receive(q(), vec![Pattern::Ignore]),
    ];
    assert_eq!(violations(receives, steps).0, []);
    let both = routine(vec![
        vec![(send(q(), vec![num(1)]), Some(1))],
        vec![(send(q(), vec![num(3)]), None)],
    ]);
    assert_eq!(
        violations(one_then_two(EventSense::Required), vec![both]).0,
        [unexpected(), Violation::EventsIncomplete]
    );
}

#[test]
fn a_receive_from_the_middle_is_compared_with_the_first_message() {
    let first = Automaton::events(EventSense::Required)
        .edge(0, 1, receive(q(), vec![Pattern::Match(num(1))]))
        .end(1);
    let mut steps = sends(&[1, 2]);
    steps.push(receive_any(q(), vec![Pattern::Match(num(2))]));
    assert_eq!(violations(first, steps).0, []);
}

#[test]
fn two_ways_to_follow_are_a_fault() {
    let observer = Automaton::events(EventSense::Required)
        .edge(0, 1, send(q(), vec![num(1)]))
        .edge(0, 2, send(q(), vec![num(1)]))
        .end(1);
    let (found, _) = violations(observer, sends(&[1]));
    assert!(matches!(
        &found[..],
        [Violation::Fault(fault)] if fault.kind == FaultKind::AmbiguousEvent
    ));
}

#[test]
fn a_rendezvous_is_a_send_and_then_a_receive() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    sketch.run(
        Automaton::new("s")
            .edge(0, 1, send(var(r), vec![num(1)]))
            .end(1),
    );
    let receiver = Automaton::new("t")
        .edge(0, 1, receive(var(r), vec![Pattern::Ignore]))
        .end(1);
    sketch.run(receiver);
    let observer = sketch.add(
        Automaton::events(EventSense::Required)
            .edge(0, 1, send(var(r), vec![num(1)]))
            .edge(1, 2, receive(var(r), vec![Pattern::Match(num(1))]))
            .end(2),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, observed(observer));
    let done = step(&interpreter, &start(&interpreter));
    assert_eq!(done.state.events.map(|at| at.0), Some(2));
    assert_eq!(interpreter.verdict_here(&done), None);
}

/// Spin asks whether the events are complete only as long as there is a process.
#[test]
fn nothing_is_incomplete_once_all_processes_have_left() {
    let mut sketch = Sketch::new();
    sketch.channel("q", 3, &[BYTE]);
    sketch.run(Automaton::new("p").edge(0, 0, Step::Exit).end(0));
    let observer = Automaton::events(EventSense::Required);
    let observer = sketch.add(observer.edge(0, 1, send(q(), vec![num(1)])).end(1));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, observed(observer));
    let left = step(&interpreter, &start(&interpreter));
    assert!(left.state.processes.is_empty());
    assert_eq!(interpreter.verdict_here(&left), None);
}
