//! The facts from which plans are made: the model, its certificate, and the choices of the strategy.

use super::keepers::Keepers;
use crate::patterns::Patterns;
use mandala_model::Model;
use mandala_model::footprint::Writes;
use mandala_symmetry::sorts::Sorts;
use mandala_symmetry::{Certificate, Domain};
use std::sync::Arc;

/// The array by which strategies of SymmSpin sort the points of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Main {
    /// The control locations of the processes.
    Locations,
    /// A local variable of the processes.
    Local(usize),
    /// A global array.
    Global(usize),
}

/// What plans are made from.
#[derive(Clone, Debug)]
pub(crate) struct Basis<'a> {
    pub model: &'a Model,
    pub certificate: &'a Certificate,
    pub sorts: &'a Sorts,
    pub domains: &'a [Domain],
    /// Whether only what is fully interchangeable is permuted, because the strategy knows nothing else.
    pub only_full: bool,
    /// The main array of each domain, if the strategy wants one.
    pub main: Vec<Option<Main>>,
    /// Variables that need not be looked at, as they keep their channels.
    pub keepers: Keepers,
    pub writes: Arc<Writes>,
    /// The states that plans are made from.
    pub patterns: Patterns,
}

impl<'a> Basis<'a> {
    /// The basis that a certificate gives, without main arrays.
    pub fn new(model: &'a Model, certificate: &'a Certificate) -> Self {
        let writes = Arc::new(Writes::of(model));
        Basis {
            model,
            certificate,
            sorts: certificate.sorts(),
            domains: certificate.domains(),
            only_full: false,
            main: Vec::new(),
            keepers: Keepers::of(model, &writes),
            writes,
            patterns: Patterns::default(),
        }
    }
}
