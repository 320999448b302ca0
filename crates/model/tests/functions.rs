//! Functions: what the verifier asks of them, and what becomes of them in instances.

use crate::build::*;
use crate::verify::Break;
use mandala_model::UncheckedModel;
use mandala_model::expr::*;
use mandala_model::function::{Call, Function};
use mandala_model::ids::*;
use mandala_model::instantiate::{instantiate, step_of};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::template::*;
use mandala_model::types::*;
use mandala_model::verify::{Rule, verify};

/// Ways to break invariants about functions.
pub const BREAKS: &[Break] = &[
    (Rule::Functions, "a variable that is remembered", |m| {
        *m = calling();
        m.functions[0].locals[1].storage = Storage::State;
    }),
    (Rule::Functions, "a reference with an initial value", |m| {
        *m = calling();
        m.functions[0].references[0].initial = Initial::Fill(int(1));
    }),
    (Rule::Functions, "more parameters than variables", |m| {
        *m = calling();
        m.functions[0].parameters = 3;
    }),
    (Rule::Functions, "a result that is no variable", |m| {
        *m = calling();
        m.functions[0].result = Some(LocalId(2));
    }),
    (Rule::Routines, "a function without a body", |m| {
        *m = calling();
        m.functions[0].body.nodes.clear();
    }),
    (
        Rule::VariableIds,
        "a variable that the frame does not have",
        |m| {
            *m = calling();
            body(m).step = perform(int(1), vec![assign(local(2), int(1))]);
        },
    ),
    (Rule::VariableIds, "a reference that is not passed", |m| {
        *m = calling();
        let other = place(Root::Reference(1), Vec::new());
        body(m).step = when(read(other));
    }),
    (Rule::VariableIds, "a reference outside of functions", |m| {
        *m = calling();
        let passed = place(Root::Reference(0), Vec::new());
        m.templates[0].edges[0].step = when(read(passed));
    }),
    (
        Rule::Paths,
        "a part that what is passed does not have",
        |m| {
            *m = calling();
            let part = field(place(Root::Reference(0), Vec::new()), 0);
            body(m).step = when(read(part));
        },
    ),
    (Rule::Calls, "no such function", |m| {
        *m = calling();
        call(m).function = FunctionId(1);
    }),
    (Rule::Calls, "an argument too many", |m| {
        *m = calling();
        call(m).arguments.push(int(1));
    }),
    (Rule::Calls, "nothing is passed", |m| {
        *m = calling();
        call(m).references.clear();
    }),
    (Rule::Calls, "a place of another type", |m| {
        *m = calling();
        call(m).references[0] = global(1);
    }),
    (Rule::Calls, "a result that goes nowhere", |m| {
        *m = calling();
        call(m).result = None;
    }),
    (Rule::Calls, "a result that there is not", |m| {
        *m = calling();
        m.functions[0].result = None;
    }),
    (Rule::Calls, "a result that does not fit", |m| {
        *m = calling();
        call(m).result = Some(global(1));
    }),
    (Rule::Calls, "a call that is no choice", |m| {
        *m = calling();
        let called = call(m).clone();
        m.templates[0].edges[0].step = Step::Call(called);
    }),
    (Rule::Calls, "a claim that calls", |m| {
        *m = calling();
        m.templates[0].role = Role::Claim;
    }),
    (
        Rule::Properties,
        "a node that a function does not have",
        |m| {
            *m = calling();
            m.properties.push(covered(1));
        },
    ),
];

fn scratch(name: &str, ty: Type) -> Variable {
    let mut variable = variable(name, ty, Initial::Default);
    variable.storage = Storage::Scratch;
    variable
}

