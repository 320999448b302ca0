//! Questions whether a value is defined, in models of rules.

use crate::common::{explore, intermediate, verified};
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_simplify::{CellClass, cell_classes, drop_needless_questions};
use std::collections::BTreeSet;

/// Three cells that start as `first` says and that rules go on with.
fn rules(first: &str, rules: &str) -> Model {
    intermediate(&format!(
        "mandala-ir 2
model murphi, checked 64, held start, deadlock without change
coding enum {{ N, T, C }}
global a: enum(3)[3]
global b: enum(3)
process rules() {{
  entry s0
  location s0
    s0 -> s1 do {first}
  location s1
{rules}
}}
start rules()
"
    ))
}

/// How many questions are left, if all classes are defined at first; the same states are reached, and the same goes wrong.
fn questions_left(model: &Model) -> usize {
    let classes: BTreeSet<CellClass> = cell_classes(model).into_iter().collect();
    let after = verified(drop_needless_questions(model, classes));
    let after = after.unwrap_or_else(|| model.clone());
    let nobody = Observers::default();
    let (all, same) = (explore(model, nobody), explore(&after, nobody));
    assert_eq!(all.states, same.states);
    assert_eq!(all.violations, same.violations);
    mandala_ir::Text::new(&after)
        .to_string()
        .matches("defined(")
        .count()
}

const ALL: &str = "a[0] = N; a[1] = N; a[2] = N; b = T";

#[test]
fn what_is_always_defined_is_not_asked() {
    let model = rules(
        ALL,
        "    s1 -> s1 when defined(a[0]) == N do a[0] = T
    s1 -> s1 when defined(a[0]) == T && defined(a[1]) != C do a[0] = C; b = a[0]
    s1 -> s1 when defined(b) == C do a[1] = defined(b); b = (defined(a[0]) == C) + 1",
    );
    // Those to the single variable.
    assert_eq!(questions_left(&model), 2);
}

#[test]
fn what_may_become_undefined_is_asked() {
    // Directly, by a copy, and by a number that may be 0.
    let model = rules(
        ALL,
        "    s1 -> s1 when defined(a[0]) == N do b = 0
    s1 -> s1 when 1 do a[1] = b
    s1 -> s1 when defined(b) == T do b = T",
    );
    assert_eq!(questions_left(&model), 2);
    let model = rules(
        ALL,
        "    s1 -> s1 when defined(a[0]) == N do a[0] = defined(a[1]) - 1
    s1 -> s1 when defined(b) == T do b = C",
    );
    assert_eq!(questions_left(&model), 3);
}

#[test]
fn what_asks_while_the_states_are_made_stays() {
    let model = rules(
        &format!("{ALL}; b = defined(a[0])"),
        "    s1 -> s1 when defined(a[1]) == N do b = T",
    );
    assert_eq!(questions_left(&model), 1);
}
