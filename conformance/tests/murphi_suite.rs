//! Rumur's suite: every model comes out as its table expects, but for a list of exceptions with their reasons.
#![allow(clippy::print_stdout)]

use mandala_conformance::suite::{self, Case, Exception, Outcome};
use std::path::Path;

/// How much of the suite has to come out as expected, in percent.
const WANTED: usize = 95;

/// The exceptions, of which those for `checker` are about this test.
const EXCEPTIONS: &str = include_str!("../../crates/murphi/tests/suite.txt");

#[test]
fn the_suite_of_rumur_comes_out_as_expected() {
    let Some(folder) = suite::folder() else {
        println!("skipped: there is no folder with Rumur's suite next to the checkout");
        return;
    };
    let table = std::fs::read_to_string(folder.join("expected.csv")).expect("the file is there");
    let mut cases = suite::cases(&table).expect("every row can be read");
    let before = cases.len();
    cases.retain(|case| !case.needs_solver);
    println!(
        "{} models are about Rumur with a solver",
        before - cases.len()
    );
    let exceptions = suite::exceptions(EXCEPTIONS).expect("every line can be read");
    let mut right = 0;
    let mut wrong = Vec::new();
    for case in &cases {
        let found = found(&folder, case);
        let agrees = found == Ok(case.expected);
        right += usize::from(agrees);
        match (agrees, excuse(&exceptions, case)) {
            (true, None) => {}
            (false, Some(reason)) => println!("{}: {reason}", case.file),
            (true, Some(_)) => wrong.push(format!("{}: an exception no more", case.file)),
            (false, None) => {
                let expected = case.expected;
                wrong.push(format!(
                    "{}: expected {expected:?}, found {found:?}",
                    case.file
                ));
            }
        }
    }
    let (all, rate) = (cases.len(), right * 100 / cases.len().max(1));
    println!("{right} of {all} as Rumur's suite expects ({rate} %)");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rate >= WANTED, "only {rate} % are as expected");
}

fn found(folder: &Path, case: &Case) -> Result<Outcome, String> {
    let path = folder.join(&case.file);
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    suite::outcome(&path, &text, &case.flags)
}

fn excuse<'e>(exceptions: &'e [Exception], case: &Case) -> Option<&'e str> {
    let about = |e: &&Exception| e.file == case.file && e.who.iter().any(|who| who == "checker");
    exceptions.iter().find(about).map(|e| e.reason.as_str())
}
