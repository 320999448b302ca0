//! Systems of rules: the reference interpreter, the interpreter of the compiled form and machine code agree on every state, and
//! each construct does what it is for.

use crate::common::rules::{counter, model, system, told, unchecked, without_moves};
use crate::common::trio::{explore, explore_some};
use mandala_encoding::Program;
use mandala_model::UncheckedModel;
use mandala_model::ids::{EdgeId, MonitorId, NodeId, TemplateId};
use mandala_model::step::{FaultKind, Observers, Violation};
use mandala_model::template::{Control, Step};
use mandala_model::verify::verify;
use std::collections::HashSet;

fn fault_kinds(violations: &[Violation]) -> Vec<FaultKind> {
    let kind = |violation: &Violation| match violation {
        Violation::Fault(fault) => Some(fault.kind),
        _ => None,
    };
    violations.iter().filter_map(kind).collect()
}

/// The edge of that number.
fn edge(index: u32) -> EdgeId {
    EdgeId {
        template: TemplateId(0),
        index,
    }
}

#[test]
fn a_counter_goes_round() {
    let text = counter(
        9,
        "s1 -> s1 when defined(x) < 9 do x = defined(x) + 1
         s1 -> s1 when defined(x) == 9 do x = 1",
    );
    let (explored, _) = explore(&model(&text));
    assert_eq!(
        (explored.starts, explored.states, explored.fired),
        (1, 9, 9)
    );
    assert_eq!(explored.violations, []);
    assert!(explored.natively > 0, "machine code expands such states");
}

#[test]
fn equal_start_states_are_one_and_a_start_that_fails_is_none() {
    let text = system(
        "global x: number(3)",
        "s0 -> s1 do x = 1
         s0 -> s1 do x = 1
         s0 -> s1 do x = 2; fail \"no\"
         s0 -> s1 do x = 3
         s0 -> s1 when 0",
        "s1 -> s1 do x = 2
         s1 -> s1 when defined(x) == 2 do x = 1",
    );
    let model = model(&text);
    let (explored, _) = explore(&model);
    assert_eq!((explored.starts, explored.states), (2, 3));
    assert_eq!(told(&model, &explored.violations), ["no"]);
}

#[test]
fn without_a_start_step_there_is_no_state() {
    let text = system("global x: number(2)", "", "s1 -> s1 do x = 1");
    let (explored, _) = explore(&model(&text));
    assert_eq!((explored.states, explored.violations.len()), (0, 0));
}

#[test]
fn a_start_that_cannot_be_taken_is_no_state_either() {
    let text = system("global x: number(2)", "s0 -> s1 when x == 1", "");
    let (explored, _) = explore(&model(&text));
    assert_eq!((explored.states, explored.violations.len()), (0, 0));
}

#[test]
fn to_read_an_undefined_variable_is_a_fault_where_the_rule_is_tried() {
    let text = system(
        "global x: number(2)
         global y: number(2)",
        "s0 -> s1 do x = 1",
        "s1 -> s1 when defined(y) == 1
         s1 -> s1 do x = 2; y = 1",
    );
    let (explored, _) = explore(&model(&text));
    // The two states are {x = 1, y undefined} and {x = 2, y = 1}; the second goes round.
    assert_eq!(explored.states, 2);
    assert_eq!(fault_kinds(&explored.violations), [FaultKind::Undefined]);
    assert!(explored.violations.contains(&Violation::Deadlock));
}

#[test]
fn undefined_values_can_be_copied_and_compared() {
    let text = system(
        "global x: number(2)
         global y: number(2)",
        "s0 -> s1 do x = 1",
        "s1 -> s1 when y == 0 do x = y
         s1 -> s1 do x = 2; y = 2",
    );
    let (explored, _) = explore(&model(&text));
    assert_eq!(explored.states, 3);
    assert_eq!(fault_kinds(&explored.violations), []);
}

#[test]
fn a_value_outside_the_type_is_a_fault() {
    let text = counter(2, "s1 -> s1 do x = defined(x) + 1");
    let (explored, _) = explore(&model(&text));
    let expected = FaultKind::ValueOutOfRange { value: 3 };
    assert_eq!(fault_kinds(&explored.violations), [expected]);
}

#[test]
fn numbers_overflow_at_64_bits_and_not_before() {
    // Twice the larger number and one more is the greatest there is.
    let text = system(
        "global x: 0..9223372036854775807
         global y: 0..9223372036854775807",
        "s0 -> s1 do x = 1099511627776
         s0 -> s1 do x = 4611686018427387903",
        "s1 -> s1 when y == 0 do y = x * 2 + 1
         s1 -> s1 when 0 < y + 1 do y = y + 1
         s1 -> s1 when 0 - y - 2 < 0 do y = 4611686018427387903
         s1 -> s1 when x * x == 7
         s1 -> s1 when x / y == 3",
    );
    let (explored, _) = explore_some(&model(&without_moves(&text)), 40);
    let kinds: HashSet<FaultKind> = fault_kinds(&explored.violations).into_iter().collect();
    assert!(kinds.contains(&FaultKind::Overflow), "{kinds:?}");
    assert!(kinds.contains(&FaultKind::DivisionByZero), "{kinds:?}");
}

