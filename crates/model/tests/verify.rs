//! Every invariant of the verifier is broken on purpose, one at a time.

use crate::build::*;
use crate::functions;
use crate::loops;
use crate::monitors;
use crate::quantifiers;
use mandala_model::chance::{Alternative, Outcome, Quantity, Rewards, Stochastic};
use mandala_model::expr::*;
use mandala_model::ids::*;
use mandala_model::model::Deadlock;
use mandala_model::parameters::{Parameter, Progression, Values};
use mandala_model::property::{Automaton, Demand, PropertyKind, RunQuestion};
use mandala_model::symmetry::{UseKind, VariableRef};
use mandala_model::template::*;
use mandala_model::types::*;
use mandala_model::verify::{MAX_CELLS, Rule, VerifyError, verify};
use mandala_model::{Model, UncheckedModel};
use mandala_temporal::pctl::{Accumulation, Measure, Query};
use std::ops::Range;
use std::sync::Arc;

fn outcome(weight: i64) -> Outcome {
    Outcome {
        alternative: Alternative(0),
        weight: Quantity::integer(weight),
        action: None,
    }
}

/// A way to break an invariant in [`sample`].
pub type Break = (Rule, &'static str, fn(&mut UncheckedModel));

const BREAKS: &[Break] = &[
    (Rule::Chance, "an outcome without chance", |m| {
        let outcome = outcome(1);
        m.templates[0].edges[0].outcome = Some(outcome);
    }),
    (Rule::Chance, "a weight of nothing", |m| {
        m.stochastic = Some(Stochastic::Mdp);
        m.templates[0].edges[0].outcome = Some(outcome(0));
    }),
    (Rule::Chance, "rewards without chance", |m| {
        m.rewards.push(Rewards {
            name: None,
            states: Vec::new(),
            steps: Vec::new(),
            span: m.templates[0].span,
        });
    }),
    (Rule::Chance, "a query about no rewards", |m| {
        m.stochastic = Some(Stochastic::Dtmc);
        m.properties[0].kind = PropertyKind::Query {
            query: Query::Value(Measure::Reward {
                structure: 0,
                optimum: None,
                what: Accumulation::Total,
            }),
        };
    }),
    (Rule::TypeIds, "no such record", |m| {
        m.globals[0].ty = Type::Record(RecordId(9));
    }),
    (Rule::TypeIds, "no such enum in a message", |m| {
        m.channel_kinds[0].fields[0] = Scalar::Enum(EnumId(9));
    }),
    (Rule::TypeIds, "no such domain", |m| {
        m.templates[0].locals[0].ty = Type::Scalar(Scalar::Id(DomainId(1)));
    }),
    (Rule::TypeIds, "no such coding", |m| {
        m.globals[0].ty = coded(1, 3);
    }),
    (Rule::TypeIds, "no such kind of channel", |m| {
        m.globals[3].initial = Initial::NewChannel(ChannelKindId(7));
    }),
    (Rule::RecordOrder, "a record in itself", |m| {
        m.records[0].fields[0].ty = Type::Record(RecordId(0));
        m.records[0].fields[0].initial = Initial::Default;
    }),
    (Rule::RecordOrder, "no fields", |m| {
        m.records[0].fields.clear()
    }),
    (Rule::Sizes, "an empty array", |m| {
        m.globals[0].ty = array(byte(), 0)
    }),
    (Rule::Sizes, "an array that overflows", |m| {
        m.globals[0].ty = array(array(array(byte(), u32::MAX), u32::MAX), u32::MAX);
    }),
    (Rule::Sizes, "a record that doubles again and again", |m| {
        for id in 0..80 {
            let inner = Type::Record(RecordId(id));
            let mut record = m.records[0].clone();
            record.fields = vec![variable("a", array(inner, 2), Initial::Default)];
            m.records.push(record);
        }
    }),
    (Rule::Sizes, "locals one by one", |m| {
        let half = array(byte(), MAX_CELLS as u32 / 2 + 1);
        let locals = &mut m.templates[1].locals;
        locals.push(variable("a", half.clone(), Initial::Default));
        locals.push(variable("b", half, Initial::Default));
    }),
    (Rule::Sizes, "an endless channel", |m| {
        m.channel_kinds[0].capacity = u32::MAX
    }),
    (Rule::Sizes, "empty messages", |m| {
        m.channel_kinds[0].fields.clear()
    }),
    (Rule::Sizes, "an empty domain", |m| m.domains[0].size = 0),
    (Rule::Scalars, "no bits", |m| {
        m.globals[0].ty = Type::Scalar(Scalar::signed(0))
    }),
    (Rule::Scalars, "too many bits", |m| {
        m.channel_kinds[1].fields[0] = Scalar::unsigned(33);
    }),
    (Rule::Scalars, "a range backwards", |m| {
        m.globals[0].ty = Type::Scalar(Scalar::Range { min: 1, max: -1 });
    }),
    (Rule::Scalars, "a range too wide", |m| {
        m.globals[0].ty = Type::Scalar(Scalar::Range {
            min: i64::MIN,
            max: i64::MAX,
        });
    }),
    (Rule::Scalars, "values without names", |m| {
        show_as(m, CodingKind::Names(vec!["one".into()]));
        m.globals[0].ty = coded(0, 2);
    }),
    (Rule::Scalars, "numbers beyond 64 bits", |m| {
        show_as(m, CodingKind::Numbers { first: i64::MAX });
        m.globals[0].ty = coded(0, 2);
    }),
    (Rule::Scalars, "parts in no order", |m| {
        show_as(m, CodingKind::Parts(vec![part(3), part(1)]));
        m.globals[0].ty = coded(0, 4);
    }),
    (Rule::Scalars, "a part for what is undefined", |m| {
        show_as(m, CodingKind::Parts(vec![part(0), part(3)]));
        m.globals[0].ty = coded(0, 4);
    }),
    (Rule::Scalars, "parts in parts", |m| {
        let mut outer = part(1);
        outer.coding.kind = CodingKind::Parts(vec![part(1)]);
        show_as(m, CodingKind::Parts(vec![outer]));
        m.globals[0].ty = coded(0, 4);
    }),
    (Rule::Constants, "zero", |m| m.enums[0].constants[0].1 = 0),
    (Rule::Constants, "too large", |m| {
        m.enums[0].constants[0].1 = 256
    }),
    (Rule::Constants, "twice", |m| m.enums[0].constants[0].1 = 2),
    (Rule::InitialShape, "a list for a scalar", |m| {
        m.globals[0].initial = Initial::List(vec![int(0)]);
    }),
    (Rule::InitialShape, "a list too long", |m| {
        m.globals[1].initial = Initial::List(vec![int(0), int(0), int(0)]);
    }),
    (Rule::InitialShape, "a list of nothing", |m| {
        m.globals[1].initial = Initial::List(Vec::new());
    }),
    (Rule::InitialShape, "a number for a record", |m| {
        m.globals[2].initial = Initial::Fill(int(0));
    }),
    (Rule::InitialShape, "a channel in a byte", |m| {
        m.globals[0].initial = Initial::NewChannel(ChannelKindId(0));
    }),
    (Rule::InitialShape, "zero outside the range", |m| {
        m.globals[0].ty = Type::Scalar(Scalar::Range { min: 1, max: 2 });
    }),
    (Rule::InitialShape, "a parameter with a value", |m| {
        m.templates[0].locals[0].initial = Initial::Fill(int(1));
    }),
    (Rule::InitialOrder, "a global from a later one", |m| {
        m.globals[0].initial = Initial::Fill(read(global(5)));
    }),
    (Rule::InitialOrder, "a local from itself", |m| {
        m.templates[0].locals[1].initial = Initial::Fill(read(local(1)));
    }),
    (Rule::InitialOrder, "a field from a global", |m| {
        m.records[0].fields[0].initial = Initial::Fill(read(global(0)));
    }),
    (Rule::Locations, "no locations", |m| {
        m.templates[3].locations.clear();
        m.templates[3].edges.clear();
    }),
    (Rule::Locations, "an entry outside", |m| {
        m.templates[0].entry = LocationId(5)
    }),
    (Rule::Locations, "too many parameters", |m| {
        m.templates[1].parameters = 1
    }),
    (Rule::EdgeRanges, "a range outside the table", |m| {
        m.templates[0].locations[4].edges = 7..9;
    }),
    (Rule::EdgeRanges, "a range backwards", |m| {
        m.templates[0].locations[4].edges = Range { start: 8, end: 7 };
    }),
    (Rule::EdgeRanges, "an edge of another location", |m| {
        m.templates[0].edges[0].source = LocationId(1);
    }),
    (Rule::EdgeRanges, "an edge left out", |m| {
        m.templates[0].locations[0].edges = 0..1;
    }),
    (Rule::EdgeRanges, "an edge from nowhere", |m| {
        m.templates[0].edges[0].source = LocationId(77);
    }),
    (Rule::Targets, "a target outside", |m| {
        m.templates[0].edges[0].target = LocationId(5)
    }),
    (Rule::Escapes, "an escape last", |m| {
        m.templates[0].edges[2].escape = 0;
        m.templates[0].edges[3].escape = 1;
    }),
    (Rule::Routines, "no nodes", |m| {
        m.templates[0].edges[6].step = routine(Vec::new())
    }),
    (Rule::Routines, "no choices", |m| {
        m.templates[0].edges[6].step = routine(vec![node(Vec::new())]);
    }),
    (Rule::Routines, "a node outside", |m| {
        m.templates[0].edges[6].step = routine(vec![node(vec![choice(Step::Else, Some(1))])]);
    }),
    (Rule::Routines, "an exit inside", |m| {
        m.templates[0].edges[6].step = routine(vec![node(vec![choice(Step::Exit, None)])]);
    }),
    (Rule::Routines, "a routine inside", |m| {
        let inner = m.templates[0].edges[6].step.clone();
        m.templates[0].edges[6].step = routine(vec![node(vec![choice(inner, None)])]);
    }),
    (Rule::Messages, "a send of nothing", |m| {
        m.templates[0].edges[3].step = send(read(global(QUEUE)), Vec::new());
    }),
    (Rule::Messages, "a receive of nothing", |m| {
        m.templates[0].edges[4].step = receive(read(global(QUEUE)), Vec::new());
    }),
    (Rule::Messages, "a poll for nothing", |m| {
        guard(m, poll(Vec::new()))
    }),
    (Rule::Texts, "an edge without text", |m| {
        m.templates[0].edges[0].text.clear()
    }),
    (Rule::Texts, "a choice without text", |m| {
        let mut silent = choice(Step::Else, None);
        silent.text.clear();
        m.templates[0].edges[6].step = routine(vec![node(vec![silent])]);
    }),
    (Rule::VariableIds, "no such global", |m| {
        guard(m, read(global(7)))
    }),
    (Rule::VariableIds, "no such local", |m| {
        guard(m, read(local(2)))
    }),
    (Rule::VariableIds, "no such local elsewhere", |m| {
        guard(m, read(remote(USER, int(1), 2)));
    }),
    (Rule::VariableIds, "no such target", |m| {
        let pattern = Pattern::Bind(local(2));
        m.templates[0].edges[4].step = receive(read(global(QUEUE)), vec![pattern]);
    }),
    (Rule::VariableIds, "inside an index of a target", |m| {
        let target = element(global(FLAGS), read(local(9)));
        m.templates[0].edges[0].step = perform(int(1), vec![assign(target, int(0))]);
    }),
    (Rule::VariableIds, "inside a poll", |m| {
        guard(m, poll(vec![Pattern::Bind(local(9))]));
    }),
    (Rule::VariableIds, "inside a routine", |m| {
        let step = when(read(local(9)));
        m.templates[0].edges[6].step = routine(vec![node(vec![choice(step, None)])]);
    }),
    (Rule::Paths, "an array as a value", |m| {
        guard(m, read(global(FLAGS)))
    }),
    (Rule::Paths, "an index of a byte", |m| {
        guard(m, read(element(global(TURN), int(0))))
    }),
    (Rule::Paths, "a field of an array", |m| {
        guard(m, read(field(global(FLAGS), 0)))
    }),
    (Rule::Paths, "no such field", |m| {
        guard(m, read(field(global(PAIR), 2)))
    }),
    (Rule::Paths, "part of a priority", |m| {
        guard(m, read(field(place(Root::OwnPriority, Vec::new()), 0)));
    }),
    (
        Rule::VariableIds,
        "a local in a formula whose claim has none",
        |m| formula(m, read(local(1))),
    ),
    (Rule::Own, "a number in a claim", |m| {
        m.templates[2].edges[0].step = when(expr(ExprKind::SelfId));
    }),
    (Rule::Own, "a number at the start", |m| {
        m.globals[0].initial = Initial::Fill(expr(ExprKind::SelfId));
    }),
    (Rule::Own, "a local as an argument at the start", |m| {
        m.start[0].arguments.push(read(local(0)));
    }),
    (Rule::Own, "a priority in a claim", |m| {
        let own = place(Root::OwnPriority, Vec::new());
        m.templates[2].edges[0].step = when(read(own));
    }),
    (Rule::ProcessReferences, "a local of a claim", |m| {
        guard(m, read(remote(CLAIM, int(1), 0)));
    }),
    (Rule::ProcessReferences, "no such template", |m| {
        guard(m, at(9, 0))
    }),
    (Rule::ProcessReferences, "the first of no template", |m| {
        guard(m, expr(ExprKind::FirstInstance(TemplateId(9))));
    }),
    (Rule::ProcessReferences, "no such location", |m| {
        guard(m, at(USER, 5))
    }),
    (Rule::ProcessReferences, "a location of a claim", |m| {
        guard(m, at(CLAIM, 0))
    }),
    (Rule::Creation, "a claim at the start", |m| {
        m.start[0].template = TemplateId(CLAIM);
    }),
    (Rule::Creation, "an unknown template", |m| spawn(m, 9, 1, 1)),
    (Rule::Creation, "an observer", |m| spawn(m, EVENTS, 0, 1)),
    (Rule::Creation, "an argument too few", |m| {
        spawn(m, USER, 0, 1)
    }),
    (Rule::Creation, "an argument too many at the start", |m| {
        m.start[0].arguments.push(int(0));
    }),
    (Rule::Creation, "priority 0", |m| spawn(m, USER, 1, 0)),
    (Rule::StartCount, "256 processes", |m| {
        m.start = vec![m.start[0].clone(); 256];
    }),
    (Rule::Observers, "a claim that sends", |m| {
        m.templates[2].edges[0].step = send(read(global(QUEUE)), vec![int(1)]);
    }),
    (Rule::Observers, "a claim that makes processes", |m| {
        m.templates[2].edges[0].step = m.templates[1].edges[0].step.clone();
    }),
    (Rule::Observers, "a claim whose routine receives", |m| {
        let inner = m.templates[0].edges[4].step.clone();
        m.templates[2].locals = m.templates[0].locals.clone();
        m.templates[2].edges[0].step = routine(vec![node(vec![choice(inner, None)])]);
    }),
    (Rule::Observers, "events with a condition", |m| {
        m.templates[3].edges[1].step = when(read(global(TURN)));
    }),
    (Rule::Observers, "events with an effect", |m| {
        m.templates[3].edges[1].step = perform(int(1), vec![assign(global(TURN), int(1))]);
    }),
    (Rule::Observers, "events with else", |m| {
        m.templates[3].edges[1].step = Step::Else
    }),
    (Rule::Observers, "a claim that waits", |m| {
        m.templates[2].provided = Some(int(1))
    }),
    (Rule::Properties, "a process as a claim", |m| {
        m.properties[0].kind = PropertyKind::Never {
            claim: TemplateId(USER),
        };
    }),
    (Rule::Properties, "a claim as an observer", |m| {
        m.properties[2].kind = PropertyKind::Events {
            observer: TemplateId(CLAIM),
        };
    }),
    (Rule::Properties, "nothing as a claim", |m| {
        m.properties[0].kind = PropertyKind::Never {
            claim: TemplateId(4),
        };
    }),
    (Rule::Properties, "no such monitor", |m| {
        m.properties[0].kind = PropertyKind::Reachable {
            monitors: vec![MonitorId(0)],
            demand: Demand::One,
        };
    }),
    (Rule::Properties, "a node of an edge without any", |m| {
        m.properties[0].kind = PropertyKind::Cover {
            monitors: Vec::new(),
            nodes: vec![(edge_id(0).into(), NodeId(0))],
        };
    }),
    (Rule::Properties, "no such node", |m| {
        m.properties[0].kind = PropertyKind::Cover {
            monitors: Vec::new(),
            nodes: vec![(edge_id(6).into(), NodeId(2))],
        };
    }),
    (Rule::Properties, "a node of no monitor", |m| {
        m.properties[0].kind = PropertyKind::Remark {
            nodes: vec![(MonitorId(0).into(), NodeId(0))],
        };
    }),
    (Rule::Properties, "no such condition", |m| {
        m.conditions.clear();
    }),
    (Rule::Properties, "a condition that nobody asks", |m| {
        m.conditions.push(m.conditions[0].clone());
    }),
    (Rule::Properties, "an automaton without states", |m| {
        question(m).automaton = Arc::new(Automaton {
            states: Vec::new(),
            accept_all: None,
        });
    }),
    (Rule::Properties, "a transition to no state", |m| {
        let question = question(m);
        let mut automaton = Automaton::clone(&question.automaton);
        automaton.states[0].transitions[1].target.0 = 2;
        question.automaton = Arc::new(automaton);
    }),
    (Rule::Properties, "an index without values", |m| {
        question(m).indices.values[0].clear();
    }),
    (
        Rule::Properties,
        "an index with a value that does not fit",
        |m| {
            question(m).indices.values[0].push(256);
        },
    ),
    (Rule::Properties, "values of no index", |m| {
        question(m).indices.values.push(vec![0]);
    }),
    (Rule::TypeIds, "no such record in an index", |m| {
        question(m).indices.variables[0].ty = Type::Record(RecordId(9));
    }),
    (Rule::Observers, "a claim that fails", |m| {
        let message = "no".into();
        m.templates[2].edges[0].step = perform(int(1), vec![Effect::Fail { message }]);
    }),
    (Rule::Alone, "a quiet node beside a claim", |m| {
        if let Step::Routine(routine) = &mut m.templates[0].edges[6].step {
            routine.nodes[1].quiet = true;
        }
    }),
    (
        Rule::Alone,
        "deadlocks without change beside an observer of events",
        |m| {
            m.deadlock = Deadlock::NoChange;
        },
    ),
    (Rule::Alone, "nobody holds the start", |m| {
        *m = empty();
        m.start_held = true;
    }),
    (Rule::Alone, "a question whether somebody is enabled", |m| {
        *m = empty();
        m.deadlock = Deadlock::NoChange;
        let asks = expr(ExprKind::Enabled(Box::new(int(1))));
        m.templates = vec![template(
            "p",
            Role::Process,
            1,
            vec![edge(0, 0, when(asks))],
        )];
    }),
    (Rule::Parameters, "a parameter without values", |m| {
        *m = with_parameter(Values(Vec::new()));
    }),
    (
        Rule::Parameters,
        "a value that the variable has no room for",
        |m| {
            *m = with_parameter(Values(vec![Progression::range(250, 10)]));
        },
    ),
    (Rule::Parameters, "two parameters with one variable", |m| {
        *m = with_parameter(Values(vec![Progression::range(1, 2)]));
        let parameters = &mut m.templates[0].edges[0].parameters;
        parameters.push(parameters[0].clone());
    }),
    (Rule::Parameters, "a parameter that is remembered", |m| {
        *m = with_parameter(Values(vec![Progression::range(1, 2)]));
        m.templates[0].locals[0].storage = Storage::State;
    }),
    (Rule::Parameters, "more choices than can be numbered", |m| {
        let run = Progression {
            first: 1,
            step: 0,
            count: u32::MAX,
        };
        *m = with_parameter(Values(vec![run, run]));
    }),
    (Rule::Parameters, "a parameter of a claim", |m| {
        *m = with_parameter(Values(vec![Progression::range(1, 2)]));
        m.templates[0].role = Role::Claim;
    }),
    (Rule::Flags, "the last mover is not kept", |m| {
        m.tracks_last_mover = false
    }),
    (Rule::Flags, "priorities are given but not declared", |m| {
        m.templates[1].edges[1].step = when(int(1));
        m.prioritised = false;
    }),
    (Rule::Flags, "priorities are set but not declared", |m| {
        m.prioritised = false
    }),
    (
        Rule::Scalarsets,
        "a cell that holds a place in a bag",
        |m| {
            m.scalarsets[0].unordered = true;
            m.scalarsets[0].uses = vec![used(holds(VariableRef::Global(GlobalId(PAIR)), &[1]))];
        },
    ),
    (Rule::Scalarsets, "a bag of processes", |m| {
        m.scalarsets[0].unordered = true;
        m.scalarsets[0].uses = vec![used(UseKind::Processes(TemplateId(USER)))];
    }),
    (Rule::Scalarsets, "no names", |m| m.scalarsets[0].size = 0),
    (Rule::Scalarsets, "names beyond 64 bits", |m| {
        m.scalarsets[0].first = i64::MAX
    }),
    (Rule::Scalarsets, "processes of a claim", |m| {
        names_in(m, UseKind::Processes(TemplateId(CLAIM)));
    }),
    (Rule::Scalarsets, "processes of nothing", |m| {
        names_in(m, UseKind::Processes(TemplateId(9)));
    }),
    (Rule::Scalarsets, "no such global", |m| {
        names_in(m, holds(VariableRef::Global(GlobalId(7)), &[]));
    }),
    (Rule::Scalarsets, "no such local", |m| {
        let local = VariableRef::Local(TemplateId(USER), LocalId(2));
        names_in(m, holds(local, &[]));
    }),
    (Rule::Scalarsets, "a local of no template", |m| {
        let local = VariableRef::Local(TemplateId(9), LocalId(0));
        names_in(m, holds(local, &[]));
    }),
    (Rule::Scalarsets, "a record as a name", |m| {
        names_in(m, holds(VariableRef::Global(GlobalId(PAIR)), &[]));
    }),
    (Rule::Scalarsets, "no such field", |m| {
        names_in(m, holds(VariableRef::Global(GlobalId(PAIR)), &[2]));
    }),
    (Rule::Scalarsets, "a field of an array of numbers", |m| {
        names_in(m, holds(VariableRef::Global(GlobalId(PAIR)), &[1, 0]));
    }),
    (Rule::Scalarsets, "a dimension too many", |m| {
        names_in(m, indexes(VariableRef::Global(GlobalId(FLAGS)), &[], 1));
    }),
    (Rule::Scalarsets, "an index of a number", |m| {
        names_in(m, indexes(VariableRef::Global(GlobalId(PAIR)), &[0], 0));
    }),
    (Rule::Scalarsets, "no such kind of message", |m| {
        let kind = ChannelKindId(2);
        names_in(m, UseKind::Message { kind, field: 0 });
    }),
    (Rule::Scalarsets, "no such field of a message", |m| {
        let kind = ChannelKindId(1);
        names_in(m, UseKind::Message { kind, field: 1 });
    }),
];

/// Adds a use to the declared set of names.
fn names_in(model: &mut UncheckedModel, kind: UseKind) {
    model.scalarsets[0].uses.push(used(kind));
}

fn coded(coding: u32, max: i64) -> Type {
    let coding = CodingId(coding);
    Type::Scalar(Scalar::Coded { coding, max })
}

fn part(first: u32) -> CodingPart {
    let coding = Coding {
        name: "part".into(),
        kind: CodingKind::Members,
    };
    CodingPart { first, coding }
}

fn show_as(model: &mut UncheckedModel, kind: CodingKind) {
    let name = "values".into();
    model.codings = vec![Coding { name, kind }];
}

fn edge_id(index: u32) -> EdgeId {
    EdgeId {
        template: TemplateId(USER),
        index,
    }
}

pub fn routine(nodes: Vec<Node>) -> Step {
    Step::Routine(Routine::new(nodes))
}

/// Gives the first edge of the users that guard.
pub fn guard(model: &mut UncheckedModel, guard: Expr) {
    model.templates[0].edges[0].step = when(guard);
}

fn poll(patterns: Vec<Pattern>) -> Expr {
    expr(ExprKind::Poll {
        channel: Box::new(read(global(QUEUE))),
        order: ReceiveOrder::First,
        patterns,
    })
}

fn at(template: u32, location: u32) -> Expr {
    expr(ExprKind::At {
        template: TemplateId(template),
        process: Box::new(int(1)),
        location: LocationId(location),
    })
}

/// The question of the second property.
fn question(model: &mut UncheckedModel) -> &mut RunQuestion {
    match &mut model.properties[1].kind {
        PropertyKind::NoRun(question) => question,
        other => panic!("{other:?} is no question about runs"),
    }
}

pub fn formula(model: &mut UncheckedModel, condition: Expr) {
    model.conditions[0].condition = condition;
}

fn spawn(model: &mut UncheckedModel, template: u32, arguments: usize, priority: u8) {
    let effect = Effect::Spawn {
        template: TemplateId(template),
        arguments: vec![int(0); arguments],
        priority,
        result: None,
    };
    model.templates[1].edges[0].step = perform(int(1), vec![effect]);
}

/// A model with a rule that has one parameter, in a variable of a byte.
fn with_parameter(values: Values) -> UncheckedModel {
    let mut rule = edge(0, 0, when(int(1)));
    rule.parameters.push(parameter(values));
    let mut rules = template("rules", Role::Process, 1, vec![rule]);
    let mut local = variable("i", byte(), Initial::Default);
    local.storage = Storage::Scratch;
    rules.locals.push(local);
    let mut model = empty();
    model.templates.push(rules);
    model
}

pub fn parameter(values: Values) -> Parameter {
    Parameter {
        name: "i".into(),
        local: LocalId(0),
        values,
        positions_of: None,
        span: SPAN,
    }
}

#[test]
fn a_rule_with_parameters_is_valid() {
    let model = with_parameter(Values(vec![Progression::range(1, 3)]));
    assert_eq!(errors(model), []);
}

pub fn errors(model: UncheckedModel) -> Vec<VerifyError> {
    verify(model).err().unwrap_or_default()
}

#[test]
fn the_sample_is_valid_and_comes_back_unchanged() {
    let model: Model = verify(sample()).expect("a valid model");
    assert_eq!(model.into_unchecked(), sample());
}

#[test]
fn an_empty_model_is_valid() {
    assert!(verify(empty()).is_ok());
}

fn all_breaks() -> impl Iterator<Item = &'static Break> {
    let others = [
        functions::BREAKS,
        loops::BREAKS,
        quantifiers::BREAKS,
        monitors::BREAKS,
    ];
    BREAKS.iter().chain(others.into_iter().flatten())
}