/// A process that calls `f(3; x)` and puts the result into `x`, beside an array.
fn calling() -> UncheckedModel {
    let sum = binary(
        BinaryOp::Add,
        read(local(0)),
        read(place(Root::Reference(0), Vec::new())),
    );
    let assigned = perform(int(1), vec![assign(local(1), sum)]);
    let function = Function {
        name: "f".into(),
        parameters: 1,
        locals: vec![scratch("by", byte()), scratch("sum", byte())],
        references: vec![scratch("to", byte())],
        result: Some(LocalId(1)),
        body: Routine {
            nodes: vec![node(vec![choice(assigned, None)])],
        },
        span: SPAN,
    };
    let call = Call {
        function: FunctionId(0),
        arguments: vec![int(3)],
        references: vec![global(0)],
        result: Some(global(0)),
    };
    let routine = Routine {
        nodes: vec![node(vec![choice(Step::Call(call), None)])],
    };
    let rule = edge(0, 0, Step::Routine(routine));
    let mut model = empty();
    model.globals = vec![
        variable("x", byte(), Initial::Default),
        variable("a", array(byte(), 2), Initial::Default),
    ];
    model.functions.push(function);
    model
        .templates
        .push(template("p", Role::Process, 1, vec![rule]));
    model
}

fn call(model: &mut UncheckedModel) -> &mut Call {
    let Step::Routine(routine) = &mut model.templates[0].edges[0].step else {
        panic!("a routine");
    };
    match &mut routine.nodes[0].choices[0].step {
        Step::Call(call) => call,
        _ => panic!("a call"),
    }
}

fn body(model: &mut UncheckedModel) -> &mut Choice {
    &mut model.functions[0].body.nodes[0].choices[0]
}

fn covered(node: u32) -> Property {
    Property {
        name: "met".into(),
        kind: PropertyKind::Cover {
            edges: Vec::new(),
            nodes: vec![(RoutineId::Function(FunctionId(0)), NodeId(node))],
        },
        span: SPAN,
    }
}

#[test]
fn a_call_becomes_the_body_with_what_is_passed() {
    let model = verify(calling()).expect("a valid model");
    let instances = instantiate(&model).expect("a small model").expect("a call");
    assert!(instances.model.functions.is_empty());
    // The argument is a constant, and the place is the variable itself.
    let written = &instances.model.templates[0].edges[0].step;
    let Step::Guarded { effects, .. } = written else {
        panic!("straight code: {written:?}");
    };
    let sum = binary(BinaryOp::Add, int(3), read(global(0)));
    let [
        Effect::Assign { value, .. },
        Effect::Assign { place: target, .. },
    ] = &effects[..]
    else {
        panic!("two assignments: {effects:?}");
    };
    assert_eq!((value, target), (&sum, &global(0)));
    let edge = EdgeId {
        template: TemplateId(0),
        index: 0,
    };
    assert_eq!(step_of(&model, edge, 0).as_ref(), Some(written));
}

#[test]
fn nodes_of_functions_that_are_watched_stay_in_every_copy() {
    let mut model = calling();
    model.properties.push(covered(0));
    let model = verify(model).expect("a valid model");
    let instances = instantiate(&model).expect("a small model").expect("a call");
    let PropertyKind::Cover { nodes, .. } = &instances.model.properties[0].kind else {
        panic!("a cover");
    };
    let edges: Vec<_> = nodes.iter().map(|(routine, _)| routine.edge()).collect();
    let edge = EdgeId {
        template: TemplateId(0),
        index: 0,
    };
    assert_eq!(edges, [Some(edge)]);
}

#[test]
fn an_error_in_a_function_names_it() {
    let mut model = calling();
    body(&mut model).step = perform(int(1), vec![assign(local(2), int(1))]);
    let errors = verify(model).expect_err("no such variable");
    assert_eq!(
        errors[0].to_string(),
        "function f: there is no variable l2 (invariant 15 of the IR)"
    );
}

#[test]
fn functions_that_call_each_other_are_recursive() {
    let mut model = calling();
    let mut other = model.functions[0].clone();
    let called = call(&mut model).clone();
    other.references.clear();
    let there = Call {
        function: FunctionId(2),
        references: Vec::new(),
        result: Some(local(1)),
        ..called
    };
    let back = Call {
        function: FunctionId(1),
        ..there.clone()
    };
    let mut last = other.clone();
    other.body.nodes[0].choices[0].step = Step::Call(there);
    last.body.nodes[0].choices[0].step = Step::Call(back);
    model.functions.extend([other, last]);
    assert_eq!(model.recursive_functions(), [false, true, true]);
}
