//! Models in the language of PRISM: what other tools are known to say of real ones.
#![allow(clippy::print_stdout)]

use mandala_checker::check;
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput, PropertyInput};
use mandala_checker::options::{
    CheckOptions, EngineChoice, SAFETY, Selection, StaticReductions, SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_model::stated::StatedForm;
use mandala_report::document::Verdict;
use std::path::{Path, PathBuf};

/// The folder of models of others, if it is there.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models/prism");
    match folder.is_dir() {
        true => Some(folder),
        false => {
            println!("skipped: there is no {}", folder.display());
            None
        }
    }
}

/// A row of the table of what other tools say, once for each model.
struct Row {
    id: String,
    file: String,
    defines: Vec<String>,
    states: u64,
}

fn rows(folder: &Path) -> Vec<Row> {
    let table = std::fs::read_to_string(folder.join("oracle.csv")).expect("the table is there");
    let mut rows: Vec<Row> = Vec::new();
    for line in table.lines().skip(1) {
        let cells = cells(line);
        let row = Row {
            id: cells[0].clone(),
            file: cells[1].clone(),
            defines: defines(&cells[2]),
            states: cells[4].parse().expect("a number of states"),
        };
        if rows.iter().all(|known| known.id != row.id) {
            rows.push(row);
        }
    }
    rows
}

/// The constants of a row.
fn defines(cell: &str) -> Vec<String> {
    let all = cell.split(',').map(str::to_owned);
    all.filter(|define| !define.is_empty()).collect()
}

/// The cells of a line, some of them in quotes.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().expect("there is a cell").push(c),
        }
    }
    cells
}

/// The model with the properties in the file beside it.
fn loaded(folder: &Path, row: &Row) -> LoadedModel {
    let input = ModelInput {
        path: folder.join(&row.file),
        text: std::fs::read_to_string(folder.join(&row.file)).expect("the model is there"),
        defines: row.defines.clone(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    let beside = folder.join(format!("{}.props", row.id));
    let properties = PropertyInput {
        form: StatedForm::Queries,
        name: None,
        origin: beside.clone(),
        text: std::fs::read_to_string(&beside).expect("the properties are there"),
    };
    match frontend::load_with(input, vec![properties]) {
        Ok(loaded) => loaded,
        Err(LoadError::Wrong { diagnostics, .. }) => panic!("{}: {diagnostics:?}", row.id),
        Err(error) => panic!("{}: {error:?}", row.id),
    }
}

fn options(symmetry: SymmetryChoice, engine: EngineChoice) -> CheckOptions {
    CheckOptions {
        symmetry,
        engine,
        static_reductions: StaticReductions::NONE,
        properties: Selection::Named(vec![SAFETY.into()]),
        ..CheckOptions::default()
    }
}

#[test]
fn models_of_others_have_their_states() {
    let Some(folder) = folder() else { return };
    let rows = rows(&folder);
    for row in &rows {
        let loaded = loaded(&folder, row);
        assert!(!loaded.stated_properties.is_empty(), "{}", row.id);
        let options = options(SymmetryChoice::Off, EngineChoice::EXPLICIT);
        let document = check(&loaded, &options, &mut Nobody);
        let document = document.unwrap_or_else(|why| panic!("{}: {why:?}", row.id));
        assert_eq!(document.stats.states, row.states, "{}", row.id);
        assert_eq!(document.verdict, Verdict::Holds, "{}", row.id);
    }
    assert_eq!(rows.len(), 33);
}

#[test]
fn all_engines_find_the_same_states() {
    let Some(folder) = folder() else { return };
    for row in rows(&folder).iter().filter(|row| row.states <= 400) {
        let loaded = loaded(&folder, row);
        for engine in [EngineChoice::REFERENCE, EngineChoice::SYMBOLIC] {
            let options = options(SymmetryChoice::Off, engine);
            let document = check(&loaded, &options, &mut Nobody);
            let document = document.unwrap_or_else(|why| panic!("{}: {why:?}", row.id));
            assert_eq!(document.stats.states, row.states, "{} {engine:?}", row.id);
        }
    }
}
