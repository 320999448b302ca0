//! How fast a Promela model is explored: `throughput MODEL [bfs|dfs] [claim]`.
#![allow(clippy::print_stdout)]

use mandala_encoding::Program;
use mandala_explicit::{OnViolation, Options, Order, search};
use mandala_model::property::PropertyKind;
use mandala_model::step::Observers;
use mandala_model::verify::verify;
use mandala_model::{Model, SourceText, Sources};
use mandala_promela::{ParseOptions, load};

/// The observers that the model asks for; its claim only if wanted.
fn observers(model: &Model, with_claim: bool) -> Observers {
    let mut observers = Observers::default();
    for property in &model.properties {
        match property.kind {
            PropertyKind::Events { observer } => observers.events = Some(observer),
            PropertyKind::Never { claim } | PropertyKind::Ltl { claim, .. } if with_claim => {
                observers.claim = Some(claim);
            }
            _ => {}
        }
    }
    observers
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which model?")?;
    let order = match std::env::args().nth(2).as_deref() {
        Some("dfs") => Order::DepthFirst,
        _ => Order::BreadthFirst,
    };
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new(&path, std::fs::read_to_string(&path)?));
    let folder = std::path::Path::new(&path).parent().map(Into::into);
    let folder: std::path::PathBuf = folder.unwrap_or_default();
    let parsing = ParseOptions {
        loader: Box::new(move |included| std::fs::read_to_string(folder.join(included))),
        ..ParseOptions::default()
    };
    let (model, diagnostics) = load(&mut sources, file, &parsing);
    for diagnostic in &diagnostics {
        println!("{}", diagnostic.one_line(&sources));
    }
    let model = verify(model.ok_or("the model has errors")?).map_err(|e| format!("{e:?}"))?;
    let with_claim = std::env::args().nth(3).as_deref() == Some("claim");
    let program = Program::compile(&model, observers(&model, with_claim))?;
    let options = Options {
        order,
        on_violation: OnViolation::Continue,
        ..Options::default()
    };
    let outcome = search(&program, &options, None, &mut |_| {});
    let s = outcome.statistics;
    println!(
        "{:?}: {} states, {} transitions, depth {}, {} violations in {:.3} s",
        outcome.extent, s.states, s.transitions, s.depth, outcome.violations, s.seconds
    );
    println!(
        "{:.0} states/s, {:.0} transitions/s, {:.1} bytes packed, {:.1} in memory",
        s.states as f64 / s.seconds,
        s.transitions as f64 / s.seconds,
        s.packed_bytes as f64 / s.states as f64,
        s.bytes_per_state
    );
    if let Some(evidence) = outcome.evidence {
        println!(
            "{:?} after {} states",
            evidence.violation,
            evidence.path.len()
        );
    }
    Ok(())
}
