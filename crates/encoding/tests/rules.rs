//! Systems of rules: the reference interpreter, the interpreter of the compiled form and machine code agree on every state, and
//! each construct does what it is for.

use crate::common::rules::*;
use crate::common::trio::{explore, explore_some};
use mandala_encoding::Program;
use mandala_model::expr::BinaryOp;
use mandala_model::ids::{MonitorId, NodeId, PropertyId};
use mandala_model::model::Deadlock;
use mandala_model::source::Span;
use mandala_model::step::{FaultKind, Observers, Violation};
use mandala_model::template::{Control, Effect, Step};
use std::collections::HashSet;

fn failed(span: Span) -> Violation {
    Violation::Failed {
        span,
        property: None,
    }
}

fn fault_kinds(violations: &[Violation]) -> Vec<FaultKind> {
    let kind = |violation: &Violation| match violation {
        Violation::Fault(fault) => Some(fault.kind),
        _ => None,
    };
    violations.iter().filter_map(kind).collect()
}

/// A counter from 1 to `max` that starts at 1; each rule is added by the caller.
fn counter(max: u32) -> (Rules, mandala_model::ids::GlobalId) {
    let mut rules = Rules::new();
    let x = rules.global("x", max);
    rules.start(always(vec![assign(place(x), num(1))]));
    (rules, x)
}

fn count_up(x: mandala_model::ids::GlobalId, below: i64) -> Step {
    guarded(
        less(value(x), num(below)),
        vec![assign(place(x), plus(value(x), num(1)))],
    )
}

#[test]
fn a_counter_goes_round() {
    let (mut rules, x) = counter(9);
    rules.rule(count_up(x, 9));
    rules.rule(guarded(
        equal(value(x), num(9)),
        vec![assign(place(x), num(1))],
    ));
    let (explored, _) = explore(&rules.model());
    assert_eq!(
        (explored.starts, explored.states, explored.fired),
        (1, 9, 9)
    );
    assert_eq!(explored.violations, []);
    assert!(explored.natively > 0, "machine code expands such states");
}

#[test]
fn equal_start_states_are_one_and_a_start_that_fails_is_none() {
    let (mut rules, x) = counter(3);
    rules.start(always(vec![assign(place(x), num(1))]));
    rules.start(always(vec![assign(place(x), num(2)), fail("no")]));
    rules.start(always(vec![assign(place(x), num(3))]));
    rules.start(guarded(num(0), Vec::new()));
    rules.rule(always(vec![assign(place(x), num(2))]));
    let mut again = guarded(equal(value(x), num(2)), Vec::new());
    if let Step::Guarded { effects, .. } = &mut again {
        effects.push(assign(place(x), num(1)));
    }
    rules.rule(again);
    let (explored, _) = explore(&rules.model());
    assert_eq!((explored.starts, explored.states), (2, 3));
    assert_eq!(explored.violations, [failed(at(102))]);
}

#[test]
fn without_a_start_step_there_is_no_state() {
    let mut rules = Rules::new();
    let x = rules.global("x", 2);
    rules.rule(always(vec![assign(place(x), num(1))]));
    let (explored, _) = explore(&rules.model());
    assert_eq!((explored.states, explored.violations.len()), (0, 0));
}

#[test]
fn a_start_that_cannot_be_taken_is_no_state_either() {
    let mut rules = Rules::new();
    let x = rules.global("x", 2);
    rules.start(guarded(equal(raw(place(x)), num(1)), Vec::new()));
    let (explored, _) = explore(&rules.model());
    assert_eq!((explored.states, explored.violations.len()), (0, 0));
}

#[test]
fn to_read_an_undefined_variable_is_a_fault_where_the_rule_is_tried() {
    let (mut rules, x) = counter(2);
    let y = rules.global("y", 2);
    rules.rule(guarded(equal(value(y), num(1)), Vec::new()));
    rules.rule(always(vec![
        assign(place(x), num(2)),
        assign(place(y), num(1)),
    ]));
    let (explored, _) = explore(&rules.model());
    // The two states are {x = 1, y undefined} and {x = 2, y = 1}; the second goes round.
    assert_eq!(explored.states, 2);
    assert_eq!(fault_kinds(&explored.violations), [FaultKind::Undefined]);
    assert!(explored.violations.contains(&Violation::Deadlock));
}

#[test]
fn undefined_values_can_be_copied_and_compared() {
    let (mut rules, x) = counter(2);
    let y = rules.global("y", 2);
    rules.rule(guarded(
        equal(raw(place(y)), num(0)),
        vec![assign(place(x), raw(place(y)))],
    ));
    rules.rule(always(vec![
        assign(place(x), num(2)),
        assign(place(y), num(2)),
    ]));
    let (explored, _) = explore(&rules.model());
    assert_eq!(explored.states, 3);
    assert_eq!(fault_kinds(&explored.violations), []);
}

