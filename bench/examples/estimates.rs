//! How good estimates of the number of states are: `estimates MODEL...`.
//!
//! For each model: how many levels it has, after how many of them an upper end was told first, what part of all states
//! was known then, and how the least and the largest upper end compare with the truth.
#![allow(clippy::print_stdout)]

use mandala_encoding::Program;
use mandala_explicit::{AfterViolation, Options, search};
use mandala_model::step::Observers;
use mandala_model::verify::verify;
use mandala_model::{SourceText, Sources};
use mandala_promela::{ParseOptions, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let mut sources = Sources::default();
        let file = sources.add(SourceText::new(&path, std::fs::read_to_string(&path)?));
        let (model, _) = load(&mut sources, file, &ParseOptions::default());
        let model = verify(model.ok_or("the model has errors")?).map_err(|e| format!("{e:?}"))?;
        let program = Program::compile(&model, Observers::default())?;
        let options = Options {
            on_violation: AfterViolation::GoOn,
            ..Options::default()
        };
        let outcome = search(&program, &options, &mut |_| {})?;
        let total = outcome.statistics.states as f64;
        let after = (1..=outcome.levels.len()).map(|n| &outcome.levels[..n]);
        let told = after.filter_map(|known| {
            let states = known.iter().sum::<u64>();
            let most = mandala_explicit::estimate(known, states).most?;
            Some((known.len(), states as f64 / total, most as f64 / total))
        });
        let told: Vec<_> = told.collect();
        let ends = |pick: fn(f64, f64) -> f64| told.iter().map(|t| t.2).reduce(pick).unwrap_or(0.0);
        let (first, known) = told.first().map_or((0, 0.0), |t| (t.0, t.1));
        println!(
            "{path}: {total} states, {} levels, told after {first} ({:.0} %), from {:.2} to {:.2}",
            outcome.levels.len(),
            100.0 * known,
            ends(f64::min),
            ends(f64::max)
        );
    }
    Ok(())
}
