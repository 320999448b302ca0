//! What every construct becomes.

use crate::support::prelude::{in_rule, model};
use crate::support::{complaints, complaints_of, parse_with, program};
use mandala_murphi::ParseOptions;

/// The lines of the last function, rule, start state or property.
fn last_part(text: &str) -> String {
    let shown = program(text).to_string();
    let lines: Vec<&str> = shown.lines().collect();
    let start = lines
        .iter()
        .rposition(|line| !line.starts_with(' '))
        .unwrap_or(0);
    lines[start..].join("\n")
}

/// Checks what a statement becomes.
#[track_caller]
fn statement(text: &str, expected: &str) {
    let shown = last_part(&in_rule(text));
    let body: Vec<&str> = shown.lines().skip(1).map(|line| &line[2..]).collect();
    assert_eq!(body.join("\n"), expected, "{text}");
}

/// Checks what an expression becomes.
#[track_caller]
fn expression(text: &str, expected: &str) {
    statement(
        &format!("put ({text}) = ({text})"),
        &format!("put ({expected} = {expected})"),
    );
}

/// Checks what a rule or property becomes.
#[track_caller]
fn rule(text: &str, expected: &str) {
    assert_eq!(last_part(&model(text)), expected, "{text}");
}

#[test]
fn operators_bind_as_in_rumur() {
    expression("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)");
    expression("!x = 1", "!(x = 1)");
    expression("!b & b", "(!b && b)");
    expression("b | b & b", "(b || (b && b))");
    expression("b || b & b -> b", "((b || (b && b)) -> b)");
    expression("b && b || b", "((b && b) || b)");
    expression("1 | 2 ^ 3 & 4", "(1 | (2 ^ (3 & 4)))");
    expression("1 << 2 + 3 < 4", "((1 << (2 + 3)) < 4)");
    expression("-x * 2", "(-x * 2)");
    expression("~x + +1", "(~x + 1)");
    expression("b -> b ? x : y", "((b -> b) ? x : y)");
    expression("b ? b ? 1 : 2 : 3", "(b ? (b ? 1 : 2) : 3)");
    expression("x % 2 == 1 / 1", "((x % 2) = (1 / 1))");
}

#[test]
fn ampersand_and_bar_are_of_bits_or_of_conditions() {
    expression("x & 1", "(x & 1)");
    expression("b & b", "(b && b)");
    expression("x | 1", "(x | 1)");
    expression("b ∨ ¬b ∧ b", "(b || (!b && b))");
}

#[test]
fn numbers_are_decimal_or_hexadecimal() {
    expression("0x1F + 017 + 09", "((31 + 17) + 9)");
    expression("0xffffffffffffffff", "18446744073709551615");
}

#[test]
fn constants_are_put_in() {
    expression("N + 1", "(3 + 1)");
    expression("e = B", "(e = B)");
    expression("TRUE = False", "(true = false)");
}

#[test]
fn quantifiers_have_all_forms() {
    expression("forall i: S do a[i] = 0 end", "(forall i: S: (a[i] = 0))");
    expression(
        "exists i: 0..2 do i = x endexists",
        "(exists i: 0..2: (i = x))",
    );
    expression(
        "forall i := 0 to N by 2 : i = x endforall",
        "(forall i := 0 to 3 by 2: (i = x))",
    );
    expression(
        "forall i: boolean; j: E do g[0][j] = i end",
        "(forall i: boolean: (forall j: E: (g[0][j] = i)))",
    );
    expression(
        "∃ i: enum {P, Q} do i = Q end",
        "(exists i: enum {P, Q}: (i = Q))",
    );
}

#[test]
fn assignments_go_to_places() {
    statement("x := y + 1;", "x := (y + 1)");
    statement("g[x][B] := b", "g[x][B] := b");
    statement(
        "r.a := q.a; r := q; r := rec()",
        "r.a := q.a\nr := q\nr := rec()",
    );
    statement(
        "x := undefined; undefine r; clear r.b",
        "undefine x\nundefine r\nclear r.b",
    );
}