#[test]
fn a_value_outside_the_type_is_a_fault() {
    let (mut rules, x) = counter(2);
    rules.rule(always(vec![assign(place(x), plus(value(x), num(1)))]));
    let (explored, _) = explore(&rules.model());
    let expected = FaultKind::ValueOutOfRange { value: 3 };
    assert_eq!(fault_kinds(&explored.violations), [expected]);
}

#[test]
fn numbers_overflow_at_64_bits_and_not_before() {
    let mut rules = Rules::new();
    let x = rules.wide("x");
    let y = rules.wide("y");
    let large = (1 << 62) - 1;
    rules.start(always(vec![assign(place(x), num(1 << 40))]));
    rules.start(always(vec![assign(place(x), num(large))]));
    // Twice the larger number and one more is the greatest there is.
    let double = plus(times(raw(place(x)), num(2)), num(1));
    rules.rule(guarded(
        equal(raw(place(y)), num(0)),
        vec![assign(place(y), double)],
    ));
    let more = plus(raw(place(y)), num(1));
    rules.rule(guarded(
        less(num(0), more.clone()),
        vec![assign(place(y), more)],
    ));
    let less_than_all = minus(minus(num(0), raw(place(y))), num(2));
    rules.rule(guarded(
        less(less_than_all, num(0)),
        vec![assign(place(y), num(large))],
    ));
    let square = times(raw(place(x)), raw(place(x)));
    rules.rule(guarded(equal(square, num(7)), Vec::new()));
    rules.rule(guarded(
        equal(
            binary(BinaryOp::Divide, raw(place(x)), raw(place(y))),
            num(3),
        ),
        Vec::new(),
    ));
    let mut model = rules.unchecked();
    model.deadlock = Deadlock::NoMove;
    let model = mandala_model::verify::verify(model).expect("a valid model");
    let (explored, _) = explore_some(&model, 40);
    let kinds: HashSet<FaultKind> = fault_kinds(&explored.violations).into_iter().collect();
    assert!(kinds.contains(&FaultKind::Overflow), "{kinds:?}");
    assert!(kinds.contains(&FaultKind::DivisionByZero), "{kinds:?}");
}

#[test]
fn a_quiet_node_undoes_what_was_done_before_it() {
    let (mut rules, x) = counter(5);
    let y = rules.array("y", 5, 3);
    let i = rules.scratch("i", 3);
    // Writes to an element that an index chooses, and to a scratch variable, before it is known whether the rule can be taken.
    let tries = || {
        vec![
            assign(own(i), num(2)),
            assign(element(y, minus(raw(own(i)), num(1))), value(x)),
            assign(place(x), num(5)),
        ]
    };
    let asked = equal(defined(raw(element(y, num(1)))), num(3));
    rules.rule(routine(
        400,
        vec![
            (false, vec![(always(tries()), Some(1))]),
            (true, vec![(guarded(asked, Vec::new()), None)]),
        ],
    ));
    rules.rule(count_up(x, 4));
    let (explored, coverage) = explore(&rules.model());
    // x goes from 1 to 4; from 3 the first rule leads to 5 as well.
    assert_eq!((explored.states, explored.fired), (5, 4));
    assert_eq!(explored.violations.len(), 2, "{:?}", explored.violations);
    assert!(explored.natively > 0);
    drop(coverage);
}

#[test]
fn a_routine_whose_first_node_is_quiet_is_like_any_other() {
    let (mut rules, x) = counter(3);
    rules.rule(routine(
        400,
        vec![
            (
                true,
                vec![(guarded(less(value(x), num(3)), Vec::new()), Some(1))],
            ),
            (
                false,
                vec![(always(vec![assign(place(x), plus(value(x), num(1)))]), None)],
            ),
        ],
    ));
    rules.rule(guarded(
        equal(value(x), num(3)),
        vec![assign(place(x), num(1))],
    ));
    let (explored, _) = explore(&rules.model());
    assert_eq!((explored.states, explored.fired), (3, 3));
    assert_eq!(explored.violations, []);
}

#[test]
fn a_node_that_is_not_quiet_is_a_fault_where_it_blocks() {
    let (mut rules, x) = counter(3);
    rules.rule(routine(
        400,
        vec![
            (false, vec![(always(Vec::new()), Some(1))]),
            (
                false,
                vec![(guarded(equal(value(x), num(2)), Vec::new()), None)],
            ),
        ],
    ));
    let (explored, _) = explore(&rules.model());
    assert_eq!(
        fault_kinds(&explored.violations),
        [FaultKind::RoutineBlocked]
    );
}

