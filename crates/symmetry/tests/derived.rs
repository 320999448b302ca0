//! Symmetry by type: what the rules derive is so in every state, and what is not so they refuse.

use crate::common::{Judgement, Loaded, judge_domains, load_rules};
use crate::scalarsets::{BROKEN, CALLS, CONDITIONS, LOOPS, nodes_text};
use mandala_model::expr::{BinaryOp, ExprKind};
use mandala_model::quantified::Evaluation;
use mandala_model::step::Observers;
use mandala_model::template::Step;
use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};
use mandala_symmetry::{Certificate, Derivation, derive};

fn derived(model: &Model) -> Derivation {
    derive(model, Observers::default())
}

fn nodes(rules: &str) -> Loaded {
    load_rules(&nodes_text(rules), &[])
}

/// Everything that is declared is derived, and brute force finds nothing wrong with it.
#[track_caller]
fn accept(loaded: &Loaded, text: &str) {
    let derivation = derived(&loaded.model);
    assert!(
        derivation.refused.is_empty(),
        "{text}: {:?}",
        derivation.refused
    );
    let certificate = derivation.certificate.expect("a certificate");
    match judged(loaded, &certificate, 400) {
        Judgement::Symmetric { checks, .. } => assert!(checks > 0, "{text}"),
        Judgement::Asymmetric(why) => panic!("{text}: {why}"),
    }
}

/// What brute force says of the declared sets. Positions of multisets come behind them: states are the same up to these.
fn judged(loaded: &Loaded, certificate: &Certificate, limit: usize) -> Judgement {
    let declared = loaded.model.scalarsets.iter().filter(|set| !set.unordered);
    let domains = &certificate.domains()[..declared.count()];
    judge_domains(loaded, certificate.sorts(), domains, limit)
}

#[track_caller]
fn refuse(loaded: &Loaded, text: &str, why: &str) {
    let refused = derived(&loaded.model).refused;
    let reasons = refused
        .iter()
        .map(|(_, breach)| breach.describe(&loaded.sources));
    let reasons: Vec<String> = reasons.collect();
    assert!(
        reasons.iter().any(|r| r.contains(why)),
        "{text}: {reasons:?}"
    );
}

#[test]
fn what_is_written_about_all_members_is_derived() {
    for rules in CONDITIONS.iter().chain(CALLS) {
        accept(&nodes(rules), rules);
    }
}

#[test]
fn loops_whose_order_does_not_matter_are_derived() {
    for rules in LOOPS {
        accept(&nodes(rules), rules);
    }
    for rules in [
        // Each writes only at its own name, through a parameter that is passed by reference or by value.
        "procedure up(var l: Level); begin if l < 3 then l := l + 1; end; end;
        rule !done ==> for n: Node do up(level[n]); end; done := true; end;",
        "procedure drop(n: Node); begin flag[n] := false; undefine friend[n]; end;
        rule !done ==> for n: Node do drop(n); end; done := true; end;",
        // The same constant, and one loop inside of another.
        "rule !done ==> for n: Node do if flag[n] then done := true; end; end; end;",
        "rule !done ==> for n: Node do for m: Node do if friend[m] = n then level[n] := 1; end; end; end; done := true; end;",
        // A copy and an end of whole arrays.
        "var copy: array [Node] of boolean; rule !done ==> copy := flag; undefine level; done := true; end;",
        // A temporary that is written before it is read in every iteration.
        "rule !done ==> var l: Level; begin for n: Node do l := 1; if flag[n] then l := 2; end; level[n] := l; end; done := true; end;",
    ] {
        accept(&nodes(rules), rules);
    }
    // Elements of a multiset have no order: the states are the same up to that.
    let add = "var net: multiset [3] of Node;
        rule !done ==> for n: Node do multisetadd(n, net); end; done := true; end;";
    assert!(derived(&nodes(add).model).refused.is_empty());
}

/// The checker, which shares no code with the derivation, accepts it.
#[track_caller]
fn is_checked(loaded: &Loaded) {
    let derivation = derived(&loaded.model);
    let certificate = derivation.certificate.expect("a certificate");
    let proof = mandala_proof::derivation(&loaded.model, &certificate, &derivation.annotations);
    let accepted = mandala_proof::check(&loaded.model, Observers::default(), &proof);
    assert!(accepted.is_ok(), "{accepted:?}");
}

