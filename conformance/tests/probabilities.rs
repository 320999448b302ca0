//! Values of real models against those of others: exact ones lie between our bounds, and bounds that are known meet ours.
#![allow(clippy::print_stdout)]

use dashu_ratio::RBig;
use mandala_checker::check;
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput, PropertyInput};
use mandala_checker::options::{AfterViolation, CheckOptions, Selection};
use mandala_checker::watch::Nobody;
use mandala_conformance::dose::Dose;
use mandala_model::stated::StatedForm;
use mandala_report::document::{PropertyResult, Value, Verdict};
use std::path::{Path, PathBuf};

/// What is not decided to the precision that is wanted, or not asked here, by model and property.
const OPEN: &[(&str, &str)] = &[];

/// A row of the table.
struct Row {
    cells: Vec<String>,
}

impl Row {
    fn id(&self) -> &str {
        &self.cells[0]
    }

    fn states(&self) -> u64 {
        self.cells[4].parse().expect("a number of states")
    }

    fn property(&self) -> &str {
        &self.cells[9]
    }

    /// The value as a fraction, if it is one.
    fn exact(&self) -> Option<RBig> {
        fraction(&self.cells[11])
    }

    /// Bounds of the value, if they are known.
    fn bounds(&self) -> Option<(f64, f64)> {
        let inner = self.cells[13].strip_prefix('[')?.strip_suffix(']')?;
        let (lower, upper) = inner.split_once(',')?;
        Some((lower.parse().ok()?, upper.parse().ok()?))
    }
}

fn fraction(text: &str) -> Option<RBig> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let above: RBig = above.parse().ok()?;
    let below: RBig = below.parse().ok()?;
    Some(above / below)
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

/// The rows of the table, those of one model together.
fn models(folder: &Path) -> Vec<Vec<Row>> {
    let table = std::fs::read_to_string(folder.join("oracle.csv")).expect("the table is there");
    let mut models: Vec<Vec<Row>> = Vec::new();
    for line in table.lines().skip(1) {
        let row = Row { cells: cells(line) };
        match models.last_mut().filter(|model| model[0].id() == row.id()) {
            Some(model) => model.push(row),
            None => models.push(vec![row]),
        }
    }
    models
}

/// The model with the properties in the file beside it.
fn loaded(folder: &Path, row: &Row) -> LoadedModel {
    let path = folder.join(&row.cells[1]);
    let defines = row.cells[2].split(',').filter(|define| !define.is_empty());
    let input = ModelInput {
        text: std::fs::read_to_string(&path).expect("the model is there"),
        path,
        defines: defines.map(str::to_owned).collect(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    let beside = folder.join(format!("{}.props", row.id()));
    let properties = PropertyInput {
        form: StatedForm::Queries,
        name: None,
        text: std::fs::read_to_string(&beside).expect("the properties are there"),
        origin: beside,
    };
    match frontend::load_with(input, vec![properties]) {
        Ok(loaded) => loaded,
        Err(LoadError::Wrong { diagnostics, .. }) => panic!("{}: {diagnostics:?}", row.id()),
        Err(error) => panic!("{}: {error:?}", row.id()),
    }
}

fn exact(number: f64) -> RBig {
    RBig::try_from(number).expect("a finite number")
}

/// A value is between our bounds, or bounds of it meet ours.
fn agrees(row: &Row, value: &Value) {
    let (lower, upper) = (value.lower.0, value.upper.0);
    let about = format!("{} {}: {value}", row.id(), row.property());
    assert!(upper - lower <= 1.000_001e-6 * lower, "{about}");
    match (row.exact(), row.bounds()) {
        (Some(known), _) => assert!(exact(lower) <= known && known <= exact(upper), "{about}"),
        (None, Some(known)) => assert!(lower <= known.1 && known.0 <= upper, "{about}"),
        // Estimates of what happens in continuous time, to five digits or so.
        (None, None) => match row.cells[12].parse::<f64>() {
            Ok(known) => assert!(
                lower * (1.0 - 1e-5) <= known && known <= upper * (1.0 + 1e-5),
                "{about}"
            ),
            Err(_) => println!("{about}, and nobody says more"),
        },
    }
}

fn compare(row: &Row, found: &PropertyResult) {
    let about = format!("{} {}", row.id(), row.property());
    let stats = found.stats.as_ref().expect("it was searched");
    assert_eq!(stats.states, row.states(), "{about}");
    if OPEN.contains(&(row.id(), row.property())) {
        assert_eq!(found.verdict, Verdict::Unknown, "{about} is decided now");
        return;
    }
    match (&found.verdict, &found.value) {
        (Verdict::Value, Some(value)) => agrees(row, value),
        (Verdict::Holds, None) => assert_eq!(row.cells[12], "true", "{about}"),
        (Verdict::Violated, None) => assert_eq!(row.cells[12], "false", "{about}"),
        (verdict, _) => panic!("{about}: {verdict} {:?}", found.reason),
    }
}

#[test]
fn values_are_those_of_others() {
    let Some(folder) = folder() else { return };
    let largest = Dose::largest("values of others", 1_200, 100_000);
    let mut compared = 0;
    for rows in models(&folder) {
        if rows[0].states() > largest {
            continue;
        }
        let loaded = loaded(&folder, &rows[0]);
        let names = rows.iter().map(|row| row.property().to_owned()).collect();
        let options = CheckOptions {
            properties: Selection::Named(names),
            after_violation: AfterViolation::GoOn,
            ..CheckOptions::default()
        };
        let document = check(&loaded, &options, &mut Nobody);
        let document = document.unwrap_or_else(|why| panic!("{}: {why:?}", rows[0].id()));
        for row in &rows {
            let named = document
                .properties
                .iter()
                .find(|it| it.name == row.property());
            compare(row, named.expect("the property is there"));
            compared += 1;
        }
    }
    println!("{compared} values compared");
    assert!(compared > 60);
}
