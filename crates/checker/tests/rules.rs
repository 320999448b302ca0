//! Systems of rules from the search to the document: states, rules fired, verdicts and runs.

use crate::systems::*;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{
    AfterViolation, CheckOptions, Deadlock, EngineChoice, SearchOrder, Selection, SymmetryChoice,
};
use mandala_checker::run::CheckError;
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_model::ids::{GlobalId, NodeId};
use mandala_model::property::PropertyKind;
use mandala_model::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef};
use mandala_model::template::Effect;
use mandala_model::verify::verify;
use mandala_model::{SourceText, Sources, UncheckedModel};
use mandala_report::Document;
use mandala_report::document::{Verdict, ViolationKind};
use std::collections::BTreeSet;
use std::sync::Arc;

fn loaded(model: UncheckedModel) -> LoadedModel {
    let mut sources = Sources::default();
    sources.add(SourceText::new("model.m", "x\n".repeat(600)));
    LoadedModel {
        model: Arc::new(verify(model).unwrap_or_else(|errors| panic!("{errors:?}"))),
        sources,
        warnings: Vec::new(),
        path: "model.m".into(),
        defines: Vec::new(),
        dialect: None,
        threads: None,
        stated: Vec::new(),
        stated_properties: Vec::new(),
    }
}

fn plain() -> CheckOptions {
    CheckOptions {
        symmetry: SymmetryChoice::Off,
        ..CheckOptions::default()
    }
}

fn checked(loaded: &LoadedModel, options: &CheckOptions) -> Document {
    check(loaded, options, &mut Nobody).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

/// The same options for all engines, in both orders.
fn ways(options: &CheckOptions) -> impl Iterator<Item = CheckOptions> + '_ {
    let orders = [SearchOrder::BreadthFirst, SearchOrder::DepthFirst];
    let engines = [
        EngineChoice::EXPLICIT,
        EngineChoice::SYMBOLIC,
        EngineChoice::REFERENCE,
    ];
    let ways = engines
        .into_iter()
        .flat_map(move |engine| orders.map(|order| (engine, order)));
    ways.map(|(engine, order)| CheckOptions {
        engine,
        order,
        ..options.clone()
    })
}

/// The same check by all engines, in both orders.
fn all_ways(loaded: &LoadedModel, options: &CheckOptions) -> Vec<Document> {
    let documents = ways(options).map(|options| checked(loaded, &options));
    documents.collect()
}

fn verdict(document: &Document, name: &str) -> Verdict {
    let mut properties = document.properties.iter();
    let property = properties.find(|p| p.name == name);
    property.unwrap_or_else(|| panic!("no `{name}`")).verdict
}

fn reason(document: &Document, name: &str) -> String {
    let mut properties = document.properties.iter();
    let property = properties.find(|p| p.name == name);
    property.and_then(|p| p.reason.clone()).unwrap_or_default()
}

/// Counts from 1 or from 3 up to 5 and starts anew.
fn counter() -> (Rules, GlobalId) {
    let mut rules = Rules::new();
    let x = rules.global("x", 6);
    for first in [1, 1, 3] {
        rules.start(always(vec![assign(place(x), num(first))]));
    }
    let next = vec![assign(place(x), plus(value(x), num(1)))];
    rules.rule(guarded(less(value(x), num(5)), next));
    rules.rule(guarded(
        equal(value(x), num(5)),
        vec![assign(place(x), num(1))],
    ));
    (rules, x)
}

#[test]
fn states_and_rules_fired_are_counted() {
    let (mut rules, x) = counter();
    // Leads back to where it came from, and counts all the same.
    rules.rule(always(vec![assign(place(x), value(x))]));
    // Counts too, though no state comes after it.
    rules.rule(guarded(equal(value(x), num(2)), vec![Effect::Abandon]));
    let loaded = loaded(rules.unchecked());
    for document in all_ways(&loaded, &plain()) {
        assert_eq!(document.verdict, Verdict::Holds);
        let counts = (document.stats.states, document.stats.transitions);
        assert_eq!(counts, (5, 11));
    }
}

/// What is said by all engines, in both orders, of a model that no run begins in.
fn no_run(loaded: &LoadedModel) -> BTreeSet<String> {
    let options = plain();
    let said = ways(&options).map(|options| match check(loaded, &options, &mut Nobody) {
        Err(Refusal::Check(CheckError::NoRun(why))) => why.message,
        other => panic!("{other:?}"),
    });
    said.collect()
}

#[test]
fn a_model_without_start_states_is_an_error() {
    let mut rules = Rules::new();
    let x = rules.global("x", 2);
    rules.rule(always(vec![assign(place(x), num(1))]));
    rules.invariant("never", num(0));
    let message = "no run of the model begins: it has no start state";
    assert_eq!(no_run(&loaded(rules.unchecked())), [message.into()].into());
}

