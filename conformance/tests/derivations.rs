//! How much of the symmetry of models follows from types alone, without any execution.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::CheckOptions;
use mandala_conformance::engines::load;
use mandala_conformance::promises;
use mandala_model::step::Observers;
use mandala_prepare::{Aim, Form, detect_by_types, in_form};
use mandala_report::document::Symmetry;
use mandala_symmetry::ProofBudget;
use std::path::{Path, PathBuf};

/// Of every hundred parts of the models, so many are decided by types. The rest are rings, cubes and colours, whose groups are not full, and sequences in `atomic`.
const DECIDED_OF_100: u64 = 93;

/// Models of which types do not prove all scalarsets: what they do is executed for that.
const EXECUTED: &[&str] = &["job-pool.m"];

/// The models of other projects next to the checkout, if they are there, in folders of that name.
fn others(folder: &str, ending: &str) -> Vec<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models");
    let files = std::fs::read_dir(shared.join(folder)).into_iter().flatten();
    let files = files.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|own| own == ending))
        .collect();
    files.sort();
    files
}

/// What `mandala symmetry` says of a model; nothing if it is refused for what it says.
fn symmetry(path: &Path) -> Option<(LoadedModel, Symmetry)> {
    let loaded = load(path, &[]).ok()?;
    let report = mandala_checker::symmetry(&loaded, &CheckOptions::default()).ok()?;
    Some((loaded, report.document.symmetry))
}

/// The order of the group that types prove of the rules of a model.
fn by_types(loaded: &LoadedModel) -> String {
    let rules = in_form(&loaded.model, Form::Rules).expect("it is small enough");
    let aim = Aim::plain(Observers::default());
    let found = detect_by_types(&rules, aim, &ProofBudget::unlimited());
    found.map_or("1".into(), |found| found.prepared.account.group.order)
}

/// Without execution Murphi models keep the group of their scalarsets.
#[test]
fn scalarsets_follow_from_types() {
    let bundled = promises::murphi_models().expect("the folder is there");
    let folders = ["murphi", "murphi-suite", "trials"];
    let others = folders.iter().flat_map(|folder| others(folder, "m"));
    let mut compared = 0;
    for path in bundled.into_iter().chain(others) {
        let Some((loaded, symmetry)) = symmetry(&path) else {
            continue;
        };
        if loaded.model.scalarsets.is_empty() || symmetry.is_trivial() {
            continue;
        }
        let is_executed = EXECUTED.iter().any(|name| path.ends_with(name));
        let keeps_all = by_types(&loaded) == symmetry.order;
        assert_eq!(keeps_all, !is_executed, "{path:?}");
        compared += 1;
    }
    println!("{compared} models keep their scalarsets by types");
    assert!(compared >= 8, "only {compared} models have scalarsets");
}

#[test]
fn types_decide_most_parts() {
    let bundled = [
        promises::models(),
        promises::murphi_models(),
        promises::red_models(),
    ];
    let bundled = bundled
        .into_iter()
        .flat_map(|models| models.expect("the folder is there"));
    let trials = ["m", "red", "pml"];
    let trials = trials.iter().flat_map(|ending| others("trials", ending));
    let murphi = others("murphi", "m");
    let (mut decided, mut all) = (0, 0);
    for path in bundled.chain(trials).chain(murphi) {
        let detection = symmetry(&path).and_then(|(_, symmetry)| symmetry.detection);
        if let Some(parts) = detection.and_then(|detection| detection.parts) {
            decided += parts.decided;
            all += parts.all;
        }
    }
    println!("types decide {decided} of {all} parts");
    assert!(100 * decided >= DECIDED_OF_100 * all, "{decided} of {all}");
}
