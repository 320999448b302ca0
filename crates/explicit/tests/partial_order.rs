//! Searches that leave out steps: what they save, and what they must not miss.

use crate::common::{assert_real, bundled, bundled_file, model};
use mandala_encoding::Program;
use mandala_engine::Choice;
use mandala_explicit::{Claim, ExplicitOutcome, Extent, Options, SearchOrder, search};
use mandala_model::model::Model;
use mandala_model::property::PropertyKind;
use mandala_model::step::{Observers, Violation};

fn program(model: &Model) -> Program {
    let program = Program::compile(model, Observers::default()).expect("it can be compiled");
    let reduced = program.leaving_out_steps(model);
    reduced.unwrap_or_else(|obstacle| panic!("{obstacle}"))
}

fn reduced(model: &Model, order: SearchOrder, workers: usize) -> ExplicitOutcome {
    explored(&program(model), order, workers)
}

fn explored(program: &Program, order: SearchOrder, workers: usize) -> ExplicitOutcome {
    let options = Options {
        order,
        workers,
        share_from: 1,
        ..Options::default()
    };
    search(program, &options, &mut |_| ()).expect("the options go together")
}

fn states(text: &str) -> u64 {
    let outcome = reduced(&model(text), SearchOrder::BreadthFirst, 1);
    assert_eq!(outcome.extent, Extent::Complete, "{:?}", outcome.evidence);
    outcome.statistics.states
}

#[test]
fn processes_without_anything_in_common_go_one_after_the_other() {
    let text = "active [4] proctype p() { byte x; x = 1; x = 2; x = 3 }";
    let outcome = reduced(&model(text), SearchOrder::BreadthFirst, 1);
    // Three steps and the end of each process, and the start.
    assert_eq!(outcome.statistics.states, 4 * 4 + 1);
    assert!(outcome.statistics.expanded_partly > 0 && outcome.statistics.left_out > 0);
}

#[test]
fn an_array_is_shared_by_those_who_index_it_with_their_numbers() {
    let own = "byte a[3]; active [3] proctype p() { a[_pid] = 1; a[_pid] = 2 }";
    let given = "byte a[3]; proctype p(byte me) { a[me] = 1; a[me] = 2 }
        init { atomic { run p(0); run p(1); run p(2) } }";
    let common = "byte a[3]; active [3] proctype p() { a[0] = 1; a[_pid] = 2 }";
    assert_eq!(states(own), 3 * 3 + 1);
    assert!(states(given) <= 3 * 3 + 3, "{}", states(given));
    assert!(states(common) > 3 * 3 + 1);
}

/// The updater waits for all flags, and one that is up is reason enough: of those who acknowledge, one goes after the other.
#[test]
fn one_false_part_of_a_guard_is_reason_enough() {
    for n in [3, 5, 8] {
        let model = bundled_file("database/database-flags.pml", &[&format!("N={n}")]);
        let program = program(&model).without_marks();
        for &order in SearchOrder::ALL {
            for workers in [1, 2] {
                let outcome = explored(&program.afresh(), order, workers);
                let states = outcome.statistics.states;
                assert_eq!(outcome.extent, Extent::Complete);
                // In the net 2n^2 - n + 1; and n + 1 for what it does in one step and before the start.
                assert_eq!(states, 2 * n * n + 2, "N={n} {order:?} {workers}");
            }
        }
    }
}

/// Both orders of the processes, so that it does not matter who is asked first.
fn is_violated_either_way(before: &str, first: &str, second: &str) {
    for (first, second) in [(first, second), (second, first)] {
        let text = format!("{before} {first} {second}");
        let outcome = reduced(&model(&text), SearchOrder::BreadthFirst, 1);
        assert_eq!(outcome.claim, Claim::Violated, "{text}");
    }
}

#[test]
fn it_is_the_false_part_of_a_guard_that_matters() {
    is_violated_either_way(
        "byte a = 1, b, x;
        active proctype waiter() { end: d_step { a == 1 && b == 1 && x == 0 -> assert(false) } }",
        "active proctype helper() { b = 1 }",
        "active proctype spoiler() { x = 1; a = 0 }",
    );
}

/// While `x == 0` is false, what stands before it is asked all the same.
#[test]
fn a_part_of_a_guard_that_may_fail_matters_as_well() {
    is_violated_either_way(
        "byte i, x = 1, stop, a[2];
        active proctype waiter() { end: d_step { stop == 0 && a[i] == 0 && x == 0 -> skip } }",
        "active proctype misleader() { i = 5 }",
        "active proctype stopper() { stop = 1 }",
    );
}

#[test]
fn who_is_met_could_have_done_something_else() {
    is_violated_either_way(
        "chan c = [0] of { byte };",
        "active proctype sender() { end: c!1 }",
        "active proctype receiver() { byte x; if :: c?x :: assert(false) fi }",
    );
}

