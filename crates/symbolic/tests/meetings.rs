//! Steps that depend on what others can do: rendezvous and time-outs. What the symbolic engine finds is what the interpreter finds.

use crate::common::{agree, promela};

#[track_caller]
fn check(text: &str) {
    agree(text, &promela(text));
}

#[test]
fn two_processes_make_one_step() {
    check(
        "chan c = [0] of {byte}; active proctype s() { byte n; do :: c!n; n = (n + 1) % 3 od } active [2] proctype r() { byte m; do :: c?m :: c?2; m = 9 od }",
    );
    check(
        "mtype = {a, b}; chan c = [0] of {mtype, byte}; active [2] proctype s() { do :: c!a(_pid) :: c!b(1) od } active proctype r() { byte m; do :: c?a(m) :: c?b, eval(m); m = 0 :: c??b, 7 od }",
    );
    // Everybody may be sender and receiver, but not both at once.
    check("chan c = [0] of {pid}; active [3] proctype p() { pid f; do :: c!_pid :: c?f od }");
}

#[test]
fn which_channel_depends_on_the_state() {
    check(
        "chan c = [0] of {byte}; chan d = [0] of {byte}; chan e = [1] of {byte}; chan now;
         active proctype s() { byte n; now = c; do :: now!n; n = 1 - n; now = d :: now!2; now = e :: now = c od }
         active proctype r() { byte m; do :: c?m :: d?m; m = m + 4 :: e?m; m = 0 od }",
    );
    check(
        "chan c[2] = [0] of {chan}; chan q = [0] of {byte}; active proctype s() { byte i; do :: c[i]!q; q?_; i = 1 - i od } active proctype r() { chan x; byte i; do :: c[i]?x; x!i; i = 1 - i od }",
    );
    check(
        "chan g; active [2] proctype p() { chan mine = [0] of {bit}; g = mine; mine!1 } active proctype q() { bit b; (g != 0); do :: g?b od }",
    );
}

#[test]
fn control_goes_to_the_receiver() {
    check(
        "byte x; chan c = [0] of {bit}; active [2] proctype s() { atomic { x++; c!1; x = x + 2; x = 0 } } active proctype r() { bit b; do :: atomic { c?b; x++; x++; b = 0 } od }",
    );
    check(
        "byte x; chan c = [0] of {bit}; active proctype s() { do :: atomic { c!1; x = 1; x = 0 } od } active [2] proctype r() { do :: c?1; x = 2 od }",
    );
    check(
        "byte x; chan c = [0] of {bit}; active proctype s() { c!1; x++; assert(x < 2) } active proctype r() { atomic { c?1; x++; (x == 3); x = 0 } }",
    );
}

#[test]
fn what_nobody_accepts_is_not_taken() {
    check(
        "byte x; chan c = [0] of {bit}; active proctype s() { do :: c!1 :: else -> x = (x + 1) % 3 od } active proctype r() { do :: x == 1 -> c?1 :: x == 2 -> c?0 od }",
    );
    check(
        "byte x; chan c = [0] of {bit}; active proctype s() { { do :: x = (x + 1) % 4 od } unless { c!1; x = 7 } } active proctype r() { x == 2; c?1 }",
    );
    check(
        "byte x; chan c = [0] of {bit}; active proctype s() { do :: x = (x + 1) % 4 :: x == 3 -> c!0 od } active proctype r() { { do :: c?0 od } unless { c?1; x = 9 } }",
    );
    check(
        "byte x; chan c = [0] of {bit}; active proctype s() { do :: c!1 :: x = 1 - x od } active proctype r() provided (x == 1) { do :: c?1 od }",
    );
}

#[test]
fn questions_about_channels_without_room() {
    check(
        "byte x; chan c = [0] of {bit}; active proctype p() { if :: full(c) -> x = 1 :: nfull(c) -> x = 2 fi; if :: empty(c) -> x = x + 2 :: nempty(c) -> x = 9 fi; x = x + len(c) }",
    );
    check("chan c = [0] of {bit}; active proctype p() { do :: c?[1] -> break :: skip od }");
    check("chan c = [0] of {bit}; bit b; active proctype p() { do :: c?<b> :: skip od }");
    check(
        "chan c = [0] of {bit}; chan d = [1] of {bit}; byte x; active proctype p() { do :: x == 1 -> d_step { d!1; c!1 } :: x = 1 - x od }",
    );
}

