//! Processes: birth, death, priorities, questions about others.

use crate::common::*;
use mandala_interpreter::Interpreter;
use mandala_model::expr::{ExprKind, Place, Root};
use mandala_model::ids::{LocalId, LocationId, TemplateId};
use mandala_model::template::{Effect, Step};
use mandala_model::types::{Initial, RecordType, Scalar, Type, Variable};

#[test]
fn a_new_process_gets_its_arguments_and_then_its_own_first_values() {
    let mut sketch = Sketch::new();
    let kind = sketch.kind(2, &[BYTE]);
    let child = sketch.add(
        Automaton::new("child")
            .parameter("k", BYTE)
            .local("next", BYTE, Initial::Fill(plus(read(own(0)), num(1))))
            .local("me", Scalar::Process, Initial::Fill(expr(ExprKind::SelfId)))
            .local("c", Scalar::Channel, Initial::NewChannel(kind))
            .edge(0, 1, skip()),
    );
    sketch.run(Automaton::new("parent").edge(0, 1, spawn(child, vec![num(255 + 1 + 7)])));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = step(&interpreter, &start(&interpreter)).state;
    assert_eq!(state.processes[1].locals, [7, 8, 1, 1]);
    assert_eq!(state.channels[0].owner, Some(1));
    assert_eq!(interpreter.channel_name(&state, 0), "child(1):c");
}

#[test]
fn the_number_of_a_new_process_goes_where_it_is_wanted() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let child = sketch.add(Automaton::new("child").edge(0, 1, skip()));
    let effect = Effect::Spawn {
        template: child,
        arguments: Vec::new(),
        priority: 1,
        result: Some(place(x)),
    };
    sketch.run(Automaton::new("parent").edge(0, 1, guarded(num(1), vec![effect])));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    assert_eq!(step(&interpreter, &start(&interpreter)).state.globals, [1]);
}

#[test]
fn processes_end_in_the_opposite_order_and_take_their_channels_along() {
    let mut sketch = Sketch::new();
    sketch.channel("global", 1, &[BYTE]);
    let kind = sketch.kind(1, &[BYTE]);
    let template = sketch.run(
        Automaton::new("p")
            .local("c", Scalar::Channel, Initial::NewChannel(kind))
            .edge(0, 0, Step::Exit)
            .end(0),
    );
    sketch.start(template, 1);
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(labels(&interpreter, &first), ["p(1) 0-0"]);
    let second = step(&interpreter, &first);
    assert_eq!(second.state.channels.len(), 2);
    assert_eq!(labels(&interpreter, &second), ["p(0) 0-0"]);
    let last = step(&interpreter, &second);
    assert_eq!(
        (last.state.processes.len(), last.state.channels.len()),
        (0, 1)
    );
    assert_eq!(interpreter.verdict_here(&last), None);
}

#[test]
fn the_last_mover_is_the_receiver_after_a_rendezvous() {
    let mut sketch = Sketch::new();
    sketch.model.tracks_last_mover = true;
    let r = sketch.channel("r", 0, &[BYTE]);
    let last = expr(ExprKind::LastMover);
    let pattern = mandala_model::expr::Pattern::Match(last);
    sketch.run(Automaton::new("t").edge(0, 1, receive(var(r), vec![pattern])));
    sketch.run(Automaton::new("s").edge(0, 1, send(var(r), vec![num(1)])));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    // While the receiver looks at the message, the sender was the last to move.
    let state = step(&interpreter, &start(&interpreter)).state;
    assert_eq!(state.last_mover, 0);
    assert_eq!(state.processes[0].location.0, 1);
}

/// One process of priority 2 that waits for `x`, two of priority 1.
fn priorities() -> Sketch {
    let mut sketch = Sketch::new();
    sketch.model.prioritised = true;
    let x = sketch.global("x", BYTE);
    let high = sketch.add(
        Automaton::new("high")
            .provided(less(var(x), num(2)))
            .edge(0, 1, when(equal(var(x), num(1))))
            .edge(1, 0, skip()),
    );
    let low = sketch.add(Automaton::new("low").edge(0, 0, set(place(x), plus(var(x), num(1)))));
    sketch.start(high, 2);
    sketch.start(low, 1);
    sketch.start(low, 1);
    sketch
}

