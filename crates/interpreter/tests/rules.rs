//! Starts that are held, steps that come to nothing, and variables that are no part of the state.

use crate::common::*;
use mandala_interpreter::Interpreter;
use mandala_model::ids::MonitorId;
use mandala_model::model::Deadlock;
use mandala_model::monitor::Monitor;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::step::{Turn, Violation};
use mandala_model::template::{Effect, Step};
use mandala_model::types::{Initial, Storage};

/// A process whose only step comes to nothing, and perhaps a claim.
fn abandoning() -> Sketch {
    let mut sketch = Sketch::new();
    sketch.run(Automaton::new("p").edge(0, 1, guarded(num(1), vec![Effect::Abandon])));
    sketch
}

#[test]
fn a_step_that_comes_to_nothing_does_not_go_on() {
    let model = abandoning().verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    let taken = only(&interpreter, &first);
    assert_eq!((taken.next, taken.violations), (None, Vec::new()));
    assert!(interpreter.has_stopped(&first.state));
}

#[test]
fn a_claim_stutters_where_steps_come_to_nothing() {
    let mut sketch = abandoning();
    let claim = sketch.add(Automaton::claim("never").edge(0, 0, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let after = step(&interpreter, &start(&interpreter));
    assert_eq!(after.turn, Turn::Stutter);
}

#[test]
fn a_claim_that_keeps_control_while_it_stutters_is_not_remembered() {
    let mut sketch = Sketch::new();
    sketch.run(Automaton::new("p").edge(0, 1, when(num(0))));
    let claim = sketch.add(
        Automaton::claim("never")
            .hold(0, 1, skip())
            .edge(1, 0, skip()),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let mut stuttering = start(&interpreter);
    stuttering.turn = Turn::Stutter;
    let held = only(&interpreter, &stuttering);
    assert!(!held.remembered);
    assert_eq!(held.next.expect("a step").turn, Turn::Claim);
}

/// A state that only a failing step, a step back to itself, or nothing leads away from.
fn verdict_under(effects: Option<Vec<Effect>>) -> Option<Violation> {
    let mut sketch = Sketch::new();
    sketch.model.deadlock = Deadlock::NoChange;
    let guard = num(i64::from(effects.is_some()));
    let step = guarded(guard, effects.unwrap_or_default());
    sketch.run(Automaton::new("p").edge(0, 0, step));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    interpreter.verdict_here(&start(&interpreter))
}

#[test]
fn a_step_back_is_no_way_on_but_one_that_fails_is() {
    assert_eq!(verdict_under(None), Some(Violation::Deadlock));
    assert_eq!(verdict_under(Some(Vec::new())), Some(Violation::Deadlock));
    let fails = Effect::Fail {
        message: "on purpose".into(),
    };
    assert_eq!(verdict_under(Some(vec![fails])), None);
}

#[test]
fn nothing_begins_where_the_start_is_held_and_cannot_move() {
    let mut sketch = Sketch::new();
    sketch.model.start_held = true;
    sketch.run(Automaton::new("starts").edge(0, 1, when(num(0))));
    sketch.run(Automaton::new("moves").edge(0, 1, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let before = start(&interpreter);
    assert_eq!(before.turn, Turn::Held(0));
    assert_eq!(interpreter.moves(&before), []);
}

#[test]
fn what_is_no_part_of_the_state_is_forgotten_after_a_step() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let remember = || {
        let effects = vec![
            assign(own(0), num(5)),
            assign(place(x), plus(var(x), read(own(0)))),
        ];
        guarded(num(1), effects)
    };
    let scratch = |automaton: Automaton| {
        automaton
            .local("kept", BYTE, Initial::Default)
            .edge(0, 1, remember())
    };
    let process = sketch.run(scratch(Automaton::new("p")));
    let claim = Automaton::claim("never").local("kept", BYTE, Initial::Default);
    let claim = sketch.add(claim.edge(0, 0, guarded(num(1), vec![assign(own(0), num(7))])));
    for template in [process, claim] {
        sketch.model.templates[template.index()].locals[0].storage = Storage::Scratch;
    }
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, claimed(claim));
    let claimed = step(&interpreter, &start(&interpreter));
    assert_eq!(claimed.state.claim.as_ref().expect("a claim").locals, [0]);
    let moved = step(&interpreter, &claimed);
    assert_eq!(moved.state.globals, [5]);
    assert_eq!(moved.state.processes[0].locals, [0]);
}

#[test]
fn a_process_that_leaves_has_moved_last() {
    let mut sketch = Sketch::new();
    sketch.model.tracks_last_mover = true;
    sketch.run(Automaton::new("stays").edge(0, 1, when(num(0))));
    sketch.run(Automaton::new("leaves").edge(0, 0, Step::Exit).end(0));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let after = step(&interpreter, &start(&interpreter)).state;
    assert_eq!((after.processes.len(), after.last_mover), (1, 1));
}

#[test]
fn a_monitor_never_sees_a_time_out() {
    let mut sketch = Sketch::new();
    sketch.run(Automaton::new("p").edge(0, 0, when(num(0))));
    let monitors = [when(timeout()), skip()].map(|step| {
        sketch.model.add_monitor(Monitor {
            parameters: Vec::new(),
            step,
            text: "check".into(),
            statement: 0,
            span: nowhere(),
            twin: false,
        })
    });
    sketch.model.properties.push(Property {
        name: "covered".into(),
        kind: PropertyKind::Cover {
            monitors: monitors.to_vec(),
            nodes: Vec::new(),
        },
        span: nowhere(),
    });
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let seen = interpreter.observations(&start(&interpreter));
    let seen: Vec<MonitorId> = seen.iter().map(|seen| seen.monitor).collect();
    assert_eq!(seen, [monitors[1]]);
}
