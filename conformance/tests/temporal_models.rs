//! Claims, formulas and labels in models of other projects: Spin has the same verdicts, with and without weak fairness.
//!
//! The models lie in a folder next to the checkout, because they belong to others; without it, or without Spin, there is nothing to
//! compare. The large one is left to builds with optimisation.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::LoadedModel;
use mandala_conformance::forever::{self, ACCEPT, Fairness, Manner, NON_PROGRESS, Opinion};
use mandala_conformance::oracle;
use mandala_conformance::spin::{self, Claim, Runs, Size, Spin};
use mandala_model::property::PropertyKind;
use mandala_model::template::Role;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::time::Duration;

/// How long each of Spin's programs may take.
const PATIENCE: Duration = Duration::from_secs(900);

/// How many states the interpreter is troubled with.
const LARGEST_INTERPRETED: u64 = 3_000;

#[test]
fn spin_has_the_same_verdicts() {
    let (Some(folder), Some(spin)) = (oracle::folder(), Spin::find()) else {
        println!("skipped: there is no folder of other projects' models, or no Spin");
        return;
    };
    let rows = std::fs::read_to_string(folder.join("oracle.csv")).expect("the file is there");
    let rows = oracle::rows(&rows).expect("every line can be read");
    let models: BTreeSet<String> = rows.into_iter().map(|row| row.model).collect();
    let mut mistakes = Vec::new();
    let mut compared = 0;
    for model in models {
        for line in compare(&folder.join(&model), &spin) {
            println!("{model}: {}", line.text);
            compared += u64::from(line.compared);
            mistakes.extend(line.mistake.map(|what| format!("{model}: {what}")));
        }
    }
    println!("{compared} verdicts compared");
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(compared >= 24, "too little was compared");
}

/// A claim with a kind of fairness.
struct Line {
    text: String,
    compared: bool,
    mistake: Option<String>,
}

fn compare(path: &Path, spin: &Spin) -> Vec<Line> {
    let text = std::fs::read(path).expect("the model is there");
    let text = String::from_utf8_lossy(&text).into_owned();
    let Ok(loaded) = forever::load(path, &text) else {
        // The rows that are no models for us are the matter of another test.
        return Vec::new();
    };
    let question = spin::Question {
        text: &text,
        defines: &[],
        claim: Claim::Product,
        size: Size::Large,
        limit: PATIENCE,
    };
    let claims = claims(&loaded);
    if claims.is_empty() {
        return compare_labels(&loaded, spin, &question);
    }
    let verifier = spin.liveness(&question).expect("programs start");
    let verifier = verifier.unwrap_or_else(|answer| panic!("{}: {answer:?}", path.display()));
    let mut lines = Vec::new();
    for claim in &claims {
        let name = (claims.len() > 1).then_some(claim.as_str());
        lines.extend(both_kinds(&loaded, claim, |runs| {
            verifier.is_violated(name, runs)
        }));
    }
    lines
}

/// Labels of processes, in a model without claims that has some.
fn compare_labels(loaded: &LoadedModel, spin: &Spin, question: &spin::Question<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let processes = loaded
        .model
        .templates
        .iter()
        .filter(|t| t.role == Role::Process);
    let locations: Vec<_> = processes.flat_map(|t| &t.locations).collect();
    if locations.iter().any(|location| location.accept) {
        let verifier = spin.liveness(question).expect("programs start");
        let verifier = verifier.expect("Spin takes it");
        lines.extend(both_kinds(loaded, ACCEPT, |runs| verifier.is_met(runs)));
    }
    if locations.iter().any(|location| location.progress) {
        let verifier = spin.progress(question).expect("programs start");
        let verifier = verifier.expect("Spin takes it");
        lines.extend(both_kinds(loaded, NON_PROGRESS, |runs| {
            verifier.is_met(runs)
        }));
    }
    lines
}

/// A property of all runs, and of the fair ones.
fn both_kinds(
    loaded: &LoadedModel,
    property: &str,
    theirs: impl Fn(Runs) -> io::Result<Result<bool, String>>,
) -> [Line; 2] {
    [(Fairness::Off, Runs::All), (Fairness::Weak, Runs::Fair)].map(|(fairness, runs)| {
        let theirs = || theirs(runs).expect("it starts");
        line(loaded, property, fairness, theirs)
    })
}

fn claims(loaded: &LoadedModel) -> Vec<String> {
    let properties = loaded.model.properties.iter();
    let claims = properties.filter(|property| {
        matches!(
            property.kind,
            PropertyKind::Never { .. } | PropertyKind::NoRun(_)
        )
    });
    claims.map(|property| property.name.clone()).collect()
}

fn line(
    loaded: &LoadedModel,
    claim: &str,
    fairness: Fairness,
    theirs: impl Fn() -> Result<bool, String>,
) -> Line {
    let head = format!("{claim}, {fairness:?}");
    match ours(loaded, claim, fairness) {
        Err(what) => Line {
            text: format!("{head}: {what}"),
            compared: false,
            mistake: Some(format!("{head}: {what}")),
        },
        Ok(None) => Line {
            text: format!("{head}: too large"),
            compared: false,
            mistake: None,
        },
        Ok(Some(ours)) => {
            let theirs = theirs();
            let text = format!("{head}: violated here {ours}, by Spin {theirs:?}");
            Line {
                compared: theirs.is_ok(),
                mistake: theirs
                    .is_ok_and(|theirs| theirs != ours)
                    .then(|| text.clone()),
                text,
            }
        }
    }
}

/// Whether a claim is violated, as all manners to check it have it; nothing if it is too large.
fn ours(loaded: &LoadedModel, claim: &str, fairness: Fairness) -> Result<Option<bool>, String> {
    let ask = |manner, most| forever::ask(loaded, claim, manner, fairness, most);
    let plain = ask(Manner::PLAIN, u64::MAX)?;
    let others = [
        ask(Manner::USUAL, u64::MAX)?,
        ask(Manner::REFERENCE, LARGEST_INTERPRETED)?,
    ];
    let differs =
        |other: &&Opinion| other.violated().is_some() && other.violated() != plain.violated();
    match others.iter().find(differs) {
        Some(other) if plain.violated().is_some() => {
            Err(format!("our own answers differ: {plain:?}, {other:?}"))
        }
        _ => Ok(plain.violated()),
    }
}