#[test]
fn a_model_whose_start_states_are_all_left_out_is_an_error() {
    let mut rules = Rules::new();
    let x = rules.global("x", 2);
    rules.start(always(vec![assign(place(x), num(0)), Effect::Abandon]));
    rules.rule(always(vec![assign(place(x), num(1))]));
    let message = "no run of the model begins: every start state is left out by an assumption";
    assert_eq!(no_run(&loaded(rules.unchecked())), [message.into()].into());
}

#[test]
fn a_start_that_fails_is_a_run_of_one_step() {
    let (mut rules, x) = counter();
    rules.start(always(vec![assign(place(x), num(2)), fail("not two")]));
    let loaded = loaded(rules.unchecked());
    for document in all_ways(&loaded, &plain()) {
        assert_eq!(document.verdict, Verdict::Violated);
        let violation = document.violation.expect("a violation");
        assert_eq!(violation.message, "not two");
        assert_eq!(violation.kind, ViolationKind::Assertion);
        let steps = document.trace.expect("a run").steps;
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].statement, "edge 103");
    }
}

#[test]
fn a_run_begins_with_the_step_that_makes_the_start_state() {
    let (mut rules, x) = counter();
    rules.invariant("small", less(value(x), num(4)));
    let loaded = loaded(rules.unchecked());
    for document in all_ways(&loaded, &plain()) {
        assert_eq!(document.verdict, Verdict::Violated);
        let violation = document.violation.clone().expect("a violation");
        assert_eq!(violation.message, "invariant \"small\" is violated");
        assert_eq!(violation.property, "small");
        assert_eq!(violation.kind, ViolationKind::Invariant);
        assert_eq!(verdict(&document, "small"), Verdict::Violated);
        assert_eq!(verdict(&document, "safety"), Verdict::Unknown);
        let trace = document.trace.expect("a run");
        let statements: Vec<&str> = trace.steps.iter().map(|s| s.statement.as_str()).collect();
        // It ends in the state that violates it; the look is no step.
        assert!(statements[0].starts_with("edge 10"), "{statements:?}");
        assert_eq!(statements.last(), Some(&"edge 200"));
        let last = &trace.steps[trace.steps.len() - 1].changes[0];
        assert_eq!((last.name.as_str(), last.to.as_deref()), ("x", Some("3")));
        if trace.shortest {
            assert_eq!(statements, ["edge 102", "edge 200"]);
        }
    }
}

#[test]
fn a_fault_in_an_invariant_is_one_of_safety() {
    let (mut rules, _) = counter();
    let y = rules.global("y", 2);
    rules.invariant("reads", equal(value(y), num(1)));
    let loaded = loaded(rules.unchecked());
    for document in all_ways(&loaded, &plain()) {
        let violation = document.violation.clone().expect("a violation");
        assert_eq!(violation.kind, ViolationKind::RuntimeError);
        assert_eq!(verdict(&document, "safety"), Verdict::Violated);
        assert_eq!(verdict(&document, "reads"), Verdict::Unknown);
        assert_eq!(document.trace.expect("a run").steps.len(), 1);
    }
}

#[test]
fn a_search_that_goes_on_decides_every_invariant() {
    let (mut rules, x) = counter();
    rules.invariant("small", less(value(x), num(4)));
    rules.invariant("even smaller", less(value(x), num(5)));
    rules.invariant("true", num(1));
    let loaded = loaded(rules.unchecked());
    let options = CheckOptions {
        after_violation: AfterViolation::GoOn,
        ..plain()
    };
    for document in all_ways(&loaded, &options) {
        let verdicts = ["small", "even smaller", "true"].map(|name| verdict(&document, name));
        let expected = [Verdict::Violated, Verdict::Violated, Verdict::Holds];
        assert_eq!(verdicts, expected);
    }
}

#[test]
fn the_only_violation_there_is_leaves_the_rest_in_order() {
    let (mut rules, x) = counter();
    rules.invariant("not two", binary_not_equal(x, 2));
    rules.invariant("true", num(1));
    let loaded = loaded(rules.unchecked());
    let options = CheckOptions {
        after_violation: AfterViolation::GoOn,
        ..plain()
    };
    for document in all_ways(&loaded, &options) {
        assert_eq!(verdict(&document, "not two"), Verdict::Violated);
        assert_eq!(verdict(&document, "true"), Verdict::Holds);
        assert_eq!(verdict(&document, "safety"), Verdict::Holds);
        assert_eq!(document.stats.states, 5);
    }
}

