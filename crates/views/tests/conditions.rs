//! Near misses: for each condition systems that satisfy it and neighbours that do not, and what would come of these: no small size shows what a larger one does.

use crate::checked::{is_not_confirmed, require_accepted, require_rejected};
use crate::random::require_views;
use crate::support::{Concrete, model, subject};
use mandala_views::{Condition, Family};

/// A system of rules about members of `P` with the usual variables.
pub fn rules(declarations: &str, start: &str, rules: &str) -> String {
    format!(
        "const N: 3;\ntype P: scalarset(N); L: enum {{ A, B, C }};\n\
         var l: array [P] of L; f: array [P] of boolean; b: boolean; p, q: P; {declarations}\n\
         startstate \"s\" begin for z: P do l[z] := A; f[z] := false; end; b := false; undefine p; undefine q; {start} end;\n\
         {rules}\n"
    )
}

/// Steps that every member can make.
const FREE: &str = "ruleset c: P do rule \"b\" l[c] = A ==> begin l[c] := B; end; rule \"c\" l[c] = A ==> begin l[c] := C; end;
  rule \"f\" !f[c] ==> begin f[c] := true; end; rule \"p\" isundefined(p) ==> begin p := c; end; rule \"q\" isundefined(q) ==> begin q := c; end; end;";

/// Some of them.
pub const LEVELS: &str = "ruleset c: P do rule \"b\" l[c] = A ==> begin l[c] := B; end; rule \"c\" l[c] = A ==> begin l[c] := C; end; end;";
const FLAGS: &str = "ruleset c: P do rule \"f\" !f[c] ==> begin f[c] := true; end; end;";

/// An invariant about two members: views have two, so that what is wrong in a step is no reason for larger configurations.
const TWO: &str = "forall x: P do forall y: P do x = y | l[x] != A | l[y] != A end end;";

/// The system is accepted, and its views are those of its states.
#[track_caller]
fn accepted(name: &str, text: &str, participants: usize, view: usize) {
    let subject = subject(name, text, "N", &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(
        subject.needs.participants, participants,
        "participants: {text}"
    );
    assert_eq!(subject.needs.view, view, "members of a view: {text}");
    let found = subject.views(view).expect("it can be carried out");
    require_views(name, text, &subject, &found);
    require_accepted(name, text, &subject, &found, u64::MAX);
}

/// The system is refused, and the place begins with that. What a search finds that does not look at conditions is rejected by the checker of invariants because of them; gives whether it
/// finds something.
#[track_caller]
fn refused(name: &str, text: &str, condition: Condition, place: &str) -> bool {
    match subject(name, text, "N", &[]) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(refused) => {
            assert_eq!(refused.condition, condition, "{refused}\n{text}");
            let at = refused.span.map(|span| span.start as usize).unwrap_or(0);
            assert!(
                text[at..].starts_with(place),
                "{refused} at {:?}",
                &text[at..]
            );
        }
    }
    let deceived = [(0, 1), (1, 1), (1, 2)].map(|(w, k)| is_not_confirmed(name, text, w, k));
    deceived.contains(&true)
}

/// Something goes wrong for that size, and for no smaller one.
#[track_caller]
fn first_wrong(name: &str, text: &str, family: &Family, smallest: usize) {
    for size in 1..=smallest {
        let sized = model(name, text, &[format!("N={size}")]);
        let found = Concrete::explore(sized, family, size, 200_000);
        assert_eq!(found.violated, size == smallest, "N={size}: {text}");
    }
}

