//! Systems of rules from the search to the document: states, rules fired, verdicts and runs.

use crate::systems::{system, unchecked};
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{
    AfterViolation, CheckOptions, Deadlock, EngineChoice, SearchOrder, Selection, SymmetryChoice,
};
use mandala_checker::run::CheckError;
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_model::verify::verify;
use mandala_model::{SourceText, Sources};
use mandala_report::Document;
use mandala_report::document::{Verdict, ViolationKind};
use std::collections::BTreeSet;
use std::sync::Arc;

fn loaded(text: &str) -> LoadedModel {
    let model = unchecked(text);
    let mut sources = Sources::default();
    sources.add(SourceText::new("model.ir", text));
    LoadedModel {
        model: Arc::new(verify(model).expect("the reader has verified it")),
        sources,
        warnings: Vec::new(),
        path: "model.ir".into(),
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

/// Counts from 1 or from 3 up to 5 and starts anew; other rules come behind that.
fn counter(rules: &str) -> String {
    started("", rules)
}

/// The same with other starts.
fn started(starts: &str, rules: &str) -> String {
    system(
        "global x: number(6)
         global y: number(2)",
        &format!(
            "s0 -> s1 text \"one\" do x = 1
             s0 -> s1 text \"one again\" do x = 1
             s0 -> s1 text \"three\" do x = 3
             {starts}"
        ),
        &format!(
            "s1 -> s1 text \"up\" when defined(x) < 5 do x = defined(x) + 1
             s1 -> s1 text \"anew\" when defined(x) == 5 do x = 1
             {rules}"
        ),
    )
}

/// Lines of an invariant with a monitor of that number.
fn invariant(number: u32, name: &str, condition: &str) -> String {
    format!(
        "monitor m{number} when !({condition}) do fail \"\"
         property `{name}` invariant m{number}
        "
    )
}

#[test]
fn states_and_rules_fired_are_counted() {
    // The first rule leads back to where it came from, and counts all the same. The second one counts too, though no state comes after it.
    let text = counter(
        "s1 -> s1 do x = defined(x)
         s1 -> s1 when defined(x) == 2 do abandon",
    );
    let loaded = loaded(&text);
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
    let text = system("global x: number(2)", "", "s1 -> s1 do x = 1") + &invariant(0, "never", "0");
    let message = "no run of the model begins: it has no start state";
    assert_eq!(no_run(&loaded(&text)), [message.into()].into());
}

#[test]
fn a_model_whose_start_states_are_all_left_out_is_an_error() {
    let text = system(
        "global x: number(2)",
        "s0 -> s1 do x = 0; abandon",
        "s1 -> s1 do x = 1",
    );
    let message = "no run of the model begins: every start state is left out by an assumption";
    assert_eq!(no_run(&loaded(&text)), [message.into()].into());
}

#[test]
fn a_start_that_fails_is_a_run_of_one_step() {
    let text = started("s0 -> s1 text \"two\" do x = 2; fail \"not two\"", "");
    let loaded = loaded(&text);
    for document in all_ways(&loaded, &plain()) {
        assert_eq!(document.verdict, Verdict::Violated);
        let violation = document.violation.expect("a violation");
        assert_eq!(violation.message, "not two");
        assert_eq!(violation.kind, ViolationKind::Assertion);
        let steps = document.trace.expect("a run").steps;
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].statement, "two");
    }
}

#[test]
fn a_run_begins_with_the_step_that_makes_the_start_state() {
    let loaded = loaded(&(counter("") + &invariant(0, "small", "defined(x) < 4")));
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
        let starts = ["one", "one again", "three"];
        assert!(starts.contains(&statements[0]), "{statements:?}");
        assert_eq!(statements.last(), Some(&"up"));
        let last = &trace.steps[trace.steps.len() - 1].changes[0];
        assert_eq!((last.name.as_str(), last.to.as_deref()), ("x", Some("4")));
        if trace.shortest {
            assert_eq!(statements, ["three", "up"]);
        }
    }
}

