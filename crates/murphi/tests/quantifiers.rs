//! Quantifiers: over types without order an error for any member is found, over others the values before it may decide.

use crate::support::program;
use mandala_interpreter::Interpreter;
use mandala_model::Model;
use mandala_model::expr::ExprKind;
use mandala_model::instantiate::written_out;
use mandala_model::quantified::{Evaluation, Quantifier};
use mandala_model::step::Observers;
use mandala_model::verify::verify;
use mandala_murphi::lower::lower;

fn model(text: &str) -> Model {
    let model = lower(&program(text)).unwrap_or_else(|errors| panic!("{errors:?}"));
    verify(model).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// A model with two start states, in each of which one of two elements is 0 and the other one undefined, and a rule with that guard.
fn half_defined(ty: &str, guard: &str) -> Model {
    model(&format!(
        "type T: {ty}; var a: array [T] of 0..1;
        function is_one(i: T): boolean; var x: 0..1; begin x := a[i]; return x = 1; end;
        ruleset k: T do startstate begin a[k] := 0; end; end;
        rule \"r\" {guard} ==> begin end;"
    ))
}

/// In how many start states a step fails.
fn failing(model: &Model) -> usize {
    let interpreter = Interpreter::new(model, Observers::default());
    let start = interpreter.start().expect("a start");
    let states = interpreter.moves(&start).into_iter();
    let states = states.filter_map(|step| step.next);
    let fails = |state| {
        let mut moves = interpreter.moves(&state).into_iter();
        moves.any(|step| !step.violations.is_empty())
    };
    states.filter(|state| fails(state.clone())).count()
}

/// The kinds of the quantifiers in a model.
fn quantifiers(model: &Model) -> Vec<(Quantifier, Evaluation)> {
    let mut found = Vec::new();
    model.each_whole(&mut |whole| {
        whole.walk(&mut |part| {
            if let ExprKind::Quantified(quantified) = &part.kind {
                found.push((quantified.quantifier, quantified.evaluation));
            }
        });
    });
    found
}

/// The guard fails in that many of two start states, also when it is written out.
#[track_caller]
fn fails(ty: &str, guard: &str, expected: usize) {
    let model = half_defined(ty, guard);
    assert_eq!(failing(&model), expected, "{ty}: {guard}");
    let written = written_out(model).expect("a small model");
    assert_eq!(failing(&written), expected, "{ty}: {guard}, written out");
}

#[test]
fn over_a_scalarset_an_error_for_any_member_is_an_error() {
    for ty in ["scalarset(2)", "union {scalarset(1), enum {A}}"] {
        for guard in [
            "forall i: T do a[i] = 1 end",
            "exists i: T do a[i] = 0 end",
            "forall i: T do is_one(i) end",
            "!exists i: T do !is_one(i) end",
        ] {
            fails(ty, guard, 2);
        }
    }
}

#[test]
fn over_a_range_the_values_before_an_error_may_decide() {
    for ty in ["1..2", "enum {A, B}", "boolean"] {
        for guard in [
            "forall i: T do a[i] = 1 end",
            "exists i: T do a[i] = 0 end",
            "forall i: T do is_one(i) end",
            "!exists i: T do !is_one(i) end",
        ] {
            fails(ty, guard, 1);
        }
    }
    fails("1..2", "forall i := 2 to 1 by -1 do a[i] = 1 end", 1);
    fails("1..2", "forall i: T do a[i] = 0 end", 2);
}

#[test]
fn quantifiers_say_how_they_are_evaluated() {
    use Evaluation::{Ordered, Strict};
    use Quantifier::{Exists, ForAll};
    let kinds = |ty: &str, guard: &str| quantifiers(&half_defined(ty, guard));
    let asked = "forall i: T do exists j: T do a[i] = a[j] end end";
    assert_eq!(
        kinds("scalarset(2)", asked),
        [(ForAll, Strict), (Exists, Strict)]
    );
    assert_eq!(kinds("1..2", asked), [(ForAll, Ordered), (Exists, Ordered)]);
    let safe = "forall i: T do exists j: T do i = j end end";
    assert_eq!(kinds("1..2", safe), [(ForAll, Strict), (Exists, Strict)]);
    let negated = "!forall i: T do a[i] = 1 -> !exists j: T do a[j] = 1 end end";
    assert_eq!(
        kinds("1..2", negated),
        [(Exists, Ordered), (Exists, Ordered)]
    );
    assert_eq!(kinds("1..2", "forall i: T do is_one(i) end"), []);
}

/// How many parts the expressions of a model have.
fn parts(model: &Model) -> usize {
    let mut parts = 0;
    model.each_whole(&mut |whole| whole.walk(&mut |_| parts += 1));
    parts
}

#[test]
fn quantifiers_do_not_grow_with_their_values() {
    let sized = |size: u32| {
        model(&format!(
            "type T: scalarset({size}); U: union {{T, enum {{A}}}};
            var a: array [T] of U; m: multiset [{size}] of T;
            startstate begin end;
            rule exists i: T do ismember(a[i], T) & forall j: 1..{size} do multisetcount(k: m, m[k] = i) < j end end
            ==> begin end;
            ruleset i: T do rule multisetcount(k: m, true) = 0 ==> begin multisetadd(i, m); end; end;"
        ))
    };
    assert_eq!(parts(&sized(3)), parts(&sized(30)));
    let kinds: Vec<Quantifier> = quantifiers(&sized(3)).into_iter().map(|q| q.0).collect();
    use Quantifier::{Count, Exists, FirstOf, ForAll};
    assert_eq!(
        kinds,
        [Exists, ForAll, ForAll, Count, Count, Count, FirstOf]
    );
}
