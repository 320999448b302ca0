//! Models that are checked and shown.

pub mod chromium;

use mandala_checker::document::graph::graph;
use mandala_checker::families::check_every;
use mandala_checker::frontend::{LoadedModel, ModelInput, PropertyInput, load_with};
use mandala_checker::options::{CheckOptions, Choice, Deadlock, Fairness};
use mandala_checker::watch::Nobody;
use mandala_model::stated::StatedForm;
use mandala_page::{MOST_STATES, Page, SourceFile, render};
use mandala_report::Document;
use mandala_report::document::StateGraph;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model with what was found about it.
pub struct Case {
    pub loaded: LoadedModel,
    pub document: Document,
    pub graph: StateGraph,
}

impl Case {
    /// A model that is checked.
    pub fn of(path: &str, text: &str, defines: &[&str]) -> Self {
        Case::asked(path, text, defines, (CheckOptions::default(), None))
    }

    fn asked(
        path: &str,
        text: &str,
        defines: &[&str],
        (options, property): (CheckOptions, Option<PropertyInput>),
    ) -> Self {
        let input = ModelInput {
            text: text.into(),
            path: path.into(),
            defines: defines.iter().map(ToString::to_string).collect(),
            dialect: None,
            read: |_| Err(std::io::ErrorKind::NotFound.into()),
        };
        let Ok(loaded) = load_with(input, property.into_iter().collect()) else {
            panic!("{path} is wrong");
        };
        let document = mandala_checker::check(&loaded, &options, &mut Nobody);
        let document = document.unwrap_or_else(|_| panic!("{path}: no document"));
        let graph = graph(&loaded, &options, MOST_STATES, &mut |_| true);
        let graph = graph.unwrap_or_else(|_| panic!("{path}: no graph"));
        Case {
            loaded,
            document,
            graph,
        }
    }

    /// A model of the project, by its path from the root.
    pub fn bundled(path: &str, defines: &[&str]) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = fs::read_to_string(root.join(path)).expect("a model");
        Case::of(path, &text, defines)
    }

    /// A model of the project, asked about every value of `N`.
    pub fn every(path: &str) -> Self {
        let base = Case::bundled(path, &["N=3"]);
        let asked = |size: u32| Case::bundled(path, &[&format!("N={size}")]).loaded;
        let options = CheckOptions {
            deadlock: Deadlock::Ignore,
            ..CheckOptions::default()
        };
        let loaded = Arc::new(asked(3));
        let found = check_every(&loaded, &mut |n| Ok(asked(n)), "N", &options, &mut Nobody);
        let document = found.expect("a document").document;
        Case { document, ..base }
    }

    /// The page.
    pub fn page(&self) -> String {
        let files = self.loaded.sources.files();
        let sources = files.map(|(_, file)| SourceFile {
            path: file.path().display().to_string(),
            text: file.text(),
        });
        let page = Page {
            document: &self.document,
            sources: sources.collect(),
            graph: Some(&self.graph),
        };
        render(&page).expect("a page")
    }

    /// How much of the page is its traces.
    pub fn bytes_of_traces(&self) -> usize {
        let traces = self.document.counterexamples().map(|(_, trace)| trace);
        let witnesses = self.document.properties.iter();
        let all = traces.chain(witnesses.filter_map(|p| p.witness.as_ref()));
        // Each is there once as it is, once in words, and once as a chart.
        all.map(|trace| 3 * serde_json::to_string(trace).expect("JSON").len())
            .sum()
    }
}

/// The models that charts and traces are recorded for. Their first lines may say what is asked besides.
pub fn gallery() -> Vec<(String, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../chart/tests/gallery");
    let entries = fs::read_dir(&folder).expect("the gallery");
    let paths = entries.flatten().map(|entry| entry.path());
    let is_model = |path: &PathBuf| path.extension().is_some_and(|e| e != "expected");
    let mut models: Vec<PathBuf> = paths.filter(is_model).collect();
    models.sort();
    models.iter().map(|path| exhibit(path)).collect()
}

fn exhibit(path: &Path) -> (String, Case) {
    let text = fs::read_to_string(path).expect("a model");
    let name = path
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let asked = |key: &str| {
        let mut lines = text.lines().take(2);
        lines.find_map(|line| Some(line.split_once(key)?.1.trim().to_owned()))
    };
    let fairness = asked("fair: ").and_then(|name| Fairness::named(&name));
    let options = CheckOptions {
        fairness: fairness.unwrap_or_default(),
        ..CheckOptions::default()
    };
    let ctl = asked("ctl: ").map(|text| PropertyInput {
        form: StatedForm::Ctl,
        name: None,
        origin: "--ctl".into(),
        text,
    });
    let case = Case::asked(&name, &text, &[], (options, ctl));
    (name, case)
}
