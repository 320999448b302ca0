//! How fast a Promela model is explored:
//! `throughput MODEL [--dfs] [--workers N] [--interpret] [--claim] [-D NAME=VALUE]...`.
#![allow(clippy::print_stdout)]

use mandala_encoding::Program;
use mandala_explicit::{AfterViolation, ExplicitOutcome, Options, SearchOrder, search};
use mandala_model::ids::PropertyId;
use mandala_model::property::PropertyKind;
use mandala_model::step::Observers;
use mandala_model::verify::verify;
use mandala_model::{Model, SourceText, Sources};
use mandala_promela::{ParseOptions, load};
use std::error::Error;
use std::path::{Path, PathBuf};

/// What the command line says.
#[derive(Default)]
struct Wishes {
    path: String,
    defines: Vec<String>,
    with_claim: bool,
    options: Options,
}

fn wishes() -> Result<Wishes, Box<dyn Error>> {
    let mut wishes = Wishes::default();
    wishes.options.on_violation = AfterViolation::GoOn;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--dfs" => wishes.options.order = SearchOrder::DepthFirst,
            "--interpret" => wishes.options.interpret = true,
            "--claim" => wishes.with_claim = true,
            "--workers" => wishes.options.workers = words.next().ok_or("how many?")?.parse()?,
            "-D" => wishes.defines.push(words.next().ok_or("which macro?")?),
            _ => wishes.path = word,
        }
    }
    Ok(wishes)
}

/// The observers that the model asks for; its claim only if wanted.
fn observers(model: &Model, with_claim: bool) -> Observers {
    let mut observers = Observers::default();
    for (id, property) in (0..).map(PropertyId).zip(&model.properties) {
        match &property.kind {
            PropertyKind::Events { observer } => observers.events = Some(*observer),
            PropertyKind::Never { .. } | PropertyKind::NoRun(_) if with_claim => {
                observers.claim = model.claim_of(id);
            }
            _ => {}
        }
    }
    observers
}

fn read(wishes: &Wishes) -> Result<Model, Box<dyn Error>> {
    let mut sources = Sources::default();
    let text = std::fs::read_to_string(&wishes.path)?;
    let file = sources.add(SourceText::new(&wishes.path, text));
    let folder: PathBuf = Path::new(&wishes.path)
        .parent()
        .map(Into::into)
        .unwrap_or_default();
    let mut parsing = ParseOptions {
        loader: Box::new(move |included| std::fs::read_to_string(folder.join(included))),
        ..ParseOptions::default()
    };
    wishes
        .defines
        .iter()
        .for_each(|define| parsing.define(define));
    let (model, diagnostics) = load(&mut sources, file, &parsing);
    for diagnostic in &diagnostics {
        println!("{}", diagnostic.one_line(&sources));
    }
    let model = verify(model.ok_or("the model has errors")?);
    Ok(model.map_err(|e| format!("{e:?}"))?)
}

fn show(outcome: &ExplicitOutcome) {
    let s = outcome.statistics;
    let (seconds, split) = (s.time.as_secs_f64(), s.split.unwrap_or_default());
    println!(
        "{:?}: {} states, {} transitions, depth {}, {} violations in {:.3} s with {} workers",
        outcome.extent,
        s.states,
        s.transitions,
        s.depth,
        outcome.violations.total(),
        seconds,
        s.workers
    );
    println!(
        "{:.0} states/s, {:.1} ns/transition, branching {:.2}, {:.1} bytes packed, {:.1} in memory",
        s.states_per_second(),
        seconds * 1e9 / s.transitions as f64,
        s.branching(),
        outcome.packed_bytes as f64 / s.states as f64,
        s.bytes_per_state
    );
    println!(
        "expand {:.3} s, canonicalise {:.3} s, store {:.3} s",
        split.expand, split.canonicalise, split.store
    );
    if let Some(evidence) = &outcome.evidence {
        println!(
            "{:?} after {} states",
            evidence.violation,
            evidence.path.len()
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let wishes = wishes()?;
    let model = read(&wishes)?;
    let program = Program::compile(&model, observers(&model, wishes.with_claim))?;
    show(&search(&program, &wishes.options, &mut |_| {})?);
    Ok(())
}
