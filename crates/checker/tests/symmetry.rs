//! What is found about the symmetry of a model, and what a check makes of it.

use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_checker::options::{
    AfterViolation, CheckOptions, Choice, Expansion, SearchOrder, SymmetryChoice,
};
use mandala_checker::run::CheckError;
use mandala_checker::symmetry::SymmetryError;
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check, symmetry};
use mandala_prepare::RewriteDefect;
use mandala_report::Document;
use mandala_report::document::{Guarantee, Symmetry, Verdict, ViolationKind};
use std::io;

fn loaded(text: &str) -> LoadedModel {
    let input = ModelInput {
        path: "model.pml".into(),
        text: text.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(io::ErrorKind::NotFound.into()),
    };
    load(input).expect("a right model")
}

fn found(text: &str) -> Symmetry {
    let report = symmetry(&loaded(text), &CheckOptions::default()).expect("a symmetry");
    report.document.symmetry
}

fn checked(text: &str, options: &CheckOptions) -> Document {
    check(&loaded(text), options, &mut Nobody).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

fn with(symmetry: SymmetryChoice) -> CheckOptions {
    CheckOptions {
        symmetry,
        ..CheckOptions::default()
    }
}

/// Every way of using symmetry state by state.
fn all_options() -> Vec<CheckOptions> {
    let mut all = Vec::new();
    let by_state = |choice: &&SymmetryChoice| {
        !matches!(
            choice,
            SymmetryChoice::OnSets(_) | SymmetryChoice::Partial(_) | SymmetryChoice::Counters
        )
    };
    for &symmetry in SymmetryChoice::ALL.iter().filter(by_state) {
        for &order in SearchOrder::ALL {
            let expands = Expansion::ALL.iter().copied().map(Some);
            for expand in expands
                .filter(|_| symmetry != SymmetryChoice::Off)
                .chain([None])
            {
                all.push(CheckOptions {
                    order,
                    expand,
                    ..with(symmetry)
                });
            }
        }
    }
    all
}

/// Every process ends, in an order that the model cannot observe.
const ENDING: &str = "
    byte inside;
    active [3] proctype user() {
        inside++;
        assert(inside < 3);
        inside--
    }";

/// All wait for each other for ever, but one that has ended.
const STUCK: &str = "
    byte first;
    active [3] proctype user() {
        first++;
        if
        :: atomic { first == 3 -> first = 4 }
        fi
    }";

/// Nobody can go on when everybody but the last has ended; then time runs out.
const LATE: &str = "
    byte done;
    proctype user() { done++ }
    active proctype clock() { run user(); run user(); timeout -> assert(done == 0) }";

#[test]
fn processes_that_end_are_interchangeable_where_nobody_can_observe_their_end() {
    let symmetry = found(ENDING);
    assert_eq!(symmetry.order, "6");
    assert_eq!(symmetry.domains[0].name, "user");
    let asks = ENDING.replace("inside < 3", "_nr_pr > 0");
    let symmetry = found(&asks);
    assert_eq!(symmetry.order, "1");
    assert!(!symmetry.refused.is_empty());
}

#[test]
fn violations_are_found_and_replayed_in_every_way() {
    let models = [
        (ENDING, ViolationKind::Assertion),
        (STUCK, ViolationKind::Deadlock),
        (LATE, ViolationKind::Assertion),
    ];
    for (text, kind) in models {
        for options in all_options() {
            let document = checked(text, &options);
            assert_eq!(document.verdict, Verdict::Violated, "{options:?}\n{text}");
            let violation = document.violation.expect("a violation");
            assert_eq!(violation.kind, kind, "{options:?}\n{text}");
        }
    }
}

#[test]
fn what_holds_holds_in_every_way() {
    let right = ENDING.replace("inside < 3", "inside < 4");
    let all = checked(&right, &with(SymmetryChoice::Off));
    for options in all_options() {
        let document = checked(&right, &options);
        let expected = match document.symmetry.guarantee {
            Guarantee::MayMiss => Verdict::Unknown,
            Guarantee::Canonical | Guarantee::Several => Verdict::Holds,
        };
        assert_eq!(document.verdict, expected, "{options:?}");
        assert!(document.stats.states <= all.stats.states, "{options:?}");
    }
}

#[test]
fn all_violations_are_counted_on_the_representatives() {
    let options = CheckOptions {
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    };
    let document = checked(ENDING, &options);
    assert_eq!(document.verdict, Verdict::Violated);
    assert!(document.coverage.complete);
    assert!(document.symmetry.exact);
}

#[test]
fn a_claim_that_names_a_process_is_checked_with_what_it_leaves() {
    let text = "
        bool seen[3];
        active [3] proctype user() { end: do :: seen[_pid] = true od }
        ltl first { [] (seen[0] || !seen[0]) }
        ltl second { [] !seen[1] }";
    let options = CheckOptions {
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    };
    let document = checked(text, &options);
    assert_eq!(document.symmetry.order, "6");
    let orders: Vec<_> = document
        .properties
        .iter()
        .map(|p| p.symmetry.as_ref().map(|s| s.order.as_str()))
        .collect();
    assert_eq!(orders[0], None);
    assert!(orders[2].is_some_and(|order| order != "6"), "{orders:?}");
    let verdicts: Vec<_> = document.properties.iter().map(|p| p.verdict).collect();
    let expected = [Verdict::Holds, Verdict::Holds, Verdict::Violated];
    assert_eq!(verdicts, expected);
}

#[test]
fn a_main_array_that_is_none_is_refused_before_the_search() {
    let text = "byte other[3]; byte inside;
        active [2] proctype user() { end: do :: inside = other[inside % 3] od }";
    for name in ["sorted", "segmented"] {
        let options = CheckOptions {
            main_array: Some("other".into()),
            ..with(SymmetryChoice::named(name).expect("a strategy"))
        };
        let error = check(&loaded(text), &options, &mut Nobody).expect_err("no main array");
        let Refusal::Check(error) = error else {
            panic!("{error:?}");
        };
        let error = error.to_string();
        assert!(
            error.contains("`other` cannot be the main array"),
            "{error}"
        );
    }
}

/// Representatives take one branch of three: the others are reached all the same.
/// What rewrites make is verified (`reverify`). That a wrong one is told as an internal error, by its name, is shown here.
#[test]
fn a_wrong_rewrite_is_an_internal_error() {
    let defect = RewriteDefect {
        rewrite: "the merging of local steps",
        refusals: "edge 0: the target does not exist".into(),
    };
    match Refusal::from(SymmetryError::from(defect)) {
        Refusal::Check(CheckError::Defect(what)) => assert_eq!(
            what,
            "the merging of local steps made a model that the verifier refuses: \
             edge 0: the target does not exist"
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn branches_that_representatives_do_not_take_are_not_called_unreached() {
    let text = "byte owner = 255, x;
        active [3] proctype P() {
          do
          :: atomic { owner == 255 -> owner = _pid }
          :: atomic { owner == _pid ->
               if
               :: owner == 0 -> x = 1
               :: owner == 1 -> x = 1
               :: owner == 2 -> x = 1
               fi;
               owner = 255; x = 0 }
          od
        }";
    let document = checked(text, &CheckOptions::default());
    assert_eq!(document.symmetry.order, "6");
    let lines: Vec<u32> = document.unreached.iter().map(|u| u.line).collect();
    assert_eq!(lines, [13], "only the end of the process");
    let dead = text.replace(
        "owner = 255; x = 0 }",
        "owner = 255; x = 0 } :: false -> x = 2",
    );
    let document = checked(&dead, &CheckOptions::default());
    assert_eq!(document.symmetry.order, "6");
    let lines: Vec<u32> = document.unreached.iter().map(|u| u.line).collect();
    assert_eq!(lines, [11, 13], "what nobody can reach is still named");
}