#[test]
fn a_fault_in_an_invariant_is_one_of_safety() {
    let loaded = loaded(&(counter("") + &invariant(0, "reads", "defined(y) == 1")));
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
    let text = counter("")
        + &invariant(0, "small", "defined(x) < 4")
        + &invariant(1, "even smaller", "defined(x) < 5")
        + &invariant(2, "true", "1");
    let loaded = loaded(&text);
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
    let text =
        counter("") + &invariant(0, "not two", "defined(x) != 2") + &invariant(1, "true", "1");
    let loaded = loaded(&text);
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

#[test]
fn covers_hold_if_they_are_met() {
    let text = counter("")
        + "monitor m0 when defined(x) == 4
           monitor m1 when defined(x) == 6
           monitor m2 when defined(x) == 7
           monitor m3 when defined(x) == 3
           monitor m4 when defined(x) == 1
           property four cover m0
           property six cover m1
           property `three or seven` cover m2, m3
           property again reachable m4";
    let loaded = loaded(&text);
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
    let text = counter(
        "s1 -> s1 routine {
           n0: when defined(x) == 3 -> n1
           n1: skip -> done
           n2: skip -> done
         }",
    ) + "property passed cover rules 5:n1
         property `not passed` cover rules 5:n2";
    let document = checked(&loaded(&text), &plain());
    assert_eq!(verdict(&document, "passed"), Verdict::Holds);
    assert_eq!(verdict(&document, "not passed"), Verdict::Violated);
}

#[test]
fn a_search_that_ends_early_does_not_say_that_something_is_never_met() {
    let text = counter("")
        + "monitor m0 when defined(x) == 5
           monitor m1 when defined(x) == 3
           property five cover m0
           property three cover m1
          "
        + &invariant(2, "small", "defined(x) < 4");
    let loaded = loaded(&text);
    let document = checked(&loaded, &plain());
    assert_eq!(verdict(&document, "five"), Verdict::Unknown);
    assert_eq!(verdict(&document, "three"), Verdict::Holds);
}

#[test]
fn a_property_can_be_chosen_by_its_name() {
    let text = counter("")
        + "monitor m0 when defined(x) == 6
           monitor m1 when defined(x) == 4
           property six cover m0
           property four cover m1";
    let loaded = loaded(&text);
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
    let text = system(
        "global x: number(3)",
        "s0 -> s1 do x = 1",
        "s1 -> s1 when defined(x) < 3 do x = defined(x) + 1
         s1 -> s1 do x = defined(x)",
    );
    let loaded = loaded(&text);
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

/// Three members of a set, each with a flag that is set or not, and one of them chosen. Monitors and properties come behind it.
fn members(looks: &str) -> String {
    let set = |member: u32| {
        let chosen = member + 1;
        format!(
            "s1 -> s1 when defined(flags[{member}]) == 1 do flags[{member}] = 2; chosen = {chosen}\n"
        )
    };
    let sets: String = (0..3).map(set).collect();
    system(
        "coding member members
         global flags: number(2)[3 by member]
         global chosen: member(3)",
        "s0 -> s1 do flags[0] = 1; flags[1] = 1; flags[2] = 1",
        &format!(
            "{sets}
             s1 -> s1 when !(chosen == 0) do flags[defined(chosen) - 1] = 1; chosen = 0"
        ),
    ) + looks
        + "scalarset member = 1..3
             holds chosen"
}

/// A monitor that each member with its flag set meets, and the properties that name these.
fn looks(properties: &str) -> String {
    let look = |member: u32| {
        format!("monitor m{member} text \"look {member}\" when defined(flags[{member}]) == 2\n")
    };
    let looks: String = (0..3).map(look).collect();
    looks + properties + "\n"
}

#[test]
fn members_of_a_set_are_interchangeable_if_the_looks_do_not_tell_them_apart() {
    let text = members(&looks("property `some flag` cover m0, m1, m2"));
    let loaded = loaded(&text);
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
    let text = members(&looks(
        "property first cover m0
         property second cover m1
         property third cover m2",
    ));
    assert!(told_apart_by(&loaded(&text), "look "));
}

#[test]
fn a_violation_of_an_invariant_is_found_among_representatives_too() {
    // Somebody has a flag and is not the one that was chosen last.
    let look = |member: u32| {
        let chosen = member + 1;
        format!(
            "monitor m{member} when defined(flags[{member}]) == 2 && chosen != {chosen} do fail \"\"\n"
        )
    };
    let looks: String = (0..3).map(look).collect();
    let text = members(&(looks + "property chosen invariant m0, m1, m2\n"));
    let loaded = loaded(&text);
    for options in [plain(), CheckOptions::default()] {
        let document = checked(&loaded, &options);
        assert_eq!(verdict(&document, "chosen"), Verdict::Violated);
        assert_eq!(document.trace.expect("a run").steps.len(), 3);
    }
}

#[test]
fn a_look_for_one_member_alone_breaks_the_symmetry() {
    let look = "monitor m0 text \"one look\" when defined(flags[1]) == 2
         property `the second flag` cover m0
        ";
    assert!(told_apart_by(&loaded(&members(look)), "one look"));
}