#[test]
fn who_is_on_the_way_will_be_there() {
    is_violated_either_way(
        "byte x;",
        "active proctype writer() { x = 1 }",
        "active proctype reader() { byte y; y = 1; y = 2; assert(x == 1) }",
    );
}

#[test]
fn steps_that_stay_at_one_place_can_be_independent() {
    let text = "byte a, b, c;
        active proctype p() {
            do
            :: d_step { a < 3 -> a++ }
            :: d_step { b < 3 -> b++ }
            :: d_step { c < 3 -> c++ }
            od
        }";
    let outcome = reduced(&model(text), SearchOrder::DepthFirst, 1);
    // All of the last counter, then all of the next. Without reduction 64.
    assert_eq!(outcome.statistics.states, 3 * 3 + 1);
    assert_eq!(outcome.claim, Claim::Violated, "it ends in a deadlock");
}

#[test]
fn where_there_must_be_no_choice_none_is_missed() {
    let text = "byte x, y = 1, z;
        active proctype setter() { y = 0 }
        active proctype stopper() { x = 1 }
        D_proctype chooser() {
            end: do
            :: d_step { x == 0 && z < 2 -> z++ }
            :: d_step { y == 0 && z < 2 -> z++ }
            od
        }
        init { run chooser() }";
    for &order in SearchOrder::ALL {
        let outcome = reduced(&model(text), order, 1);
        let violation = outcome.evidence.map(|evidence| evidence.violation);
        let choice = matches!(violation, Some(Violation::Nondeterminism { .. }));
        assert!(choice, "{order:?}: {violation:?}");
    }
}

#[test]
fn who_sends_does_not_disturb_who_receives() {
    let text = "chan c = [4] of { byte };
        active proctype sender() { c!1; c!2; c!3; c!4 }
        active proctype receiver() { byte x; c?x; c?x; c?x; c?x }";
    // Without reduction 15 pairs of positions, and the ends.
    assert!(states(text) <= 11, "{}", states(text));
    let asked = "chan c = [4] of { byte };
        active proctype sender() { c!1; c!2; c!3; c!4 }
        active proctype receiver() { byte x; c?x; assert(len(c) < 3); c?x; c?x; c?x }";
    let outcome = reduced(&model(asked), SearchOrder::BreadthFirst, 1);
    assert_eq!(outcome.claim, Claim::Violated);
}

#[test]
fn nobody_is_put_off_for_ever() {
    let text = "active proctype idler() { byte x; do :: x = 1 - x od }
        active proctype victim() { byte y; y = 1; assert(y == 0) }";
    for &order in SearchOrder::ALL {
        for workers in [1, 2] {
            let outcome = reduced(&model(text), order, workers);
            assert_eq!(outcome.claim, Claim::Violated, "{order:?} {workers}");
        }
    }
}

/// Somebody who repeats a cycle puts off nobody, however little the cycle has to do with others.
fn puts_off_nobody(declarations: &str, cycle: &str) {
    let text = format!(
        "{declarations} active proctype idler() {{ byte x; do :: {cycle} od }}
        active proctype victim() {{ byte y; do :: y < 3 -> y++ :: y == 3 -> assert(false) od }}"
    );
    let model = model(&text);
    let program = program(&model);
    assert!(program.marks_cycles(), "{text}");
    for program in [&program, &program.without_marks()] {
        for &order in SearchOrder::ALL {
            let outcome = explored(&program.afresh(), order, 1);
            assert_eq!(outcome.claim, Claim::Violated, "{order:?} {text}");
        }
    }
}

#[test]
fn messages_that_are_not_used_up_can_be_received_for_ever() {
    let with = |message: &str| {
        format!("chan c = [2] of {{ byte }}; active proctype giver() {{ {message} }}")
    };
    puts_off_nobody(&with("c!1"), "c?<x> -> x = 0");
    puts_off_nobody(&with("c!1"), "d_step { c?x; c!x; x = 0 }");
    puts_off_nobody(&with("c!1"), "c?x -> c!x; x = 0");
    // What comes from a channel of another kind goes there again by another name.
    let passed_on = "chan c = [2] of { byte }; chan d = [1] of { chan };
        active proctype giver() { chan e; c!1; d!c; do :: d?e -> e!1; d!e od }";
    puts_off_nobody(passed_on, "c?x -> x = 0");
}

#[test]
fn a_rendezvous_takes_both() {
    let text = "chan c = [0] of { byte };
        byte first;
        active proctype a() { c!1 }
        active proctype b() { c!2 }
        active proctype r() { byte x; c?x; first = x; assert(x == 1); c?x }";
    let outcome = reduced(&model(text), SearchOrder::BreadthFirst, 1);
    assert_eq!(outcome.claim, Claim::Violated);
}

