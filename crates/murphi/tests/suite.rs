//! Models of other projects: the front end accepts what Rumur or CMurphi accept and refuses what Rumur refuses.

use crate::support::{exceptions, models, own_models, parse_text, parse_with, read, shared};
use mandala_model::diagnostic::has_errors;
use mandala_murphi::{Dialect, ParseOptions};

/// What Rumur's suite expects of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    Accepted,
    Refused,
}

#[test]
#[allow(
    clippy::print_stderr,
    reason = "a test that finds nothing to test must say so"
)]
fn models_are_accepted() {
    let mut files = models("murphi");
    if files.is_empty() {
        eprintln!("note: skipped, the folder with the models of other projects is absent");
    }
    files.extend(own_models());
    let mut wrong = Vec::new();
    for path in &files {
        let (sources, program, diagnostics) = parse_text(&path.display().to_string(), &read(path));
        wrong.extend(diagnostics.iter().map(|d| d.one_line(&sources)));
        assert!(
            program.is_none_or(|p| !p.rules.is_empty()),
            "{}",
            path.display()
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[allow(
    clippy::print_stderr,
    reason = "a test that finds nothing to test must say so"
)]
fn the_suite_of_rumur_is_accepted_and_refused_as_expected() {
    let expectations = expectations();
    if expectations.is_empty() {
        eprintln!("note: skipped, the folder with Rumur's suite is absent");
        return;
    }
    let mut wrong = Vec::new();
    let exceptions = exceptions("parser");
    for (name, expected) in &expectations {
        let options = ParseOptions {
            dialect: Dialect::Rumur,
            ..ParseOptions::default()
        };
        let text = read(&shared("murphi-suite").join(name));
        let (sources, _, diagnostics) = parse_with(name, &text, &options);
        let refused = has_errors(&diagnostics);
        let excused = exceptions.contains(name);
        if (refused != (*expected == Expected::Refused)) != excused {
            let lines: Vec<String> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
            wrong.push(format!(
                "{name}: expected {expected:?}\n  {}",
                lines.join("\n  ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        expectations.len(),
        models("murphi-suite").len(),
        "every model has an expectation"
    );
}

fn expectations() -> Vec<(String, Expected)> {
    let Ok(table) = std::fs::read_to_string(shared("murphi-suite/expected.csv")) else {
        return Vec::new();
    };
    let row = |line: &str| {
        let mut cells = line.split(',');
        let name = cells.next()?.to_string();
        let expected = match cells.next()? {
            "pass" | "fail" => Expected::Accepted,
            "reject" => Expected::Refused,
            other => panic!("unknown expectation `{other}`"),
        };
        Some((name, expected))
    };
    table.lines().skip(1).filter_map(row).collect()
}
