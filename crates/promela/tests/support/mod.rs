//! What the tests of the front end share.

pub(crate) mod sexpr;

use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::{SourceText, Sources};
use mandala_promela::ast::Program;
use mandala_promela::{ParseOptions, parse};
use std::path::{Path, PathBuf};

/// Parses a text as a file of that name.
pub(crate) fn parse_text(
    path: &str,
    text: &str,
    options: &ParseOptions,
) -> (Sources, Program, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new(path, text));
    let (program, diagnostics) = parse(&mut sources, file, options);
    (sources, program, diagnostics)
}

/// Parses a text that must be right, and shows the tree.
pub(crate) fn tree(text: &str) -> String {
    let (sources, program, diagnostics) = parse_text("m.pml", text, &ParseOptions::default());
    let lines: Vec<String> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    assert!(
        lines.is_empty(),
        "unexpected diagnostics:\n{}\nin:\n{text}",
        lines.join("\n")
    );
    sexpr::program(&program)
}

/// The one-line form of what is wrong with a text.
pub(crate) fn complaints(text: &str) -> Vec<String> {
    let (sources, _, diagnostics) = parse_text("m.pml", text, &ParseOptions::default());
    diagnostics.iter().map(|d| d.one_line(&sources)).collect()
}

/// The models of other projects, if they are there.
pub(crate) fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/promela");
    let mut files = Vec::new();
    collect_files(&folder, &mut files);
    files.retain(|path| path.extension().is_none_or(|extension| extension != "csv"));
    files.sort();
    files
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect_files(&path, files);
        } else {
            files.push(path);
        }
    }
}
