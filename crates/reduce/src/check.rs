//! The witness check: a representative must be what the reference action makes of the state under an element of the certified
//! group.
//!
//! It is made in builds for development only; elsewhere nothing of it is left. It takes much longer than the canonicaliser itself, so after the
//! first ten thousand only one representative in a hundred is checked.

use mandala_encoding::{Arrival, Program};
use mandala_groups::Group;
use mandala_model::UncheckedModel;
use mandala_symmetry::{Action, Certificate, Renaming};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// So many representatives are all checked, ..
const ALL: u64 = 10_000;

/// .. and of the later ones one of so many.
const ONE_OF: u64 = 100;

/// Compares representatives with what the reference action gives.
#[derive(Clone, Debug)]
pub(crate) struct Checker<'a> {
    trusted: Option<Trusted<'a>>,
}

/// What representatives are compared with.
#[derive(Clone, Debug)]
struct Trusted<'a> {
    action: Action<'a>,
    certificate: &'a Certificate,
    /// None if all permutations of every domain are certified, which is plain to see.
    group: Option<Group>,
    /// How many representatives all workers have found together.
    found: Arc<AtomicU64>,
}

impl Trusted<'_> {
    fn is_due(&self) -> bool {
        let found = self.found.fetch_add(1, Ordering::Relaxed);
        found < ALL || found.is_multiple_of(ONE_OF)
    }
}

/// A state and the renaming that is going to be applied to it.
#[derive(Debug)]
pub(crate) struct Known {
    state: Vec<u8>,
    renaming: Renaming,
}

impl<'a> Checker<'a> {
    pub fn new(model: &UncheckedModel, certificate: &'a Certificate) -> Self {
        let mut domains = 0..certificate.domains().len();
        let all_full = domains.all(|domain| certificate.is_full(domain));
        let trusted = || Trusted {
            action: Action::new(model, certificate.sorts()),
            certificate,
            group: if all_full { None } else { certificate.group() },
            found: Arc::default(),
        };
        Checker {
            trusted: cfg!(debug_assertions).then(trusted),
        }
    }

    /// Keeps what is needed to check the representative of a state.
    #[inline]
    pub fn note(
        &self,
        arrival: &mut Arrival<'_, '_>,
        renaming: impl FnOnce() -> Renaming,
    ) -> Option<Known> {
        let is_due = || self.trusted.as_ref().is_some_and(Trusted::is_due);
        (cfg!(debug_assertions) && is_due()).then(|| Known {
            state: arrival.packed().to_vec(),
            renaming: renaming(),
        })
    }

    /// # Panics
    ///
    /// If the renaming is not certified or does not map the state to itself.
    #[inline]
    pub fn check_kept(&self, program: &Program, state: &[u8], renaming: impl FnOnce() -> Renaming) {
        if let Some(trusted) = self.trusted.as_ref().filter(|trusted| trusted.is_due()) {
            let known = Known {
                state: state.to_vec(),
                renaming: renaming(),
            };
            check(trusted, program, &known, state);
        }
    }

    /// # Panics
    ///
    /// If the renaming is not certified or does not map the state to its representative.
    #[inline]
    pub fn check(&self, program: &Program, known: Option<Known>, found: &[u8]) {
        if let (Some(trusted), Some(known)) = (&self.trusted, known) {
            check(trusted, program, &known, found);
        }
    }
}

fn check(trusted: &Trusted<'_>, program: &Program, known: &Known, found: &[u8]) {
    if let Some(group) = &trusted.group {
        let element = trusted.certificate.points(&known.renaming);
        let certified = element.is_some_and(|element| group.contains(&element));
        assert!(certified, "{:?} is not certified", known.renaming);
    }
    let state = program
        .decode(&known.state)
        .expect("a state of the program");
    let image = trusted.action.apply(&known.renaming, &state);
    let image = image.and_then(|image| program.encode(&image));
    assert_eq!(
        image.as_deref(),
        Some(found),
        "{:?} does not map {state:?} to its representative",
        known.renaming
    );
}
