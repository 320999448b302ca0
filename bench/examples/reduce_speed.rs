//! What a representative costs, on the bundled models whose states hold names.
//!
//! Run with `cargo run --release -p mandala-bench --example reduce_speed`. Each line gives the time for one representative, gather and
//! scatter and packing included, beside the time for one successor without reduction.
#![allow(clippy::print_stdout, reason = "a program that prints a table")]

use mandala_encoding::Program;
use mandala_explicit::{AfterViolation, Limits, Options, search, search_reduced};
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::source::{SourceText, Sources};
use mandala_model::step::Observers;
use mandala_model::verify::verify;
use mandala_promela::ParseOptions;
use mandala_reduce::{Settings, Strategy, reducer};
use mandala_symmetry::{Candidate, Certificate, Family, certify};

/// A model, one parameter, and the family of processes in it.
struct Row {
    model: &'static str,
    n: u32,
    family: &'static str,
    first: u32,
}

const ROWS: [Row; 12] = [
    row("peterson", 4, "Process", 1),
    row("peterson", 5, "Process", 1),
    row("peterson", 6, "Process", 1),
    row("peterson", 8, "Process", 1),
    row("email", 4, "Client", 1),
    row("email", 5, "Client", 1),
    row("email", 8, "Client", 1),
    row("database", 8, "Manager", 1),
    row("database", 20, "Manager", 1),
    row("partial-maps", 5, "Process", 0),
    row("partial-maps", 6, "Process", 0),
    row("partial-maps", 8, "Process", 0),
];

const fn row(model: &'static str, n: u32, family: &'static str, first: u32) -> Row {
    Row {
        model,
        n,
        family,
        first,
    }
}

fn load(row: &Row) -> Model {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/../models/{0}/{0}.pml", row.model);
    let text = std::fs::read_to_string(path).expect("a bundled model");
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("model.pml", &text));
    let mut options = ParseOptions::default();
    options.define(&format!("N={}", row.n));
    let (model, _) = mandala_promela::load(&mut sources, file, &options);
    verify(model.expect("a model")).expect("well typed")
}

fn certificate(model: &Model, row: &Row) -> Certificate {
    let template = model.templates.iter().position(|t| t.name == row.family);
    let candidate = Candidate {
        families: vec![Family {
            template: TemplateId::from(template.expect("the family's template")),
            numbers: (row.first..row.first + row.n).collect(),
        }],
        ..Candidate::default()
    };
    certify(model, Observers::default(), &candidate).expect("symmetric")
}

/// Nanoseconds for each successor of a search, and for each representative in it; and how many states it has.
fn measure(
    model: &Model,
    certificate: &Certificate,
    strategy: Option<Strategy>,
) -> (f64, f64, u64) {
    let program = Program::compile(model, Observers::default()).expect("compiles");
    let options = Options {
        on_violation: AfterViolation::GoOn,
        limits: Limits {
            states: Some(200_000),
            ..Limits::default()
        },
        ..Options::default()
    };
    let settings = Settings::default();
    let outcome = match strategy {
        Some(strategy) => {
            let mut make = || reducer(model, certificate, strategy, &settings).expect("supported");
            let found = search_reduced(&program, &options, &mut make, &mut |_| {});
            found.map(|(outcome, _)| outcome)
        }
        None => search(&program, &options, &mut |_| {}),
    };
    let outcome = outcome.expect("the options go together");
    let (found, reduction) = (outcome.statistics, outcome.reduction);
    let each = found.time.as_secs_f64() * 1e9 / found.transitions as f64;
    let reducing = reduction.time.as_secs_f64() * 1e9 / reduction.states.max(1) as f64;
    (each, reducing, found.states)
}

/// The best of three: others may use the machine as well.
fn best(model: &Model, certificate: &Certificate, strategy: Option<Strategy>) -> (f64, f64, u64) {
    let runs = (0..3).map(|_| measure(model, certificate, strategy));
    let better = |a: (f64, f64, u64), b: (f64, f64, u64)| (a.0.min(b.0), a.1.min(b.1), a.2);
    runs.reduce(better).expect("three runs")
}

fn main() {
    let strategies = std::env::args().nth(1).unwrap_or("auto".into());
    let strategy: Strategy = strategies.parse().expect("a strategy");
    println!(
        "{:<14} {:>3} {:>9} {:>12} {:>12} {:>12}",
        "model", "N", "states", "off ns/succ", "on ns/succ", "ns/repr"
    );
    for row in &ROWS {
        let model = load(row);
        let certificate = certificate(&model, row);
        let (off, ..) = best(&model, &certificate, None);
        let (on, reducing, states) = best(&model, &certificate, Some(strategy));
        println!(
            "{:<14} {:>3} {states:>9} {off:>12.0} {on:>12.0} {reducing:>12.0}",
            row.model, row.n
        );
    }
}
