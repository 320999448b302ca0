//! Steps that fail: every kind of fault, and what a fault means for the rest.

use crate::common::*;
use mandala_interpreter::Interpreter;
use mandala_model::expr::{BinaryOp, ExprKind, Pattern, Place, ReceiveOrder, Root};
use mandala_model::ids::{LocalId, TemplateId};
use mandala_model::model::Arithmetic;
use mandala_model::source::{FileId, Span};
use mandala_model::step::{FaultKind, Violation};
use mandala_model::template::{Effect, Step};
use mandala_model::types::{Initial, Scalar, Type};

fn fault_of_value(value: mandala_model::expr::Expr) -> FaultKind {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", INT);
    fault_of_step(sketch, set(place(x), value))
}

#[test]
fn arithmetic_that_has_no_result() {
    assert_eq!(
        fault_of_value(op(BinaryOp::Divide, num(1), num(0))),
        FaultKind::DivisionByZero
    );
    assert_eq!(
        fault_of_value(op(BinaryOp::Modulo, num(1), num(0))),
        FaultKind::DivisionByZero
    );
    assert_eq!(
        fault_of_value(op(BinaryOp::ShiftLeft, num(1), num(32))),
        FaultKind::BadShift { by: 32 }
    );
    assert_eq!(
        fault_of_value(op(BinaryOp::ShiftRight, num(1), num(-1))),
        FaultKind::BadShift { by: -1 }
    );
}

#[test]
fn a_result_beyond_64_bits_where_nothing_wraps() {
    let mut sketch = Sketch::new();
    sketch.model.arithmetic = Arithmetic::Checked64;
    let x = sketch.global("x", INT);
    let sum = plus(num(i64::MAX), num(1));
    assert_eq!(
        fault_of_step(sketch, set(place(x), sum)),
        FaultKind::Overflow
    );
}

#[test]
fn an_index_outside_its_array() {
    for index in [-1, 2] {
        let mut sketch = Sketch::new();
        let a = sketch.array("a", 2);
        let write = set(element(a, num(index)), num(1));
        assert_eq!(
            fault_of_step(sketch, write),
            FaultKind::IndexOutOfRange { index, length: 2 }
        );
    }
}

#[test]
fn a_value_outside_a_range() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", Scalar::Range { min: 0, max: 3 });
    assert_eq!(
        fault_of_step(sketch, set(place(x), num(4))),
        FaultKind::ValueOutOfRange { value: 4 }
    );
}

#[test]
fn channels_that_are_not_there() {
    let mut sketch = Sketch::new();
    let c = sketch.global("c", Scalar::Channel);
    assert_eq!(
        fault_of_step(sketch, send(var(c), vec![num(1)])),
        FaultKind::NoChannel
    );
    assert_eq!(
        fault_of_step(Sketch::new(), receive(num(9), vec![Pattern::Ignore])),
        FaultKind::ChannelGone
    );
}

#[test]
fn messages_of_another_shape() {
    let arity = |found| FaultKind::MessageArity { found, expected: 2 };
    let mut sketch = Sketch::new();
    let q = sketch.channel("q", 1, &[BYTE, BYTE]);
    assert_eq!(fault_of_step(sketch, send(var(q), vec![num(1)])), arity(1));

    let mut sketch = Sketch::new();
    let q = sketch.channel("q", 1, &[BYTE, BYTE]);
    sketch.run(
        Automaton::new("p")
            .edge(0, 1, send(var(q), vec![num(1), num(2)]))
            .edge(1, 2, receive(var(q), vec![Pattern::Ignore])),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let full = step(&interpreter, &start(&interpreter));
    assert_eq!(fault_of(&interpreter, &full), arity(1));
}

#[test]
fn a_message_of_another_shape_at_a_rendezvous() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    sketch.run(Automaton::new("s").edge(0, 1, send(var(r), vec![num(1)])));
    let two = vec![Pattern::Ignore, Pattern::Ignore];
    sketch.run(Automaton::new("t").edge(0, 1, receive(var(r), two)));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let taken = only(&interpreter, &start(&interpreter));
    assert!(taken.label.partner.is_some(), "the receiver is named");
    let kind = FaultKind::MessageArity {
        found: 2,
        expected: 1,
    };
    assert_eq!(fault_of(&interpreter, &start(&interpreter)), kind);
}