fn binary_not_equal(x: GlobalId, number: i64) -> mandala_model::expr::Expr {
    equal(value(x), num(number)).negated()
}

#[test]
fn covers_hold_if_they_are_met() {
    let (mut rules, x) = counter();
    rules.cover("four", equal(value(x), num(4)));
    rules.cover("six", equal(value(x), num(6)));
    rules.cover("three or seven", equal(value(x), num(7)));
    rules.cover("three or seven", equal(value(x), num(3)));
    rules.reachable("again", equal(value(x), num(1)));
    let loaded = loaded(rules.unchecked());
    for document in all_ways(&loaded, &plain()) {
        assert_eq!(verdict(&document, "four"), Verdict::Holds);
        assert_eq!(verdict(&document, "three or seven"), Verdict::Holds);
        assert_eq!(verdict(&document, "six"), Verdict::Violated);
        assert_eq!(reason(&document, "six"), "it is met in no run");
        assert_eq!(verdict(&document, "safety"), Verdict::Holds);
        assert_eq!(verdict(&document, "again"), Verdict::Holds);
        assert_eq!(document.verdict, Verdict::Violated);
        assert!(document.trace.is_none());
        assert!(document.coverage.complete);
        let text = mandala_report::text::render(
            &document,
            &mandala_report::text::View::new(mandala_report::style::Colour::Off),
        );
        assert!(text.contains("six: it is met in no run"), "{text}");
    }
}

#[test]
fn covers_of_statements_are_met_where_the_node_is_passed() {
    let (mut rules, x) = counter();
    let at_three = equal(value(x), num(3));
    rules.rule(routine(
        400,
        vec![
            (false, vec![(guarded(at_three, Vec::new()), Some(1))]),
            (false, vec![(always(Vec::new()), None)]),
            (false, vec![(always(Vec::new()), None)]),
        ],
    ));
    rules.cover("passed", num(0));
    rules.cover("not passed", num(0));
    let edge = rules.rule_edge(2);
    let mut model = rules.unchecked();
    for (property, node) in model.properties.iter_mut().zip([1, 2]) {
        if let PropertyKind::Cover { nodes, .. } = &mut property.kind {
            nodes.push((edge.into(), NodeId(node)));
        }
    }
    let document = checked(&loaded(model), &plain());
    assert_eq!(verdict(&document, "passed"), Verdict::Holds);
    assert_eq!(verdict(&document, "not passed"), Verdict::Violated);
}

#[test]
fn a_search_that_ends_early_does_not_say_that_something_is_never_met() {
    let (mut rules, x) = counter();
    rules.cover("five", equal(value(x), num(5)));
    rules.cover("three", equal(value(x), num(3)));
    rules.invariant("small", less(value(x), num(4)));
    let loaded = loaded(rules.unchecked());
    let document = checked(&loaded, &plain());
    assert_eq!(verdict(&document, "five"), Verdict::Unknown);
    assert_eq!(verdict(&document, "three"), Verdict::Holds);
}

#[test]
fn a_property_can_be_chosen_by_its_name() {
    let (mut rules, x) = counter();
    rules.cover("six", equal(value(x), num(6)));
    rules.cover("four", equal(value(x), num(4)));
    let loaded = loaded(rules.unchecked());
    let options = CheckOptions {
        properties: Selection::Named(vec!["four".into()]),
        ..plain()
    };
    let document = checked(&loaded, &options);
    assert_eq!(document.verdict, Verdict::Holds);
    let names: Vec<&str> = document
        .properties
        .iter()
        .map(|p| p.name.as_str())
        .collect();
    assert_eq!(names, ["safety", "four"]);
    let options = CheckOptions {
        properties: Selection::Named(vec!["five".into()]),
        ..plain()
    };
    let refusal = check(&loaded, &options, &mut Nobody).expect_err("no such property");
    assert!(format!("{refusal:?}").contains("four"), "{refusal:?}");
}

#[test]
fn a_state_without_change_is_a_deadlock_with_a_run() {
    let mut rules = Rules::new();
    let x = rules.global("x", 3);
    rules.start(always(vec![assign(place(x), num(1))]));
    let next = vec![assign(place(x), plus(value(x), num(1)))];
    rules.rule(guarded(less(value(x), num(3)), next));
    rules.rule(always(vec![assign(place(x), value(x))]));
    let loaded = loaded(rules.unchecked());
    for document in all_ways(&loaded, &plain()) {
        let violation = document.violation.expect("a deadlock");
        assert_eq!(violation.kind, ViolationKind::Deadlock);
        assert_eq!(
            violation.message,
            "deadlock: no step leads to another state"
        );
        assert_eq!(document.trace.expect("a run").steps.len(), 3);
    }
    let options = CheckOptions {
        deadlock: Deadlock::Ignore,
        ..plain()
    };
    for document in all_ways(&loaded, &options) {
        assert_eq!(document.verdict, Verdict::Holds);
    }
}

