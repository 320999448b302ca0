//! `flood`: when a state is new, all its images are remembered with it (Leuschel and others 2007, the permutation flooding
//! of ProB).
//!
//! A state that is met later is then found, whatever its names, by looking it up as it is. The first state of an orbit
//! that is met represents it. That takes as much memory as no reduction at all, and the group's order for every new state;
//! in return nothing is computed for a state that is not new.

use crate::description::{Described, Description, describe};
use crate::plan::{Basis, Plan};
use crate::plans::{Planned, Plans};
use crate::reducer::as_it_is;
use crate::settings::Settings;
use crate::{Reducer, Representative};
use mandala_canon::walk::Walk;
use mandala_canon::{Effort, Exactness, Labelling, Labels};
use mandala_encoding::Arrival;
use mandala_store::{Insertion, StateId, StoreFull, VisitedSet};
use mandala_symmetry::Renaming;

/// Remembers all images of the states that are met.
pub(super) struct Flood<'a> {
    plans: Plans<'a, Permutations>,
    images: VisitedSet,
    /// States that are their own only images, kept to be counted.
    alone: VisitedSet,
    /// For each image, the number of the state that it is an image of.
    sources: Vec<u32>,
    permutations: u32,
    /// The state at hand, packed, with members tied to each other as in all states that are kept.
    state: Vec<u8>,
}

/// All elements of the group of a plan.
pub(super) struct Permutations {
    labels: Labels,
    walk: Walk,
}

impl Permutations {
    fn new(plan: &Plan) -> Self {
        Permutations {
            labels: Labels::identity(plan.shape().points()),
            walk: plan.walk(),
        }
    }

    /// Begins anew, with the permutation that moves nothing.
    fn restart(&mut self) {
        self.labels.reset();
        self.walk.restart();
    }

    fn at_hand(&self) -> Labelling<'_> {
        let effort = Effort::of_permutations(1);
        Labelling::new(&self.labels, Exactness::Exact, effort)
    }

    /// Goes to the next permutation, if there is one.
    fn advance(&mut self) -> bool {
        let labels = &mut self.labels;
        self.walk.advance(|a, b| labels.swap_positions(a, b))
    }
}

/// What is known of a state before it is looked up.
enum Readiness {
    /// Nothing can be permuted in it, or it cannot be read: then it is not canonical.
    AsItIs { canonical: bool },
    /// It is packed and can be looked up.
    Ready,
}

impl<'a> Flood<'a> {
    pub fn new(basis: Basis<'a>, settings: &Settings) -> Self {
        Flood {
            plans: Plans::new(basis),
            images: VisitedSet::with_limit(settings.memory),
            alone: VisitedSet::with_limit(settings.memory),
            sources: Vec::new(),
            permutations: settings.permutations,
            state: Vec::new(),
        }
    }

    /// Packs the state that is looked up.
    fn prepare(&mut self, arrival: &mut Arrival<'_, '_>) -> Readiness {
        let Some(Planned { plan, tool }) = self.plans.find(arrival, Permutations::new) else {
            return Readiness::AsItIs { canonical: true };
        };
        if !plan.read(arrival.cells()) {
            return Readiness::AsItIs { canonical: false };
        }
        tool.restart();
        let image = plan.image(arrival.cells(), tool.at_hand().table());
        self.state.clear();
        self.state.extend_from_slice(arrival.packed_as(image));
        Readiness::Ready
    }

    /// Remembers all images of a new state. False if there are too many.
    fn flood(&mut self, arrival: &mut Arrival<'_, '_>, source: StateId) -> Result<bool, StoreFull> {
        remember(&mut self.sources, source, source);
        let planned = self.plans.find(arrival, Permutations::new);
        let Some(Planned { plan, tool }) = planned else {
            return Ok(true);
        };
        let mut tried = 1;
        while tool.advance() {
            if tried >= self.permutations {
                return Ok(false);
            }
            tried += 1;
            let image = plan.image(arrival.cells(), tool.at_hand().table());
            if let Insertion::New(id) = self.images.insert(arrival.packed_as(image))? {
                remember(&mut self.sources, id, source);
            }
        }
        Ok(true)
    }

    /// The state that represents the one at hand, and whether it does so for the whole orbit.
    fn look_up(&mut self, arrival: &mut Arrival<'_, '_>) -> Result<(StateId, bool), StoreFull> {
        match self.images.insert(&self.state)? {
            Insertion::Seen(id) => Ok((StateId::from_u32(self.sources[id.index()]), true)),
            Insertion::New(id) => Ok((id, self.flood(arrival, id)?)),
        }
    }
}

fn remember(sources: &mut Vec<u32>, id: StateId, source: StateId) {
    if sources.len() <= id.index() {
        sources.resize(id.index() + 1, u32::MAX);
    }
    sources[id.index()] = source.as_u32();
}

impl Reducer for Flood<'_> {
    fn representative<'a>(
        &'a mut self,
        arrival: &'a mut Arrival<'_, '_>,
    ) -> Result<Representative<'a>, StoreFull> {
        if let Readiness::AsItIs { canonical } = self.prepare(arrival) {
            self.alone.insert(arrival.packed())?;
            return Ok(as_it_is(arrival, canonical));
        }
        let (source, canonical) = self.look_up(arrival)?;
        Ok(Representative {
            packed: self.images.get(source),
            canonical,
        })
    }

    /// Known for states that represent themselves, but for ties.
    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        if let Readiness::AsItIs { .. } = self.prepare(arrival) {
            return Some(Renaming::identity());
        }
        let (source, _) = self.look_up(arrival).ok()?;
        let own = self.images.get(source) == self.state;
        let Planned { plan, tool } = self.plans.find(arrival, Permutations::new)?;
        tool.restart();
        own.then(|| plan.renaming(tool.at_hand().positions()))
    }

    fn bytes(&self) -> usize {
        self.images.bytes() + self.alone.bytes() + self.sources.capacity() * size_of::<u32>()
    }

    fn keeps_states(&self) -> bool {
        true
    }
}

impl Described for Flood<'_> {
    fn description(&self) -> Description {
        Description {
            kept_states: self.images.len() + self.alone.len(),
            ..describe(&self.plans)
        }
    }
}
