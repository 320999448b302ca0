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
use mandala_canon::plain_changes::PlainChanges;
use mandala_canon::{Effort, Exactness, Labelling, Labels, Shape};
use mandala_encoding::Arrival;
use mandala_explicit::{Reducer, Representative};
use mandala_store::{Insertion, StateId, StoreFull, VisitedSet};
use mandala_symmetry::Renaming;

/// Remembers all images of the states that are met.
pub(super) struct Flood<'a> {
    plans: Plans<'a, Permutations>,
    images: VisitedSet,
    /// For each image, the number of the state that it is an image of.
    sources: Vec<u32>,
    permutations: u32,
}

/// All permutations of the points of a plan.
pub(super) struct Permutations {
    labels: Labels,
    chain: PlainChanges,
}

impl Permutations {
    fn new(plan: &Plan) -> Self {
        Permutations {
            labels: Labels::identity(plan.shape().points()),
            chain: PlainChanges::default(),
        }
    }

    fn restart(&mut self, shape: &Shape) {
        self.labels.reset();
        let domains = 0..shape.domains();
        self.chain.restart(domains.map(|d| shape.domain_points(d)));
    }

    /// The next permutation.
    fn next(&mut self) -> Option<Labelling<'_>> {
        let (a, b) = self.chain.next_exchange()?;
        self.labels.swap_positions(a, b);
        let effort = Effort::of_permutations(1);
        Some(Labelling::new(&self.labels, Exactness::Exact, effort))
    }
}

impl<'a> Flood<'a> {
    pub fn new(basis: Basis<'a>, settings: &Settings) -> Self {
        Flood {
            plans: Plans::new(basis),
            images: VisitedSet::with_limit(settings.memory),
            sources: Vec::new(),
            permutations: settings.permutations,
        }
    }

    /// Remembers all images of a new state. False if there are too many.
    fn flood(&mut self, arrival: &mut Arrival<'_, '_>, source: StateId) -> Result<bool, StoreFull> {
        let planned = self.plans.find(arrival, Permutations::new);
        let Some(Planned { plan, tool }) = planned else {
            return Ok(true);
        };
        if !plan.read(arrival.cells()) {
            return Ok(false);
        }
        tool.restart(plan.shape());
        let mut tried = 1;
        while let Some(labelling) = tool.next() {
            if tried >= self.permutations {
                return Ok(false);
            }
            tried += 1;
            let image = plan.image(arrival.cells(), labelling.table());
            if let Insertion::New(id) = self.images.insert(arrival.packed_as(image))? {
                remember(&mut self.sources, id, source);
            }
        }
        Ok(true)
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
        match self.images.insert(arrival.packed())? {
            Insertion::Seen(id) => {
                let source = StateId::from_u32(self.sources[id.index()]);
                Ok(Representative {
                    packed: self.images.get(source),
                    canonical: true,
                })
            }
            Insertion::New(id) => {
                remember(&mut self.sources, id, id);
                let canonical = self.flood(arrival, id)?;
                Ok(as_it_is(arrival, canonical))
            }
        }
    }

    /// Known for states that represent themselves only.
    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        let state = arrival.packed().to_vec();
        let found = self.representative(arrival).ok()?;
        (found.packed == state).then(Renaming::identity)
    }

    fn bytes(&self) -> usize {
        self.images.bytes() + self.sources.capacity() * size_of::<u32>()
    }
}

impl Described for Flood<'_> {
    fn description(&self) -> Description {
        Description {
            kept_states: self.images.len(),
            ..describe(self.plans.basis(), self.plans.left_out())
        }
    }
}
