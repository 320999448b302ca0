//! Decision diagrams against single states: on every bundled model that both engines take, the same verdicts and the same numbers of
//! states; with symmetry as many states as there are orbits where that is promised, and elsewhere no fewer.
//!
//! What is not taken is listed with the reason, and what is listed must not be taken: whoever extends the engine takes it off the list.
#![allow(clippy::print_stdout)]

use mandala_checker::options::{StaticReductions, SymmetryChoice};
use mandala_conformance::engines::{self, Answer, Asked, Manner, Told};
use mandala_conformance::oracle;
use mandala_conformance::promises::{self, Counting};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Larger models are left to the other engine.
const LARGEST: u64 = if cfg!(debug_assertions) { 300 } else { 6_000 };

/// Bundled models that are not taken, and what it is that is not.
const NOT_TAKEN: [(&str, &str); 0] = [];

/// Bundled models whose symmetry is not used on sets, and why.
const NOT_REDUCED: [(&str, &str); 0] = [];

/// Bundled models that take too much room on diagrams, though they have few states.
const TOO_LARGE: [&str; 0] = [];

/// Bundled models whose processes or elements hold names of others: exchanges of two names may leave several states of an orbit.
const WITH_NAMES: [&str; 0] = [];

#[derive(Default)]
struct Tally {
    compared: usize,
    reduced: usize,
    violated: usize,
    not_taken: BTreeMap<String, String>,
    not_reduced: BTreeMap<String, String>,
    too_large: BTreeSet<String>,
    /// Where more is left than one state for each orbit.
    several: BTreeSet<String>,
    wrong: Vec<String>,
}

