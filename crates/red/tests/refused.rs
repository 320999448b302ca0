//! What is wrong with a model is said, with its place.

use crate::support::{EVERYTHING, read};
use mandala_model::instantiate::instantiate;

const FRAME: &str = "process count = 2;\nglobal pointer g;\nlocal pointer p;\nlocal discrete d: 0..3;\nmode a true { RULE }\n";

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text, &[]).expect_err("something is wrong"), expected);
}

/// The complaint about a rule in line 5.
#[track_caller]
fn rule(text: &str, expected: &str) {
    check(&FRAME.replace("RULE", text), &[expected]);
}

/// The complaint about what is added in line 6.
#[track_caller]
fn added(text: &str, expected: &str) {
    check(&(FRAME.replace("RULE", "") + text), &[expected]);
}

#[test]
fn everything_is_accepted() {
    read(EVERYTHING, &[]).expect("it is right");
    read(EVERYTHING, &["N=2"]).expect("it is right for two");
    read(EVERYTHING, &["count=4"]).expect("and for four");
}

#[test]
fn names_are_known() {
    rule(
        "when d == x may ;",
        "m.red:5:25: error: `x` is not declared",
    );
    rule(
        "when true may goto b;",
        "m.red:5:34: error: `b` is not declared",
    );
    rule("when true may goto d;", "m.red:5:34: error: `d` is no mode");
    added(
        "local pointer d;",
        "m.red:6:15: error: `d` is declared twice",
    );
    added("#define X y", "m.red:6:11: error: `y` is not declared");
}

#[test]
fn pointers_are_followed_and_nothing_else() {
    rule(
        "when d->p == NULL may ;",
        "m.red:5:20: error: what stands before `->` is no pointer",
    );
    rule(
        "when p->g == NULL may ;",
        "m.red:5:23: error: a global variable belongs to no process",
    );
    rule(
        "when p->p[1] == NULL may ;",
        "m.red:5:24: error: a process is named at the beginning, not behind `->`",
    );
    rule(
        "when p[3] == NULL may ;",
        "m.red:5:22: error: there is no process 3",
    );
    rule(
        "when p[d] == NULL may ;",
        "m.red:5:22: error: a process is named by a constant or by a quantifier",
    );
    let long = format!("when p{} == NULL may ;", "->p".repeat(300));
    rule(
        &long,
        "m.red:5:623: error: more than 200 pointers are followed",
    );
}

#[test]
fn numbers_and_conditions_are_different() {
    rule(
        "when d may ;",
        "m.red:5:20: error: this is a number, and a condition is expected",
    );
    rule(
        "when a[1] == 1 may ;",
        "m.red:5:20: error: this is a condition, and a number is expected",
    );
    rule(
        "when d = 1 may ;",
        "m.red:5:22: error: expected an operator or the end of the expression, found `=`",
    );
    rule(
        "when 1 < d < 3 may ;",
        "m.red:5:26: error: `<` cannot follow another one",
    );
}

#[test]
fn some_things_are_not_assigned_to() {
    rule(
        "when true may mode = 1;",
        "m.red:5:29: error: a mode is not assigned to",
    );
    rule(
        "when true may goto a; d = 1;",
        "m.red:5:37: error: nothing is done behind `goto`",
    );
    check(
        "#define X 1\nprocess count = 1;\nmode a true { when true may X = 2; }",
        &["m.red:3:29: error: a constant is not assigned to"],
    );
}

#[test]
fn outside_of_processes_it_is_said_whose_things_are() {
    added(
        "risk d == 1;",
        "m.red:6:6: error: it is not said whose this is",
    );
    added(
        "initially g == P;",
        "m.red:6:16: error: `P` means nothing here: no process evaluates this",
    );
    added(
        "risk exists i: i->d == 1;",
        "m.red:6:16: error: `i` is a process here, no pointer",
    );
}

#[test]
fn the_condition_of_a_mode_asks_for_no_other_mode() {
    added(
        "mode b p->a {}",
        "m.red:6:8: error: the condition of a mode that asks for the mode of another process is not supported",
    );
}

