//! Small Murphi models: what the symbolic engine finds is what the interpreter finds.

use crate::common::{agree, murphi};

#[track_caller]
fn check(text: &str) {
    agree(text, &murphi(text));
}

#[test]
fn rules_with_parameters_and_several_starts() {
    check(
        "const N : 3; type P : scalarset(N); var s : array [P] of 0..2; turn : P;
         ruleset i : P do startstate for j : P do s[j] := 0 end; turn := i end end;
         ruleset i : P do
           rule turn = i & s[i] < 2 ==> s[i] := s[i] + 1 end;
           rule s[i] = 2 ==> s[i] := 0; turn := i end;
           rule s[i] = 1 ==> undefine turn end
         end;
         invariant \"low\" forall i : P do s[i] < 2 | exists j : P do i != j & s[j] < 2 end end;",
    );
}

#[test]
fn records_and_loops() {
    check(
        "type R : record v : 0..3; b : boolean end;
         var a : array [0..2] of R; k : 0..2; n : 0..9;
         startstate clear a; k := 0; n := 0 end;
         rule true ==> begin a[k].v := (a[k].v + k + 1) % 4; a[k].b := !a[k].b; k := (k + 1) % 3 end;
         rule a[k].b ==> var t : 0..9; begin t := 0; for i : 0..2 do t := t + a[i].v end; n := t end;
         rule n > 4 ==> begin while n > 1 do n := n - 2 end end;
         invariant n < 9;",
    );
}

#[test]
fn what_is_undefined_or_out_of_range_is_found() {
    check(
        "var x : 0..3; y : 0..3; startstate x := 0 end; rule x < 3 ==> x := x + 1 end; rule x = 3 ==> x := y end;",
    );
    check("var x : 0..3; startstate x := 0 end; rule true ==> x := x + 1 end;");
    check(
        "var a : array [1..3] of 0..3; i : 1..4; startstate clear a; i := 1 end; rule true ==> a[i] := 2; i := i + 1 end;",
    );
    check(
        "var x : 0..3; startstate x := 0 end; rule x < 2 ==> x := x + 1; if x = 2 then error \"two\" end end;",
    );
    check(
        "var x : 0..3; startstate x := 0 end; rule x < 2 ==> x := x + 1; assert x < 2 \"small\" end;",
    );
}

#[test]
fn nothing_happens_where_nothing_changes() {
    check(
        "var x : 0..3; startstate x := 0 end; rule x < 3 ==> x := x + 1 end; rule x = 3 ==> x := 3 end;",
    );
    check(
        "var x : 0..3; startstate x := 0 end; rule x < 3 ==> x := x + 1 end; rule x = 3 ==> x := 0 end;",
    );
}

#[test]
fn elements_without_an_order() {
    check(
        "type Job : enum { LARGE, SMALL }; var pool : multiset [3] of Job; n : 0..2;
         startstate undefine pool; multisetadd(LARGE, pool); multisetadd(SMALL, pool); n := 0 end;
         choose i : pool do rule pool[i] = LARGE ==> multisetremove(i, pool); multisetadd(SMALL, pool) end end;
         choose i : pool do rule pool[i] = SMALL & n < 2 ==> multisetremove(i, pool); n := n + 1 end end;
         rule n > 0 ==> multisetadd(LARGE, pool); n := n - 1 end;
         rule n = 2 ==> multisetadd(SMALL, pool) end;
         invariant multisetcount(i : pool, pool[i] = LARGE) < 3;",
    );
    check(
        "type P : scalarset(2); M : record from : P; kind : 0..2 end; var net : multiset [2] of M; s : array [P] of 0..2;
         startstate undefine net; for p : P do s[p] := 0 end end;
         ruleset p : P do
           rule s[p] < 2 & multisetcount(i : net, true) < 2 ==> var m : M; begin m.from := p; m.kind := s[p]; multisetadd(m, net); s[p] := s[p] + 1 end;
           choose i : net do rule net[i].from != p ==> s[p] := net[i].kind; multisetremove(i, net) end end
         end;",
    );
    // What is taken out and put back stands elsewhere, and nothing has happened.
    check(
        "var pool : multiset [2] of 0..1; startstate undefine pool; multisetadd(0, pool); multisetadd(1, pool) end;
         rule multisetcount(i : pool, true) < 1 ==> multisetadd(0, pool) end;
         choose i : pool do rule pool[i] = 0 ==> multisetremove(i, pool); multisetadd(1, pool) end end;",
    );
}