/// Something goes wrong in views, but not in those of `k` members with so many participants: with fewer than are needed, the system would be decided wrongly.
#[track_caller]
fn wrong_with(name: &str, text: &str, k: usize, participants: usize) {
    let mut subject = subject(name, text, "N", &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let violated = |subject: &crate::support::Subject, k| {
        let found = subject.views(k).expect("it can be carried out");
        !found.violations.is_empty()
    };
    assert!(violated(&subject, subject.needs.view), "{text}");
    subject.needs.participants = participants;
    assert!(!violated(&subject, k), "{text}");
    require_rejected(name, text, participants, k);
}

/// The family of a text that differs in nothing that matters for it.
#[track_caller]
fn family_of(name: &str, text: &str) -> Family {
    subject(name, text, "N", &[])
        .unwrap_or_else(|why| panic!("{why}"))
        .family
}

fn family() -> Family {
    family_of("m.m", &rules("", "", FREE))
}

#[test]
fn one_members_are_interchangeable() {
    let process = |body: &str| {
        format!("#ifndef N\n#define N 3\n#endif\nbyte x;\nactive [N] proctype P() {{ {body} }}\n")
    };
    let loops = "end: do :: d_step { x == 0 -> x = 1 } :: d_step { x == 1 -> x = 0 } od";
    accepted("m.pml", &process(loops), 1, 1);
    let number = process("end: do :: assert(_pid < 4) od");
    assert!(refused("m.pml", &number, Condition::Symmetry, "_pid"));
    let kept = process("byte me = _pid; end: do :: assert(me < 4) od");
    assert!(refused("m.pml", &kept, Condition::Symmetry, "_pid"));
    first_wrong("m.pml", &number, &family_of("m.pml", &process(loops)), 5);
}

#[test]
fn two_members_are_known_by_shared_cells() {
    let follow = "ruleset c: P do rule \"x\" !isundefined(p) & p != c & l[p] = B & l[c] = A ==> begin l[c] := C; q := p; end; end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{follow}")), 2, 1);
    let linked = "ruleset c: P; d: P do rule \"x\" isundefined(next[c]) & c != d ==> begin next[c] := d; end; end;\n\
         ruleset c: P do invariant \"i\" isundefined(next[c]) | isundefined(next[next[c]]) | isundefined(next[next[next[c]]]) | next[next[c]] = c\n\
         | isundefined(next[next[next[next[c]]]]) | next[next[next[next[c]]]] != c; end;";
    let chain = rules(
        "next: array [P] of P;",
        "for z: P do undefine next[z]; end;",
        linked,
    );
    assert!(refused("m.m", &chain, Condition::Members, "next"));
    first_wrong("m.m", &chain, &family(), 4);
    let table = "ruleset c: P; d: P do rule \"x\" !t[c][d] ==> begin t[c][d] := true; end; end;";
    let table = rules(
        "t: array [P] of array [P] of boolean;",
        "for z: P do for y: P do t[z][y] := false; end; end;",
        table,
    );
    assert!(refused("m.m", &table, Condition::Members, "t: array"));
}

#[test]
fn two_members_that_are_outside_may_be_one() {
    let same = "rule \"x\" !isundefined(p) & !isundefined(q) & p = q ==> begin b := true; end;\n\
         rule \"y\" !isundefined(p) & !isundefined(q) & p != q ==> begin b := false; undefine p; end; invariant \"i\" !b;";
    accepted("m.m", &rules("", "", &format!("{FREE}{same}")), 1, 1);
    let copied = "rule \"x\" !isundefined(p) & isundefined(q) & f[p] ==> begin q := p; end;\n\
         rule \"y\" !isundefined(q) & l[q] = B ==> begin l[q] := C; end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{copied}")), 1, 1);
    let owners = "ruleset i: 1..2 do rule \"x\" !isundefined(o[i]) & f[o[i]] ==> begin l[o[i]] := C; end; end;\n\
        ruleset i: 1..2; c: P do rule \"y\" isundefined(o[i]) ==> begin o[i] := c; end; end;";
    accepted(
        "m.m",
        &rules(
            "o: array [1..2] of P;",
            "for i: 1..2 do undefine o[i]; end;",
            &format!("{FLAGS}{owners}"),
        ),
        2,
        1,
    );
    let each =
        "rule \"x\" forall i: 1..3 do !isundefined(o[i]) & f[o[i]] end ==> begin b := true; end;";
    refused(
        "m.m",
        &rules(
            "o: array [1..3] of P;",
            "for i: 1..3 do undefine o[i]; end;",
            each,
        ),
        Condition::Questions,
        "o[i]",
    );
}

#[test]
fn two_members_that_are_compared_are_kept() {
    // `c`, `d`, one of `p` and `q`, and the member that the invariant is about.
    let apart = "ruleset c: P; d: P do rule \"x\" !b & !isundefined(p) & !isundefined(q) & p != q & c != d & p != c & p != d & q != c & q != d & l[c] = B & l[d] = B ==> begin b := true; end; end;\n\
         ruleset c: P do rule \"b\" l[c] = A & !b ==> begin l[c] := B; end; rule \"p\" isundefined(p) ==> begin p := c; end; rule \"q\" isundefined(q) ==> begin q := c; end; end;\n\
         invariant \"i\" !b | forall x: P do l[x] != A | (!isundefined(p) & p = x) | (!isundefined(q) & q = x) end;";
    let apart = rules("", "", apart);
    accepted("m.m", &apart, 3, 1);
    wrong_with("m.m", &apart, 1, 2);
    first_wrong("m.m", &apart, &family(), 5);
}

