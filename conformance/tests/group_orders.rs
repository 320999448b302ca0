//! The groups that the headers of the bundled models promise are found without being told.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::{self, LoadedModel, ModelInput};
use mandala_checker::options::CheckOptions;
use mandala_conformance::dose::Dose;
use mandala_conformance::promises::{self, PromisedGroup};
use mandala_conformance::reduced::Case;
use mandala_conformance::spin::Claim;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Zhang and others (ASE 2013, table I), Donaldson (2009): what every tool for symmetry is measured by.
const LITERATURE: &[&str] = &[
    "allocator",
    "email",
    "hanoi",
    "hypercube",
    "leader-complete",
    "leader-ring",
    "leader-tree",
    "load-balancer",
    "milner",
    "peterson",
    "philosophers",
    "readers-writers",
    "social-golfer",
    "three-tier",
    "token-ring",
    "two-hop",
];

/// All promises about groups, with the models that make them.
fn promised() -> Vec<(PathBuf, PromisedGroup)> {
    let mut all = Vec::new();
    for path in promises::models().expect("the folder is there") {
        let groups = promises::groups(&text(&path)).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        all.extend(groups.into_iter().map(|group| (path.clone(), group)));
    }
    all
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path:?}: {e}"))
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// What is wrong with what was found, if anything.
fn complaint(path: &Path, promise: &PromisedGroup, found: &str) -> Option<String> {
    let PromisedGroup { settings, order } = promise;
    let name = format!("{} {}", stem(path), settings.join(" "));
    (found != order).then(|| format!("{name}: order {order} promised, {found} found"))
}

#[test]
fn every_family_of_the_literature_has_three_groups() {
    let mut orders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, promise) in promised() {
        orders.entry(stem(&path)).or_default().insert(promise.order);
    }
    for family in LITERATURE {
        let known = orders.get(*family).map_or(0, BTreeSet::len);
        assert!(known >= 3, "{family} promises {known} different orders");
    }
}

/// However long it takes: without optimisation that is more than users are asked to wait.
fn order(path: &Path, settings: &[String]) -> Result<String, String> {
    let case = Case::load(path, &text(path), settings, Claim::None)?;
    case.symmetry()
        .map(|found| found.account.group.order.clone())
}

#[test]
fn every_promised_group_is_found() {
    let mut wrong = Vec::new();
    for (path, promise) in promised() {
        let start = Instant::now();
        let found = order(&path, &promise.settings).unwrap_or_else(|why| why);
        println!(
            "{} {}: {found} after {:?}",
            stem(&path),
            promise.settings.join(" "),
            start.elapsed()
        );
        wrong.extend(complaint(&path, &promise, &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn load(path: &Path, settings: &[String]) -> LoadedModel {
    let input = ModelInput {
        path: path.to_path_buf(),
        text: text(path),
        defines: settings.to_vec(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    frontend::load(input).unwrap_or_else(|e| panic!("{path:?}: {e:?}"))
}

/// As a user asks: within the budgets of a check.
#[test]
fn every_promised_group_is_found_within_the_budget() {
    let mut wrong = Vec::new();
    for (path, promise) in Dose::turn("groups within the budget", promised()) {
        let loaded = load(&path, &promise.settings);
        let report = mandala_checker::symmetry(&loaded, &CheckOptions::default());
        let report = report.unwrap_or_else(|e| panic!("{path:?}: {e:?}"));
        let found = report.document.symmetry.order;
        wrong.extend(complaint(&path, &promise, &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
