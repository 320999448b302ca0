//! Processes that are made on the way: what the symbolic engine finds is what the interpreter finds.

use crate::common::{agree, promela, searched};
use mandala_symbolic::{AfterViolation, Extent, SearchOrder};

#[track_caller]
fn check(text: &str) {
    agree(text, &promela(text));
}

#[test]
fn processes_are_made_and_end() {
    check("byte x; proctype p() { x++; x = x * 2 } init { run p(); run p(); x = 1; run p() }");
    check(
        "byte x; proctype p() { x++ } init { do :: x < 3 && _nr_pr < 4 -> run p() :: x > 1 -> break od }",
    );
    check("byte x; proctype p() { x++ } init { do :: x < 4 && _nr_pr < 4 -> run p() od }");
    check(
        "byte x; proctype p(byte n) { do :: n > 0 -> run p(n - 1); break :: else -> break od; x++ } init { run p(2); run p(1) }",
    );
}

#[test]
fn arguments_and_first_values_are_the_new_ones_own() {
    check(
        "byte x = 7; proctype p(byte n; short m) { byte k = n + _pid; byte a[2] = k * 2 + _nr_pr; x = a[1] - m } init { byte i; for (i : 1 .. 2) { run p(i + 300, x) } }",
    );
    check(
        "proctype p(byte n) { byte k = 4; byte same = 9; byte f = 30; k = k + n + same + f } init { run p(1); run p(200) }",
    );
    check(
        "byte x; proctype p(byte n) { assert(n != 2) } init { do :: _nr_pr < 3 -> run p(x); x = (x + 1) % 3 :: break od }",
    );
    check(
        "pid last; proctype p() { last = _pid } init { pid a; a = run p(); last = a; last = run p() }",
    );
}

#[test]
fn a_number_may_be_that_of_different_processes() {
    check(
        "byte x; proctype p(byte n) { x = n; w: x = 0 } proctype q() { byte k = 3; x = k; k = x }
         init { do :: _nr_pr == 1 -> if :: run p(5) :: run q() fi :: p[1]@w -> x = 9 :: _nr_pr == 2 && x == 3 -> run p(1) od }",
    );
    check(
        "byte x; proctype p() { byte k = 1; do :: k < 3 -> k++ :: break od } proctype q() { x = 1 }
         active proctype watch() { do :: x = p[2]:k od } init { run p(); run q(); run p() }",
    );
    check("byte x; proctype p() { x++; x-- } active [2] proctype a() { run p(); assert(x < 2) }");
}

#[test]
fn channels_come_and_go_with_their_makers() {
    check(
        "proctype p(chan c) { chan own = [1] of {byte}; byte m; c!1; own!2; own?m }
         init { chan mine = [2] of {byte}; byte m; run p(mine); mine?m; run p(mine); mine?m }",
    );
    check(
        "chan g; proctype p() { chan a = [1] of {byte}; chan b = [0] of {byte}; g = b; if :: a!1 :: b?1 fi } proctype q() { chan a = [1] of {byte, byte}; g = a; a!1, 2; a?_, _ }
         init { do :: _nr_pr < 3 -> run p() :: _nr_pr < 3 -> run q() :: _nr_pr == 3 -> break od; g!1 }",
    );
    check(
        "chan g; proctype p() { chan a = [1] of {byte}; g = a } init { run p(); (_nr_pr == 1); g!1 }",
    );
}

#[test]
fn new_processes_meet_and_are_waited_for() {
    check(
        "chan c = [0] of {byte}; proctype s(byte n) { c!n } proctype r() { byte m; c?m; assert(m < 3) } init { atomic { run s(1); run r(); run s(2) } timeout; run s(3); run r() }",
    );
    check(
        "byte x; proctype p() { atomic { x++; run q(); x = x + 2 } } proctype q() { x = 0 } init { run p(); run p() }",
    );
}

#[test]
fn too_many_are_a_fault() {
    let model = promela("proctype p() { end: false } init { do :: run p() od }");
    let found = searched(&model, SearchOrder::BreadthFirst, AfterViolation::GoOn).expect("taken");
    assert_eq!(found.extent, Extent::Complete);
    assert_eq!(found.states, 255);
    assert_eq!(found.violations.total(), 1);
    agree("too many", &model);
}
