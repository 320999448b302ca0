//! Monitors: every invariant of the verifier about them is broken on purpose, and a verified model shows them.

use crate::build::*;
use crate::verify::{Break, errors, parameter, routine};
use mandala_model::UncheckedModel;
use mandala_model::expr::ExprKind;
use mandala_model::function::{Call, Function};
use mandala_model::ids::{FunctionId, LocalId, MonitorId, NodeId, RecordId, TemplateId};
use mandala_model::instantiate::instantiate;
use mandala_model::loops::Loop;
use mandala_model::monitor::Monitor;
use mandala_model::parameters::{Progression, Values};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::template::{Effect, Role, Routine, Step};
use mandala_model::types::{Initial, Storage, Type};
use mandala_model::verify::{Rule, verify};

/// Ways to break an invariant about monitors.
pub const BREAKS: &[Break] = &[
    (Rule::Properties, "a node of a monitor without any", |m| {
        *m = monitored(when(int(1)));
        m.properties[0].kind = PropertyKind::Cover {
            monitors: vec![MonitorId(0)],
            nodes: vec![(MonitorId(0).into(), NodeId(0))],
        };
    }),
    (Rule::Properties, "a monitor of two properties", |m| {
        *m = monitored(when(int(1)));
        m.properties.push(m.properties[0].clone());
    }),
    (Rule::Properties, "a monitor of no property", |m| {
        *m = monitored(when(int(1)));
        m.properties.clear();
    }),
    (Rule::Monitors, "a monitor that is an `else`", |m| {
        *m = monitored(Step::Else);
    }),
    (Rule::Monitors, "a monitor that sends", |m| {
        *m = monitored(send(int(1), vec![int(1)]));
    }),
    (Rule::Monitors, "a monitor that sends on its way", |m| {
        let sends = choice(send(int(1), vec![int(1)]), None);
        *m = monitored(routine(vec![node(vec![sends])]));
    }),
    (Rule::Monitors, "a monitor that makes a process", |m| {
        let effect = Effect::Spawn {
            template: TemplateId(0),
            arguments: Vec::new(),
            priority: 1,
            result: None,
        };
        *m = monitored(perform(int(1), vec![effect]));
        m.templates = vec![template("p", Role::Process, 1, Vec::new())];
    }),
    (
        Rule::Monitors,
        "a variable of monitors that is remembered",
        |m| {
            *m = monitored(when(int(1)));
            m.monitor_scratch[0].storage = Storage::State;
        },
    ),
    (
        Rule::Monitors,
        "a variable of monitors with a first value",
        |m| {
            *m = monitored(when(int(1)));
            m.monitor_scratch[0].initial = Initial::Fill(int(1));
        },
    ),
    (Rule::Monitors, "a template of monitors", |m| {
        *m = empty();
        m.templates = vec![template("p", Role::Monitors, 1, Vec::new())];
    }),
    (Rule::Texts, "a monitor without a text", |m| {
        *m = monitored(when(int(1)));
        m.monitors[0].text.clear();
    }),
    (Rule::Routines, "a monitor without nodes", |m| {
        *m = monitored(routine(Vec::new()));
    }),
    (Rule::VariableIds, "no such variable of monitors", |m| {
        *m = monitored(when(read(local(1))));
    }),
    (Rule::Own, "a monitor that asks for its number", |m| {
        *m = monitored(when(expr(ExprKind::SelfId)));
    }),
    (Rule::TypeIds, "no such record in a monitor", |m| {
        *m = monitored(when(int(1)));
        m.monitor_scratch[0].ty = Type::Record(RecordId(9));
    }),
    (
        Rule::Parameters,
        "a parameter of a monitor without room",
        |m| {
            *m = monitored(when(int(1)));
            let values = Values(vec![Progression::range(250, 10)]);
            m.monitors[0].parameters = vec![parameter(values)];
        },
    ),
    (Rule::Monitors, "a monitor that calls what sends", |m| {
        *m = calling(send(int(1), vec![int(1)]));
    }),
    (
        Rule::Own,
        "a monitor that calls what asks for a number",
        |m| {
            *m = calling(when(expr(ExprKind::SelfId)));
        },
    ),
    (Rule::Calls, "a monitor that calls nothing there is", |m| {
        *m = calling(when(int(1)));
        m.functions.clear();
    }),
    (Rule::Loops, "a loop of a monitor without a head", |m| {
        *m = calling(when(int(1)));
        let Step::Routine(routine) = &mut m.monitors[0].step else {
            return;
        };
        routine.loops.push(Loop {
            head: NodeId(0),
            variable: LocalId(0),
            position: LocalId(0),
            values: Values(vec![Progression::range(0, 2)]),
            span: SPAN,
        });
    }),
    (Rule::Alone, "a monitor beside an observer of events", |m| {
        let monitored = monitored(when(int(1)));
        m.monitors = monitored.monitors;
        m.monitor_scratch = monitored.monitor_scratch;
        m.properties.extend(monitored.properties);
    }),
];

