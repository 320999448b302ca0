//! What Rumur finds in some 150 small Murphi models is what a check finds, with and without symmetry.

use mandala_checker::check;
use mandala_checker::frontend::{Dialect, LoadedModel, ModelInput, load};
use mandala_checker::options::{CheckOptions, Deadlock, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_report::Document;
use mandala_report::document::{Verdict, Violation, ViolationKind};

/// The models, shared with the tests of the front end. The file says how it is to be read.
const FACTS: &str = include_str!("../../murphi/tests/facts.txt");

struct Fact {
    title: &'static str,
    states: u64,
    rules: u64,
    found: &'static str,
    text: &'static str,
}

fn facts() -> Vec<Fact> {
    let facts = FACTS.split("\n== ").skip(1).map(fact);
    let facts = facts.map(|fact| fact.expect("a fact"));
    // Rumur has nothing to say against a model in which no run begins. Here that is an error (`rules`).
    facts.filter(|fact| !fact.is_without_runs()).collect()
}

fn fact(text: &'static str) -> Option<Fact> {
    let (title, rest) = text.split_once('\n')?;
    let (expected, text) = rest.split_once('\n')?;
    let (states, expected) = expected.split_once(" states, ")?;
    let (rules, found) = expected.split_once(" rules, ")?;
    Some(Fact {
        title,
        states: states.parse().ok()?,
        rules: rules.parse().ok()?,
        found,
        text,
    })
}

impl Fact {
    fn is_without_runs(&self) -> bool {
        self.states == 0 && self.found == "no error"
    }

    fn loaded(&self) -> LoadedModel {
        let input = ModelInput {
            path: "fact.m".into(),
            text: self.text.into(),
            defines: Vec::new(),
            dialect: Some(Dialect::Rumur),
            read: |_| Err(std::io::Error::other("there is no other file")),
        };
        load(input).unwrap_or_else(|error| panic!("{}: {error:?}", self.title))
    }

    fn checked(&self, symmetry: SymmetryChoice) -> Document {
        let options = CheckOptions {
            symmetry,
            deadlock: match self.title {
                title if title.contains("(deadlocks off)") => Deadlock::Ignore,
                title if title.contains("(deadlocks stuck)") => Deadlock::Stuck,
                _ => Deadlock::Report,
            },
            ..CheckOptions::default()
        };
        check(&self.loaded(), &options, &mut Nobody)
            .unwrap_or_else(|refusal| panic!("{}: {refusal:?}", self.title))
    }

    /// Whether that is what is expected.
    fn agrees(&self, document: &Document) -> bool {
        let kind = document.violation.as_ref().map(|v| v.kind);
        let violated = document.verdict == Verdict::Violated;
        match (self.found, self.found.strip_suffix(" is not so")) {
            ("no error", _) => document.verdict == Verdict::Holds,
            ("deadlock", _) => kind == Some(ViolationKind::Deadlock),
            (_, Some(name)) => {
                let mut properties = document.properties.iter();
                properties.any(|p| p.name == name && p.verdict == Verdict::Violated)
                    || document.counterexamples().any(|(v, _)| is_of(v, name))
            }
            _ => violated && kind.is_some_and(|kind| kind != ViolationKind::Deadlock),
        }
    }
}

/// Whether that is a violation of the property that Rumur names with the values of its parameters. Of several values for which it is violated, each may be told.
fn is_of(violation: &Violation, named: &str) -> bool {
    let name = named.split_once(" [").map(|(name, _)| name);
    !violation.parameters.is_empty() && name == Some(violation.property.as_str())
}

#[test]
fn verdicts_and_counts_are_those_of_rumur() {
    let facts = facts();
    assert!(facts.len() > 140, "{} facts", facts.len());
    for fact in facts {
        let document = fact.checked(SymmetryChoice::Off);
        assert!(fact.agrees(&document), "{}: {document:#?}", fact.title);
        let (states, rules) = (document.stats.states, document.stats.transitions);
        if document.coverage.complete {
            let expected = (fact.states, fact.rules);
            assert_eq!((states, rules), expected, "{}", fact.title);
        }
    }
}

/// Checks every second fact with symmetry.
fn check_with_symmetry(first: usize) {
    for fact in facts().iter().skip(first).step_by(2) {
        let document = fact.checked(SymmetryChoice::default());
        assert!(fact.agrees(&document), "{}: {document:#?}", fact.title);
    }
}

#[test]
fn symmetry_does_not_change_them() {
    check_with_symmetry(0);
}

#[test]
fn nor_does_it_change_the_others() {
    check_with_symmetry(1);
}

#[test]
fn what_is_lost_is_told_with_a_run() {
    let lost = |fact: &Fact| fact.title.starts_with("liveness") && fact.found.ends_with("not so");
    let mut runs = 0;
    for fact in facts().iter().filter(|fact| lost(fact)) {
        let document = fact.checked(SymmetryChoice::default());
        let found = document.counterexamples().filter(|(violation, trace)| {
            violation.kind == ViolationKind::Liveness && !trace.steps.is_empty()
        });
        runs += found.count();
    }
    // Each of several properties has its own.
    assert!(runs >= 7, "{runs} runs");
}
