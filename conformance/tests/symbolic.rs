//! Decision diagrams against single states: on every bundled model, the same verdicts and the same numbers of
//! states; with symmetry as many states as there are orbits where that is promised, and elsewhere no fewer.
//!
//! Every one of them is taken. What is too large or leaves more states than others is listed, and what is listed must be so: whoever makes the engine better takes
//! it off the list.
#![allow(clippy::print_stdout)]

use mandala_checker::options::{StaticReductions, SymmetryChoice};
use mandala_conformance::dose::Dose;
use mandala_conformance::engines::{self, Answer, Asked, Manner, Told};
use mandala_conformance::promises::{self, Counting};
use mandala_report::document::Verdict;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many states a model has at most in a usual dose, and in a large one. Larger models are left to the other engine.
const LARGEST: [u64; 2] = [160, 600];

/// The orbit relation of models with more than one of so many of these states takes too long.
const ONE_OF: u64 = 4;

/// Bundled models that have few states and large diagrams, as far as the memory here goes, or whose reductions do.
const TOO_LARGE: [&str; 2] = ["allocator/allocator.pml", "three-tier/three-tier.pml"];

/// Bundled models whose group is neither full nor small, and so not used on sets.
const NOT_REDUCED: [&str; 1] = ["social-golfer/social-golfer.pml"];

/// Bundled models whose processes, elements or messages hold names of others: exchanges of two names may leave several states of an orbit.
const WITH_NAMES: [&str; 7] = [
    "double-cycle/double-cycle.red",
    "initialisation/initialisation.pml",
    "job-pool/job-pool.m",
    "leader-complete/leader-complete.m",
    "load-balancer/balancers.pml",
    "load-balancer/load-balancer.pml",
    "token-lock/token-lock.pml",
];

/// Bundled models whose processes are made with arguments: images of states that can be reached may be states that cannot, and so more may be
/// left than can be reached.
const MADE_WITH_NAMES: [&str; 2] = ["allocator/allocator.pml", "token-lock/token-lock.pml"];

#[derive(Default)]
struct Tally {
    compared: usize,
    reduced: usize,
    violated: usize,
    too_large: BTreeSet<String>,
    not_reduced: BTreeSet<String>,
    /// Where more is left than one state for each orbit.
    several: BTreeSet<String>,
    /// Where more is left than can be reached without symmetry.
    unreached: BTreeSet<String>,
    wrong: Vec<String>,
    /// How many states a model may have.
    largest: u64,
}

impl Tally {
    /// Asks both engines about one model.
    fn examine(&mut self, name: &str, path: &Path, settings: &[String]) -> Result<(), String> {
        let loaded = engines::load(path, settings)?;
        let plain = Asked::explicit(self.largest);
        let ask = |asked| engines::ask(&loaded, asked);
        let Answer::Told(expected) = ask(plain)? else {
            return Ok(());
        };
        let found = match ask(plain.on_diagrams())? {
            Answer::Told(found) => found,
            Answer::NotTaken(why) => return Err(why),
            Answer::TooLarge => {
                self.too_large.insert(name.into());
                return Ok(());
            }
        };
        same_verdicts(&found, &expected)?;
        if found.states != expected.states {
            return Err(format!("{} states of {}", found.states, expected.states));
        }
        self.compared += 1;
        self.violated += usize::from(found.shown);
        let Answer::Told(orbits) = ask(plain.with(SymmetryChoice::default()))? else {
            return Err("it is too large with symmetry".into());
        };
        if orbits.order == "1" || !orbits.exact {
            return Ok(());
        }
        let small = expected.states <= self.largest / ONE_OF;
        let affordable = |manner: &Manner| small || *manner != Manner::OrbitRelation;
        for manner in Manner::ALL.into_iter().filter(affordable) {
            let reduced = plain.on_diagrams().with(SymmetryChoice::OnSets(manner));
            match ask(reduced)? {
                Answer::Told(found) => {
                    let what = |why: String| format!("{}: {why}", manner.name());
                    as_far_as_known(&found, &orbits).map_err(what)?;
                    self.count(name, manner, &found, (&orbits, &expected))
                        .map_err(what)?;
                }
                Answer::NotTaken(why) if why.contains("that is not full") => {
                    self.not_reduced.insert(name.into());
                }
                Answer::NotTaken(why) => return Err(format!("{}: {why}", manner.name())),
                Answer::TooLarge => {
                    self.too_large.insert(name.into());
                }
            }
        }
        self.reduced += 1;
        Ok(())
    }