#[test]
fn records_and_arrays_are_compared() {
    expression("r = q", "(r = q)");
    expression("a != a", "(a != a)");
}

#[test]
fn unions_take_their_members() {
    statement("u := s; u := B", "u := (s as U)\nu := (B as U)");
    statement("s := u; a[u] := 1", "s := (u as S)\na[(u as S)] := 1");
    expression("u = s", "(u = (s as U))");
    expression("s != u", "((s as U) != u)");
    expression("ismember(u, S)", "(u is S)");
    expression("b ? u : A", "(b ? u : (A as U))");
    statement(
        "switch u case A, s: b := true; end",
        "switch u\ncase (A as U), (s as U)\n  b := true",
    );
    statement("for i: U do h[i] := true; end", "for i: U\n  h[i] := true");
}

#[test]
fn multisets_have_their_statements() {
    statement(
        "MultiSetAdd(r, m); multisetadd(rec(), n[s])",
        "add r to m\nadd rec() to n[s]",
    );
    statement(
        "MultiSetRemovePred(i: m, m[i].b)",
        "remove i in m where m[i].b",
    );
    expression(
        "multisetcount(i: n[s], n[s][i].a = 1)",
        "(count i in n[s]: (n[s][i].a = 1))",
    );
    rule(
        "ruleset j: S do choose i: n[j] do rule n[j][i].b ==> MultisetRemove(i, n[j]); end; endchoose; end",
        "rule [j: S] [i in n[j]]: n[j][i].b\n  remove i from n[j]",
    );
    rule(
        "choose i: m do choose j: m do rule i != j & m[i] = m[j] ==> begin end end end",
        "rule [i in m] [j in m]: ((i != j) && (m[i] = m[j]))",
    );
    rule(
        "choose i: m do alias p: m[i]; l: m; c: i do rule p.b ==> multisetremove(c, l) end end end",
        "rule [i in m] [alias p at m[i]] [alias l at m] [alias c at i]: p.b\n  remove i from l",
    );
    statement("undefine m; clear n; m := o", "undefine m\nclear n\nm := o");
}

#[test]
fn words_of_cmurphi_may_be_names() {
    let text = "var choose, undefined, multiset: boolean; ismember: 0..1; \
        function multisetcount(): boolean; begin return true; end; \
        procedure multisetadd(a: boolean); begin end; startstate begin choose := undefined; end; \
        rule multisetcount() ==> begin multisetadd(multiset); ismember := 0; end;";
    assert_eq!(
        last_part(text),
        "rule: multisetcount()\n  multisetadd(multiset)\n  ismember := 0"
    );
    assert_eq!(complaints(text), Vec::<String>::new());
}

#[test]
fn calls_pass_values_places_and_nothing() {
    statement(
        "w(x, s); w(r.a, undefined)",
        "w(var x, s)\nw(var r.a, undefined)",
    );
    statement("f(3); b := f(y)", "f(3)\nb := f(y)");
}

#[test]
fn control_flow_nests() {
    statement(
        "if b then x := 0; elsif !b then x := 1 else x := 2; endif",
        "if b\n  x := 0\nelsif !b\n  x := 1\nelse\n  x := 2",
    );
    statement(
        "switch e case A: case B, C: x := 1 else end",
        "switch e\ncase A\ncase B, C\n  x := 1",
    );
    statement(
        "while x < 3 do x := x + 1; endwhile",
        "while (x < 3)\n  x := (x + 1)",
    );
    statement(
        "for i := x to 0 by -1 do y := i end; for i: 0..1; j: 0..1 do x := i endfor",
        "for i := x to 0 by -1\n  y := i\nfor i: 0..1\n  for j: 0..1\n    x := i",
    );
    statement("return", "return");
}

