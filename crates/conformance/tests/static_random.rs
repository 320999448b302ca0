//! Static reductions change nothing about random programs but the number of states: not the verdicts, not which
//! statements are reached; and every counterexample is a run of the program as it was written. The seeds are fixed, so a run
//! is repeatable.
#![allow(clippy::print_stdout)]

use mandala_conformance::generate;
use mandala_conformance::program::Program;
use mandala_conformance::statics::{Agreement, compare, load};
use mandala_conformance::symmetric::{self, arranged};
use std::path::Path;

/// Programs with more states are left out.
const LARGEST: u64 = 4_000;

/// What has come of programs.
#[derive(Debug, Default)]
struct Tally {
    compared: u64,
    smaller: u64,
    violated: u64,
    mistakes: Vec<String>,
}

fn examine(programs: impl Iterator<Item = (String, Program)>) -> Tally {
    let mut tally = Tally::default();
    for (name, program) in programs {
        let text = program.to_string();
        let Some(loaded) = load(Path::new("random.pml"), &text, &[]) else {
            continue;
        };
        match compare(&loaded, LARGEST) {
            Ok(Agreement::Same { off, on, violated }) => {
                tally.compared += 1;
                tally.smaller += u64::from(on < off);
                tally.violated += u64::from(violated);
            }
            Ok(Agreement::Refused | Agreement::TooLarge) => {}
            Err(what) => tally.mistakes.push(format!("{name}: {what}\n{text}")),
        }
    }
    println!(
        "{} compared, {} with fewer states, {} violated",
        tally.compared, tally.smaller, tally.violated
    );
    tally
}

fn require(tally: &Tally, compared: u64) {
    assert!(tally.mistakes.is_empty(), "{}", tally.mistakes.join("\n"));
    assert!(
        tally.compared >= compared,
        "only {} compared",
        tally.compared
    );
    // Otherwise the programs have nothing to be reduced, and nothing is tested.
    assert!(tally.smaller * 8 >= tally.compared, "{tally:?}");
    assert!(tally.violated > 0 && tally.violated < tally.compared);
}

#[test]
fn programs_of_all_kinds() {
    let seeds = 0..120;
    let programs = seeds.map(|seed| (format!("seed {seed}"), generate::program(seed)));
    require(&examine(programs), 60);
}

#[test]
fn symmetric_programs_and_their_mutants() {
    let programs = (0..30).flat_map(|seed| {
        let all = [
            symmetric::specimen(seed),
            symmetric::mutant(seed, seed),
            arranged::specimen(seed),
            arranged::mutant(seed, seed),
        ];
        all.into_iter()
            .enumerate()
            .map(move |(kind, s)| (format!("seed {seed}, kind {kind}"), s.program))
    });
    require(&examine(programs), 60);
}