/// Who is somewhere is a process, a server or nobody.
const GUESTS: &str = "
    type P: scalarset(2); Q: scalarset(3); H: enum {HOME}; N: union {P, H, Q};
    var guest: N; busy: array [Q] of boolean; seen: array [N] of boolean; with: array [P] of N; last: Q;
    startstate begin guest := HOME; clear busy; clear seen; for p: P do with[p] := HOME; end; end;
    ruleset n: N do rule !seen[n] ==> guest := n; seen[n] := true; end; end;
    ruleset p: P do
        rule guest != p & ismember(guest, Q) ==> with[p] := guest; busy[guest] := true; guest := p; end;
        rule ismember(with[p], Q) & busy[with[p]] ==> last := with[p]; busy[last] := false; with[p] := HOME; end;
    end;
    invariant forall n: N do n = guest -> seen[n] | n = HOME | ismember(n, P) end;";

/// Names of two sets that meet in a union are one set with two domains.
#[test]
fn scalarsets_that_meet_in_a_union_are_both_derived() {
    let loaded = load_rules(GUESTS, &[]);
    accept(&loaded, GUESTS);
    is_checked(&loaded);
    let order = |loaded: &Loaded| {
        derived(&loaded.model)
            .certificate
            .map(|c| c.order().to_string())
    };
    assert_eq!(order(&loaded).as_deref(), Some("12"));
    let with = |rule: &str| load_rules(&format!("{GUESTS} {rule}"), &[]);
    // Whoever comes last is another one if the servers are exchanged, and nothing is said of the processes.
    let first = with("rule guest = HOME ==> for q: Q do guest := q; end; end;");
    assert_eq!(order(&first).as_deref(), Some("2"));
    let first = with("rule guest = HOME ==> for p: P do guest := p; end; end;");
    assert_eq!(order(&first).as_deref(), Some("6"));
    let first = with("rule guest = HOME ==> for n: N do guest := n; end; end;");
    assert_eq!(order(&first), None);
    // A loop over one that nobody is exchanged with.
    let home = with(
        "rule seen[HOME] ==> for h: H do if guest != h then guest := h; seen[h] := false; end; end; end;",
    );
    accept(&home, "a loop over one member");
    is_checked(&home);
    assert_eq!(order(&home).as_deref(), Some("12"));
}

#[test]
fn loops_whose_order_may_matter_are_refused() {
    for rules in BROKEN {
        let refused = derived(&nodes(rules).model).refused;
        assert!(!refused.is_empty(), "{rules}");
    }
    for (rules, why) in [
        // Each one is the unsound neighbour of a rule.
        (
            "rule !done ==> for n: Node do if total = 0 then level[n] := 1; total := 1; end; end; done := true; end;",
            "which another one reads",
        ),
        (
            "rule !done ==> for n: Node do if flag[n] then total := total + 2; else total := total - 2; end; end; done := true; end;",
            "may matter in a loop",
        ),
        (
            "rule !done ==> for n: Node do if flag[n] then total := 1; else total := 2; end; end; done := true; end;",
            "in different ways",
        ),
        (
            "rule !done ==> for n: Node do if flag[n] then level[friend[n]] := level[n]; end; end; done := true; end;",
            "which another one reads",
        ),
        (
            "function all(): boolean; begin for n: Node do if !flag[n] then return false; end; end; return true; end;
            rule !done & all() ==> done := true; end;",
            "leave the loop",
        ),
        (
            // The first one alone.
            "rule !done ==> done := true; for n: Node do level[n] := 1; return; end; end;",
            "leave the loop",
        ),
        (
            "procedure one(); begin for n: Node do if flag[n] then level[n] := 1; return; end; end; end;
            rule !done ==> one(); done := true; end;",
            "leave the loop",
        ),
        (
            "rule !done ==> for n: Node do assume flag[n]; end; done := true; end;",
            "block the step",
        ),
        (
            "rule !done ==> var l: Level; begin l := 0; for n: Node do level[n] := l; if flag[n] then l := 1; end; end; done := true; end;",
            "a local variable, which another one reads",
        ),
        (
            "procedure next(n: Node); begin level[n] := total; if total < 3 then total := total + 1; end; end;
            rule !done ==> for n: Node do next(n); end; done := true; end;",
            "which another one reads",
        ),
        (
            "rule !done ==> for n: Node do if flag[n] then cover level[n] = 1; level[n] := 1; end; end; done := true; end;",
            "`cover` is inside",
        ),
    ] {
        refuse(&nodes(rules), rules, why);
    }
}