#[test]
fn every_break_is_found_as_what_it_is() {
    for (rule, what, apply) in all_breaks() {
        let mut model = sample();
        apply(&mut model);
        let rules: Vec<Rule> = errors(model).iter().map(|e| e.rule).collect();
        assert!(rules.contains(rule), "{what}: {rule:?} not in {rules:?}");
    }
}

#[test]
fn every_invariant_has_a_break() {
    for rule in Rule::ALL {
        assert!(all_breaks().any(|b| b.0 == rule), "{rule:?} is untested");
    }
}

#[test]
fn rules_are_numbered_as_in_the_documentation() {
    let numbers: Vec<u8> = Rule::ALL.iter().map(|r| r.number()).collect();
    assert_eq!(numbers, (1..=32).collect::<Vec<u8>>());
}

#[test]
fn an_error_names_template_edge_and_place() {
    let mut model = sample();
    let edge = &mut model.templates[0].edges[3];
    edge.target = LocationId(40);
    let span = edge.span;
    let errors = errors(model);
    assert_eq!(errors.len(), 1);
    assert_eq!(
        errors[0].to_string(),
        "template user, edge 3: the target s40 does not exist (invariant 10 of the IR)"
    );
    assert_eq!(errors[0].span, Some(span));
}

#[test]
fn a_priority_may_be_read_in_a_model_without_priorities() {
    let mut model = empty();
    let own = read(place(Root::OwnPriority, Vec::new()));
    model.templates = vec![template("p", Role::Process, 1, vec![edge(0, 0, when(own))])];
    assert!(verify(model).is_ok());
}

#[test]
fn else_may_stand_before_other_edges() {
    let mut model = empty();
    let edges = vec![edge(0, 0, Step::Else), edge(0, 0, when(int(1)))];
    model.templates = vec![template("p", Role::Process, 1, edges)];
    assert!(verify(model).is_ok());
}
