//! `markers`: states with the same invariants are taken for one (Leuschel and Massart 2010, the symmetry markers of ProB).
//!
//! A marker is a number that does not depend on names: all states of an orbit have the same one. States of different
//! orbits may have the same one too, and then those that are met later are never looked at: what is found is real, but
//! something may be missed. The first state met with a marker represents all that have it.

use super::keeper::Keeper;
use crate::description::{Described, Description, describe};
use crate::plan::{Basis, Plan};
use crate::plans::{Planned, Plans};
use crate::reducer::as_it_is;
use crate::settings::Settings;
use crate::signature::{Signature, pair};
use crate::{Reducer, Representative};
use mandala_encoding::Arrival;
use mandala_store::StoreFull;
use mandala_symmetry::Renaming;

/// Takes states with the same marker for one.
pub(super) struct Markers<'a> {
    plans: Plans<'a, Signature>,
    keeper: Keeper,
}

impl<'a> Markers<'a> {
    pub fn new(basis: Basis<'a>, settings: &Settings) -> Self {
        Markers {
            plans: Plans::new(basis),
            keeper: Keeper::with_limit(settings.memory),
        }
    }

    /// The marker of a state; none if nothing can be permuted in it.
    fn marker(&mut self, arrival: &Arrival<'_, '_>) -> Option<u64> {
        let tool = |plan: &Plan| Signature::new(plan.shape());
        let Planned { plan, tool } = self.plans.find(arrival, tool)?;
        if !plan.read(arrival.cells()) {
            return None;
        }
        let marker = tool.colour(plan.shape(), &plan.view());
        let resting = plan.resting(arrival.cells()).map(|cell| cell as u64);
        let start = pair(marker, u64::from(arrival.shape()));
        Some(resting.fold(start, pair))
    }
}

impl Reducer for Markers<'_> {
    fn representative<'a>(
        &'a mut self,
        arrival: &'a mut Arrival<'_, '_>,
    ) -> Result<Representative<'a>, StoreFull> {
        match self.marker(arrival) {
            None => Ok(as_it_is(arrival, false)),
            Some(marker) => Ok(Representative {
                packed: self.keeper.first(&marker.to_le_bytes(), arrival.packed())?,
                canonical: true,
            }),
        }
    }

    /// Known for states that represent themselves only.
    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        let state = arrival.packed().to_vec();
        let found = self.representative(arrival).ok()?;
        (found.packed == state).then(Renaming::identity)
    }

    fn bytes(&self) -> usize {
        self.keeper.bytes()
    }

    fn keeps_states(&self) -> bool {
        true
    }
}

impl Described for Markers<'_> {
    fn description(&self) -> Description {
        Description {
            kept_states: self.keeper.len(),
            ..describe(&self.plans)
        }
    }
}