/// A model that is derived, with one thing changed by which it is not symmetric any more, or cannot be seen to be.
fn mutant(rules: &str, change: impl Fn(&mut UncheckedModel)) -> Model {
    let loaded = nodes(rules);
    assert!(derived(&loaded.model).refused.is_empty());
    let mut model = UncheckedModel::clone(&loaded.model);
    change(&mut model);
    assert!(model != *loaded.model, "something was changed");
    verify(model).expect("a model")
}

#[test]
fn an_ordered_quantifier_over_names_is_refused() {
    let rules = "rule forall n: Node do friend[n] = chosen end ==> done := true; end;";
    let model = mutant(rules, |model| {
        model.each_expr_mut(&mut |expr| {
            if let ExprKind::Quantified(quantified) = &mut expr.kind {
                quantified.evaluation = Evaluation::Ordered;
            }
        });
    });
    assert_eq!(derived(&model).refused.len(), 1);
}

#[test]
fn parameters_quantifiers_and_loops_over_some_names_are_refused() {
    let rules = "rule forall n: Node do flag[n] end & !done ==> for n: Node do level[n] := 1; end; done := true; end;";
    let parameters = mutant(rules, |model| {
        let edges = model.templates.iter_mut().flat_map(|t| &mut t.edges);
        let parameters = edges.flat_map(|edge| &mut edge.parameters);
        parameters.for_each(|parameter| parameter.values.0[0].count -= 1);
    });
    let quantifiers = mutant(rules, |model| {
        model.each_expr_mut(&mut |expr| {
            if let ExprKind::Quantified(quantified) = &mut expr.kind {
                quantified.values.0[0].count -= 1;
            }
        });
    });
    for model in [parameters, quantifiers] {
        assert_eq!(derived(&model).refused.len(), 1);
    }
}

#[test]
fn a_name_that_is_written_down_is_refused() {
    let rules = "rule !isundefined(chosen) & chosen = chosen ==> done := !done; end;";
    // Every comparison of two names becomes one with the second member.
    let model = mutant(rules, |model| {
        for edge in model.templates.iter_mut().flat_map(|t| &mut t.edges) {
            if let Step::Guarded { guard, .. } = &mut edge.step {
                guard.each_mut(&mut |expr| {
                    if let ExprKind::Binary(BinaryOp::Equal, _, right) = &mut expr.kind
                        && matches!(right.kind, ExprKind::Unary(..))
                    {
                        right.kind = ExprKind::Const(2);
                    }
                });
            }
        }
    });
    assert_eq!(derived(&model).refused.len(), 1);
}

/// What `mandala-symmetry` derives of the bundled models is what brute force finds in their first states.
#[test]
fn bundled_models_are_derived() {
    let root = env!("CARGO_MANIFEST_DIR");
    for (name, defines) in [
        ("german", &["N=2"][..]),
        ("two-phase-commit", &[]),
        ("mcs-lock", &[]),
        ("leader-complete", &[]),
        ("directory", &[]),
        ("directory-msi", &[]),
    ] {
        let path = format!("{root}/../../models/{name}/{name}.m");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let loaded = load_rules(&text, defines);
        let derivation = derived(&loaded.model);
        assert!(
            derivation.refused.is_empty(),
            "{name}: {:?}",
            derivation.refused
        );
        let certificate = derivation.certificate.expect("a certificate");
        let judgement = judged(&loaded, &certificate, 25);
        assert!(
            matches!(judgement, Judgement::Symmetric { .. }),
            "{name}: {judgement:?}"
        );
    }
}