/// A model with a monitor that calls a function, which calls another one that does that step.
fn calling(step: Step) -> UncheckedModel {
    let call = |function| {
        Step::Call(Call {
            function: FunctionId(function),
            arguments: Vec::new(),
            references: Vec::new(),
            result: None,
        })
    };
    let body = |step| Routine::new(vec![node(vec![choice(step, None)])]);
    let function = |name: &str, step| Function {
        name: name.into(),
        parameters: 0,
        locals: Vec::new(),
        references: Vec::new(),
        result: None,
        body: body(step),
        span: SPAN,
    };
    let mut model = monitored(Step::Routine(body(call(0))));
    model.functions = vec![function("outer", call(1)), function("inner", step)];
    model
}

#[test]
fn a_monitor_may_call_functions() {
    let model = verify(calling(when(int(1)))).expect("a valid model");
    let instances = instantiate(&model).expect("a small model").expect("a call");
    assert_eq!(instances.model.not_written_out(), None);
    assert_eq!(instances.model.monitors.len(), 1);
}

/// A model with a monitor of an invariant, and a variable for it.
fn monitored(step: Step) -> UncheckedModel {
    let mut model = empty();
    let mut scratch = variable("x", byte(), Initial::Default);
    scratch.storage = Storage::Scratch;
    model.monitor_scratch = vec![scratch];
    let monitor = model.add_monitor(Monitor {
        parameters: Vec::new(),
        step,
        text: "check".into(),
        statement: 0,
        span: SPAN,
        twin: false,
    });
    model.properties.push(Property {
        name: "checked".into(),
        kind: PropertyKind::Invariant {
            monitors: vec![monitor],
        },
        span: SPAN,
    });
    model
}

#[test]
fn a_monitor_with_parameters_is_valid() {
    let mut model = monitored(when(read(local(0))));
    let values = Values(vec![Progression::range(1, 3)]);
    model.monitors[0].parameters.push(parameter(values));
    assert_eq!(errors(model), []);
}

#[test]
fn an_error_in_a_monitor_says_in_which() {
    let mut model = monitored(when(int(1)));
    model.monitors[0].text.clear();
    let found = errors(model);
    assert_eq!(found[0].monitor, Some(MonitorId(0)));
    let text = found[0].to_string();
    assert!(
        text.starts_with("monitor m0: a statement without a text"),
        "{text}"
    );
}

#[test]
fn monitors_are_shown_behind_all_templates() {
    let model = verify(monitored(when(int(1)))).expect("a valid model");
    let id = model.monitor_template().expect("there is a monitor");
    assert_eq!(id.index(), model.templates.len());
    let shown = model.template(id);
    assert_eq!((shown.role, shown.edges.len()), (Role::Monitors, 1));
    assert_eq!(shown.locals, model.monitor_scratch);
    let edge = model.edge_of_monitor(MonitorId(0));
    assert_eq!((edge.template, edge.index), (id, 0));
    assert_eq!(model.runnables().map(|(id, _)| id).last(), Some(id));
    assert_eq!(
        verify(empty()).expect("a valid model").monitor_template(),
        None
    );
}
