//! Locations that are alike but for a number, and those that somebody could tell apart.

use crate::common::{explore, model, verified};
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_simplify::{Gathered, gather_alike};

const NOBODY: Observers = Observers {
    claim: None,
    events: None,
    asked: None,
};

fn gathered(model: &Model) -> Option<Gathered> {
    verified(gather_alike(model, NOBODY))
}

/// As many states and the same violations; gives how many locations became one with others.
#[track_caller]
fn gathers(text: &str) -> usize {
    let before = model(text);
    let Some(after) = gathered(&before) else {
        return 0;
    };
    let (all, same) = (explore(&before, NOBODY), explore(&after.model, NOBODY));
    assert_eq!(all.states.len(), same.states.len());
    assert_eq!(all.violations.len(), same.violations.len());
    after.locations
}

#[test]
fn branches_to_queues_are_gathered() {
    let text = "chan q[2] = [1] of { byte };
        active proctype P() { byte x;
            do
            :: x = 3; if :: len(q[0]) <= len(q[1]) -> q[0] ! x :: len(q[1]) <= len(q[0]) -> q[1] ! x fi; x = 0
            :: q[0] ? x -> x = 0 :: q[1] ? x -> x = 0 od }";
    let text2 = format!(
        "{}",
        mandala_ir::Text::new(&gathered(&model(text)).unwrap().model)
    );
    println!("{text2}");
    assert_eq!(gathers(text), 2);
}
