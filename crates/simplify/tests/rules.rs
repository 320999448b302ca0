//! Systems of rules: what changes the state is told from what does not, so little can be rewritten.

use crate::common::{intermediate, verified};
use mandala_interpreter::Interpreter;
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_simplify::{
    Endings, Runs, keep_ended, merge_local_steps, replace_constants, reset_dead, without_monitors,
};

/// A rule that only changes what nobody reads.
const IDLE_CHANGE: &str = "mandala-ir 2
model murphi, checked 64, held start, deadlock without change
global x: 0..2
process rules() {
  entry s0
  location s0
    s0 -> s1 do x = 1
  location s1
    s1 -> s1 do x = 2
}
start rules()
";

#[test]
fn what_nobody_reads_is_still_a_change() {
    let model = intermediate(IDLE_CHANGE);
    let nobody = Observers::default();
    assert!(verified(reset_dead(&model, nobody, &mut |_| Some(0))).is_none());
    assert!(verified(merge_local_steps(&model, nobody)).is_none());
}

#[test]
fn processes_that_leave_change_the_state() {
    let leaving = IDLE_CHANGE.replace(
        "location s1\n    s1 -> s1 do x = 2",
        "location s1 end\n    s1 -> s1 exit",
    );
    let model = intermediate(&leaving);
    let kept = verified(keep_ended(&model, Observers::default(), Runs::All));
    assert!(matches!(kept, Endings::Observed(_)));
}

/// A monitor that reads what never changes, one that never holds, and one that assigns to what no step assigns to.
const MONITORED: &str = "mandala-ir 2
model murphi, checked 64, held start, deadlock without change
global x: 0..2
global y: 0..2
global z: 0..2
process rules() {
  entry s0
  location s0
    s0 -> s1 do x = 1
  location s1
    s1 -> s1 when x == 1 do x = 2
}
start rules()
condition c0 = x == 2
monitor m0 when y == x
monitor m1 when y == 1
monitor m2 routine {
  n0: do z = 1 -> n1
  n1: when z == 1 && x == 2 -> done
  n1: else -> done
}
property covered cover m0, m1, m2:n1
property never invariant m2
property end ctl EF c0
";

#[test]
fn monitors_read_constants_and_assign_to_none() {
    let model = intermediate(MONITORED);
    let after = verified(replace_constants(&model, &|_| true)).expect("`y` is never assigned");
    assert_eq!(after.constants, ["y".to_string()].into());
    assert_eq!(after.idle_edges, 1, "the second monitor");
    let seen = |model: &Model| {
        let interpreter = Interpreter::new(model, Observers::default());
        let start = interpreter.start().expect("a start");
        let first = interpreter.moves(&start)[0].next.clone().expect("a state");
        interpreter.observations(&first)
    };
    assert_eq!(seen(&model), seen(&after.model));
    assert_eq!(after.model.monitors[2], model.monitors[2]);
}

#[test]
fn monitors_are_removed_with_all_that_names_them() {
    let model = intermediate(MONITORED);
    let bare = verified(without_monitors(&model)).expect("there are monitors");
    assert_eq!((bare.monitors.len(), bare.monitor_template()), (0, None));
    let named = |model: &Model| -> usize {
        let kinds = model.properties.iter().map(|p| p.kind.monitors().len());
        kinds.sum()
    };
    assert_eq!((named(&model), named(&bare)), (3, 0));
    assert_eq!(bare.templates, model.templates);
    assert!(verified(without_monitors(&bare)).is_none());
}
