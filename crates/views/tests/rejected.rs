//! What the checker of invariants does not confirm: models that no front end makes, families that have another size than they should, and code next to that which it accepts.

use crate::checked::{invariant, is_not_confirmed};
use crate::conditions::{LEVELS, rules};
use crate::support::{loaded, unchecked};
use mandala_invariants::{Source, check};
use mandala_model::UncheckedModel;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Root};
use mandala_model::ids::GlobalId;
use mandala_model::parameters::{Progression, Values};
use mandala_model::quantified::Evaluation;
use mandala_model::template::{Control, Edge, Effect, Step};
use mandala_model::types::Initial;

/// The invariant that a search finds.
fn found(name: &str, text: &str) -> String {
    let subject = unchecked(name, text, 2, 1).expect("there is a family");
    let found = subject.views_within(1, 50_000).expect("they are few");
    assert!(found.violations.is_empty(), "{text}");
    invariant(&subject, &found.views, 1)
}

/// What the checker says of an invariant of the models that a text is, after a change.
fn says(
    (name, text): (&str, &str),
    invariant: &str,
    size_of: impl Fn(u32) -> u32,
    change: impl Fn(&mut UncheckedModel, u32),
) -> String {
    let mut load = |size: u32| {
        let (mut model, sources) = loaded(name, text, &[format!("N={}", size_of(size))]);
        change(&mut model, size);
        Ok(Source { model, sources })
    };
    let said = check(invariant, &mut load, &mut || true);
    said.map_or_else(|why| why.message, |_| "accepted".into())
}

/// A rule with a parameter, a quantifier and a loop.
fn system() -> String {
    let rule = "ruleset c: P do rule \"x\" l[c] = A & (isundefined(p) | p = c) & exists x: P do l[x] = B end ==> var t: boolean; begin for z: P do t := l[z] = C; f[z] := t; end; l[c] := B; end; end;";
    rules("", "", &format!("{LEVELS} {rule}"))
}

const PROCESSES: &str = "byte x; active [N] proctype P() { end: do :: d_step { x == 0 -> x = 1 } :: d_step { x == 1 -> x = 0 } od }";

/// Some members, not all.
fn some() -> Values {
    Values(vec![Progression::range(1, 2)])
}

fn some_of_a_parameter(model: &mut UncheckedModel) {
    for edge in &mut model.templates[0].edges {
        edge.parameters.iter_mut().for_each(|p| p.values = some());
    }
}

#[test]
fn models_that_no_front_end_makes() {
    let text = system();
    let invariant = found("m.m", &text);
    let said = |change: &dyn Fn(&mut UncheckedModel)| {
        says(("m.m", &text), &invariant, |size| size, |m, _| change(m))
    };
    assert_eq!(said(&|_| ()), "accepted");
    type Change<'c> = (&'c str, &'c dyn Fn(&mut UncheckedModel));
    let changes: &[Change<'_>] = &[
        ("depend on more than the state", &|m| {
            m.tracks_last_mover = true
        }),
        ("`l` may start with something else", &|m| {
            let first = Expr::constant(1, m.globals[0].span);
            let more = Expr::constant(0, m.globals[0].span);
            m.globals[0].initial = Initial::List(vec![first, more]);
        }),
        ("a parameter is not any member", &some_of_a_parameter),
        ("counted or put in an order", &|m| {
            m.each_expr_mut(&mut |e| {
                if let ExprKind::Quantified(quantified) = &mut e.kind {
                    quantified.evaluation = Evaluation::Ordered;
                }
            });
        }),
        ("a member is compared with a number", &|m| {
            m.each_expr_mut(&mut |e| {
                if let ExprKind::Binary(BinaryOp::Equal, left, right) = &mut e.kind
                    && left.span.end - left.span.start == 1
                {
                    **right = Expr::constant(2, right.span);
                }
            });
        }),
        ("more than one location", &|m| {
            let last = m.templates[0].edges.last_mut().expect("a rule");
            last.control = Control::Hold;
        }),
    ];
    for (message, change) in changes {
        let said = said(change);
        assert!(said.contains(message), "{message}: {said}");
    }
}

/// `X` may hold anything at first: a step of the start for each member, as often as it is taken.
const FREE: &str = "type level = A | B
array X[proc] : level
var V : bool
init (z) { V = False }
unsafe (x y) { V = True && X[x] = A && X[y] = A }
transition t (x) requires { X[x] = A } { X[j] := case | j = x : B | _ : X[j] }
";

#[test]
fn starts_that_no_front_end_makes() {
    let invariant = found("m.cub", FREE);
    let said = |change: &dyn Fn(&mut Edge)| {
        let all = |m: &mut UncheckedModel| m.templates[0].edges.iter_mut().for_each(change);
        says(("m.cub", FREE), &invariant, |size| size, |m, _| all(m))
    };
    assert_eq!(said(&|_| ()), "accepted");
    let goes_round = |edge: &Edge| edge.control == Control::Hold && edge.source == edge.target;
    // It changes what is no member's.
    let no_own = says(
        ("m.cub", FREE),
        &invariant,
        |size| size,
        |m, _| {
            let shared = (0..).map(GlobalId).zip(&m.globals);
            let mut shared = shared.filter(|(_, v)| v.name == "V");
            let (shared, _) = shared.next().expect("it is declared");
            let edges = m.templates[0].edges.iter_mut();
            for edge in edges.filter(|edge| goes_round(edge)) {
                if let Step::Guarded { effects, .. } = &mut edge.step
                    && let Effect::Assign { place, value } = &mut effects[0]
                {
                    (place.root, place.path) = (Root::Global(shared), Vec::new());
                    *value = Expr::constant(0, value.span);
                }
            }
        },
    );
    assert!(no_own.contains("the start goes round"), "{no_own}");
    let stuck = said(&|edge| {
        if let Step::Guarded { guard, .. } = &mut edge.step {
            *guard = Expr::constant(0, guard.span);
        }
    });
    assert!(stuck.contains("the start may get stuck"), "{stuck}");
}