#[test]
fn what_goes_wrong_at_a_meeting_is_found() {
    check(
        "byte a[2]; byte i; chan c = [0] of {byte}; active proctype s() { do :: c!a[i] :: i++ od } active proctype r() { do :: c?_ od }",
    );
    check(
        "byte a[2]; byte i; chan c = [0] of {byte}; active proctype s() { do :: c!0 od } active proctype r() { do :: c?eval(a[i]) :: i++ od }",
    );
    check(
        "byte a[2]; byte i; chan c = [0] of {byte}; active proctype s() { do :: c!0 od } active proctype r() { do :: c?a[i] :: i++ od }",
    );
    check(
        "byte i; chan c[2] = [0] of {byte}; active proctype s() { do :: c[0]!0 od } active proctype r() { do :: c[i]?_ :: i++ od }",
    );
    check(
        "byte x; chan c = [0] of {byte}; active proctype s() { do :: c!0 :: x++ od } active proctype r() provided (7 / (3 - x)) { do :: c?0 od }",
    );
    check(
        "chan c = [0] of {byte}; chan d = [0] of {byte, byte}; active proctype s() { chan x = c; do :: x!1; x = d :: x!2, 3; x = c od } active proctype r() { do :: c?1 :: d?2, 3 od }",
    );
}

#[test]
fn time_outs_come_where_nobody_can_move() {
    check(
        "byte x; active [2] proctype p() { do :: x < 3 -> x++ :: timeout -> x = 0; break od } active proctype q() { (x == 2); x = 7 }",
    );
    check(
        "byte x; active proctype p() { do :: timeout -> x = 1 :: else -> x = 2; break od; timeout; x = 5 }",
    );
    check(
        "byte x; chan c = [0] of {bit}; active proctype p() { do :: c!1 :: timeout -> x = (x + 1) % 3 od } active proctype q() { do :: x != 1 -> c?1 od }",
    );
    check(
        "byte x; active proctype p() { atomic { x = 1; timeout; x = 2 } } active proctype q() { (x == 1); x = 3 }",
    );
    check(
        "byte x; active proctype p() { do :: x = 1; timeout -> assert(x == 1) od } active proctype q() { (x == 1 && timeout); x = 2 }",
    );
    check(
        "byte x; active proctype p() provided (timeout || x < 2) { do :: x < 5 -> x++ od } active proctype q() { d_step { timeout; x = x + 2 } }",
    );
    check("byte x; active [2] proctype p() { (timeout && x > 0); x = 3 }");
}

#[test]
fn who_is_enabled_and_who_moved_last() {
    check(
        "byte x; active proctype p() { do :: x < 2 -> x++ od } active proctype q() { do :: enabled(0) -> x = 2 :: !enabled(0) -> x = 0 od }",
    );
    check(
        "byte x; chan c = [0] of {bit}; active proctype p() { do :: c?1 :: x > 1 -> c!0 od } active proctype q() { do :: enabled(0) -> x = 0 :: x < 2 -> x++ :: c!1 od }",
    );
    check(
        "byte x; active proctype p() { do :: enabled(1) -> x = 1 :: x = 0 od } active proctype q() { do :: x == 1 && enabled(0) -> x = 2 od }",
    );
    check("byte x; active [2] proctype p() { do :: x = enabled(x) :: x = 1 - x od }");
    check(
        "byte x; chan c = [0] of {bit}; active [2] proctype p() { do :: _last == _pid -> x = 1 :: _last != _pid -> x = 0 :: c!1; x = _last :: c?1 od }",
    );
}

#[test]
fn who_is_more_important_goes_first() {
    check(
        "byte x; active proctype p() priority 2 { do :: x < 2 -> x++ od } active proctype q() { do :: x = 0 :: x = 9 od }",
    );
    check(
        "byte x; active [2] proctype p() { x++; set_priority(_pid, 5); x = get_priority(0) + get_priority(7); set_priority(1 - _pid, 9); x-- }",
    );
    check(
        "byte x; proctype p(byte n) { x = n; _priority = n; x = _priority } init { run p(3) priority 4; run p(1); _priority = 7; run p(0) priority 2 }",
    );
    check(
        "chan c = [0] of {bit}; byte x; active proctype s() priority 3 { do :: c!1; x = 1 od } active proctype r() priority 2 { do :: c?1 od } active proctype other() { do :: x = 0 od }",
    );
}