#[test]
fn looking_at_a_rendezvous() {
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    assert_eq!(
        fault_of_step(sketch, peek(var(r), vec![Pattern::Ignore])),
        FaultKind::PollAtRendezvous
    );
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    let poll = expr(ExprKind::Poll {
        channel: Box::new(var(r)),
        order: ReceiveOrder::First,
        patterns: vec![Pattern::Ignore],
    });
    assert_eq!(
        fault_of_step(sketch, when(poll)),
        FaultKind::PollAtRendezvous
    );
}

#[test]
fn routines_that_cannot_end() {
    let blocked = routine(vec![vec![(skip(), Some(1))], vec![(when(num(0)), None)]]);
    assert_eq!(
        fault_of_step(Sketch::new(), blocked),
        FaultKind::RoutineBlocked
    );
    let endless = routine(vec![vec![(skip(), Some(0))]]);
    assert_eq!(
        fault_of_step(Sketch::new(), endless),
        FaultKind::RoutineEndless
    );
    let mut sketch = Sketch::new();
    let r = sketch.channel("r", 0, &[BYTE]);
    let meeting = routine(vec![vec![(send(var(r), vec![num(1)]), None)]]);
    assert_eq!(
        fault_of_step(sketch, meeting),
        FaultKind::RendezvousInRoutine
    );
}

#[test]
fn a_routine_takes_the_first_choice_at_every_node_or_is_not_taken_at_all() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let count = routine(vec![
        vec![(when(equal(var(x), num(0))), Some(1))],
        vec![
            (when(less(var(x), num(5))), Some(2)),
            (Step::Else, None),
            (set(place(x), num(99)), None),
        ],
        vec![(set(place(x), plus(var(x), num(1))), Some(1))],
    ]);
    sketch.run(Automaton::new("p").edge(0, 0, count));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let done = step(&interpreter, &start(&interpreter));
    assert_eq!(done.state.globals, [5]);
    assert_eq!(interpreter.moves(&done), []);
}

#[test]
fn a_variable_of_scratch_is_forgotten_after_the_step() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let scratch = sketch.variable("s", Type::Scalar(BYTE), Initial::Fill(num(4)));
    sketch.model.globals[1].storage = mandala_model::types::Storage::Scratch;
    let effects = vec![
        assign(place(scratch), num(7)),
        assign(place(x), var(scratch)),
    ];
    sketch.run(Automaton::new("p").edge(0, 1, guarded(num(1), effects)));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let done = step(&interpreter, &start(&interpreter));
    assert_eq!(done.state.globals, [7, 4]);
}

#[test]
fn a_routine_that_waits_at_a_quiet_node_cannot_be_taken() {
    let waiting = |quiet: bool| {
        let mut sketch = Sketch::new();
        let x = sketch.global("x", BYTE);
        let nodes = vec![
            vec![(set(place(x), num(1)), Some(1))],
            vec![(when(num(0)), None)],
        ];
        let Step::Routine(mut body) = routine(nodes) else {
            unreachable!("a routine is one");
        };
        body.nodes[1].quiet = quiet;
        sketch.run(Automaton::new("p").edge(0, 1, Step::Routine(body)));
        let model = sketch.verified();
        let interpreter = Interpreter::new(&model, ALONE);
        interpreter.moves(&start(&interpreter)).len()
    };
    assert_eq!((waiting(true), waiting(false)), (0, 1));
}

