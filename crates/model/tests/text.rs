//! The text form of models built by hand.

use crate::build::*;
use mandala_model::UncheckedModel;
use mandala_model::claim::Claim;
use mandala_model::expr::*;
use mandala_model::ids::*;
use mandala_model::model::{Arithmetic, Deadlock, Language, StartProcess};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::template::*;
use mandala_model::text::Text;
use mandala_model::types::*;
use mandala_model::verify::verify;

fn text(model: UncheckedModel) -> String {
    let model = verify(model).expect("a valid model");
    Text::new(&model).to_string()
}

/// The text of an expression of the users of the sample.
fn shown(expression: Expr) -> String {
    let model = verify(sample()).expect("a valid model");
    Text::new(&model).of_expression(&expression, Some(TemplateId(USER)))
}

/// The text of a step of the users of the sample, behind `s0 -> s0`.
fn shown_step(step: Step) -> String {
    let mut model = sample();
    let user = &mut model.templates[0];
    let locals = std::mem::take(&mut user.locals);
    *user = template("user", Role::Process, 5, vec![edge(0, 0, step)]);
    user.locals = locals;
    user.parameters = 1;
    let text = text(model);
    let mut lines = text.lines().filter_map(|l| l.strip_prefix("    s0 -> s0 "));
    lines.next().expect("an edge").to_string()
}

#[test]
fn the_sample_prints_as_before() {
    let model = verify(sample()).expect("a valid model");
    let sources = sources();
    let text = Text::new(&model).with_sources(&sources).to_string();
    assert_eq!(text, include_str!("snapshots/sample.txt"));
}

#[test]
fn an_empty_model_is_its_header() {
    assert_eq!(text(empty()), "model promela, wrapping 32\n\n\n");
}

#[test]
fn without_sources_there_are_no_comments() {
    assert!(!text(sample()).contains("//"));
}

#[test]
fn parentheses_stand_where_they_matter() {
    use BinaryOp::{Add, And, Multiply, Or, Subtract};
    let (a, b, c) = (int(1), int(2), int(3));
    let sum = binary(Add, a.clone(), b.clone());
    assert_eq!(
        shown(binary(Multiply, sum.clone(), c.clone())),
        "(1 + 2) * 3"
    );
    assert_eq!(
        shown(binary(
            Add,
            binary(Multiply, a.clone(), b.clone()),
            c.clone()
        )),
        "1 * 2 + 3"
    );
    assert_eq!(
        shown(binary(Subtract, a.clone(), sum.clone())),
        "1 - (1 + 2)"
    );
    assert_eq!(shown(binary(Subtract, sum.clone(), a.clone())), "1 + 2 - 1");
    let either = binary(Or, a.clone(), b.clone());
    assert_eq!(
        shown(binary(And, either.clone(), c.clone()).negated()),
        "!((1 || 2) && 3)"
    );
    let choose = ExprKind::Conditional(Box::new(either), Box::new(sum), Box::new(int(-4)));
    assert_eq!(shown(expr(choose.clone())), "1 || 2 ? 1 + 2 : -4");
    assert_eq!(
        shown(binary(Add, expr(choose), c)),
        "(1 || 2 ? 1 + 2 : -4) + 3"
    );
}

#[test]
fn numbers_have_names_where_the_other_side_tells() {
    let letter = || read(global(LETTER));
    assert_eq!(shown(equal(letter(), int(1))), "letter == ack");
    assert_eq!(shown(equal(int(2), letter())), "req == letter");
    assert_eq!(shown(equal(letter(), int(9))), "letter == 9");
    assert_eq!(
        shown(binary(BinaryOp::Less, letter(), int(1))),
        "letter < 1"
    );
    let flag = read(element(global(FLAGS), int(1)));
    assert_eq!(shown(equal(flag, int(1))), "flags[1] == true");
}

