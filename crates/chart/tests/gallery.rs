//! What people get to see of a violation: the headline, why, the trace and the chart, in text.
//!
//! Each model in `gallery/` stands beside an `.expected` file. After a deliberate change, run with `UPDATE_EXPECT=1` and read the
//! difference. The first lines of a model may say what is asked besides: `fair: weak`, `ctl: FORMULA`.

use mandala_chart::{Form, chart};
use mandala_checker::frontend::{LoadedModel, ModelInput, PropertyInput, load_with};
use mandala_checker::options::{CheckOptions, Choice, Fairness};
use mandala_model::stated::StatedForm;
use mandala_report::document::Document;
use mandala_report::style::Colour;
use mandala_report::text::{self, View};
use std::fs;
use std::path::{Path, PathBuf};

/// How wide the traces are.
const WIDTH: usize = 100;

#[test]
fn violations_are_shown_as_expected() {
    let models = models();
    assert!(models.len() >= 10, "only {} models", models.len());
    let wrong: Vec<String> = models.iter().filter_map(|path| compare(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// On terminals of three widths reports have the words that they have without a width, and lines fit where words do.
#[test]
fn reports_are_wrapped_between_words() {
    for path in models() {
        let document = checked(&path);
        let report = |width| {
            text::render(
                &document,
                &View {
                    width,
                    ..View::new(Colour::Off)
                },
            )
        };
        let whole = report(None);
        let words: Vec<&str> = whole.split_whitespace().collect();
        for width in [60, 80, 120] {
            let text = report(Some(width));
            let mut all = text.split_whitespace();
            let broken = all.find(|word| !words.contains(word));
            assert_eq!(broken, None, "{} at {width}:\n{text}", path.display());
            let mut lines = text.lines();
            let wide = lines.find(|line| width > 60 && line.chars().count() > width);
            assert_eq!(wide, None, "{} at {width}", path.display());
        }
    }
}

/// No line of a trace is wider than the terminal, and every form of a chart is written for every model.
#[test]
fn lines_fit_and_every_form_is_written() {
    for path in models() {
        let document = checked(&path);
        for (violation, trace) in document.counterexamples() {
            for width in [80, 100] {
                let view = View {
                    width: Some(width),
                    ..View::new(Colour::Off)
                };
                let steps = text::steps(&trace.steps, &view);
                let wide = steps.lines().find(|line| line.chars().count() > width);
                assert_eq!(wide, None, "{}", path.display());
            }
            let chart = chart(trace, Some(violation));
            let [lanes, mermaid, svg] = Form::ALL.map(|form| form.render(&chart));
            assert!(lanes.contains(&violation.message));
            assert!(mermaid.starts_with("sequenceDiagram\n"));
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            for row in &chart.rows {
                let number = format!("{}. ", row.number);
                assert!(mermaid.contains(&number), "{number} in\n{mermaid}");
            }
        }
    }
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gallery");
    let entries = fs::read_dir(&folder).expect("the gallery");
    let paths = entries.flatten().map(|entry| entry.path());
    let is_model = |path: &PathBuf| path.extension().is_some_and(|e| e != "expected");
    let mut models: Vec<PathBuf> = paths.filter(is_model).collect();
    models.sort();
    models
}

fn compare(path: &Path) -> Option<String> {
    let found = shown(&checked(path));
    let place = path.with_extension("expected");
    let expected = fs::read_to_string(&place).unwrap_or_default();
    if found == expected {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&place, &found).expect("the expectation is written");
        return None;
    }
    Some(format!("{}:\n{found}", place.display()))
}

fn shown(document: &Document) -> String {
    let view = View {
        width: Some(WIDTH),
        ..View::new(Colour::Off)
    };
    let mut text = text::headline(document, Colour::Off);
    for (violation, trace) in document.counterexamples() {
        let claim_steps = document.claim_steps(violation.property_id);
        text += &format!("\n{}", text::run(violation, trace, claim_steps, &view));
        let chart = Form::Text.render(&chart(trace, Some(violation)));
        text += &format!("\n{chart}");
    }
    text
}

fn checked(path: &Path) -> Document {
    let text = fs::read_to_string(path).expect("a model");
    let asked = |key: &str| {
        let mut lines = text.lines().take(2);
        lines.find_map(|line| Some(line.split_once(key)?.1.trim().to_owned()))
    };
    let options = CheckOptions {
        fairness: asked("fair: ")
            .and_then(|name| Fairness::named(&name))
            .unwrap_or_default(),
        ..CheckOptions::default()
    };
    let ctl = asked("ctl: ").map(|text| PropertyInput {
        form: StatedForm::Ctl,
        name: None,
        origin: "--ctl".into(),
        text,
    });
    let loaded = loaded(path, text, ctl);
    let document = mandala_checker::check(&loaded, &options, &mut mandala_checker::watch::Nobody);
    document.unwrap_or_else(|_| panic!("{}: no document", path.display()))
}

fn loaded(path: &Path, text: String, property: Option<PropertyInput>) -> LoadedModel {
    let input = ModelInput {
        text,
        path: path.file_name().expect("a name").into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    match load_with(input, property.into_iter().collect()) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{}: {error:?}", path.display()),
    }
}