#[test]
fn models_that_do_not_have_the_size() {
    let text = system();
    let invariant = found("m.m", &text);
    let system = ("m.m", &text[..]);
    let same = says(system, &invariant, |_| 3, |_, _| ());
    assert!(same.contains("another size"), "{same}");
    // Every rule is for two members only in the model of four.
    let few = says(
        system,
        &invariant,
        |size| size,
        |m, size| {
            if size == 4 {
                some_of_a_parameter(m);
            }
        },
    );
    assert!(few.contains("more than the family depends"), "{few}");
    let late = says(
        system,
        &invariant,
        |size| size,
        |m, size| {
            if size == 5 {
                m.tracks_last_mover = true;
            }
        },
    );
    assert!(late.contains("more than the family depends"), "{late}");
    let invariant = found("m.pml", PROCESSES);
    let processes = ("m.pml", PROCESSES);
    assert_eq!(
        says(processes, &invariant, |size| size, |_, _| ()),
        "accepted"
    );
    let same = says(processes, &invariant, |_| 3, |_, _| ());
    assert!(same.contains("another size"), "{same}");
}

#[test]
fn processes_that_make_others_or_end() {
    let invariant = found("m.pml", PROCESSES);
    let said = |text: &str| says(("m.pml", text), &invariant, |size| size, |_, _| ());
    let made = PROCESSES.replace("-> x = 0", "-> x = 0; run Q()") + " proctype Q() { skip }";
    let made = made.replace("d_step { x == 1", "atomic { x == 1");
    for (text, why) in [
        (made, "a step changes other processes"),
        (
            PROCESSES.replace("od }", ":: break od }"),
            "a step depends on other processes",
        ),
    ] {
        let said = said(&text);
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_start_that_goes_wrong() {
    let text = system();
    let invariant = found("m.m", &text);
    let wrong = text.replace("undefine q;", "undefine q; assert b;");
    assert_ne!(text, wrong);
    let said = says(("m.m", &wrong), &invariant, |size| size, |_, _| ());
    assert!(said.contains("goes wrong in the start"), "{said}");
}

#[test]
fn multisets() {
    let text = rules(
        "m: multiset [2] of L;",
        "undefine m;",
        &format!(
            "{LEVELS} rule \"x\" !b ==> var e: L; begin e := A; multisetadd(e, m); b := true; end;"
        ),
    );
    assert!(is_not_confirmed("m.m", &text, 1, 1), "{text}");
}

#[test]
fn a_start_that_is_not_in_it() {
    let text = PROCESSES.replace(":: d_step { x == 1 -> x = 0 }", "");
    let invariant = found("m.pml", &text);
    let first = |line: &&str| !line.contains("x == 0");
    let without: Vec<&str> = invariant.lines().filter(first).collect();
    assert_eq!(without.len() + 1, invariant.lines().count(), "{invariant}");
    let said = says(
        ("m.pml", &text),
        &without.join("\n"),
        |size| size,
        |_, _| (),
    );
    assert!(said.contains("a state that runs start in"), "{said}");
}

#[test]
fn loops_that_are_about_more_than_a_member_at_a_time() {
    let rule = |locals: &str, body: &str| {
        let locals = format!("var {locals} ");
        rules(
            "n: 0..3;",
            "n := 0;",
            &format!("{LEVELS} rule \"x\" true ==> {locals} begin {body} end;"),
        )
    };
    let t = "t: boolean;";
    let first = "t := false; for z: P do";
    let wrong = [
        // It ends before the last member.
        rule(
            t,
            "for z: P do if l[z] = B then return; end; f[z] := true; end;",
        ),
        // A round asks what an earlier one has left, in a condition, as a value, and in a part of a variable.
        rule(
            t,
            &format!("{first} if t then f[z] := true; end; t := l[z] = B; end;"),
        ),
        rule(t, &format!("{first} f[z] := t; t := l[z] = B; end;")),
        rule(
            "t: array [1..2] of boolean;",
            "t[1] := false; t[2] := false; for z: P do t[1] := l[z] = B; f[z] := t[2]; t[2] := t[1]; end;",
        ),
        // It remembers something of each member.
        rule(
            "t: array [P] of boolean;",
            "for z: P do t[z] := l[z] = B; end; for z: P do f[z] := t[z]; end;",
        ),
        // It asks for another member each time.
        rule(
            t,
            "n := 0; while n < 2 do n := n + 1; if exists x: P do n = 1 & l[x] = B | n = 2 & l[x] = C end then b := true; end; end;",
        ),
    ];
    for text in wrong {
        assert!(is_not_confirmed("m.m", &text, 1, 1), "{text}");
    }
}
