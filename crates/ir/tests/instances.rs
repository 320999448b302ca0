//! Monitors with parameters, written out.

use crate::common::model;
use mandala_ir::Text;
use mandala_model::ids::{CodeId, MonitorId};
use mandala_model::instantiate::instantiate;
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