impl Tally {
    /// Asks both engines about one model.
    fn examine(&mut self, name: &str, path: &Path, settings: &[String]) -> Result<(), String> {
        let loaded = engines::load(path, settings)?;
        let plain = Asked::explicit(LARGEST);
        let ask = |asked| engines::ask(&loaded, asked);
        let Answer::Told(expected) = ask(plain)? else {
            return Ok(());
        };
        let found = match ask(plain.on_diagrams())? {
            Answer::Told(found) => found,
            Answer::NotTaken(why) => {
                self.not_taken.insert(name.into(), why);
                return Ok(());
            }
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
        for manner in Manner::ALL {
            let reduced = plain.on_diagrams().with(SymmetryChoice::OnSets(manner));
            match ask(reduced)? {
                Answer::Told(found) => {
                    let what = |why: String| format!("{}: {why}", manner.name());
                    same_verdicts(&found, &orbits).map_err(what)?;
                    self.count(name, manner, &found, (&orbits, &expected)).map_err(what)?;
                }
                Answer::NotTaken(why) => {
                    self.not_reduced.insert(name.into(), why);
                    return Ok(());
                }
                Answer::TooLarge => return Err(format!("{}: too large", manner.name())),
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
        if !(orbits.states..=all.states).contains(&found.states) {
            return Err(format!(
                "{} states, but {} orbits of {}",
                found.states, orbits.states, all.states
            ));
        }
        if manner == Manner::Dynamic && found.states > orbits.states {
            self.several.insert(name.into());
        }
        Ok(())
    }

    fn take(&mut self, name: &str, path: &Path, settings: &[String]) {
        if let Err(why) = self.examine(name, path, settings) {
            self.wrong.push(format!("{name} {}: {why}", settings.join(" ")));
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

/// All bundled models.
fn bundled() -> Vec<PathBuf> {
    let languages = [
        promises::models(),
        promises::murphi_models(),
        promises::red_models(),
    ];
    let models = languages.into_iter().flat_map(|found| found.expect("the folder is there"));
    models.collect()
}

/// The sizes of a model that its header tells something of, if that is not too much.
fn sizes(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("the model is there");
    let promises = promises::promises(&text).expect("every line can be read");
    let small = promises
        .into_iter()
        .filter(|p| p.counting == Counting::Reachable && p.states.is_none_or(|n| n <= LARGEST));
    small.map(|promise| promise.settings).collect()
}

/// The file of a model and the folder that it is in.
fn name(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// Whether what was found is what is listed, with the reasons that are listed.
fn assert_listed(what: &str, found: &BTreeMap<String, String>, listed: &[(&str, &str)]) {
    let listed: BTreeMap<&str, &str> = listed.iter().copied().collect();
    for (model, why) in found {
        let reason = listed.get(model.as_str());
        assert!(
            reason.is_some_and(|reason| why.contains(reason)),
            "{model} is not {what} and not listed so: {why}"
        );
    }
    for model in listed.keys() {
        assert!(found.contains_key(*model), "{model} is {what}, but listed otherwise");
    }
}

fn assert_same(what: &str, found: &BTreeSet<String>, listed: &[&str]) {
    let listed: BTreeSet<String> = listed.iter().map(ToString::to_string).collect();
    assert_eq!(*found, listed, "{what}");
}

#[test]
fn both_engines_agree_on_the_bundled_models() {
    let mut tally = Tally::default();
    for path in bundled() {
        for settings in sizes(&path) {
            tally.take(&name(&path), &path, &settings);
        }
    }
    tally.conclude();
    assert_listed("taken", &tally.not_taken, &NOT_TAKEN);
    assert_listed("reduced", &tally.not_reduced, &NOT_REDUCED);
    assert_same("too large", &tally.too_large, &TOO_LARGE);
    assert_same("more than one for each orbit", &tally.several, &WITH_NAMES);
}

/// What the other engine does not take of models of others, in its words.
const REASONS: [&str; 0] = [];

/// Models of other projects, next to the checkout if they are there.
fn of_others() -> Vec<PathBuf> {
    let Some(promela) = oracle::folder() else {
        return Vec::new();
    };
    let rows = std::fs::read_to_string(promela.join("oracle.csv")).expect("the file is there");
    let rows = oracle::rows(&rows).expect("every line can be read");
    let small = rows.iter().filter(|row| row.states <= LARGEST);
    let mut models: BTreeSet<PathBuf> = small.map(|row| promela.join(&row.model)).collect();
    for folder in ["murphi", "murphi-suite"] {
        let files = std::fs::read_dir(promela.with_file_name(folder)).expect("the folder is there");
        let files = files.map(|file| file.expect("it can be read").path());
        models.extend(files.filter(|file| file.extension().is_some_and(|e| e == "m")));
    }
    models.into_iter().collect()
}

#[test]
fn both_engines_agree_on_the_models_of_others() {
    let mut tally = Tally::default();
    for path in of_others() {
        // Some are refused for what they say, as other tests know.
        if engines::load(&path, &[]).is_ok() {
            tally.take(&name(&path), &path, &[]);
        }
    }
    tally.conclude();
    for (model, why) in tally.not_taken.iter().chain(&tally.not_reduced) {
        assert!(REASONS.iter().any(|reason| why.contains(reason)), "{model}: {why}");
    }
    assert!(tally.too_large.is_empty(), "{:?}", tally.too_large);
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
        let sum = (1..=values).map(|j| u64::pow(j, processes as u32 - 1)).sum::<u64>();
        assert_eq!(on_sets(Manner::MultipleRepresentatives), sum, "{processes} {values}");
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
    for (processes, active, without_inactive) in LOCK {
        if cfg!(debug_assertions) && processes > 2 {
            continue;
        }
        let settings = [format!("N={processes}")];
        let numbers = [
            (StaticReductions::NONE, active),
            (StaticReductions::ALL, without_inactive),
        ];
        for (statics, [all, orbits]) in numbers {
            let plain = Asked { statics, ..Asked::explicit(u64::MAX) };
            let states = |asked| told(&path, &text, &settings, asked).states;
            assert_eq!(states(plain), all);
            assert_eq!(states(plain.on_diagrams()), all);
            assert_eq!(states(plain.with(SymmetryChoice::default())), orbits);
            for manner in Manner::ALL {
                let found = states(plain.on_diagrams().with(SymmetryChoice::OnSets(manner)));
                println!("{processes} {statics:?} {manner:?}: {found}");
                assert!((orbits..=all).contains(&found), "{processes} {manner:?}: {found}");
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
