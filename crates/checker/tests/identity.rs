//! A property is known by what it is, not by its name: names may repeat, and each row is that of its own property.

use mandala_checker::check;
use mandala_checker::document::retrace::{Resemblance, retrace};
use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_checker::options::{
    AfterViolation, CheckOptions, EngineChoice, SearchOrder, Selection, SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_report::Document;
use mandala_report::document::{PropertyId, PropertyKind, Verdict, ViolationKind};
use std::num::NonZeroU32;

/// A counter that goes from 0 to 3.
const COUNTER: &str = "var x: 0..3; startstate begin x := 0; end; \
                       rule \"inc\" x < 3 ==> begin x := x + 1; end;\n";

fn loaded(text: &str) -> LoadedModel {
    let input = ModelInput {
        path: "model.m".into(),
        text: text.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    load(input).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// The model with all engines, in both orders, with one worker or two.
fn all_ways(loaded: &LoadedModel, options: &CheckOptions) -> Vec<Document> {
    let two = NonZeroU32::new(2).expect("not zero");
    let ways = [
        (EngineChoice::EXPLICIT, NonZeroU32::MIN),
        (EngineChoice::EXPLICIT, two),
        (EngineChoice::SYMBOLIC, NonZeroU32::MIN),
        (EngineChoice::REFERENCE, NonZeroU32::MIN),
    ];
    let orders = [SearchOrder::BreadthFirst, SearchOrder::DepthFirst];
    let ways = ways
        .into_iter()
        .flat_map(|way| orders.map(|order| (way, order)));
    let checked = ways.map(|((engine, workers), order)| {
        let options = CheckOptions {
            engine,
            workers,
            order,
            ..options.clone()
        };
        check(loaded, &options, &mut Nobody).unwrap_or_else(|refusal| panic!("{refusal:?}"))
    });
    checked.collect()
}

fn keep_going() -> CheckOptions {
    CheckOptions {
        symmetry: SymmetryChoice::Off,
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    }
}

/// The identity and the verdict of each row.
fn rows(document: &Document) -> Vec<(PropertyId, Verdict)> {
    let rows = document.properties.iter();
    rows.map(|row| (row.id, row.verdict)).collect()
}

/// The identity of each row and how many violations it has.
fn counts(document: &Document) -> Vec<(PropertyId, u64)> {
    let rows = document.properties.iter();
    rows.map(|row| (row.id, row.violations)).collect()
}

/// Every violation is replayed, and is that of its property, as its trace is.
fn assert_replays(loaded: &LoadedModel, document: &Document) {
    for (violation, trace) in document.counterexamples() {
        let again = retrace(loaded, trace, violation, Resemblance::Same);
        let again = again.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.violation, *violation);
        assert_eq!(again.trace, *trace);
        let named = (violation.property_id, &violation.property);
        assert_eq!((trace.property_id, &trace.property), named);
    }
}

#[test]
fn a_cover_that_is_met_is_not_violated_because_an_invariant_has_its_name() {
    let loaded = loaded(&format!(
        "{COUNTER} cover \"same\" x = 2; invariant \"same\" x < 3;"
    ));
    for document in all_ways(&loaded, &keep_going()) {
        let expected = [
            (PropertyId::Safety, Verdict::Violated),
            (PropertyId::Stated(0), Verdict::Holds),
            (PropertyId::Stated(1), Verdict::Violated),
        ];
        // The counter stops at 3, which is a deadlock.
        assert_eq!(rows(&document), expected);
        assert_eq!(document.properties[1].kind, PropertyKind::Cover);
        assert_replays(&loaded, &document);
    }
}

#[test]
fn of_two_invariants_of_one_name_the_one_that_holds_is_not_violated() {
    for (text, verdicts) in [
        (
            "invariant \"same\" x < 10; invariant \"same\" x < 2;",
            [Verdict::Holds, Verdict::Violated],
        ),
        (
            "invariant \"same\" x < 2; invariant \"same\" x < 10;",
            [Verdict::Violated, Verdict::Holds],
        ),
        (
            "invariant \"same\" x < 3; invariant \"same\" x < 2;",
            [Verdict::Violated, Verdict::Violated],
        ),
    ] {
        let loaded = loaded(&format!("{COUNTER} {text}"));
        for document in all_ways(&loaded, &keep_going()) {
            let found: Vec<Verdict> = rows(&document)[1..].iter().map(|row| row.1).collect();
            assert_eq!(found, verdicts, "{text}");
            assert_replays(&loaded, &document);
        }
    }
}

#[test]
fn a_search_that_goes_on_decides_every_invariant() {
    let loaded = loaded(&format!(
        "{COUNTER} rule \"back\" x = 3 ==> begin x := 0; end;
         invariant \"a\" x < 3; invariant \"b\" x < 2; invariant \"c\" x < 4; invariant \"d\" x != 1;"
    ));
    for document in all_ways(&loaded, &keep_going()) {
        let verdicts: Vec<Verdict> = rows(&document).iter().map(|row| row.1).collect();
        let expected = [
            Verdict::Holds,
            Verdict::Violated,
            Verdict::Violated,
            Verdict::Holds,
            Verdict::Violated,
        ];
        assert_eq!(verdicts, expected);
        let shown: Vec<PropertyId> = document
            .counterexamples()
            .map(|(violation, _)| violation.property_id)
            .collect();
        assert_eq!(shown.len(), 3);
        // What was met first comes first.
        assert_eq!(shown[0], PropertyId::Stated(3));
        assert_replays(&loaded, &document);
    }
}

#[test]
fn a_search_that_stops_says_which_invariant_is_violated_and_nothing_of_the_others() {
    let loaded = loaded(&format!(
        "{COUNTER} invariant \"same\" x < 10; invariant \"same\" x < 2;"
    ));
    let options = CheckOptions {
        after_violation: AfterViolation::Stop,
        ..keep_going()
    };
    for document in all_ways(&loaded, &options) {
        let expected = [
            (PropertyId::Safety, Verdict::Unknown),
            (PropertyId::Stated(0), Verdict::Unknown),
            (PropertyId::Stated(1), Verdict::Violated),
        ];
        assert_eq!(rows(&document), expected);
        let violation = document.violation.as_ref().expect("a violation");
        assert_eq!(violation.property_id, PropertyId::Stated(1));
        assert_replays(&loaded, &document);
    }
}

#[test]
fn a_step_that_fails_in_a_rule_is_no_violation_of_an_invariant_that_calls_the_same_function() {
    let loaded = loaded(
        "var x: 0..3; \
         function small(n: 0..4): boolean; begin if n > 3 then error \"too large\"; end; return true; end;\n\
         startstate begin x := 0; end; \
         rule \"inc\" x < 3 ==> begin x := x + 1; end; \
         rule \"far\" x = 3 & small(x + 1) ==> begin x := 0; end; \
         invariant \"small\" small(x);",
    );
    for document in all_ways(&loaded, &keep_going()) {
        let expected = [
            (PropertyId::Safety, Verdict::Violated),
            (PropertyId::Stated(0), Verdict::Holds),
        ];
        assert_eq!(rows(&document), expected);
        let violation = document.violation.as_ref().expect("a violation");
        assert_eq!(violation.property_id, PropertyId::Safety);
        assert_eq!(violation.kind, ViolationKind::Assertion);
        assert_replays(&loaded, &document);
    }
}

#[test]
fn an_invariant_that_has_no_value_somewhere_is_not_said_to_hold() {
    let loaded = loaded(
        "var x: 0..3; y: 0..3; startstate begin x := 0; y := 0; end; \
         rule \"inc\" x < 3 ==> begin x := x + 1; if x = 2 then undefine y; else y := 0; end; end; \
         rule \"back\" x = 3 ==> begin x := 0; y := 0; end; \
         invariant \"reads\" y < 2; invariant \"other\" x < 4;",
    );
    for document in all_ways(&loaded, &keep_going()) {
        let expected = [
            (PropertyId::Safety, Verdict::Violated),
            (PropertyId::Stated(0), Verdict::Unknown),
            (PropertyId::Stated(1), Verdict::Holds),
        ];
        assert_eq!(rows(&document), expected);
        assert_replays(&loaded, &document);
    }
}

#[test]
fn with_symmetry_each_invariant_keeps_its_own_violation() {
    let loaded = loaded(
        "type Who: scalarset(3); var at: array [Who] of 0..2; \
         startstate begin for w: Who do at[w] := 0; end; end; \
         ruleset w: Who do rule \"on\" at[w] < 2 ==> begin at[w] := at[w] + 1; end; end;\n\
         ruleset w: Who do rule \"off\" at[w] = 2 ==> begin at[w] := 0; end; end;\n\
         invariant \"same\" forall w: Who do at[w] < 3 end; \
         invariant \"same\" forall w: Who do at[w] < 2 end; \
         invariant \"same\" exists w: Who do at[w] != 1 end;",
    );
    for symmetry in [SymmetryChoice::Off, SymmetryChoice::default()] {
        let options = CheckOptions {
            symmetry,
            engine: EngineChoice::EXPLICIT,
            ..keep_going()
        };
        let document = check(&loaded, &options, &mut Nobody).expect("a document");
        let expected = [
            (PropertyId::Safety, Verdict::Holds),
            (PropertyId::Stated(0), Verdict::Holds),
            (PropertyId::Stated(1), Verdict::Violated),
            (PropertyId::Stated(2), Verdict::Violated),
        ];
        assert_eq!(rows(&document), expected, "{symmetry:?}");
        assert_replays(&loaded, &document);
    }
}

#[test]
fn a_name_selects_all_properties_that_have_it() {
    let loaded = loaded(&format!(
        "{COUNTER} cover \"same\" x = 2; invariant \"same\" x < 3; invariant \"other\" x < 2;"
    ));
    let options = CheckOptions {
        properties: Selection::Named(vec!["same".into()]),
        ..keep_going()
    };
    for document in all_ways(&loaded, &options) {
        let ids: Vec<PropertyId> = rows(&document).iter().map(|row| row.0).collect();
        let expected = [
            PropertyId::Safety,
            PropertyId::Stated(0),
            PropertyId::Stated(1),
        ];
        assert_eq!(ids, expected);
    }
}

#[test]
fn an_invariant_that_is_not_selected_does_not_matter() {
    let loaded = loaded(&format!(
        "{COUNTER} rule \"back\" x = 3 ==> begin x := 0; end; invariant \"a\" x < 2; invariant \"b\" x < 4;"
    ));
    for name in ["safety", "b"] {
        let options = CheckOptions {
            properties: Selection::Named(vec![name.into()]),
            ..keep_going()
        };
        for document in all_ways(&loaded, &options) {
            assert_eq!(document.verdict, Verdict::Holds, "{name}");
            assert_eq!(document.stats.violations, 0, "{name}");
        }
    }
}

#[test]
fn each_row_has_the_count_of_its_own_violations() {
    let loaded = loaded(&format!(
        "{COUNTER} invariant \"a\" x < 2; cover \"c\" x = 2; cover \"d\" x > 3; invariant \"b\" x != 1; invariant \"e\" x < 4;"
    ));
    for document in all_ways(&loaded, &keep_going()) {
        let expected = [
            // The counter stops at 3, which is a deadlock.
            (PropertyId::Safety, 1),
            (PropertyId::Stated(0), 2),
            (PropertyId::Stated(1), 0),
            // What is never met has no run to be counted.
            (PropertyId::Stated(2), 0),
            (PropertyId::Stated(3), 1),
            (PropertyId::Stated(4), 0),
        ];
        assert_eq!(counts(&document), expected);
        assert_eq!(document.stats.violations, 4);
        assert_replays(&loaded, &document);
    }
}

#[test]
fn an_invariant_without_a_value_is_counted_where_it_is_told() {
    let loaded = loaded(
        "var x: 0..3; y: 0..3; startstate begin x := 0; y := 0; end; \
         rule \"inc\" x < 3 ==> begin x := x + 1; if x >= 2 then undefine y; else y := 0; end; end; \
         rule \"back\" x = 3 ==> begin x := 0; y := 0; end; \
         invariant \"reads\" y < 2; invariant \"other\" x < 3;",
    );
    for document in all_ways(&loaded, &keep_going()) {
        let expected = [
            (PropertyId::Safety, 2),
            (PropertyId::Stated(0), 0),
            (PropertyId::Stated(1), 1),
        ];
        assert_eq!(counts(&document), expected);
    }
}

#[test]
fn a_search_that_stops_counts_for_the_property_that_it_shows() {
    let loaded = loaded(&format!(
        "{COUNTER} invariant \"a\" x < 2; invariant \"b\" x < 3; invariant \"c\" x != 2;"
    ));
    let options = CheckOptions {
        after_violation: AfterViolation::Stop,
        ..keep_going()
    };
    for document in all_ways(&loaded, &options) {
        for row in &document.properties {
            let is_violated = row.verdict == Verdict::Violated;
            assert_eq!(row.violations, u64::from(is_violated), "{}", row.name);
        }
        assert_eq!(document.verdict, Verdict::Violated);
        assert_replays(&loaded, &document);
    }
}

#[test]
fn what_only_the_graph_of_all_states_shows_is_one_violation() {
    let loaded = loaded(&format!(
        "{COUNTER} rule \"down\" x = 3 ==> begin x := 2; end; liveness \"back\" x = 0;"
    ));
    for document in all_ways(&loaded, &keep_going()) {
        assert_eq!(
            rows(&document)[1],
            (PropertyId::Stated(0), Verdict::Violated)
        );
        assert_eq!(counts(&document)[1], (PropertyId::Stated(0), 1));
        assert_replays(&loaded, &document);
    }
}
