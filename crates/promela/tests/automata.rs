//! The automata of proctypes are those of Spin: locations, order of transitions, statement numbers,
//! marks. The tables beside the models were printed by `pan -d`, verifiers made by
//! `spin -o1 -o2 -o3 -a`, and brought into this form: source, target, statement, the state an escape
//! starts at, and whether the source is accepting, an end, or progress.

use crate::support;
use mandala_model::template::{Edge, Role, Step, Template};
use mandala_promela::{ParseOptions, lower::lower};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
fn automata_are_those_of_spin() {
    let models = models();
    assert!(models.len() >= 5, "the models are gone");
    for path in models {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let (_, program, diagnostics) =
            support::parse_text("m.pml", &text, &ParseOptions::default());
        assert!(
            diagnostics.is_empty(),
            "{}: {diagnostics:?}",
            path.display()
        );
        let (model, diagnostics) = lower(&program);
        let model = model.unwrap_or_else(|| panic!("{}: {diagnostics:?}", path.display()));
        let expected = std::fs::read_to_string(path.with_extension("expected")).expect("a table");
        for (name, rows) in tables(&expected) {
            let template = model
                .templates
                .iter()
                .find(|t| t.name == name)
                .expect("a template");
            assert_eq!(
                table(template, &rows),
                rows.join("\n"),
                "{} of {}",
                name,
                path.display()
            );
        }
    }
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/automata");
    let entries = std::fs::read_dir(folder).expect("the folder of models");
    let paths = entries.flatten().map(|e| e.path());
    paths
        .filter(|p| p.extension().is_some_and(|e| e == "pml"))
        .collect()
}

/// The tables of a file: a name, then indented rows.
fn tables(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut tables: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("  ") {
            Some(row) => tables.last_mut().expect("a name comes first").1.push(row),
            None => tables.push((line, Vec::new())),
        }
    }
    tables
}

/// The rows of the locations that the expected table speaks about. Spin also prints where escapes
/// start, which is no location unless something leads there.
fn table(template: &Template, expected: &[&str]) -> String {
    let wanted: BTreeSet<&str> = expected
        .iter()
        .filter_map(|row| row.split(' ').next())
        .collect();
    let rows: Vec<String> = template
        .edges
        .iter()
        .map(|edge| row(template, edge))
        .collect();
    let rows = rows
        .iter()
        .filter(|r| wanted.contains(r.split(' ').next().unwrap_or("")));
    rows.cloned().collect::<Vec<_>>().join("\n")
}

fn row(template: &Template, edge: &Edge) -> String {
    let source = &template.locations[edge.source.index()];
    let target = match edge.step {
        Step::Exit => 0,
        _ => template.locations[edge.target.index()].number,
    };
    let mut row = format!("{} -> {target}", source.number);
    // A claim's statements are not named by trails, so their numbers need not be Spin's.
    if template.role == Role::Process {
        write!(row, "  id {}", edge.statement).expect("strings take everything");
    }
    let mark = |set: bool, letter: char| if set { letter } else { '-' };
    write!(
        row,
        "  escape {}  {}{}{}",
        edge.escape,
        mark(source.accept, 'a'),
        mark(source.end, 'e'),
        mark(source.progress, 'p')
    )
    .expect("strings take everything");
    row
}
