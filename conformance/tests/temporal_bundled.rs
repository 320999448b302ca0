//! What happens for ever in the bundled models, for every kind of fairness: with symmetry the verdicts are those without it, and
//! every run that is shown replays and is fair.
//!
//! Each model is taken with those settings of its header that give it the most states among those that are few enough. It is asked whether something that
//! can be seen of it comes again and again, and whether it ever stays; what can be seen treats all elements of an array alike.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::Choice;
use mandala_conformance::dose::Dose;
use mandala_conformance::forever::{self, Fairness, Manner};
use mandala_conformance::promises::{self, Counting};
use mandala_model::UncheckedModel;
use mandala_model::types::{Scalar, Storage, Type, Variable};
use std::path::Path;

/// How many states a model may have, and its product with a formula.
const STATES: (u64, u64) = (700, 3_000);

/// The same in a large dose.
const LARGE: (u64, u64) = (2_000, 10_000);

/// How many states the interpreter is troubled with.
const INTERPRETED: u64 = 300;

#[derive(Debug, Default)]
struct Tally {
    models: u64,
    agreed: u64,
    violated: u64,
    reduced: u64,
    reduced_for_statements: u64,
    interpreted: u64,
}

#[test]
fn symmetry_never_changes_what_fair_runs_of_bundled_models_do() {
    let mut tally = Tally::default();
    let all = promises::models().expect("the folder is there");
    for path in Dose::turn("fair runs of bundled models", all) {
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let before = tally.agreed;
        if let Some(settings) = settings(&text) {
            examine(&path, &text, &settings, &mut tally);
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        println!("{name}: {} answers", tally.agreed - before);
        tally.models += u64::from(tally.agreed > before);
    }
    println!("{tally:?}");
    let Tally {
        models,
        agreed,
        violated,
        reduced,
        reduced_for_statements,
        interpreted,
    } = tally;
    assert!(
        models >= Dose::one_of(7, 20),
        "too few models are small enough"
    );
    assert!(violated * 10 > agreed && violated * 10 < agreed * 9);
    assert!(reduced * 3 > agreed && reduced_for_statements * 10 > agreed && interpreted > 0);
}

/// The settings of the largest model in a header that is not too large.
fn settings(text: &str) -> Option<Vec<String>> {
    let promises = promises::promises(text).expect("the header can be read");
    let all = promises.into_iter();
    let counted = all.filter(|promise| promise.counting == Counting::Reachable);
    let sizes = counted.filter_map(|promise| Some((promise.states?, promise.settings)));
    let (largest, _) = Dose::one_of(STATES, LARGE);
    let small = sizes.filter(|(states, _)| *states <= largest);
    small
        .max_by_key(|(states, _)| *states)
        .map(|(_, settings)| settings)
}

fn examine(path: &Path, text: &str, settings: &[String], tally: &mut Tally) {
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let bare = forever::load_linear(path, text, &settings, &[]).expect("a model");
    let Some(seen) = seen(&bare.model) else {
        return;
    };
    let formulas = [
        ("again", format!("[]<> ({seen})")),
        ("stays", format!("<>[] ({seen})")),
    ];
    let loaded = forever::load_linear(path, text, &settings, &formulas).expect("a model");
    for (name, formula) in &formulas {
        for fairness in Fairness::ALL {
            let asked = format!("{}, {settings:?}, {formula}, {fairness:?}", path.display());
            let answer = answer(&loaded, name, *fairness, tally);
            answer.unwrap_or_else(|what| panic!("{asked}: {what}"));
        }
    }
}

fn answer(
    loaded: &LoadedModel,
    property: &str,
    fairness: Fairness,
    tally: &mut Tally,
) -> Result<(), String> {
    let ask = |manner, limit| forever::ask(loaded, property, manner, fairness, limit);
    let (_, limit) = Dose::one_of(STATES, LARGE);
    let plain = ask(Manner::PLAIN, limit)?;
    let Some(violated) = plain.violated() else {
        return Ok(());
    };
    let usual = ask(Manner::USUAL, limit)?;
    let slow = ask(Manner::REFERENCE, INTERPRETED)?;
    if usual.violated().is_none() {
        return Err(format!("{plain:?}, and with symmetry {usual:?}"));
    }
    for other in [&usual, &slow] {
        if other.violated().is_some_and(|other| other != violated) {
            return Err(format!("{plain:?}, {other:?}"));
        }
    }
    tally.agreed += 1;
    tally.violated += u64::from(violated);
    tally.reduced += u64::from(usual.is_reduced());
    tally.reduced_for_statements += u64::from(usual.is_reduced() && fairness.is_per_action());
    tally.interpreted += u64::from(slow.violated().is_some());
    Ok(())
}

/// Something that can be seen of a model: that a variable is 0, or all elements of an array are.
fn seen(model: &UncheckedModel) -> Option<String> {
    let mut globals = model
        .globals
        .iter()
        .filter(|v| v.storage != Storage::Scratch);
    globals.find_map(all_zero)
}

fn all_zero(variable: &Variable) -> Option<String> {
    let name = &variable.name;
    let is_number = |ty: &Type| match ty {
        Type::Scalar(Scalar::Int { .. } | Scalar::Bool) => true,
        Type::Scalar(_) | Type::Record(_) | Type::Array { .. } => false,
    };
    match &variable.ty {
        Type::Array { element, length } if is_number(element) => {
            let elements = (0..*length).map(|index| format!("{name}[{index}] == 0"));
            Some(elements.collect::<Vec<_>>().join(" && "))
        }
        ty => is_number(ty).then(|| format!("{name} == 0")),
    }
}
