//! Claims as Spin 6.5.2 made them, kept in a file so that the comparison needs no Spin.
//!
//! In the file, a line `ltl FORMULA` is followed by the lines of the claim. To record anew, with Spin installed:
//! `UPDATE_EXPECT=1 cargo test -p mandala-temporal recorded`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::common::{FORMULAS, declared_letters, letters, parse, printed, spin_claim};
use mandala_temporal::never_claim;

/// Longer claims are not kept.
const MOST_LINES: usize = 40;

fn recorded() -> String {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        record();
    }
    std::fs::read_to_string(file()).expect("the file is there")
}

fn entries(recorded: &str) -> impl Iterator<Item = (&str, &str)> {
    let sections = recorded.split("ltl ").skip(1);
    sections.map(|section| section.split_once('\n').expect("a formula and its claim"))
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/claims.txt")
}

#[test]
fn claims_are_as_recorded() {
    let recorded = recorded();
    let mut listed = 0;
    for (text, expected) in entries(&recorded) {
        let claim = never_claim(&parse(text), &letters()).expect("not too complex");
        assert_eq!(
            printed(&claim.over_predicates, &claim.predicate_names()),
            expected,
            "{text}"
        );
        listed += usize::from(FORMULAS.contains(&text));
    }
    assert!(listed >= 80, "only {listed} claims are recorded");
}

/// Writes down what Spin makes of the formulas.
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
