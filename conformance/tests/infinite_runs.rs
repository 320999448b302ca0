//! The installed Spin still says what the table of facts says, and so do we.
#![allow(clippy::print_stdout)]

use mandala_checker::check;
use mandala_checker::frontend::{LoadedModel, ModelInput, PropertyInput, load_with};
use mandala_checker::options::{
    AfterViolation, CheckOptions, CycleSearch, Deadlock, Fairness, Selection, SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_conformance::infinite::{Asked, FACTS, Fact};
use mandala_conformance::spin::Spin;
use mandala_model::stated::StatedForm;
use mandala_report::document::Verdict;
use std::time::Duration;

#[test]
fn spin_agrees_with_the_table() {
    if Spin::find().is_none() {
        println!("skipped: spin or gcc is not installed");
        return;
    }
    for fact in FACTS {
        let said = fact.ask(Duration::from_secs(300)).expect("both are there");
        assert_eq!(said, Ok(fact.violated), "{}: {}", fact.what, fact.model);
    }
}

/// Where we differ on purpose: labels of processes are a property of their own, and no claim has a say in it; and `np_` speaks of
/// the state in which it is asked, also at the start and at the end.
const DIFFERENT: [&str; 3] = [
    "but only in runs that the claim follows",
    "in a formula, np_ is true at the start although a process is at a progress label",
    "and false where the run stands still, although nobody is at one",
];

fn loaded(fact: &Fact) -> LoadedModel {
    let form = match fact.asked {
        Asked::Accept | Asked::AcceptFair => StatedForm::Accept,
        Asked::Progress | Asked::ProgressFair => StatedForm::Progress,
    };
    let input = ModelInput {
        path: "fact.pml".into(),
        text: fact.model.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    let stated = PropertyInput {
        form,
        name: Some(form.name().into()),
        origin: "fact".into(),
        text: String::new(),
    };
    load_with(input, vec![stated]).unwrap_or_else(|error| panic!("{}: {error:?}", fact.model))
}

/// What decides: for acceptance also the claim of the model, if it has one.
fn properties(fact: &Fact, loaded: &LoadedModel) -> Selection {
    let progress = matches!(fact.asked, Asked::Progress | Asked::ProgressFair);
    let names = loaded.model.properties.iter().map(|p| p.name.clone());
    let names = names.filter(|name| !progress || name == "non-progress");
    Selection::Named(names.collect())
}

fn options(fact: &Fact, loaded: &LoadedModel) -> CheckOptions {
    CheckOptions {
        properties: properties(fact, loaded),
        fairness: match fact.asked {
            Asked::AcceptFair | Asked::ProgressFair => Fairness::Weak,
            Asked::Accept | Asked::Progress => Fairness::Off,
        },
        deadlock: Deadlock::Ignore,
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    }
}

fn is_violated(loaded: &LoadedModel, options: &CheckOptions) -> bool {
    let document = check(loaded, options, &mut Nobody);
    let document = document.unwrap_or_else(|refusal| panic!("{refusal:?}"));
    match document.verdict {
        Verdict::Violated => true,
        Verdict::Holds => false,
        Verdict::Unknown | Verdict::Value => panic!("{:?}", document.properties),
    }
}

#[test]
fn we_agree_with_the_table() {
    for fact in FACTS.iter().filter(|fact| !DIFFERENT.contains(&fact.what)) {
        let loaded = loaded(fact);
        let usual = options(fact, &loaded);
        for symmetry in [SymmetryChoice::default(), SymmetryChoice::Off] {
            for cycles in [CycleSearch::Auto, CycleSearch::Graph] {
                let options = CheckOptions {
                    symmetry,
                    cycles,
                    ..usual.clone()
                };
                let ours = is_violated(&loaded, &options);
                assert_eq!(ours, fact.violated, "{}: {}", fact.what, fact.model);
            }
        }
    }
}
