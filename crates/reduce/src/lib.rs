//! Symmetry reduction: from certified symmetries to one representative per orbit.
//!
//! [`reducer()`] takes a [`Certificate`] and a [`Strategy`] and gives what a search needs: somebody who says, for every
//! state that is met, which state is remembered in its stead. [`Reducers`] makes several of them that agree, for a search
//! with several threads.
//!
//! # How a state is reduced
//!
//! 1. `activity` says which domains may be permuted in it, `plans` finds the plan for these and the state's shape.
//! 2. The `plan` reads the cells into a view: points with rows, references, relations. Members of different domains that
//!    are tied to each other for good, or are always permuted in step, are one point. It also knows the group that permutes the
//!    points of the state.
//! 3. The strategy labels the view: which point goes where. Most strategies are labellers and share `reducer`; those
//!    that remember states themselves are reducers of their own.
//! 4. The plan applies the labelling to the cells, and the result is packed.
//!
//! That the image is one under a renaming of the certificate is all that soundness needs, and it is compared with the
//! reference action for every state in builds for development (`check`).
//!
//! # Any group
//!
//! A domain may have all permutations of its members, or there may be renamings that move members of several domains together:
//! the rotations of a ring, the symmetries of a hypercube. In every state, what may be used of these generates a group.
//! Blocks of points any two of which may change places are dealt with as if there were nothing else. For all other blocks,
//! `held` tells how a state is reduced under the elements of a group and under nothing else, and why that is canonical. Those strategies
//! that are made for full symmetric groups leave such blocks as they are, and their [`Description`] says so.
//!
//! # Strategies
//!
//! One file each in `strategies`, one line each in [`Strategy`] and in `strategies::reducer`. A strategy that labels gets a
//! plan and gives a [`mandala_canon::Labeller`]. [`Settings`] has what can be chosen, `main_array` finds the array that the
//! sorting ones sort by, `signature` colours points for those that need no more, and a [`Description`] says what is reduced.
//!
//! # The group
//!
//! [`group()`] finds the group that is reported: the certified renamings that respect all links that are constant (`constants`,
//! `automorphisms`). [`Stabilisers`] find those that leave a state as it is.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod activity;
mod automorphisms;
mod check;
mod constants;
mod description;
mod group;
mod held;
mod main_array;
mod patterns;
mod plan;
mod plans;
mod reducer;
mod representative;
mod reshape;
mod settings;
mod signature;
mod stabiliser;
mod strategies;
mod strategy;
mod twins;

pub use description::{Described, Description, ReducedDomain, UsedGroup};
pub use group::{SymmetryGroup, group};
pub use representative::{Identity, Reducer, Representative};
pub use settings::Settings;
pub use stabiliser::Stabilisers;
pub use strategy::{Guarantee, Strategy};

use mandala_encoding::{Program, Roles};
use mandala_model::Model;
use mandala_model::ids::EdgeId;
use mandala_symmetry::Certificate;
use mandala_symmetry::sorts::Sort;
use plan::Basis;
use std::fmt;

/// Why a strategy cannot be used as wished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// The strategy does not sort by a main array of one's choice.
    NoUseForMainArray(Strategy),
    /// Nothing of that name has a plain value for each member of a domain.
    NoSuchMainArray(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::NoUseForMainArray(strategy) => {
                write!(
                    f,
                    "`{strategy}` does not sort by a main array of one's choice"
                )
            }
            Unsupported::NoSuchMainArray(name) => write!(
                f,
                "`{name}` cannot be the main array: no array or local variable of that name has one plain value for \
                 each interchangeable process or name"
            ),
        }
    }
}

impl std::error::Error for Unsupported {}

/// Makes a reducer for the states of a model.
///
/// # Errors
///
/// If the settings do not fit the strategy or the model.
pub fn reducer<'a>(
    model: &'a Model,
    certificate: &'a Certificate,
    strategy: Strategy,
    settings: &Settings,
) -> Result<Box<dyn Described + 'a>, Unsupported> {
    Reducers::new(model, certificate, strategy, settings).map(|reducers| reducers.make())
}

/// Makes reducers for the states of a model, all of which choose the same representatives.
#[derive(Clone, Debug)]
pub struct Reducers<'a> {
    basis: Basis<'a>,
    strategy: Strategy,
    settings: Settings,
}

impl<'a> Reducers<'a> {
    /// Reducers of one strategy.
    ///
    /// # Errors
    ///
    /// If the settings do not fit the strategy or the model.
    pub fn new(
        model: &'a Model,
        certificate: &'a Certificate,
        strategy: Strategy,
        settings: &Settings,
    ) -> Result<Self, Unsupported> {
        let mut basis = Basis::new(model, certificate);
        basis.main = main_array::choose(&basis, strategy, settings.main_array.as_deref())?;
        Ok(Reducers {
            basis,
            strategy,
            settings: settings.clone(),
        })
    }

    /// Whether the states of an orbit have one representative, so that moves of one orbit need not be made more than once.
    pub fn fires_once(&self) -> bool {
        self.strategy != Strategy::Flood && self.strategy.guarantee() == Guarantee::Canonical
    }

    /// Which names stand for the processes of a program and for the values of the parameters of its edges. The caller says what these values mean.
    pub fn roles(&self, program: &Program, sort: impl Fn(EdgeId, usize) -> Sort) -> Roles {
        twins::roles(self.basis.domains, program, sort)
    }

    /// Whoever finds the stabilisers of states.
    pub fn stabilisers(&self) -> Stabilisers<'a> {
        Stabilisers::new(self.basis.clone())
    }

    /// One more reducer.
    pub fn make(&self) -> Box<dyn Described + 'a> {
        strategies::reducer(self.basis.clone(), self.strategy, &self.settings)
    }
}