#[test]
fn sizes_are_sane() {
    check(
        "process count = 0; mode a true {}",
        &["m.red:1:17: error: 0 processes are not supported"],
    );
    check(
        "process count = 255; mode a true {}",
        &["m.red:1:17: error: 255 processes are not supported"],
    );
    added(
        "global discrete x: 3..2;",
        "m.red:6:20: error: the range has no numbers",
    );
    added(
        "global discrete x: -9223372036854775807..9223372036854775807;",
        "m.red:6:20: error: the range has more numbers than fit 64 bits",
    );
    added(
        "#define X 9223372036854775808",
        "m.red:6:11: error: the number does not fit 64 bits",
    );
    added(
        "#define X (9223372036854775807 * 2)",
        "m.red:6:11: error: the number does not fit 64 bits",
    );
}

#[test]
fn there_are_states_to_start_in() {
    added(
        "initially g == 1 and g == 2;",
        "m.red:1:1: error: no state satisfies `initially`",
    );
    added(
        "initially not a[1];",
        "m.red:1:1: error: no state satisfies `initially`",
    );
    let many = "global discrete x: 0..1000000000000;";
    added(
        &format!("{many} initially x >= 0;"),
        "m.red:1:1: error: more than 20000 states satisfy `initially`",
    );
    added(
        &format!("{many} initially x * x < 0;"),
        "m.red:1:1: error: it takes too long to find the states that satisfy `initially`",
    );
}

#[test]
fn several_errors_are_found_at_once() {
    check(
        "process count = ;\nlocal pointer ;\nmode a true { when }\nrisk;\n5",
        &[
            "m.red:1:17: error: expected an expression, found `;`",
            "m.red:2:15: error: expected the name of a variable, found `;`",
            "m.red:3:20: error: expected an expression, found `}`",
            "m.red:4:5: error: expected an expression, found `;`",
        ],
    );
}

#[test]
fn constants_from_outside_are_those_of_the_model() {
    let complaints = |given: &str| read(EVERYTHING, &[given]).expect_err("it is wrong");
    assert_eq!(
        complaints("M=3"),
        ["-D M:1:1: error: the model defines no constant `M`"]
    );
    assert_eq!(complaints("N=x"), ["-D N:1:1: error: `x` is not declared"]);
    assert_eq!(
        complaints("=3"),
        ["-D :1:1: error: the constant has no name"]
    );
}

#[test]
fn nothing_is_too_deep_or_too_large() {
    for (open, close) in [("(", ")"), ("not ", ""), ("-", ""), ("forall i: ", "")] {
        let text = FRAME.replace("RULE", "")
            + "risk "
            + &open.repeat(100_000)
            + &close.repeat(100_000)
            + ";";
        let complaints = read(&text, &[]).expect_err("it is too deep");
        assert!(
            complaints[0].contains("nested more than 200 deep"),
            "{complaints:?}"
        );
    }
    let long = FRAME.replace("RULE", "") + "risk g == 1" + &" or g == 1".repeat(5_000) + ";";
    let complaints = read(&long, &[]).expect_err("it is too high");
    assert!(
        complaints[0].contains("more than 1000 levels"),
        "{complaints:?}"
    );
    let wide = FRAME
        .replace("count = 2", "count = 200")
        .replace("RULE", "")
        + "QUESTION exists i, j, k, l: i == j and k == l;";
    let complaints = read(&wide.replace("QUESTION", "initially"), &[]);
    let complaints = complaints.expect_err("it is too large");
    assert!(complaints[0].contains("too large"), "{complaints:?}");
    // Conditions are too large only for those who write them out.
    let model = read(&wide.replace("QUESTION", "risk"), &[]).expect("it is small");
    let error = instantiate(&model).expect_err("it is too large");
    let instance = "with `risk [i = 1]`, the rules have more than 1000000 statements";
    assert!(error.to_string().starts_with(instance), "{error}");
}
