//! A rule is one edge, whatever its parameters are; written out, it has the same states and steps in the same order.

use crate::support::{models, own_models, parse_with, program, read};
use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::Model;
use mandala_model::instantiate::{Instances, instantiate};
use mandala_model::step::{Observers, StepLabel};
use mandala_model::verify::verify;
use mandala_murphi::ParseOptions;
use mandala_murphi::lower::lower;
use std::collections::{HashSet, VecDeque};

/// How many states of a model are compared.
const STATES: usize = 150;

fn verified(program: &mandala_murphi::typed::Program) -> Option<Model> {
    let model = lower(program).ok()?;
    Some(verify(model).expect("the front end makes right models"))
}

/// The label of a step of the instances as one of the model.
fn in_the_model(instances: &Instances, label: StepLabel) -> StepLabel {
    let origin = instances.origins.of_step(&label);
    origin.expect("every instance has an origin")
}

/// A state of one form as one of the other, which has more or fewer scratch variables: those of functions come last.
fn as_state_of(model: &Model, mut state: Configuration) -> Configuration {
    for process in &mut state.state.processes {
        let locals = &model.template(process.template).locals;
        let cells = model.cell_offset(locals, locals.len());
        process.locals.resize(cells, 0);
    }
    state
}

/// Compares the steps of some states, with what is shown of them. Gives how many steps were compared.
fn compare(name: &str, model: &Model) -> usize {
    let Some(instances) = instantiate(model).expect("instances are right models") else {
        return 0;
    };
    let direct = Interpreter::new(model, Observers::default());
    let written = Interpreter::new(&instances.model, Observers::default());
    let start = direct.start().expect("a start");
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start]);
    let mut compared = 0;
    while let Some(state) = waiting.pop_front() {
        let ours = direct.moves(&state);
        let theirs_state = as_state_of(&instances.model, state.clone());
        let theirs = written.moves(&theirs_state);
        let labels = |moves: &[Move], of: &dyn Fn(StepLabel) -> StepLabel| {
            let labels = moves.iter().map(|step| of(step.label));
            labels.collect::<Vec<_>>()
        };
        let translated = labels(&theirs, &|label| in_the_model(&instances, label));
        assert_eq!(labels(&ours, &|label| label), translated, "{name}");
        for (one, other) in ours.iter().zip(&theirs) {
            let next = other.next.clone();
            let next = next.map(|next| as_state_of(model, next));
            assert_eq!(one.next, next, "{name}");
            assert_eq!(one.violations, other.violations, "{name}");
            assert_eq!(one.printed, other.printed, "{name}");
            let text = direct.step_text(&state.state, &one.label);
            assert_eq!(
                text,
                written.step_text(&theirs_state.state, &other.label),
                "{name}"
            );
            compared += 1;
        }
        compare_observations(
            name,
            (&direct, &written),
            &instances,
            [&state, &theirs_state],
        );
        for next in ours.into_iter().filter_map(|step| step.next) {
            if seen.len() < STATES && seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    compared
}

fn compare_observations(
    name: &str,
    (direct, written): (&Interpreter<'_>, &Interpreter<'_>),
    instances: &Instances,
    [our_state, their_state]: [&Configuration; 2],
) {
    let ours = direct.observations(our_state).into_iter();
    let ours: Vec<_> = ours
        .map(|o| (o.edge.index, o.taken, o.violations))
        .collect();
    let theirs = written.observations(their_state).into_iter().map(|o| {
        let origin = instances.origins.of(o.edge);
        let origin = origin.expect("every instance has an origin");
        (origin.edge.index, o.taken, o.violations)
    });
    assert_eq!(ours, theirs.collect::<Vec<_>>(), "{name}");
}

#[test]
fn instances_have_the_steps_of_the_model() {
    let mut compared = 0;
    let all = [
        own_models(),
        models("murphi"),
        models("murphi-suite"),
        models("trials"),
    ]
    .concat();
    for path in all {
        let name = path.display().to_string();
        let (_, program, _) = parse_with(&name, &read(&path), &ParseOptions::default());
        let model = program.and_then(|program| verified(&program));
        compared += model.map_or(0, |model| compare(&name, &model));
    }
    assert!(compared > 5_000, "{compared} steps were compared");
}

#[test]
fn a_rule_is_one_edge_for_any_number_of_values() {
    let edges = |size: u32| {
        let text = format!(
            "type T: scalarset({size}); var a: array [T] of 0..3;
            startstate begin for i: T do a[i] := 0; end; end;
            ruleset i: T; j: T do rule \"move\" i != j & a[i] < 3 ==> begin a[i] := a[i] + 1; end; end;
            ruleset i: T do invariant \"small\" forall j: T do a[i] + a[j] < 9 end; end;"
        );
        let model = verified(&program(&text)).expect("a model");
        let edges = model.templates[0].edges.iter();
        let edges: Vec<(String, u32)> = edges.map(|e| (e.text.clone(), e.choices())).collect();
        edges
    };
    let named = |name: &str, choices: u32| (name.to_string(), choices);
    let expected = |n: u32| {
        vec![
            named("start state 1", 1),
            named("small", n * n),
            named("move", n * n),
        ]
    };
    assert_eq!(edges(3), expected(3));
    assert_eq!(edges(30), expected(30));
}

#[test]
fn what_can_never_be_taken_is_not_written_out() {
    let text = "type T: scalarset(3); var x: 0..1; startstate begin x := 0; end;
        ruleset i: T; j: T do rule \"r\" i != j ==> begin x := 1 - x; end; end;";
    let model = verified(&program(text)).expect("a model");
    let instances = instantiate(&model)
        .expect("right models")
        .expect("parameters");
    let texts = instances.model.templates[0].edges.iter().skip(1);
    let texts: Vec<&str> = texts.map(|edge| edge.text.as_str()).collect();
    let expected = [
        "r [i = T_1, j = T_2]",
        "r [i = T_1, j = T_3]",
        "r [i = T_2, j = T_1]",
        "r [i = T_2, j = T_3]",
        "r [i = T_3, j = T_1]",
        "r [i = T_3, j = T_2]",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn loops_with_known_bounds_are_unrolled_in_instances() {
    let text = "var a: array [0..5] of 0..9; n: 0..5; startstate begin for i: 0..5 do a[i] := 0; end; n := 0; end;
        ruleset m: 1..3 do rule \"fill\" a[m] = 0 ==>
        begin for i := 0 to m do a[i] := m; end; end; end;";
    let model = verified(&program(text)).expect("a model");
    assert!(compare("loops", &model) > 0);
    let instances = instantiate(&model)
        .expect("right models")
        .expect("parameters");
    let fills = instances.model.templates[0].edges.iter().skip(1);
    for edge in fills {
        let step = format!("{:?}", edge.step);
        assert!(step.starts_with("Guarded"), "{}: {step}", edge.text);
    }
}
