//! The witness check: a representative must be what the reference action makes of the state.
//!
//! It is made in builds for development only; elsewhere nothing of it is left.

use mandala_encoding::{Arrival, Program};
use mandala_model::UncheckedModel;
use mandala_symmetry::sorts::Sorts;
use mandala_symmetry::{Action, Renaming};

/// Compares representatives with what the reference action gives.
#[derive(Clone, Debug)]
pub(crate) struct Checker<'a> {
    action: Option<Action<'a>>,
}

/// A state and the renaming that is going to be applied to it.
#[derive(Debug)]
pub(crate) struct Known {
    state: Vec<u8>,
    renaming: Renaming,
}

impl<'a> Checker<'a> {
    pub fn new(model: &UncheckedModel, sorts: &'a Sorts) -> Self {
        Checker {
            action: cfg!(debug_assertions).then(|| Action::new(model, sorts)),
        }
    }

    /// Keeps what is needed to check the representative of a state.
    #[inline]
    pub fn note(
        &self,
        arrival: &mut Arrival<'_, '_>,
        renaming: impl FnOnce() -> Renaming,
    ) -> Option<Known> {
        cfg!(debug_assertions).then(|| Known {
            state: arrival.packed().to_vec(),
            renaming: renaming(),
        })
    }

    /// # Panics
    ///
    /// If the renaming does not map the state to its representative.
    #[inline]
    pub fn check(&self, program: &Program, known: Option<Known>, found: &[u8]) {
        if let (Some(action), Some(known)) = (&self.action, known) {
            check(action, program, &known, found);
        }
    }
}

fn check(action: &Action<'_>, program: &Program, known: &Known, found: &[u8]) {
    let state = program
        .decode(&known.state)
        .expect("a state of the program");
    let image = action.apply(&known.renaming, &state);
    let image = image.and_then(|image| program.encode(&image));
    assert_eq!(
        image.as_deref(),
        Some(found),
        "{:?} does not map {state:?} to its representative",
        known.renaming
    );
}
