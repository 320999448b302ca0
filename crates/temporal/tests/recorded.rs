//! Claims as Spin 6.5.2 made them, kept in a file so that the comparison needs no Spin.
//!
//! In the file, a line `ltl FORMULA` is followed by the lines of the claim. To record anew, with Spin installed:
//! `cargo test -p mandala-temporal --test recorded -- --ignored`.
mod common;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use common::{FORMULAS, declared_letters, letters, parse, printed, spin_claim};
use mandala_temporal::never_claim;

const RECORDED: &str = include_str!("recorded/claims.txt");

/// Longer claims are not kept.
const MOST_LINES: usize = 40;

fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = RECORDED.split("ltl ").skip(1);
    sections.map(|section| section.split_once('\n').expect("a formula and its claim"))
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/claims.txt")
}

#[test]
fn claims_are_as_recorded() {
    for (text, recorded) in entries() {
        let claim = never_claim(&parse(text), &letters()).expect("not too complex");
        assert_eq!(printed(&claim.over_predicates), recorded, "{text}");
    }
}

#[test]
fn most_listed_formulas_are_recorded() {
    let recorded = entries()
        .filter(|(text, _)| FORMULAS.contains(text))
        .count();
    assert!(recorded >= 80, "only {recorded} claims are recorded");
}

#[test]
#[ignore = "writes the file that the other tests read"]
fn record() {
    let mut text = String::new();
    for formula in FORMULAS {
        let claim = spin_claim(&parse(formula), &letters(), &declared_letters());
        if claim.lines().count() <= MOST_LINES {
            write!(text, "ltl {formula}\n{claim}").expect("strings can be written to");
        }
    }
    std::fs::write(file(), text).expect("the file can be written");
}
