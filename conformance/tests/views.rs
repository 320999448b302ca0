//! Families of every size: what others' systems are known to have, models that are decided, with their mistakes, and models that are refused.
#![allow(clippy::print_stdout)]

use mandala_checker::Refusal;
use mandala_checker::families::{EverySize, check_every, first_size, verify_invariant};
use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_checker::options::{CheckOptions, Deadlock, Limits, Selection};
use mandala_checker::watch::Nobody;
use mandala_report::Document;
use mandala_report::document::{Every, EveryAnswer, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model and the constant that is the size of its family.
pub(crate) struct Case<'t> {
    pub path: &'t Path,
    pub text: &'t str,
    pub constant: &'t str,
    pub defines: &'t [&'t str],
}

impl Case<'_> {
    pub(crate) fn loaded(&self, size: u32) -> Result<LoadedModel, String> {
        let mut defines: Vec<String> = self.defines.iter().map(ToString::to_string).collect();
        defines.push(format!("{}={size}", self.constant));
        let input = ModelInput {
            path: self.path.to_path_buf(),
            text: self.text.to_string(),
            defines,
            dialect: None,
            read: |path| std::fs::read_to_string(path),
        };
        load(input).map_err(|error| format!("{error:?}"))
    }

    /// The invariant is accepted. It is the least one, so it is not one without one of its views, or with a value in one of them that is another one.
    #[track_caller]
    fn invariant_holds(&self) {
        let text = self.invariant();
        let verified = |text: &str| self.accepted(text);
        let lines: Vec<&str> = text.lines().collect();
        let head = lines.iter().position(|line| line.starts_with("for all"));
        let head = head.expect("there are views");
        for left in head + 1..lines.len() {
            let others = [&lines[..left], &lines[left + 1..]].concat().join("\n");
            assert!(
                verified(&others).is_err(),
                "{:?} without {}",
                self.path,
                lines[left]
            );
        }
        let changed = changed(&lines, head + 1);
        assert!(changed.len() > lines.len() - head, "{:?}", self.path);
        for wrong in changed {
            assert!(verified(&wrong).is_err(), "{:?}:\n{wrong}", self.path);
        }
        for (right, wrong) in [
            ("members 2", "members 1"),
            ("members 2", "members 3"),
            ("family ", "family Other"),
            ("property safety", "property safety\nproperty safety"),
            (" && ", " || "),
        ] {
            let wrong = text.replacen(right, wrong, 1);
            let same = wrong == text || right.starts_with("property");
            assert!(
                same || verified(&wrong).is_err(),
                "{:?}:\n{wrong}",
                self.path
            );
        }
    }

    /// What the checker of invariants says of a text.
    pub(crate) fn accepted(&self, text: &str) -> Result<(), String> {
        let base = self.loaded(first_size()).expect("there is a model");
        let mut load = |size| self.loaded(size);
        let verified = verify_invariant(&base, &mut load, text, &mut Nobody);
        verified.outcome.map(|_| ())
    }

    /// Decides the invariants and safety without deadlocks.
    fn decided(&self) -> (Document, Every) {
        self.decided_within(Limits::default())
    }

    fn decided_within(&self, limits: Limits) -> (Document, Every) {
        let document = self.found(limits).document;
        let every = document.every.clone().expect("it is about every size");
        (document, every)
    }

    fn found(&self, limits: Limits) -> EverySize {
        let found = self.asked(limits);
        found.unwrap_or_else(|why| panic!("{:?}: {why:?}", self.path))
    }

    pub(crate) fn asked(&self, limits: Limits) -> Result<EverySize, Refusal> {
        let base = Arc::new(self.loaded(first_size()).expect("there is a model"));
        let invariants = base.model.properties.iter();
        let invariants = invariants.filter(|property| {
            matches!(
                property.kind,
                mandala_model::property::PropertyKind::Invariant { .. }
            )
        });
        let names = invariants.map(|property| property.name.clone());
        let options = CheckOptions {
            deadlock: Deadlock::Ignore,
            limits,
            properties: Selection::Named(names.chain(["safety".to_string()]).collect()),
            ..CheckOptions::default()
        };
        check_every(
            &base,
            &mut |size| self.loaded(size),
            self.constant,
            &options,
            &mut Nobody,
        )
    }

    #[track_caller]
    fn holds(&self) {
        let (document, every) = self.decided();
        assert_eq!(
            every.answer,
            EveryAnswer::Holds,
            "{:?}: {every:#?}",
            self.path
        );
        assert_eq!(document.verdict, Verdict::Holds, "{:?}", self.path);
        self.invariant();
    }

    /// The invariant, which is accepted.
    #[track_caller]
    fn invariant(&self) -> String {
        let invariant = self.found(Limits::default()).invariant;
        let text = invariant.expect("it holds");
        self.accepted(&text)
            .unwrap_or_else(|why| panic!("{:?}: {why}\n{text}", self.path));
        text
    }

    #[track_caller]
    fn violated(&self, smallest: u32) {
        let (document, every) = self.decided();
        assert_eq!(
            every.smallest,
            Some(smallest),
            "{:?}: {every:#?}",
            self.path
        );
        assert_eq!(document.verdict, Verdict::Violated);
        assert!(document.trace.is_some(), "{:?}", self.path);
    }

    #[track_caller]
    fn refused(&self, condition: u32, line: u32) {
        let (document, every) = self.decided();
        assert_eq!(
            every.answer,
            EveryAnswer::Refused,
            "{:?}: {every:#?}",
            self.path
        );
        let refused = every.refused.expect("why it is refused");
        let place = refused.place.map(|place| place.line);
        assert_eq!(
            (refused.condition, place),
            (condition, Some(line)),
            "{:?}: {}",
            self.path,
            refused.message
        );
        assert_eq!(document.verdict, Verdict::Unknown);
    }
}

