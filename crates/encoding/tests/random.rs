//! Random models: the compiled form and the reference interpreter agree on them too.
//!
//! The seed of a failure is printed; `MANDALA_SEED` runs a single one.

use crate::common::generator::{Random, shrunk};
use crate::common::{Explored, explore_model, unchecked, verified};
use std::panic::catch_unwind;

const SEEDS: u64 = 1000;
const STATES: usize = 150;

/// What was met, or nothing if the two disagree.
fn explored(model: &Random) -> Option<Explored> {
    let text = model.text();
    catch_unwind(|| explore_model(&verified(unchecked(&text)), STATES)).ok()
}

#[test]
fn random_models_agree() {
    let only = std::env::var("MANDALA_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let (mut states, mut wrong) = (0, 0);
    for seed in only.map_or(0..SEEDS, |seed| seed..seed + 1) {
        let model = Random::new(seed);
        let Some(explored) = explored(&model) else {
            let smallest = shrunk(model, |model| explored(model).is_none());
            panic!("seed {seed}:\n{}", smallest.text());
        };
        states += explored.states;
        wrong += usize::from(!explored.violations.is_empty());
    }
    // Models that stop at once, or never do anything wrong, would prove nothing.
    assert!(
        only.is_some() || states > 50 * SEEDS as usize,
        "{states} states"
    );
    assert!(
        only.is_some() || wrong > SEEDS as usize / 4,
        "{wrong} models with violations"
    );
}
