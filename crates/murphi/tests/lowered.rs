//! The intermediate representation that models become.

use crate::support::{complaints_of, exceptions, models, own_models, parse_text, read};
use mandala_ir::Text;
use mandala_model::Model;
use mandala_model::instantiate::instantiate;
use mandala_model::verify::verify;
use mandala_murphi::lower::lower;
use std::path::{Path, PathBuf};

/// The verified model of a text.
fn lowered(text: &str) -> Model {
    let (sources, program, diagnostics) = parse_text("m", text);
    let program = program.unwrap_or_else(|| panic!("{:?}", complaints_of(&diagnostics, &sources)));
    let model = lower(&program).unwrap_or_else(|e| panic!("{:?}", complaints_of(&e, &sources)));
    verify(model).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The verified model of a text with its rules written out.
fn written_out(text: &str) -> Model {
    let model = lowered(text);
    let instances = instantiate(&model).unwrap_or_else(|error| panic!("{error}\n{text}"));
    instances.map_or(model, |instances| instances.model)
}

/// The lines of the edges of a text, with rules written out.
fn edges(text: &str) -> String {
    let text = Text::new(&written_out(text)).to_string();
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    lines.collect::<Vec<&str>>().join("\n")
}

/// What is said about a model that cannot be lowered.
fn refusals(text: &str) -> Vec<String> {
    let (sources, program, _) = parse_text("m", text);
    let result = lower(&program.expect("a right model"));
    complaints_of(&result.err().unwrap_or_default(), &sources)
}

#[test]
#[allow(
    clippy::print_stderr,
    reason = "a test that finds nothing to test must say so"
)]
fn every_model_is_lowered_or_refused_by_name() {
    let mut files: Vec<PathBuf> = models("murphi");
    files.extend(models("murphi-suite"));
    if files.is_empty() {
        eprintln!("note: skipped, the folder with the models of other projects is absent");
    }
    files.extend(own_models());
    let wrong: Vec<String> = files.iter().filter_map(|path| problem(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the lowering of a file.
fn problem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().to_string();
    let (sources, program, _) = parse_text(&name, &read(path));
    let excused = exceptions("lowering").contains(&name);
    match lower(&program?) {
        Ok(_) if excused => Some(format!("{name} is lowered after all")),
        Ok(model) => {
            let errors = verify(model).err()?;
            Some(format!("{name}: {errors:?}"))
        }
        Err(_) if excused => None,
        Err(errors) => Some(format!("{name}: {:?}", complaints_of(&errors, &sources))),
    }
}

#[test]
fn a_protocol_becomes_guarded_steps() {
    let text = "\
const N: 2;
type Node: scalarset(N); State: enum { Idle, Busy };
var state: array [Node] of State; owner: Node; count: 0..N;
startstate \"idle\" begin
  for n: Node do state[n] := Idle; end; undefine owner; count := 0;
end;
ruleset n: Node do
  rule \"work\" state[n] = Idle & isundefined(owner) ==> begin
    state[n] := Busy; owner := n; count := count + 1;
  end;
  rule \"rest\" owner = n ==> begin state[owner] := Idle; undefine owner; count := count - 1; end;
end;
invariant \"one\" forall a: Node; b: Node do state[a] = Busy & state[b] = Busy -> a = b end;
cover \"busy\" exists n: Node do state[n] = Busy end;
ruleset n: Node do liveness \"each\" state[n] = Busy; end;
";
    insta::assert_snapshot!(Text::new(&lowered(text)).to_string());
}

#[test]
fn code_becomes_routines() {
    let text = "\
type T: 0..3; R: record a: T; b: boolean; end;
var x, y: T; r: array [T] of R; done: boolean;
function next(v: T): T; begin if v = 3 then return 0; end; return v + 1; end;
procedure put_in(var p: R; v: T); begin p.a := v; p.b := v > 1; end;
function is(v: T): boolean; begin return v = x; end;
startstate begin x := 0; y := 1; done := false; end;
rule \"call\" is(y) | next(x) = 2 ==> begin put_in(r[x], next(y)); x := next(x); end;
rule \"loop\" !is(2) ==> var t: T; begin
  for i := x to y do t := i; end;
  while t < 3 do t := t + 1; end;
  switch t case 0, 1: x := 2; case y: assert \"never\" x = 0; else error \"else\"; end;
end;
alias a: r[x] do rule \"alias\" a.b ==> begin x := 0; a.b := false; assume x < y; end; end;
assume \"small\" y < 3;
cover \"stmt\" x = 2;
";
    insta::assert_snapshot!(Text::new(&lowered(text)).to_string());
}

#[test]
fn parameters_decide_conditions() {
    let text = "type T: 1..3; var x: T; b: boolean; startstate begin end; \
        ruleset i: T; j: T do rule i < j & (i = 1 -> j != 2) ==> begin if i = 2 then x := j; end; end; end;";
    assert_eq!(
        edges(text),
        "s0 -> s1 number 2 skip\ns1 -> s1 number 5 skip\ns1 -> s1 number 5 do x = 3"
    );
}

#[test]
fn ranges_are_shifted_only_where_they_differ() {
    let rule = |body: &str| {
        let text = format!(
            "var a, b: 2..5; c: 0..9; t: array [2..5] of boolean; startstate begin end; rule begin {body} end;"
        );
        edges(&text).lines().last().unwrap_or_default().to_string()
    };
    assert_eq!(rule("a := b"), "s1 -> s1 number 3 do a = b");
    assert_eq!(
        rule("c := a + 1"),
        "s1 -> s1 number 3 do c = defined(a) + 3"
    );
    assert_eq!(
        rule("t[a] := a = 3"),
        "s1 -> s1 number 3 do t[defined(a) - 1] = (defined(a) == 2) + 1"
    );
    assert_eq!(
        rule("t[a] := t[b]"),
        "s1 -> s1 number 3 do t[defined(a) - 1] = t[defined(b) - 1]"
    );
}

#[test]
fn a_value_below_the_range_is_not_undefined() {
    let text = "var x: 0..3; startstate begin x := 0; end; rule begin x := x - 1; end;";
    let expected = "s1 -> s1 number 3 do x = defined(x) - 1 == 0 ? -2147483648 : defined(x) - 1";
    assert_eq!(edges(text).lines().last(), Some(expected));
}

#[test]
fn copies_do_not_overtake_their_indices() {
    let text = "type T: 0..1; R: record a: T; b: T; end; var r: array [T] of R; startstate begin end; \
        rule begin r[r[0].a] := r[r[1].b]; end;";
    assert_eq!(
        edges(text).lines().last(),
        Some(
            "s1 -> s1 number 3 do index = defined(r[0].a); index#1 = defined(r[1].b); \
             r[index - 1].a = r[index#1 - 1].a; r[index - 1].b = r[index#1 - 1].b"
        )
    );
}

#[test]
fn scalarsets_that_are_mixed_are_declared_as_one() {
    let text = "type S: scalarset(2); T: scalarset(2); var a: array [S] of record t: T; n: array [0..1] of S; end; \
        p: T; startstate begin end; ruleset s: S do rule begin p := s; end; end;";
    let shown = Text::new(&lowered(text)).to_string();
    let sets: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.starts_with("scalarset"))
        .collect();
    let expected = [
        "scalarset S = 1..2",
        "  indexes a[]",
        "  holds a.t",
        "  holds a.n",
        "  holds p",
        "  holds rules::s",
    ];
    assert_eq!(sets, expected);
}

#[test]
fn members_of_unions_are_the_same_numbers_everywhere() {
    let text = "type H: scalarset(1); P: scalarset(3); D: scalarset(2); E: enum {A}; U: union {H, P, E, D}; \
        var u: U; h: array [P] of D; v: array [U] of boolean; e: E; startstate begin end; \
        rule ismember(u, D) & h[u] != u ==> begin e := u; v[e] := ismember(u, P); end;";
    let shown = Text::new(&lowered(text)).to_string();
    let lines = |word: &str| -> Vec<&str> {
        let lines = shown.lines().map(str::trim_start);
        lines.filter(|line| line.starts_with(word)).collect()
    };
    assert_eq!(
        lines("coding U"),
        ["coding U parts (1 P members; 4 D members; 6 H members; 7 E { A })"]
    );
    assert_eq!(
        lines("coding D").first().copied(),
        Some("coding D parts (4 D members)")
    );
    assert_eq!(
        lines("scalarset"),
        ["scalarset P = 1..3", "scalarset D = 4..5"]
    );
    assert_eq!(lines("indexes v"), ["indexes v[]"; 2]);
    assert_eq!(lines("holds u"), ["holds u"; 2]);
    insta::assert_snapshot!(edges(text));
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let text = "type S: scalarset(2); T: scalarset(2); U: union {S, T}; var u: U; s: S; t: T; \
        startstate begin end; rule s = t ==> begin u := s; end;";
    assert_eq!(
        refusals(text),
        [
            "1:26: error: `S` and `T` are members of a union, but elsewhere mixed \
             (use one of them where values are mixed)"
        ]
    );
    let text = "var x: 0..0xffffffffffffffff; startstate begin end;";
    assert_eq!(
        refusals(text),
        [
            "1:5: error: the type `0..18446744073709551615` has too many values (there is room for 63 bits)"
        ]
    );
}

#[test]
fn multisets_stay_in_the_state() {
    let refused = |rest: &str| {
        let before =
            "type M: multiset [2] of boolean; R: record m: M; b: boolean; end; var r, s: R; m: M; ";
        let found = refusals(&format!("{before}\n{rest}"));
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().unwrap_or_default()
    };
    let outside = "would be a multiset that is not a part of the state \
                   (a function with such a result, or one that calls itself, has no place for it)";
    assert_eq!(
        refused("procedure p(); var t: M; begin p(); end; startstate begin p(); end;"),
        format!("2:20: error: `t` {outside}")
    );
    assert_eq!(
        refused(
            "function f(): boolean; var t: M; begin return multisetcount(i: t, true) = 0; end; \
                 startstate begin end; invariant f();"
        ),
        "2:115: error: a property cannot call a function that has multisets of its own"
    );
    assert_eq!(
        refused("startstate begin end; rule begin r := s; end;"),
        "2:34: error: a multiset cannot be copied"
    );
    assert_eq!(
        refused("startstate begin end; choose i: m do liveness \"all\" m[i]; end;"),
        "2:30: error: a liveness property of each element of a multiset is not supported"
    );
    assert_eq!(
        refused("var a: array [0..999] of multiset [1000] of boolean; startstate begin end;"),
        "2:5: error: the multisets in this variable have 2000002 parts, but 1048576 is the limit"
    );
}

#[test]
fn multisets_become_unordered_arrays() {
    let text = "type P: scalarset(2); \
        var a: array [P] of record n: 0..1; box: multiset [1] of record from: P; end; end; \
        startstate begin end; \
        ruleset p: P do choose i: a[p].box do \
          rule a[p].box[i].from != p ==> begin a[p].n := 1; multisetremove(i, a[p].box); end; \
        end; end; \
        ruleset p: P do rule var r: record from: P; end; begin r.from := p; multisetadd(r, a[p].box); end; end;";
    insta::assert_snapshot!(Text::new(&lowered(text)).to_string());
}

#[test]
fn models_that_grow_too_much_are_refused() {
    let text = "var x: boolean; startstate begin end; \
        ruleset i: 0..9999; j: 0..9999 do rule \"many\" x ==> begin x := i = j; end; end;";
    assert_eq!(
        refusals(text),
        [
            "1:47: error: many has 100000000 instances (10000 for `i`, 10000 for `j`), but 10000000 is the limit \
          (use smaller types for the parameters of the ruleset)"
        ]
    );
    let text = "type T: 0..99; var a: array [T] of boolean; startstate begin end; \
        ruleset i: T; j: T do rule begin for k: T do a[k] := i = j; end; for k: T do a[k] := i != j; end; end; end;";
    let error = instantiate(&lowered(text)).expect_err("too many statements");
    let expected = "with `rule 1 [i = 49, j = 75]`, the rules have more than 1000000 statements when parameters, quantifiers and loops are \
        written out; use smaller types for them";
    assert_eq!(error.to_string(), expected);
    let text = "type T: 0..9999; var a: array [T] of array [T] of T; startstate begin end;";
    assert_eq!(
        refusals(text),
        ["1:22: error: a variable of this type has 100000000 parts, but 1048576 is the limit"]
    );
}

#[test]
fn functions_that_call_themselves_have_limits() {
    let calls = (0..12).map(|i| format!("f(n - 1, p, a[{i}]); f(n - 1, a[{i}], q);"));
    let calls: String = calls.collect();
    let text = format!(
        "type T: 0..19; var a: array [T] of T; procedure f(n: T; var p: T; var q: T); begin p := q; \
        if n > 0 then {calls} end; end; \
        startstate begin f(2, a[0], a[0]); end;"
    );
    let refused = |text: &str| {
        let error = instantiate(&lowered(text)).expect_err("it cannot be written out");
        error.to_string()
    };
    assert_eq!(
        refused(&text),
        "`f` calls itself and is called with more than 100 different variables; \
         pass an index by value and leave the choice of the variable to the function"
    );
    let text = "type T: 0..999; var x: T; procedure f(n: T); var a: array [T] of T; begin clear a; f(0); x := a[n]; end; \
        startstate begin f(0); end;";
    assert_eq!(
        refused(text),
        "the functions that call themselves have too much to save; \
         use smaller arrays for their parameters and local variables, or write loops"
    );
    // What is not read after the call is not saved.
    let text = text.replace("x := a[n];", "");
    assert!(instantiate(&lowered(&text)).is_ok());
}

#[test]
fn large_loops_and_quantifiers_stay_loops() {
    let text = "var x: 0..100000; b: boolean; startstate begin end; \
        rule forall i: 0..100000 do i <= x end ==> begin for i: 0..100000 do b := i = x; end; end;";
    assert!(edges(text).lines().count() < 20, "{}", edges(text));
}

#[test]
fn long_and_deep_expressions_are_lowered() {
    let model = |expr: &str| {
        format!("var x: 0..9; b: boolean; startstate begin end; rule begin b := {expr}; end;")
    };
    let sum = model(&format!("x{} > 1", " + x".repeat(980)));
    let mixed = model(&format!("b{}", " & b | b".repeat(490)));
    let nested = model(&format!("{}b{}", "!(b -> ".repeat(95), ")".repeat(95)));
    for text in [sum, mixed, nested] {
        assert!(!edges(&text).is_empty());
    }
}