#[test]
fn properties_can_be_statements() {
    statement(
        "assert b; invariant \"n\" b; assert b \"m\"",
        "assert: b\nassert \"n\": b\nassert \"m\": b",
    );
    statement("assume \"n\" b; cover b", "assume \"n\": b\ncover: b");
    statement(
        "error \"no\"; put \"t\"; put r; put x + 1",
        "error \"no\"\nput \"t\"\nput place r\nput (x + 1)",
    );
}

#[test]
fn aliases_are_places_values_or_constants() {
    statement(
        "alias p: a[s]; v: x + 1; c: N; d: p do p := v; y := c; d := 0 end",
        "alias p at a[s]; v = (x + 1); d at p\n  p := v\n  y := 3\n  d := 0",
    );
    rule(
        "alias p: r do ruleset i: 0..N do alias z: g[i] do rule z[A] ==> p.a := i end end end endalias",
        "rule [alias p at r] [i: 0..3] [alias z at g[i]]: z[A]\n  p.a := i",
    );
}

#[test]
fn rules_are_flat() {
    rule("rule \"n\" b ==> begin endrule", "rule \"n\": b");
    rule("rule x := 1; end", "rule\n  x := 1");
    rule(
        "ruleset i: S; j := 0 to 4 by 2 do ruleset k: E do startstate \"z\" x := 0 end; \
         invariant \"p\" a[i] = j; end; end",
        "invariant \"p\" [i: S] [j := 0 to 4 by 2] [k: E]: (a[i] = j)",
    );
    rule(
        "rule b ==> const L: 2; type t: 0..L; var v, z: t; begin v := L; end",
        "rule: b\n  var v: 0..2\n  var z: 0..2\n  v := 2",
    );
    rule("liveness \"l\" b", "liveness \"l\": b");
    rule("cover b \"c\";; assume b", "assume: b");
}

#[test]
fn functions_may_call_themselves_and_hide_names() {
    let text =
        model("function x(S: boolean): boolean; begin if S then return x(!S); end; return S; end;");
    let complaint = "2:10: error: `x` is declared twice";
    assert_eq!(complaints(&text), [complaint]);
    let text = "type t: 0..1; function x(t: boolean): t var y: t; begin y := 0; return y; end;";
    assert_eq!(
        complaints(text)[..1],
        ["1:48: error: expected a type, but `t` is a variable"]
    );
    let shown = program(
        "type t: 0..1; function x(t: boolean): t begin if t then return x(!t); end; return 1 end; \
         startstate begin end",
    );
    assert_eq!(
        shown.to_string(),
        "function x(t: boolean): 0..1\n  if t\n    return x(!t)\n  return 1\nstartstate\n"
    );
}

#[test]
fn inner_declarations_hide_outer_ones() {
    statement(
        "for x: S do a[x] := 0; alias x: r do x.a := 1 end end",
        "for x: S\n  a[x] := 0\n  alias x at r\n    x.a := 1",
    );
    rule(
        "rule var e: enum {B, A}; begin e := A; end",
        "rule\n  var e: enum {B, A}\n  e := A",
    );
}

#[test]
fn sections_come_in_any_order_and_semicolons_where_needed() {
    let text = "rule begin end startstate begin end var x: 0..1 y, : boolean const M: 2; \
        invariant true ; ; rule begin x := M - 1 ; ; y := true end; enum_t() type";
    assert_eq!(
        complaints(text),
        ["1:134: error: expected a declaration, a function or a rule, found `enum_t`"]
    );
    let text = text.replace("enum_t() type", "type t: enum {} : boolean;");
    assert_eq!(complaints(&text), Vec::<String>::new());
}

