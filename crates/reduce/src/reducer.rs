//! Reducers that label the points of each state: what most strategies are.
//!
//! Read the state into its view, label it, and if anything moves, apply the labelling and pack the result. How the view
//! is labelled is the business of the strategy.
//!
//! # Cost
//!
//! With `auto`, from the example `speed`, everything included: 150 ns for a state of Peterson's algorithm for 4 processes, 220 ns
//! for 8; 250 ns for the e-mail system with 4 clients, 500 ns with 8; 470 ns for the partial maps of 8 points. That is less
//! than it takes to find a successor and to look it up.
//!
//! # Rejected
//!
//! A cache from states as they are met to their representatives. With 4096 entries it would know 10 to 35 of 100 states of
//! the same models, with 65536 entries 20 to 50; but to pack, hash and compare every state takes a third of what a
//! representative takes, so nothing is gained.
//!
//! # Trust
//!
//! In builds for development every representative is compared with what the reference [`mandala_symmetry::Action`]
//! makes of the state.

use crate::check::Checker;
use crate::description::{Described, Description, describe};
use crate::plan::{Basis, Plan};
use crate::plans::{Planned, Plans};
use crate::settings::Settings;
use mandala_canon::{Exactness, Labeller};
use mandala_encoding::Arrival;
use mandala_explicit::{Reducer, Representative};
use mandala_store::StoreFull;
use mandala_symmetry::Renaming;

/// Makes the labeller of a strategy for a plan.
pub(crate) type MakeLabeller = fn(&Plan, &Settings) -> Box<dyn Labeller>;

/// A reducer whose representatives are images under labellings.
pub(crate) struct Labelled<'a> {
    plans: Plans<'a, Box<dyn Labeller>>,
    make: MakeLabeller,
    settings: Settings,
    checker: Checker<'a>,
}

impl<'a> Labelled<'a> {
    pub fn new(basis: Basis<'a>, make: MakeLabeller, settings: &Settings) -> Self {
        Labelled {
            checker: Checker::new(basis.model, basis.certificate),
            plans: Plans::new(basis),
            make,
            settings: settings.clone(),
        }
    }
}

/// A state that represents itself.
#[inline]
pub(crate) fn as_it_is<'a>(
    arrival: &'a mut Arrival<'_, '_>,
    canonical: bool,
) -> Representative<'a> {
    Representative {
        packed: arrival.packed(),
        canonical,
    }
}

#[inline]
fn moves_nothing(positions: &[u8]) -> bool {
    let mut positions = positions.iter().enumerate();
    positions.all(|(point, position)| usize::from(*position) == point)
}

impl Reducer for Labelled<'_> {
    #[inline]
    fn representative<'a>(
        &'a mut self,
        arrival: &'a mut Arrival<'_, '_>,
    ) -> Result<Representative<'a>, StoreFull> {
        let make = |plan: &Plan| (self.make)(plan, &self.settings);
        let Some(Planned { plan, tool }) = self.plans.find(arrival, make) else {
            return Ok(as_it_is(arrival, true));
        };
        if !plan.read(arrival.cells()) {
            return Ok(as_it_is(arrival, false));
        }
        let labelling = tool.label(&plan.view());
        let canonical = labelling.exactness() == Exactness::Exact;
        if moves_nothing(labelling.positions()) && !plan.has_moved() {
            return Ok(as_it_is(arrival, canonical));
        }
        let known = self
            .checker
            .note(arrival, || plan.renaming(labelling.positions()));
        let image = plan.image(arrival.cells(), labelling.table());
        let program = arrival.program();
        let packed = arrival.packed_as(image);
        self.checker.check(program, known, packed);
        Ok(Representative { packed, canonical })
    }

    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        let make = |plan: &Plan| (self.make)(plan, &self.settings);
        let planned = self.plans.find(arrival, make);
        let Some(Planned { plan, tool }) = planned else {
            return Some(Renaming::identity());
        };
        if !plan.read(arrival.cells()) {
            return Some(Renaming::identity());
        }
        let labelling = tool.label(&plan.view());
        Some(plan.renaming(labelling.positions()))
    }

    fn notes(&self) -> Vec<u8> {
        self.plans.basis().patterns.notes()
    }

    fn recall(&mut self, notes: &[u8]) -> bool {
        self.plans.basis().patterns.recall(notes)
    }
}

impl Described for Labelled<'_> {
    fn description(&self) -> Description {
        describe(&self.plans)
    }
}
