//! Counts of members, state by state and as relations, and as programs for Spin: compared with searches of all states, and with brute force over all permutations.
#![allow(clippy::print_stdout)]

use mandala_checker::document::counters::counters;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{
    CheckOptions, EngineChoice, Selection, StaticReductions, SymmetryChoice,
};
use mandala_conformance::countable::program;
use mandala_conformance::dose::Dose;
use mandala_conformance::engines::{Answer, Asked, Told, ask, load, load_text};
use mandala_conformance::promises::{folder, models, murphi_models};
use mandala_conformance::quotient::StateSpace;
use mandala_conformance::spin::{self, Claim, Size, Spin};
use mandala_model::step::Observers;
use mandala_prepare::{Aim, Detection, Form, Prepared, Runs, Wanted, Whom, prepare};
use mandala_report::document::Verdict;
use mandala_symmetry::ProofBudget;
use std::path::Path;
use std::time::Duration;

/// Models with more states are left out.
const MOST: u64 = 20_000;

const COUNTERS: SymmetryChoice = SymmetryChoice::Counters;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    counted: bool,
    on_diagrams: bool,
    fewer: bool,
    violated: bool,
}

fn told(answer: &Answer) -> Option<&Told> {
    match answer {
        Answer::Told(told) => Some(told),
        Answer::NotTaken(_) | Answer::TooLarge => None,
    }
}

/// Asks for counts, unless a property is of a kind that these do not decide.
fn counts(loaded: &LoadedModel, asked: Asked) -> Result<Answer, String> {
    match ask(loaded, asked.with(COUNTERS)) {
        Err(why) if why.starts_with("Plan(Counters(") => Ok(Answer::NotTaken(why)),
        other => other,
    }
}

/// Asks for counts, and compares them with what is known without symmetry and with representatives.
fn compare(loaded: &LoadedModel) -> Result<Compared, String> {
    let mut compared = Compared::default();
    for statics in [StaticReductions::NONE, StaticReductions::default()] {
        let asked = Asked {
            statics,
            ..Asked::explicit(MOST)
        };
        let Answer::Told(plain) = ask(loaded, asked)? else {
            return Ok(compared);
        };
        let canonical = ask(loaded, asked.with(SymmetryChoice::default()))?;
        let Some(canonical) = told(&canonical).filter(|told| told.exact) else {
            return Ok(compared);
        };
        let one_by_one = counts(loaded, asked)?;
        let on_diagrams = counts(loaded, asked.on_diagrams())?;
        for (who, answer) in [("one by one", &one_by_one), ("on diagrams", &on_diagrams)] {
            let Some(told) = told(answer) else {
                continue;
            };
            if told.states != canonical.states {
                return Err(format!(
                    "{who}: {} states, and {} orbits",
                    told.states, canonical.states
                ));
            }
            if told.verdicts != plain.verdicts {
                return Err(format!(
                    "{who}: {:?}, and {:?}",
                    told.verdicts, plain.verdicts
                ));
            }
            if told.shown != plain.shown {
                return Err(format!("{who}: a run was shown: {}", told.shown));
            }
        }
        compared.counted |= told(&one_by_one).is_some();
        compared.on_diagrams |= told(&on_diagrams).is_some();
        compared.fewer |= canonical.states < plain.states && compared.counted;
        let violated = |(_, verdict): &(String, Verdict)| *verdict == Verdict::Violated;
        compared.violated |= plain.verdicts.iter().any(violated) && compared.counted;
    }
    Ok(compared)
}

#[test]
fn bundled_models_have_as_many_counted_states_as_orbits() {
    let mut counted = Vec::new();
    let mut on_diagrams = Vec::new();
    let promela = models().expect("the models are there");
    let rules = murphi_models().expect("the models are there");
    for path in promela.iter().chain(&rules) {
        let loaded = load(path, &[]).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let compared = compare(&loaded).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        counted.extend(name.clone().filter(|_| compared.counted));
        on_diagrams.extend(name.filter(|_| compared.on_diagrams));
    }
    for expected in [
        "mutex.pml",
        "broken-lock.pml",
        "lost-wakeup.pml",
        "readers-writers.pml",
    ] {
        assert!(
            counted.iter().any(|name| name == expected),
            "{expected}: {counted:?}"
        );
        assert!(
            on_diagrams.iter().any(|name| name == expected),
            "{expected}: {on_diagrams:?}"
        );
    }
    // Processes that meet, and rules: what concerns several members is found in states that are written out.
    for expected in ["leader-complete.pml", "mesi.m", "readers-first.m"] {
        assert!(
            counted.iter().any(|name| name == expected),
            "{expected}: {counted:?}"
        );
    }
}

#[test]
fn random_programs_have_as_many_counted_states_as_orbits() {
    let dose = Dose::of("countable programs, with and without symmetry", 60);
    let (mut counted, mut fewer, mut violated, mut on_diagrams) = (0, 0, 0, 0);
    for seed in dose.seeds() {
        let text = program(seed);
        let loaded = load_text(Path::new("random.pml"), &text, &[]);
        let loaded = loaded.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        let compared = compare(&loaded).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        counted += u64::from(compared.counted);
        on_diagrams += u64::from(compared.on_diagrams);
        fewer += u64::from(compared.fewer);
        violated += u64::from(compared.violated);
    }
    println!(
        "{counted} counted, {on_diagrams} on diagrams, {fewer} with fewer states, {violated} violated"
    );
    assert!(counted > 0 && fewer > 0 && violated > 0 && on_diagrams > 0);
    assert!(
        counted > on_diagrams,
        "some steps concern several processes"
    );
}