#[test]
fn two_a_cell_that_holds_a_parameter_may_get_another_member() {
    // `p` holds `c` when the rule begins, and a member that the rule does not know otherwise when it is followed.
    let moved = "ruleset c: P do rule \"x\" !isundefined(p) & !isundefined(q) & p = c & l[c] = B & !b ==>\n\
         begin p := q; if l[p] = C then b := true; end; end; end;\n\
         invariant \"i\" b -> forall x: P do l[x] != A end;";
    let moved = rules("", "", &format!("{FREE}{moved}"));
    let moved = moved.replace("l[c] = A ==>", "l[c] = A & !b ==>");
    accepted("m.m", &moved, 2, 1);
    wrong_with("m.m", &moved, 1, 1);
    first_wrong("m.m", &moved, &family(), 3);
    let two = moved.replace("forall x: P do l[x] != A end;", TWO);
    accepted("m.m", &two, 2, 2);
    wrong_with("m.m", &two, 2, 1);
    first_wrong("m.m", &two, &family(), 4);
    let swapped = moved.replace("p := q; if", "swap(p, q); if").replace(
        "startstate",
        "procedure swap(var x: P; var y: P); var o: P; begin o := x; x := y; y := o; end;\nstartstate",
    );
    accepted("m.m", &swapped, 2, 1);
    let still = "ruleset c: P do rule \"x\" !isundefined(p) & p = c & l[p] = B ==> begin l[p] := C; undefine p; end; end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{still}")), 1, 1);
}

#[test]
fn three_questions_survive_when_members_are_left_out() {
    let all = "rule \"x\" forall x: P do l[x] != B end ==> begin b := true; end; invariant \"i\" !b | forall x: P do l[x] = A end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{all}")), 1, 1);
    let some = "rule \"x\" !b & exists x: P do exists y: P do x != y & l[x] = B & l[y] = C end end ==> begin b := true; end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{some}")), 2, 1);
    let both = "rule \"x\" (exists x: P do l[x] = B end) & (exists x: P do l[x] = C end) & (exists x: P do l[x] = A end) ==> begin b := true; end; invariant \"i\" !b;";
    let both = rules("", "", &format!("{LEVELS}{both}"));
    accepted("m.m", &both, 3, 1);
    wrong_with("m.m", &both, 1, 1);
    first_wrong("m.m", &both, &family(), 3);
    let none = "rule \"x\" !(exists x: P do l[x] = B end) ==> begin b := !b; end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{none}")), 1, 1);
    let pairs = "rule \"x\" exists x: P do l[x] = B end & exists x: P do l[x] = C end\n\
         & forall x: P do exists y: P do x != y & l[x] = l[y] end end ==> begin b := true; end; invariant \"i\" !b;";
    let pairs = rules("", "", &format!("{LEVELS}{pairs}"));
    assert!(refused("m.m", &pairs, Condition::Questions, "exists y"));
    first_wrong("m.m", &pairs, &family(), 4);
}

#[test]
fn three_conditions_in_bodies_keep_their_value() {
    let branch = "ruleset c: P do rule \"x\" f[c] ==> begin if exists x: P do l[x] = B end then b := true; else l[c] := C; end; end; end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{branch}")), 2, 1);
    // `c`, a member that has `B`, and the member that the invariant is about.
    let all = "ruleset c: P do rule \"b\" l[c] = A & !b ==> begin l[c] := B; end; rule \"c\" l[c] = A & !b ==> begin l[c] := C; end;\n\
         rule \"x\" l[c] = C & !b ==> begin if forall x: P do l[x] != B end then l[c] := A; else b := true; end; end; end;\n\
         invariant \"i\" !b | forall x: P do l[x] != A end;";
    let all = rules("", "", all);
    accepted("m.m", &all, 2, 1);
    wrong_with("m.m", &all, 1, 1);
    first_wrong("m.m", &all, &family(), 3);
    let two = all.replace("forall x: P do l[x] != A end;", TWO);
    accepted("m.m", &two, 2, 2);
    wrong_with("m.m", &two, 2, 1);
    first_wrong("m.m", &two, &family(), 4);
    let branch = "rule \"x\" true ==> begin if forall x: P do l[x] = A end then b := true; else b := false; undefine p; end; end; invariant \"i\" !b;";
    accepted("m.m", &rules("", "", &format!("{FREE}{branch}")), 1, 1);
    let value = "rule \"x\" true ==> begin b := forall x: P do f[x] end; end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{value}")), 1, 1);
    let nested = "rule \"x\" true ==> begin if (exists x: P do l[x] = B end) & (exists x: P do l[x] = C end) & (forall x: P do exists y: P do x != y & l[x] = l[y] end end)\n\
         then b := true; end; end; invariant \"i\" !b;";
    let nested = rules("", "", &format!("{LEVELS}{nested}"));
    assert!(refused("m.m", &nested, Condition::Questions, "exists y"));
    first_wrong("m.m", &nested, &family(), 4);
    let process = |body: &str| format!("byte x;\nactive [N] proctype P() {{ {body} }}\n");
    let own = process("end: do :: x == 0 -> x = 1 :: else -> x = 0 od");
    accepted("m.pml", &own, 1, 1);
    let others = process("end: do :: x == 0 -> x = 1 :: timeout -> x = 0 od");
    assert!(refused("m.pml", &others, Condition::Questions, "timeout"));
}

