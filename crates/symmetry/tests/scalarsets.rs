//! Scalarsets of Murphi: what is written about all members is the same for each of them, whatever the order in which it is
//! evaluated, and what may be undefined is so for all alike.

use crate::common::{Loaded, load_murphi};

/// Three nodes with a flag, a friend who may be undefined, and a number.
pub fn nodes_text(rules: &str) -> String {
    format!(
        "type Node: scalarset(3); Level: 0..3;
        var flag: array [Node] of boolean; friend: array [Node] of Node; level: array [Node] of Level;
            chosen: Node; total: Level; done: boolean;
        startstate
            for n: Node do flag[n] := false; level[n] := 0; end;
            total := 0; done := false;
        end;
        ruleset n: Node do rule \"flag\" !flag[n] ==> flag[n] := true; end; end;
        ruleset n: Node; m: Node do rule \"befriend\" flag[n] & isundefined(friend[n]) ==> friend[n] := m; end; end;
        ruleset n: Node do rule \"choose\" flag[n] & isundefined(chosen) ==> chosen := n; end; end;
        {rules}"
    )
}

fn nodes(rules: &str) -> Loaded {
    load_murphi(&nodes_text(rules), &[])
}

/// Rules and invariants with quantifiers.
pub const CONDITIONS: &[&str] = &[
    "rule forall n: Node do flag[n] end & !done ==> done := true; end;",
    "rule exists n: Node do flag[n] & level[n] = 0 end ==> done := !done; end;",
    // Some may be undefined, which is an error.
    "rule forall n: Node do friend[n] = chosen end ==> done := true; end;",
    "rule done & exists n: Node do friend[friend[n]] = n end ==> done := false; end;",
    "invariant forall n: Node do forall m: Node do n = m | !flag[n] | !flag[m] | done end end;",
    "invariant forall n: Node do isundefined(friend[n]) | friend[n] != n end;",
    "invariant !(exists n: Node do level[n] > total end);",
    "invariant !exists n: Node do exists m: Node do n != m & friend[n] = chosen & friend[m] = chosen end end;",
    "rule \"or\" (exists n: Node do friend[n] = n end) | (forall n: Node do friend[n] = chosen end) ==> undefine chosen; end;",
    "rule \"implies\" (forall n: Node do flag[n] end) -> (exists n: Node do friend[n] = n end) ==> undefine chosen; end;",
];

#[test]
fn conditions_on_all_members_have_no_order() {
    for rules in CONDITIONS {
        nodes(rules).finds(&["Node 1..3"]);
    }
}

/// Rules with loops whose order does not matter.
pub const LOOPS: &[&str] = &[
    "rule done ==> for n: Node do flag[n] := false; end; done := false; end;",
    "rule !done ==> for n: Node do if flag[n] then level[n] := 1; else level[n] := 2; end; end; done := true; end;",
    // Each of them may fail: the friend is undefined, or the level too great.
    "rule !done ==> for n: Node do if friend[n] = chosen then level[n] := 3; end; end; done := true; end;",
    "rule !done ==> for n: Node do if flag[n] then level[n] := level[n] + 1; end; end; end;",
    "rule !done ==> done := true; for n: Node do if flag[n] then done := false; end; end; end;",
    "rule !done ==> total := 0; for n: Node do if flag[n] then total := total + 1; end; end; end;",
    "rule !done ==> for n: Node do if !isundefined(friend[n]) then undefine friend[n]; end; end; done := true; end;",
    "rule !done ==> for n: Node do switch level[n] case 0: level[n] := 2; case 1: flag[n] := true; else level[n] := 1; end; end; done := true; end;",
];

#[test]
fn loops_that_do_the_same_for_all_members_have_no_order() {
    for rules in LOOPS {
        nodes(rules).finds(&["Node 1..3"]);
    }
}

/// Two ways through the loop for each member are too many to be looked at one by one.
#[test]
fn ways_that_meet_again_are_one() {
    let model = "const N: 14; type Node: scalarset(N); Level: 0..3;
        var flag: array [Node] of boolean; level: array [Node] of Level; done: boolean;
        startstate for n: Node do flag[n] := false; level[n] := 0; end; done := false; end;
        ruleset n: Node do rule !flag[n] ==> flag[n] := true; end; end;
        rule !done ==>
            for n: Node do if flag[n] then level[n] := level[n] + 1; else flag[n] := true; end; end;
            done := true;
        end;";
    load_murphi(model, &[]).finds(&["Node 1..14"]);
    let small = load_murphi(model, &["N=3"]);
    small.finds(&["Node 1..3"]);
}

