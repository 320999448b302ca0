//! What is shown to people: names, changes, printed texts, simulation.

use crate::common::*;
use mandala_interpreter::simulate::{Guidance, Guide, RandomSource, Session};
use mandala_interpreter::{Change, Interpreter};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern};
use mandala_model::ids::{BinderId, EnumId};
use mandala_model::parameters::{Progression, Values};
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::step::{Actor, Violation};
use mandala_model::template::{Effect, Print, Step};
use mandala_model::types::{EnumType, Initial, Scalar};

/// A process that changes one thing of every kind, step by step, and ends.
fn model() -> Model {
    let mut sketch = Sketch::new();
    sketch.model.enums.push(EnumType {
        name: "colour".to_owned(),
        constants: vec![("red".to_owned(), 2), ("green".to_owned(), 1)],
    });
    let colour = Scalar::Enum(EnumId(0));
    let flag = sketch.global("flag", Scalar::Bool);
    let paint = sketch.global("paint", colour);
    let q = sketch.channel("q", 2, &[BYTE, colour]);
    let c = sketch.global("c", Scalar::Channel);
    let child = sketch.add(
        Automaton::new("child")
            .local("k", BYTE, Initial::Fill(num(3)))
            .local("z", BYTE, Initial::Default)
            .edge(0, 1, Step::Exit),
    );
    let print = Effect::Print {
        text: Print::Format {
            format: r"paint %e is %d\n".to_owned(),
            arguments: vec![var(paint), var(paint)],
        },
    };
    sketch.run(
        Automaton::new(":init:")
            .edge(
                0,
                1,
                guarded(
                    num(1),
                    vec![
                        assign(place(flag), num(1)),
                        assign(place(paint), num(2)),
                        print,
                    ],
                ),
            )
            .edge(1, 2, send(var(q), vec![num(4), var(paint)]))
            .edge(2, 3, set(place(c), var(q)))
            .edge(3, 4, spawn(child, vec![])),
    );
    sketch.verified()
}

fn change(name: &str, old: Option<&str>, new: Option<&str>) -> Change {
    Change {
        name: name.to_owned(),
        old: old.map(str::to_owned),
        new: new.map(str::to_owned),
    }
}

#[test]
fn changes_are_named_and_shown_as_a_person_would() {
    let model = model();
    let interpreter = Interpreter::new(&model, ALONE);
    let mut session = Session::new(interpreter).unwrap();
    assert_eq!(session.changes(), []);
    let printed = session.take(0).unwrap().printed.clone();
    assert_eq!(printed, ["paint red is 2\n"]);
    assert_eq!(
        session.changes(),
        [
            change("flag", Some("false"), Some("true")),
            change("paint", Some("0"), Some("red")),
        ]
    );
    session.take(0).unwrap();
    assert_eq!(
        session.changes(),
        [change("q", Some("[]"), Some("[(4, red)]"))]
    );
    session.take(0).unwrap();
    assert_eq!(session.changes(), [change("c", Some("none"), Some("q"))]);
    session.take(0).unwrap();
    assert_eq!(
        session.changes(),
        [
            change("child(1)", None, Some("running")),
            change("child(1):k", None, Some("3")),
        ]
    );
    session.take(0).unwrap();
    assert_eq!(
        session.changes(),
        [change("child(1)", Some("running"), None)]
    );
    assert_eq!(session.verdict(), Some(Violation::Deadlock));
}

#[test]
fn a_walk_can_be_taken_back() {
    let model = model();
    let mut session = Session::new(Interpreter::new(&model, ALONE)).unwrap();
    let before = session.current().cloned();
    let offered = session.offered();
    assert_eq!(offered.len(), 1);
    assert_eq!(offered[0].step.actor, "init(0)");
    assert_eq!(offered[0].step.text, "0-1");
    assert_eq!(session.take(1), None);
    assert!(session.take(0).is_some());
    assert_eq!(session.walked().len(), 1);
    assert_ne!(session.current().cloned(), before);
    assert!(session.undo().is_some());
    assert_eq!(session.current().cloned(), before);
    assert_eq!(session.undo(), None);
}

/// Two processes that can always do one of two things.
fn lively() -> Model {
    let mut sketch = Sketch::new();
    let x = sketch.global("x", BYTE);
    let template = sketch.run(
        Automaton::new("p")
            .edge(0, 0, set(place(x), plus(var(x), num(1))))
            .edge(0, 0, set(place(x), op(BinaryOp::Multiply, var(x), num(2)))),
    );
    sketch.start(template, 1);
    sketch.verified()
}

#[test]
fn chance_is_repeated_by_its_seed() {
    let model = lively();
    let walk = |seed| {
        let mut session = Session::new(Interpreter::new(&model, ALONE)).unwrap();
        let mut dice = RandomSource::new(seed);
        for _ in 0..40 {
            session.take_any(&mut dice).unwrap().unwrap();
        }
        let labels: Vec<_> = session.walked().iter().map(|m| m.label).collect();
        labels
    };
    assert_eq!(walk(1), walk(1));
    assert_ne!(walk(1), walk(2));
    let movers: std::collections::HashSet<_> = walk(3).iter().map(|l| l.edge.index).collect();
    assert_eq!(movers.len(), 2, "every choice has its chance");
    assert_eq!(RandomSource::new(1).below(0), None);
}

