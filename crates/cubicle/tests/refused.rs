//! What is wrong with a system is said, with its place.

use crate::support::read;

/// The declarations that the texts below go on from.
const SYSTEM: &str = "type t = A | B
var X : t
var P : proc
array S[proc] : t
init (z) { S[z] = A && X = A }
unsafe (x y) { S[x] = B && S[y] = B }
";

#[track_caller]
fn check(further: &str, expected: &[&str]) {
    let found = read(&format!("{SYSTEM}{further}"), "2");
    assert_eq!(found.expect_err("something is wrong"), expected);
}

#[test]
fn processes_have_no_order() {
    check(
        "transition t (i j) requires { i < j } { X := B }",
        &["m.cub:7:33: error: `<` puts processes in an order"],
    );
}

#[test]
fn numbers_are_no_values() {
    check(
        "var I : int",
        &["m.cub:7:9: error: `int` has no least and no greatest value"],
    );
    check(
        "transition t (i) requires { X = 1 } { X := B }",
        &["m.cub:7:33: error: `1` is a number"],
    );
    check(
        "transition t (i) requires { X = A + 1 } { X := B }",
        &["m.cub:7:35: error: `+` calculates with numbers"],
    );
}

#[test]
fn names_and_types_are_known() {
    check(
        "transition t (i) requires { X = C } { S[k] := case | k = j : B | _ : A; Y := B }\n\
         transition u (i) { X := P }\n\
         transition v (i) { X[i] := A; }\n\
         transition w (i) { S := A }\n\
         var X : u",
        &[
            "m.cub:7:33: error: there is no variable or value `C`",
            "m.cub:8:25: error: expected a value of type `t`, found one of type `proc`",
            "m.cub:9:22: error: `X` is no array",
            "m.cub:10:20: error: `S` is an array",
            "m.cub:11:9: error: there is no type `u`",
        ],
    );
}

#[test]
fn an_update_says_all_there_is_to_say_of_a_variable() {
    check(
        "transition t (i j) { S[i] := A; S[j] := B }",
        &["m.cub:7:33: error: `S` is changed twice"],
    );
    check(
        "transition t (i) { S[j] := case | i = j : B }",
        &["m.cub:7:28: error: no case says what the value is otherwise"],
    );
    check(
        "transition t (i) { S[j] := . }",
        &["m.cub:7:28: error: every element gets any value at once"],
    );
}

#[test]
fn each_process_is_spoken_of_once_at_a_time() {
    check(
        "transition t (i) requires { forall_other i. S[i] = A } { X := B }",
        &["m.cub:7:42: error: `i` is a parameter"],
    );
    check(
        "transition t (i) requires { forall_other j. S[j] = A || X = A } { X := B }",
        &["m.cub:7:54: error: what is said of each other process may end here, or go on"],
    );
    check(
        "transition t (i i) { X := B }",
        &["m.cub:7:17: error: two parameters are called `i`"],
    );
}

#[test]
fn several_errors_are_found_at_once() {
    check(
        "type u\nvar : t\ntransition T () { }\ninit { X = A }",
        &[
            "m.cub:7:6: error: the type `u` has no values",
            "m.cub:8:5: error: expected the name of a variable, found `:`",
            "m.cub:9:12: error: expected the name of a transition, found `T`",
            "m.cub:10:1: error: there is more than one `init`",
        ],
    );
}

#[test]
fn what_belongs_to_a_system_is_there() {
    let found = read("var X : bool", "2").expect_err("nothing is said");
    assert_eq!(found, ["m.cub:1:1: error: there is no `init`"]);
    let found = read("var X : bool init { X = True }", "2").expect_err("nothing is claimed");
    assert_eq!(found, ["m.cub:1:1: error: nothing is claimed"]);
    let found = read(SYSTEM, "many").expect_err("that is no number");
    assert_eq!(found, ["-D N:1:1: error: `many` processes"]);
}