/// The texts in which one value of one view is another one that the same cell has elsewhere. Which of its members a variable holds is left alone: members may be equal.
fn changed(lines: &[&str], first: usize) -> Vec<String> {
    let parts = |line: &str| -> Vec<(String, String)> {
        let line = line.trim_start_matches(['|', ' ']);
        let parts = line
            .split(" && ")
            .filter_map(|part| part.split_once(" == "));
        parts
            .map(|(cell, value)| (cell.into(), value.into()))
            .collect()
    };
    let mut values: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (cell, value) in lines[first..].iter().flat_map(|line| parts(line)) {
        values.entry(cell).or_default().insert(value);
    }
    let is_name = |value: &str| matches!(value, "i" | "j");
    let mut changed = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(first) {
        for (cell, value) in parts(line) {
            let others = values[&cell].iter();
            let other = others.filter(|other| **other != value && !is_name(other));
            changed.extend(other.map(|other| {
                let from = format!("{cell} == {value}");
                let with = line.replacen(&from, &format!("{cell} == {other}"), 1);
                [&lines[..number], &[&with], &lines[number + 1..]]
                    .concat()
                    .join("\n")
            }));
        }
    }
    changed
}

fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models");
    match folder.is_dir() {
        true => Some(folder),
        false => {
            println!("skipped: there is no {}", folder.display());
            None
        }
    }
}