#[test]
fn a_process_without_room_for_its_channels_fails_where_it_is_made() {
    let mut sketch = Sketch::new();
    let kind = sketch.kind(1, &[BYTE]);
    let many = array(Scalar::Channel, 255);
    sketch.variable("c", many, Initial::NewChannel(kind));
    let child = sketch.add(
        Automaton::new("child")
            .local("c", Scalar::Channel, Initial::NewChannel(kind))
            .edge(0, 1, skip()),
    );
    let parent = sketch.run(Automaton::new("parent").edge(0, 1, spawn(child, vec![])));
    let made_here = Span::new(FileId(0), 3, 4);
    sketch.model.templates[parent.index()].edges[0].span = made_here;
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let failed = only(&interpreter, &start(&interpreter));
    let places: Vec<_> = failed
        .violations
        .iter()
        .map(|v| match v {
            Violation::Fault(fault) => (&fault.kind, fault.span),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(places, [(&FaultKind::TooManyChannels, made_here)]);
}

#[test]
fn too_many_processes_and_channels() {
    let mut sketch = Sketch::new();
    let template = sketch.run(Automaton::new("p").edge(0, 0, spawn(TemplateId(0), vec![])));
    for _ in 1..255 {
        sketch.start(template, 1);
    }
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let moves = interpreter.moves(&start(&interpreter));
    assert!(moves.iter().all(|m| matches!(
        &m.violations[..],
        [Violation::Fault(fault)] if fault.kind == FaultKind::TooManyProcesses
    )));

    let mut sketch = Sketch::new();
    let kind = sketch.kind(1, &[BYTE]);
    let many = array(Scalar::Channel, 256);
    sketch.variable("c", many, Initial::NewChannel(kind));
    sketch.run(Automaton::new("p").edge(0, 1, skip()));
    let model = sketch.verified();
    let fault = Interpreter::new(&model, ALONE).start().unwrap_err();
    assert_eq!(fault.kind, FaultKind::TooManyChannels);
}

#[test]
fn a_long_routine_is_no_fault() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", INT);
    let counting = routine(vec![
        vec![(set(place(x), plus(var(x), num(1))), Some(1))],
        vec![(when(equal(var(x), num(600_000))), None), (skip(), Some(0))],
    ]);
    sketch.run(Automaton::new("p").edge(0, 1, counting));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let done = step(&interpreter, &start(&interpreter));
    assert_eq!(done.state.globals, [600_000]);
}

#[test]
fn processes_of_another_kind() {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let other = sketch.add(
        Automaton::new("other")
            .local("k", BYTE, Initial::Default)
            .edge(0, 1, skip()),
    );
    let remote = |process| {
        let root = Root::Remote {
            template: other,
            process: Box::new(num(process)),
            local: LocalId(0),
        };
        Place::variable(root, nowhere())
    };
    let step = set(place(x), read(remote(0)));
    assert_eq!(fault_of_step(sketch, step), FaultKind::NoSuchProcess);
}

#[test]
fn asking_about_oneself_also_through_others() {
    let enabled = |p: i64| when(expr(ExprKind::Enabled(Box::new(num(p)))));
    assert_eq!(
        fault_of_step(Sketch::new(), enabled(0)),
        FaultKind::EnabledOfSelf
    );
    let mut sketch = Sketch::new();
    sketch.run(Automaton::new("p").edge(0, 1, enabled(1)));
    sketch.run(Automaton::new("q").edge(0, 1, enabled(0)));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let moves = interpreter.moves(&start(&interpreter));
    assert_eq!(moves.len(), 2);
    assert!(moves.iter().all(|m| matches!(
        &m.violations[..],
        [Violation::Fault(fault)] if fault.kind == FaultKind::EnabledOfSelf
    )));
}

#[test]
fn priorities_out_of_range() {
    for value in [0, 256] {
        let mut sketch = Sketch::new();
        sketch.model.prioritised = true;
        let effect = Effect::SetPriority {
            process: num(0),
            priority: num(value),
        };
        assert_eq!(
            fault_of_step(sketch, guarded(num(1), vec![effect])),
            FaultKind::BadPriority { value }
        );
    }
}

#[test]
fn a_fault_keeps_what_went_wrong_before_it() {
    let mut sketch = Sketch::new();
    let a = sketch.array("a", 1);
    let effects = vec![assertion(num(0)), assign(element(a, num(1)), num(0))];
    sketch.run(
        Automaton::new("p")
            .hold(0, 1, guarded(num(1), effects))
            .edge(0, 2, Step::Else),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    // An edge that fails is one that was taken: `else` is not.
    let taken = only(&interpreter, &start(&interpreter));
    assert!(matches!(
        taken.violations[..],
        [Violation::Assertion { .. }, Violation::Fault(_)]
    ));
    assert!(!taken.remembered);
    let chains = interpreter.macro_steps(&start(&interpreter));
    assert_eq!(chains.len(), 1);
    assert_eq!(chains[0].successor(), None);
}

#[test]
fn a_condition_to_move_that_fails_is_a_fault_of_the_process() {
    let mut sketch = Sketch::new();
    let broken = op(BinaryOp::Divide, num(1), num(0));
    sketch.run(Automaton::new("p").provided(broken).edge(0, 1, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    assert_eq!(
        fault_of(&interpreter, &start(&interpreter)),
        FaultKind::DivisionByZero
    );
}
