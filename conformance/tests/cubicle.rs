//! Systems in the language of Cubicle: what others' models are known to say for few processes, and what simultaneous updates and free starts come to.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput};
use mandala_checker::options::{AfterViolation, CheckOptions, StaticReductions, SymmetryChoice};
use mandala_checker::run::CheckError;
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::Document;
use mandala_report::document::Verdict;
use std::path::{Path, PathBuf};

/// The model with that number of processes.
fn loaded(path: &Path, text: &str, processes: u32) -> LoadedModel {
    let input = ModelInput {
        path: path.to_path_buf(),
        text: text.to_string(),
        defines: vec![format!("N={processes}")],
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    match frontend::load(input) {
        Ok(loaded) => loaded,
        Err(LoadError::Wrong { diagnostics, .. }) => panic!("{path:?}: {diagnostics:?}\n{text}"),
        Err(error) => panic!("{path:?}: {error:?}"),
    }
}

/// All states are visited, or one of each orbit, and no violation ends that.
fn searched(loaded: &LoadedModel, symmetry: SymmetryChoice) -> Document {
    let options = CheckOptions {
        symmetry,
        static_reductions: StaticReductions::NONE,
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    };
    check(loaded, &options, &mut Nobody).unwrap_or_else(|why| panic!("{why:?}"))
}

/// The folder of models of others, if it is there.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models/cubicle");
    match folder.is_dir() {
        true => Some(folder),
        false => {
            println!("skipped: there is no {}", folder.display());
            None
        }
    }
}

#[test]
fn models_of_others_have_their_orbits_and_verdicts_for_few_processes() {
    let Some(folder) = folder() else { return };
    let table = std::fs::read_to_string(folder.join("oracle.csv")).expect("the table is there");
    let mut compared = 0;
    for row in table.lines().skip(1) {
        // The second cell has a comma between quotes, if it is quoted.
        let row = row.replace("\"safe for all N (views, k=2)\"", "safe");
        let cells: Vec<&str> = row.split(',').collect();
        let [name, least, orbits] = [cells[0], cells[2], cells[3]];
        let least: u32 = least.parse().unwrap_or(u32::MAX);
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).expect("the model is there");
        for (processes, orbits) in (1..).zip(orbits.split_whitespace()) {
            let document = searched(&loaded(&path, &text, processes), SymmetryChoice::default());
            assert_eq!(
                document.stats.states.to_string(),
                orbits,
                "{name} {processes}"
            );
            assert_eq!(document.verdict, Verdict::Holds, "{name} {processes}");
            compared += 1;
        }
        if least < u32::MAX {
            let model = loaded(&path, &text, least);
            let found =
                check(&model, &CheckOptions::default(), &mut Nobody).expect("it is checked");
            assert_eq!(found.verdict, Verdict::Violated, "{name}");
            assert!(found.trace.is_some(), "{name}");
        }
    }
    assert_eq!(compared, 50);
}

/// How many states there are, without symmetry, and whether something is wrong in one.
#[track_caller]
fn count(text: &str, processes: u32, states: u64, verdict: Verdict) {
    let document = searched(
        &loaded(Path::new("m.cub"), text, processes),
        SymmetryChoice::Off,
    );
    assert_eq!(
        (document.stats.states, document.verdict),
        (states, verdict),
        "{text}"
    );
}

const BITS: &str = "array A[proc] : bool array B[proc] : bool var X : proc\n";

#[test]
fn updates_are_simultaneous() {
    let swapped = "init (z) { A[z] = True && B[z] = False && X = X }
        unsafe (i) { A[i] = B[i] }
        transition swap () { A[j] := case | _ : B[j]; B[j] := case | _ : A[j] }
        transition one (i) { A[i] := B[i]; B[i] := A[i] }";
    // Each process has one of two values.
    count(&format!("{BITS}{swapped}"), 3, 3 * 8, Verdict::Holds);
    let turn = "init (z) { A[z] = False && B[z] = False }
        unsafe () { X <> X }
        transition pass (i j) requires { X = i } { X := j; A[k] := case | k = X : True | A[i] = True : A[i] | _ : A[i] }";
    // Nothing, or the one before the last, has been marked: all others get what that one had before.
    count(&format!("{BITS}{turn}"), 2, 2 + 2, Verdict::Holds);
}

#[test]
fn what_init_does_not_speak_of_has_any_value() {
    let free = "init (z) { B[z] = False } unsafe (i) { B[i] = True }";
    count(&format!("{BITS}{free}"), 3, 8 * 3, Verdict::Holds);
    let tied =
        "init (z) { B[z] = False && (A[z] = True || X = z) } unsafe (i) { A[i] = B[i] && X <> i }";
    // The one that is named has any value, all others are true.
    count(&format!("{BITS}{tied}"), 3, 2 * 3, Verdict::Holds);
    let none = "init (z) { A[z] <> A[z] } unsafe (i) { A[i] = B[i] }";
    let nothing = loaded(Path::new("m.cub"), &format!("{BITS}{none}"), 2);
    let Err(Refusal::Check(CheckError::NoRun(why))) =
        check(&nothing, &CheckOptions::default(), &mut Nobody)
    else {
        panic!("no run begins");
    };
    assert_eq!(why.help.as_deref(), Some("weaken what `init` says"));
}

#[test]
fn parameters_are_different_processes_and_others_are_no_parameters() {
    let two = "init (z) { A[z] = False && B[z] = False && X = X }
        unsafe (i j) { A[i] = True && A[j] = True }
        transition t (i j) requires { forall_other k. A[k] = True } { A[i] := True }";
    // With one process there are no two, with two no other one, and with three some other one is false.
    count(&format!("{BITS}{two}"), 1, 1, Verdict::Holds);
    count(&format!("{BITS}{two}"), 2, 2 * 4, Verdict::Violated);
    count(&format!("{BITS}{two}"), 3, 3, Verdict::Holds);
}

#[test]
fn any_value_is_each_value_of_the_type() {
    let any = "init (z) { A[z] = False && B[z] = False }
        unsafe (i) { B[i] = True }
        transition t (i) requires { X = i } { X := .; A[i] := ?; }";
    count(&format!("{BITS}{any}"), 2, 2 * 4, Verdict::Holds);
}