fn prepared(loaded: &LoadedModel) -> Prepared {
    let wanted = Wanted {
        aim: Aim {
            observers: Observers::default(),
            whom: Whom::Processes,
            runs: Runs::All,
        },
        detection: Detection::On,
        statics: StaticReductions::NONE,
        form: Form::Rules,
        asymmetry: false,
    };
    let budget = || ProofBudget::of_steps(20_000_000);
    prepare(&loaded.model, wanted, None, budget).expect("nothing is declared")
}

/// All permutations of the group are applied to all reachable states.
#[test]
fn counted_states_are_orbits_by_brute_force() {
    let dose = Dose::of("countable programs, all permutations", 25);
    let mut checked = 0;
    for seed in dose.seeds() {
        let text = program(seed);
        let loaded = load_text(Path::new("random.pml"), &text, &[]).expect("a right program");
        let prepared = prepared(&loaded);
        let Some(certificate) = &prepared.certificate else {
            continue;
        };
        let asked = Asked::explicit(MOST).with(COUNTERS);
        let answer = ask(&loaded, asked).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let space = StateSpace::of(&prepared.searched, Observers::default(), 2_000);
        let orbits = space.and_then(|space| space.orbits(certificate, 200_000));
        if let (Answer::Told(told), Some(orbits)) = (answer, orbits) {
            assert_eq!(told.states, orbits as u64, "seed {seed}:\n{text}");
            checked += 1;
        }
    }
    assert!(checked > 0);
}

fn states(text: &str, engine: EngineChoice) -> u64 {
    let loaded = load_text(Path::new("model.pml"), text, &[]).expect("a right model");
    let asked = Asked {
        engine,
        ..Asked::explicit(10_000_000).with(COUNTERS)
    };
    match ask(&loaded, asked) {
        Ok(Answer::Told(told)) => told.states,
        other => panic!("{other:?}\n{text}"),
    }
}

fn chosen(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |product, i| product * (n - k + i) / i)
}

/// Members that are free to go from any of l local states to any other: C(n + l - 1, n) states. One comparison tells the local states apart, which could be exchanged otherwise.
#[test]
fn the_free_model_has_as_many_states_as_there_are_multisets() {
    for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
        for (n, l) in [(1, 1), (1, 4), (3, 2), (5, 3), (7, 4), (30, 3)] {
            let choices: String = (0..l).map(|i| format!(" :: s = {i}")).collect();
            let text = format!(
                "active [{n}] proctype P() {{ byte s; do{choices} :: d_step {{ s > 0 -> s-- }} od }}"
            );
            // One member alone is no family.
            if n > 1 && l > 1 {
                assert_eq!(states(&text, engine), chosen(n + l - 1, n), "{n} {l}");
            }
        }
    }
}

#[test]
fn the_mutex_has_two_states_more_for_each_process() {
    let text =
        std::fs::read_to_string(folder().join("mutex/mutex.pml")).expect("the model is there");
    for engine in [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC] {
        for n in [2, 3, 17, 60] {
            let text = format!("#define N {n}\n{text}");
            assert_eq!(states(&text, engine), 2 * n + 1, "{n}");
        }
    }
}

/// What Spin says of a counter program is what we say of the model.
fn same_as_spin(spin: &Spin, loaded: &LoadedModel) -> Result<bool, String> {
    let options = CheckOptions {
        symmetry: COUNTERS,
        properties: Selection::Named(vec!["safety".into()]),
        ..CheckOptions::default()
    };
    let Ok(text) = counters(loaded, &options) else {
        return Ok(false);
    };
    let asked = Asked {
        statics: StaticReductions::default(),
        ..Asked::explicit(MOST).with(COUNTERS)
    };
    let Answer::Told(told) = ask(loaded, asked)? else {
        return Ok(false);
    };
    let question = spin::Question {
        text: &text,
        defines: &[],
        claim: Claim::None,
        size: Size::Small,
        limit: Duration::from_secs(60),
    };
    match spin.ask(&question).map_err(|error| error.to_string())? {
        spin::Answer::Complete(search) => {
            let violated = told.verdicts.iter().any(|(_, v)| *v == Verdict::Violated);
            match (search.states, search.errors > 0) == (told.states, violated) {
                true => Ok(true),
                false => Err(format!("{search:?}, and {told:?}\n{text}")),
            }
        }
        other => Err(format!("{other:?}\n{text}")),
    }
}

#[test]
fn spin_says_the_same_of_counter_programs() {
    let Some(spin) = Spin::find() else {
        println!("no Spin here");
        return;
    };
    let mut agreed = 0;
    for name in ["mutex", "broken-lock", "lost-wakeup", "readers-writers"] {
        let path = folder().join(format!("{name}/{name}.pml"));
        let loaded = load(&path, &[]).expect("the model is right");
        assert_eq!(same_as_spin(&spin, &loaded), Ok(true), "{name}");
    }
    let dose = Dose::of("countable programs, as counter programs", 6);
    for seed in dose.seeds() {
        let text = program(seed);
        let loaded = load_text(Path::new("random.pml"), &text, &[]).expect("a right program");
        let same = same_as_spin(&spin, &loaded);
        let same = same.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        agreed += u64::from(same);
    }
    assert!(agreed > 0);
}
