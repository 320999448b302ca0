//! Models with any kind of symmetry, with one place of their text changed: whatever is found in them must agree
//! with brute force.

use crate::common::{Judgement, bundled_text, judge_group, try_load};

const LABELS: &str = "
bit label[N];
byte last;
active [N] proctype P() { do
    :: d_step { label[_pid] == label[(_pid + 1) % N] -> label[_pid] = 1 - label[_pid]; last = _pid }
    :: d_step { last == (_pid + 1) % N && label[_pid] != label[last] -> label[_pid] = label[last]; last = _pid }
    od }";

const PARTNERS: &str = "
byte owner[N] = 255;
bit flag[N];
active [N] proctype P() { do
    :: d_step { !flag[_pid ^ 1] -> flag[_pid] = 1 - flag[_pid] }
    :: d_step { owner[_pid / 2] == 255 -> owner[_pid / 2] = _pid }
    :: d_step { owner[_pid / 2] == (_pid ^ 1) && flag[_pid] -> owner[_pid / 2] = _pid }
    od }";

/// What is replaced by what.
const CHANGES: &[(&str, &str)] = &[
    ("_pid", "0"),
    ("_pid", "1"),
    ("_pid", "(_pid ^ 1)"),
    ("_pid", "((_pid + 1) % N)"),
    ("+ 1", "+ 2"),
    ("% N", "% 2"),
    ("==", "!="),
    ("==", "<="),
    ("!=", ">"),
    ("= true", "= (_pid == 1)"),
    ("mask)", "1)"),
    ("NOWHERE;", "0;"),
    ("NOWHERE;", "_pid;"),
    ("- 1", "- _pid"),
];

/// All texts that differ from this one in one place.
fn mutants(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    // What comes before the first declaration is comment and parameters.
    let start = text.find("*/").map_or(0, |at| at + 2);
    for (from, to) in CHANGES {
        for (at, _) in text[start..].match_indices(from) {
            let at = start + at;
            all.push(format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        }
    }
    all
}

/// Models with rotations or symmetries of a cube, with their mutants and with what is defined.
pub fn texts_with_mutants() -> Vec<(String, Vec<String>, Vec<&'static str>)> {
    let all = [
        (bundled_text("philosophers"), "N=4"),
        (bundled_text("hypercube"), "D=2"),
        (LABELS.to_string(), "N=4"),
        (PARTNERS.to_string(), "N=4"),
    ];
    let with_mutants = |(text, define): (String, &'static str)| {
        let mutants = mutants(&text);
        (text, mutants, vec![define])
    };
    all.into_iter().map(with_mutants).collect()
}

/// Looks at all mutants of a model. How many there were, and in how many something was found.
fn judge_all(text: &str, defines: &[&str]) -> (usize, usize) {
    let (mut count, mut found) = (0, 0);
    for mutant in mutants(text) {
        let Some(loaded) = try_load(&mutant, defines) else {
            continue;
        };
        count += 1;
        let Some(certificate) = loaded.symmetry().certificate else {
            continue;
        };
        found += 1;
        let judged = judge_group(&loaded, &certificate, 200);
        assert!(
            matches!(judged, Judgement::Symmetric { .. }),
            "{judged:?}\n{mutant}"
        );
    }
    (count, found)
}

/// Of the mutants of these models nothing is certified against the facts.
fn judge_mutants<const M: usize>(models: [(String, &str); M]) {
    let (mut count, mut found) = (0, 0);
    for (text, define) in models {
        let (more, certified) = judge_all(&text, &[define]);
        count += more;
        found += certified;
    }
    assert!(count > 40, "{count}");
    assert!(found > 4 && found < count, "{found} of {count}");
}

#[test]
fn no_mutant_of_a_ring_is_certified_against_the_facts() {
    judge_mutants([
        (bundled_text("philosophers"), "N=4"),
        (bundled_text("milner"), "N=3"),
        (LABELS.to_string(), "N=4"),
        (PARTNERS.to_string(), "N=4"),
    ]);
}

#[test]
fn no_mutant_of_an_election_or_a_cube_is_certified_against_the_facts() {
    judge_mutants([
        (bundled_text("leader-ring"), "N=3"),
        (bundled_text("hypercube"), "D=2"),
    ]);
}
