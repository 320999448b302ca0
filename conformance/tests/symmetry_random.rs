//! Random symmetric programs and their mutants: every strategy agrees with the search without symmetry and with
//! brute force, and no certificate is false. In the programs of the second test the processes are arranged, so that not
//! all permutations of them are symmetries.
//!
//! [`Dose`] says how many and which; a disagreement is shrunk before it is shown.
#![allow(clippy::print_stdout)]

use mandala_conformance::dose::Dose;
use mandala_conformance::strategies::{Agreement, examine, smallest};
use mandala_conformance::symmetric::{self, Specimen, arranged};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many programs of each kind a usual dose has.
const USUAL: u64 = 40;

/// Programs of one kind.
struct Programs {
    specimen: fn(u64) -> Specimen,
    mutant: fn(u64, u64) -> Specimen,
    /// The programs that are examined, each with a mutant.
    dose: Dose,
}

/// What has come of programs so far.
#[derive(Debug, Default)]
struct Tally {
    reduced: u64,
    violated: u64,
    without: u64,
    declined: u64,
    too_large: u64,
    /// Of those that are reduced, the ones with fewer orbits than states.
    gained: u64,
    /// Programs of which all was found that they have by construction.
    whole: u64,
    mistakes: Vec<String>,
}

#[derive(Default)]
struct Tallies {
    programs: Tally,
    mutants: Tally,
    /// Mutants with fewer symmetries than their programs.
    broken: u64,
}

#[test]
fn symmetry_never_changes_an_answer() {
    let dose = Dose::of("symmetric programs", USUAL);
    let tallies = examine_all(&Programs {
        specimen: symmetric::specimen,
        mutant: symmetric::mutant,
        dose,
    });
    let Tallies {
        programs, mutants, ..
    } = &tallies;
    conclude(&tallies);
    if dose.is_large {
        assert!(mutants.declined > programs.declined, "{mutants:?}");
        assert!(mutants.without > programs.without, "{mutants:?}");
    }
}

#[test]
fn groups_that_are_not_full_never_change_an_answer() {
    let tallies = examine_all(&Programs {
        specimen: arranged::specimen,
        mutant: arranged::mutant,
        dose: Dose::of("arranged programs", USUAL),
    });
    conclude(&tallies);
    let Tallies {
        programs, broken, ..
    } = &tallies;
    let share = programs.whole * 100 / (programs.reduced + programs.without);
    println!("the whole group was found in {share} of 100 programs, {broken} mutants have less");
    assert!(*broken > 0, "{broken}");
}

fn examine_all(kind: &Programs) -> Tallies {
    let seeds = kind.dose.seeds();
    let next = AtomicU64::new(seeds.start);
    let tallies: Mutex<Tallies> = Mutex::default();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            let programs = [(kind.specimen)(seed), (kind.mutant)(seed, 0)];
            let outcomes = programs.map(|p| (p.order, outcome(seed, p)));
            let mut tallies = tallies.lock().expect("no thread panics with it");
            tallies.add(outcomes);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    tallies.into_inner().expect("no thread panics with it")
}

fn outcome(seed: u64, specimen: Specimen) -> Result<Agreement, String> {
    let program = specimen.program;
    match examine(&program, seed) {
        Ok(Agreement::Refused(why)) => Err(format!("seed {seed}: {why}\n{program}")),
        Ok(agreement) => Ok(agreement),
        Err(first) => {
            let program = smallest(program, seed, &first);
            let last = examine(&program, seed).err().unwrap_or(first);
            let slip = specimen.slip.unwrap_or_default();
            Err(format!("seed {seed} {slip}: {last}\n{program}"))
        }
    }
}

/// The order of the group that was found; none if it is not known or there was nothing to compare.
fn order(outcome: &Result<Agreement, String>) -> Option<u64> {
    match outcome {
        Ok(Agreement::Reduced { order, .. }) => *order,
        Ok(Agreement::NoSymmetry) => Some(1),
        _ => None,
    }
}

impl Tallies {
    fn add(&mut self, outcomes: [(Option<u64>, Result<Agreement, String>); 2]) {
        let [(constructed, program), (_, mutant)] = outcomes;
        let (found, left) = (order(&program), order(&mutant));
        if let (Some(constructed), Some(found)) = (constructed, found) {
            self.programs.whole += u64::from(found % constructed == 0);
        }
        self.broken += u64::from(left.is_some() && left < found);
        self.programs.add(program);
        self.mutants.add(mutant);
    }
}

impl Tally {
    fn add(&mut self, outcome: Result<Agreement, String>) {
        match outcome {
            Ok(Agreement::Reduced {
                violated,
                states,
                orbits,
                ..
            }) => {
                self.reduced += 1;
                self.violated += u64::from(violated);
                self.gained += u64::from(orbits < states);
            }
            Ok(Agreement::NoSymmetry) => self.without += 1,
            Ok(Agreement::Declined(_) | Agreement::Refused(_)) => self.declined += 1,
            Ok(Agreement::TooLarge) => self.too_large += 1,
            Err(text) => self.mistakes.push(text),
        }
    }
}

/// Nothing is wrong, and there was something that could have been.
fn conclude(tallies: &Tallies) {
    let Tallies {
        programs, mutants, ..
    } = tallies;
    println!("programs: {programs:?}\nmutants: {mutants:?}");
    let mistakes = programs.mistakes.iter().chain(&mutants.mistakes);
    let mistakes: Vec<&str> = mistakes.map(String::as_str).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    // Programs of which nothing is reduced would agree with everything, and so would mutants that break nothing.
    let compared = programs.reduced + programs.without + programs.declined;
    assert!(programs.reduced * 2 > compared, "{programs:?}");
    assert!(programs.gained * 4 > programs.reduced, "{programs:?}");
    assert!(programs.violated > 0 && programs.violated < programs.reduced);
}