#[test]
fn a_guide_leads_along_known_steps_or_says_where_it_got_lost() {
    let model = lively();
    let interpreter = Interpreter::new(&model, ALONE);
    let mut session = Session::new(interpreter).unwrap();
    let labels: Vec<_> = session.moves().iter().map(|m| m.label).collect();
    let mut stranger = labels[0];
    stranger.actor = Actor::Process(7);
    let mut guide = Guide::new(vec![labels[3], labels[1], stranger]);
    for expected in [3, 1] {
        assert_eq!(guide.next(&session), Guidance::Take(expected));
        session.take(expected).unwrap();
    }
    assert_eq!(guide.next(&session), Guidance::Lost(2));
    assert_eq!(Guide::new(vec![]).next(&session), Guidance::Arrived);
}

#[test]
fn after_a_fault_a_walk_is_over_until_it_is_taken_back() {
    let mut sketch = Sketch::new();
    let a = sketch.array("a", 1);
    sketch.run(Automaton::new("p").edge(0, 1, set(element(a, num(3)), num(1))));
    let model = sketch.verified();
    let mut session = Session::new(Interpreter::new(&model, ALONE)).unwrap();
    assert_eq!(session.offered()[0].violations.len(), 1);
    assert!(session.take(0).is_some());
    assert_eq!(session.current(), None);
    assert_eq!((session.moves(), session.offered()), (vec![], vec![]));
    assert_eq!((session.changes(), session.verdict()), (vec![], None));
    assert!(session.undo().is_some());
    assert_eq!(session.moves().len(), 1);
}

#[test]
fn a_failed_condition_is_explained_by_what_it_reads() {
    let mut sketch = Sketch::new();
    let a = sketch.array("a", 3);
    let i = sketch.variable(
        "i",
        mandala_model::types::Type::Scalar(BYTE),
        Initial::Fill(num(2)),
    );
    let q = sketch.channel("q", 1, &[BYTE]);
    sketch.run(
        Automaton::new("p")
            .local("k", BYTE, Initial::Fill(num(5)))
            .edge(0, 1, receive(var(q), vec![Pattern::Ignore])),
    );
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = start(&interpreter).state;
    let condition = equal(
        plus(read(element(a, var(i))), read(own(0))),
        plus(length(var(q)), var(i)),
    );
    let readings = interpreter.readings(&state, Some(0), &condition);
    let readings: Vec<_> = readings.iter().map(|(n, v)| format!("{n}={v}")).collect();
    assert_eq!(readings, ["a[2]=0", "i=2", "p(0):k=5", "len(q)=0"]);
}

/// A quantifier over the positions of an array of three, with that many quantifiers around it.
fn over(quantifier: Quantifier, id: u32, name: &str, body: Expr) -> Expr {
    let variable = BoundVariable {
        id: BinderId(id),
        name: name.into(),
        scalar: BYTE,
        span: body.span,
    };
    let span = body.span;
    let quantified = Quantified {
        quantifier,
        evaluation: Evaluation::Strict,
        variable,
        values: Values(vec![Progression::range(0, 3)]),
        body,
    };
    Expr::new(ExprKind::Quantified(Box::new(quantified)), span)
}

fn bound(id: u32) -> Expr {
    Expr::new(ExprKind::Bound(BinderId(id)), num(0).span)
}

#[test]
fn a_condition_is_so_because_of_the_values_that_decide() {
    use Quantifier::{Exists, ForAll};
    let mut sketch = Sketch::new();
    let a = sketch.array("a", 3);
    let b = sketch.array("b", 3);
    sketch.run(Automaton::new("p").edge(0, 1, Step::Exit));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let mut state = start(&interpreter).state;
    state.globals.copy_from_slice(&[1, 7, 3, 1, 7, 4]);
    let told = |condition: &Expr| {
        let reason = interpreter.reason(&state, Some(0), condition);
        let readings = interpreter.readings(&state, Some(0), &reason.condition);
        let all = reason.values.into_iter().chain(readings);
        all.map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
    };
    let at = |array, index| read(element(array, index));
    // a[2] = 3 is at no position of b. To say so takes all of b.
    let found = over(Exists, 1, "j", equal(at(a, bound(0)), at(b, bound(1))));
    let all = over(ForAll, 0, "i", found);
    let expected = ["i=2", "a[2]=3", "b[0]=1", "b[1]=7", "b[2]=4"];
    assert_eq!(told(&all), expected);
    assert_eq!(told(&all.clone().negated()), expected);
    // a[2] = 3 and b[2] = 4 differ, and they alone.
    let inner = over(Exists, 1, "j", equal(bound(0), bound(1)).negated());
    let differs = equal(at(a, bound(0)), at(b, bound(0))).negated();
    let some = over(Exists, 0, "i", differs);
    assert_eq!(told(&some), ["i=2", "a[2]=3", "b[2]=4"]);
    let joined = Expr::binary(BinaryOp::And, some, over(Exists, 0, "k", inner));
    assert_eq!(told(&joined), ["i=2", "k=0", "j=1", "a[2]=3", "b[2]=4"]);
    // What does not decide is not looked into: all that it reads is told.
    let same = over(Exists, 0, "i", equal(at(a, bound(0)), at(b, bound(0))));
    let either = Expr::binary(BinaryOp::And, num(0), same);
    let cells = ["a[0]=1", "b[0]=1", "a[1]=7", "b[1]=7", "a[2]=3", "b[2]=4"];
    assert_eq!(told(&either), cells);
}

#[test]
fn values_lists_everything_that_has_a_name() {
    let model = model();
    let interpreter = Interpreter::new(&model, ALONE);
    let values = interpreter.values(&start(&interpreter).state);
    let names: Vec<_> = values.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["flag", "paint", "c", "q"]);
}