#[test]
fn scalarsets_of_one_size_are_tied_when_mixed() {
    let text = model("var l: array [T] of T; rule begin t := s; end; rule begin l[s] := t; end;");
    assert_eq!(
        complaints(&text),
        ["2:40: warning: values of `S` and `T` are mixed here \
          (the two are treated as one set; use one type if that is meant)"]
    );
    let shown = program(&text).to_string();
    let sets: Vec<&str> = shown
        .lines()
        .take_while(|line| line.starts_with("scalarset"))
        .collect();
    assert_eq!(
        sets,
        ["scalarset S(2)", "scalarset T(2) = S", "scalarset K(3)"]
    );
}

#[test]
fn scalarsets_are_tied_inside_of_other_types() {
    let text = "type S: scalarset(2); T: scalarset(2); D: scalarset(2); var l: array [S] of record v: D; end; \
        z: array [T] of record v: D; end; startstate begin l := z; end;";
    let program = program(text);
    let tied: Vec<u32> = program
        .types
        .scalarsets()
        .map(|(_, set)| set.representative.0)
        .collect();
    assert_eq!(tied, [0, 0, 2]);
}

#[test]
fn functions_without_return_and_cleared_scalarsets_are_warned_of() {
    let text = model("function z(): boolean; begin end; rule begin\nclear r end");
    assert_eq!(
        complaints(&text),
        [
            "2:10: warning: the function `z` never returns a value (add `return`, or leave out the type of the result)",
            "3:7: warning: `clear` gives scalarsets their first value, which sets that value apart (`undefine` treats all values alike)",
        ]
    );
}

#[test]
fn a_whole_model_is_shown() {
    let text = include_str!("seeds/everything.m");
    insta::assert_snapshot!(program(text).to_string());
}

/// The constants of a model in which some get other values, or what is said about that.
fn overridden(text: &str, definitions: &[&str]) -> Vec<String> {
    let mut options = ParseOptions::default();
    definitions.iter().for_each(|d| options.define(d));
    let (sources, program, diagnostics) = parse_with("m", text, &options);
    match program {
        Some(program) => {
            let shown = program.to_string();
            let constants = shown.lines().filter_map(|line| line.strip_prefix("const "));
            constants.map(str::to_string).collect()
        }
        None => complaints_of(&diagnostics, &sources),
    }
}

#[test]
fn constants_can_be_given_from_outside() {
    let text = "const N: 3; M: N + 1; B: false; type E: enum {P, Q}; const F: P; \
        startstate const N: 7; begin end;";
    let constants = |definitions: &[&str]| overridden(text, definitions);
    assert_eq!(constants(&[]), ["N: 3", "M: 4", "B: false", "F: P", "N: 7"]);
    assert_eq!(
        constants(&["N=5", "B=true", "F=Q"]),
        ["N: 5", "M: 6", "B: true", "F: Q", "N: 7"]
    );
    assert_eq!(
        constants(&["M = N * 10", "N", "N=2"]),
        ["N: 2", "M: 20", "B: false", "F: P", "N: 7"]
    );
}

#[test]
fn wrong_constants_from_outside_are_refused() {
    let text = "const Nodes: 3; B: false; startstate begin end;";
    let constants = |definition: &str| overridden(text, &[definition]);
    let cases = [
        (
            "Node=2",
            "-D Node:1:1: error: the model has no constant `Node` (did you mean `Nodes`?)",
        ),
        (
            "X=2",
            "-D X:1:1: error: the model has no constant `X` (its constants are: Nodes, B)",
        ),
        (
            "Nodes=true",
            "-D Nodes:1:1: error: the constant `Nodes` is a number, but this is a boolean",
        ),
        ("Nodes=M", "-D Nodes:1:1: error: there is no name `M`"),
        (
            "Nodes=",
            "-D Nodes:1:1: error: expected an expression, found the end of the file",
        ),
        (
            "Nodes=1 2",
            "-D Nodes:1:3: error: the value ends before this",
        ),
        (
            "=2",
            "-D :1:1: error: the constant has no name (write `-D NAME=VALUE`)",
        ),
    ];
    for (definition, expected) in cases {
        assert_eq!(constants(definition), [expected], "{definition}");
    }
}
