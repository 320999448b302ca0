//! Buffered channels: order, matching, what is kept.

use crate::common::*;
use mandala_interpreter::Interpreter;
use mandala_model::expr::{ChannelQuery, ExprKind, Pattern, ReceiveOrder};
use mandala_model::template::Step;
use mandala_model::types::Scalar;

/// What is in the first channel, and in the first global, after a process has made those steps.
fn after(capacity: u32, steps: impl FnOnce(&Sketch) -> Vec<Step>) -> (Vec<Vec<i64>>, i64) {
    let mut sketch = Sketch::new();
    sketch.global("x", INT);
    sketch.channel("q", capacity, &[BYTE, Scalar::signed(16)]);
    let mut process = Automaton::new("p");
    let steps = steps(&sketch);
    let count = steps.len();
    for (at, step) in steps.into_iter().enumerate() {
        process = process.edge(at as u32, at as u32 + 1, step);
    }
    sketch.run(process);
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let mut configuration = start(&interpreter);
    for _ in 0..count {
        configuration = step(&interpreter, &configuration);
    }
    let state = configuration.state;
    (state.channels[0].messages.clone(), state.globals[0])
}

fn x() -> mandala_model::ids::GlobalId {
    mandala_model::ids::GlobalId(0)
}

fn q() -> mandala_model::expr::Expr {
    var(mandala_model::ids::GlobalId(1))
}

fn pair(a: i64, b: i64) -> Vec<mandala_model::expr::Expr> {
    vec![num(a), num(b)]
}

#[test]
fn messages_wait_in_order_and_are_cut_to_their_fields() {
    let (waiting, _) = after(3, |_| {
        vec![send(q(), pair(257, 40_000)), send(q(), pair(-1, 2))]
    });
    assert_eq!(waiting, [[1, 40_000 - 65_536], [255, 2]]);
}

#[test]
fn a_sorted_send_goes_before_the_first_greater_message() {
    let (waiting, _) = after(5, |_| {
        vec![
            send_sorted(q(), pair(2, 5)),
            send_sorted(q(), pair(2, 9)),
            send_sorted(q(), pair(1, 7)),
            send_sorted(q(), pair(2, 5)),
        ]
    });
    assert_eq!(waiting, [[1, 7], [2, 5], [2, 5], [2, 9]]);
}

#[test]
fn a_sorted_send_compares_before_the_message_is_cut() {
    let (waiting, _) = after(5, |_| {
        vec![send_sorted(q(), pair(9, 0)), send_sorted(q(), pair(257, 0))]
    });
    assert_eq!(waiting, [[9, 0], [1, 0]]);
}

#[test]
fn a_receive_takes_the_oldest_message_or_the_oldest_that_matches() {
    let sends = || {
        vec![
            send(q(), pair(1, 10)),
            send(q(), pair(2, 20)),
            send(q(), pair(2, 30)),
        ]
    };
    let two = || vec![Pattern::Match(num(2)), Pattern::Bind(place(x()))];
    let (waiting, value) = after(3, |_| {
        let mut steps = sends();
        steps.push(receive_any(q(), two()));
        steps
    });
    assert_eq!((waiting, value), (vec![vec![1, 10], vec![2, 30]], 20));
    let (waiting, value) = after(3, |_| {
        let mut steps = sends();
        steps.push(receive(
            q(),
            vec![Pattern::Ignore, Pattern::Bind(place(x()))],
        ));
        steps
    });
    assert_eq!((waiting.len(), value), (2, 10));
}

#[test]
fn to_peek_leaves_the_message_where_it_is() {
    let (waiting, value) = after(3, |_| {
        let bind = vec![Pattern::Ignore, Pattern::Bind(place(x()))];
        vec![send(q(), pair(1, 10)), peek(q(), bind)]
    });
    assert_eq!((waiting.len(), value), (1, 10));
}

