//! Wrong models and what is said about them.
//!
//! Every `bad_models/*.pml` stands beside an `.expected` file with its diagnostics: one line each, and
//! the help under it. After a deliberate change, run with `UPDATE_EXPECT=1` and read the difference.

use mandala_model::diagnostic::{Diagnostic, has_errors};
use mandala_model::source::{FileId, SourceText, Sources};
use mandala_promela::{ParseOptions, load};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A front end: reads a model and says what is wrong with it.
type FrontEnd = fn(&mut Sources, FileId, &ParseOptions) -> Vec<Diagnostic>;

#[test]
fn wrong_models_get_the_expected_diagnostics() {
    let wrong = compare_folder("bad_models", |sources, file, options| {
        load(sources, file, options).1
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a front end on every model of a folder; what differs from what is expected.
fn compare_folder(name: &str, front_end: FrontEnd) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name);
    let models = models_of(&folder);
    assert!(
        models.len() >= 35,
        "only {} models in {}",
        models.len(),
        folder.display()
    );
    models
        .iter()
        .filter_map(|model| compare(model, front_end))
        .collect()
}

fn models_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.flatten().map(|entry| entry.path());
    let mut models: Vec<PathBuf> = paths
        .filter(|p| p.extension().is_some_and(|e| e == "pml"))
        .collect();
    models.sort();
    models
}

fn compare(model: &Path, front_end: FrontEnd) -> Option<String> {
    let name = model.file_name()?.to_string_lossy().into_owned();
    let (found, is_wrong) = diagnose(model, &name, front_end);
    if !is_wrong {
        return Some(format!("{name}: no error was reported"));
    }
    let expected_path = model.with_extension("expected");
    let expected = fs::read_to_string(&expected_path).unwrap_or_default();
    if found == expected {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(&expected_path, found)
            .err()
            .map(|e| format!("{name}: {e}"));
    }
    Some(format!("{name}: expected\n{expected}found\n{found}"))
}

/// The diagnostics of a model as text, and whether one of them is an error.
fn diagnose(model: &Path, name: &str, front_end: FrontEnd) -> (String, bool) {
    let folder = model.parent().map(Path::to_path_buf).unwrap_or_default();
    let options = ParseOptions {
        loader: Box::new(move |path| fs::read_to_string(folder.join(path))),
        ..ParseOptions::default()
    };
    let text = fs::read_to_string(model).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new(name, text));
    let diagnostics = front_end(&mut sources, file, &options);
    (render(&diagnostics, &sources), has_errors(&diagnostics))
}

fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(text, "{}", diagnostic.one_line(sources));
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(text, "  help: {help}");
        }
    }
    text
}