#[test]
fn what_is_undefined_is_missed_by_no_view() {
    let faulty = "ruleset c: P do rule \"u\" f[c] ==> begin undefine l[c]; end; end;\n\
        rule \"x\" b & forall x: P do l[x] = B end ==> begin b := true; end; rule \"y\" !b ==> begin b := true; end;";
    let text = rules("", "", &format!("{FREE}{faulty}"));
    let subject = subject("m.m", &text, "N", &[]).expect("accepted");
    let found = subject
        .views(subject.needs.view)
        .expect("it can be carried out");
    assert!(!found.violations.is_empty());
    // It takes three members to ask for what is undefined, though the rule singles out none.
    let three = "rule \"x\" forall x: P do forall y: P do forall u: P do !(l[x] = A & l[y] = B & l[u] = C & f[p]) end end end ==> begin b := !b; end;";
    let text = rules("", "", &format!("{LEVELS}{three}"));
    accepted("m.m", &text, 1, 3);
    wrong_with("m.m", &text, 1, 1);
    first_wrong("m.m", &text, &family(), 3);
    // A guard that is false for one member keeps another question from being asked, which another member would answer wrongly.
    let either = "rule \"x\" (forall x: P do !f[x] end) | (!isundefined(p) & l[p] = B & isundefined(q) & q = p) ==> begin b := true; end;";
    let text = rules("", "", &format!("{FREE}{either}"));
    accepted("m.m", &text, 2, 1);
}

#[test]
fn three_what_decides_that_something_is_asked_is_kept() {
    // The guard goes wrong if each of five levels is there: no member is left that no other one follows.
    let next = "l[x] = A & l[y] = B | l[x] = B & l[y] = C | l[x] = C & l[y] = A";
    let bad = |left: &str| {
        let levels = "ruleset c: P do rule \"b\" l[c] = A ==> begin l[c] := B; end; rule \"c\" l[c] = B ==> begin l[c] := C; end; end;";
        rules(
            "",
            "",
            &format!("{levels} rule \"x\" {left} ==> begin b := true; end;"),
        )
    };
    let all = bad(&format!(
        "(exists x: P do forall y: P do !({next}) end end) | f[p]"
    ));
    assert!(refused("m.m", &all, Condition::Questions, "forall y"));
    first_wrong("m.m", &all, &family(), 3);
    let harmless = bad(&format!(
        "(exists x: P do forall y: P do !({next}) end end) | isundefined(q)"
    ));
    accepted("m.m", &harmless, 1, 1);
    let each = bad(
        "!(forall v: 0..2 do exists x: P do v = 0 & l[x] = A | v = 1 & l[x] = B | v = 2 & l[x] = C end end) | f[p]",
    );
    refused("m.m", &each, Condition::Questions, "exists x");
    first_wrong("m.m", &each, &family(), 3);
    let in_order = bad(&format!(
        "exists v: 0..1 do v = 0 & (exists x: P do forall y: P do !({next}) end end) | v = 1 & f[p] end"
    ));
    refused("m.m", &in_order, Condition::Questions, "forall y");
    first_wrong("m.m", &in_order, &family(), 3);
}

