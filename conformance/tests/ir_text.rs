//! Models of others, printed in the text form of the IR and read back.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::{self, LoadedModel, ModelInput};
use mandala_ir::Text;
use mandala_ir::spans::each_span;
use mandala_model::source::Span;
use mandala_model::template::{Routine, Step};
use mandala_model::{Model, UncheckedModel};
use std::path::{Path, PathBuf};

fn loaded(path: &Path, text: String) -> Option<LoadedModel> {
    let input = ModelInput {
        path: path.into(),
        text,
        defines: Vec::new(),
        dialect: None,
        read: |path: &Path| std::fs::read_to_string(path),
    };
    frontend::load(input).ok()
}

/// The model without places in the source, and without texts of statements unless they are to be kept.
fn bare(model: &Model, keep_texts: bool) -> UncheckedModel {
    let mut model = model.clone().into_unchecked();
    each_span(&mut model, &mut |span| *span = Span::START);
    if keep_texts {
        return model;
    }
    let edges = model.templates.iter_mut().flat_map(|t| &mut t.edges);
    let edges = edges.map(|edge| (&mut edge.text, &mut edge.step));
    let monitors = model.monitors.iter_mut();
    let monitors = monitors.map(|monitor| (&mut monitor.text, &mut monitor.step));
    for (text, step) in edges.chain(monitors) {
        text.clear();
        if let Step::Routine(routine) = step {
            without_texts(routine);
        }
    }
    let functions = model.functions.iter_mut();
    functions.for_each(|function| without_texts(&mut function.body));
    model.conditions.iter_mut().for_each(|c| c.text.clear());
    model
}

fn without_texts(routine: &mut Routine) {
    let choices = routine.nodes.iter_mut().flat_map(|n| &mut n.choices);
    choices.for_each(|choice| choice.text.clear());
}

/// All spans, each as the path of its file and the text there.
fn places(loaded: &LoadedModel) -> Vec<(PathBuf, u32, u32)> {
    let mut places = Vec::new();
    each_span(
        &mut Model::clone(&loaded.model).into_unchecked(),
        &mut |span| {
            let path = loaded.sources.file(span.file).path();
            places.push((path.to_path_buf(), span.start, span.end));
        },
    );
    places
}

fn assert_round_trip(path: &Path, original: &LoadedModel) {
    let plain = Text::new(&original.model).to_string();
    let back = loaded(Path::new("m.ir"), plain).unwrap_or_else(|| panic!("{}", path.display()));
    assert!(
        bare(&back.model, false) == bare(&original.model, false),
        "{}",
        path.display()
    );
    let full = Text::new(&original.model)
        .full(&original.sources)
        .to_string();
    let back = loaded(Path::new("m.ir"), full).unwrap_or_else(|| panic!("{}", path.display()));
    assert!(
        bare(&back.model, true) == bare(&original.model, true),
        "{}",
        path.display()
    );
    assert!(places(&back) == places(original), "{}", path.display());
}

fn models_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_model = path
            .extension()
            .is_some_and(|e| ["pml", "m", "red"].iter().any(|m| e == *m));
        match path.is_dir() {
            true => models_below(&path, found),
            false if is_model => found.push(path),
            false => {}
        }
    }
}

#[test]
fn models_of_others_are_read_as_they_are_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models");
    let mut files = Vec::new();
    models_below(&folder, &mut files);
    if files.is_empty() {
        println!("skipped: there is no folder with models next to the checkout");
        return;
    }
    files.sort();
    let (mut compared, mut refused) = (0, 0);
    for path in files {
        // Some models of a suite are wrong on purpose, and some are no text.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        match loaded(&path, text) {
            Some(original) => {
                assert_round_trip(&path, &original);
                compared += 1;
            }
            None => refused += 1,
        }
    }
    println!("{compared} models, {refused} are refused by their front ends");
    assert!(compared > 100);
}