    fn count(
        &mut self,
        name: &str,
        manner: Manner,
        found: &Told,
        (orbits, all): (&Told, &Told),
    ) -> Result<(), String> {
        if found.states < orbits.states {
            return Err(format!(
                "{} states, but {} orbits",
                found.states, orbits.states
            ));
        }
        if found.states > all.states {
            self.unreached.insert(name.into());
        }
        let several = found.states > orbits.states;
        match manner {
            Manner::OrbitRelation if several => {
                return Err(format!(
                    "{} states for {} orbits",
                    found.states, orbits.states
                ));
            }
            Manner::Dynamic if several => {
                self.several.insert(name.into());
            }
            _ => {}
        }
        Ok(())
    }

    fn take(&mut self, name: &str, path: &Path, settings: &[String]) {
        if let Err(why) = self.examine(name, path, settings) {
            self.wrong
                .push(format!("{name} {}: {why}", settings.join(" ")));
        }
    }

    fn conclude(&self) {
        println!(
            "{} compared, {} of them with symmetry, {} violated",
            self.compared, self.reduced, self.violated
        );
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

fn same_verdicts(found: &Told, expected: &Told) -> Result<(), String> {
    match found.verdicts == expected.verdicts {
        true => Ok(()),
        false => Err(format!("{:?}, not {:?}", found.verdicts, expected.verdicts)),
    }
}

/// With several states for an orbit, violations are counted several times, and then one of them is not known to be the only one.
fn as_far_as_known(found: &Told, expected: &Told) -> Result<(), String> {
    let mut known = found.clone();
    for ((_, verdict), (_, expected)) in known.verdicts.iter_mut().zip(&expected.verdicts) {
        if *verdict == Verdict::Unknown && found.shown {
            *verdict = *expected;
        }
    }
    same_verdicts(&known, expected)
}

/// The sizes of a model that its header tells something of, if that is not too much.
fn sizes(path: &Path, largest: u64) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("the model is there");
    let promises = promises::promises(&text).expect("every line can be read");
    let small = promises
        .into_iter()
        .filter(|p| p.counting == Counting::Reachable && p.states.is_none_or(|n| n <= largest));
    small.map(|promise| promise.settings).collect()
}

/// The file of a model and the folder that it is in.
fn name(path: &Path) -> String {
    let parts: Vec<_> = path
        .iter()
        .rev()
        .take(2)
        .map(|part| part.to_string_lossy())
        .collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// What is wrong with a list, as far as models in a language are concerned.
fn complaints(
    found: &BTreeSet<String>,
    listed: &[&str],
    (language, largest): (&str, u64),
) -> Vec<String> {
    let of_language = |model: &str| Path::new(model).extension().is_some_and(|e| e == language);
    let listed = listed.iter().copied().filter(|model| of_language(model));
    let listed: BTreeSet<&str> = listed.collect();
    let missing = found
        .iter()
        .filter(|model| !listed.contains(model.as_str()));
    let missing = missing.map(|model| format!("{model} is not listed"));
    // Small sizes may not show it.
    let idle = listed.iter().filter(|_| largest == LARGEST[1]);
    let idle = idle.filter(|model| !found.contains(**model));
    let idle = idle.map(|model| format!("{model} is listed, but need not be"));
    missing.chain(idle).collect()
}

/// Asks both engines about all bundled models in a language.
fn agree(language: &str, models: std::io::Result<Vec<PathBuf>>) {
    let [usual, large] = LARGEST;
    let mut tally = Tally {
        largest: Dose::largest("models on diagrams", usual, large),
        ..Tally::default()
    };
    for path in Dose::turn("models on diagrams", models.expect("the folder is there")) {
        let model = name(&path);
        for size in sizes(&path, tally.largest) {
            tally.take(&model, &path, &size);
        }
    }
    tally.conclude();
    let lists = [
        ("too large", &tally.too_large, &TOO_LARGE[..]),
        ("not reduced", &tally.not_reduced, &NOT_REDUCED[..]),
        ("several of an orbit", &tally.several, &WITH_NAMES[..]),
        ("unreached", &tally.unreached, &MADE_WITH_NAMES[..]),
    ];
    let wrong = lists.iter().flat_map(|(what, found, listed)| {
        let complaints = complaints(found, listed, (language, tally.largest)).into_iter();
        complaints.map(move |complaint| format!("{what}: {complaint}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_engines_agree_on_the_bundled_models_in_promela() {
    agree("pml", promises::models());
}

#[test]
fn both_engines_agree_on_the_bundled_models_in_murphi() {
    agree("m", promises::murphi_models());
}

#[test]
fn both_engines_agree_on_the_bundled_pointer_automata() {
    agree("red", promises::red_models());
}

#[track_caller]
fn told(path: &Path, text: &str, settings: &[String], asked: Asked) -> Told {
    let loaded = engines::load_text(path, text, settings).expect("it is right");
    match engines::ask(&loaded, asked) {
        Ok(Answer::Told(told)) => told,
        other => panic!("{path:?} {settings:?} {asked:?}: {other:?}"),
    }
}

/// Asks for the number of states of a text.
#[track_caller]
fn states(text: &str, asked: Asked) -> u64 {
    told(Path::new("model.pml"), text, &[], asked).states
}

#[test]
fn processes_that_do_what_they_like_have_the_numbers_of_the_books() {
    let choose = |n: u64, k: u64| (1..=k).fold(1, |chosen, i| chosen * (n - k + i) / i);
    for (processes, values) in [(2, 2), (2, 5), (3, 3), (4, 2), (4, 4), (5, 3), (6, 2)] {
        let last = values - 1;
        let text = format!(
            "active [{processes}] proctype p() {{ byte s; do :: d_step {{ s < {last}; s++ }} :: s = 0 od }}"
        );
        let plain = Asked::explicit(u64::MAX).on_diagrams();
        let on_sets = |manner| states(&text, plain.with(SymmetryChoice::OnSets(manner)));
        let all = u64::pow(values, processes as u32);
        let orbits = choose(processes + values - 1, processes);
        assert_eq!(states(&text, plain), all);
        assert_eq!(on_sets(Manner::Dynamic), orbits, "{processes} {values}");
        let sum = (1..=values)
            .map(|j| u64::pow(j, processes as u32 - 1))
            .sum::<u64>();
        assert_eq!(
            on_sets(Manner::MultipleRepresentatives),
            sum,
            "{processes} {values}"
        );
        assert!((orbits..=all).contains(&on_sets(Manner::OnTheFly)));
    }
}

/// The lock of Mellor-Crummey and Scott: processes, states and orbits, and both without inactive variables.
const LOCK: [(u64, [u64; 2], [u64; 2]); 3] = [
    (2, [159, 81], [62, 32]),
    (3, [7_597, 1_285], [812, 142]),
    (4, [554_221, 23_636], [13_248, 588]),
];

#[test]
fn the_lock_has_the_same_numbers_on_diagrams() {
    let path = promises::folder().join("mcs-lock/mcs-lock.red");
    let text = std::fs::read_to_string(&path).expect("the model is there");
    let largest = Dose::largest("the lock on diagrams", 10_000, 1_000_000);
    for (processes, active, without_inactive) in LOCK {
        let settings = [format!("N={processes}")];
        let numbers = [
            (StaticReductions::NONE, active),
            (StaticReductions::ALL, without_inactive),
        ];
        for (statics, [all, orbits]) in numbers {
            if all > largest {
                continue;
            }
            let plain = Asked {
                statics,
                ..Asked::explicit(u64::MAX)
            };
            let states = |asked| told(&path, &text, &settings, asked).states;
            assert_eq!(states(plain), all);
            assert_eq!(states(plain.on_diagrams()), all);
            assert_eq!(states(plain.with(SymmetryChoice::default())), orbits);
            // With more orbits than that, the reductions are left to those who have the time.
            for manner in Manner::ALL.into_iter().filter(|_| orbits < 10_000) {
                let found = states(plain.on_diagrams().with(SymmetryChoice::OnSets(manner)));
                println!("{processes} {statics:?} {manner:?}: {found}");
                assert!(
                    (orbits..=all).contains(&found),
                    "{processes} {manner:?}: {found}"
                );
            }
        }
    }
}

#[test]
fn planted_mistakes_of_pointer_automata_are_found_and_replayed() {
    let mut found = 0;
    for path in promises::red_models().expect("the folder is there") {
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let promises = promises::promises(&text).expect("every line can be read");
        for promise in promises.iter().filter(|p| p.violated.is_some()) {
            let plain = Asked::explicit(u64::MAX);
            let ways = Manner::ALL.map(|m| plain.on_diagrams().with(SymmetryChoice::OnSets(m)));
            for asked in [plain, plain.on_diagrams()].into_iter().chain(ways) {
                let told = told(&path, &text, &promise.settings, asked);
                assert!(told.shown, "{path:?} {:?} {asked:?}", promise.settings);
            }
            found += 1;
        }
    }
    assert!(found >= 8, "only {found} mistakes");
}
