//! What the tests of the front end share.

pub mod explore;
pub mod prelude;

use mandala_model::diagnostic::{Diagnostic, has_errors};
use mandala_model::source::{SourceText, Sources};
use mandala_murphi::typed::Program;
use mandala_murphi::{Dialect, ParseOptions, parse};
use std::path::{Path, PathBuf};

/// Parses a text as a file of that name.
pub fn parse_text(path: &str, text: &str) -> (Sources, Option<Program>, Vec<Diagnostic>) {
    parse_with(path, text, &ParseOptions::default())
}

/// Parses a text as a file of that name with those options.
pub fn parse_with(
    path: &str,
    text: &str,
    options: &ParseOptions,
) -> (Sources, Option<Program>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new(path, text));
    let (program, diagnostics) = parse(&mut sources, file, options);
    assert_eq!(
        program.is_none(),
        has_errors(&diagnostics),
        "there is a program unless there is an error"
    );
    (sources, program, diagnostics)
}

/// The program of a text that must be right.
pub fn program(text: &str) -> Program {
    let (sources, program, diagnostics) = parse_text("m.m", text);
    let lines: Vec<String> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    program.unwrap_or_else(|| panic!("{}\nin:\n{text}", lines.join("\n")))
}

/// What is found in a text, with positions and help, without the name of the file.
pub fn complaints(text: &str) -> Vec<String> {
    complaints_in(Dialect::CMurphi, text)
}

/// The same in a dialect.
pub fn complaints_in(dialect: Dialect, text: &str) -> Vec<String> {
    let options = ParseOptions {
        dialect,
        ..ParseOptions::default()
    };
    let (sources, _, diagnostics) = parse_with("m", text, &options);
    complaints_of(&diagnostics, &sources)
}

/// Diagnostics about a file called `m`, each on a line.
pub fn complaints_of(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<String> {
    let show = |d: &Diagnostic| {
        let line = d.one_line(sources);
        let line = line.strip_prefix("m:").unwrap_or(&line).to_string();
        match &d.help {
            Some(help) => format!("{line} ({help})"),
            None => line,
        }
    };
    diagnostics.iter().map(show).collect()
}

/// A folder of models of other projects, which need not be there.
pub fn shared(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/models")
        .join(folder)
}

/// The models in such a folder, in order.
pub fn models(folder: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(shared(folder)) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "m"));
    files.sort();
    files
}

/// The Murphi models that come with Mandala.
pub fn own_models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten());
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "m"));
    files.sort();
    files
}

/// The text of a file.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The models of Rumur's suite that come out differently from what its table expects, for one of those who look at
/// them. The list says why.
pub fn exceptions(who: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in include_str!("../suite.txt")
        .lines()
        .skip_while(|line| !line.is_empty())
        .skip(1)
    {
        let mut parts = line.splitn(3, ": ");
        let [Some(file), Some(all), Some(_)] = [parts.next(), parts.next(), parts.next()] else {
            panic!("this line has no reason: {line}");
        };
        if all.split(' ').any(|one| one == who) {
            files.push(file.to_string());
        }
    }
    files
}