fn with(path: &Path, constant: &str, defines: &[&str], test: impl Fn(&Case<'_>)) {
    let text = std::fs::read_to_string(path).expect("the model is there");
    test(&Case {
        path,
        text: &text,
        constant,
        defines,
    });
}

/// A bundled model.
fn ours(name: &str, constant: &str, defines: &[&str], test: impl Fn(&Case<'_>)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    with(&folder.join(name), constant, defines, test);
}

/// A text of this file.
fn text(name: &str, text: &str, defines: &[&str], test: impl Fn(&Case<'_>)) {
    test(&Case {
        path: Path::new(name),
        text,
        constant: "N",
        defines,
    });
}

#[test]
fn systems_of_others_have_the_verdicts_and_views_that_they_are_known_to_have() {
    let Some(folder) = shared() else { return };
    let folder = folder.join("cubicle");
    let table = std::fs::read_to_string(folder.join("oracle.csv")).expect("the table is there");
    let mut compared = 0;
    for row in table.lines().skip(1) {
        let row = row.replace("\"safe for all N (views, k=2)\"", "safe");
        let cells: Vec<&str> = row.split(',').collect();
        with(&folder.join(cells[0]), "N", &[], |case| match cells[1] {
            "safe" => {
                let (document, every) = case.decided();
                assert_eq!(document.verdict, Verdict::Holds, "{}", cells[0]);
                assert_eq!(every.k, Some(2), "{}", cells[0]);
                assert_eq!(
                    every.views.map(|v| v.to_string()).as_deref(),
                    Some(cells[4]),
                    "{}",
                    cells[0]
                );
                case.invariant();
            }
            _ => case.violated(cells[2].parse().expect("the smallest number")),
        });
        compared += 1;
    }
    assert_eq!(compared, 17);
}

#[test]
fn models_are_decided_and_their_mistakes_found_at_the_smallest_size() {
    ours("german/german.m", "N", &["D=1"], |case| case.holds());
    ours("german/german.m", "N", &["D=1", "BUG=1"], |case| {
        case.violated(2)
    });
    ours("german/german.m", "N", &["BUG=2"], |case| case.violated(1));
    ours("two-phase-commit/two-phase-commit.m", "N", &[], |case| {
        case.holds()
    });
    ours(
        "two-phase-commit/two-phase-commit.m",
        "N",
        &["BUG=1"],
        |case| case.violated(2),
    );
    ours("mutex/mutex.pml", "N", &[], |case| case.holds());
    ours("mutex/mutex.pml", "N", &["BUG=1"], |case| case.violated(2));
    ours("broken-lock/broken-lock.pml", "N", &["BUG=0"], |case| {
        case.holds()
    });
    ours("broken-lock/broken-lock.pml", "N", &[], |case| {
        case.violated(2)
    });
    let Some(folder) = shared() else { return };
    with(
        &folder.join("murphi/german_n3d2.m"),
        "NODE_NUM",
        &["DATA_NUM=1"],
        |case| case.holds(),
    );
    with(&folder.join("murphi/2pc_n3.m"), "N", &[], |case| {
        case.holds()
    });
}

#[test]
fn models_that_views_say_nothing_of_are_refused_with_the_line() {
    ours("peterson/peterson.m", "N", &[], |case| case.refused(5, 44));
    ours("mcs-lock/mcs-lock.m", "N", &[], |case| case.refused(2, 69));
    ours("token-lock/token-lock.pml", "N", &[], |case| {
        case.refused(5, 45)
    });
    ours("directory-msi/directory-msi.m", "N", &[], |case| {
        case.refused(5, 70)
    });
    ours("readers-writers/readers-writers.pml", "R", &[], |case| {
        case.refused(5, 37)
    });
    ours("token-ring/token-ring.pml", "N", &[], |case| {
        case.refused(5, 41)
    });
}

/// A token that is handed on by the process that has it: a pointer is followed.
const TOKEN: &str = "const N: 3; BUG: 0;
type P: scalarset(N);
var inside: array [P] of boolean; wants: array [P] of boolean; holder: P;
ruleset h: P do startstate begin for p: P do inside[p] := false; wants[p] := false; end; holder := h; end; end;
ruleset p: P do
  rule \"want\" !wants[p] & !inside[p] ==> begin wants[p] := true; end;
  rule \"pass\" wants[p] & (BUG = 1 | !inside[holder]) & holder != p ==> begin holder := p; end;
  rule \"enter\" wants[p] & holder = p ==> begin wants[p] := false; inside[p] := true; end;
  rule \"leave\" inside[p] ==> begin inside[p] := false; end;
end;
invariant \"alone\" forall p: P do forall q: P do p = q | !inside[p] | !inside[q] end end;";

/// A barrier: no process goes on before all have come.
const BARRIER: &str = "const N: 3; BUG: 0;
type P: scalarset(N); S: enum { WORKS, WAITS, GOES };
var s: array [P] of S; open: boolean;
startstate begin for p: P do s[p] := WORKS; end; open := false; end;
ruleset p: P do
  rule \"come\" s[p] = WORKS & !open ==> begin s[p] := WAITS; end;
  rule \"go\" s[p] = WAITS & open ==> begin s[p] := GOES; end;
end;
rule \"open\" !open & (BUG = 1 & (exists p: P do s[p] = WAITS end) | forall p: P do s[p] = WAITS end) ==> begin open := true; end;
rule \"close\" open & forall p: P do s[p] = GOES end ==> begin open := false; for p: P do s[p] := WORKS; end; end;
invariant \"together\" forall p: P do forall q: P do s[p] != WORKS | s[q] != GOES end end;";

/// A semaphore of processes.
const SEMAPHORE: &str = "#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif
bool free = true; byte inside;
active [N] proctype P() {
  end: do
  :: atomic { free -> free = BUG }; inside++; assert(inside == 1); inside--; free = true
  od
}";

#[test]
fn protocols_of_our_own_hold_for_every_size_and_their_mistakes_are_found() {
    for name in [
        "msi/msi.m",
        "mesi/mesi.m",
        "readers-first/readers-first.m",
        "ghost-lock/ghost-lock.m",
    ] {
        ours(name, "N", &[], |case| case.holds());
        ours(name, "N", &[], |case| case.invariant_holds());
        ours(name, "N", &["BUG=1"], |case| case.violated(2));
    }
    let protocols = [
        ("token.m", TOKEN),
        ("barrier.m", BARRIER),
        ("semaphore.pml", SEMAPHORE),
    ];
    for (name, protocol) in protocols {
        text(name, protocol, &[], |case| case.holds());
        text(name, protocol, &[], |case| case.invariant_holds());
        text(name, protocol, &["BUG=1"], |case| case.violated(2));
    }
}

#[test]
fn an_invariant_of_one_model_is_none_of_another_one() {
    let invariants = std::cell::RefCell::new(Vec::<String>::new());
    text("token.m", TOKEN, &[], |case| {
        let invariant = case.invariant();
        text("token.m", TOKEN, &["BUG=1"], |other| {
            other.accepted(&invariant).expect_err("it is violated");
        });
        // A member that may be two at a time, which no state shows that is reached.
        let lines: Vec<&str> = invariant.lines().collect();
        let last = lines.last().expect("there are views");
        let both = last.replace("== false", "== true");
        let more = format!("{invariant}{both}\n");
        case.accepted(&more)
            .expect_err("it is violated in a view that was added");
        assert_ne!(*last, both);
        for (right, wrong) in [("constant N", "constant BUG"), ("family P", "family Q")] {
            let wrong = invariant.replace(right, wrong);
            case.accepted(&wrong).expect_err("that is not the size");
        }
    });
    text("barrier.m", BARRIER, &[], |case| {
        invariants.borrow_mut().push(case.invariant())
    });
    text("token.m", TOKEN, &[], |case| {
        for other in invariants.borrow().iter() {
            case.accepted(other).expect_err("it has other variables");
        }
    });
    // What depends on the number for a large number only, and what the checker says of it.
    let late = BARRIER.replace(
        "s[p] = WORKS & !open ==>",
        "N > 100 | s[p] = WORKS & !open ==>",
    );
    text("barrier.m", &late, &[], |case| {
        let why = case
            .accepted(&invariants.borrow()[0])
            .expect_err("it may be violated with 101");
        assert!(why.contains("`N` is used for something else"), "{why}");
    });
}

#[test]
fn a_value_of_the_constant_in_the_text_is_no_size() {
    let late = BARRIER.replace(
        "s[p] = WORKS & !open ==>",
        "N > 100 | s[p] = WORKS & !open ==>",
    );
    text("barrier.m", &late, &[], |case| case.refused(5, 6));
    // A constant that has the value of another one is no declaration of it.
    let copied = BARRIER.replace("BUG: 0;", "BUG: 0; SAME: true ? N : 3;");
    let copied = copied.replace(
        "s[p] = WORKS & !open ==>",
        "SAME > 100 | s[p] = WORKS & !open ==>",
    );
    text("barrier.m", &copied, &[], |case| case.refused(5, 1));
}

#[test]
fn an_invariant_that_views_cannot_show_is_not_said_to_hold() {
    ours("german/german.m", "N", &["D=2"], |case| {
        let (document, every) = case.decided_within(Limits {
            states: Some(40_000),
            ..Limits::default()
        });
        assert_eq!(every.answer, EveryAnswer::Unknown);
        let verdicts: Vec<Verdict> = document.properties.iter().map(|p| p.verdict).collect();
        assert!(verdicts.contains(&Verdict::Holds) && verdicts.contains(&Verdict::Unknown));
        assert!(
            every
                .tried
                .iter()
                .any(|views| !views.configuration.is_empty())
        );
    });
}