/// Three members of a set, each with a flag that is set or not, and one of them chosen.
fn members(spoil: impl Fn(&mut Rules, GlobalId, GlobalId)) -> UncheckedModel {
    let mut rules = Rules::new();
    let flags = rules.array("flags", 2, 3);
    let chosen = rules.global("chosen", 3);
    let all = (0..3).map(|i| assign(element(flags, num(i)), num(1)));
    rules.start(always(all.collect()));
    for i in 0..3 {
        let flag = || element(flags, num(i));
        let free = equal(defined(raw(flag())), num(1));
        let set = vec![assign(flag(), num(2)), assign(place(chosen), num(i + 1))];
        rules.rule(guarded(free, set));
    }
    rules.rule(guarded(
        equal(raw(place(chosen)), num(0)).negated(),
        vec![
            assign(element(flags, minus(value(chosen), num(1))), num(1)),
            assign(place(chosen), num(0)),
        ],
    ));
    spoil(&mut rules, flags, chosen);
    let mut model = rules.unchecked();
    model.scalarsets = vec![Scalarset {
        name: "member".into(),
        span: at(1),
        first: 1,
        size: 3,
        uses: vec![ScalarsetUse {
            kind: UseKind::Holds {
                variable: VariableRef::Global(chosen),
                path: Vec::new(),
            },
            span: at(1),
        }],
        unordered: false,
    }];
    model
}

#[test]
fn members_of_a_set_are_interchangeable_if_the_looks_do_not_tell_them_apart() {
    let each = |rules: &mut Rules, flags: GlobalId, _: GlobalId| {
        for i in 0..3 {
            let set = equal(defined(raw(element(flags, num(i)))), num(2));
            rules.cover("some flag", set);
        }
    };
    let loaded = loaded(members(each));
    let all = checked(&loaded, &plain());
    let reduced = checked(&loaded, &CheckOptions::default());
    for document in [&all, &reduced] {
        assert_eq!(verdict(document, "some flag"), Verdict::Holds);
        assert_eq!(verdict(document, "safety"), Verdict::Holds);
    }
    assert!(
        reduced.stats.states < all.stats.states,
        "{:?}",
        reduced.symmetry
    );
}

/// Whether the report says that names are told apart by what has this name. A scalarset that breaks its promise is no error
/// in rules.
fn told_apart_by(loaded: &LoadedModel, what: &str) -> bool {
    let document = check(loaded, &CheckOptions::default(), &mut Nobody).expect("checked");
    let refused = document.symmetry.refused.iter();
    let mut reasons = refused.map(|refused| &refused.reason);
    reasons.any(|reason| reason.contains(what))
}

#[test]
fn looks_of_different_properties_are_not_exchanged() {
    let apart = |rules: &mut Rules, flags: GlobalId, _: GlobalId| {
        for (i, name) in [(0, "first"), (1, "second"), (2, "third")] {
            let set = equal(defined(raw(element(flags, num(i)))), num(2));
            rules.cover(name, set);
        }
    };
    let loaded = loaded(members(apart));
    assert!(told_apart_by(&loaded, "edge 30"));
}

#[test]
fn a_violation_of_an_invariant_is_found_among_representatives_too() {
    let each = |rules: &mut Rules, flags: GlobalId, chosen: GlobalId| {
        for i in 0..3 {
            let set = equal(defined(raw(element(flags, num(i)))), num(2));
            let other = equal(raw(place(chosen)), num(i + 1)).negated();
            // Somebody has a flag and is not the one that was chosen last.
            let both =
                mandala_model::expr::Expr::binary(mandala_model::expr::BinaryOp::And, set, other);
            rules.invariant("chosen", both.negated());
        }
    };
    let loaded = loaded(members(each));
    for options in [plain(), CheckOptions::default()] {
        let document = checked(&loaded, &options);
        assert_eq!(verdict(&document, "chosen"), Verdict::Violated);
        assert_eq!(document.trace.expect("a run").steps.len(), 3);
    }
}

#[test]
fn a_look_for_one_member_alone_breaks_the_symmetry() {
    let one = |rules: &mut Rules, flags: GlobalId, _: GlobalId| {
        let set = equal(defined(raw(element(flags, num(1)))), num(2));
        rules.cover("the second flag", set);
    };
    let loaded = loaded(members(one));
    assert!(told_apart_by(&loaded, "edge 300"));
}
