//! Small Promela models: what the symbolic engine finds is what the interpreter finds.

use crate::common::{agree, promela, searched};
use mandala_symbolic::{AfterViolation, Extent, SearchOrder};

#[track_caller]
fn check(text: &str) {
    agree(text, &promela(text));
}

#[test]
fn assignments_wrap_and_conditions_block() {
    check(
        "byte x = 250; short y; active proctype p() { do :: x++; y = (y - 3 * x) % 7 :: x > 253 -> x = x / 7; break od }",
    );
    check(
        "int x = 5; active proctype p() { x = -x % 3; x = (x << 4) ^ (x >> 1); x = ~x | 3; x = (x > 2 -> x & 6 : -x) }",
    );
    check("unsigned x : 3; active [2] proctype p() { do :: x = x + 2 :: x = x * 3 od }");
}

#[test]
fn indices_are_cases() {
    check(
        "byte a[3]; byte i; active [2] proctype p() { do :: a[i] = (a[a[i] % 3] + 1) % 3; i = (i + a[_pid]) % 3 od }",
    );
    check(
        "typedef R { byte v[2]; bit b }; R r[2]; active proctype p() { byte k; do :: r[k].v[1 - k] = r[1 - k].b + 1; r[k].b = 1 - r[k].b; k = 1 - k od }",
    );
}

#[test]
fn what_goes_wrong_is_found() {
    check("byte a[2]; byte i; active proctype p() { do :: a[i] = 1; i++ od }");
    check("byte x = 3; active [2] proctype p() { do :: x > 0 -> x-- ; assert(12 / x > 1) od }");
    check("byte x; active [2] proctype p() { x++; assert(x < 2); x-- }");
    check("byte x; active proctype p() { x = 1 << (x - 1) }");
    check(
        "byte x; active proctype p() { (x == 1); x = 2 } active proctype q() { x = 2; x = 1; x = 0 }",
    );
}

#[test]
fn else_and_escapes_depend_on_what_comes_before() {
    check(
        "byte x; active [2] proctype p() { do :: x < 3 -> x++ :: x == 2 -> x = 0 :: else -> x = 1 od }",
    );
    check(
        "byte x, y; active proctype p() { do :: x = (x + 1) % 4 od } active proctype q() { { do :: y = (y + 1) % 3 od } unless { x == 2; y = 7 } }",
    );
}

#[test]
fn steps_without_interruption() {
    check(
        "byte x, y; active [2] proctype p() { do :: atomic { x < 3; x++; y = x } :: d_step { x > 1; x--; y = 0 } od }",
    );
    check("byte x; active [2] proctype p() { atomic { x++; x == 2; x = 0 } }");
    check(
        "byte x, s; active proctype p() { d_step { do :: x < 5 -> s = s + x; x++ :: else -> break od; if :: s > 9 -> s = 1 :: else fi } }",
    );
    check(
        "byte x; active [2] proctype p() { atomic { x++; if :: x > 1 -> assert(x == 1) :: else fi; x++ } }",
    );
}

#[test]
fn processes_end_from_the_last() {
    check("byte x; active [3] proctype p() { x = x + _pid; (_nr_pr < 3 || x > 0) }");
    check("byte x; active [2] proctype p() provided (x != 2) { x++; x = x + 2 }");
    check(
        "byte x; active proctype p() { byte k = 3; x = k; w: k = 1; k = 0 } active proctype q() { (p[0]@w && p[0]:k == 3); x = 9 }",
    );
}

#[test]
fn channels_keep_their_messages_in_order() {
    check(
        "chan c = [2] of {byte}; active proctype s() { byte n; do :: c!n; n = (n + 1) % 3 od } active proctype r() { byte m; do :: c?m :: c?[2] -> c?2; m = 9 od }",
    );
    check(
        "mtype = {a, b}; chan c = [3] of {mtype, byte}; active proctype s() { do :: c!!a(2) :: c!!b(1) :: c!!a(1) od } active proctype r() { byte m; do :: c??a(m) :: c?b, 1 :: full(c) -> c?_, m od }",
    );
    check(
        "chan c = [1] of {byte}; chan d = [2] of {byte}; active proctype p() { chan e = c; byte n; do :: e!len(d); e = c :: e?n; e = d :: nempty(d) -> d?<n>; d?n; assert(n < 2) od }",
    );
    check("active [2] proctype p() { chan c = [1] of {bit, bit}; bit x; c!1, x; c?x, _; }");
}

#[test]
fn what_is_not_taken_is_said() {
    let refused = |text: &str, what: &str| {
        let error = searched(
            &promela(text),
            SearchOrder::BreadthFirst,
            AfterViolation::Stop,
        );
        let error = error.expect_err("not taken");
        assert!(error.construct.contains(what), "{}", error.construct);
    };
    refused(
        "byte a[20000]; active proctype p() { short i; do :: a[i] = i; i++ od }",
        "65536 bits",
    );
}

#[test]
fn who_stops_inside_of_a_sequence_has_not_seen_everything() {
    let text =
        "byte x; active proctype p() { atomic { x = 1; x = 2; assert(x == 0); x = 3 }; x = 4 }";
    let model = promela(text);
    for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        let extent = |on_violation| searched(&model, order, on_violation).expect("taken").extent;
        assert_eq!(extent(AfterViolation::Stop), Extent::FirstViolation);
        assert_eq!(extent(AfterViolation::GoOn), Extent::Complete);
    }
}
