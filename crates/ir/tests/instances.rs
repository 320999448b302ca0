//! Monitors with parameters, written out, and bodies in the place of calls.

use crate::common::model;
use mandala_ir::Text;
use mandala_model::ids::{CodeId, MonitorId};
use mandala_model::instantiate::{instantiate, rules};
use mandala_model::property::PropertyKind;

const MONITORS: &str = "mandala-ir 2
model murphi, checked 64

global c: 0..2[3]

process p() {
  entry s0
  location s0
    s0 -> s0 do c[0] = 1
}

start p()
monitor local scratch i: 0..2
monitor local scratch j: 0..2
monitor local scratch n: 0..9
monitor m0 for i named \"i\" of 0..2 for j named \"j\" of 0..1 when i < j && c[i] == c[j] do fail \"same\"
monitor m1 when c[0] == 1
monitor m2 for i named \"i\" of 1..2 routine {
  n0: do n = c[i] -> n1
  n1: when n == i -> done
  n1: else -> done
}
property different invariant m0
property one cover m1, m2, m2:n1
property said remark m2:n1
";

#[test]
fn a_monitor_is_written_out_for_each_choice_that_can_matter() {
    let model = model(MONITORS);
    let instances = instantiate(&model)
        .expect("it is small")
        .expect("it has parameters");
    let written = &instances.model;
    assert_eq!(written.not_written_out(), None);
    let texts: Vec<&str> = written.monitors.iter().map(|m| m.text.as_str()).collect();
    assert!(texts[0].ends_with("[i = 0, j = 1]"), "{texts:?}");
    assert!(texts[2].ends_with("[i = 1]"), "{texts:?}");
    // Only for i = 0 and j = 1 can the first one fail.
    let origins = written.monitor_ids().map(|id| {
        let origin = instances.origins.of(written.edge_of_monitor(id));
        let origin = origin.expect("every instance has an origin");
        (origin.edge.index, origin.choice)
    });
    assert_eq!(
        origins.collect::<Vec<_>>(),
        [(0, 1), (1, 0), (2, 0), (2, 1)]
    );
    // The edges of processes are what they were.
    assert_eq!(written.templates, model.templates);
    assert_eq!(instances.origins.sizes().collect::<Vec<_>>(), [1, 4]);
}

#[test]
fn properties_name_the_instances() {
    let model = model(MONITORS);
    let instances = instantiate(&model)
        .expect("it is small")
        .expect("it has parameters");
    let kinds = instances.model.properties.iter().map(|p| &p.kind);
    let kinds: Vec<&PropertyKind> = kinds.collect();
    assert_eq!(kinds[0].monitors(), [MonitorId(0)]);
    assert_eq!(kinds[1].monitors(), [1, 2, 3].map(MonitorId));
    for kind in &kinds[1..] {
        let (PropertyKind::Cover { nodes, .. } | PropertyKind::Remark { nodes }) = kind else {
            panic!("{kind:?} names no nodes");
        };
        let code: Vec<CodeId> = nodes.iter().map(|(code, _)| *code).collect();
        assert_eq!(
            code,
            [2, 3].map(|number| CodeId::Monitor(MonitorId(number)))
        );
    }
}

#[test]
fn instances_can_be_printed_and_read() {
    let instances = instantiate(&model(MONITORS)).expect("it is small");
    let text = Text::new(&instances.expect("it has parameters").model).to_string();
    assert_eq!(Text::new(&model(&text)).to_string(), text);
    assert!(
        text.contains("monitor m0 when c[0] == c[1] do fail"),
        "{text}"
    );
}

/// A rule that calls the last of some functions, each of which calls the one before twice.
fn nested(depth: usize) -> String {
    let function = |level: usize| {
        let below = level - 1;
        format!(
            "function f{level}() {{
               n0: call f{below}() -> n1
               n1: call f{below}() -> done
             }}
            "
        )
    };
    let functions: String = (1..=depth).map(function).collect();
    format!(
        "mandala-ir 2
         model murphi, checked 64
         global c: 0..2
         function f0() {{ n0: do c = 2 - c -> done }}
         {functions}
         process p() {{
           entry s0
           location s0
             s0 -> s0 routine {{ n0: call f{depth}() -> done }}
         }}
         start p()
         "
    )
}

/// How many nodes the only rule has with bodies in the place of calls.
fn nodes(text: &str) -> usize {
    let written = rules(model(text)).expect("it is small");
    let routine = written.templates[0].edges[0].step.routine();
    routine.map_or(0, |routine| routine.nodes.len())
}

#[test]
fn calls_that_nest_deeply_are_as_much_code_as_there_are_functions() {
    let sizes = [20, 40, 60].map(|depth| nodes(&nested(depth)));
    assert_eq!(sizes[2] - sizes[1], sizes[1] - sizes[0], "{sizes:?}");
    assert!(sizes[0] < 400, "{sizes:?}");
}

#[test]
fn calls_of_a_long_function_share_its_body() {
    let body = |count: usize| {
        let nodes = (0..count).map(|node| {
            let next = node + 1;
            format!(
                "n{node}: when to < {node} do to = to + 1 -> n{next}\nn{node}: else -> n{next}\n"
            )
        });
        format!("{}n{count}: skip -> done", nodes.collect::<String>())
    };
    let with = |count: usize, calls: &[&str]| {
        let (last, calls) = calls.split_last().expect("a call");
        let calls: String = (0..)
            .zip(calls)
            .map(|(node, to)| format!("n{node}: call f(; {to}) -> n{}\n", node + 1))
            .collect();
        let number = calls.lines().count();
        let body = body(count);
        nodes(&format!(
            "mandala-ir 2
             model murphi, checked 64
             global a: 0..9[3]
             global i: 0..9
             function f(ref scratch to: 0..9) {{
               {body}
             }}
             process p() {{
               entry s0
               location s0
                 s0 -> s0 routine {{
                   {calls}
                   n{number}: call f(; {last}) -> done
                 }}
             }}
             start p()
             "
        ))
    };
    // Where an index is outside is reported where it stands, so an index that stands somewhere else is another body.
    let (one, same) = (with(20, &["a[1]"]), with(20, &["a[1]", "a[1]"]));
    assert!(
        one >= 20 && same > 2 * one - 5,
        "indices stand at two places: {one}, {same}"
    );
    let whole = |calls: &[&str]| with(20, calls);
    let (i_once, i_often) = (whole(&["i"]), whole(&["i", "i", "i", "i"]));
    assert!(i_often < i_once + 10, "{i_once}, {i_often}");
    // Short bodies are copied.
    let (once, twice) = (with(4, &["i"]), with(4, &["i", "i"]));
    assert!(twice > 2 * once - 3 && twice < 20, "{once}, {twice}");
}
