//! How many members a step is about, as the checker of invariants counts it: that no member is forgotten, and that none is counted twice.

use crate::checked::of_blind_search;
use crate::conditions::{LEVELS, rules};

/// The checker accepts what a search finds that looks at configurations of so many members more than a view has, and looks at just as many itself.
#[track_caller]
fn counts(text: &str, members: usize, more: usize) {
    let found = of_blind_search("m.m", text, more, members, u64::MAX);
    let (_, _, said) = found.unwrap_or_else(|| panic!("something goes wrong:\n{text}"));
    match said {
        Ok(accepted) => assert_eq!(accepted.more, more, "{text}"),
        Err(why) => panic!("{why}\n{text}"),
    }
}

/// The system with that rule, in which `p` is some member.
fn with(declarations: &str, rule: &str) -> String {
    rules(declarations, "p := c;", &format!("{LEVELS}\n{rule}"))
        .replace("startstate", "ruleset c: P do startstate")
        .replace("p := c; end;", "p := c; end; end;")
}

fn guard(guard: &str) -> String {
    with("", &format!("rule \"x\" {guard} ==> begin b := true; end;"))
}

/// Two members that have different levels, and no two that do.
const TWO: &str = "(exists x: P do exists y: P do l[x] = B & l[y] = C end end)";
const NO_TWO: &str = "(forall x: P do forall y: P do l[x] != B | l[y] != C end end)";

#[test]
fn what_a_condition_is_about() {
    // Views of three members: what goes wrong is seen in them.
    let (one, other) = (
        "(exists x: P do l[x] = B end)",
        "(exists x: P do l[x] = C end)",
    );
    counts(&guard(&format!("{one} & {other}")), 3, 2);
    counts(&guard(&format!("{one} | {other}")), 3, 1);
    counts(&guard(&format!("!(!{one} | !{other})")), 3, 2);
    counts(&guard(&format!("{one} = {other}")), 3, 2);
    counts(&guard(&format!("({TWO} ? b : !b)")), 3, 2);
    counts(&guard(TWO), 3, 2);
    counts(&guard(NO_TWO), 3, 1);
    counts(&guard(&format!("!{NO_TWO}")), 3, 2);
    let each = "forall v: 0..1 do exists x: P do v = 0 & l[x] = B | v = 1 & l[x] = C end end";
    counts(&guard(each), 3, 2);
    counts(&guard(&each.replace("forall v", "exists v")), 3, 1);
}

#[test]
fn what_goes_wrong_takes() {
    let three =
        "forall x: P do forall y: P do forall u: P do l[x] = A | l[y] = B | l[u] = C end end end";
    counts(&guard(&format!("({three}) | b")), 1, 2);
    counts(&guard(&format!("b & ({three})")), 1, 2);
    counts(&guard(&format!("{NO_TWO} | l[p] = B")), 1, 2);
    counts(&guard(&format!("{TWO} & l[p] = B")), 1, 4);
    counts(&guard(&format!("({NO_TWO} ? b : !b)")), 1, 3);
    counts(&guard(&format!("({NO_TWO} ? true : false)")), 1, 3);
    let one = "(exists x: P do l[x] = A end)";
    counts(&guard(&format!("({NO_TWO} ? b : {one})")), 1, 5);
    counts(&guard(&format!("({TWO} ? {one} : b)")), 1, 5);
    let in_order = format!("exists v: 0..1 do v = 0 & {TWO} | v = 1 & {one} end");
    counts(&guard(&in_order), 1, 7);
    let rounds = "rule \"x\" true ==> var t: boolean; begin for z: P do for y: P do for x: P do t := l[z] = l[y] & l[x] = A; end; end; end; end;";
    counts(&with("", rounds), 1, 2);
}

#[test]
fn cells_that_hold_members_are_counted() {
    counts(&guard("l[p] = B"), 3, 1);
    counts(&guard("!isundefined(q) & l[p] = B & l[q] = C"), 3, 2);
    // One that holds a parameter if the guard holds is not counted twice, but where the guard goes wrong.
    let given = |guard: &str| {
        with(
            "",
            &format!("ruleset c: P do rule \"x\" {guard} ==> begin l[p] := A; end; end;"),
        )
    };
    counts(&given("p = c & l[p] = B"), 3, 1);
    counts(&given(&format!("p = c & l[p] = B & {NO_TWO}")), 1, 3);
    counts(&given("(p = c | b) & l[p] = B"), 3, 2);
    let owners = |guard: &str| {
        let start = "for i: 1..3 do undefine o[i]; end;";
        let rule = format!(
            "ruleset i: 1..3; c: P do rule \"y\" isundefined(o[i]) ==> begin o[i] := c; end; rule \"x\" !isundefined(o[i]) & {guard} ==> begin l[o[i]] := C; end; end;"
        );
        rules("o: array [1..3] of P;", start, &rule)
    };
    counts(&owners("l[o[i]] = A"), 1, 4);
    counts(&owners("o[i] = c & l[o[i]] = A"), 1, 4);
    // Arrays of arrays: what belongs to a member need not be first.
    let second = "rule \"z\" true ==> begin for z: P do g[2][z] := g[1][z]; end; end;";
    let start = "for z: P do g[1][z] := false; g[2][z] := true; end;";
    counts(
        &rules("g: array [1..2] of array [P] of boolean;", start, second),
        3,
        0,
    );
    // The start singles two out, one after the other.
    let start = rules("", "l[c] := B; l[d] := C; p := c;", "")
        .replace("startstate", "ruleset c: P; d: P do startstate")
        .replace("p := c; end;", "p := c; end; end;");
    counts(&start, 3, 2);
}