#[test]
fn four_rounds_of_loops_do_not_meet() {
    let own = "rule \"x\" true ==> begin for x: P do if f[x] then l[x] := B; elsif b & p = x then l[x] := C; end; f[x] := false; end; end;";
    let own = own.replace("p = x", "!isundefined(p) & p = x");
    accepted("m.m", &rules("", "", &format!("{FREE}{own}")), 1, 1);
    let counts = "rule \"x\" true ==> var n: 0..4; begin n := 0; for x: P do if f[x] & n < 4 then n := n + 1; end; end; assert n < 4; end;";
    let counts = rules("", "", &format!("{FLAGS}{counts}"));
    assert!(refused("m.m", &counts, Condition::Loops, "n"));
    first_wrong("m.m", &counts, &family(), 4);
    let shared = "rule \"x\" true ==> begin for x: P do if f[x] then b := true; end; end; end;";
    assert!(refused(
        "m.m",
        &rules("", "", shared),
        Condition::Loops,
        "b := true"
    ));
    let others =
        "ruleset c: P do rule \"x\" true ==> begin for x: P do f[x] := f[c]; end; end; end;";
    assert!(refused(
        "m.m",
        &rules("", "", others),
        Condition::Loops,
        "f[c]"
    ));
    let fresh =
        "rule \"x\" true ==> var t: boolean; begin for x: P do t := f[x]; f[x] := !t; end; end;";
    accepted("m.m", &rules("", "", &format!("{FREE}{fresh}")), 1, 1);
    let left = "function any(): boolean; begin for x: P do if f[x] then return true; end; end; return false; end;";
    let left = rules("", "", "").replace("startstate", &format!("{left}\nstartstate"))
        + "rule \"x\" any() ==> begin b := true; end;";
    assert!(
        matches!(subject("m.m", &left, "N", &[]), Err(refused) if refused.condition == Condition::Loops)
    );
}

#[test]
fn five_nothing_else_depends_on_the_size() {
    let few = "ruleset c: P do rule \"x\" f[c] & s < 2 ==> begin s := s + 1; end; end; invariant \"i\" s < 2;";
    accepted(
        "m.m",
        &rules("s: 0..2;", "s := 0;", &format!("{FREE}{few}")),
        1,
        1,
    );
    let range = rules("s: 0..N;", "s := 0;", FREE);
    assert!(refused("m.m", &range, Condition::Size, "s: 0"));
    let number = rules(
        "",
        "",
        &format!(
            "{FLAGS} rule \"x\" true ==> var k: 0..9; begin k := N; b := k > 4; end; invariant \"i\" !b;"
        ),
    );
    assert!(refused("m.m", &number, Condition::Size, "N"));
    first_wrong("m.m", &number, &family(), 5);
}

#[test]
fn five_start_states_of_any_size_are_those_of_a_few() {
    let chosen = |start: &str| {
        let text = rules(
            "",
            start,
            "rule \"x\" !isundefined(p) & l[p] = A ==> begin l[p] := B; end;",
        );
        text.replace("startstate", "ruleset c: P; d: P do startstate")
            .replace(" end;\nrule", " end; end;\nrule")
    };
    accepted(
        "m.m",
        &chosen("p := c; q := d; l[c] := B; if c != d then l[d] := C; end;"),
        2,
        1,
    );
    // Two members that the start singles out, and one that the invariant is about.
    let apart = rules(
        "",
        "b := c != d; l[c] := B; l[d] := C;",
        "invariant \"i\" !b | forall x: P do l[x] != A end;",
    );
    let apart = apart.replace("startstate", "ruleset c: P; d: P do startstate");
    let apart = apart.replace("l[d] := C; end;", "l[d] := C; end; end;");
    accepted("m.m", &apart, 2, 1);
    wrong_with("m.m", &apart, 1, 1);
    first_wrong("m.m", &apart, &family(), 3);
    let carried = "for z: P do if isundefined(p) then p := z; end; end;";
    refused("m.m", &rules("", carried, FREE), Condition::Loops, "p := z");
}

#[test]
fn six_what_must_not_happen_concerns_a_few() {
    let three = "invariant \"i\" forall x: P do forall y: P do forall z: P do x = y | y = z | x = z | l[x] != C | l[y] != C | l[z] != C end end end;";
    let three = rules("", "", &format!("{FREE}{three}"));
    accepted("m.m", &three, 1, 3);
    wrong_with("m.m", &three, 1, 1);
    first_wrong("m.m", &three, &family(), 3);
    let all = rules(
        "",
        "",
        &format!("{FREE} invariant \"i\" exists x: P do l[x] = A end;"),
    );
    refused("m.m", &all, Condition::Property, "exists x");
}