#[test]
fn values_are_bound_from_left_to_right_after_the_whole_message_matched() {
    let mut sketch = Sketch::new();
    let i = sketch.global("i", BYTE);
    let a = sketch.array("a", 4);
    let channel = sketch.channel("q", 1, &[BYTE, BYTE]);
    let patterns = vec![Pattern::Bind(place(i)), Pattern::Bind(element(a, var(i)))];
    sketch.run(
        Automaton::new("p")
            .edge(0, 1, send(var(channel), vec![num(3), num(9)]))
            .edge(1, 2, receive(var(channel), patterns)),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = step(&interpreter, &step(&interpreter, &start(&interpreter))).state;
    assert_eq!(state.globals[..5], [3, 0, 0, 0, 9]);
}

#[test]
fn a_full_channel_blocks_a_send_and_an_empty_one_a_receive() {
    let mut sketch = Sketch::new();
    let channel = sketch.channel("q", 1, &[BYTE]);
    sketch.run(
        Automaton::new("p")
            .edge(0, 1, receive(var(channel), vec![Pattern::Ignore]))
            .edge(0, 2, send(var(channel), vec![num(1)]))
            .edge(2, 3, send(var(channel), vec![num(1)]))
            .edge(2, 4, receive(var(channel), vec![Pattern::Match(num(2))])),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let first = start(&interpreter);
    assert_eq!(labels(&interpreter, &first), ["p(0) 0-2"]);
    assert_eq!(interpreter.moves(&step(&interpreter, &first)), []);
}

#[test]
fn channels_answer_questions() {
    let mut sketch = Sketch::new();
    let channel = sketch.channel("q", 1, &[BYTE]);
    let meeting = sketch.channel("r", 0, &[BYTE]);
    sketch.run(Automaton::new("p").edge(0, 1, send(var(channel), vec![num(5)])));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let empty = start(&interpreter).state;
    let full = step(&interpreter, &start(&interpreter)).state;
    let ask = |state, id, query| {
        let question = expr(ExprKind::Channel(query, Box::new(var(id))));
        interpreter.evaluate(state, None, &question).unwrap()
    };
    let answers = |state, id| {
        [
            ChannelQuery::Length,
            ChannelQuery::Empty,
            ChannelQuery::NotEmpty,
            ChannelQuery::Full,
            ChannelQuery::NotFull,
        ]
        .map(|query| ask(state, id, query))
    };
    assert_eq!(answers(&empty, channel), [0, 1, 0, 0, 1]);
    assert_eq!(answers(&full, channel), [1, 0, 1, 1, 0]);
    assert_eq!(answers(&full, meeting), [0, 1, 0, 0, 1]);
    let poll = |wanted| {
        let question = expr(ExprKind::Poll {
            channel: Box::new(var(channel)),
            order: ReceiveOrder::First,
            patterns: vec![Pattern::Match(num(wanted))],
        });
        interpreter.evaluate(&full, None, &question).unwrap()
    };
    assert_eq!((poll(5), poll(6)), (1, 0));
}

#[test]
fn a_poll_of_all_messages_says_where_the_first_match_is() {
    let mut sketch = Sketch::new();
    let channel = sketch.channel("q", 3, &[BYTE]);
    sketch.run(
        Automaton::new("p")
            .edge(0, 1, send(var(channel), vec![num(5)]))
            .edge(1, 2, send(var(channel), vec![num(6)]))
            .edge(2, 3, send(var(channel), vec![num(6)])),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let mut configuration = start(&interpreter);
    for _ in 0..3 {
        configuration = step(&interpreter, &configuration);
    }
    let poll = |order, wanted| {
        let question = expr(ExprKind::Poll {
            channel: Box::new(var(channel)),
            order,
            patterns: vec![Pattern::Match(num(wanted))],
        });
        interpreter.evaluate(&configuration.state, None, &question)
    };
    let any = |wanted| poll(ReceiveOrder::AnyMatching, wanted);
    assert_eq!((any(5), any(6), any(7)), (Ok(1), Ok(2), Ok(0)));
    assert_eq!(poll(ReceiveOrder::First, 6), Ok(0));
}