#[test]
fn questions_look_like_calls() {
    let one = || Box::new(int(1));
    let queue = || Box::new(read(global(QUEUE)));
    let questions = [
        (ExprKind::ProcessCount, "processes()"),
        (ExprKind::FirstInstance(TemplateId(USER)), "first(user)"),
        (ExprKind::NonProgress, "non_progress()"),
        (ExprKind::Enabled(one()), "enabled(1)"),
        (ExprKind::LocationNumber(one()), "location_number(1)"),
        (ExprKind::Priority(one()), "priority(1)"),
        (
            ExprKind::Channel(ChannelQuery::Length, queue()),
            "len(queue)",
        ),
        (
            ExprKind::Channel(ChannelQuery::NotFull, queue()),
            "nfull(queue)",
        ),
    ];
    for (question, expected) in questions {
        assert_eq!(shown(expr(question)), expected);
    }
    assert_eq!(
        shown(read(place(Root::OwnPriority, Vec::new()))),
        "own_priority()"
    );
    assert_eq!(
        shown(read(element(field(global(PAIR), 1), int(0)))),
        "pair.y[0]"
    );
}

#[test]
fn every_kind_of_receive_and_send_is_told_apart() {
    let queue = || read(global(QUEUE));
    let take = |order, keep, patterns| Step::Receive {
        channel: queue(),
        order,
        keep,
        patterns,
    };
    let patterns = || vec![Pattern::Match(read(local(0))), Pattern::Bind(local(1))];
    assert_eq!(
        shown_step(take(ReceiveOrder::AnyMatching, Keep::Remove, patterns())),
        "receive queue??eval(k), i"
    );
    assert_eq!(
        shown_step(take(ReceiveOrder::First, Keep::Stay, patterns())),
        "receive queue?<eval(k), i>"
    );
    let sorted = Step::Send {
        channel: queue(),
        order: SendOrder::Sorted,
        message: vec![int(1), int(1)],
    };
    assert_eq!(shown_step(sorted), "send queue!!ack, 1");
}

#[test]
fn a_channel_that_is_computed_stands_in_parentheses() {
    let sum = binary(BinaryOp::Add, read(global(QUEUE)), int(1));
    assert_eq!(shown_step(send(sum, vec![int(1)])), "send (queue + 1)!1");
}

#[test]
fn names_in_sight_are_never_the_same() {
    let mut model = empty();
    model.globals = vec![variable("x", byte(), Initial::Default)];
    let sum = binary(BinaryOp::Add, read(local(0)), read(local(1)));
    let effect = assign(global(0), sum);
    let edges = vec![edge(0, 0, perform(int(1), vec![effect]))];
    let mut process = template("p", Role::Process, 1, edges);
    process.locals = vec![
        variable("x", byte(), Initial::Default),
        variable("y", byte(), Initial::Default),
    ];
    model.templates = vec![process];
    let text = text(model);
    assert!(text.contains("local x#0: u8\n"), "{text}");
    assert!(text.contains("do x = x#0 + y\n"), "{text}");
}

#[test]
fn types_are_told_apart() {
    let scalars = [
        (Scalar::unsigned(1), "u1"),
        (Scalar::signed(32), "i32"),
        (Scalar::Bool, "bool"),
        (Scalar::Range { min: -1, max: 4 }, "-1..4"),
        (Scalar::Process, "process"),
        (Scalar::Channel, "chan"),
    ];
    for (scalar, expected) in scalars {
        let mut model = empty();
        let ty = array(array(Type::Scalar(scalar), 3), 2);
        model.globals = vec![variable("v", ty, Initial::Default)];
        model.globals[0].storage = Storage::Scratch;
        let text = text(model);
        let line = format!("global scratch v: {expected}[2][3]\n");
        assert!(text.contains(&line), "{text}");
    }
}