#[test]
fn timeout_is_the_last_resort() {
    let text = "byte done;
        active [2] proctype p() { byte x; x = 1; done++ }
        active proctype t() { timeout -> assert(done < 2) }";
    let outcome = reduced(&model(text), SearchOrder::BreadthFirst, 1);
    assert_eq!(outcome.claim, Claim::Violated);
}

/// The depths that the store keeps come round at 255, and the way is found again with all steps.
#[test]
fn long_ways_are_found_again() {
    let text = "byte n; short m;
        active proctype counter() { do :: m < 700 -> m++ :: m == 700 -> assert(n < 3) od }
        active proctype other() { byte x; do :: x < 5 -> x++ :: x == 5 -> n = 3; break od }";
    let model = model(text);
    for &order in SearchOrder::ALL {
        let outcome = reduced(&model, order, 1);
        let evidence = outcome.evidence.expect("the assertion can fail");
        assert!(evidence.path.len() > 600, "{}", evidence.path.len());
        assert!(matches!(evidence.violation, Violation::Assertion { .. }));
        assert_real(&model, &evidence);
    }
}

/// Breadth first, what is left out does not depend on who finds what.
#[test]
fn workers_count_the_same_breadth_first() {
    let model = bundled("peterson", &["N=3"]);
    let count = |workers| {
        let outcome = reduced(&model, SearchOrder::BreadthFirst, workers);
        let numbers = outcome.statistics;
        (numbers.states, numbers.transitions, numbers.left_out)
    };
    assert_eq!(count(1), count(3));
    assert!(count(1).0 <= 4_992, "{:?}", count(1));
}

/// Leaves out what cannot be told by what the formula of a model looks at.
fn keeping_runs(model: &Model) -> Program {
    let is_formula = |kind: &PropertyKind| matches!(kind, PropertyKind::NoRun(_));
    let mut properties = model.properties.iter();
    let formula = properties.find(|property| is_formula(&property.kind));
    let asked = formula.expect("a formula").kind.conditions().into_iter();
    let guards: Vec<_> = asked
        .map(|id| model.condition(id).condition.clone())
        .collect();
    let program = Program::compile_with(model, Observers::default(), &guards);
    let program = program.expect("it can be compiled");
    let reduced = program.leaving_out_unseen_steps(model, &guards);
    reduced.unwrap_or_else(|obstacle| panic!("{obstacle}"))
}

/// How many states are visited so, in every order and by several workers.
fn kept_states(system: &str, formula: &str) -> u64 {
    let model = model(&format!("{system} ltl f {{ {formula} }}"));
    let program = keeping_runs(&model);
    let count = |order, workers| {
        let options = Options {
            order,
            workers,
            share_from: 1,
            ..Options::default()
        };
        let outcome = search(&program, &options, &mut |_| ()).expect("the options go together");
        assert_eq!(outcome.extent, Extent::Complete);
        outcome.statistics.states
    };
    let states = count(SearchOrder::BreadthFirst, 1);
    assert_eq!(
        count(SearchOrder::BreadthFirst, 2),
        states,
        "{system} {formula}"
    );
    count(SearchOrder::DepthFirst, 1);
    states
}

#[test]
fn what_can_be_seen_is_not_put_off() {
    let system = "byte a, b, c[2]; chan q = [2] of { byte };
        active proctype p() { a = 1; a = 2; here: q!1; c[0] = 1; end: false }
        active proctype r() { b = 1; there: b = 2; q?_; c[1] = 1; end: false }";
    let none = kept_states(system, "[] true");
    let all = all_states(system);
    assert!(none < all);
    // Each of them changes something that is looked at, so their order matters.
    let cases = [
        ("[] (a <= b)", true),
        ("[] (c[0] <= c[1])", true),
        ("[] !(p@here && r@there)", true),
        // One who is looked at may be kept waiting, and waited for.
        ("[] (a < 3)", false),
        ("[] !p@here", false),
        ("[] (c[0] < 3)", false),
        ("[] (len(q) + a < 9)", false),
    ];
    for (formula, both) in cases {
        let states = kept_states(system, formula);
        assert!(states >= none && states < all, "{formula}: {states}");
        assert!((states > none) >= both, "{formula}: {states} of {none}");
    }
}

/// How many states there are in all.
fn all_states(system: &str) -> u64 {
    let program = Program::compile(&model(system), Observers::default()).expect("a program");
    let outcome = search(&program, &Options::default(), &mut |_| ()).expect("a search");
    outcome.statistics.states
}

#[test]
fn nobody_is_put_off_for_ever_by_somebody_unseen() {
    // The second one must be tried wherever the first one is on its round.
    let system = "byte a; active proctype idler() { byte x; do :: x = (x + 1) % 5 od }
        active proctype other() { a = 1; a = 2; end: false }";
    assert_eq!(kept_states(system, "[] (a < 3)"), all_states(system));
}