#[test]
fn a_process_waits_for_those_of_higher_priority_that_can_move() {
    let model = priorities().verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(labels(&interpreter, &first), ["low(2) 0-0", "low(1) 0-0"]);
    let mut next = interpreter.moves(&first).remove(0).next.unwrap();
    assert_eq!(labels(&interpreter, &next), ["high(0) 0-1"]);
    // One that is not provided with what it needs holds nobody up, though it could go on.
    next.state.globals[0] = 2;
    next.state.processes[0].location = LocationId(1);
    assert_eq!(labels(&interpreter, &next), ["low(2) 0-0", "low(1) 0-0"]);
}

#[test]
fn priorities_can_be_read_and_changed() {
    let mut sketch = Sketch::new();
    sketch.model.prioritised = true;
    let x = sketch.global("x", BYTE);
    let effects = vec![
        Effect::SetPriority {
            process: num(0),
            priority: num(9),
        },
        // There is no process 5: nothing happens, whatever the priority.
        Effect::SetPriority {
            process: num(5),
            priority: num(1000),
        },
        assign(
            place(x),
            plus(
                expr(ExprKind::Priority(Box::new(num(0)))),
                expr(ExprKind::Priority(Box::new(num(5)))),
            ),
        ),
        assign(Place::variable(Root::OwnPriority, nowhere()), num(4)),
    ];
    sketch.run(Automaton::new("p").edge(0, 1, guarded(num(1), effects)));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = step(&interpreter, &start(&interpreter)).state;
    assert_eq!((state.globals[0], state.processes[0].priority), (9, 4));
}

/// The value of an expression for the first of three processes: `p`, which asks, `waits`, which
/// cannot move, and `moves`, which can.
fn asked_by_p(kind: impl Fn(TemplateId) -> ExprKind) -> Vec<i64> {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    let ignore = mandala_model::expr::Pattern::Ignore;
    sketch.run(Automaton::new("p").edge(0, 1, skip()));
    let waits = sketch.run(
        Automaton::new("waits")
            .local("k", BYTE, Initial::Fill(num(5)))
            .progress(0)
            .edge(0, 1, receive(var(r), vec![ignore])),
    );
    sketch.run(Automaton::new("moves").edge(0, 1, send(var(r), vec![num(1)])));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = start(&interpreter).state;
    let value = interpreter.evaluate(&state, Some(0), &expr(kind(waits)));
    value.into_iter().collect()
}

#[test]
fn processes_know_about_each_other() {
    let enabled = |p: i64| asked_by_p(|_| ExprKind::Enabled(Box::new(num(p))));
    assert_eq!(enabled(1), [0], "a receive at a rendezvous does not count");
    assert_eq!(enabled(2), [1], "a send at a rendezvous counts");
    assert_eq!(enabled(3), [0], "nobody is not enabled");
    assert_eq!(enabled(0), [], "to ask about oneself is a fault");
    assert_eq!(asked_by_p(|_| ExprKind::ProcessCount), [3]);
    assert_eq!(asked_by_p(|_| ExprKind::SelfId), [0]);
    assert_eq!(asked_by_p(|_| ExprKind::NonProgress), [0]);
    assert_eq!(asked_by_p(ExprKind::FirstInstance), [1]);
    let number = |p: i64| asked_by_p(|_| ExprKind::LocationNumber(Box::new(num(p))));
    assert_eq!((number(1), number(7)), (vec![1], vec![0]));
}