#[test]
fn where_only_quiet_rules_block_nothing_can_happen() {
    for deadlock in [Deadlock::NoMove, Deadlock::NoChange] {
        let (mut rules, x) = counter(3);
        rules.rule(routine(
            400,
            vec![
                (
                    false,
                    vec![(always(vec![assign(place(x), num(2))]), Some(1))],
                ),
                (
                    true,
                    vec![(guarded(equal(value(x), num(1)), Vec::new()), None)],
                ),
            ],
        ));
        rules.model.deadlock = deadlock;
        let (explored, _) = explore(&rules.model());
        assert_eq!(explored.states, 1);
        assert_eq!(explored.violations, [Violation::Deadlock], "{deadlock:?}");
    }
}

#[test]
fn a_loop_in_a_routine_with_a_quiet_way_out() {
    let (mut rules, x) = counter(6);
    let i = rules.scratch("i", 6);
    let next = |by| assign(own(i), plus(raw(own(i)), num(by)));
    rules.rule(routine(
        400,
        vec![
            (
                false,
                vec![(always(vec![assign(own(i), value(x))]), Some(1))],
            ),
            (
                true,
                vec![
                    (guarded(equal(raw(own(i)), num(6)), Vec::new()), Some(2)),
                    (guarded(less(raw(own(i)), num(5)), vec![next(2)]), Some(1)),
                ],
            ),
            (false, vec![(always(vec![assign(place(x), num(6))]), None)]),
        ],
    ));
    rules.rule(count_up(x, 4));
    let (explored, _) = explore(&rules.model());
    // Only from an even number does the loop get to 6; the two states without a way on are deadlocks.
    assert_eq!((explored.states, explored.fired), (5, 6));
}

#[test]
fn a_state_that_every_step_leads_back_to_is_a_deadlock_if_changes_count() {
    for (deadlock, expected) in [(Deadlock::NoMove, 0), (Deadlock::NoChange, 1)] {
        let (mut rules, x) = counter(3);
        rules.rule(count_up(x, 3));
        rules.rule(always(vec![assign(place(x), value(x))]));
        // Changes a variable and changes it back.
        let there_and_back = vec![assign(place(x), num(1)), assign(place(x), num(3))];
        rules.rule(guarded(equal(value(x), num(3)), there_and_back));
        rules.model.deadlock = deadlock;
        let (explored, _) = explore(&rules.model());
        assert_eq!(explored.states, 3);
        assert_eq!(explored.violations.len(), expected, "{deadlock:?}");
    }
}

#[test]
fn a_location_where_one_may_stay_is_no_deadlock() {
    let (mut rules, x) = counter(3);
    rules.rule(count_up(x, 3));
    let mut model = rules.unchecked();
    model.templates[0].locations[1].end = true;
    let model = mandala_model::verify::verify(model).expect("a valid model");
    assert_eq!(explore(&model).0.violations, []);
}

#[test]
fn a_step_that_fails_has_no_state_after_it() {
    let (mut rules, x) = counter(4);
    rules.rule(count_up(x, 3));
    rules.rule(guarded(
        equal(value(x), num(2)),
        vec![
            assign(place(x), num(4)),
            fail("two"),
            assign(place(x), num(9)),
        ],
    ));
    let (explored, _) = explore(&rules.model());
    assert_eq!(explored.states, 3);
    let expected = [failed(at(201)), Violation::Deadlock];
    assert_eq!(explored.violations, expected);
}

#[test]
fn a_failure_in_a_routine_is_known_by_its_choice() {
    let (mut rules, x) = counter(4);
    rules.rule(routine(
        400,
        vec![
            (
                false,
                vec![(always(vec![assign(place(x), num(4))]), Some(1))],
            ),
            (
                false,
                vec![
                    (guarded(equal(value(x), num(1)), Vec::new()), None),
                    (always(vec![fail("not one")]), None),
                ],
            ),
        ],
    ));
    let model = rules.model();
    let (explored, _) = explore(&model);
    let span = at(403);
    assert_eq!(explored.violations, [failed(span)]);
    assert_eq!(model.failure_message(span).as_deref(), Some("not one"));
    assert_eq!(model.failure_message(at(402)), None);
}

#[test]
fn a_step_that_is_abandoned_counts_and_leads_nowhere() {
    for native in [false, true] {
        let (mut rules, x) = counter(3);
        rules.rule(count_up(x, 3));
        let gives_up = vec![assign(place(x), num(1)), Effect::Abandon];
        match native {
            false => rules.rule(always(gives_up)),
            true => rules.rule(routine(
                400,
                vec![
                    (
                        false,
                        vec![(always(vec![assign(place(x), num(1))]), Some(1))],
                    ),
                    (false, vec![(always(vec![Effect::Abandon]), None)]),
                ],
            )),
        }
        let edge = rules.rule_edge(1);
        let model = rules.model();
        let program = Program::compile(&model, Observers::default()).expect("it can be compiled");
        let (explored, coverage) = explore(&model);
        assert_eq!((explored.states, explored.fired), (3, 5));
        // The last state has no other step, but this one leads away.
        assert_eq!(explored.violations, []);
        assert_eq!(coverage.edge(&program, edge), 3);
    }
}