#[test]
fn a_quiet_node_undoes_what_was_done_before_it() {
    // The first rule writes to an element that an index chooses, and to a scratch variable, before it is known whether it can be taken.
    let text = system(
        "global x: number(5)
         global y: number(5)[3]",
        "s0 -> s1 do x = 1",
        "s1 -> s1 routine {
           n0: do i = 2; y[i - 1] = defined(x); x = 5 -> n1
           n1 quiet: when defined(y[1]) == 3 -> done
         }
         s1 -> s1 when defined(x) < 4 do x = defined(x) + 1",
    );
    let (explored, _) = explore(&model(&text));
    // x goes from 1 to 4; from 3 the first rule leads to 5 as well.
    assert_eq!((explored.states, explored.fired), (5, 4));
    assert_eq!(explored.violations.len(), 2, "{:?}", explored.violations);
    assert!(explored.natively > 0);
}

#[test]
fn a_routine_whose_first_node_is_quiet_is_like_any_other() {
    let text = counter(
        3,
        "s1 -> s1 routine {
           n0 quiet: when defined(x) < 3 -> n1
           n1: do x = defined(x) + 1 -> done
         }
         s1 -> s1 when defined(x) == 3 do x = 1",
    );
    let (explored, _) = explore(&model(&text));
    assert_eq!((explored.states, explored.fired), (3, 3));
    assert_eq!(explored.violations, []);
}

#[test]
fn a_node_that_is_not_quiet_is_a_fault_where_it_blocks() {
    let text = counter(
        3,
        "s1 -> s1 routine {
           n0: skip -> n1
           n1: when defined(x) == 2 -> done
         }",
    );
    let (explored, _) = explore(&model(&text));
    assert_eq!(
        fault_kinds(&explored.violations),
        [FaultKind::RoutineBlocked]
    );
}

#[test]
fn where_only_quiet_rules_block_nothing_can_happen() {
    let text = counter(
        3,
        "s1 -> s1 routine {
           n0: do x = 2 -> n1
           n1 quiet: when defined(x) == 1 -> done
         }",
    );
    for text in [without_moves(&text), text] {
        let (explored, _) = explore(&model(&text));
        assert_eq!(explored.states, 1);
        assert_eq!(explored.violations, [Violation::Deadlock], "{text}");
    }
}

#[test]
fn a_loop_in_a_routine_with_a_quiet_way_out() {
    let text = counter(
        6,
        "s1 -> s1 routine {
           n0: do i = defined(x) -> n1
           n1 quiet: when i == 6 -> n2
           n1: when i < 5 do i = i + 2 -> n1
           n2: do x = 6 -> done
         }
         s1 -> s1 when defined(x) < 4 do x = defined(x) + 1",
    );
    let (explored, _) = explore(&model(&text));
    // Only from an even number does the loop get to 6; the two states without a way on are deadlocks.
    assert_eq!((explored.states, explored.fired), (5, 6));
}

#[test]
fn a_state_that_every_step_leads_back_to_is_a_deadlock_if_changes_count() {
    // The last rule changes a variable and changes it back.
    let text = counter(
        3,
        "s1 -> s1 when defined(x) < 3 do x = defined(x) + 1
         s1 -> s1 do x = defined(x)
         s1 -> s1 when defined(x) == 3 do x = 1; x = 3",
    );
    for (text, expected) in [(without_moves(&text), 0), (text, 1)] {
        let (explored, _) = explore(&model(&text));
        assert_eq!(explored.states, 3);
        assert_eq!(explored.violations.len(), expected, "{text}");
    }
}

#[test]
fn a_location_where_one_may_stay_is_no_deadlock() {
    let text = counter(3, "s1 -> s1 when defined(x) < 3 do x = defined(x) + 1");
    let text = text.replace("location s1", "location s1 end");
    assert_eq!(explore(&model(&text)).0.violations, []);
}

#[test]
fn a_step_that_fails_has_no_state_after_it() {
    let text = counter(
        4,
        "s1 -> s1 when defined(x) < 3 do x = defined(x) + 1
         s1 -> s1 when defined(x) == 2 do x = 4; fail \"two\"; x = 9",
    );
    let model = model(&text);
    let (explored, _) = explore(&model);
    assert_eq!(explored.states, 3);
    assert_eq!(told(&model, &explored.violations), ["two", "Deadlock"]);
}

#[test]
fn a_failure_in_a_routine_is_known_by_its_choice() {
    let text = counter(
        4,
        "s1 -> s1 routine {
           n0: do x = 4 -> n1
           n1: when defined(x) == 1 -> done
           n1: do fail \"not one\" -> done
         }",
    );
    let model = model(&text);
    let (explored, _) = explore(&model);
    assert_eq!(told(&model, &explored.violations), ["not one"]);
    let Step::Routine(routine) = &model.templates[0].edges[1].step else {
        panic!("a routine");
    };
    let messages = routine.nodes[1].choices.iter();
    let messages = messages.map(|choice| model.failure_message(choice.span));
    let messages: Vec<_> = messages.collect();
    assert_eq!(messages, [None, Some("not one".to_string())]);
}