#[test]
fn a_template_without_processes_has_no_first_one() {
    let mut sketch = Sketch::new();
    let never_made = sketch.add(Automaton::new("never made").edge(0, 1, skip()));
    sketch.run(Automaton::new("p").edge(0, 1, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = start(&interpreter).state;
    let first = ExprKind::FirstInstance(never_made);
    let value = |kind| interpreter.evaluate(&state, None, &expr(kind));
    assert_eq!(value(first.clone()), Ok(-1));
    // So what is asked about that process is asked about none, not about process 0.
    let number = ExprKind::LocationNumber(Box::new(expr(first)));
    assert_eq!(value(number), Ok(0));
}

/// Whether a state is accepting, and whether it is without progress, where each of two processes is at a location with that label or not.
fn labelled(first: bool, second: bool) -> (i64, i64) {
    let automaton = |name: &str, labelled: bool| {
        let plain = Automaton::new(name).edge(0, 1, skip());
        match labelled {
            true => plain.accept(0).progress(0),
            // What is labelled elsewhere does not matter.
            false => plain.accept(1).progress(1),
        }
    };
    let mut sketch = Sketch::new();
    sketch.run(automaton("p", first));
    sketch.run(automaton("q", second));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = start(&interpreter).state;
    let value = |kind| interpreter.evaluate(&state, None, &expr(kind));
    let accepting = value(ExprKind::Accepting).expect("a value");
    (accepting, value(ExprKind::NonProgress).expect("a value"))
}

#[test]
fn one_process_is_enough_to_accept_or_to_make_progress() {
    assert_eq!(labelled(false, false), (0, 1));
    assert_eq!(labelled(true, false), (1, 0));
    assert_eq!(labelled(false, true), (1, 0));
    assert_eq!(labelled(true, true), (1, 0));
}

#[test]
fn remote_references_name_the_template_that_they_expect() {
    let at = |p: i64| {
        asked_by_p(|template| ExprKind::At {
            template,
            process: Box::new(num(p)),
            location: LocationId(0),
        })
    };
    assert_eq!((at(1), at(2), at(9)), (vec![1], vec![0], vec![0]));
    let remote = |p: i64| {
        asked_by_p(|template| {
            let root = Root::Remote {
                template,
                process: Box::new(num(p)),
                local: LocalId(0),
            };
            ExprKind::Read(Place::variable(root, nowhere()))
        })
    };
    assert_eq!(remote(1), [5]);
    assert_eq!(remote(2), [], "of another kind: a fault");
    assert_eq!(remote(9), [0], "nobody's variables are 0");
}

#[test]
fn else_counts_as_enabled() {
    let mut sketch = Sketch::new();
    sketch.run(
        Automaton::new("p")
            .edge(0, 1, when(num(0)))
            .edge(0, 2, Step::Else),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let question = expr(ExprKind::Enabled(Box::new(num(0))));
    assert_eq!(
        interpreter.evaluate(&start(&interpreter).state, None, &question),
        Ok(1)
    );
}

#[test]
fn a_process_that_has_ended_is_enabled_once_it_is_the_last() {
    let mut sketch = Sketch::new();
    let template = sketch.run(Automaton::new("p").edge(0, 0, Step::Exit).end(0));
    sketch.start(template, 1);
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let enabled = |state, p: i64| {
        let question = expr(ExprKind::Enabled(Box::new(num(p))));
        interpreter
            .evaluate(state, None, &question)
            .expect("a value")
    };
    let both = start(&interpreter);
    assert_eq!((enabled(&both.state, 0), enabled(&both.state, 1)), (0, 1));
    let one = step(&interpreter, &both);
    assert_eq!((enabled(&one.state, 0), enabled(&one.state, 1)), (1, 0));
}

#[test]
fn records_have_first_values_of_their_own() {
    let mut sketch = Sketch::new();
    let kind = sketch.kind(1, &[BYTE]);
    let field = |name: &str, scalar, initial| Variable {
        name: name.to_owned(),
        ty: Type::Scalar(scalar),
        indices: Vec::new(),
        initial,
        storage: mandala_model::types::Storage::State,
        span: nowhere(),
    };
    sketch.model.records.push(RecordType {
        name: "pair".to_owned(),
        fields: vec![
            field("k", BYTE, Initial::Fill(num(7))),
            field("c", Scalar::Channel, Initial::NewChannel(kind)),
        ],
        span: nowhere(),
    });
    let pairs = Type::Array {
        element: Box::new(Type::Record(mandala_model::ids::RecordId(0))),
        length: 2,
    };
    sketch.variable("pairs", pairs, Initial::Default);
    let list = Initial::List(vec![num(1), num(2)]);
    sketch.variable("list", array(BYTE, 4), list);
    sketch.run(Automaton::new("p").edge(0, 1, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = start(&interpreter).state;
    assert_eq!(state.globals, [7, 1, 7, 2, 1, 2, 2, 2]);
    assert_eq!(interpreter.channel_name(&state, 1), "pairs[1].c");
}
