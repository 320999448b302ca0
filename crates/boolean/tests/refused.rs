//! What is wrong with a program or a system is said, with its place.

use crate::support::{EVERYTHING, read};

#[track_caller]
fn check(name: &str, text: &str, expected: &[&str]) {
    assert_eq!(
        read(name, text, Some("0|0")).expect_err("something is wrong"),
        expected
    );
}

/// The complaint about a statement in line 4.
#[track_caller]
fn statement(text: &str, expected: &str) {
    let program = format!(
        "decl g;\nbool f(a) begin return a; end\nvoid main() begin decl l;\n{text};\nend\n"
    );
    assert_eq!(
        read("m.bp", &program, None).expect_err("something is wrong"),
        [expected]
    );
}

#[track_caller]
fn system(text: &str, expected: &str) {
    check("m.tts", &format!("2 3\n{text}\n"), &[expected]);
}

#[test]
fn everything_is_accepted() {
    read("m.bp", EVERYTHING, None).expect("it is right");
}

#[test]
fn names_are_known() {
    statement("x := T", "m.bp:4:1: error: there is no variable `x` here");
    statement("goto L", "m.bp:4:6: error: `main` has no label `L`");
    statement("h()", "m.bp:4:1: error: there is no function `h`");
    statement(
        "decl l",
        "m.bp:4:6: error: the variable `l` is declared twice",
    );
    let missing = read("m.bp", "decl g;", None).expect_err("something is wrong");
    assert_eq!(
        missing,
        ["m.bp:1:1: error: the program has no function `main`"]
    );
    let missing = read("m.bp", "void main() begin end", Some("L"));
    let missing = missing.expect_err("something is wrong");
    assert_eq!(
        missing,
        ["--target:1:1: error: the program has no label `L`"]
    );
}

#[test]
fn numbers_of_things_agree() {
    statement("l, g := T", "m.bp:4:1: error: values: 2 wanted, 1 given");
    statement("l := f()", "m.bp:4:1: error: arguments: 1 wanted, 0 given");
    statement(
        "l, g := f(T)",
        "m.bp:4:1: error: results: 1 wanted, 2 given",
    );
    statement("return T", "m.bp:4:1: error: results: 0 wanted, 1 given");
    statement(
        "l, l := T, F",
        "m.bp:4:4: error: `l` is assigned to twice at once",
    );
}

#[test]
fn what_is_not_supported_is_named() {
    statement("sync L", "m.bp:4:1: error: `sync` is not supported");
    statement(
        "start_thread l := T",
        "m.bp:4:14: error: `start_thread` does not support this statement",
    );
    statement(
        "l := 'g",
        "m.bp:4:6: error: there is no value after the assignment here",
    );
    statement("l := 2", "m.bp:4:6: error: `2` is no truth value");
    statement(
        "l := g ? T : F",
        "m.bp:4:8: error: `?` is not part of the language",
    );
}

#[test]
fn syntax_is_said() {
    statement(
        "l := ",
        "m.bp:4:6: error: expected an expression, found `;`",
    );
    statement(
        "if l then",
        "m.bp:5:1: error: expected a statement, found `end`",
    );
    statement(
        "end := T",
        "m.bp:4:5: error: expected `decl`, `void` or `bool`, found `:=`",
    );
}

#[test]
fn systems_are_checked() {
    system(
        "0 0 > 1 1",
        "m.tts:2:5: error: expected `->`, `+>` or `~>`, found `>`",
    );
    system(
        "0 3 -> 1 1",
        "m.tts:2:3: error: expected a local state from 0 to 2, found `3`",
    );
    system(
        "2 0 -> 1 1",
        "m.tts:2:1: error: expected a shared state from 0 to 1, found `2`",
    );
    system("0 0 -> 1", "m.tts:2:8: error: the line ends too early");
    system("0 0 +> 1 1 2 ~> 0", "m.tts:2:12: error: `2` is too much");
    check(
        "m.tts",
        "# nothing",
        &["m.tts:1:1: error: the system is empty"],
    );
    check(
        "m.tts",
        "0 3",
        &["m.tts:1:1: error: expected a number of states from 1 to 16777216, found `0`"],
    );
    let missing = read("m.tts", "1 1", None).expect_err("something is wrong");
    assert_eq!(missing, ["m.tts:1:1: error: the system has no target"]);
    let wrong = read("m.tts", "1 1", Some("0;0")).expect_err("something is wrong");
    assert_eq!(wrong, ["--target:1:1: error: `0;0` is no target"]);
    let wrong = read("m.tts", "1 1", Some("0|1")).expect_err("something is wrong");
    assert_eq!(
        wrong,
        ["--target:1:3: error: expected a local state from 0 to 0, found `1`"]
    );
}

#[test]
fn programs_that_grow_too_large_are_refused() {
    let mut text = String::from("void f0() begin skip; end\n");
    for number in 1..20 {
        let before = number - 1;
        text += &format!("void f{number}() begin f{before}(); f{before}(); f{before}(); end\n");
    }
    text += "void main() begin f19(); end";
    let wrong = read("m.bp", &text, None).expect_err("it is too large");
    assert!(
        wrong[0].contains("places with its calls put in"),
        "{wrong:?}"
    );
}