#[test]
fn monitors_are_counted_and_undone_and_no_moves() {
    let (mut rules, x) = counter(3);
    rules.rule(count_up(x, 3));
    rules.cover("two", equal(value(x), num(2)));
    rules.cover("four", equal(value(x), num(4)));
    // A monitor that changes something before it fails, in a routine.
    rules.invariant_step(
        "routine",
        routine(
            420,
            vec![
                (
                    false,
                    vec![(
                        always(vec![assign(place(x), plus(value(x), num(0)))]),
                        Some(1),
                    )],
                ),
                (
                    true,
                    vec![(guarded(equal(value(x), num(3)), vec![fail("three")]), None)],
                ),
            ],
        ),
    );
    rules.invariant("small", less(value(x), num(3)));
    let model = rules.model();
    let program = Program::compile(&model, Observers::default()).expect("it can be compiled");
    let (explored, coverage) = explore(&model);
    assert_eq!((explored.states, explored.fired), (3, 2));
    let of = |property, span| failed(at(span)).monitoring(Some(PropertyId(property)));
    let expected = [of(2, 422), of(3, 303), Violation::Deadlock];
    assert_eq!(explored.violations, expected);
    let held = [0, 1].map(|number| coverage.monitor(&program, MonitorId(number)));
    assert_eq!(held, [1, 0]);
    assert!(explored.natively > 0, "machine code evaluates monitors");
}

#[test]
fn a_monitor_may_fail_at_run_time() {
    let (mut rules, x) = counter(3);
    let y = rules.global("y", 3);
    rules.rule(count_up(x, 2));
    rules.rule(guarded(
        equal(value(x), num(2)),
        vec![assign(place(y), num(3)), assign(place(x), num(1))],
    ));
    rules.invariant("reads", less(value(y), num(4)));
    let (explored, _) = explore(&rules.model());
    assert_eq!(explored.states, 4);
    let kinds = fault_kinds(&explored.violations);
    assert_eq!(kinds, [FaultKind::Undefined, FaultKind::Undefined]);
}

#[test]
fn nodes_that_are_passed_are_known() {
    let (mut rules, x) = counter(3);
    rules.rule(routine(
        400,
        vec![
            (
                false,
                vec![
                    (guarded(equal(value(x), num(1)), Vec::new()), Some(1)),
                    (guarded(equal(value(x), num(3)), Vec::new()), Some(2)),
                ],
            ),
            (false, vec![(always(vec![assign(place(x), num(2))]), None)]),
            (false, vec![(always(vec![assign(place(x), num(2))]), None)]),
        ],
    ));
    let edge = rules.rule_edge(0);
    let model = rules.model();
    let program = Program::compile(&model, Observers::default()).expect("it can be compiled");
    let (_, coverage) = explore(&model);
    let reached = [0, 1, 2].map(|node| coverage.node(&program, edge, NodeId(node)));
    assert_eq!(reached, [true, true, false]);
}

#[test]
fn a_start_may_take_several_steps_while_it_holds_control() {
    let mut rules = Rules::new();
    let x = rules.global("x", 4);
    rules.start(always(vec![assign(place(x), num(1))]));
    rules.rule(count_up(x, 4));
    let mut model = rules.unchecked();
    model.templates[0].edges[0].control = Control::Hold;
    let model = mandala_model::verify::verify(model).expect("a valid model");
    let (explored, _) = explore(&model);
    // The first of the rules still belongs to the start.
    assert_eq!(
        (explored.starts, explored.states, explored.fired),
        (1, 3, 2)
    );
}

#[test]
fn what_depends_on_a_quiet_step_is_refused() {
    let refused = |spoil: fn(&mut mandala_model::UncheckedModel)| {
        let (mut rules, x) = counter(3);
        let quiet = |number| {
            routine(
                number,
                vec![
                    (false, vec![(always(Vec::new()), Some(1))]),
                    (
                        true,
                        vec![(guarded(equal(value(x), num(2)), Vec::new()), None)],
                    ),
                ],
            )
        };
        rules.rule(quiet(400));
        rules.rule(quiet(410));
        let mut model = rules.unchecked();
        spoil(&mut model);
        let model = mandala_model::verify::verify(model).expect("a valid model");
        Program::compile(&model, Observers::default()).is_err()
    };
    assert!(!refused(|_| {}));
    assert!(refused(|m| m.templates[0].edges[2].step = Step::Else));
    assert!(refused(|m| m.templates[0].edges[1].escape = 1));
    assert!(refused(|m| m.templates[0].deterministic = true));
    assert!(refused(|m| m.templates[0].edges[0].control = Control::Hold));
}
