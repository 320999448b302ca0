//! What the reader says of texts that are wrong.

use crate::common::read;

const HEAD: &str = "mandala-ir 2\nmodel promela, wrapping 32\n";

#[track_caller]
fn assert_errors(text: &str, expected: &[&str]) {
    let errors = read(text).expect_err("the text is wrong");
    assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn another_version_is_refused_by_its_number() {
    assert_errors(
        "mandala-ir 1\nwhatever that ? may be",
        &["m.ir:1:1: error: this is version 1 of the form, and only version 2 can be read"],
    );
    let no_version = "m.ir:1:1: error: expected `mandala-ir 2` in the first line";
    assert_errors("", &[no_version]);
    assert_errors("model promela, wrapping 32\n", &[no_version]);
}

#[test]
fn several_errors_are_found_in_one_reading() {
    let text = format!(
        "{HEAD}global x: u9999\nglobal y = 3\nprocess p() {{\n  entry s0\n  location s0\n    s0 -> s0 when x +\n    \
         s0 -> s0 jump\n    s1 -> s0 skip\n}}\nfrobnicate\nstart p(\n"
    );
    assert_errors(
        &text,
        &[
            "m.ir:3:11: error: there is no type `u9999`",
            "m.ir:4:10: error: expected `:`, found `=`",
            "m.ir:9:5: error: expected an expression, found `s0`",
            "m.ir:9:14: error: expected a step: `skip`, `when`, `do`, `else`, `exit`, `call`, `send`, `receive` or `routine`, found `jump`",
            "m.ir:10:5: error: expected an edge of the location s0 here, found one of s1",
            "m.ir:12:1: error: expected a declaration, which begins with one of: file, enum, domain, coding, record, channel, global, function, process, claim, events, start, condition, monitor, property, scalarset, rewards, found `frobnicate`",
            "m.ir:14:1: error: expected an expression, found the end of the file",
        ],
    );
}

#[test]
fn names_that_nothing_has_are_reported_together() {
    let text = format!(
        "{HEAD}global turn: u8\nprocess p() {{\n  entry s0\n  location s0\n    s0 -> s0 when trun == 1\n    \
         s0 -> s0 do turn = run q()\n    s0 -> s0 when turn.x\n    s0 -> s0 when p[0]::y\n}}\nstart r()\n"
    );
    assert_errors(
        &text,
        &[
            "m.ir:7:19: error: there is no variable or constant `trun` here",
            "m.ir:8:28: error: there is no template `q`",
            "m.ir:9:24: error: only a record has fields",
            "m.ir:10:25: error: there is no local variable `y`",
            "m.ir:12:7: error: there is no template `r`",
        ],
    );
}

#[test]
fn what_the_verifier_finds_is_an_error_of_the_text() {
    let text = format!(
        "{HEAD}process p() {{\n  entry s0\n  location s0\n    s0 -> s1 skip\n}}\nstart p()\n"
    );
    let errors = read(&text).expect_err("there is no such location");
    assert!(
        errors.starts_with("m.ir:6:5: error: template p, edge 0: "),
        "{errors}"
    );
    assert!(errors.ends_with("(invariant 10 of the IR)"), "{errors}");
}

#[test]
fn a_name_is_declared_once() {
    assert_errors(
        &format!("{HEAD}global x: u8\nglobal x: u8\n"),
        &["m.ir:4:8: error: the name `x` is declared twice"],
    );
}

#[test]
fn places_are_in_files_that_are_there() {
    let text = |place: &str| format!("{HEAD}file 0 \"m.pml\" \"byte x\"\nglobal x {place}: u8\n");
    assert!(read(&text("$5-6")).is_ok());
    assert_errors(
        &text("$5-7"),
        &["m.ir:4:10: error: this place is not inside the text of its file"],
    );
    assert_errors(
        &text("$1:0-1"),
        &["m.ir:4:10: error: there is no line `file 1 ..` above that this place could be in"],
    );
}

#[test]
fn the_order_of_numbered_rows_is_that_of_their_numbers() {
    assert_errors(
        &format!("{HEAD}process p() {{\n  entry s0\n  location s1\n}}\n"),
        &["m.ir:5:12: error: expected the number 0 here, found 1"],
    );
}

#[test]
fn a_name_of_several_numbers_is_no_number() {
    assert_errors(
        &format!("{HEAD}enum a {{ x = 1 }}\nenum b {{ x = 2 }}\nglobal y: a = x\n"),
        &["m.ir:5:15: error: `x` is the name of several numbers; write the number"],
    );
}

#[test]
fn monitors_are_numbered_and_read_their_own_variables() {
    let text = format!(
        "{HEAD}process p() {{\n  local scratch own: u8\n  entry s0\n  location s0\n}}\nmonitor local scratch x: u8\n\
         monitor m1 when x == 1\nmonitor m0 when own == 1\nmonitor m1 observe when x == 1\nproperty q invariant p 0\n\
         property r remark m0\nproperty s cover m0:n0, p 0\n"
    );
    assert_errors(
        &text,
        &[
            "m.ir:9:9: error: expected the number 0 here, found 1",
            "m.ir:11:12: error: expected a step: `skip`, `when`, `do`, `else`, `exit`, `call`, `send`, `receive` or `routine`, found `observe`",
            "m.ir:12:22: error: expected a monitor, such as `m0`, found `p`",
            "m.ir:13:19: error: a remark is about nodes: `TEMPLATE EDGE:NODE`, `MONITOR:NODE` or `function NAME:NODE`",
            "m.ir:15:1: error: expected `:`, found the end of the file",
        ],
    );
    let foreign = format!(
        "{HEAD}process p() {{\n  local scratch own: u8\n  entry s0\n  location s0\n}}\nmonitor m0 when own == 1\nproperty q invariant m0\n"
    );
    assert_errors(
        &foreign,
        &["m.ir:8:17: error: there is no variable or constant `own` here"],
    );
}
