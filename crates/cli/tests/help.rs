//! Help, completions for shells and the manual.

use crate::common::mandala;

/// The headings of the options of `mandala check`.
const HEADINGS: [&str; 5] = [
    "Model:",
    "Properties:",
    "Results:",
    "Search:",
    "Reductions:",
];

#[test]
fn the_short_help_of_a_check_fits_on_a_screen() {
    let run = mandala(["check", "-h"]);
    assert_eq!(run.status, 0, "{run}");
    let lines: Vec<&str> = run.output.lines().collect();
    assert!(lines.len() <= 30, "{} lines: {run}", lines.len());
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{run}");
    assert!(run.output.contains("`--help` explains every"), "{run}");
    assert!(!run.output.contains("--proof-effort"), "{run}");
}

#[test]
fn options_stand_under_headings() {
    for form in ["-h", "--help"] {
        let run = mandala(["check", form]);
        let places: Vec<Option<usize>> = HEADINGS
            .iter()
            .map(|heading| run.output.find(&format!("\n{heading}\n")))
            .collect();
        assert!(places.iter().all(Option::is_some), "{places:?}: {run}");
    }
    let long = mandala(["check", "--help"]).output;
    assert!(long.contains("Exit status:") && long.contains("4  interrupted"));
    for option in [
        "--proof-effort",
        "--automaton",
        "--store-hashes",
        "--max-threads",
    ] {
        assert!(long.contains(option), "{option}");
    }
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let run = mandala(["man"]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.contains(".TH mandala 1"), "{run}");
    for command in [
        "check",
        "test",
        "resume",
        "simulate",
        "replay",
        "symmetry",
        "verify-proof",
        "ir",
    ] {
        let run = mandala(["man", command]);
        assert_eq!(run.status, 0, "{run}");
        assert!(
            run.output.contains(&format!(".TH mandala-{command} 1")),
            "{run}"
        );
        let version = format!("\"mandala {}\"", env!("CARGO_PKG_VERSION"));
        assert!(run.output.contains(&version), "{run}");
    }
    // Also of options that are not in the short help.
    let check = mandala(["man", "check"]).output;
    assert!(check.contains("Multiply the budgets of proofs"), "{check}");
    let run = mandala(["man", "nothing"]);
    assert_eq!(run.status, 2, "{run}");
}

#[test]
fn shells_learn_all_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = mandala(["completions", shell]);
        assert_eq!(run.status, 0, "{run}");
        for word in ["verify-proof", "keep-going", "sarif"] {
            assert!(run.output.contains(word), "{shell}: {word}");
        }
    }
}
