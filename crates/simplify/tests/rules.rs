//! Systems of rules: what changes the state is told from what does not, so little can be rewritten.

use crate::common::{intermediate, verified};
use mandala_interpreter::Interpreter;
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_model::template::Step;
use mandala_simplify::{Endings, keep_ended, merge_local_steps, replace_constants, reset_dead};

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
    let kept = verified(keep_ended(&model, Observers::default()));
    assert!(matches!(kept, Endings::Observed(_)));
}

#[test]
fn a_look_that_is_always_possible_does_not_keep_an_else_from_being_taken() {
    let model = intermediate(
        "mandala-ir 2
model murphi, checked 64, held start, deadlock without change
global x: 0..2
global y: 0..2
process rules() {
  entry s0
  location s0
    s0 -> s1 do x = 1
  location s1
    s1 -> s1 observe when 1
    s1 -> s1 when y == 1
    s1 -> s1 else
}
start rules()
property always cover rules 1
",
    );
    let after = verified(replace_constants(&model, &|_| true)).expect("`y` is never assigned");
    assert_eq!(after.model.templates[0].edges[3].step, Step::Else);
    let steps = |model: &Model| {
        let interpreter = Interpreter::new(model, Observers::default());
        let start = interpreter.start().expect("a start");
        let first = interpreter.moves(&start)[0].next.clone().expect("a state");
        interpreter.moves(&first).len()
    };
    assert_eq!((steps(&model), steps(&after.model)), (1, 1));
}
