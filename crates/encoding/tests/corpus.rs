//! The corpus of small models in the text form of the IR: bytecode and machine code agree in every state, and find as many states as the
//! headers say.

use crate::native::compare_with;
use mandala_model::Model;
use mandala_model::instantiate::{rules, written_out};
use mandala_model::property::PropertyKind;
use mandala_model::source::{SourceText, Sources};
use mandala_model::step::Observers;
use mandala_model::verify::verify;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/corpus");
    let entries = std::fs::read_dir(folder).expect("the corpus").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn read(text: &str) -> Option<Model> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.ir", text));
    let (model, _) = mandala_ir::load(&mut sources, file);
    Some(verify(model?).expect("the reader has verified it"))
}

/// How many states the header says that there are.
fn states(text: &str) -> Option<usize> {
    let promises = || text.lines().filter_map(|l| l.strip_prefix("// Expect: "));
    let of = |promise: &str| {
        let counted = promise
            .split(", ")
            .find_map(|part| part.strip_suffix(" states"))?;
        counted.parse().ok()
    };
    let safety = promises().find(|promise| promise.starts_with("safety "));
    // What is asked about probabilities is asked of all states, too.
    match safety {
        Some(promise) => of(promise),
        None => promises().find_map(of),
    }
}

/// The observer of messages, which is part of what is safe.
fn events(model: &Model) -> Observers {
    let observer = model.properties.iter().find_map(|p| match p.kind {
        PropertyKind::Events { observer } => Some(observer),
        _ => None,
    });
    Observers {
        events: observer,
        ..Observers::default()
    }
}

/// Compares all models of the corpus in a form. Says how many there are, and for how many there was machine code.
fn compare_all(form: impl Fn(Model) -> Model) -> (usize, usize) {
    let (mut models, mut by_machine_code) = (0, 0);
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let Some(model) = read(&text) else {
            assert!(text.contains("// Error: "), "{}", path.display());
            continue;
        };
        let model = form(model);
        let observers = events(&model);
        let compared = compare_with(&model, observers, 1_000);
        // Only the search knows that elements have no order.
        if model.bags().is_empty() {
            assert_eq!(Some(compared.states), states(&text), "{}", path.display());
        }
        // Machine code is for models without observers and priorities, and not for states in which something goes wrong or ends.
        if observers.events.is_some() || model.prioritised {
            assert_eq!(compared.natively, 0, "{}", path.display());
        }
        models += 1;
        by_machine_code += usize::from(compared.natively > 0);
    }
    (models, by_machine_code)
}

#[test]
fn machine_code_and_bytecode_agree_on_instances_of_the_corpus() {
    let written = |model| written_out(model).expect("a small model");
    let (models, natively) = compare_all(written);
    assert!(models > 30 && natively > 15, "{natively} of {models}");
}

#[test]
fn machine_code_and_bytecode_agree_on_rules_of_the_corpus() {
    let (models, natively) = compare_all(|model| rules(model).expect("a small model"));
    assert!(models > 30 && natively > 15, "{natively} of {models}");
}
