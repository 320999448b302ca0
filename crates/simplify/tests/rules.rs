//! Systems of rules: what changes the state is told from what does not, so little can be rewritten.

use crate::common::verified;
use crate::systems::*;
use mandala_interpreter::Interpreter;
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_model::template::Step;
use mandala_model::verify::verify;
use mandala_simplify::{Endings, keep_ended, merge_local_steps, replace_constants, reset_dead};

/// A rule that only changes what nobody reads.
fn idle_change() -> Model {
    let mut rules = Rules::new();
    let x = rules.global("x", 2);
    rules.start(always(vec![assign(place(x), num(1))]));
    rules.rule(always(vec![assign(place(x), num(2))]));
    rules.model()
}

#[test]
fn what_nobody_reads_is_still_a_change() {
    let model = idle_change();
    let nobody = Observers::default();
    assert!(verified(reset_dead(&model, nobody, &mut |_| Some(0))).is_none());
    assert!(verified(merge_local_steps(&model, nobody)).is_none());
}

#[test]
fn processes_that_leave_change_the_state() {
    let mut model = idle_change().into_unchecked();
    model.templates[0].edges[1].step = Step::Exit;
    model.templates[0].locations[1].end = true;
    let model = verify(model).expect("a valid model");
    let kept = verified(keep_ended(&model, Observers::default()));
    assert!(matches!(kept, Endings::Observed(_)));
}

#[test]
fn a_look_that_is_always_possible_does_not_keep_an_else_from_being_taken() {
    let mut rules = Rules::new();
    let (x, y) = (rules.global("x", 2), rules.global("y", 2));
    rules.start(always(vec![assign(place(x), num(1))]));
    rules.cover("always", num(1));
    rules.rule(guarded(equal(raw(place(y)), num(1)), Vec::new()));
    rules.rule(Step::Else);
    let model = rules.model();
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
