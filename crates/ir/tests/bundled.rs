//! All bundled models, with the parameters that their headers mention, are printed and read back.

use crate::common::assert_round_trip;
use mandala_model::UncheckedModel;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::{FileId, SourceText, Sources};
use mandala_model::verify::verify;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path, extension)),
            false if path.extension().is_some_and(|e| e == extension) => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// The settings of the lines `Expect: N=2 BUG=1: ..`, and none.
fn settings(text: &str) -> BTreeSet<Vec<String>> {
    let lines = text.lines().filter_map(|line| line.split_once("Expect: "));
    let heads = lines.filter_map(|(_, line)| line.split([':', ',']).next());
    let words = heads.map(|head| head.split(' ').filter(|word| word.contains('=')));
    let settings = words.map(|words| words.map(str::to_owned).collect());
    settings.chain([Vec::new()]).collect()
}

type Loaded = (Option<UncheckedModel>, Vec<Diagnostic>);

fn check(extension: &str, load: fn(&mut Sources, FileId, &[String]) -> Loaded) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = files(&folder, extension);
    assert!(!files.is_empty());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("readable");
        for setting in settings(&text) {
            let mut sources = Sources::default();
            let file = sources.add(SourceText::new(&path, text.as_str()));
            let (model, diagnostics) = load(&mut sources, file, &setting);
            let model = model.unwrap_or_else(|| panic!("{}: {diagnostics:?}", path.display()));
            let model = verify(model).expect("a valid model");
            assert_round_trip(&model, &sources);
        }
    }
}

#[test]
fn promela() {
    check("pml", |sources, file, setting| {
        let beside = sources.file(file).path().with_extension("sym");
        let declarations = std::fs::read_to_string(&beside).ok();
        let mut options = mandala_promela::ParseOptions {
            loader: Box::new(|path: &Path| std::fs::read_to_string(path)),
            declarations: declarations.map(|text| SourceText::new(beside, text)),
            ..Default::default()
        };
        setting.iter().for_each(|define| options.define(define));
        mandala_promela::load(sources, file, &options)
    });
}

#[test]
fn murphi() {
    check("m", |sources, file, setting| {
        let mut options = mandala_murphi::ParseOptions::default();
        setting.iter().for_each(|define| options.define(define));
        mandala_murphi::load(sources, file, &options)
    });
}

#[test]
fn red() {
    check("red", |sources, file, setting| {
        let mut options = mandala_red::RedOptions::default();
        setting.iter().for_each(|define| options.define(define));
        mandala_red::load(sources, file, &options)
    });
}