#[test]
fn a_step_that_is_abandoned_counts_and_leads_nowhere() {
    let in_a_routine = "routine {
           n0: do x = 1 -> n1
           n1: do abandon -> done
         }";
    for gives_up in ["do x = 1; abandon", in_a_routine] {
        let text = counter(
            3,
            &format!(
                "s1 -> s1 when defined(x) < 3 do x = defined(x) + 1
                 s1 -> s1 {gives_up}"
            ),
        );
        let model = model(&text);
        let program = Program::compile(&model, Observers::default()).expect("it can be compiled");
        let (explored, coverage) = explore(&model);
        assert_eq!((explored.states, explored.fired), (3, 5));
        // The last state has no other step, but this one leads away.
        assert_eq!(explored.violations, []);
        assert_eq!(coverage.edge(&program, edge(2)), 3);
    }
}

#[test]
fn monitors_are_counted_and_undone_and_no_moves() {
    // The third monitor changes something before it fails, in a routine.
    let text = counter(3, "s1 -> s1 when defined(x) < 3 do x = defined(x) + 1")
        + "monitor local scratch i: number(3)
        monitor m0 when defined(x) == 2
        monitor m1 when defined(x) == 4
        monitor m2 routine {
          n0: do x = defined(x) + 0 -> n1
          n1 quiet: when defined(x) == 3 do fail \"three\" -> done
        }
        monitor m3 when !(defined(x) < 3) do fail \"not small\"
        property two cover m0
        property four cover m1
        property routine invariant m2
        property small invariant m3";
    let model = model(&text);
    let program = Program::compile(&model, Observers::default()).expect("it can be compiled");
    let (explored, coverage) = explore(&model);
    assert_eq!((explored.states, explored.fired), (3, 2));
    let expected = ["2: three", "3: not small", "Deadlock"];
    assert_eq!(told(&model, &explored.violations), expected);
    let held = [0, 1].map(|number| coverage.monitor(&program, MonitorId(number)));
    assert_eq!(held, [1, 0]);
    assert!(explored.natively > 0, "machine code evaluates monitors");
}

#[test]
fn a_monitor_may_fail_at_run_time() {
    let text = system(
        "global x: number(3)
         global y: number(3)",
        "s0 -> s1 do x = 1",
        "s1 -> s1 when defined(x) < 2 do x = defined(x) + 1
         s1 -> s1 when defined(x) == 2 do y = 3; x = 1",
    ) + "monitor m0 when !(defined(y) < 4) do fail \"\"
        property reads invariant m0";
    let (explored, _) = explore(&model(&text));
    assert_eq!(explored.states, 4);
    let kinds = fault_kinds(&explored.violations);
    assert_eq!(kinds, [FaultKind::Undefined, FaultKind::Undefined]);
}

#[test]
fn nodes_that_are_passed_are_known() {
    let text = counter(
        3,
        "s1 -> s1 routine {
           n0: when defined(x) == 1 -> n1
           n0: when defined(x) == 3 -> n2
           n1: do x = 2 -> done
           n2: do x = 2 -> done
         }",
    );
    let model = model(&text);
    let program = Program::compile(&model, Observers::default()).expect("it can be compiled");
    let (_, coverage) = explore(&model);
    let reached = [0, 1, 2].map(|node| coverage.node(&program, edge(1), NodeId(node)));
    assert_eq!(reached, [true, true, false]);
}

#[test]
fn a_start_may_take_several_steps_while_it_holds_control() {
    let text = system(
        "global x: number(4)",
        "s0 -> s1 hold do x = 1",
        "s1 -> s1 when defined(x) < 4 do x = defined(x) + 1",
    );
    let (explored, _) = explore(&model(&text));
    // The first of the rules still belongs to the start.
    assert_eq!(
        (explored.starts, explored.states, explored.fired),
        (1, 3, 2)
    );
}

#[test]
fn what_depends_on_a_quiet_step_is_refused() {
    let quiet = "s1 -> s1 routine {
           n0: skip -> n1
           n1 quiet: when defined(x) == 2 -> done
         }";
    let text = counter(3, &format!("{quiet}\n{quiet}"));
    let refused = |spoil: fn(&mut UncheckedModel)| {
        let mut model = unchecked(&text);
        spoil(&mut model);
        let model = verify(model).expect("a valid model");
        Program::compile(&model, Observers::default()).is_err()
    };
    assert!(!refused(|_| {}));
    assert!(refused(|m| m.templates[0].edges[2].step = Step::Else));
    assert!(refused(|m| m.templates[0].edges[1].escape = 1));
    assert!(refused(|m| m.templates[0].deterministic = true));
    assert!(refused(|m| m.templates[0].edges[0].control = Control::Hold));
}