/// A system of rules with one of everything that only such systems have.
fn rules() -> UncheckedModel {
    let mut model = UncheckedModel::new(Language::Murphi, Arithmetic::Checked64);
    model.start_held = true;
    model.deadlock = Deadlock::NoChange;
    let coding = |name: &str, kind| Coding {
        name: name.into(),
        kind,
    };
    model.codings = vec![
        coding(
            "colour",
            CodingKind::Names(vec!["RED".into(), "BLUE".into()]),
        ),
        coding("small", CodingKind::Numbers { first: -1 }),
        coding("proc", CodingKind::Members),
        coding(
            "node",
            CodingKind::Parts(vec![
                CodingPart {
                    first: 1,
                    coding: coding("proc", CodingKind::Members),
                },
                CodingPart {
                    first: 4,
                    coding: coding("role", CodingKind::Names(vec!["HOME".into()])),
                },
            ]),
        ),
    ];
    let cell = |coding, max| {
        let coding = CodingId(coding);
        Type::Scalar(Scalar::Coded { coding, max })
    };
    model.globals = vec![
        variable("c", cell(0, 2), Initial::Default),
        variable("n", array(cell(1, 9), 3), Initial::Default),
    ];
    let is_defined = |place| {
        let value = Box::new(read(place));
        expr(ExprKind::Unary(UnaryOp::Defined, value))
    };
    let red = || equal(is_defined(global(0)), int(1));
    let mut quiet = node(vec![choice(when(red()), None)]);
    quiet.quiet = true;
    let rule = Step::Routine(Routine {
        nodes: vec![
            node(vec![choice(
                perform(int(1), vec![assign(global(0), int(2))]),
                Some(1),
            )]),
            quiet,
        ],
    });
    let message = "not \"red\"".to_string();
    let mut look = edge(
        1,
        1,
        perform(red().negated(), vec![Effect::Fail { message }]),
    );
    look.control = Control::Observe;
    let edges = vec![
        edge(0, 1, perform(int(1), vec![assign(global(0), int(1))])),
        look.clone(),
        edge(1, 1, rule),
        edge(1, 1, perform(red(), vec![Effect::Abandon])),
        look.clone(),
        look,
    ];
    model.templates = vec![template("rules", Role::Process, 2, edges)];
    model.start = vec![StartProcess {
        template: TemplateId(0),
        arguments: Vec::new(),
        priority: 1,
    }];
    let id = |index| EdgeId {
        template: TemplateId(0),
        index,
    };
    let property = |name: &str, kind| Property {
        name: name.into(),
        kind,
        span: SPAN,
    };
    model.properties = vec![
        property("red", PropertyKind::Invariant { edges: vec![id(1)] }),
        property(
            "somewhere",
            PropertyKind::Cover {
                edges: vec![id(4)],
                nodes: vec![(id(2), NodeId(1))],
            },
        ),
        property("again", PropertyKind::Reachable { edges: vec![id(5)] }),
    ];
    model
}

#[test]
fn a_system_of_rules_shows_all_that_it_has() {
    let text = text(rules());
    let expected = [
        "model murphi, checked 64, held start, deadlock without change",
        "coding colour { RED, BLUE }",
        "coding small from -1",
        "coding proc members",
        "coding node parts (1 proc members; 4 role { HOME })",
        "global c: colour(2)",
        "global n: small(9)[3]",
        "    s0 -> s1 do c = RED",
        "    s1 -> s1 observe when !(defined(c) == RED) do fail \"not \\\"red\\\"\"",
        "      n0: do c = BLUE -> n1",
        "      n1 quiet: when defined(c) == RED -> done",
        "    s1 -> s1 when defined(c) == RED do abandon",
        "property red invariant rules 1",
        "property somewhere cover rules 4, rules 2 n1",
        "property again reachable rules 5",
    ];
    for line in expected {
        assert!(
            text.lines().any(|l| l == line),
            "no line `{line}` in\n{text}"
        );
    }
}

/// An automaton runs as a template does, and is none: the model is what the front end has made, and so is its text.
#[test]
fn an_automaton_runs_behind_the_templates_and_is_no_template() {
    let model = verify(sample()).expect("valid");
    assert_eq!(*model, sample());
    let mut properties = (0..).map(PropertyId).zip(&model.properties);
    let is_automaton = |kind: &PropertyKind| matches!(kind, PropertyKind::NoRun(_));
    let (id, property) = properties
        .find(|(_, p)| is_automaton(&p.kind))
        .expect("there is one");
    let claim = model.claim_of(id).expect("an automaton is a claim");
    assert_eq!(claim, Claim::Automaton(id));
    let runnable = model.runnable(claim);
    assert_eq!(runnable.index(), model.templates.len());
    assert_eq!(model.runnable_count(), model.templates.len() + 1);
    let seen = model.template(runnable);
    assert_eq!((&seen.name, seen.role), (&property.name, Role::Claim));
    assert_eq!(seen.locals, property.kind.indices());
    let text = Text::new(&model).to_string();
    assert!(
        !text.contains(&format!("claim {}", property.name)),
        "{text}"
    );
}