#[test]
fn unions_hold_names_and_other_values() {
    let model = "type Node: scalarset(3); Place: enum { Nowhere, Everywhere }; Target: union { Node, Place };
        var next: array [Node] of Target; head: Target; steps: 0..3;
        startstate for n: Node do next[n] := Nowhere; end; head := Nowhere; steps := 0; end;
        ruleset n: Node do
            rule \"push\" next[n] = Nowhere ==> next[n] := head; head := n; if next[n] = Nowhere then next[n] := Everywhere; end; end;
        end;
        rule \"pop\" ismember(head, Node) ==> head := next[head]; if head = Everywhere then head := Nowhere; end; end;
        invariant forall n: Node do next[n] != n end;";
    load_murphi(model, &[]).finds(&["Node 1..3"]);
}

/// Rules with functions, procedures and aliases.
pub const CALLS: &[&str] = &[
    "function high(n: Node): boolean; begin return level[n] > 1; end;
    rule exists n: Node do high(n) end ==> done := !done; end;",
    "procedure raise(var l: Level); begin if l < 2 then l := l + 1; end; end;
    ruleset n: Node do rule true ==> raise(level[n]); end; end;",
    "ruleset n: Node do alias l: level[n]; f: friend[n] do
        rule !isundefined(f) & l < 2 ==> l := l + 1; chosen := f; end;
    end; end;",
    "rule !isundefined(chosen) ==> alias f: friend[chosen] do if !isundefined(f) then chosen := f; end; end; end;",
    "ruleset n: Node do rule flag[n] ==> var c: Node; begin c := friend[n]; friend[n] := chosen; chosen := c; end; end;",
];

#[test]
fn functions_procedures_and_aliases_do_not_tell_members_apart() {
    for rules in CALLS {
        nodes(rules).finds(&["Node 1..3"]);
    }
}

#[test]
fn several_sets_and_nested_arrays() {
    let model = load_murphi(
        "type Home: scalarset(2); Node: scalarset(3);
        var sharer: array [Home] of array [Node] of boolean;
            owner: array [Home] of Node;
            message: record src: Node; dst: Home; end;
        startstate for h: Home do for n: Node do sharer[h][n] := false; end; end; end;
        ruleset h: Home; n: Node do
            rule \"share\" isundefined(owner[h]) & !sharer[h][n] ==> sharer[h][n] := true; end;
            rule \"own\" forall m: Node do m = n | !sharer[h][m] end & isundefined(owner[h])
            ==> owner[h] := n; message.src := n; message.dst := h; end;
        end;
        rule \"drop\" !isundefined(message.src)
        ==> for n: Node do if n != message.src then sharer[message.dst][n] := false; end; end; undefine message; end;
        invariant forall h: Home do forall n: Node do isundefined(owner[h]) | owner[h] = n | !sharer[h][n] end end;",
        &[],
    );
    model.finds(&["Home 1..2", "Node 1..3"]);
}

/// Rules that tell members apart.
pub const BROKEN: [&str; 8] = [
    // The last one in the order of the loop is left over.
    "rule !done ==> for n: Node do if flag[n] then chosen := n; end; end; done := true; end;",
    // The first one in the order of the loop is left over.
    "rule !done & isundefined(chosen) ==> for n: Node do if flag[n] & isundefined(chosen) then chosen := n; end; end; done := true; end;",
    // Each one's level depends on how many came before.
    "rule !done ==> total := 0; for n: Node do level[n] := total; total := total + 1; end; done := true; end;",
    "rule !done ==> clear chosen; done := true; end;",
    "function first(): Node; begin for n: Node do if flag[n] then return n; end; end; return chosen; end;
    rule !done & exists n: Node do flag[n] end ==> chosen := first(); done := true; end;",
    // Whether an error is met depends on who comes first.
    "function quiet(): boolean; begin for n: Node do if !flag[n] then return true; end; if level[n] / level[n] = 1 then return false; end; end; return true; end;
    rule !done & quiet() ==> done := true; end;",
    "rule !done ==> for n: Node do if done then level[n] := 1; else level[n] := 2; end; done := true; end; end;",
    "rule !done ==> for n: Node do done := done | flag[n]; if done then level[n] := 1; end; end; end;",
];

#[test]
fn loops_that_break_the_symmetry_are_found() {
    for rules in BROKEN {
        let model = nodes(rules);
        let detected = model.detect();
        assert!(detected.certificate.is_none(), "{rules}");
        let reasons = detected.refused.iter().map(|r| model.reasons(&r.breaches));
        let reasons: Vec<_> = reasons.collect();
        assert!(
            reasons.iter().any(|r| r.contains("line 1")),
            "{rules}: {reasons:?}"
        );
    }
}
